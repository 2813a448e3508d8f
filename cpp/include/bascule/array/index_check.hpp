// Indices that a device checks while the program goes on (design rule 12).
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bascule/core/device.hpp"

namespace bascule {

class graph_lock;
class storage;

// The result of checking one call's indices, in the memory of its device.
class index_check {
public:
    explicit index_check(device where);
    ~index_check();
    index_check(index_check const&) = delete;
    index_check& operator=(index_check const&) = delete;

    [[nodiscard]] std::int64_t* words() const noexcept { return words_; }  // gather_args::found_later
    [[nodiscard]] device where() const noexcept { return where_; }
    void settle();  // waits for the device; throws index_error if an index was bad, every time
    [[nodiscard]] bool is_healthy();

private:
    device where_;
    std::int64_t* words_ = nullptr;
    std::mutex mutex_;
    bool settled_ = false;
    std::string bad_;  // NumPy's text
};
using index_checks = std::vector<std::shared_ptr<index_check>>;

namespace index_errors {

void add(index_checks& to, index_checks const& more);
// Remembers a check until the device is next waited for.
void expect(std::shared_ptr<index_check> check);
// The device was waited for: throws for the oldest bad index that was not yet reported.
void settle_all(device where);
// Throws if the contents of `s` depend on a bad index. Returns whether the lock was released meanwhile.
bool settle(graph_lock& lock, storage* s);

}  // namespace index_errors

}  // namespace bascule

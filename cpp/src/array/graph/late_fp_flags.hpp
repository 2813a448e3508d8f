// Floating-point errors of kernels on a device that the host does not wait for: they gather in words of the device's
// memory and are read when the program waits for the device anyway.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bascule/array/errstate.hpp"
#include "bascule/core/device.hpp"

namespace bascule::late_fp_flags {

// Some words of a plan, or-ed together, and what is reported if a bit of them rose.
struct expectation {
    std::int32_t first = 0, count = 1;
    errstate::finding finding;
    std::uint8_t means = 0;  // the errors that any bit stands for; 0: each for its own
};

// The words of one plan, while it is handed to the device. Others' words are not read meanwhile.
class claim {
public:
    claim(device where, std::size_t words, std::span<expectation const> expected);
    ~claim();
    claim(claim const&) = delete;
    claim& operator=(claim const&) = delete;
    [[nodiscard]] std::uint32_t* words() const noexcept { return words_; }  // of the device's memory, 0 each

private:
    void* owner_;
    std::uint32_t* words_;
};

// What of `check` the call at hand finds on a device, as it is told: with its line and its order where that is later,
// without where the call itself tells.
errstate::finding as_told(errstate::finding f, std::uint8_t check, device where);

// A word for what a call that is no plan finds, on a device that the host need not wait for. Empty: the call at hand
// tells.
std::optional<claim> tell_later(errstate::finding const& f, std::uint8_t check, device where);

// Around a wait of the program's own: made before it, what was found is reported by `report` after it.
class reading {
public:
    explicit reading(device where);
    ~reading();
    reading(reading const&) = delete;
    reading& operator=(reading const&) = delete;
    void report();

private:
    device where_;
    std::vector<std::uint32_t> found_;
    std::vector<expectation> expected_;
};

}  // namespace bascule::late_fp_flags

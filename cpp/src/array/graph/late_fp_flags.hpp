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

// Some words of a plan, or-ed together, and the errors that are reported if one of their bits is set.
struct expectation {
    std::int32_t first = 0, count = 1;
    errstate::finding finding;
    std::uint8_t means = 0;  // the errors that any bit means; 0: each means its own
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

// The finding with which the call at hand reports `check` on a device: with its line and its order where it is reported
// later, without them where the call itself reports it.
errstate::finding as_reported(errstate::finding f, std::uint8_t check, device where);

// A word for the errors of a call that is not a plan, on a device that the host need not wait for. Empty: the call
// reports them itself.
std::optional<claim> report_later(errstate::finding const& f, std::uint8_t check, device where);

// Marks a synchronization requested by the program: constructed before it; afterwards `report` reports the errors
// found.
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

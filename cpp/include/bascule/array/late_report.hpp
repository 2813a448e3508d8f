// What a call reports where elements of booleans are true, on a device that nobody waits for to know it.
#pragma once
#include <cstdint>
#include <span>

#include "bascule/array/array.hpp"
#include "bascule/array/errstate.hpp"

namespace bascule {

struct condition {
    array const* booleans;
    std::uint8_t fp_errors;  // what a true one means
};
// Reports f with the bits of all conditions that are true anywhere: at once where memory is the host's, where somebody
// listens or where errors raise, else when the program next waits for the device. Of bits that nobody asked for nothing
// is computed.
void report_where(std::span<condition const> conditions, errstate::finding f);

}  // namespace bascule

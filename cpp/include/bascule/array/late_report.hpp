// Reports of a call that depend on boolean elements, on a device that the host does not wait for.
#pragma once
#include <cstdint>
#include <span>

#include "bascule/array/array.hpp"
#include "bascule/array/errstate.hpp"

namespace bascule {

struct condition {
    array const* booleans;
    std::uint8_t fp_errors;  // the errors that a true element stands for
};
// Reports f with the bits of all conditions that are true anywhere: at once where memory is the host's, where an error
// handler is installed or where errors raise, else when the program next waits for the device. Conditions whose bits
// are not checked are not computed.
void report_where(std::span<condition const> conditions, errstate::finding f);

}  // namespace bascule

// Programs of the user's own: kernels in CUDA C++ that are given arrays.
#pragma once
#include <span>
#include <variant>
#include <vector>

#include "bascule/array/array.hpp"

namespace bascule {

// One argument of a kernel. A Python integer has the bytes of its parameter, where the device knows them.
struct kernel_argument {
    enum class kind : std::uint8_t { pointer, value, python_integer };
    kind is = kind::value;
    array memory;                  // pointer: to its first element, with any strides
    std::vector<std::byte> bytes;  // of the value
};

// Runs a kernel of `where`'s programs on the current stream. Pending arguments are computed first, and so are pending
// readers of arrays that may be written; those count as written. Throws value_error where the arguments are not the
// kernel's.
void launch_kernel(device where, void* function, launch_shape const& shape, std::span<kernel_argument> arguments);

}  // namespace bascule

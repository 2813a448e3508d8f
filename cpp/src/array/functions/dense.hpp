// Helpers shared by the sources of this room: arrays as the algorithms of devices take them, and parts of them as
// views.
#pragma once
#include "bascule/array/device_calls.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/elementwise.hpp"

namespace bascule {

inline std::byte* address(array const& a) { return a.memory()->data() + a.offset; }

template <class Args> void run_algorithm(array const& a, algorithm_kind kind, Args& args) {
    auto const where = a.where();
    throw_if(device_calls::algorithm(where, kind, &args), where);
}

inline array in_c_order(array const& given) {
    array const a = plain_booleans(given);
    return is_c_contiguous(a.shape, a.strides, a.itemsize()) ? a : copy(a, 'C');
}

inline void write(array const& to, array const& from) {
    if (to.size() > 0 && !eager::assign(to, from)) assign(to, from);
}

// `count` elements along an axis, from `start` on.
inline array part_of(array const& a, int axis, std::int64_t start, std::int64_t count) {
    dims shape = a.shape;
    shape[axis] = count;
    return view(a, std::move(shape), a.strides, a.offset + (count > 0 ? start * a.strides[axis] : 0));
}

}  // namespace bascule

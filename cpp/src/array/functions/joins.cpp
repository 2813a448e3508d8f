#include "bascule/array/joins.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "bascule/ops/table.hpp"
#include "dense.hpp"

namespace bascule {
namespace {

array with_axis(array const& a, int at) {
    dims shape, strides;
    for (int d = 0; d <= a.ndim(); ++d) {
        if (d == at) shape.push_back(1), strides.push_back(d < a.ndim() ? a.strides[d] * a.shape[d] : a.itemsize());
        if (d < a.ndim()) shape.push_back(a.shape[d]), strides.push_back(a.strides[d]);
    }
    return view(a, std::move(shape), std::move(strides), a.offset);
}

// Repeats each axis `times` over, element by element or as a whole: a copy of a view that has repeated axes next to a's
// own. Axes of length one are left out of the view, so that an array of few elements has few axes.
array repeated(array const& a, dims const& times, bool by_element) {
    dims whole = a.shape, shape, strides;
    for (int d = 0; d < a.ndim(); ++d)
        if (__builtin_mul_overflow(a.shape[d], times[d], &whole[d]))
            throw value_error(
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.");
    if (product(whole) == 0) return empty(a.where(), a.type, whole);
    if (std::any_of(times.begin(), times.end(), [](std::int64_t n) { return n < 0; }))
        throw value_error("negative dimensions are not allowed");
    auto const add = [&](std::int64_t extent, std::int64_t stride) {
        if (extent != 1) shape.push_back(extent), strides.push_back(stride);
    };
    for (int d = 0; d < a.ndim(); ++d) {
        if (!by_element) add(times[d], 0);
        add(a.shape[d], a.strides[d]);
        if (by_element) add(times[d], 0);
    }
    return reshape_view_or_copy(copy(view(a, std::move(shape), std::move(strides), a.offset), 'C'), whole);
}

array counting(device where, std::int64_t n, std::int64_t first) {
    plan_constant start{}, one{};
    start.i64 = first, one.i64 = 1;
    return arange(where, make_dtype(type_id::int64), n, start, one);
}

}  // namespace

array concatenate(std::span<array const> parts, int axis) {
    array const& first = parts[0];
    std::int64_t length = 0;
    std::vector<std::int64_t const*> layouts;
    for (auto const& a : parts) {
        bool same = a.ndim() == first.ndim();
        for (int d = 0; same && d < a.ndim(); ++d) same = d == axis || a.shape[d] == first.shape[d];
        if (!same) throw value_error("all the input array dimensions except for the concatenation axis must match");
        layouts.push_back(a.strides.data());
        length += a.shape[axis];
    }
    dims shape = first.shape;
    shape[axis] = length;
    array r = empty_strided(first.where(), first.type, shape, dense_strides_like(shape, layouts, first.itemsize()));
    array to = r;
    for (auto const& a : parts) {
        to.shape[axis] = a.shape[axis];
        write(to, a);
        to.offset += a.shape[axis] * r.strides[axis];
    }
    return r;
}

array stack(std::span<array const> parts, int axis) {
    std::vector<array> wide;
    wide.reserve(parts.size());
    for (auto const& a : parts) wide.push_back(with_axis(a, axis));
    return concatenate(wide, axis);
}

array roll(array const& a, std::int64_t shift, int axis) {
    std::int64_t const n = a.shape[axis], by = n == 0 ? 0 : (shift % n + n) % n;
    array const parts[] = {part_of(a, axis, n - by, by), part_of(a, axis, 0, n - by)};
    return concatenate(parts, axis);
}

array insert(array const& a, std::int64_t at, array const& values, int axis) {
    array const parts[] = {part_of(a, axis, 0, at), values, part_of(a, axis, at, a.shape[axis] - at)};
    return concatenate(parts, axis);
}

array repeat(array const& a, std::int64_t times, int axis) {
    dims of_axes(a.ndim(), 1);
    of_axes[axis] = times;
    return repeated(a, of_axes, true);
}

array tile(array const& a, dims const& times) { return repeated(a, times, false); }

array diagonal_matrix(array const& diagonal, std::int64_t k) {
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 4;  // no memory holds so many rows
    k = std::clamp(k, -far, far);
    std::int64_t const n = diagonal.size(), rows = n + std::abs(k);
    array r = full(diagonal.where(), diagonal.type, {rows, rows}, plan_constant{});
    std::int64_t const first = k < 0 ? -k * r.strides[0] : k * r.strides[1];
    write(view(r, {n}, {r.strides[0] + r.strides[1]}, r.offset + first), diagonal);
    return r;
}

array triangle(array const& a, std::int64_t k, bool upper) {
    int const n = a.ndim();
    std::int64_t const rows = a.shape[n - 2], columns = a.shape[n - 1];
    k = std::clamp(k, -rows - 1, columns + 1);
    array const row = counting(a.where(), rows, upper ? k - 1 : k), column = counting(a.where(), columns, 0);
    array const below = apply(ops::number<ops::greater_equal>, with_axis(row, 1), column);
    argument const zero{nullptr, plan_constant{}, a.type.id};
    argument const low{upper ? nullptr : &a, zero.value, zero.type}, high{upper ? &a : nullptr, zero.value, zero.type};
    argument const chosen[] = {{&below}, low, high};
    return apply(ops::number<ops::where>, chosen);
}

}  // namespace bascule

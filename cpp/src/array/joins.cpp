#include "bascule/array/joins.hpp"

#include <algorithm>
#include <vector>

#include "bascule/array/elementwise.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {
namespace {

void write(array const& to, array const& from) {
    if (to.size() > 0 && !eager::assign(to, from)) assign(to, from);
}

array part_of(array const& a, int axis, std::int64_t start, std::int64_t count) {
    dims shape = a.shape;
    shape[axis] = count;
    return view(a, std::move(shape), a.strides, a.offset + (count > 0 ? start * a.strides[axis] : 0));
}

array with_axis(array const& a, int at) {
    dims shape, strides;
    for (int d = 0; d <= a.ndim(); ++d) {
        if (d == at) shape.push_back(1), strides.push_back(d < a.ndim() ? a.strides[d] * a.shape[d] : a.itemsize());
        if (d < a.ndim()) shape.push_back(a.shape[d]), strides.push_back(a.strides[d]);
    }
    return view(a, std::move(shape), std::move(strides), a.offset);
}

// a's axes with an axis of `extent` copies before each of those that `times` repeats.
array spread(array const& a, std::span<int const> before, dims const& times) {
    dims shape, strides;
    for (int d = 0; d <= a.ndim(); ++d) {
        for (std::size_t k = 0; k < before.size(); ++k)
            if (before[k] == d) shape.push_back(times[static_cast<int>(k)]), strides.push_back(0);
        if (d < a.ndim()) shape.push_back(a.shape[d]), strides.push_back(a.strides[d]);
    }
    return view(a, std::move(shape), std::move(strides), a.offset);
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
    int const behind[] = {axis + 1};
    dims shape = a.shape;
    shape[axis] *= times;
    return reshape_view_or_copy(copy(spread(a, behind, {times}), 'C'), shape);
}

array tile(array const& a, dims const& times) {
    std::vector<int> before;
    dims shape = a.shape;
    for (int d = 0; d < a.ndim(); ++d) before.push_back(d), shape[d] *= times[d];
    return reshape_view_or_copy(copy(spread(a, before, times), 'C'), shape);
}

array diagonal_matrix(array const& diagonal) {
    std::int64_t const n = diagonal.size();
    array r = full(diagonal.where(), diagonal.type, {n, n}, plan_constant{});
    write(view(r, {n}, {r.strides[0] + r.strides[1]}, r.offset), diagonal);
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

// gather, scatter, nonzero, compress and scan as plain loops over the iteration space.
#include <cstring>
#include <functional>

#include "backend/reference/parts.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::reference {
namespace {

template <class T> T read(void const* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

// Byte offset that the index arrays add at one place; the first index out of range ends the call.
std::int64_t indexed_offset(gather_args& a, extents at) {
    std::int64_t offset = 0;
    for (int k = 0; k < a.nindex; ++k) {
        auto const size = a.index_size[k];
        auto const i = read<std::int64_t>(element_at(a.index[k].base, a.index[k].strides, at));
        if (i < -size || i >= size) {
            a.bad_value = i;
            a.bad_axis = a.index_axis[k];
            a.bad_size = size;
            throw failure{status::index_error, "[reference] index " + std::to_string(i) +
                                                   " is out of bounds for axis " + std::to_string(a.bad_axis) +
                                                   " with size " + std::to_string(size)};
        }
        offset += (i < 0 ? i + size : i) * a.index_step[k];
    }
    return offset;
}

// Checks every index before the first element moves.
template <class Move> void move_indexed(gather_args& a, Move&& move) {
    extents const shape(a.shape, static_cast<std::size_t>(a.ndim));
    for_each_index(shape, [&](extents at) { indexed_offset(a, at); });
    for_each_index(shape, [&](extents at) {
        move(element_at(a.base, a.base_strides, at) + indexed_offset(a, at),
             element_at(a.other.base, a.other.strides, at));
    });
}

bool is_true(plan_operand const& mask, extents at) {
    return read<std::uint8_t>(element_at(mask.base, mask.strides, at)) != 0;
}

}  // namespace

void gather(gather_args& a) {
    move_indexed(a, [&](unsigned char* base, unsigned char* other) {
        std::memcpy(other, base, static_cast<std::size_t>(a.itemsize));
    });
}

void scatter(gather_args& a) {
    move_indexed(a, [&](unsigned char* base, unsigned char* other) {
        std::memcpy(base, other, static_cast<std::size_t>(a.itemsize));
    });
}

void nonzero(nonzero_args& a) {
    std::int64_t found = 0;
    for_each_index({a.shape, static_cast<std::size_t>(a.ndim)}, [&](extents at) {
        if (!is_true(a.mask, at)) return;
        for (std::size_t d = 0; a.out != nullptr && d < at.size(); ++d)
            a.out[static_cast<std::int64_t>(d) * a.out_stride + found] = at[d];
        ++found;
    });
    a.count = found;
}

void compress(compress_args& a) {
    auto* to = static_cast<unsigned char*>(a.out);
    a.count = 0;
    for_each_index({a.shape, static_cast<std::size_t>(a.ndim)}, [&](extents at) {
        if (!is_true(a.mask, at)) return;
        ++a.count;
        if (to == nullptr) return;
        std::memcpy(to, element_at(a.data.base, a.data.strides, at), static_cast<std::size_t>(a.itemsize));
        to += a.itemsize;
    });
}

// One step of a running aggregate. float16 is computed in float32 and rounded; of two equals NumPy's extrema of this
// type, and of no other, keep the first.
std::function<cell(cell const&, cell const&)> step_of(int op, type_id t) {
    bool const half = t == type_id::float16;
    type_id const loop = half ? type_id::float32 : t;
    auto const combine = find_op(op, {loop, loop}, loop);
    if (!half)
        return [combine](cell const& a, cell const& b) {
            cell const* const args[] = {&a, &b};
            cell result{};
            combine(args, result);
            return result;
        };
    auto const widen = find_op(ops::number<ops::cast>, {t}, loop), narrow = find_op(ops::number<ops::cast>, {loop}, t);
    bool const keeps_first = op == ops::number<ops::maximum> || op == ops::number<ops::minimum> ||
                             op == ops::number<ops::fmax> || op == ops::number<ops::fmin>;
    return [=](cell const& a, cell const& b) {
        cell x{}, y{}, wide{}, result{};
        cell const *const first[] = {&a}, *const second[] = {&b}, *const both[] = {&x, &y}, *const from[] = {&wide};
        widen(first, x), widen(second, y);
        float p, q;
        std::memcpy(&p, x.bytes, sizeof p), std::memcpy(&q, y.bytes, sizeof q);
        if (keeps_first && p == q) return a;
        combine(both, wide);
        narrow(from, result);
        return result;
    };
}

void scan(scan_args const& a) {
    auto const step = step_of(a.op, a.in.dtype);
    expects(a.out.dtype == a.in.dtype, status::not_supported,
            "scan: op " + std::to_string(a.op) + " does not return the dtype it takes");
    auto const bytes = static_cast<std::size_t>(itemsize(a.in.dtype));
    cell running{};
    for_each_index({a.shape, static_cast<std::size_t>(a.ndim)}, [&](extents at) {
        cell next{};
        std::memcpy(next.bytes, element_at(a.in.base, a.in.strides, at), bytes);
        running = at.empty() || at.back() == 0 ? next : step(running, next);
        std::memcpy(element_at(a.out.base, a.out.strides, at), running.bytes, bytes);
    });
}

}  // namespace bascule::reference

#include "backend/cpu/copy/interleave.hpp"

#include <algorithm>

#include "backend/cpu/common/cpu_tuning.hpp"

namespace bascule::cpu {

namespace {

interleave_kernel kernel_of(program const& p) noexcept {
    return active_interleave_kernels().join[size_class(p.slots[p.outputs[0].value].itemsize)][p.noutputs];
}

// Past the caches, by way of a piece that stays in the first.
void stream(program const& p, interleave_kernel run, char* to, char const** from, std::int64_t n) noexcept {
    alignas(64) char piece[8192];
    std::int64_t const size = p.slots[p.outputs[0].value].itemsize, whole = size * p.noutputs,
                       most = static_cast<std::int64_t>(sizeof piece) / whole / 64 * 64;
    for (std::int64_t done = 0; done < n; done += most) {
        std::int64_t const items = std::min(most, n - done);
        run(piece, from, items);
        p.kernels->stream(to + done * whole, piece, static_cast<std::size_t>(items * whole));
        for (int k = 0; k < p.noutputs; ++k) from[k] += items * size;
    }
}

bool same_strides(program const& p, std::int64_t const* a, std::int64_t const* b) noexcept {
    return std::equal(a, a + p.space.ndim, b);
}

}  // namespace

bool order_interleaved(program& p) noexcept {
    if (p.noutputs < 2 || p.noutputs > max_interleaved || p.space.ndim == 0) return false;
    std::int64_t const size = p.slots[p.outputs[0].value].itemsize;
    if (p.outputs[0].out->strides[p.space.ndim - 1] != size * p.noutputs) return false;
    output sorted[max_interleaved];  // a copy: the program's own order decides which inputs are overwritten last
    std::copy_n(p.outputs, p.noutputs, sorted);
    std::sort(sorted, sorted + p.noutputs, [](output const& a, output const& b) { return a.out->base < b.out->base; });
    auto const* const first = static_cast<char const*>(sorted[0].out->base);
    for (int k = 0; k < p.noutputs; ++k) {
        output const& o = sorted[k];
        slot const& s = p.slots[o.value];
        if (s.itemsize != size || s.single || o.direct || o.streamed || o.out->base != first + k * size ||
            !same_strides(p, o.out->strides, sorted[0].out->strides))
            return false;
    }
    if (!kernel_of(p)) return false;
    std::copy_n(sorted, p.noutputs, p.outputs);
    p.streams = p.space.total * size * p.noutputs >= streamed_bytes;
    return true;
}

void store_interleaved(program const& p, char* const* at, std::int64_t i, std::int64_t n) noexcept {
    interleave_kernel const run = kernel_of(p);
    output const& first = p.outputs[0];
    std::int64_t const size = p.slots[first.value].itemsize;
    each_patch(p.space, first.out->strides, i, n,
               [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride, std::int64_t,
                   std::int64_t done) {
                   for (std::int64_t r = 0; r < rows; ++r) {
                       char const* from[max_interleaved];
                       for (int k = 0; k < p.noutputs; ++k)
                           from[k] = at[p.outputs[k].value] + (done + r * columns) * size;
                       char* const to = static_cast<char*>(first.out->base) + offset + r * row_stride;
                       if (p.streams) stream(p, run, to, from, columns);
                       else run(to, from, columns);
                   }
               });
}

// The loads with the layout of `first`, if all of them exist.
static bool group_of(program const& p, std::uint16_t first, interleaved_loads& group) noexcept {
    slot const& s = p.slots[first];
    std::int64_t const count = s.strides[p.space.ndim - 1] / s.itemsize;
    if (count < 2 || count > max_interleaved || s.strides[p.space.ndim - 1] % s.itemsize) return false;
    if (!active_interleave_kernels().separate[size_class(s.itemsize)][count]) return false;
    group = {};
    std::uint32_t found = 0;
    for (int k = 0; k < p.nmoving; ++k) {
        slot const& other = p.slots[p.moving[k]];
        std::int64_t const apart = other.base - s.base, place = apart / s.itemsize;
        if (other.where != place::packed || other.repeats || other.itemsize != s.itemsize || apart % s.itemsize ||
            place < 0 || place >= count || !same_strides(p, other.strides, s.strides))
            continue;
        group.value[place] = p.moving[k];
        found |= 1u << place;
    }
    group.count = static_cast<int>(count);
    return found == (1u << count) - 1;
}

void find_interleaved_loads(program& p) noexcept {
    for (int k = 0; k < p.nmoving && p.ninterleaved < most_groups; ++k) {
        slot const& s = p.slots[p.moving[k]];
        if (s.where != place::packed || s.repeats || p.space.ndim == 0) continue;
        interleaved_loads& group = p.alongside[p.ninterleaved];
        if (!group_of(p, p.moving[k], group)) continue;
        for (int n = 0; n < group.count; ++n) p.slots[group.value[n]].where = place::interleaved;
        ++p.ninterleaved;
    }
}

void load_interleaved(program const& p, char* const* at, std::int64_t i, std::int64_t n) noexcept {
    for (int g = 0; g < p.ninterleaved; ++g) {
        interleaved_loads const& group = p.alongside[g];
        slot const& first = p.slots[group.value[0]];
        separate_kernel const run = active_interleave_kernels().separate[size_class(first.itemsize)][group.count];
        each_patch(p.space, first.strides, i, n,
                   [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                       std::int64_t, std::int64_t done) {
                       for (std::int64_t r = 0; r < rows; ++r) {
                           char* to[max_interleaved];
                           for (int k = 0; k < group.count; ++k)
                               to[k] = at[group.value[k]] + (done + r * columns) * first.itemsize;
                           run(to, first.base + offset + r * row_stride, columns, prefetches_streams);
                       }
                   });
    }
}

}  // namespace bascule::cpu

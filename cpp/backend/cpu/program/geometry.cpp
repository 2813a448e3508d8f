#include "backend/cpu/program/geometry.hpp"

namespace bascule::cpu {

// Rows shorter than this are not worth a pass of the interpreter each: blocks then span several of them.
static constexpr std::int64_t shortest_row = 256;

geometry geometry_of(plan const& p) noexcept {
    geometry g{p.ndim, p.shape, 1, 1, true};
    for (int d = 0; d < p.ndim; ++d) g.total *= p.shape[d];
    if (p.ndim) g.inner = p.shape[p.ndim - 1];
    bool const runs_of_rows = p.nreductions && p.ndim && p.run_dims > 1 && p.reduced && p.reduced[p.ndim - 1];
    g.by_rows = p.ndim < 2 || (g.inner >= shortest_row && !runs_of_rows);
    return g;
}

layout layout_of(geometry const& g, std::int64_t const* strides, int itemsize) noexcept {
    if (g.ndim == 0) return layout::scalar;
    bool flat = true, scalar = true;
    std::int64_t expected = itemsize;
    for (int d = g.ndim - 1; d >= 0; --d) {
        if (g.shape[d] == 1) continue;
        flat &= strides[d] == expected;
        scalar &= strides[d] == 0;
        expected *= g.shape[d];
    }
    if (scalar) return layout::scalar;
    if (flat) return layout::flat;
    std::int64_t const innermost = strides[g.ndim - 1];
    if (innermost == itemsize) return layout::rows;
    return innermost == 0 && g.by_rows ? layout::row_scalar : layout::strided;
}

std::int64_t offset_at(geometry const& g, std::int64_t const* strides, std::int64_t i) noexcept {
    return position(g, i).offset(strides);
}

void position::find_index() noexcept {
    known_ = true;
    std::int64_t rest = i_;
    for (int d = space_.ndim - 1; d > 0; --d) {
        std::int64_t const quotient = rest / space_.shape[d];
        index_[d] = rest - quotient * space_.shape[d];
        rest = quotient;
    }
    index_[0] = rest;
}

}  // namespace bascule::cpu

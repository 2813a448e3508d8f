// The iteration space of a plan, and how memory laid over it by strides is walked.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/core/plan.hpp"

namespace bascule::cpu {

struct geometry {
    int ndim;
    std::int64_t const* shape;
    std::int64_t inner;  // extent of the last dimension
    std::int64_t total;
    bool by_rows;  // blocks never cross a row, so that operands contiguous within rows are used in place
};
geometry geometry_of(plan const&) noexcept;

enum class layout : std::uint8_t {
    flat,        // contiguous over the whole space
    scalar,      // the same element everywhere
    row_scalar,  // the same element within a row
    rows,        // contiguous within a row
    strided,
};
layout layout_of(geometry const&, std::int64_t const* strides, int itemsize) noexcept;

// Byte (or element) offset of flattened position i.
std::int64_t offset_at(geometry const&, std::int64_t const* strides, std::int64_t i) noexcept;

// The same for many operands at one position, whose divisions are made once, and only when needed.
class position {
public:
    position(geometry const& g, std::int64_t i) noexcept : space_(g), i_(i) {}
    std::int64_t offset(std::int64_t const* strides) noexcept {
        if (space_.ndim <= 1) return space_.ndim ? i_ * strides[0] : 0;
        if (!known_) find_index();
        std::int64_t offset = 0;
        for (int d = 0; d < space_.ndim; ++d) offset += index_[d] * strides[d];
        return offset;
    }

private:
    void find_index() noexcept;

    geometry const& space_;
    std::int64_t const i_;
    bool known_ = false;
    std::int64_t index_[max_dims];
};

// Cuts flattened positions [i, i + n) into rectangles within one plane of the two innermost dimensions: visit(offset,
// rows, columns, row_stride, column_stride, elements before).
template <class Visit>
void each_patch(geometry const& g, std::int64_t const* strides, std::int64_t i, std::int64_t n, Visit visit) {
    std::int64_t const column_stride = g.ndim ? strides[g.ndim - 1] : 0;
    std::int64_t const row_stride = g.ndim > 1 ? strides[g.ndim - 2] : 0;
    for (std::int64_t done = 0; done < n;) {
        std::int64_t const at = i + done, left = n - done;
        std::int64_t const offset = offset_at(g, strides, at);
        std::int64_t const column = g.ndim > 1 ? at % g.inner : at;
        std::int64_t rows = 1, columns = g.inner - column;
        if (columns > left) columns = left;
        if (column == 0 && left >= 2 * g.inner && g.ndim > 1) {
            std::int64_t const height = g.shape[g.ndim - 2];
            rows = height - at / g.inner % height;
            if (rows > left / g.inner) rows = left / g.inner;
        }
        visit(offset, rows, columns, row_stride, column_stride, done);
        done += rows * columns;
    }
}

}  // namespace bascule::cpu

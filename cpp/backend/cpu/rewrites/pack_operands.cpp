#include "backend/cpu/rewrites/pack_operands.hpp"

#include <cstdlib>

#include "backend/cpu/program/geometry.hpp"

namespace bascule::cpu {
namespace {

// Read at least so many times, and so small that the copy stays in a core's second cache together with the other
// operands.
constexpr std::int64_t least_repeats = 4, most_bytes = 256 * 1024, least_elements = 16 * 1024;

std::int64_t distinct_elements(plan const& p, std::int64_t const* strides) noexcept {
    std::int64_t n = 1;
    for (int d = 0; d < p.ndim; ++d)
        if (strides[d] != 0) n *= p.shape[d];
    return n;
}

bool is_worth_it(plan const& p, geometry const& g, plan_operand const& o) noexcept {
    int const size = itemsize(o.dtype);
    std::int64_t const step = o.strides[p.ndim - 1];
    if (step == 0 || step == size) return false;
    std::int64_t const distinct = distinct_elements(p, o.strides);
    return distinct * least_repeats <= g.total && distinct * size <= most_bytes;
}

}  // namespace

bool packed_operands::applies(plan const& p) noexcept {
    if (p.ndim < 2 || p.ndim > most_dims) return false;
    geometry const g = geometry_of(p);
    if (g.total < least_elements) return false;
    for (int k = 0; k < p.noperands; ++k)
        if (is_worth_it(p, g, p.operands[k])) return true;
    return false;
}

packed_operands::packed_operands(plan const& source, kernel_table const& kernels) noexcept
    : plan_(
          source, [](plan_operand&) {}, [](plan_iota&) {}) {
    geometry const g = geometry_of(source);
    for (int k = 0; k < source.noperands && count_ < most_operands && ready_; ++k)
        if (is_worth_it(source, g, source.operands[k])) pack(plan_.operand(k), source, kernels);
}

packed_operands::~packed_operands() {
    for (int k = 0; k < count_; ++k) std::free(memory_[k]);
}

void packed_operands::pack(plan_operand& o, plan const& source, kernel_table const& kernels) noexcept {
    int const size = itemsize(o.dtype);
    std::int64_t const distinct = distinct_elements(source, o.strides);
    void* const to = std::aligned_alloc(64, static_cast<std::size_t>((distinct * size + 63) / 64 * 64));
    if (!to) {
        ready_ = false;
        return;
    }
    std::int64_t shape[most_dims], *const strides = strides_[count_];
    memory_[count_++] = to;
    std::int64_t next = size;
    for (int d = source.ndim - 1; d >= 0; --d) {
        bool const moves = o.strides[d] != 0;
        shape[d] = moves ? source.shape[d] : 1;
        strides[d] = moves ? next : 0;
        next *= shape[d];
    }
    geometry const space{source.ndim, shape, shape[source.ndim - 1], distinct, true};
    copy_kernel const copy = kernels.copy[size_class(size)];
    each_patch(space, o.strides, 0, distinct,
               [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                   std::int64_t column_stride, std::int64_t done) {
                   copy({static_cast<char*>(to) + done * size, static_cast<char const*>(o.base) + offset, rows, columns,
                         columns * size, size, row_stride, column_stride});
               });
    o.base = to, o.strides = strides;
}

}  // namespace bascule::cpu

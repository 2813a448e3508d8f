// Rows of sparse matrices with dense ones: tiles of columns whose sums are in registers.
#include "backend/cpu/dispatch/sparse_kernels.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

using i64 = std::int64_t;

template <int tile, class V, class I>
void add_tile(V const* values, I const* columns, i64 count, V const* dense, i64 width, V* to) {
    V sum[tile];
    for (int c = 0; c < tile; ++c) sum[c] = to[c];
    for (i64 e = 0; e < count; ++e) {
        V const value = values[e];
        V const* const from = dense + static_cast<i64>(columns[e]) * width;
        for (int c = 0; c < tile; ++c) sum[c] += value * from[c];
    }
    for (int c = 0; c < tile; ++c) to[c] = sum[c];
}

template <class V, class I>
void gather(V const* values, I const* columns, i64 count, V const* dense, i64 width, V* to) noexcept {
    i64 c = 0;
    for (; c + 32 <= width; c += 32) add_tile<32>(values, columns, count, dense + c, width, to + c);
    for (; c + 16 <= width; c += 16) add_tile<16>(values, columns, count, dense + c, width, to + c);
    if (c + 8 <= width) add_tile<8>(values, columns, count, dense + c, width, to + c), c += 8;
    if (c + 4 <= width) add_tile<4>(values, columns, count, dense + c, width, to + c), c += 4;
    switch (width - c) {
        case 3: return add_tile<3>(values, columns, count, dense + c, width, to + c);
        case 2: return add_tile<2>(values, columns, count, dense + c, width, to + c);
        case 1: return add_tile<1>(values, columns, count, dense + c, width, to + c);
        default: return;
    }
}

// Short vectors: wide ones lie across lines of the cache, and are read again before they are written there.
template <class V, class I>
void scatter(V const* values, I const* columns, i64 count, V const* from, i64 width, V* to, i64 step) noexcept {
    typedef V vector __attribute__((vector_size(16), aligned(sizeof(V)), may_alias));
    constexpr i64 lanes = 16 / sizeof(V);
    for (i64 e = 0; e < count; ++e) {
        V const value = values[e];
        V* const sum = to + static_cast<i64>(columns[e]) * step;
        i64 c = 0;
        for (; c + lanes <= width; c += lanes)
            *reinterpret_cast<vector*>(sum + c) += *reinterpret_cast<vector const*>(from + c) * value;
        for (; c < width; ++c) sum[c] += from[c] * value;
    }
}

template <class V, class I> constexpr sparse_kernels<V, I> kernels_of() { return {gather<V, I>, scatter<V, I>}; }

}  // namespace

sparse_kernels_of_types const& sums_of_sparse_rows() noexcept {
    static constexpr sparse_kernels_of_types kernels{
        kernels_of<double, std::int32_t>(), kernels_of<double, std::int64_t>(), kernels_of<float, std::int32_t>(),
        kernels_of<float, std::int64_t>()};
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

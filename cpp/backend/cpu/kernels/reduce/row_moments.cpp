#include "backend/cpu/dispatch/row_moments.hpp"

#include <new>

#include "backend/cpu/kernels/reduce/contiguous_moments.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class T> row_moments rows_of() noexcept {
    row_moments r;
#if defined(__AVX512F__)
    using in_turn = moments_in_turn<T>;
    static_assert(sizeof(in_turn) <= row_moments::turn_size);
    static_assert(longest_row_of_moments == ops::aggregate::variance_algebra<T>::leaf_size);
    if (prefetches_streams) return r;
    r.begin = [](void* turn, void const* row, std::int64_t n) { new (turn) in_turn(static_cast<T const*>(row), n); };
    r.reduce = [](void* state, void* turn, void const* row, std::int64_t n, std::int64_t later) {
        *static_cast<typename in_turn::state*>(state) =
            static_cast<in_turn*>(turn)->leaf(static_cast<T const*>(row), n, later);
    };
#endif
    return r;
}

}  // namespace

row_moments_kernels const& moments_of_rows() noexcept {
    static row_moments_kernels const kernels{rows_of<float>(), rows_of<double>()};
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

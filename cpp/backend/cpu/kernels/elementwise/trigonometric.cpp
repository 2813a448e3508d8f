#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Sine to d, cosine to b: one reduction of the argument for both. The same bits as the two ops.
template <class T> void sincos_loop(void* d_, void const* a_, void const* b_, void const*, std::size_t n) {
    auto* const sine = static_cast<T*>(d_);
    auto* const cosine = static_cast<T*>(const_cast<void*>(b_));
    auto const* const a = static_cast<T const*>(a_);
    if (!fast_unary_loop<ops::sin, T>::usual(a, n)) {
        note_unusual();
        for (std::size_t i = 0; i < n; ++i) {
            T const x = a[i];
            sine[i] = ops::sin{}(x);
            cosine[i] = ops::cos{}(x);
        }
        return;
    }
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
        auto const both = ops::math::fast::sincos(a[i]);
        sine[i] = both.sin;
        cosine[i] = both.cos;
    }
}

}  // namespace

void fill_trigonometric(kernel_table& t) {
    add_family(t, ops::trigonometric_ops{});
    t.sincos[0] = sincos_loop<float>;
    t.sincos[1] = sincos_loop<double>;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

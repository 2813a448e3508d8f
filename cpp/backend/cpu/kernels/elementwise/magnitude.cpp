#include "backend/cpu/kernels/elementwise/power_loop.hpp"
#include "backend/cpu/kernels/elementwise/usual_fp_errors.hpp"
#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Its size does not overflow.
struct moderate {
    template <class T> bool operator()(complex<T> a, complex<T>) const {
        return ops::both(ops::without_sign(a.re) < T(1e30), ops::without_sign(a.im) < T(1e30));
    }
};

// |z| in pieces in which no square needs to be scaled.
void modulus_loop(void* d_, void const* a_, void const*, void const*, std::size_t n) {
    constexpr std::size_t piece = 128;
    auto* const d = static_cast<double*>(d_);
    auto const* const a = static_cast<complex<double> const*>(a_);
    for (std::size_t begin = 0; begin < n; begin += piece) {
        std::size_t const end = n - begin < piece ? n : begin + piece;
        std::uint64_t others = 0;
        for (std::size_t i = begin; i < end; ++i) others |= ops::math::fast::hypot_in_range(a[i].re, a[i].im) ? 0u : 1u;
        if (others == 0) {
#pragma GCC ivdep
            for (std::size_t i = begin; i < end; ++i) d[i] = ops::math::fast::hypot(a[i].re, a[i].im);
        } else {
            for (std::size_t i = begin; i < end; ++i) d[i] = ops::absolute{}(a[i]);
        }
    }
}

template <class Op, class T> void add_power(kernel_table& t, type_id type) {
    auto& to = t.op[ops::number<Op>][static_cast<int>(type)];
    add_fast_binary<usual_powers, T>(to);
    to[vs] = power_loop<T>;
}

}  // namespace

void fill_magnitude(kernel_table& t) {
    add_family(t, ops::magnitude_ops{});
    t.op[ops::number<ops::absolute>][static_cast<int>(type_id::complex128)][vv] = modulus_loop;
    add_power<ops::power, double>(t, type_id::float64);
    add_power<ops::power, float>(t, type_id::float32);
    add_power<ops::float_power, double>(t, type_id::float64);
    look_at_unusual<ops::sign, type_id::complex128, moderate>(t);
    look_at_unusual<ops::sign, type_id::complex64, moderate>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

#include "backend/cpu/kernels/elementwise/complex_division.hpp"
#include "backend/cpu/kernels/elementwise/float_division.hpp"
#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

namespace {

template <class T> void add_add(void* d_, void const* a_, void const* b_, void const* c_, std::size_t n) {
    auto* const d = static_cast<T*>(d_);
    auto const *const a = static_cast<T const*>(a_), *const b = static_cast<T const*>(b_),
                      *const c = static_cast<T const*>(c_);
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) d[i] = (a[i] + b[i]) + c[i];
}

}  // namespace

void fill_arithmetic(kernel_table& t) {
    add_family(t, ops::arithmetic_ops{});
    add_complex_division<type_id::complex64>(t);
    add_complex_division<type_id::complex128>(t);
    t.add_add[0] = add_add<float>;
    t.add_add[1] = add_add<double>;
#ifdef __FMA__
    auto& quotients = t.op[ops::number<ops::divide>];
    quotients[static_cast<int>(type_id::float64)][vs] = divide_by_scalar<double>::run;
    quotients[static_cast<int>(type_id::float32)][vs] = divide_by_scalar<float>::run;
#endif
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/kernels/power_loop.hpp"
#include "backend/cpu/kernels/usual_conditions.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Its size does not overflow.
struct moderate {
    template <class T> bool operator()(complex<T> a, complex<T>) const {
        return ops::both(ops::without_sign(a.re) < T(1e30), ops::without_sign(a.im) < T(1e30));
    }
};

template <class Op> void add_power(kernel_table& t) {
    auto& to = t.op[ops::number<Op>][static_cast<int>(type_id::float64)];
    to[vv] = power_loop<vv>::run, to[vs] = power_loop<vs>::run, to[sv] = power_loop<sv>::run;
}

}  // namespace

void fill_magnitude(kernel_table& t) {
    add_family(t, ops::magnitude_ops{});
    add_power<ops::power>(t);
    add_power<ops::float_power>(t);
    look_at_unusual<ops::sign, type_id::complex128, moderate>(t);
    look_at_unusual<ops::sign, type_id::complex64, moderate>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

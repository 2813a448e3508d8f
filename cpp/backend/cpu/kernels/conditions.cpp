// Floating-point conditions, told from inputs and result: kernels compute both sides of every choice, so the
// processor's own flags mean nothing.
#include "backend/cpu/kernels/loops.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "bascule/ops/element_traits.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

using ops::fp::divide;
using ops::fp::invalid;
using ops::fp::over;
using ops::fp::under;

// A real number's exponent is all ones. Complex numbers are looked at as twice as many reals.
template <class R> bool any_non_finite(void const* d, std::size_t n) {
    using U = ops::bits_of<R>;
    constexpr U exponent = sizeof(R) == 8 ? static_cast<U>(0x7ff0000000000000ull) : static_cast<U>(0x7f800000u);
    auto const* p = static_cast<U const*>(d);
    U found = 0;
    for (std::size_t i = 0; i < n; ++i) found |= (p[i] & exponent) == exponent ? U{1} : U{0};
    return found != 0;
}
template <class R> bool any_non_finite_pair(void const* d, std::size_t n) { return any_non_finite<R>(d, 2 * n); }

template <class T> T read(void const* p, bool single, std::size_t i) {
    return static_cast<T const*>(p)[single ? 0 : i];
}

template <class R> bool finite(R x) { return x - x == 0; }
template <class R> bool nan(R x) { return x != x; }
template <class R> bool finite(complex<R> x) { return finite(x.re) && finite(x.im); }
template <class R> bool nan(complex<R> x) { return nan(x.re) || nan(x.im); }
template <class R> bool zero(R x) { return x == 0; }
template <class R> bool zero(complex<R> x) { return x.re == 0 && x.im == 0; }
template <class R> bool tiny(R x) {
    return x - x == 0 && x != 0 &&
           ops::without_sign(x) < (sizeof(R) == 8 ? R(2.2250738585072014e-308) : R(1.17549435e-38f));
}
template <class R> bool tiny(complex<R> x) { return tiny(x.re) || tiny(x.im); }

// An infinite result of finite inputs is a pole if the op has poles and an input is zero, or if the op cannot overflow
// (logarithms). Else it overflowed.
template <class T> std::uint8_t real_conditions(condition_args const& x) {
    std::uint8_t found = 0;
    for (std::size_t i = 0; i < x.n; ++i) {
        T const r = static_cast<T const*>(x.d)[i];
        if (finite(r) && !(x.raises & under)) continue;
        T const a = read<T>(x.a, x.a_scalar, i), b = x.b ? read<T>(x.b, x.b_scalar, i) : a,
                c = x.c ? read<T>(x.c, x.c_scalar, i) : a;
        if (nan(r)) {
            if (!nan(a) && !nan(b) && !nan(c)) found |= invalid;
        } else if (!finite(r)) {
            bool const pole = (x.raises & divide) && (zero(a) || zero(b) || !(x.raises & over));
            if (finite(a) && finite(b) && finite(c)) found |= pole ? divide : over;
        } else if (tiny(r) || (zero(r) && x.b && !zero(a) && !zero(b) && finite(a) && finite(b))) {
            found |= under;
        }
    }
    return found & x.raises;
}

// Division of integers by zero; the divisor is the last input.
template <class T> std::uint8_t integer_conditions(condition_args const& x) {
    void const* const divisor = x.b ? x.b : x.a;
    bool const single = x.b ? x.b_scalar : x.a_scalar;
    std::size_t const n = single && x.n ? 1 : x.n;
    bool by_zero = false;
    for (std::size_t i = 0; i < n; ++i) by_zero |= static_cast<T const*>(divisor)[i] == 0;
    return by_zero ? divide & x.raises : 0;
}

template <class From, class To> std::uint8_t to_integer_conditions(condition_args const& x) {
    constexpr double width = 8 * sizeof(To);
    double const limit = __builtin_ldexp(1.0, static_cast<int>(width) - (ops::is_signed_type<To> ? 1 : 0));
    double const low = ops::is_signed_type<To> ? -limit : 0;
    bool bad = false;
    for (std::size_t i = 0; i < x.n; ++i) {
        double const v = static_cast<double>(read<From>(x.a, x.a_scalar, i));
        bad |= !(v > low - 1 || v == low) || !(v < limit);
    }
    return bad ? invalid : 0;
}

std::uint8_t narrowing_conditions(condition_args const& x) {
    bool over_found = false;
    for (std::size_t i = 0; i < x.n; ++i)
        over_found |= !finite(static_cast<float const*>(x.d)[i]) && finite(read<double>(x.a, x.a_scalar, i));
    return over_found ? over : 0;
}

template <type_id... Id> void add_integers(kernel_table& t) {
    ((t.conditions[static_cast<int>(Id)] = integer_conditions<element<Id>>), ...);
    ((t.cast_conditions[static_cast<int>(type_id::float32)][static_cast<int>(Id)] =
          to_integer_conditions<float, element<Id>>),
     ...);
    ((t.cast_conditions[static_cast<int>(type_id::float64)][static_cast<int>(Id)] =
          to_integer_conditions<double, element<Id>>),
     ...);
}

}  // namespace

void fill_conditions(kernel_table& t) {
    using enum type_id;
    t.non_finite[static_cast<int>(float32)] = any_non_finite<float>;
    t.non_finite[static_cast<int>(float64)] = any_non_finite<double>;
    t.non_finite[static_cast<int>(complex64)] = any_non_finite_pair<float>;
    t.non_finite[static_cast<int>(complex128)] = any_non_finite_pair<double>;
    t.conditions[static_cast<int>(float32)] = real_conditions<float>;
    t.conditions[static_cast<int>(float64)] = real_conditions<double>;
    t.conditions[static_cast<int>(complex64)] = real_conditions<complex<float>>;
    t.conditions[static_cast<int>(complex128)] = real_conditions<complex<double>>;
    t.cast_conditions[static_cast<int>(float64)][static_cast<int>(float32)] = narrowing_conditions;
    add_integers<int8, uint8, int16, uint16, int32, uint32, int64, uint64>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

// Floating-point errors, found from inputs and result: most kernels compute both sides of every choice, so that the
// processor's own flags mean nothing.
#include "backend/cpu/kernels/loops.hpp"
#include "backend/cpu/kernels/own_fp_errors.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "bascule/ops/float16_conversion.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

using ops::fp::divide;
using ops::fp::invalid;
using ops::fp::over;
using ops::fp::under;
using float16 = bascule::float16;

bool any_non_finite_float16(void const* d, std::size_t n) {
    auto const* p = static_cast<std::uint16_t const*>(d);
    std::uint16_t found = 0;
    for (std::size_t i = 0; i < n; ++i) found |= (p[i] & 0x7c00) == 0x7c00 ? std::uint16_t{1} : std::uint16_t{0};
    return found != 0;
}
template <class R> bool any_non_finite_pair(void const* d, std::size_t n) { return any_non_finite<R>(d, 2 * n); }

template <class T> T read(void const* p, bool single, std::size_t i) {
    return static_cast<T const*>(p)[single ? 0 : i];
}

template <class T> bool finite(T x) { return ops::is_finite(x); }
template <class T> bool nan(T x) { return ops::is_nan(x); }
template <class T> bool zero(T x) { return !ops::is_nonzero(x); }
template <class T> bool tiny(T x) { return ops::is_tiny(x); }

// Whether a NaN came in wherever something came out that is not finite, of ops with one input: so with missing values.
template <class T> bool only_missing(fp_error_args const& x) {
    if constexpr (ops::is_complex_type<T>) return false;
    else {
        if (x.b || x.a_scalar || (x.raises & under)) return false;
        auto const *r = static_cast<T const*>(x.d), *a = static_cast<T const*>(x.a);
        bool others = false;
        for (std::size_t i = 0; i < x.n; ++i) others |= (r[i] - r[i] != 0) & (a[i] == a[i]);
        return !others;
    }
}

// An infinite result of finite inputs is a pole if the op has poles and an input is zero, or if the op cannot overflow
// (logarithms). Else it overflowed.
template <class T> std::uint8_t real_fp_errors(fp_error_args const& x) {
    std::uint8_t found = 0;
    if (only_missing<T>(x)) return found;
    // Inverse functions of complex numbers are zero where they are so exactly.
    bool const vanishes = !ops::is_complex_type<T> || (x.raises & over);
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
        } else if (tiny(r) || (vanishes && zero(r) && !zero(a) && !zero(b) && finite(a) && finite(b))) {
            found |= under;
        }
    }
    return found & x.raises;
}

template <class R> std::uint8_t modulus_fp_errors(fp_error_args const& x) {
    bool overflowed = false;
    for (std::size_t i = 0; i < x.n; ++i)
        overflowed |= !finite(static_cast<R const*>(x.d)[i]) && finite(read<complex<R>>(x.a, x.a_scalar, i));
    return overflowed ? over & x.raises : 0;
}

// Division of integers; the divisor is the last input. Errors are collected in words as wide as the elements: with one
// bool for all the compiler does not vectorise.
template <class T> std::uint8_t integer_fp_errors(fp_error_args const& x) {
    auto const* const divisor = static_cast<T const*>(x.b ? x.b : x.a);
    bool const single = x.b ? x.b_scalar : x.a_scalar;
    std::size_t const n = single && x.n ? 1 : x.n;
    ops::bits_of<T> by_zero = 0, by_minus_one = 0;
    for (std::size_t i = 0; i < n; ++i) by_zero |= divisor[i] == 0 ? 1u : 0u;
    std::uint8_t const found = by_zero != 0 ? (divide | invalid) & x.raises : 0;
    if constexpr (ops::is_signed_type<T>) {
        if (!x.b || !(x.raises & over)) return found;
        for (std::size_t i = 0; i < n; ++i) by_minus_one |= divisor[i] == T(-1) ? 1u : 0u;
        if (by_minus_one == 0) return found;
        constexpr T least = static_cast<T>(ops::sign_bit<T>);
        for (std::size_t i = 0; i < x.n; ++i)
            if (read<T>(x.a, x.a_scalar, i) == least && read<T>(x.b, x.b_scalar, i) == T(-1)) return found | over;
    }
    return found;
}

template <class T> auto real_part(T x) {
    if constexpr (ops::is_complex_type<T>) return x.re;
    else if constexpr (ops::same_type<T, float16>) return ops::to_float32(x);
    else return x;
}

// x86 converts to integers narrower than 32 bits through int32, and to uint32 through int64.
template <class From, class To> std::uint8_t to_integer_fp_errors(fp_error_args const& x) {
    using real = decltype(real_part(From{}));
    constexpr bool holds_more = ops::same_type<To, std::uint64_t>;
    constexpr real limit = sizeof(To) < 4 || ops::same_type<To, std::int32_t> ? real(0x1p31)
                           : holds_more                                       ? real(0x1p64)
                                                                              : real(0x1p63);
    // Where the type has no fractions at this size, one less rounds to the same number.
    constexpr real low = holds_more ? real(-0x1p63) : -limit, below = low - 1;
    auto const* const from = static_cast<From const*>(x.a);
    std::size_t const n = x.a_scalar && x.n ? 1 : x.n;
    ops::bits_of<real> outside = 0;
    for (std::size_t i = 0; i < n; ++i) {
        real const v = real_part(from[i]);
        outside |= ops::both(ops::either(v > below, v == low), v < limit) ? 0u : 1u;
    }
    return outside != 0 ? invalid : 0;
}

template <class From> std::uint8_t to_float16_fp_errors(fp_error_args const& x) {
    std::uint8_t found = 0;
    for (std::size_t i = 0; i < x.n; ++i) {
        double const v = static_cast<double>(real_part(read<From>(x.a, x.a_scalar, i)));
        double const r = static_cast<double>(ops::to_float32(static_cast<float16 const*>(x.d)[i]));
        if (finite(v) && !finite(r)) found |= over;
        if (finite(v) && v != r && ops::without_sign(r) < 0x1p-14) found |= under;
    }
    return found;
}

template <type_id... Id> void add_integers(kernel_table& t) {
    ((t.fp_errors[static_cast<int>(Id)] = integer_fp_errors<element<Id>>), ...);
    ((t.cast_fp_errors[static_cast<int>(type_id::float32)][static_cast<int>(Id)] =
          to_integer_fp_errors<float, element<Id>>),
     ...);
    ((t.cast_fp_errors[static_cast<int>(type_id::float64)][static_cast<int>(Id)] =
          to_integer_fp_errors<double, element<Id>>),
     ...);
    ((t.cast_fp_errors[static_cast<int>(type_id::float16)][static_cast<int>(Id)] =
          to_integer_fp_errors<float16, element<Id>>),
     ...);
    ((t.cast_fp_errors[static_cast<int>(type_id::complex64)][static_cast<int>(Id)] =
          to_integer_fp_errors<complex<float>, element<Id>>),
     ...);
    ((t.cast_fp_errors[static_cast<int>(type_id::complex128)][static_cast<int>(Id)] =
          to_integer_fp_errors<complex<double>, element<Id>>),
     ...);
    ((t.cast_fp_errors[static_cast<int>(Id)][static_cast<int>(type_id::float16)] = to_float16_fp_errors<element<Id>>),
     ...);
}

}  // namespace

void fill_fp_errors(kernel_table& t) {
    using enum type_id;
    t.non_finite[static_cast<int>(float16)] = any_non_finite_float16;
    t.non_finite[static_cast<int>(float32)] = any_non_finite<float>;
    t.non_finite[static_cast<int>(float64)] = any_non_finite<double>;
    t.non_finite[static_cast<int>(complex64)] = any_non_finite_pair<float>;
    t.non_finite[static_cast<int>(complex128)] = any_non_finite_pair<double>;
    t.fp_errors[static_cast<int>(float32)] = real_fp_errors<float>;
    t.fp_errors[static_cast<int>(float64)] = real_fp_errors<double>;
    t.fp_errors[static_cast<int>(complex64)] = real_fp_errors<complex<float>>;
    t.fp_errors[static_cast<int>(complex128)] = real_fp_errors<complex<double>>;
    t.modulus_fp_errors[static_cast<int>(complex64)] = modulus_fp_errors<float>;
    t.modulus_fp_errors[static_cast<int>(complex128)] = modulus_fp_errors<double>;
    int const half = static_cast<int>(float16);
    t.cast_fp_errors[static_cast<int>(float32)][half] = to_float16_fp_errors<float>;
    t.cast_fp_errors[static_cast<int>(float64)][half] = to_float16_fp_errors<double>;
    t.cast_fp_errors[static_cast<int>(complex64)][half] = to_float16_fp_errors<complex<float>>;
    t.cast_fp_errors[static_cast<int>(complex128)][half] = to_float16_fp_errors<complex<double>>;
    add_integers<int8, uint8, int16, uint16, int32, uint32, int64, uint64>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

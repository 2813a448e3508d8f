// The oracle is the C library: its long double functions for accuracy, its double functions for C's Annex G.
#include "bascule/ops/complex_math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace bascule;
namespace cm = ops::cmath;
using std::numeric_limits;
using wide = std::complex<long double>;

double const inf = numeric_limits<double>::infinity();
double const nan_value = numeric_limits<double>::quiet_NaN();

template <class T> std::complex<T> at_point(complex<T> z) { return {z.re, z.im}; }  // for printing
template <class T> wide widened(complex<T> z) { return {z.re, z.im}; }

struct function {
    std::string name;
    std::function<complex<double>(complex<double>)> f64;
    std::function<complex<float>(complex<float>)> f32;
    std::function<wide(wide)> reference;
    double largest;  // magnitude up to which points are drawn: beyond, the reference loses its phase or overflows
    std::function<std::complex<double>(std::complex<double>)> annex_g;  // empty: C has no such function
};

void PrintTo(function const& f, std::ostream* out) { *out << f.name; }

#define BOTH(name) [](complex<double> z) { return cm::name(z); }, [](complex<float> z) { return cm::name(z); }
#define WITH(name) [](auto z) { return std::name(z); }

#if defined(__SIZEOF_FLOAT128__)
using quad = __float128;
#else
using quad = long double;  // has 128 bits on 64-bit ARM
#endif

// The phase in 128 bits: the long double of x86-64 loses digits of it for large z.
wide exp2_reference(wide z) {
    quad const ln2 = static_cast<quad>(0xb.17217f7d1cf79acp-4L) - 0xd.871319ff0342543p-70L;
    quad const two_pi = 2 * (static_cast<quad>(0xc.90fdaa22168c235p-2L) - 0xe.ce675d1fc8f8cbbp-68L);
    quad const phase = static_cast<quad>(z.imag()) * ln2;
    long double const turns = std::round(static_cast<long double>(phase / two_pi));
    auto const reduced = static_cast<long double>(phase - two_pi * turns);
    return std::exp2(z.real()) * wide(std::cos(reduced), std::sin(reduced));
}
wide expm1_reference(wide z) {
    long double const half = std::sin(z.imag() / 2);
    return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half, std::exp(z.real()) * std::sin(z.imag())};
}
wide log1p_reference(wide z) {
    long double const x = z.real(), y = z.imag();
    if (std::abs(z) > 0.5L) return std::log(1.0L + z);
    quad const xx = x, yy = y;
    return {std::log1p(static_cast<long double>(2 * xx + xx * xx + yy * yy)) / 2, std::atan2(y, 1 + x)};
}

std::vector<function> functions() {
    return {
        {"exp", BOTH(exp), WITH(exp), 1e4, WITH(exp)},
        {"exp2", BOTH(exp2), exp2_reference, 1e9, {}},
        {"expm1", BOTH(expm1), expm1_reference, 1e2, {}},
        {"log", BOTH(log), WITH(log), 1e300, WITH(log)},
        {"log2", BOTH(log2), [](wide z) { return std::log(z) / std::log(2.0L); }, 1e300, {}},
        {"log10", BOTH(log10), [](wide z) { return std::log(z) / std::log(10.0L); }, 1e300, {}},
        {"log1p", BOTH(log1p), log1p_reference, 1e300, {}},
        {"sqrt", BOTH(sqrt), WITH(sqrt), 1e308, WITH(sqrt)},
        {"square", BOTH(square), [](wide z) { return z * z; }, 1e150, {}},
        {"reciprocal", BOTH(reciprocal), [](wide z) { return 1.0L / z; }, 1e150, {}},
        {"sinh", BOTH(sinh), WITH(sinh), 1e4, WITH(sinh)},
        {"cosh", BOTH(cosh), WITH(cosh), 1e4, WITH(cosh)},
        {"tanh", BOTH(tanh), WITH(tanh), 1e4, WITH(tanh)},
        {"sin", BOTH(sin), WITH(sin), 1e4, WITH(sin)},
        {"cos", BOTH(cos), WITH(cos), 1e4, WITH(cos)},
        {"tan", BOTH(tan), WITH(tan), 1e4, WITH(tan)},
        {"arcsin", BOTH(arcsin), WITH(asin), 1e300, WITH(asin)},
        {"arccos", BOTH(arccos), WITH(acos), 1e300, WITH(acos)},
        {"arctan", BOTH(arctan), WITH(atan), 1e300, WITH(atan)},
        {"arcsinh", BOTH(arcsinh), WITH(asinh), 1e300, WITH(asinh)},
        {"arccosh", BOTH(arccosh), WITH(acosh), 1e300, WITH(acosh)},
        {"arctanh", BOTH(arctanh), WITH(atanh), 1e300, WITH(atanh)},
    };
}

// |error| over the size of the last place of |expected|.
template <class T> double ulps(complex<T> got, wide expected) {
    long double const spacing =
        std::max<long double>(std::abs(expected) * numeric_limits<T>::epsilon(), numeric_limits<T>::denorm_min());
    return static_cast<double>(std::abs(widened(got) - expected) / spacing);
}

// The worse of the two parts' errors, each against its own last place.
template <class T> double part_ulps(complex<T> got, wide expected) {
    double const re = ulps(complex<T>{got.re, 0}, wide(expected.real()));
    return std::max(re, ulps(complex<T>{got.im, 0}, wide(expected.imag())));
}

template <class T> bool representable(wide z) {
    auto const limit = static_cast<long double>(numeric_limits<T>::max()) / 2;
    return std::abs(z.real()) < limit && std::abs(z.imag()) < limit && std::abs(z) > numeric_limits<T>::min();
}

// Parts of independent sizes, near-equal sizes, points near the unit circle and near ±1 and ±i.
template <class T> class points {
public:
    explicit points(double largest) : largest_(std::log2(std::min<double>(largest, numeric_limits<T>::max() / 4))) {}
    complex<T> operator()() {
        int const kind = static_cast<int>(engine_() % 5);
        if (kind == 0) return {any(), any()};
        if (kind == 1) {
            T const scale = std::abs(any());
            return {scale * unit(), scale * unit()};
        }
        if (kind == 2) return {4 * unit(), 4 * unit()};
        if (kind == 3) {
            double const angle = 3.2 * unit();
            return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
        }
        T const tiny = std::ldexp(T(1), -static_cast<int>(engine_() % 40));
        complex<T> const near{1 + tiny * unit(), tiny * unit()};
        T const sign = engine_() % 2 ? T(1) : T(-1);
        return engine_() % 2 ? complex<T>{sign * near.re, near.im} : complex<T>{near.im, sign * near.re};
    }

private:
    T unit() { return static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(engine_)); }
    T any() {
        double const low = std::max(-largest_, numeric_limits<T>::min_exponent + 20.0);
        double const e = std::uniform_real_distribution<double>(std::min(low, -30.0), largest_)(engine_);
        return static_cast<T>(std::copysign(std::exp2(e), unit()));
    }
    std::mt19937_64 engine_{20240607};
    double largest_;
};

template <class T, class F, class E>
void expect_accurate(F f, std::function<wide(wide)> reference, double largest, double bound, E error_of) {
    points<T> draw(largest);
    double worst = 0;
    complex<T> where{};
    for (int i = 0; i < 20000; ++i) {
        complex<T> const z = draw();
        wide const expected = reference(widened(z));
        if (!representable<T>(expected)) continue;
        double const error = error_of(f(z), expected);
        if (!(error <= worst)) worst = error, where = z;
    }
    EXPECT_LE(worst, bound) << "at " << std::hexfloat << where.re << " + i " << where.im << std::defaultfloat << ": "
                            << wide(widened(f(where))) << " for " << reference(widened(where));
    testing::Test::RecordProperty("worst_ulp", std::to_string(worst));
}

bool same(double got, double expected, bool sign_counts = true) {
    if (std::isnan(expected)) return std::isnan(got);
    return got == expected && (!sign_counts || std::signbit(got) == std::signbit(expected));
}
bool close(double got, double expected) {
    if (!std::isfinite(expected) || expected == 0) return same(got, expected);
    double const allowed = 8 * numeric_limits<double>::epsilon() * std::abs(expected);
    return std::abs(got - expected) <= std::max(allowed, 2 * numeric_limits<double>::denorm_min());
}

class complex_function : public testing::TestWithParam<function> {};

TEST_P(complex_function, is_within_four_ulp_in_double) {
    expect_accurate<double>(GetParam().f64, GetParam().reference, GetParam().largest, 4, ulps<double>);
}

TEST_P(complex_function, is_within_four_ulp_in_float) {
    expect_accurate<float>(GetParam().f32, GetParam().reference, GetParam().largest, 4, ulps<float>);
}

TEST_P(complex_function, has_accurate_parts) {
    if (GetParam().name == "expm1" || GetParam().name == "square") return;  // their real part is a difference
    expect_accurate<double>(GetParam().f64, GetParam().reference, GetParam().largest, 6, part_ulps<double>);
}

// Signs that Annex G leaves open: a zero or an infinity together with a NaN.
bool sign_is_open(std::complex<double> expected) { return std::isnan(expected.real()) || std::isnan(expected.imag()); }

TEST_P(complex_function, has_the_special_values_of_annex_g) {
    if (!GetParam().annex_g) return;
    double const parts[] = {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 4.0, 1e-310, 800.0, -800.0, 1e300, inf, -inf, nan_value};
    for (double x : parts) {
        for (double y : parts) {
            complex<double> const got = GetParam().f64({x, y});
            std::complex<double> const expected = GetParam().annex_g({x, y});
            bool const open = sign_is_open(expected);
            auto const agrees = [&](double a, double b) {
                return open ? close(std::abs(a), std::abs(b)) : close(a, b);
            };
            EXPECT_TRUE(agrees(got.re, expected.real()) && agrees(got.im, expected.imag()))
                << GetParam().name << at_point(complex<double>{x, y}) << " = " << at_point(got) << ", expected "
                << expected;
        }
    }
}

TEST_P(complex_function, commutes_with_conjugation) {
    points<double> draw(GetParam().largest);
    for (int i = 0; i < 1000; ++i) {
        complex<double> const z = draw();
        complex<double> const w = GetParam().f64(z), v = GetParam().f64({z.re, -z.im});
        EXPECT_TRUE(same(v.re, w.re) && same(v.im, -w.im)) << GetParam().name << at_point(z);
    }
}

INSTANTIATE_TEST_SUITE_P(each, complex_function, testing::ValuesIn(functions()),
                         [](auto const& info) { return info.param.name; });

struct cut {
    std::string name;
    std::function<complex<double>(complex<double>)> f;
    std::function<std::complex<double>(std::complex<double>)> reference;
    std::vector<complex<double>> on_the_cut;
    bool along_real_axis;
};
void PrintTo(cut const& c, std::ostream* out) { *out << c.name; }

class branch_cut : public testing::TestWithParam<cut> {};

// The sign of the zero part picks the side: the value is the limit from there, and the sides differ.
TEST_P(branch_cut, is_approached_from_the_side_of_the_signed_zero) {
    cut const& c = GetParam();
    for (complex<double> z : c.on_the_cut) {
        complex<double> limits[2];
        for (int side = 0; side < 2; ++side) {
            double const sign = side ? -1 : 1;
            (c.along_real_axis ? z.im : z.re) = std::copysign(0.0, sign);
            complex<double> alongside = z;
            (c.along_real_axis ? alongside.im : alongside.re) = 1e-30 * sign;
            complex<double> const at = limits[side] = c.f(z), near = c.f(alongside);
            std::complex<double> const expected = c.reference({z.re, z.im});
            EXPECT_TRUE(close(at.re, expected.real()) && close(at.im, expected.imag()))
                << c.name << at_point(z) << " = " << at_point(at) << ", expected " << expected;
            EXPECT_NEAR(at.re, near.re, 1e-14);
            EXPECT_NEAR(at.im, near.im, 1e-14);
        }
        EXPECT_GT(std::hypot(limits[0].re - limits[1].re, limits[0].im - limits[1].im), 1e-3) << c.name;
    }
}

#define CUT(ours, theirs) [](complex<double> z) { return cm::ours(z); }, [](auto z) { return std::theirs(z); }
std::vector<complex<double>> const beyond_one{{1.5, 0}, {-1.5, 0}, {1e9, 0}, {-30, 0}};
std::vector<complex<double>> const beyond_i{{0, 1.5}, {0, -1.5}, {0, 1e9}, {0, -30}};
INSTANTIATE_TEST_SUITE_P(each, branch_cut,
                         testing::Values(cut{"log", CUT(log, log), {{-1, 0}, {-0.3, 0}, {-1e5, 0}}, true},
                                         cut{"sqrt", CUT(sqrt, sqrt), {{-1, 0}, {-0.3, 0}, {-1e5, 0}}, true},
                                         cut{"arcsin", CUT(arcsin, asin), beyond_one, true},
                                         cut{"arccos", CUT(arccos, acos), beyond_one, true},
                                         cut{"arctanh", CUT(arctanh, atanh), beyond_one, true},
                                         cut{"arccosh", CUT(arccosh, acosh), {{0.5, 0}, {-0.5, 0}, {-7, 0}}, true},
                                         cut{"arctan", CUT(arctan, atan), beyond_i, false},
                                         cut{"arcsinh", CUT(arcsinh, asinh), beyond_i, false}),
                         [](auto const& info) { return info.param.name; });

// Annex G has no expm1; it is exp(z) − 1 wherever nothing cancels.
TEST(complex_expm1, has_the_special_values_of_exp) {
    double const parts[] = {0.0, -0.0, 2.0, -2.0, inf, -inf, nan_value};
    for (double x : parts) {
        for (double y : parts) {
            complex<double> const got = cm::expm1(complex<double>{x, y});
            std::complex<double> const e = std::exp(std::complex<double>(x, y));
            EXPECT_TRUE(close(got.re, x == 0 && y == 0 ? x : e.real() - 1) && close(got.im, e.imag()))
                << at_point(complex<double>{x, y}) << " gives " << at_point(got);
        }
    }
}

template <class T> class complex_arithmetic : public testing::Test {};
using both_types = testing::Types<float, double>;
TYPED_TEST_SUITE(complex_arithmetic, both_types);

TYPED_TEST(complex_arithmetic, of_small_integers_is_exact) {
    using T = TypeParam;
    complex<T> const product = cm::multiply(complex<T>{3, 4}, complex<T>{-5, 2});
    EXPECT_EQ(product.re, -23);
    EXPECT_EQ(product.im, -14);
    complex<T> const power = cm::pow(complex<T>{1, 1}, complex<T>{10, 0});
    EXPECT_EQ(power.re, 0);
    EXPECT_EQ(power.im, 32);
    EXPECT_EQ(cm::abs(complex<T>{3, -4}), 5);
}

TYPED_TEST(complex_arithmetic, product_and_quotient_are_within_four_ulp) {
    using T = TypeParam;
    points<T> draw(1e15);
    for (int i = 0; i < 20000; ++i) {
        complex<T> const a = draw(), b = draw();
        EXPECT_LE(ulps(cm::multiply(a, b), widened(a) * widened(b)), 4);
        EXPECT_LE(ulps(cm::divide(a, b), widened(a) / widened(b)), 4) << at_point(a) << at_point(b);
    }
}

TYPED_TEST(complex_arithmetic, quotient_of_huge_numbers_does_not_overflow) {
    using T = TypeParam;
    T const huge = numeric_limits<T>::max() / 2;
    complex<T> const q = cm::divide(complex<T>{huge, huge}, complex<T>{huge, huge});
    EXPECT_LE(ulps(q, wide(1)), 4);
}

TYPED_TEST(complex_arithmetic, quotient_by_zero_is_infinite_or_nan) {
    using T = TypeParam;
    complex<T> const q = cm::divide(complex<T>{1, -1}, complex<T>{0, 0});
    EXPECT_EQ(q.re, numeric_limits<T>::infinity());
    EXPECT_EQ(q.im, -numeric_limits<T>::infinity());
    complex<T> const n = cm::divide(complex<T>{0, 0}, complex<T>{0, 0});
    EXPECT_TRUE(std::isnan(n.re) && std::isnan(n.im));
}

TYPED_TEST(complex_arithmetic, modulus_neither_overflows_nor_underflows) {
    using T = TypeParam;
    T const huge = numeric_limits<T>::max() / 2, tiny = numeric_limits<T>::min();
    EXPECT_NEAR(cm::abs(complex<T>{huge, huge}) / huge, std::sqrt(2.0), 1e-6);
    EXPECT_NEAR(cm::abs(complex<T>{tiny, tiny}) / tiny, std::sqrt(2.0), 1e-6);
    T const infinite = numeric_limits<T>::infinity(), nan = numeric_limits<T>::quiet_NaN();
    EXPECT_EQ(cm::abs(complex<T>{-infinite, nan}), infinite);
    EXPECT_EQ(cm::abs(complex<T>{nan, infinite}), infinite);
    EXPECT_TRUE(std::isnan(cm::abs(complex<T>{nan, 1})));
}

TYPED_TEST(complex_arithmetic, angle_takes_its_side_of_the_cut_from_the_sign_of_zero) {
    using T = TypeParam;
    T const pi = static_cast<T>(std::acos(-1.0L));
    EXPECT_EQ(cm::angle(complex<T>{-1, 0}), pi);
    EXPECT_EQ(cm::angle(complex<T>{-1, T(-0.0)}), -pi);
    EXPECT_EQ(cm::angle(complex<T>{0, 2}), pi / 2);
}

TYPED_TEST(complex_arithmetic, reciprocal_of_huge_numbers_does_not_vanish) {
    using T = TypeParam;
    T const huge = numeric_limits<T>::max() / 8;
    complex<T> const r = cm::reciprocal(complex<T>{huge, -huge});
    EXPECT_GT(r.re, 0);
    EXPECT_EQ(r.re, r.im);
}

TYPED_TEST(complex_arithmetic, power_is_accurate_to_its_condition) {
    using T = TypeParam;
    points<T> draw(30);
    for (int i = 0; i < 20000; ++i) {
        complex<T> const a = draw(), b = draw();
        wide const exponent = widened(b) * std::log(widened(a)), expected = std::exp(exponent);
        if (!representable<T>(expected)) continue;
        EXPECT_LE(ulps(cm::pow(a, b), expected), 4 + 4 * std::abs(exponent)) << at_point(a) << at_point(b);
    }
}

TYPED_TEST(complex_arithmetic, integer_power_is_a_repeated_product) {
    using T = TypeParam;
    points<T> draw(4);
    for (int i = 0; i < 2000; ++i) {
        complex<T> const a = draw();
        for (int n : {1, 2, 3, 4, 7, 20, -1, -3, -6}) {
            wide expected = std::pow(widened(a), n);
            if (!representable<T>(expected)) continue;
            EXPECT_LE(ulps(cm::pow(a, complex<T>{T(n), 0}), expected), 4 + 2 * std::abs(n)) << at_point(a) << n;
        }
    }
}

#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2,fma"))) void multiply_all(complex<T> const* __restrict a, complex<T> const* __restrict b,
                                                      complex<T>* __restrict out) {
    for (int i = 0; i < 1024; ++i) out[i] = cm::multiply(a[i], b[i]);
}

// A compiler that fuses product and sum into one instruction gives other bits than one that does not.
TYPED_TEST(complex_arithmetic, product_is_rounded_before_it_is_added) {
    using T = TypeParam;
    if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx2")) GTEST_SKIP() << "needs a processor with FMA";
    points<T> draw(4);
    std::vector<complex<T>> a(1024), b(1024), c(1024);
    for (int i = 0; i < 1024; ++i) a[i] = draw(), b[i] = draw();
    multiply_all(a.data(), b.data(), c.data());
    for (int i = 0; i < 1024; ++i) {
        T const volatile rr = a[i].re * b[i].re, ii = a[i].im * b[i].im, ri = a[i].re * b[i].im, ir = a[i].im * b[i].re;
        EXPECT_EQ(c[i].re, rr - ii);
        EXPECT_EQ(c[i].im, ri + ir);
    }
}
#endif

// NumPy's choices, which are not C's.
TYPED_TEST(complex_arithmetic, powers_of_zero_and_to_zero_are_those_of_numpy) {
    using T = TypeParam;
    T const zero = 0, nan = numeric_limits<T>::quiet_NaN();
    auto const expect = [](complex<T> got, T re, T im) {
        EXPECT_TRUE(same(got.re, re) && same(got.im, im)) << got.re << " " << got.im;
    };
    expect(cm::pow(complex<T>{nan, nan}, complex<T>{0, 0}), 1, 0);
    expect(cm::pow(complex<T>{0, 0}, complex<T>{0, 0}), 1, 0);
    expect(cm::pow(complex<T>{-zero, -zero}, complex<T>{2, 3}), 0, 0);
    expect(cm::pow(complex<T>{0, 0}, complex<T>{-1, 0}), nan, nan);
    expect(cm::pow(complex<T>{0, 0}, complex<T>{0, 1}), nan, nan);
}

}  // namespace

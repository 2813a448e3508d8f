// The cases of the elementary functions' tests. Two test files include this, one compiled for the baseline processor
// and one with a fused multiply-add, so everything here has internal linkage.
#pragma once
#include "bascule/ops/math.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

namespace ops = bascule::ops;
namespace math = bascule::ops::math;

struct interval {
    double low, high;
    bool logarithmic;
};

// Errors in units in the last place; `plain` is for builds without a fused multiply-add.
struct ulp_bound {
    double fused, plain;
    double get() const { return math::has_fma ? fused : plain; }
};

struct function_case {
    char const* name;
    double (*f64)(double);
    float (*f32)(float);
    long double (*oracle)(long double);
    std::vector<interval> intervals;
    ulp_bound bound{1.0, 2.0};
};

struct binary_case {
    char const* name;
    double (*f64)(double, double);
    float (*f32)(float, float);
    long double (*oracle)(long double, long double);
    ulp_bound bound{1.0, 2.0};
};

// The distance of `got` from `want`, in units in the last place of T at `want`. Infinity counts as the next power of
// two.
template <class T> double error_in_ulp(T got, long double want) {
    if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : INFINITY;
    long double const largest = std::numeric_limits<T>::max();
    if (std::isinf(got)) return std::abs(want) >= largest && (got > 0) == (want > 0) ? 0 : INFINITY;
    if (std::isinf(want)) return INFINITY;
    int const digits = std::numeric_limits<T>::digits, lowest = std::numeric_limits<T>::min_exponent - digits;
    int const exponent = want == 0 ? lowest : std::max(std::ilogb(want) + 1 - digits, lowest);
    return static_cast<double>(
        std::abs((static_cast<long double>(got) - want) * std::exp2(static_cast<long double>(-exponent))));
}

struct worst_error {
    double ulp = 0, x = 0, y = 0;
    void see(double error, double at_x, double at_y = 0) {
        if (error > ulp) *this = {error, at_x, at_y};
    }
};

inline double draw(std::mt19937_64& random, interval r) {
    if (!r.logarithmic) return std::uniform_real_distribution<double>(r.low, r.high)(random);
    double const magnitude =
        std::exp(std::uniform_real_distribution<double>(std::log(r.low), std::log(r.high))(random));
    return magnitude;
}

inline void report(char const* name, char const* type, worst_error e) {
    if (std::getenv("BASCULE_VERBOSE")) {
        std::printf("%-11s %s  %6.3f ULP at %.17g, %.17g\n", name, type, e.ulp, e.x, e.y);
    }
}

// Ranges of arguments that several functions share.
inline constexpr interval tiny{1e-300, 1.0, true}, positive{1e-300, 1e300, true}, subnormal{5e-324, 1e-305, true};
inline constexpr interval floats{1e-44, 1e37, true};

inline std::vector<function_case> exponential_cases() {
    using d = double;
    using f = float;
    using l = long double;
    return {
        {"sqrt",
         [](d x) { return math::sqrt(x); },
         [](f x) { return math::sqrt(x); },
         [](l x) { return std::sqrt(x); },
         {positive, floats},
         {0.501, 0.501}},
        {"exp",
         [](d x) { return math::exp(x); },
         [](f x) { return math::exp(x); },
         [](l x) { return std::exp(x); },
         {{-745, 710, false}, {-104, 89, false}, {-1, 1, false}}},
        {"exp, op",
         [](d x) { return math::of_ops::exp(x); },
         [](f x) { return math::of_ops::exp(x); },
         [](l x) { return std::exp(x); },
         {{-745, 710, false}, {-104, 89, false}, {-1, 1, false}, {-0.1, 0.1, false}}},
        {"exp2",
         [](d x) { return math::exp2(x); },
         [](f x) { return math::exp2(x); },
         [](l x) { return std::exp2(x); },
         {{-1075, 1024, false}, {-150, 128, false}, {-1, 1, false}}},
        {"expm1",
         [](d x) { return math::expm1(x); },
         [](f x) { return math::expm1(x); },
         [](l x) { return std::expm1(x); },
         {{-45, 709, false}, {-20, 89, false}, {-2, 2, false}, tiny}},
    };
}

inline std::vector<function_case> logarithm_cases() {
    using d = double;
    using f = float;
    using l = long double;
    return {
        {"log",
         [](d x) { return math::log(x); },
         [](f x) { return math::log(x); },
         [](l x) { return std::log(x); },
         {positive, floats, subnormal, {0.4, 2.2, false}, {0.999, 1.001, false}}},
        {"log, op",
         [](d x) { return math::of_ops::log(x); },
         [](f x) { return math::of_ops::log(x); },
         [](l x) { return std::log(x); },
         {positive,
          floats,
          subnormal,
          {0.4, 2.2, false},
          {0.98, 1.04, false},
          {0.9845, 0.98463, false},
          {1.0312, 1.0325, false},
          {0.999, 1.001, false}}},
        {"log2",
         [](d x) { return math::of_ops::log2(x); },
         [](f x) { return math::of_ops::log2(x); },
         [](l x) { return std::log2(x); },
         {positive,
          floats,
          subnormal,
          {0.4, 2.2, false},
          {0.98, 1.04, false},
          {1.0312, 1.0335, false},
          {0.999, 1.001, false}}},
        {"log10",
         [](d x) { return math::of_ops::log10(x); },
         [](f x) { return math::of_ops::log10(x); },
         [](l x) { return std::log10(x); },
         {positive,
          floats,
          subnormal,
          {0.4, 2.2, false},
          {0.98, 1.04, false},
          {1.0312, 1.0335, false},
          {0.999, 1.001, false}},
         {1.1, 2.0}},
        {"log1p",
         [](d x) { return math::log1p(x); },
         [](f x) { return math::log1p(x); },
         [](l x) { return std::log1p(x); },
         {positive, floats, {-0.999999, 2, false}, {-0.01, 0.01, false}}},
        {"log1p, op",
         [](d x) { return math::of_ops::log1p(x); },
         [](f x) { return math::of_ops::log1p(x); },
         [](l x) { return std::log1p(x); },
         {positive,
          floats,
          {1e300, 1.7e308, true},
          {-0.999999, 2, false},
          {-1, -0.9999999, false},
          {-0.04, 0.06, false},
          {-0.01, 0.01, false},
          {1e10, 1e20, true}}},
        {"cbrt",
         [](d x) { return math::cbrt(x); },
         [](f x) { return math::cbrt(x); },
         [](l x) { return std::cbrt(x); },
         {positive, floats, subnormal, {1e300, 1.7e308, true}, {-9, 9, false}}},
    };
}

inline std::vector<function_case> trigonometric_cases() {
    using d = double;
    using f = float;
    using l = long double;
    return {
        {"sin",
         [](d x) { return math::sin(x); },
         [](f x) { return math::sin(x); },
         [](l x) { return std::sin(x); },
         {{-10, 10, false}, {-1e6, 1e6, false}, tiny},
         {0.8, 1.1}},
        {"cos",
         [](d x) { return math::cos(x); },
         [](f x) { return math::cos(x); },
         [](l x) { return std::cos(x); },
         {{-10, 10, false}, {-1e6, 1e6, false}, tiny},
         {0.8, 1.1}},
        {"sin, large",
         [](d x) { return math::sin(x); },
         [](f x) { return math::sin(x); },
         [](l x) { return std::sin(x); },
         {{1e6, 1e300, true}, {1e6, 1e38, true}}},
        {"cos, large",
         [](d x) { return math::cos(x); },
         [](f x) { return math::cos(x); },
         [](l x) { return std::cos(x); },
         {{1e6, 1e300, true}, {1e6, 1e38, true}}},
        {"tan",
         [](d x) { return math::tan(x); },
         [](f x) { return math::tan(x); },
         [](l x) { return std::tan(x); },
         {{-10, 10, false}, {-1e6, 1e6, false}, {1e6, 1e300, true}, tiny}},
        {"arcsin",
         [](d x) { return math::arcsin(x); },
         [](f x) { return math::arcsin(x); },
         [](l x) { return std::asin(x); },
         {{-1, 1, false}, {0.4, 0.6, false}, {0.999, 1, false}, tiny}},
        {"arccos",
         [](d x) { return math::arccos(x); },
         [](f x) { return math::arccos(x); },
         [](l x) { return std::acos(x); },
         {{-1, 1, false}, {0.4, 0.6, false}, {0.999, 1, false}, tiny}},
        {"arctan",
         [](d x) { return math::arctan(x); },
         [](f x) { return math::arctan(x); },
         [](l x) { return std::atan(x); },
         {{-5, 5, false}, positive, floats}},
    };
}

inline std::vector<function_case> hyperbolic_cases() {
    using d = double;
    using f = float;
    using l = long double;
    return {
        {"sinh",
         [](d x) { return math::sinh(x); },
         [](f x) { return math::sinh(x); },
         [](l x) { return std::sinh(x); },
         {{-710, 710, false}, {-89, 89, false}, {-3, 3, false}, tiny}},
        {"cosh",
         [](d x) { return math::cosh(x); },
         [](f x) { return math::cosh(x); },
         [](l x) { return std::cosh(x); },
         {{-710, 710, false}, {-89, 89, false}, {-3, 3, false}}},
        {"tanh",
         [](d x) { return math::tanh(x); },
         [](f x) { return math::tanh(x); },
         [](l x) { return std::tanh(x); },
         {{-25, 25, false}, {-2, 2, false}, tiny}},
        {"arcsinh",
         [](d x) { return math::arcsinh(x); },
         [](f x) { return math::arcsinh(x); },
         [](l x) { return std::asinh(x); },
         {{-9, 9, false}, positive, floats}},
        {"arccosh",
         [](d x) { return math::arccosh(x); },
         [](f x) { return math::arccosh(x); },
         [](l x) { return std::acosh(x); },
         {{1, 9, false}, {1, 1.001, false}, {1, 1e300, true}, {1, 1e37, true}}},
        {"arctanh",
         [](d x) { return math::arctanh(x); },
         [](f x) { return math::arctanh(x); },
         [](l x) { return std::atanh(x); },
         {{-1, 1, false}, {0.99, 1, false}, tiny}},
        {"erf",
         [](d x) { return math::erf(x); },
         [](f x) { return math::erf(x); },
         [](l x) { return std::erf(x); },
         {{-6, 6, false}, {-1.1, 1.1, false}, tiny},
         {2.0, 2.0}},
        {"erfc",
         [](d x) { return math::erfc(x); },
         [](f x) { return math::erfc(x); },
         [](l x) { return std::erfc(x); },
         {{-6, 6, false}, {0.3, 27.3, false}, {0.3, 10.1, false}, tiny},
         {2.0, 2.0}},
    };
}

inline std::vector<function_case> unary_cases() {
    std::vector<function_case> all;
    for (auto const& family : {exponential_cases(), logarithm_cases(), trigonometric_cases(), hyperbolic_cases()})
        all.insert(all.end(), family.begin(), family.end());
    return all;
}

inline std::vector<binary_case> binary_cases() {
    using d = double;
    using f = float;
    using l = long double;
    return {
        {"hypot", [](d x, d y) { return math::hypot(x, y); }, [](f x, f y) { return math::hypot(x, y); },
         [](l x, l y) { return std::hypot(x, y); }},
        {"arctan2", [](d x, d y) { return math::arctan2(x, y); }, [](f x, f y) { return math::arctan2(x, y); },
         [](l x, l y) { return std::atan2(x, y); }},
        {"fmod",
         [](d x, d y) { return math::fmod(x, y); },
         [](f x, f y) { return math::fmod(x, y); },
         [](l x, l y) { return std::fmod(x, y); },
         {0, 0}},
    };
}

// Every unary function on random points of each of its intervals, and for float also on every 40009th bit pattern.
template <class T> worst_error measure(function_case const& c, int points) {
    worst_error worst;
    auto const see = [&](T x) {
        T got;
        if constexpr (sizeof(T) == 8) got = c.f64(x);
        else got = c.f32(x);
        worst.see(error_in_ulp(got, c.oracle(x)), x);
    };
    std::mt19937_64 random(20);
    for (interval const& r : c.intervals) {
        for (int i = 0; i < points; ++i) see(static_cast<T>(draw(random, r)));
    }
    return worst;
}

inline worst_error measure_float_patterns(function_case const& c) {
    worst_error worst;
    for (std::uint64_t pattern = 0; pattern < (std::uint64_t{1} << 32); pattern += 40009) {
        float const x = math::from_bits(static_cast<std::uint32_t>(pattern));
        if (std::isfinite(x)) worst.see(error_in_ulp(c.f32(x), c.oracle(x)), x);
    }
    return worst;
}

template <class T> worst_error measure(binary_case const& c, int points) {
    worst_error worst;
    std::mt19937_64 random(21);
    double const far = sizeof(T) == 8 ? 300 : 36;
    for (int i = 0; i < points; ++i) {
        // Half of the pairs have magnitudes of one size, half of any size.
        double const size = std::uniform_real_distribution<double>(-far, far)(random);
        double const other = i % 2 ? size : std::uniform_real_distribution<double>(-far, far)(random);
        std::uniform_real_distribution<double> mantissa(-10, 10);
        T const x = static_cast<T>(mantissa(random) * std::pow(10.0, size));
        T const y = static_cast<T>(mantissa(random) * std::pow(10.0, other));
        T got;
        if constexpr (sizeof(T) == 8) got = c.f64(x, y);
        else got = c.f32(x, y);
        worst.see(error_in_ulp(got, c.oracle(x, y)), x, y);
    }
    return worst;
}

// pow where the result is a normal number: x of any size, y chosen from the exponent the power is to have.
template <class T> worst_error measure_pow(int points) {
    worst_error worst;
    std::mt19937_64 random(22);
    double const far = sizeof(T) == 8 ? 1022 : 126;
    for (int i = 0; i < points; ++i) {
        double const target = std::uniform_real_distribution<double>(-far, far)(random);
        double const spread = i % 3 == 0 ? far : i % 3 == 1 ? 1.0 : 0.001;
        T const x = static_cast<T>(std::exp2(std::uniform_real_distribution<double>(-spread, spread)(random)));
        T const y = static_cast<T>(target / std::log2(static_cast<double>(x)));
        if (!std::isfinite(y)) continue;
        long double const want = std::pow(static_cast<long double>(x), static_cast<long double>(y));
        worst.see(error_in_ulp(math::pow(x, y), want), x, y);
    }
    return worst;
}

// Sine, cosine and tangent at and near multiples of pi/2, where the reduction cancels most.
inline worst_error measure_near_quarters(double (*f)(double), long double (*oracle)(long double)) {
    worst_error worst;
    long double const half_pi = 1.57079632679489661923132169163975144L;
    for (int k = 1; k < 636000; k += k < 20000 ? 1 : 17) {
        double const at = static_cast<double>(k * half_pi);
        for (double x : {at, std::nextafter(at, 0.0), std::nextafter(at, 1e9), -at, at * (1 + 1e-9)}) {
            worst.see(error_in_ulp(f(x), oracle(x)), x);
        }
    }
    return worst;
}

// sin, cos and tan of arguments beyond a million, from a 1400-bit evaluation; the first is the double nearest to a
// multiple of pi/2 of all doubles.
struct large_angle {
    double x;
    long double sin, cos, tan;
};
constexpr large_angle large_angles[] = {
    {0x1p797 * 6381956970095103.0, 1.0L, -4.68716592425462761112e-19L, -2133485385753703843.67L},
    {0x1p-33 * 5050554865150117.0, 0.332111351131885611675L, 0.943240187041112758822L, 0.352096269534166871395L},
    {0x1p971 * 4503599627370497.0, -0.976171771886647943193L, -0.216999243712235486429L, 4.49850310621892075049L},
    {0x1p400 * 6011522898420187.0, -0.659570566648045576101L, -0.751642646216655317804L, 0.877505514047069303836L},
    {1e22, -0.852200849767188801773L, 0.523214785395138945498L, -1.62877822560689887855L},
    {123456789012345.0, -0.598657294247742546354L, 0.801005270921466408249L, -0.747382465484970792134L},
    {1000000.0000000001, -0.349993502062240651716L, 0.936752127573889393125L, -0.373624453854932683422L},
    {1.7976931348623157e308, 0.0049619547891840617905L, -0.999987689426559937465L, -0.0049620158744448949005L},
};

// Inputs at which C99 or IEEE 754 prescribe a result, and some around them.
template <class T> std::vector<T> special_values() {
    using limits = std::numeric_limits<T>;
    std::vector<T> v{0,
                     1,
                     2,
                     3,
                     4,
                     T(0.5),
                     T(1.5),
                     T(2.5),
                     5,
                     8,
                     27,
                     100,
                     709,
                     720,
                     760,
                     1000,
                     T(1e-20),
                     T(1e10),
                     T(0.999999),
                     T(1.000001),
                     limits::denorm_min(),
                     limits::min(),
                     limits::max(),
                     limits::infinity(),
                     limits::quiet_NaN(),
                     T(9007199254740991.0),
                     T(9007199254740992.0),
                     T(1e-300),
                     T(8388607.5)};
    for (std::size_t i = 0, n = v.size(); i < n; ++i) v.push_back(-v[i]);
    return v;
}

// Equal up to two ULP, and equal in sign also for zeros; NaN equals NaN.
template <class T> bool agrees(T got, T want) {
    if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
    return std::signbit(got) == std::signbit(want) &&
           (got == want || error_in_ulp(got, static_cast<long double>(want)) <= 2);
}

}  // namespace

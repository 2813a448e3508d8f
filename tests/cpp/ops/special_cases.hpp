// The cases of the special functions' tests, with oracles in long double that share nothing with the formulas: series,
// recurrences, the C library's functions and Newton's method on them. Included, as math_cases.hpp is, by two tests.
#pragma once
#include "bascule/ops/logistic.hpp"
#include "ops/math_cases.hpp"

namespace {

using ld = long double;
constexpr ld root_half = 0.70710678118654752440084436210484903928L;

inline ld expit_oracle(ld x) { return 1 / (1 + std::exp(-x)); }
inline ld logit_oracle(ld p) {
    return p > 0.25L && p < 0.75L ? 2 * std::atanh(2 * p - 1) : std::log(p) - std::log1p(-p);
}
inline ld log_expit_oracle(ld x) { return std::fmin(x, 0.0L) - std::log1p(std::exp(-std::abs(x))); }
inline ld entr_oracle(ld x) { return -x * std::log(x); }
inline ld log_ratio_oracle(ld x, ld y) {
    return x > y / 2 && x < 2 * y ? std::log1p((x - y) / y) : std::log(x) - std::log(y);
}
inline ld rel_entr_oracle(ld x, ld y) { return x * log_ratio_oracle(x, y); }
inline ld kl_div_oracle(ld x, ld y) {
    ld const f = (x - y) / y;
    if (std::abs(f) > 0.25L) return x * log_ratio_oracle(x, y) - x + y;
    ld sum = 0, power = f * f;
    for (int k = 0; k < 60; ++k, power *= -f) sum += power / ((k + 1) * (k + 2));
    return y * sum;
}

// Newton's method on erfc, relative to its value, from a start good to a few digits.
inline ld erfinv_oracle(ld y);
inline ld erfcinv_oracle(ld q) {
    if (q > 0.5L) return erfinv_oracle(1 - q);
    ld x = q > 0.3L ? (1 - q) * 0.886L : std::sqrt(-std::log(q * std::sqrt(-std::log(q)) * 1.7L));
    for (int i = 0; i < 60; ++i) {
        ld const e = std::erfc(x), step = std::log(e / q) * e / (1.1283791670955125738962L * std::exp(-x * x));
        x += step;
        if (std::abs(step) < std::abs(x) * 1e-19L) break;
    }
    return x;
}
inline ld erfinv_oracle(ld y) {
    if (std::abs(y) > 0.5L) return std::copysign(erfcinv_oracle(1 - std::abs(y)), y);
    ld x = y * 0.886L;
    for (int i = 0; i < 60; ++i) x -= (std::erf(x) - y) / (1.1283791670955125738962L * std::exp(-x * x));
    return x;
}
inline ld ndtri_oracle(ld p) { return -erfcinv_oracle(2 * p) / root_half; }
// The rounding error of x / sqrt(2) is put right to first order: far out it is worth hundreds of units.
inline ld ndtr_oracle(ld x) {
    ld const a = -x * root_half, square = x * x, lost = std::fma(x, x, -square);
    return std::erfc(a) / 2 * (x < -1 ? std::exp(std::fma(a, a, -square / 2) - lost / 2) : 1.0L);
}
inline ld log_ndtr_oracle(ld x) { return x > 0 ? std::log1p(-ndtr_oracle(-x)) : std::log(ndtr_oracle(x)); }

inline ld digamma_oracle(ld x) {
    ld sum = 0;
    for (; x < 30; ++x) sum -= 1 / x;
    ld const z = 1 / (x * x);
    ld const bernoulli[] = {1 / 12.0L, -1 / 120.0L, 1 / 252.0L, -1 / 240.0L, 1 / 132.0L, -691 / 32760.0L, 1 / 12.0L};
    ld rest = 0;
    for (int k = 6; k >= 0; --k) rest = (rest + bernoulli[k]) * z;
    return sum + std::log(x) - 1 / (2 * x) - rest;
}
inline ld beta_oracle(ld a, ld b) { return std::tgamma(a) * std::tgamma(b) / std::tgamma(a + b); }
inline ld betaln_oracle(ld a, ld b) { return std::log(std::abs(beta_oracle(a, b))); }

// The power series, all of whose terms are positive.
inline ld bessel_oracle(int order, ld x) {
    ld const z = x * x / 4;
    ld term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; k < 2000 && std::abs(term) > std::abs(sum) * 1e-22L; ++k) sum += term *= z / (ld(k) * (k + order));
    return sum;
}

inline std::vector<function_case> distribution_cases() {
    using d = double;
    using f = float;
    interval const tiny_floats{1e-37, 1.0, true};
    return {
        {"expit",
         [](d x) { return math::expit(x); },
         [](f x) { return math::expit(x); },
         expit_oracle,
         {{-40, 40, false}, {-700, 0, false}},
         {2, 2}},
        {"logit",
         [](d x) { return math::logit(x); },
         [](f x) { return math::logit(x); },
         logit_oracle,
         {{0.001, 0.999, false}, {0.49, 0.51, false}, {1e-37, 0.5, true}},
         {1, 1}},
        {"log_expit",
         [](d x) { return math::log_expit(x); },
         [](f x) { return math::log_expit(x); },
         log_expit_oracle,
         {{-40, 40, false}, {-700, 700, false}},
         {1.5, 1.5}},
        {"entr",
         [](d x) { return ops::entr{}(x); },
         [](f x) { return ops::entr{}(x); },
         entr_oracle,
         {{0.0001, 3, false}, {1e-30, 1e30, true}},
         {2, 2}},
        {"exp10",
         [](d x) { return math::exp10(x); },
         [](f x) { return math::exp10(x); },
         [](ld x) { return std::pow(10.0L, x); },
         {{-5, 5, false}, {-323, 308, false}, {-44, 38, false}}},
        {"exprel",
         [](d x) { return math::exprel(x); },
         [](f x) { return math::exprel(x); },
         [](ld x) { return std::expm1(x) / x; },
         {{-50, 50, false}, {-1, 1, false}, {-700, 716, false}},
         {2, 2}},
        {"erfinv",
         [](d x) { return math::erfinv(x); },
         [](f x) { return math::erfinv(x); },
         erfinv_oracle,
         {{-1, 1, false}, {-0.51, 0.51, false}, {0.59, 0.61, false}, tiny_floats},
         {2, 3.5}},
        {"erfcinv",
         [](d x) { return math::erfcinv(x); },
         [](f x) { return math::erfcinv(x); },
         erfcinv_oracle,
         {{0.01, 1.99, false}, {0.3, 0.5, false}, {0.99, 1.01, false}, tiny_floats},
         {2, 3}},
        {"ndtri",
         [](d x) { return math::ndtri(x); },
         [](f x) { return math::ndtri(x); },
         ndtri_oracle,
         {{0.01, 0.99, false}, {0.15, 0.25, false}, {0.49, 0.51, false}, {1e-37, 0.5, true}},
         {3.5, 4}},
        {"ndtr",
         [](d x) { return math::ndtr(x); },
         [](f x) { return math::ndtr(x); },
         ndtr_oracle,
         {{-8, 8, false}, {-37.5, 0, false}, {-1, 1, false}},
         {2.5, 3}},
        {"log_ndtr",
         [](d x) { return math::log_ndtr(x); },
         [](f x) { return math::log_ndtr(x); },
         log_ndtr_oracle,
         {{-8, 8, false}, {-140, 37, false}, {-2, 2, false}},
         {3, 3}},
    };
}

inline std::vector<function_case> gamma_and_bessel_cases() {
    using d = double;
    using f = float;
    return {
        {"gamma",
         [](d x) { return math::gamma(x); },
         [](f x) { return math::gamma(x); },
         [](ld x) { return std::tgamma(x); },
         {{0, 3.1, false}, {1, 35, false}, {1, 171.6, false}, {-34, 0, false}, {-169.5, 0, false}, {1e-37, 1, true}},
         {2, 3}},
        {"gammaln",
         [](d x) { return math::gammaln(x); },
         [](f x) { return math::gammaln(x); },
         [](ld x) { return std::lgamma(x); },
         {{0, 3.1, false}, {0.9, 1.1, false}, {1.9, 2.1, false}, {1, 1e6, true}, {1e-37, 1, true}, {-0.99, 0, false}},
         {4, 4}},
        {"digamma",
         [](d x) { return math::digamma(x); },
         [](f x) { return math::digamma(x); },
         digamma_oracle,
         {{0, 1.4, false}, {1.5, 3.1, false}, {1.5, 1e6, true}, {1e-37, 1, true}},
         {3, 3}},
        {"i0",
         [](d x) { return math::i0(x); },
         [](f x) { return math::i0(x); },
         [](ld x) { return bessel_oracle(0, x); },
         {{-13, 13, false}, {-89, 89, false}},
         {4, 4}},
        {"i1",
         [](d x) { return math::i1(x); },
         [](f x) { return math::i1(x); },
         [](ld x) { return bessel_oracle(1, x); },
         {{-13, 13, false}, {-89, 89, false}, {1e-37, 1, true}},
         {4, 4}},
        {"i0e",
         [](d x) { return math::i0e(x); },
         [](f x) { return math::i0e(x); },
         [](ld x) { return bessel_oracle(0, x) * std::exp(-std::abs(x)); },
         {{-13, 13, false}, {-700, 700, false}},
         {4, 4}},
        {"i1e",
         [](d x) { return math::i1e(x); },
         [](f x) { return math::i1e(x); },
         [](ld x) { return bessel_oracle(1, x) * std::exp(-std::abs(x)); },
         {{-13, 13, false}, {-700, 700, false}, {1e-37, 1, true}},
         {4, 4}},
    };
}

inline std::vector<function_case> special_cases() {
    std::vector<function_case> all = distribution_cases();
    for (function_case const& c : gamma_and_bessel_cases()) all.push_back(c);
    return all;
}

struct special_pair {
    binary_case function;
    interval x, y;
    bool close = false;  // y within a few per cent of x
};

inline std::vector<special_pair> special_pairs() {
    using d = double;
    using f = float;
    binary_case const rel_entr{"rel_entr",
                               [](d x, d y) { return math::rel_entr(x, y); },
                               [](f x, f y) { return math::rel_entr(x, y); },
                               rel_entr_oracle,
                               {2, 2}};
    binary_case const kl_div{"kl_div",
                             [](d x, d y) { return math::kl_div(x, y); },
                             [](f x, f y) { return math::kl_div(x, y); },
                             kl_div_oracle,
                             {3, 3}};
    binary_case const beta{"beta",
                           [](d x, d y) { return math::beta(x, y); },
                           [](f x, f y) { return math::beta(x, y); },
                           beta_oracle,
                           {2.5, 2.5}};
    binary_case const betaln{"betaln",
                             [](d x, d y) { return math::betaln(x, y); },
                             [](f x, f y) { return math::betaln(x, y); },
                             betaln_oracle,
                             {2, 2}};
    interval const any{1e-12, 1e12, true}, near{0.1, 10, false}, low{1e-6, 3, false}, high{2.5, 20, false};
    return {{rel_entr, any, any}, {rel_entr, near, near, true},
            {kl_div, any, any},   {kl_div, near, near, true},
            {beta, low, low},     {beta, low, high},
            {beta, high, high},   {beta, {1, 800, false}, low},
            {betaln, high, high}, {betaln, {3, 800, false}, {2.5, 20, false}}};
}

template <class T> worst_error measure(special_pair const& c, int points) {
    worst_error worst;
    std::mt19937_64 random(24);
    for (int i = 0; i < points; ++i) {
        T const x = static_cast<T>(draw(random, c.x));
        T const y = static_cast<T>(c.close ? x * draw(random, {0.9, 1.1, false}) : draw(random, c.y));
        if (x == y) continue;
        T got;
        if constexpr (sizeof(T) == 8) got = c.function.f64(x, y);
        else got = c.function.f32(x, y);
        worst.see(error_in_ulp(got, c.function.oracle(x, y)), x, y);
    }
    return worst;
}

inline void every_special_function_keeps_its_bound() {
    constexpr int points = 4000;
    for (function_case const& c : special_cases()) {
        worst_error const wide = measure<double>(c, points), narrow = measure<float>(c, points);
        report(c.name, "float64", wide);
        report(c.name, "float32", narrow);
        EXPECT_LE(wide.ulp, c.bound.get()) << c.name << " float64 at " << wide.x;
        EXPECT_LE(narrow.ulp, std::min(1.5, c.bound.get())) << c.name << " float32 at " << narrow.x;
    }
    for (special_pair const& c : special_pairs()) {
        worst_error const wide = measure<double>(c, points), narrow = measure<float>(c, points);
        report(c.function.name, "float64", wide);
        report(c.function.name, "float32", narrow);
        EXPECT_LE(wide.ulp, c.function.bound.get()) << c.function.name << " float64 at " << wide.x << ", " << wide.y;
        EXPECT_LE(narrow.ulp, 1.0) << c.function.name << " float32 at " << narrow.x << ", " << narrow.y;
    }
}

// The bodies for positive arguments have the bits of the full functions, as vector and scalar code may compute parts of
// one array.
inline void fast_special_bodies_have_the_bits_of_the_full_functions() {
    std::mt19937_64 random(25);
    for (int i = 0; i < 20000; ++i) {
        double const x = draw(random, {1e-300, 1e300, true}), y = draw(random, {1e-5, 1e5, true});
        double const z = draw(random, {1e-5, 1e5, true});
        ASSERT_EQ(math::fast::gammaln(x), math::gammaln(x)) << x;
        ASSERT_EQ(math::fast::digamma(x), math::digamma(x)) << x;
        ASSERT_EQ(math::fast::gammaln(y), math::gammaln(y)) << y;
        ASSERT_EQ(math::fast::digamma(y), math::digamma(y)) << y;
        ASSERT_EQ(math::fast::beta(y, z), math::beta(y, z)) << y << ", " << z;
        ASSERT_EQ(math::fast::betaln(y, z), math::betaln(y, z)) << y << ", " << z;
        ASSERT_EQ(math::beta(y, z), math::beta(z, y)) << y << ", " << z;
    }
}

// Near poles and zeros, where reflection must keep the argument's distance.
inline void reflections_hold_alongside_poles() {
    for (int n = 1; n < 30; ++n) {
        for (double gap : {1e-3, 1e-7, 1e-12}) {
            for (double x : {-n - gap, -n + gap}) {
                EXPECT_LE(error_in_ulp(math::gamma(x), std::tgamma(static_cast<ld>(x))), 3.0) << x;
                EXPECT_LE(error_in_ulp(math::gammaln(x), std::lgamma(static_cast<ld>(x))), 8.0) << x;
                // digamma(1 - x) - digamma(x) = pi / tan(pi x), which is about 1 / gap there
                ld const distance = static_cast<ld>(x) + n;
                ld const want = digamma_oracle(1 - static_cast<ld>(x)) -
                                std::acos(-1.0L) / std::tan(std::acos(-1.0L) * distance);
                EXPECT_LE(error_in_ulp(math::digamma(x), want), 4.0) << x;
            }
        }
        EXPECT_TRUE(std::isnan(math::gamma(-1.0 * n)));
        EXPECT_TRUE(std::isnan(math::digamma(-1.0 * n)));
        EXPECT_EQ(math::gammaln(-1.0 * n), INFINITY);
    }
    EXPECT_EQ(math::gammaln(1.0), 0.0);
    EXPECT_EQ(math::gammaln(2.0), 0.0);
}

}  // namespace

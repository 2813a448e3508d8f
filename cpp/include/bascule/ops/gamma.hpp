// Gamma, beta and Bessel functions: names of bascule.special. Those with `fast` hold it for positive arguments, where
// no reflection is needed. Device-clean.
#pragma once
#include "bascule/ops/special.hpp"

namespace bascule::ops {

struct gamma {
    static constexpr spec meta{.name = "gamma",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 40,
                               .range = {-170, 171},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .doc = "Gamma function."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::gamma(x); }
};

struct gammaln {
    static constexpr spec meta{.name = "gammaln",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 22,
                               .range = {0, 1e6},
                               .ulp64 = 4,
                               .ulp32 = 1,
                               .doc = "Logarithm of the absolute value of the gamma function."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::gammaln(x); }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::gammaln(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return x > 0; }
};

struct digamma {
    static constexpr spec meta{.name = "digamma",
                               .aliases = "psi",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 20,
                               .range = {0, 1e6},
                               .ulp64 = 3,
                               .ulp32 = 1,
                               .doc = "Logarithmic derivative of the gamma function."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::digamma(x); }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::digamma(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return x > 0; }
};

struct beta {
    static constexpr spec meta{.name = "beta",
                               .space = "special",
                               .nin = 2,
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 60,
                               .range = {0, 500},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .commutative = true,
                               .doc = "Beta function, gamma(x1) * gamma(x2) / gamma(x1 + x2)."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return math::beta(a, b); }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T a, T b) { return math::fast::beta(a, b); }
    template <class T> BASCULE_HD static bool in_fast_range(T a, T b) { return both(a > 0, b > 0); }
};

struct betaln {
    static constexpr spec meta{.name = "betaln",
                               .space = "special",
                               .nin = 2,
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 60,
                               .range = {3, 500},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .commutative = true,
                               .doc = "Logarithm of the absolute value of the beta function."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return math::betaln(a, b); }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T a, T b) { return math::fast::betaln(a, b); }
    template <class T> BASCULE_HD static bool in_fast_range(T a, T b) { return both(a > 0, b > 0); }
};

struct i0 {
    static constexpr spec meta{.name = "i0",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 16,
                               .range = {-700, 700},
                               .ulp64 = 4,
                               .ulp32 = 1,
                               .doc = "Modified Bessel function of order 0."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::i0(x); }
};

struct i0e {
    static constexpr spec meta{
        .name = "i0e",
        .space = "special",
        .types = special_types,
        .integers_as = type_id::float64,
        .cost = 16,
        .range = {-700, 700},
        .ulp64 = 4,
        .ulp32 = 1,
        .doc = "Exponentially scaled modified Bessel function of order 0, exp(-abs(x)) * i0(x)."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::i0e(x); }
};

struct i1 {
    static constexpr spec meta{.name = "i1",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 16,
                               .range = {-700, 700},
                               .ulp64 = 4,
                               .ulp32 = 1,
                               .doc = "Modified Bessel function of order 1."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::i1(x); }
};

struct i1e {
    static constexpr spec meta{
        .name = "i1e",
        .space = "special",
        .types = special_types,
        .integers_as = type_id::float64,
        .cost = 16,
        .range = {-700, 700},
        .ulp64 = 4,
        .ulp32 = 1,
        .doc = "Exponentially scaled modified Bessel function of order 1, exp(-abs(x)) * i1(x)."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::i1e(x); }
};

using gamma_ops = op_list<gamma, gammaln, digamma, beta, betaln, i0, i0e, i1, i1e>;

}  // namespace bascule::ops

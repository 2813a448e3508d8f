// Error functions and the normal distribution. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

// SciPy has no float16 here.
inline constexpr type_set special_types = set_of(type_id::float32, type_id::float64);

struct erf {
    static constexpr spec meta{.name = "erf",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 15,
                               .range = {-6, 6},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .doc = "Return the error function of the argument."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::erf(x); }
    static constexpr bool has_fast = true;
    template <class T> BASCULE_HD static T fast(T x) { return math::fast::erf(x); }
    template <class T> BASCULE_HD static bool in_fast_range(T x) { return math::fast::erf_in_range(x); }
};

struct erfc {
    static constexpr spec meta{.name = "erfc",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 18,
                               .range = {-6, 26},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under,
                               .doc = "Return one minus the error function, without cancellation."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::erfc(x); }
};

struct erfinv {
    static constexpr spec meta{.name = "erfinv",
                               .space = "special",
                               .types = special_types,
                               .cost = 20,
                               .range = {-1, 1},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .doc = "Inverse of the error function."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::erfinv(x); }
};

struct erfcinv {
    static constexpr spec meta{.name = "erfcinv",
                               .space = "special",
                               .types = special_types,
                               .cost = 20,
                               .range = {0, 2},
                               .ulp64 = 3,
                               .ulp32 = 1,
                               .doc = "Inverse of the complementary error function."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::erfcinv(x); }
};

struct ndtr {
    static constexpr spec meta{.name = "ndtr",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 20,
                               .range = {-37, 37},
                               .ulp64 = 3,
                               .ulp32 = 1,
                               .doc = "Cumulative distribution of the standard normal distribution."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::ndtr(x); }
};

struct ndtri {
    static constexpr spec meta{
        .name = "ndtri",
        .space = "special",
        .types = special_types,
        .cost = 20,
        .range = {0, 1},
        .ulp64 = 3,
        .ulp32 = 1,
        .doc = "Inverse of ndtr: the argument at which the normal distribution function has the given value."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::ndtri(x); }
};

struct log_ndtr {
    static constexpr spec meta{.name = "log_ndtr",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 36,
                               .range = {-1000, 37},
                               .ulp64 = 3,
                               .ulp32 = 1,
                               .doc = "Logarithm of the cumulative distribution of the standard normal distribution."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::log_ndtr(x); }
};

using special_ops = op_list<erf, erfc, erfinv, erfcinv, ndtr, ndtri, log_ndtr>;

}  // namespace bascule::ops

// Logistic functions, entropies, and exponentials other than exp: names of bascule.special. Device-clean.
#pragma once
#include "bascule/ops/complex_math.hpp"
#include "bascule/ops/special.hpp"

namespace bascule::ops {

struct expit {
    static constexpr spec meta{.name = "expit",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 9,
                               .range = {-700, 700},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .doc = "Logistic sigmoid function, 1 / (1 + exp(-x))."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::expit(x); }
};

struct logit {
    static constexpr spec meta{.name = "logit",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 14,
                               .range = {0, 1},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .doc = "Logarithm of the odds, log(x / (1 - x))."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::logit(x); }
};

struct log_expit {
    static constexpr spec meta{.name = "log_expit",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 16,
                               .range = {-700, 700},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .doc = "Logarithm of the logistic sigmoid function."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::log_expit(x); }
};

struct xlogy {
    static constexpr spec meta{.name = "xlogy",
                               .space = "special",
                               .nin = 2,
                               .types = special_types | types::complexes,
                               .integers_as = type_id::float64,
                               .cost = 8,
                               .range = {1e-300, 1e300},
                               .ulp64 = 2,
                               .ulp32 = 1.5,
                               .doc = "Compute x1 * log(x2), and 0 where x1 is 0 and x2 is not NaN."};
    template <class T> BASCULE_HD T operator()(T x, T y) const {
        if constexpr (is_complex_type<T>) return vanishing(x, y, cmath::multiply(x, cmath::log(y)));
        else return static_cast<T>(math::times_log<double>(x, y, math::log_of_factor(y)));
    }
    template <class T> BASCULE_HD static T vanishing(T x, T y, T product) {
        return both(!is_nonzero(x), !is_nan(y)) ? T{0, 0} : product;
    }
};

struct xlog1py {
    static constexpr spec meta{.name = "xlog1py",
                               .space = "special",
                               .nin = 2,
                               .types = special_types | types::complexes,
                               .integers_as = type_id::float64,
                               .cost = 10,
                               .range = {-0.999, 1e6},
                               .ulp64 = 2,
                               .ulp32 = 1.5,
                               .doc = "Compute x1 * log1p(x2), and 0 where x1 is 0 and x2 is not NaN."};
    template <class T> BASCULE_HD T operator()(T x, T y) const {
        if constexpr (is_complex_type<T>) return xlogy::vanishing(x, y, cmath::multiply(x, cmath::log1p(y)));
        else return math::times_log(x, y, math::log1p(y));
    }
};

struct entr {
    static constexpr spec meta{.name = "entr",
                               .space = "special",
                               .types = special_types,
                               .cost = 8,
                               .range = {0, 1e3},
                               .ulp64 = 2,
                               .ulp32 = 1.5,
                               .doc = "Entropy of the elements, -x * log(x), and -inf below 0."};
    template <class T> BASCULE_HD T operator()(T x) const {
        return static_cast<T>(math::entr<double>(x, math::log_of_factor(x)));
    }
};

struct rel_entr {
    static constexpr spec meta{.name = "rel_entr",
                               .space = "special",
                               .nin = 2,
                               .types = special_types,
                               .cost = 20,
                               .range = {0, 1e3},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .doc = "Relative entropy of the elements, x1 * log(x1 / x2)."};
    template <class T> BASCULE_HD T operator()(T x, T y) const { return math::rel_entr(x, y); }
};

struct kl_div {
    static constexpr spec meta{.name = "kl_div",
                               .space = "special",
                               .nin = 2,
                               .types = special_types,
                               .cost = 26,
                               .range = {0, 1e3},
                               .ulp64 = 3,
                               .ulp32 = 1,
                               .doc = "Kullback-Leibler divergence of the elements, x1 * log(x1 / x2) - x1 + x2."};
    template <class T> BASCULE_HD T operator()(T x, T y) const { return math::kl_div(x, y); }
};

struct exp10 {
    static constexpr spec meta{.name = "exp10",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 9,
                               .range = {-300, 300},
                               .ulp64 = 1,
                               .ulp32 = 1,
                               .doc = "Compute 10**x for all elements."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::exp10(x); }
};

struct exprel {
    static constexpr spec meta{.name = "exprel",
                               .space = "special",
                               .types = special_types,
                               .integers_as = type_id::float64,
                               .cost = 12,
                               .range = {-700, 700},
                               .ulp64 = 2,
                               .ulp32 = 1,
                               .doc = "Relative error exponential, (exp(x) - 1) / x."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::exprel(x); }
};

using logistic_ops = op_list<expit, logit, log_expit, xlogy, xlog1py, entr, rel_entr, kl_div, exp10, exprel>;

}  // namespace bascule::ops

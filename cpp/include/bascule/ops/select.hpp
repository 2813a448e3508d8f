// Choosing between values. Device-clean.
#pragma once
#include "bascule/ops/extrema.hpp"

namespace bascule::ops {

struct where {
    static constexpr spec meta{.name = "where",
                               .nin = 3,
                               .call = form::selection,
                               .types = comparable_types,
                               .computes = primitive::where,
                               .has_ufunc = false,
                               .doc = "Return elements chosen from x1 or x2 depending on a condition."};
    template <class T> BASCULE_HD T operator()(bool condition, T a, T b) const {
        if constexpr (is_complex_type<T>) return {condition ? a.re : b.re, condition ? a.im : b.im};
        else if constexpr (is_time_type<T>) return {condition ? a.count : b.count};
        else return condition ? a : b;
    }
};

struct clip {
    static constexpr spec meta{.name = "clip",
                               .nin = 3,
                               .types = comparable_types,
                               .computes = primitive::clip,
                               .cost = 2,
                               .has_ufunc = false,
                               .doc = "Limit the values in an array to an interval."};
    template <class T> BASCULE_HD T operator()(T a, T low, T high) const {
        if constexpr (is_complex_type<T>) {
            T const raised = either(is_nan(a), before(low, a)) ? a : low;
            return either(is_nan(raised), before(raised, high)) ? raised : high;
        } else return minimum{}(maximum{}(a, low), high);
    }

private:
    // NumPy's clip compares imaginary parts only where real ones are equal, NaN or not.
    template <class C> BASCULE_HD static bool before(C a, C b) { return a.re == b.re ? a.im < b.im : a.re < b.re; }
};

using select_ops = op_list<where, clip>;

}  // namespace bascule::ops

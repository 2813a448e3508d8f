// Comparisons. Complex numbers compare lexicographically; NaN and NaT are equal to nothing, not even themselves.
// Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

inline constexpr type_set comparable_types = types::boolean | types::numbers | types::times;

struct equal {
    static constexpr spec meta{.name = "equal",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::equal,
                               .commutative = true,
                               .doc = "Return (x1 == x2) element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const {
        if constexpr (is_complex_type<T>) return both(a.re == b.re, a.im == b.im);
        else if constexpr (is_time_type<T>) return both(a.count == b.count, a.count != nat);
        else return a == b;
    }
};

struct not_equal {
    static constexpr spec meta{.name = "not_equal",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::not_equal,
                               .commutative = true,
                               .doc = "Return (x1 != x2) element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const { return !equal{}(a, b); }
};

struct less {
    static constexpr spec meta{.name = "less",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::less,
                               .raises = fp::invalid,
                               .doc = "Return the truth value of (x1 < x2) element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const {
        if constexpr (is_complex_type<T>)
            return either(both(a.re < b.re, both(a.im == a.im, b.im == b.im)), both(a.re == b.re, a.im < b.im));
        else if constexpr (is_time_type<T>) return both(a.count < b.count, both(a.count != nat, b.count != nat));
        else return a < b;
    }
};

struct less_equal {
    static constexpr spec meta{.name = "less_equal",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::less_equal,
                               .raises = fp::invalid,
                               .doc = "Return the truth value of (x1 <= x2) element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const {
        if constexpr (is_complex_type<T>)
            return either(both(a.re < b.re, both(a.im == a.im, b.im == b.im)), both(a.re == b.re, a.im <= b.im));
        else if constexpr (is_time_type<T>) return both(a.count <= b.count, both(a.count != nat, b.count != nat));
        else return a <= b;
    }
};

struct greater {
    static constexpr spec meta{.name = "greater",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::greater,
                               .raises = fp::invalid,
                               .doc = "Return the truth value of (x1 > x2) element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const { return less{}(b, a); }
};

struct greater_equal {
    static constexpr spec meta{.name = "greater_equal",
                               .nin = 2,
                               .types = comparable_types,
                               .computes = primitive::greater_equal,
                               .raises = fp::invalid,
                               .doc = "Return the truth value of (x1 >= x2) element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const { return less_equal{}(b, a); }
};

using comparison_ops = op_list<equal, not_equal, less, less_equal, greater, greater_equal>;

}  // namespace bascule::ops

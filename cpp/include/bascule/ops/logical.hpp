// Truth values. Every non-zero value is true, NaN among them. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

inline constexpr type_set boolean_types = types::boolean | types::numbers;

struct logical_and {
    static constexpr spec meta{.name = "logical_and",
                               .nin = 2,
                               .types = boolean_types,
                               .computes = primitive::logical_and,
                               .commutative = true,
                               .identity = 1,
                               .doc = "Compute the truth value of x1 AND x2 element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const { return both(is_nonzero(a), is_nonzero(b)); }
};

struct logical_or {
    static constexpr spec meta{.name = "logical_or",
                               .nin = 2,
                               .types = boolean_types,
                               .computes = primitive::logical_or,
                               .commutative = true,
                               .identity = 0,
                               .doc = "Compute the truth value of x1 OR x2 element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const { return either(is_nonzero(a), is_nonzero(b)); }
};

struct logical_xor {
    static constexpr spec meta{.name = "logical_xor",
                               .nin = 2,
                               .types = boolean_types,
                               .computes = primitive::logical_xor,
                               .commutative = true,
                               .identity = 0,
                               .doc = "Compute the truth value of x1 XOR x2 element-wise."};
    template <class T> BASCULE_HD bool operator()(T a, T b) const { return is_nonzero(a) != is_nonzero(b); }
};

struct logical_not {
    static constexpr spec meta{.name = "logical_not",
                               .types = boolean_types,
                               .computes = primitive::logical_not,
                               .doc = "Compute the truth value of NOT x element-wise."};
    template <class T> BASCULE_HD bool operator()(T a) const { return !is_nonzero(a); }
};

using logical_ops = op_list<logical_and, logical_or, logical_xor, logical_not>;

}  // namespace bascule::ops

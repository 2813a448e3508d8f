// The op table: every family joined to one list, in which an op's position is its number. Numbers hold within one
// build.
#pragma once
#include "bascule/ops/arithmetic.hpp"
#include "bascule/ops/bitwise.hpp"
#include "bascule/ops/calendar.hpp"
#include "bascule/ops/cast.hpp"
#include "bascule/ops/comparison.hpp"
#include "bascule/ops/complex.hpp"
#include "bascule/ops/counter.hpp"
#include "bascule/ops/distributions.hpp"
#include "bascule/ops/division.hpp"
#include "bascule/ops/divisors.hpp"
#include "bascule/ops/exponential.hpp"
#include "bascule/ops/extrema.hpp"
#include "bascule/ops/floating.hpp"
#include "bascule/ops/gamma.hpp"
#include "bascule/ops/hyperbolic.hpp"
#include "bascule/ops/logical.hpp"
#include "bascule/ops/logistic.hpp"
#include "bascule/ops/magnitude.hpp"
#include "bascule/ops/op_list.hpp"
#include "bascule/ops/rounding.hpp"
#include "bascule/ops/select.hpp"
#include "bascule/ops/special.hpp"
#include "bascule/ops/trigonometric.hpp"

namespace bascule::ops {

using all_ops = join_lists<arithmetic_ops, extrema_ops, divisor_ops, division_ops, magnitude_ops, comparison_ops,
                           logical_ops, bitwise_ops, select_ops, cast_ops, rounding_ops, exponential_ops,
                           trigonometric_ops, hyperbolic_ops, floating_ops, complex_ops, special_ops, logistic_ops,
                           gamma_ops, counter_ops, distribution_ops, calendar_ops, frexp_ops>::type;

inline constexpr int op_count = list_size<all_ops>;
template <class Op> inline constexpr std::uint16_t number = position<Op>(all_ops{});
inline constexpr auto table = specs(all_ops{});
inline constexpr auto result_types = result_types_of<loop_result>(all_ops{});

// f(Op{}) for every op, in order of number.
template <class F> constexpr void for_each_op(F&& f) { for_each(all_ops{}, f); }

constexpr type_set loops(int op) { return table[op].types; }

// Type of op's result in the loop for inputs of type `loop`, which must be one of loops(op). The result type of a cast
// is an argument of it; this table says `loop`.
constexpr type_id result_type(int op, type_id loop) { return result_types[op][loop]; }

// Number of the op that NumPy knows by this name or alias; -1: none.
constexpr int find(char const* name) {
    for (int i = 0; i < op_count; ++i)
        if (is_called(table[i], name)) return i;
    return -1;
}

}  // namespace bascule::ops

// Kernels of a whole family of ops, by a reduction over its list.
#pragma once
#include "backend/cpu/kernels/loops.hpp"
#include "backend/cpu/kernels/own_fp_errors.hpp"
#include "backend/cpu/kernels/random/counter_loop.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class Op, class T> void add_elementwise(kernel (&to)[variant_count]) {
    if constexpr (requires { Op::has_fast; } && ops::is_float_type<T> && Op::meta.nin == 1) {
        to[vv] = fast_unary_loop<Op, T>::run;
    } else if constexpr (requires { Op::has_fast; } && ops::is_float_type<T>) {
        add_fast_binary<Op, T>(to);
    } else if constexpr (Op::meta.nin == 1) {
        to[vv] = unary_loop<Op, T>::run;
    } else if constexpr (Op::meta.nin == 2) {
        to[vv] = binary_loop<Op, T, vv>::run;
        to[vs] = binary_loop<Op, T, vs>::run;
        to[sv] = binary_loop<Op, T, sv>::run;
    } else {
        to[vv] = ternary_loop<Op, T, T, vv>::run;
        to[vs] = ternary_loop<Op, T, T, vs>::run;
        to[sv] = ternary_loop<Op, T, T, sv>::run;
        to[ss] = ternary_loop<Op, T, T, ss>::run;
    }
}

template <class Op, class T> void add_selection(kernel (&to)[variant_count]) {
    to[vv] = ternary_loop<Op, bool, T, vv>::run;
    to[vs] = ternary_loop<Op, bool, T, vs>::run;
    to[sv] = ternary_loop<Op, bool, T, sv>::run;
    to[ss] = ternary_loop<Op, bool, T, ss>::run;
}

template <class Op, type_id Id> void add_kernels(kernel_table& t) {
    // float16 is storage only: between two casts ops see float32.
    if constexpr (contains(Op::meta.types, Id) && Id != type_id::float16) {
        auto& to = t.op[ops::number<Op>][static_cast<int>(Id)];
        using T = element<Id>;
        if constexpr (raises_by_itself<Op, T>)
            t.own_fp_errors[ops::number<Op>][static_cast<int>(Id)] = own_fp_errors<Op, T>;
        if constexpr (Op::meta.call == ops::form::elementwise) add_elementwise<Op, T>(to);
        else if constexpr (Op::meta.call == ops::form::selection) add_selection<Op, T>(to);
        else if constexpr (Op::meta.call == ops::form::counter) {
            to[vs] = counter_loop<Op, T>::run;
            to[ss] = counter_loop<Op, T>::run_from_first;
        }
    }
}

template <class Op, int... Id> void add_types(kernel_table& t) { (add_kernels<Op, static_cast<type_id>(Id)>(t), ...); }

template <class... Op> void add_family(kernel_table& t, ops::op_list<Op...>) {
    (add_types<Op, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(t), ...);
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

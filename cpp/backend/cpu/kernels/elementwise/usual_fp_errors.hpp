// Errors of ops that raise some of finite results: blocks of usual arguments, of which they raise nothing but
// perhaps underflow, are known by the arguments.
#pragma once
#include "backend/cpu/kernels/own_fp_errors.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Usual(a, b) of the block's inputs, b being a where there is one only.
template <class Op, class T, class Usual> std::uint8_t unusual_fp_errors(fp_error_args const& x) {
    if (!(x.raises & ops::fp::under)) {
        auto const *const a = static_cast<T const*>(x.a), *const b = static_cast<T const*>(x.b ? x.b : x.a);
        bool const b_scalar = x.b ? x.b_scalar : x.a_scalar;
        ops::bits_of<ops::real_type<T>> others = 0;
        if (!x.a_scalar && !b_scalar) {
            for (std::size_t i = 0; i < x.n; ++i) others |= Usual{}(a[i], b[i]) ? 0u : 1u;
        } else {
            for (std::size_t i = 0; i < x.n; ++i)
                others |= Usual{}(a[x.a_scalar ? 0 : i], b[b_scalar ? 0 : i]) ? 0u : 1u;
        }
        if (others == 0) return ops::fp::none;
    }
    return own_fp_errors<Op, T>(x);
}

template <class Op, type_id Id, class Usual> void look_at_unusual(kernel_table& t) {
    t.own_fp_errors[ops::number<Op>][static_cast<int>(Id)] = unusual_fp_errors<Op, element<Id>, Usual>;
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

// Floating-point conditions told from an op's arguments and result alone: a GPU keeps no flags.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::cuda {

struct value_traits {
    bool nan, infinite, zero;
};

template <class T> __device__ inline value_traits inspect(T x) {
    if constexpr (ops::is_float_type<T>) return {x != x, ops::without_sign(x) == ops::constants<T>::infinity(), x == T(0)};
    else if constexpr (ops::is_complex_type<T>) {
        value_traits const re = inspect(x.re), im = inspect(x.im);
        return {re.nan | im.nan, re.infinite | im.infinite, re.zero & im.zero};
    } else return {false, false, true};
}

template <class T> __device__ inline T last_of(T x) { return x; }
template <class T, class... Rest> __device__ inline auto last_of(T, Rest... rest) { return last_of(rest...); }

template <class Op, class R, class... A> __device__ inline std::uint32_t conditions(R result, A... args) {
    using last = decltype(last_of(args...));
    if constexpr (ops::is_integer_type<last>) return last_of(args...) == last(0) ? ops::fp::divide : ops::fp::none;
    else {
        value_traits const r = inspect(result);
        bool const nan = (inspect(args).nan | ...), infinite = (inspect(args).infinite | ...), zero = (inspect(args).zero | ...);
        constexpr bool divides = (Op::meta.raises & ops::fp::divide) != 0, overflows = (Op::meta.raises & ops::fp::over) != 0;
        if (nan) return ops::fp::none;
        if (r.nan) return ops::fp::invalid;
        if (!r.infinite | infinite) return ops::fp::none;
        return divides && (zero || !overflows) ? ops::fp::divide : ops::fp::over;
    }
}

}  // namespace bascule::cuda

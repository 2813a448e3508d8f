// Conversion between any two element types, as NumPy's astype on x86. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/float16_conversion.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

// As x86 does, a value outside the target gives the least value. The select comes first, so that nothing is undefined.
template <class F> BASCULE_HD constexpr std::int32_t truncate_to_int32(F x) {
    bool const fits = both(x >= F(-2147483648.0), x < F(2147483648.0));
    return static_cast<std::int32_t>(fits ? x : F(-2147483648.0));
}
template <class F> BASCULE_HD constexpr std::int64_t truncate_to_int64(F x) {
    bool const fits = both(x >= F(-9223372036854775808.0), x < F(9223372036854775808.0));
    return static_cast<std::int64_t>(fits ? x : F(-9223372036854775808.0));
}

template <class To, class F> BASCULE_HD constexpr To float_to_integer(F x) {
    if constexpr (sizeof(To) < 4) return static_cast<To>(truncate_to_int32(x));
    else if constexpr (same_type<To, std::int32_t>) return truncate_to_int32(x);
    else if constexpr (same_type<To, std::int64_t>) return truncate_to_int64(x);
    else if constexpr (same_type<To, std::uint32_t>) {
        bool const upper = x >= F(2147483648.0);
        return static_cast<std::uint32_t>(truncate_to_int32(upper ? x - F(2147483648.0) : x)) ^
               (upper ? 0x80000000u : 0u);
    } else {
        bool const upper = x >= F(9223372036854775808.0);
        return static_cast<std::uint64_t>(truncate_to_int64(upper ? x - F(9223372036854775808.0) : x)) ^
               (upper ? 0x8000000000000000ull : 0ull);
    }
}

struct cast {
    static constexpr spec meta{.name = "cast",
                               .call = form::cast,
                               .types = types::boolean | types::numbers | types::times,
                               .computes = primitive::cast,
                               .raises = fp::over | fp::invalid,
                               .has_ufunc = false,
                               .doc = "Convert elements to another type."};

    template <class To, class From> BASCULE_HD To operator()(From x) const {
        if constexpr (same_type<To, From>) return x;
        // NumPy's loop for this pair narrows from 64 bits where the others narrow from 32.
        else if constexpr (same_type<From, float16> && same_type<To, std::uint32_t>)
            return static_cast<To>(truncate_to_int64(to_float32(x)));
        else if constexpr (same_type<From, float16>) return (*this).template operator()<To>(to_float32(x));
        else if constexpr (is_time_type<From>) return (*this).template operator()<To>(x.count);
        else if constexpr (is_time_type<To>) return {(*this).template operator()<std::int64_t>(x)};
        else if constexpr (is_bool_type<To>) return is_nonzero(x);
        else if constexpr (is_complex_type<To>) return to_complex<To>(x);
        else if constexpr (is_complex_type<From>) return (*this).template operator()<To>(x.re);
        else if constexpr (same_type<To, float16>) return narrow(x);
        else if constexpr (is_float_type<From> && is_integer_type<To>) return float_to_integer<To>(x);
        else return static_cast<To>(x);
    }

private:
    template <class To, class From> BASCULE_HD static To to_complex(From x) {
        using R = real_type<To>;
        if constexpr (is_complex_type<From>) return {static_cast<R>(x.re), static_cast<R>(x.im)};
        else return {static_cast<R>(x), R(0)};
    }
    // Integers go through float32, as in NumPy.
    template <class From> BASCULE_HD static float16 narrow(From x) {
        if constexpr (same_type<From, double>) return to_float16(x);
        else return to_float16(static_cast<float>(x));
    }
};

using cast_ops = op_list<cast>;

}  // namespace bascule::ops

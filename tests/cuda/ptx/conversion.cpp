// cvt: between all numbers, with every rounding and with saturation.
#include "half.hpp"
#include "lanes.hpp"
#include "rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bascule::ptx {
namespace {

template <class T> constexpr bool is_small = std::is_same_v<T, half> || std::is_same_v<T, brain>;
template <class T> constexpr bool is_real = std::is_floating_point_v<T> || is_small<T>;
template <class T> using computed = std::conditional_t<is_small<T>, float, T>;

template <class T> T to_integral(T x, rounding how) {
    switch (how) {
        case rounding::nearest: return std::nearbyint(x);
        case rounding::zero: return std::trunc(x);
        case rounding::minus: return std::floor(x);
        default: return std::ceil(x);
    }
}

// Too large numbers become the largest; what a NaN becomes depends on the widths.
template <class D, class A> D float_to_integer(A x, rounding how) {
    using limits = std::numeric_limits<D>;
    if (x != x)
        return sizeof(A) == 8 || sizeof(D) == 8 ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
    A const whole = to_integral(x, how);
    constexpr A beyond = static_cast<A>(limits::max() / 2 + 1) * 2;  // the first that is too large
    if (whole >= beyond) return limits::max();
    if (whole <= static_cast<A>(limits::min())) return limits::min();
    return static_cast<D>(whole);
}
template <class D, class A> D integer_to_integer(A x, bool saturate) {
    if (!saturate) return static_cast<D>(x);
    using limits = std::numeric_limits<D>;
    auto const wide = static_cast<__int128>(x);
    return static_cast<D>(std::clamp<__int128>(wide, limits::min(), limits::max()));
}

template <class D, class A> D converted(A given, instruction const& i, bool integral) {
    auto const how = static_cast<rounding>(i.order & rounding_bits);
    computed<A> x = given;
    if constexpr (!is_real<A> && !is_real<D>) return integer_to_integer<D>(x, i.order & saturates);
    else {
        if constexpr (std::is_same_v<A, float>)
            if (i.order & flushes && std::fabs(x) < std::numeric_limits<float>::min()) x = std::copysign(0.0f, x);
        if constexpr (!is_real<D>) return float_to_integer<D>(x, how);
        else {
            if constexpr (is_real<A>)
                if (integral) x = to_integral(x, how);
            if (i.order & saturates) x = !(x > 0) ? computed<A>{0} : x > 1 ? computed<A>{1} : x;
            if (i.more && !(x > 0)) x = 0;  // .relu
            if constexpr (is_small<D>) return D(static_cast<double>(x), how);
            else {
                D const r = static_cast<D>(x);  // rounds as the host's mode says
                if constexpr (std::is_same_v<D, float>) {
                    if (r != r) return std::bit_cast<float>(0x7fffffffu);
                    if (i.order & flushes && std::fabs(r) < std::numeric_limits<float>::min())
                        return std::copysign(0.0f, r);
                }
                return r;
            }
        }
    }
}

template <class D, class A, bool Integral> void convert(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a);
    constexpr bool by_host = std::is_floating_point_v<D>;
    rounds const mode(by_host && !Integral ? static_cast<rounding>(i.order & rounding_bits) : rounding::nearest);
    each_lane(active, [&](unsigned l) { put<D>(out, l, converted<D>(get<A>(a, l), i, Integral)); });
}
// Two floats become two small ones in a register, the first the upper.
template <class D> void convert_two(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b);
    each_lane(active, [&](unsigned l) {
        std::uint32_t const high = converted<D>(get<float>(a, l), i, false).bits,
                            low = converted<D>(get<float>(b, l), i, false).bits;
        put<std::uint32_t>(out, l, high << 16 | low);
    });
}

template <class F> handler of_type(type t, F f) {
    switch (t) {
        case type::u8: return f.template operator()<std::uint8_t>();
        case type::s8: return f.template operator()<std::int8_t>();
        case type::f16: return f.template operator()<half>();
        case type::bf16: return f.template operator()<brain>();
        case type::f32: return f.template operator()<float>();
        case type::f64: return f.template operator()<double>();
        default: return for_integers(t, f);
    }
}

}  // namespace

handler find_conversion(statement const& s, instruction& i) {
    if (s.op[0] != "cvt" || s.op.size() < 3) return nullptr;
    type const to = type_named(s.op[s.op.size() - 2]), from = i.type;
    bool const integral = is_float(to) && (s.has("rni") || s.has("rzi") || s.has("rmi") || s.has("rpi"));
    i.order = float_order_of(s);
    if (s.has("relu")) i.more = true;
    if (s.has("satfinite") || s.has("rna") || s.has("rs")) return nullptr;
    i.work = kind_of_work::conversion;
    if (to == type::f16x2 && from == type::f32 && s.operands.size() == 3) return convert_two<half>;
    if (to == type::bf16x2 && from == type::f32 && s.operands.size() == 3) return convert_two<brain>;
    return of_type(to, [&]<class D>() -> handler {
        return of_type(from,
                       [&]<class A>() -> handler { return integral ? convert<D, A, true> : convert<D, A, false>; });
    });
}

}  // namespace bascule::ptx

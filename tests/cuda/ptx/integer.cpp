// Instructions of integers: arithmetic, comparison of sizes, and fields of bits.
#include "lanes.hpp"

#include <limits>
#include <type_traits>

namespace bascule::ptx {
namespace {

template <class T> struct twice;
template <> struct twice<std::uint16_t> { using type = std::uint32_t; };
template <> struct twice<std::int16_t> { using type = std::int32_t; };
template <> struct twice<std::uint32_t> { using type = std::uint64_t; };
template <> struct twice<std::int32_t> { using type = std::int64_t; };
template <> struct twice<std::uint64_t> { using type = unsigned __int128; };
template <> struct twice<std::int64_t> { using type = __int128; };
template <class T> using wide = typename twice<T>::type;
template <class T> using bare = std::make_unsigned_t<T>;

// Overflow wraps.
template <class T> constexpr T wrapped_sum(T a, T b) { return static_cast<T>(bare<T>(a) + bare<T>(b)); }
template <class T> constexpr T wrapped_product(T a, T b) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
template <class T> constexpr T high(T a, T b) {
    return static_cast<T>((static_cast<wide<T>>(a) * static_cast<wide<T>>(b)) >> (8 * sizeof(T)));
}

struct add {
    template <class T> T operator()(T a, T b) const { return wrapped_sum(a, b); }
};
struct sub {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(bare<T>(a) - bare<T>(b)); }
};
struct mul_lo {
    template <class T> T operator()(T a, T b) const { return wrapped_product(a, b); }
};
struct mul_hi {
    template <class T> T operator()(T a, T b) const { return high(a, b); }
};
// Division by zero has no defined result: all bits set here.
struct div {
    template <class T> T operator()(T a, T b) const {
        if (b == 0) return static_cast<T>(-1);
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return static_cast<T>(0 - bare<T>(a));
        return static_cast<T>(a / b);
    }
};
struct rem {
    template <class T> T operator()(T a, T b) const {
        if (b == 0) return a;
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return 0;
        return static_cast<T>(a % b);
    }
};
struct least {
    template <class T> T operator()(T a, T b) const { return a < b ? a : b; }
};
struct greatest {
    template <class T> T operator()(T a, T b) const { return a < b ? b : a; }
};
struct negative {
    template <class T> T operator()(T a) const { return static_cast<T>(0 - bare<T>(a)); }
};
struct magnitude {
    template <class T> T operator()(T a) const { return a < 0 ? static_cast<T>(0 - bare<T>(a)) : a; }
};
struct mad_lo {
    template <class T> T operator()(T a, T b, T c) const { return wrapped_sum(wrapped_product(a, b), c); }
};
struct mad_hi {
    template <class T> T operator()(T a, T b, T c) const { return wrapped_sum(high(a, b), c); }
};
struct sad {
    template <class T> T operator()(T a, T b, T c) const {
        return wrapped_sum(c, static_cast<T>(a < b ? bare<T>(b) - bare<T>(a) : bare<T>(a) - bare<T>(b)));
    }
};
template <class T> T saturated(std::int64_t x) {
    using limits = std::numeric_limits<T>;
    return static_cast<T>(std::min<std::int64_t>(std::max<std::int64_t>(x, limits::min()), limits::max()));
}
struct add_saturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const {
        return saturated<std::int32_t>(std::int64_t{a} + b);
    }
};
struct sub_saturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const {
        return saturated<std::int32_t>(std::int64_t{a} - b);
    }
};
struct mad_hi_saturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
        return saturated<std::int32_t>(std::int64_t{high(a, b)} + c);
    }
};

// ---- products of twice the width, and of 24 bits
template <class T> struct mul_wide {
    wide<T> operator()(T a, T b) const { return static_cast<wide<T>>(a) * static_cast<wide<T>>(b); }
};
template <class T> struct mad_wide {
    wide<T> operator()(T a, T b, wide<T> c) const {
        return wrapped_sum(static_cast<wide<T>>(static_cast<wide<T>>(a) * static_cast<wide<T>>(b)), c);
    }
};
template <class T> std::int64_t product24(T a, T b) {
    auto const low = [](T x) { return static_cast<std::int64_t>(static_cast<T>(static_cast<bare<T>>(x) << 8) >> 8); };
    return low(a) * low(b);
}
template <class T, int Shift> struct mul24 {
    T operator()(T a, T b) const { return static_cast<T>(product24(a, b) >> Shift); }
};
template <class T, int Shift> struct mad24 {
    T operator()(T a, T b, T c) const { return wrapped_sum(static_cast<T>(product24(a, b) >> Shift), c); }
};

// ---- sums with a carry, which is a bit of each lane
template <class T, bool Minus, bool In, bool Out> void add_carry(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b);
    each_lane(active, [&](unsigned l) {
        unsigned __int128 const x = static_cast<bare<T>>(get<T>(a, l)), y = static_cast<bare<T>>(get<T>(b, l));
        unsigned const carry = In ? w.carry >> l & 1 : 0;
        unsigned __int128 const sum = Minus ? x - y - carry : x + y + carry;
        if (Out) w.carry = (w.carry & ~(1u << l)) | static_cast<unsigned>(sum >> (8 * sizeof(T)) & 1) << l;
        put<T>(out, l, static_cast<T>(sum));
    });
}
template <class T, bool High, bool In, bool Out> void mad_carry(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b), *const c = w.slot(i.c);
    each_lane(active, [&](unsigned l) {
        T const x = get<T>(a, l), y = get<T>(b, l);
        unsigned __int128 const product = static_cast<bare<T>>(High ? high(x, y) : wrapped_product(x, y));
        unsigned __int128 const sum = product + static_cast<bare<T>>(get<T>(c, l)) + (In ? w.carry >> l & 1 : 0);
        if (Out) w.carry = (w.carry & ~(1u << l)) | static_cast<unsigned>(sum >> (8 * sizeof(T)) & 1) << l;
        put<T>(out, l, static_cast<T>(sum));
    });
}

// ---- bits
struct popc {
    template <class T> std::uint32_t operator()(T a) const { return static_cast<std::uint32_t>(std::popcount(a)); }
};
struct clz {
    template <class T> std::uint32_t operator()(T a) const { return static_cast<std::uint32_t>(std::countl_zero(a)); }
};
struct brev {
    template <class T> T operator()(T a) const {
        T r = 0;
        for (unsigned k = 0; k < 8 * sizeof(T); ++k) r |= (a >> k & T{1}) << (8 * sizeof(T) - 1 - k);
        return r;
    }
};
// The highest bit that is not the sign; the shift that would bring it to the top.
template <bool Shift> struct bfind {
    template <class T> std::uint32_t operator()(T a) const {
        auto const bits = static_cast<bare<T>>(std::is_signed_v<T> && a < 0 ? ~a : a);
        if (bits == 0) return ~0u;
        auto const zeros = static_cast<std::uint32_t>(std::countl_zero(bits));
        return Shift ? zeros : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - zeros;
    }
};
template <class T> void bfe(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b), *const c = w.slot(i.c);
    constexpr unsigned bits = 8 * sizeof(T);
    each_lane(active, [=](unsigned l) {
        T const x = get<T>(a, l);
        unsigned const from = get<std::uint32_t>(b, l) & 0xff, count = get<std::uint32_t>(c, l) & 0xff;
        bool const sign = std::is_signed_v<T> && count > 0 &&
                          static_cast<bare<T>>(x) >> std::min(from + count - 1, bits - 1) & 1;
        bare<T> r = from < bits ? static_cast<bare<T>>(x) >> from : 0;
        unsigned const kept = std::min(count, from < bits ? bits - from : 0);
        if (kept < bits) r &= (bare<T>{1} << kept) - 1;
        if (sign && kept < bits) r |= ~((bare<T>{1} << kept) - 1);
        put<T>(out, l, static_cast<T>(r));
    });
}
template <class T> void bfi(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b), *const c = w.slot(i.c),
                         *const d = w.slot(i.d);
    constexpr unsigned bits = 8 * sizeof(T);
    each_lane(active, [=](unsigned l) {
        unsigned const from = get<std::uint32_t>(c, l) & 0xff, count = get<std::uint32_t>(d, l) & 0xff;
        T mask = count >= bits ? ~T{0} : (T{1} << count) - 1;
        mask = from < bits ? mask << from : 0;
        T const field = from < bits ? get<T>(a, l) << from : 0;
        put<T>(out, l, (get<T>(b, l) & ~mask) | (field & mask));
    });
}
struct bmsk {
    std::uint32_t operator()(std::uint32_t from, std::uint32_t count) const {
        std::uint64_t const mask = count >= 32 ? 0xffffffffu : (1u << count) - 1;
        return from >= 32 ? 0 : static_cast<std::uint32_t>(mask << from);
    }
};
template <class A, class B> std::uint32_t dot4(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned k = 0; k < 4; ++k)
        c += static_cast<std::uint32_t>(static_cast<A>(a >> 8 * k) * static_cast<B>(b >> 8 * k));
    return c;
}
template <class A, class B> struct dp4a {
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const { return dot4<A, B>(a, b, c); }
};

template <class F> handler both(type t) {
    return for_integers(t, []<class T>() -> handler { return binary<T, T, F>; });
}
template <class F> handler one(type t) {
    return for_integers(t, []<class T>() -> handler { return unary<T, T, F>; });
}
template <class F> handler three(type t) {
    return for_integers(t, []<class T>() -> handler { return ternary<T, T, F>; });
}
template <class F> handler counted(type t) {
    return for_integers(t, []<class T>() -> handler { return unary<T, std::uint32_t, F>; });
}
template <class F> handler bits_counted(type t) {
    if (t == type::b32) return unary<std::uint32_t, std::uint32_t, F>;
    return t == type::b64 ? unary<std::uint64_t, std::uint32_t, F> : nullptr;
}

template <bool Minus> handler with_carry(statement const& s, type t) {
    bool const in = s.op[0].back() == 'c', out = s.has("cc");
    auto const pick = [&]<class T>() -> handler {
        if (in) return out ? add_carry<T, Minus, true, true> : add_carry<T, Minus, true, false>;
        return add_carry<T, Minus, false, true>;
    };
    return bytes_of(t) == 8 ? pick.template operator()<std::uint64_t>() : pick.template operator()<std::uint32_t>();
}
handler mad_with_carry(statement const& s, type t) {
    bool const in = s.op[0] == "madc", out = s.has("cc"), top = s.has("hi");
    return for_integers(t, [&]<class T>() -> handler {
        if (in && out) return top ? mad_carry<T, true, true, true> : mad_carry<T, false, true, true>;
        if (in) return top ? mad_carry<T, true, true, false> : mad_carry<T, false, true, false>;
        return top ? mad_carry<T, true, false, true> : mad_carry<T, false, false, true>;
    });
}

handler wide_product(statement const& s, type t) {
    bool const adds = s.op[0] == "mad";
    switch (t) {
        case type::u16:
            return adds ? ternary<std::uint16_t, std::uint32_t, mad_wide<std::uint16_t>>
                        : binary<std::uint16_t, std::uint32_t, mul_wide<std::uint16_t>>;
        case type::s16:
            return adds ? ternary<std::int16_t, std::int32_t, mad_wide<std::int16_t>>
                        : binary<std::int16_t, std::int32_t, mul_wide<std::int16_t>>;
        case type::u32:
            return adds ? ternary<std::uint32_t, std::uint64_t, mad_wide<std::uint32_t>>
                        : binary<std::uint32_t, std::uint64_t, mul_wide<std::uint32_t>>;
        case type::s32:
            return adds ? ternary<std::int32_t, std::int64_t, mad_wide<std::int32_t>>
                        : binary<std::int32_t, std::int64_t, mul_wide<std::int32_t>>;
        default: return nullptr;
    }
}
handler product_of_24(statement const& s, type t) {
    bool const adds = s.op[0] == "mad24", top = s.has("hi"), is_int = is_signed(t);
    if (bytes_of(t) != 4) return nullptr;
    using u = std::uint32_t;
    using i = std::int32_t;
    if (adds && is_int) return top ? ternary<i, i, mad24<i, 16>> : ternary<i, i, mad24<i, 0>>;
    if (adds) return top ? ternary<u, u, mad24<u, 16>> : ternary<u, u, mad24<u, 0>>;
    if (is_int) return top ? binary<i, i, mul24<i, 16>> : binary<i, i, mul24<i, 0>>;
    return top ? binary<u, u, mul24<u, 16>> : binary<u, u, mul24<u, 0>>;
}
handler find_product(statement const& s, type t) {
    bool const adds = s.op[0] == "mad";
    if (s.has("wide")) return wide_product(s, t);
    if (s.has("hi") && s.has("sat")) return adds ? ternary<std::int32_t, std::int32_t, mad_hi_saturated> : nullptr;
    if (adds) return s.has("hi") ? three<mad_hi>(t) : three<mad_lo>(t);
    return s.has("hi") ? both<mul_hi>(t) : both<mul_lo>(t);
}
handler find_dot(statement const& s) {
    bool const a = s.op[1] == "s32", b = s.op[2] == "s32";
    using u = std::uint32_t;
    using i8 = std::int8_t;
    using u8 = std::uint8_t;
    if (a) return b ? ternary<u, u, dp4a<i8, i8>> : ternary<u, u, dp4a<i8, u8>>;
    return b ? ternary<u, u, dp4a<u8, i8>> : ternary<u, u, dp4a<u8, u8>>;
}

handler find_bits(statement const& s, type t) {
    std::string const& op = s.op[0];
    if (op == "popc") return bits_counted<popc>(t);
    if (op == "clz") return bits_counted<clz>(t);
    if (op == "brev")
        return t == type::b64 ? unary<std::uint64_t, std::uint64_t, brev> : unary<std::uint32_t, std::uint32_t, brev>;
    if (op == "bfind") return s.has("shiftamt") ? counted<bfind<true>>(t) : counted<bfind<false>>(t);
    if (op == "bfe") return for_integers(t, []<class T>() -> handler { return bfe<T>; });
    if (op == "bfi") return t == type::b64 ? bfi<std::uint64_t> : bfi<std::uint32_t>;
    if (op == "bmsk") return binary<std::uint32_t, std::uint32_t, bmsk>;
    return nullptr;
}

}  // namespace

handler find_integer(statement const& s, instruction& i) {
    std::string const& op = s.op[0];
    type const t = i.type;
    if (t == type::pred || is_float(t)) return nullptr;
    bool const saturates = s.has("sat");
    if (op == "addc" || (op == "add" && s.has("cc"))) return with_carry<false>(s, t);
    if (op == "subc" || (op == "sub" && s.has("cc"))) return with_carry<true>(s, t);
    if (op == "madc" || (op == "mad" && s.has("cc"))) return mad_with_carry(s, t);
    if (op == "add") return saturates ? binary<std::int32_t, std::int32_t, add_saturated> : both<add>(t);
    if (op == "sub") return saturates ? binary<std::int32_t, std::int32_t, sub_saturated> : both<sub>(t);
    if (op == "mul" || op == "mad") return find_product(s, t);
    if (op == "mul24" || op == "mad24") return product_of_24(s, t);
    if (op == "div") return both<div>(t);
    if (op == "rem") return both<rem>(t);
    if (op == "min") return both<least>(t);
    if (op == "max") return both<greatest>(t);
    if (op == "neg") return one<negative>(t);
    if (op == "abs") return one<magnitude>(t);
    if (op == "sad") return three<sad>(t);
    if (op == "dp4a") return find_dot(s);
    return find_bits(s, t);
}

}  // namespace bascule::ptx

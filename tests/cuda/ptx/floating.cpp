// Arithmetic of floats. Results of approximations are the nearest floats; a card's own may differ in the last bits.
#include "half.hpp"
#include "lanes.hpp"
#include "rounding.hpp"

#include <cmath>
#include <limits>

namespace bascule::ptx {
namespace {

template <class T> struct pair_of { T low, high; };

// A NaN of 32 bits is always the same one; one of 64 bits keeps its bits.
template <class T> T settled(T x) {
    if constexpr (std::is_same_v<T, float>) return x != x ? std::bit_cast<float>(0x7fffffffu) : x;
    else return x;
}
template <class T> T flushed(T x) { return std::fabs(x) < std::numeric_limits<T>::min() ? std::copysign(T{0}, x) : x; }
template <class T> T clamped(T x) { return !(x > 0) ? T{0} : x > 1 ? T{1} : x; }

// ---- functions of T, float for all types of 16 bits
struct add {
    template <class T> T operator()(T a, T b) const { return a + b; }
};
struct sub {
    template <class T> T operator()(T a, T b) const { return a - b; }
};
struct mul {
    template <class T> T operator()(T a, T b) const { return a * b; }
};
struct div {
    template <class T> T operator()(T a, T b) const { return a / b; }
};
struct fma {
    template <class T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); }
};
struct negative {
    template <class T> T operator()(T a) const { return -a; }
};
struct magnitude {
    template <class T> T operator()(T a) const { return std::fabs(a); }
};
struct root {
    template <class T> T operator()(T a) const { return std::sqrt(a); }
};
struct reciprocal {
    template <class T> T operator()(T a) const { return 1 / a; }
};
struct reciprocal_root {
    template <class T> T operator()(T a) const { return static_cast<T>(1 / std::sqrt(static_cast<long double>(a))); }
};
struct power_of_2 {
    template <class T> T operator()(T a) const { return static_cast<T>(std::exp2(static_cast<double>(a))); }
};
struct log_of_2 {
    template <class T> T operator()(T a) const { return static_cast<T>(std::log2(static_cast<double>(a))); }
};
struct sine {
    template <class T> T operator()(T a) const { return static_cast<T>(std::sin(static_cast<double>(a))); }
};
struct cosine {
    template <class T> T operator()(T a) const { return static_cast<T>(std::cos(static_cast<double>(a))); }
};
struct tangent {
    template <class T> T operator()(T a) const { return static_cast<T>(std::tanh(static_cast<double>(a))); }
};
// The other number in place of a NaN, and -0 below +0.
template <bool Max, bool KeepsNan> struct extremum {
    template <class T> T operator()(T a, T b) const {
        if (KeepsNan && (a != a || b != b)) return std::numeric_limits<T>::quiet_NaN();
        if (a != a) return b;
        if (b != b) return a;
        if (a == b) return std::signbit(a) == Max ? b : a;
        return (a < b) == Max ? b : a;
    }
};
// The sign of the first, the size of the second.
struct with_sign {
    template <class T> T operator()(T a, T b) const { return std::copysign(b, a); }
};

// ---- handlers: plain ones, and those that round otherwise, flush or saturate
template <class T, class F, unsigned Operands, bool Careful>
void arithmetic(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b), *const c = w.slot(i.c);
    bool const flush = Careful && i.order & flushes, saturate = Careful && i.order & saturates;
    rounds const mode(Careful ? static_cast<rounding>(i.order & rounding_bits) : rounding::nearest);
    auto const in = [=](std::uint64_t const* lanes, unsigned l) {
        T const x = get<T>(lanes, l);
        return flush ? flushed(x) : x;
    };
    each_lane(active, [=](unsigned l) {
        T r;
        if constexpr (Operands == 1) r = F{}(in(a, l));
        else if constexpr (Operands == 2) r = F{}(in(a, l), in(b, l));
        else r = F{}(in(a, l), in(b, l), in(c, l));
        if (flush) r = flushed(r);
        if (saturate) r = clamped(r);
        put<T>(out, l, settled(r));
    });
}

// Types of 16 bits, one or two in a register, computed as double and rounded once.
template <class T, class F, unsigned Operands> T computed(T a, T b, T c, instruction const& i) {
    double r;
    if constexpr (Operands == 1) r = F{}(static_cast<double>(a));
    else if constexpr (Operands == 2) r = F{}(static_cast<double>(a), static_cast<double>(b));
    else r = F{}(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
    T small(i.order & saturates ? clamped(r) : r, static_cast<rounding>(i.order & rounding_bits));
    if (i.more && !(static_cast<float>(small) > 0)) small = T(0.0);  // .relu
    return small;
}
template <class T, class F, unsigned Operands, bool Pair>
void small_arithmetic(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b), *const c = w.slot(i.c);
    each_lane(active, [&](unsigned l) {
        if constexpr (!Pair)
            return put<T>(out, l, computed<T, F, Operands>(get<T>(a, l), get<T>(b, l), get<T>(c, l), i));
        using two = pair_of<T>;
        two const x = get<two>(a, l), y = get<two>(b, l), z = get<two>(c, l);
        two const r{computed<T, F, Operands>(x.low, y.low, z.low, i),
                    computed<T, F, Operands>(x.high, y.high, z.high, i)};
        put<std::uint32_t>(out, l, std::bit_cast<std::uint32_t>(r));
    });
}

// Sign bits alone: no rounding, and a NaN stays what it is.
template <class T, int How> void sign_bit(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a);
    std::uint64_t const top =
        (i.type == type::f16x2 || i.type == type::bf16x2) ? 0x80008000u : std::uint64_t{1} << (8 * sizeof(T) - 1);
    each_lane(active, [=](unsigned l) {
        T const x = get<T>(a, l);
        put<T>(out, l, static_cast<T>(How < 0 ? x ^ top : x & ~top));
    });
}

template <class F, unsigned Operands> handler any_type(instruction const& i) {
    switch (i.type) {
        case type::f32: return i.order ? arithmetic<float, F, Operands, true> : arithmetic<float, F, Operands, false>;
        case type::f64: return i.order ? arithmetic<double, F, Operands, true> : arithmetic<double, F, Operands, false>;
        case type::f16: return small_arithmetic<half, F, Operands, false>;
        case type::bf16: return small_arithmetic<brain, F, Operands, false>;
        case type::f16x2: return small_arithmetic<half, F, Operands, true>;
        case type::bf16x2: return small_arithmetic<brain, F, Operands, true>;
        default: return nullptr;
    }
}
template <int How> handler sign(type t) {
    return for_bits(t, []<class T>() -> handler { return sign_bit<T, How>; });
}

// ---- properties
template <class T> bool has_property(T x, unsigned which) {
    switch (which) {
        case 0: return std::isfinite(x);
        case 1: return std::isinf(x);
        case 2: return x == x;
        case 3: return x != x;
        case 4: return std::isnormal(x);
        default: return std::fpclassify(x) == FP_SUBNORMAL;
    }
}
constexpr std::string_view properties[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
template <class T> void testp(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t const* const a = w.slot(i.a);
    std::uint32_t found = 0;
    each_lane(active, [&](unsigned l) { found |= std::uint32_t{has_property(get<T>(a, l), i.target)} << l; });
    std::uint32_t& out = w.predicate(i.out);
    out = (out & ~active) | found;
}

handler find_function(std::string const& op, instruction const& i) {
    if (op == "sqrt") return any_type<root, 1>(i);
    if (op == "rcp") return any_type<reciprocal, 1>(i);
    if (op == "rsqrt") return any_type<reciprocal_root, 1>(i);
    if (op == "ex2") return any_type<power_of_2, 1>(i);
    if (op == "lg2") return any_type<log_of_2, 1>(i);
    if (op == "sin") return any_type<sine, 1>(i);
    if (op == "cos") return any_type<cosine, 1>(i);
    return op == "tanh" ? any_type<tangent, 1>(i) : nullptr;
}

handler find_extremum(statement const& s, instruction const& i) {
    bool const keeps = s.has("NaN"), max = s.op[0] == "max";
    if (s.has("xorsign") || s.operands.size() != 3) return nullptr;
    if (max) return keeps ? any_type<extremum<true, true>, 2>(i) : any_type<extremum<true, false>, 2>(i);
    return keeps ? any_type<extremum<false, true>, 2>(i) : any_type<extremum<false, false>, 2>(i);
}

handler find_test(statement const& s, instruction& i) {
    for (std::size_t k = 0; k < std::size(properties); ++k)
        if (s.has(properties[k])) {
            i.target = static_cast<std::uint32_t>(k);
            return i.type == type::f64 ? testp<double> : testp<float>;
        }
    return nullptr;
}

}  // namespace

handler find_floating(statement const& s, instruction& i) {
    std::string const& op = s.op[0];
    if (!is_float(i.type) || op == "cvt" || op == "setp" || op == "set" || op == "selp") return nullptr;
    if (op == "testp") return find_test(s, i);
    i.order = float_order_of(s);
    i.work = i.type == type::f64 ? kind_of_work::doubles : kind_of_work::floating;
    if (s.has("relu")) i.more = true;
    handler found = nullptr;
    if (op == "add") found = any_type<add, 2>(i);
    else if (op == "sub") found = any_type<sub, 2>(i);
    else if (op == "mul") found = any_type<mul, 2>(i);
    else if (op == "div") found = any_type<div, 2>(i);
    else if (op == "fma" || op == "mad") found = any_type<fma, 3>(i);
    else if (op == "min" || op == "max") found = find_extremum(s, i);
    else if (op == "copysign") found = any_type<with_sign, 2>(i);
    else if ((op == "neg" || op == "abs") && !(i.order & flushes))
        found = op == "neg" ? sign<-1>(i.type) : sign<1>(i.type);
    else if (op == "neg") found = any_type<negative, 1>(i);
    else if (op == "abs") found = any_type<magnitude, 1>(i);
    else found = find_function(op, i);
    if (!found) i.order = 0;
    return found;
}

}  // namespace bascule::ptx

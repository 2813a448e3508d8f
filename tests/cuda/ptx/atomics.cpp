// Atomic accesses: lanes one after the other.
#include "access.hpp"

namespace bascule::ptx {
namespace {

struct sum {
    template <class T> T operator()(T old, T b, T) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(b));
        else return old + b;
    }
};
struct least {
    template <class T> T operator()(T old, T b, T) const { return b < old ? b : old; }
};
struct greatest {
    template <class T> T operator()(T old, T b, T) const { return old < b ? b : old; }
};
struct conjunction {
    template <class T> T operator()(T old, T b, T) const { return old & b; }
};
struct disjunction {
    template <class T> T operator()(T old, T b, T) const { return old | b; }
};
struct exclusive {
    template <class T> T operator()(T old, T b, T) const { return old ^ b; }
};
struct exchange {
    template <class T> T operator()(T, T b, T) const { return b; }
};
struct compare_and_swap {
    template <class T> T operator()(T old, T b, T c) const { return old == b ? c : old; }
};
struct increment {
    template <class T> T operator()(T old, T b, T) const { return old >= b ? 0 : old + 1; }
};
struct decrement {
    template <class T> T operator()(T old, T b, T) const { return old == 0 || old > b ? b : old - 1; }
};

template <class T, class F, bool Returns> void update(warp& w, instruction const& i, std::uint32_t active) {
    warp_access access(w, i, sizeof(T), access_kind::update);
    std::uint64_t *const out = w.slot(i.out), *const b = w.slot(i.b), *const c = w.slot(i.c);
    each_lane(active, [&](unsigned l) {
        char* const at = access.at(l);
        T old;
        std::memcpy(&old, at, sizeof old);
        T const next = F{}(old, get<T>(b, l), get<T>(c, l));
        std::memcpy(at, &next, sizeof next);
        if constexpr (Returns) put<T>(out, l, old);
    });
}

template <class T, class F> handler of(statement const& s) {
    return s.op[0] == "atom" ? update<T, F, true> : update<T, F, false>;
}
template <class F> handler of_bits(statement const& s, type t) {
    if (bytes_of(t) == 2) return of<std::uint16_t, F>(s);
    if (bytes_of(t) == 4) return of<std::uint32_t, F>(s);
    return bytes_of(t) == 8 ? of<std::uint64_t, F>(s) : nullptr;
}
template <class F> handler of_sizes(statement const& s, type t) {
    if (t == type::s32) return of<std::int32_t, F>(s);
    if (t == type::s64) return of<std::int64_t, F>(s);
    if (t == type::u32) return of<std::uint32_t, F>(s);
    return t == type::u64 ? of<std::uint64_t, F>(s) : nullptr;
}

}  // namespace

handler find_atomic(statement const& s, instruction& i) {
    if ((s.op[0] != "atom" && s.op[0] != "red") || i.count > 1) return nullptr;
    set_space_and_order(s, i);
    i.order |= strong | acquires;
    type const t = i.type;
    if (s.has("add") && t == type::f32) return of<float, sum>(s);
    if (s.has("add") && t == type::f64) return of<double, sum>(s);
    if (is_float(t)) return nullptr;
    if (s.has("add")) return of_sizes<sum>(s, t);
    if (s.has("min")) return of_sizes<least>(s, t);
    if (s.has("max")) return of_sizes<greatest>(s, t);
    if (s.has("and")) return of_bits<conjunction>(s, t);
    if (s.has("or")) return of_bits<disjunction>(s, t);
    if (s.has("xor")) return of_bits<exclusive>(s, t);
    if (s.has("exch")) return of_bits<exchange>(s, t);
    if (s.has("cas")) return of_bits<compare_and_swap>(s, t);
    if (s.has("inc") && t == type::u32) return of<std::uint32_t, increment>(s);
    if (s.has("dec") && t == type::u32) return of<std::uint32_t, decrement>(s);
    return nullptr;
}

}  // namespace bascule::ptx

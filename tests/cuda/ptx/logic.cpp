// Bits, predicates, comparisons, selections and moves.
#include "half.hpp"
#include "lanes.hpp"

#include <cmath>

namespace bascule::ptx {
namespace {

// ---- bits
struct band {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
struct bor {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
struct bxor {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};
struct bnot {
    template <class T> T operator()(T a) const { return static_cast<T>(~a); }
};
struct cnot {
    template <class T> T operator()(T a) const { return a == 0; }
};
struct copy {
    template <class T> T operator()(T a) const { return a; }
};
// Shifts stop at the width.
template <class T, bool Left> void shift(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b);
    constexpr unsigned bits = 8 * sizeof(T);
    each_lane(active, [=](unsigned l) {
        T const x = get<T>(a, l);
        unsigned const by = get<std::uint32_t>(b, l);
        T const beyond = Left ? T{0} : static_cast<T>(std::is_signed_v<T> ? x >> (bits - 1) : 0);
        put<T>(out, l, by >= bits ? beyond : static_cast<T>(Left ? x << by : x >> by));
    });
}
template <bool Left, bool Wrap> struct funnel {
    std::uint32_t operator()(std::uint32_t low, std::uint32_t high, std::uint32_t by) const {
        unsigned const n = Wrap ? by & 31 : std::min(by, 32u);
        std::uint64_t const both = std::uint64_t{high} << 32 | low;
        return static_cast<std::uint32_t>(Left ? (both << n) >> 32 : both >> n);
    }
};
void lop3(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b), *const c = w.slot(i.c),
                         *const table = w.slot(i.d);
    each_lane(active, [=](unsigned l) {
        std::uint32_t const x = get<std::uint32_t>(a, l), y = get<std::uint32_t>(b, l), z = get<std::uint32_t>(c, l),
                            t = get<std::uint32_t>(table, l);
        std::uint32_t r = 0;
        for (unsigned k = 0; k < 8; ++k)
            if (t >> k & 1) r |= (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
        put<std::uint32_t>(out, l, r);
    });
}
// Bytes chosen among eight; the fourth bit of a choice repeats the sign.
struct prmt {
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t choice) const {
        std::uint64_t const bytes = std::uint64_t{b} << 32 | a;
        std::uint32_t r = 0;
        for (unsigned k = 0; k < 4; ++k) {
            unsigned const c = choice >> 4 * k & 15;
            std::uint32_t byte = bytes >> 8 * (c & 7) & 0xff;
            if (c & 8) byte = byte & 0x80 ? 0xff : 0;
            r |= byte << 8 * k;
        }
        return r;
    }
};
enum class permute : std::uint8_t { f4e, b4e, rc8, ecl, ecr, rc16 };
template <permute Mode> struct prmt_by {
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t choice) const {
        unsigned const n = choice & 3;
        std::uint32_t s = 0;
        for (unsigned k = 0; k < 4; ++k) {
            unsigned c = 0;
            if (Mode == permute::f4e) c = n + k;
            else if (Mode == permute::b4e) c = (n + 8 - k) & 7;
            else if (Mode == permute::rc8) c = n;
            else if (Mode == permute::ecl) c = std::max(k, n);
            else if (Mode == permute::ecr) c = std::min(k, n);
            else c = (n & 1) * 2 + (k & 1);
            s |= c << 4 * k;
        }
        return prmt{}(a, b, s);
    }
};

// ---- predicates are masks of lanes
std::uint32_t source(warp const& w, std::uint32_t slot) { return w.predicate(slot); }
void store(warp& w, std::uint32_t slot, std::uint32_t value, std::uint32_t active) {
    std::uint32_t& out = w.predicate(slot);
    out = (out & ~active) | (value & active);
}
template <class F> void on_predicates(warp& w, instruction const& i, std::uint32_t active) {
    store(w, i.out, F{}(source(w, i.a), source(w, i.b)), active);
}
void not_predicate(warp& w, instruction const& i, std::uint32_t active) { store(w, i.out, ~source(w, i.a), active); }
// A constant is any number but zero.
void move_predicate(warp& w, instruction const& i, std::uint32_t active) {
    store(w, i.out, i.more ? (source(w, i.a) ? every_lane : 0) : source(w, i.a), active);
}

// ---- comparisons
enum class relation : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
constexpr std::string_view relation_names[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                               "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
template <relation R, class T> bool holds(T a, T b) {
    bool const unordered = a != a || b != b;
    switch (R) {
        case relation::eq: return a == b;
        case relation::ne: return a != b && !unordered;
        case relation::lt: return a < b;
        case relation::le: return a <= b;
        case relation::gt: return a > b;
        case relation::ge: return a >= b;
        case relation::equ: return a == b || unordered;
        case relation::neu: return a != b;
        case relation::ltu: return a < b || unordered;
        case relation::leu: return a <= b || unordered;
        case relation::gtu: return a > b || unordered;
        case relation::geu: return a >= b || unordered;
        case relation::num: return !unordered;
        default: return unordered;
    }
}
template <class T, relation R> std::uint32_t compared(warp& w, instruction const& i) {
    std::uint64_t const *const a = w.slot(i.a), *const b = w.slot(i.b);
    std::uint32_t mask = 0;
    for (unsigned l = 0; l < warp_lanes; ++l) mask |= std::uint32_t{holds<R>(get<T>(a, l), get<T>(b, l))} << l;
    return mask;
}
// p|q of the comparison and its contrary, each joined with c.
enum class joined : std::uint8_t { alone, with_and, with_or, with_xor };
template <class T, relation R> void setp(warp& w, instruction const& i, std::uint32_t active) {
    std::uint32_t const found = compared<T, R>(w, i);
    auto const how = static_cast<joined>(i.order);
    std::uint32_t const c = how == joined::alone ? 0 : source(w, i.c) ^ (i.more ? every_lane : 0);
    auto const join = [&](std::uint32_t x) {
        return how == joined::with_and ? x & c : how == joined::with_or ? x | c : how == joined::with_xor ? x ^ c : x;
    };
    std::uint32_t const second = join(~found);
    store(w, i.out, join(found), active);
    if (i.count > 1) store(w, w.in->of->work.kernel->lists[i.list + 1], second, active);
}
template <class T, relation R> void set(warp& w, instruction const& i, std::uint32_t active) {
    std::uint32_t const found = compared<T, R>(w, i);
    auto const how = static_cast<joined>(i.order);
    std::uint32_t const c = how == joined::alone ? 0 : source(w, i.c) ^ (i.more ? every_lane : 0);
    std::uint32_t const r = how == joined::with_and   ? found & c
                            : how == joined::with_or  ? found | c
                            : how == joined::with_xor ? found ^ c
                                                      : found;
    std::uint32_t const yes = i.target ? std::bit_cast<std::uint32_t>(1.0f) : every_lane;
    std::uint64_t* const out = w.slot(i.out);
    each_lane(active, [=](unsigned l) { put<std::uint32_t>(out, l, r >> l & 1 ? yes : 0); });
}

// ---- selections
template <class T> void selp(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b);
    std::uint32_t const c = source(w, i.c) ^ (i.more ? every_lane : 0);
    each_lane(active, [=](unsigned l) { put<T>(out, l, c >> l & 1 ? get<T>(a, l) : get<T>(b, l)); });
}
template <class T, class C> void slct(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b), *const c = w.slot(i.c);
    each_lane(active, [=](unsigned l) { put<T>(out, l, get<C>(c, l) >= 0 ? get<T>(a, l) : get<T>(b, l)); });
}

// ---- parts of a register: mov.b64 {a, b}, c and mov.b64 c, {a, b}
template <class T, bool Apart> void move_parts(warp& w, instruction const& i, std::uint32_t active) {
    std::uint32_t const* const list = w.in->of->work.kernel->lists.data() + i.list;
    std::uint64_t* const whole = w.slot(Apart ? i.a : i.out);
    unsigned const bits = static_cast<unsigned>(bytes_of(i.type)) * 8 / i.count;
    std::uint64_t const mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    each_lane(active, [=, &w](unsigned l) {
        std::uint64_t all = 0;
        std::uint64_t const before = whole[l];
        for (unsigned k = 0; k < i.count; ++k) {
            if (Apart) w.slot(list[k])[l] = before >> bits * k & mask;
            else all |= (w.slot(list[k])[l] & mask) << bits * k;
        }
        if (!Apart) whole[l] = all;
    });
}

void cvta_add(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a);
    auto const window = static_cast<std::uint64_t>(i.offset);
    each_lane(active, [=](unsigned l) { out[l] = a[l] + window; });
}
void isspacep(warp& w, instruction const& i, std::uint32_t active) {
    auto const window = static_cast<std::uint64_t>(i.offset);
    std::uint32_t found = 0;
    each_lane(active, [&](unsigned l) { found |= std::uint32_t{(w.slot(i.a)[l] & window_mask) == window} << l; });
    store(w, i.out, found, active);
}

template <class F> handler bitwise(type t) {
    return for_bits(t, []<class T>() -> handler { return binary<T, T, F>; });
}
template <bool Left> handler shifted(type t) {
    if (Left) return for_bits(t, []<class T>() -> handler { return shift<T, Left>; });
    return for_integers(t, []<class T>() -> handler { return shift<T, Left>; });
}

template <class T, template <class, relation> class F, std::size_t... R>
handler of_relation(std::size_t k, std::index_sequence<R...>) {
    handler const all[] = {F<T, static_cast<relation>(R)>::run...};
    return all[k];
}
template <class T, relation R> struct setp_of { static constexpr handler run = setp<T, R>; };
template <class T, relation R> struct set_of { static constexpr handler run = set<T, R>; };
template <template <class, relation> class F> handler comparison(type t, std::size_t k) {
    auto const indices = std::make_index_sequence<std::size(relation_names)>{};
    if (t == type::f32) return of_relation<float, F>(k, indices);
    if (t == type::f64) return of_relation<double, F>(k, indices);
    if (t == type::f16) return of_relation<half, F>(k, indices);
    if (t == type::bf16) return of_relation<brain, F>(k, indices);
    return for_integers(t, [&]<class T>() -> handler { return of_relation<T, F>(k, indices); });
}

handler find_comparison(statement const& s, instruction& i) {
    constexpr std::string_view unsigned_names[] = {"lo", "ls", "hi", "hs"};
    constexpr std::string_view instead[] = {"lt", "le", "gt", "ge"};
    std::string_view name = s.op.at(1);
    for (std::size_t k = 0; k < 4; ++k)
        if (name == unsigned_names[k]) name = instead[k];
    auto const* const found = std::find(std::begin(relation_names), std::end(relation_names), name);
    if (found == std::end(relation_names)) return nullptr;
    auto const how = s.has("and")   ? joined::with_and
                     : s.has("or")  ? joined::with_or
                     : s.has("xor") ? joined::with_xor
                                    : joined::alone;
    i.order = static_cast<std::uint8_t>(how);
    auto const k = static_cast<std::size_t>(found - std::begin(relation_names));
    if (s.op[0] == "setp") return comparison<setp_of>(i.type, k);
    i.target = s.op[s.op.size() - 2] == "f32";
    return comparison<set_of>(i.type, k);
}

handler find_move(statement const& s, instruction& i) {
    operand const& from = s.operands.at(1);
    if (i.type == type::pred) {
        i.more = from.kind == operand_kind::integer;
        return move_predicate;
    }
    bool const apart = s.operands[0].kind == operand_kind::vector;
    if (apart || from.kind == operand_kind::vector) {
        if (bytes_of(i.type) > 8) return nullptr;
        return apart ? move_parts<std::uint64_t, true> : move_parts<std::uint64_t, false>;
    }
    return for_bits(i.type, []<class T>() -> handler { return unary<T, T, copy>; });
}

handler find_prmt(statement const& s) {
    using u = std::uint32_t;
    if (s.has("f4e")) return ternary<u, u, prmt_by<permute::f4e>>;
    if (s.has("b4e")) return ternary<u, u, prmt_by<permute::b4e>>;
    if (s.has("rc8")) return ternary<u, u, prmt_by<permute::rc8>>;
    if (s.has("ecl")) return ternary<u, u, prmt_by<permute::ecl>>;
    if (s.has("ecr")) return ternary<u, u, prmt_by<permute::ecr>>;
    return s.has("rc16") ? ternary<u, u, prmt_by<permute::rc16>> : ternary<u, u, prmt>;
}

handler find_shift(statement const& s, type t) {
    std::string const& op = s.op[0];
    if (op == "shl") return shifted<true>(t);
    if (op == "shr") return shifted<false>(t);
    if (op != "shf" || t != type::b32) return nullptr;
    using u = std::uint32_t;
    if (s.has("l")) return s.has("wrap") ? ternary<u, u, funnel<true, true>> : ternary<u, u, funnel<true, false>>;
    return s.has("wrap") ? ternary<u, u, funnel<false, true>> : ternary<u, u, funnel<false, false>>;
}

handler find_window(statement const& s, instruction& i) {
    bool const to = s.has("to");
    std::uint64_t const window = s.has("shared") || s.has("shared::cta") ? shared_window
                                 : s.has("local")                        ? local_window
                                 : s.has("param")                        ? param_window
                                                                         : 0;
    if (s.op[0] == "isspacep" && s.has("const")) return nullptr;
    i.offset = static_cast<std::int64_t>(to ? 0 - window : window);
    return s.op[0] == "cvta" ? cvta_add : isspacep;
}

handler find_select(statement const& s, type t) {
    if (s.op[0] == "selp") return for_bits(t, []<class T>() -> handler { return selp<T>; });
    bool const by_float = s.op.back() == "f32";
    return for_bits(type_named(s.op[s.op.size() - 2]),
                    [&]<class T>() -> handler { return by_float ? slct<T, float> : slct<T, std::int32_t>; });
}

}  // namespace

handler find_logic(statement const& s, instruction& i) {
    std::string const& op = s.op[0];
    type const t = i.type;
    i.work = kind_of_work::logic;
    bool const on_pred = t == type::pred;
    if (op == "mov") return find_move(s, i);
    if (op == "and") return on_pred ? on_predicates<band> : bitwise<band>(t);
    if (op == "or") return on_pred ? on_predicates<bor> : bitwise<bor>(t);
    if (op == "xor") return on_pred ? on_predicates<bxor> : bitwise<bxor>(t);
    if (op == "not" && on_pred) return not_predicate;
    if (op == "not") return for_bits(t, []<class T>() -> handler { return unary<T, T, bnot>; });
    if (op == "cnot") return for_bits(t, []<class T>() -> handler { return unary<T, T, cnot>; });
    if (op == "lop3" && t == type::b32) return lop3;
    if (op == "prmt") return find_prmt(s);
    if (op == "selp" || op == "slct") return find_select(s, t);
    if (op == "setp" || op == "set") return find_comparison(s, i);
    if (op == "cvta" || op == "isspacep") return find_window(s, i);
    return find_shift(s, t);
}

}  // namespace bascule::ptx

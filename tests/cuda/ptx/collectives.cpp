// Instructions of a warp: votes, shuffles, matches and reductions of its lanes.
#include "lanes.hpp"

#include <algorithm>

namespace bascule::ptx {
namespace {

std::uint32_t members(warp const& w, instruction const& i, unsigned lane) {
    return get<std::uint32_t>(w.slot(i.d), lane);
}
void set_predicate(warp& w, std::uint32_t slot, std::uint32_t value, std::uint32_t active) {
    std::uint32_t& out = w.predicate(slot);
    out = (out & ~active) | (value & active);
}

// ---- shuffles
enum class from : std::uint8_t { up, down, bfly, idx };
template <from Mode> void shfl(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t before[warp_lanes];
    std::copy_n(w.slot(i.a), warp_lanes, before);
    std::uint64_t *const out = w.slot(i.out), *const b = w.slot(i.b), *const c = w.slot(i.c);
    std::uint32_t inside = 0;
    each_lane(active, [&](unsigned l) {
        std::uint32_t const by = get<std::uint32_t>(b, l) & 31, clamp = get<std::uint32_t>(c, l) & 31,
                            segment = get<std::uint32_t>(c, l) >> 8 & 31;
        std::uint32_t const most = (l & segment) | (clamp & ~segment), least = l & segment;
        std::int32_t const lane = static_cast<std::int32_t>(l), n = static_cast<std::int32_t>(by);
        std::int32_t const j = Mode == from::up     ? lane - n
                               : Mode == from::down ? lane + n
                               : Mode == from::bfly ? lane ^ n
                                                    : static_cast<std::int32_t>(least | (by & ~segment));
        bool const is_inside = Mode == from::up ? j >= static_cast<std::int32_t>(most)
                                                : j <= static_cast<std::int32_t>(most);
        unsigned const source = is_inside ? static_cast<unsigned>(j) : l;
        if (!(active >> source & 1))
            stop(w, i, fault_kind::failed,
                 "a shuffle from lane " + std::to_string(source) + ", which does not take part");
        inside |= std::uint32_t{is_inside} << l;
        put<std::uint32_t>(out, l, static_cast<std::uint32_t>(before[source]));
    });
    if (i.count > 1) set_predicate(w, w.in->of->work.kernel->lists[i.list + 1], inside, active);
}

// ---- votes
enum class vote_kind : std::uint8_t { all, any, uni, ballot };
template <vote_kind Kind> void vote(warp& w, instruction const& i, std::uint32_t active) {
    std::uint32_t const votes = (w.predicate(i.a) ^ (i.more ? every_lane : 0)) & active;
    std::uint32_t yes = 0;
    each_lane(active, [&](unsigned l) {
        std::uint32_t const of = members(w, i, l), here = votes & of;
        if (Kind == vote_kind::ballot) return put<std::uint32_t>(w.slot(i.out), l, here);
        bool const is = Kind == vote_kind::all   ? here == of
                        : Kind == vote_kind::any ? here != 0
                                                 : here == 0 || here == of;
        yes |= std::uint32_t{is} << l;
    });
    if (Kind != vote_kind::ballot) set_predicate(w, i.out, yes, active);
}

template <class T> void match_any(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t const* const a = w.slot(i.a);
    std::uint32_t found[warp_lanes];
    each_lane(active, [&](unsigned l) {
        found[l] = 0;
        each_lane(members(w, i, l),
                  [&](unsigned other) { found[l] |= std::uint32_t{get<T>(a, other) == get<T>(a, l)} << other; });
    });
    each_lane(active, [&](unsigned l) { put<std::uint32_t>(w.slot(i.out), l, found[l]); });
}
template <class T> void match_all(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t const* const a = w.slot(i.a);
    std::uint32_t same = 0, of[warp_lanes];
    each_lane(active, [&](unsigned l) {
        bool all = true;
        of[l] = members(w, i, l);
        each_lane(of[l], [&](unsigned other) { all = all && get<T>(a, other) == get<T>(a, l); });
        same |= std::uint32_t{all} << l;
    });
    each_lane(active, [&](unsigned l) { put<std::uint32_t>(w.slot(i.out), l, same >> l & 1 ? of[l] : 0); });
    if (i.count > 1) set_predicate(w, w.in->of->work.kernel->lists[i.list + 1], same, active);
}

struct sum {
    template <class T> T operator()(T a, T b) const { return static_cast<T>(std::uint32_t(a) + std::uint32_t(b)); }
};
struct least {
    template <class T> T operator()(T a, T b) const { return std::min(a, b); }
};
struct greatest {
    template <class T> T operator()(T a, T b) const { return std::max(a, b); }
};
struct conjunction {
    template <class T> T operator()(T a, T b) const { return a & b; }
};
struct disjunction {
    template <class T> T operator()(T a, T b) const { return a | b; }
};
struct exclusive {
    template <class T> T operator()(T a, T b) const { return a ^ b; }
};
template <class T, class F> void redux(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t const* const a = w.slot(i.a);
    T found[warp_lanes];
    each_lane(active, [&](unsigned l) {
        std::uint32_t const of = members(w, i, l);
        auto const first = static_cast<unsigned>(std::countr_zero(of));
        T r = get<T>(a, first);
        each_lane(of & (of - 1), [&](unsigned other) { r = F{}(r, get<T>(a, other)); });
        found[l] = r;
    });
    each_lane(active, [&](unsigned l) { put<T>(w.slot(i.out), l, found[l]); });
}

void elect(warp& w, instruction const& i, std::uint32_t active) {
    std::uint32_t chosen = 0;
    each_lane(active, [&](unsigned l) {
        auto const leader = static_cast<unsigned>(std::countr_zero(members(w, i, l)));
        put<std::uint32_t>(w.slot(i.out), l, leader);
        chosen |= std::uint32_t{leader == l} << l;
    });
    if (i.count > 1) set_predicate(w, w.in->of->work.kernel->lists[i.list + 1], chosen, active);
}

void activemask(warp& w, instruction const& i, std::uint32_t active) {
    each_lane(active, [&](unsigned l) { put<std::uint32_t>(w.slot(i.out), l, active); });
}

template <class F> handler reduction(type t) {
    return t == type::s32 ? redux<std::int32_t, F> : redux<std::uint32_t, F>;
}
handler find_redux(statement const& s, type t) {
    if (bytes_of(t) != 4 || is_float(t)) return nullptr;
    if (s.has("add")) return reduction<sum>(t);
    if (s.has("min")) return reduction<least>(t);
    if (s.has("max")) return reduction<greatest>(t);
    if (s.has("and")) return reduction<conjunction>(t);
    if (s.has("or")) return reduction<disjunction>(t);
    return s.has("xor") ? reduction<exclusive>(t) : nullptr;
}
handler find_shuffle(statement const& s) {
    if (s.has("up")) return shfl<from::up>;
    if (s.has("down")) return shfl<from::down>;
    return s.has("bfly") ? shfl<from::bfly> : s.has("idx") ? shfl<from::idx> : nullptr;
}
handler find_vote(statement const& s) {
    if (s.has("all")) return vote<vote_kind::all>;
    if (s.has("any")) return vote<vote_kind::any>;
    return s.has("uni") ? vote<vote_kind::uni> : s.has("ballot") ? vote<vote_kind::ballot> : nullptr;
}

}  // namespace

// The mask of members is the last operand.
handler find_warp(statement const& s, instruction& i) {
    std::string const& op = s.op[0];
    i.work = kind_of_work::warp;
    if (op == "activemask") return activemask;
    if (!s.has("sync")) return nullptr;
    std::uint32_t* const positions[] = {&i.out, &i.a, &i.b, &i.c, &i.d};
    if (s.operands.size() < 2 || s.operands.size() > 5) return nullptr;
    i.d = *positions[s.operands.size() - 1];
    i.how = flow::collective;
    if (op == "shfl") return find_shuffle(s);
    if (op == "vote") return find_vote(s);
    if (op == "redux") return find_redux(s, i.type);
    if (op == "elect") return elect;
    if (op == "match" && s.has("any"))
        return bytes_of(i.type) == 8 ? match_any<std::uint64_t> : match_any<std::uint32_t>;
    if (op == "match") return bytes_of(i.type) == 8 ? match_all<std::uint64_t> : match_all<std::uint32_t>;
    return nullptr;
}

}  // namespace bascule::ptx

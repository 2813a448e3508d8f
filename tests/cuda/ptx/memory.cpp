// Loads, stores and fences.
#include "access.hpp"

namespace bascule::ptx {
namespace {

// Of parameters and constants by name: one address for all lanes.
template <class T> void load_uniform(warp& w, instruction const& i, std::uint32_t active) {
    warp_access access(w, i, static_cast<unsigned>(sizeof(T)) * i.count, access_kind::read);
    std::uint32_t const* const list = w.in->of->work.kernel->lists.data() + i.list;
    char const* const from = access.at(static_cast<unsigned>(std::countr_zero(active)));
    for (unsigned k = 0; k < i.count; ++k) {
        T v;
        std::memcpy(&v, from + k * sizeof(T), sizeof v);
        std::uint64_t* const out = w.slot(i.count == 1 ? i.out : list[k]);
        each_lane(active, [=](unsigned l) { put<T>(out, l, v); });
    }
}
template <class T> void load(warp& w, instruction const& i, std::uint32_t active) {
    warp_access access(w, i, static_cast<unsigned>(sizeof(T)) * i.count, access_kind::read);
    std::uint32_t const* const list = w.in->of->work.kernel->lists.data() + i.list;
    each_lane(active, [&](unsigned l) {
        char const* const from = access.at(l);
        for (unsigned k = 0; k < i.count; ++k) {
            T v;
            std::memcpy(&v, from + k * sizeof(T), sizeof v);
            put<T>(w.slot(i.count == 1 ? i.out : list[k]), l, v);
        }
    });
}
template <class T> void store(warp& w, instruction const& i, std::uint32_t active) {
    warp_access access(w, i, static_cast<unsigned>(sizeof(T)) * i.count, access_kind::write);
    std::uint32_t const* const list = w.in->of->work.kernel->lists.data() + i.list;
    each_lane(active, [&](unsigned l) {
        char* const to = access.at(l);
        for (unsigned k = 0; k < i.count; ++k) {
            T const v = get<T>(w.slot(i.count == 1 ? i.b : list[k]), l);
            std::memcpy(to + k * sizeof(T), &v, sizeof v);
        }
    });
}

// Only memory of the device is ordered between blocks.
void fence(warp& w, instruction const& i, std::uint32_t) {
    block& b = *w.in;
    machine& m = *b.of;
    b.acquired = ++m.tick;
    if (i.more) m.published[b.number - m.first_block] = m.tick;
}
void nothing(warp&, instruction const&, std::uint32_t) {}

template <class F> handler by_type(type t, F f) {
    switch (t) {
        case type::s8: return f.template operator()<std::int8_t>();
        case type::s16: return f.template operator()<std::int16_t>();
        case type::s32: return f.template operator()<std::int32_t>();
        default: return for_bits(t, f);
    }
}

}  // namespace

void set_space_and_order(statement const& s, instruction& i) {
    i.space = s.has("global")                                                   ? space::global
              : s.has("shared") || s.has("shared::cta")                         ? space::shared
              : s.has("local")                                                  ? space::local
              : s.has("const")                                                  ? space::constant
              : s.has("param") || s.has("param::entry") || s.has("param::func") ? space::param
                                                                                : space::generic;
    if (s.has("volatile") || s.has("relaxed") || s.has("mmio")) i.order |= strong;
    if (s.has("acquire") || s.has("acq_rel") || s.has("volatile")) i.order |= strong | acquires;
    if (s.has("release") || s.has("acq_rel")) i.order |= strong | releases;
    i.work = i.space == space::shared ? kind_of_work::shared : kind_of_work::memory;
}

handler find_memory(statement const& s, instruction& i) {
    std::string const& op = s.op[0];
    if (op == "membar" || op == "fence") {
        i.work = kind_of_work::memory;
        i.more = !s.has("cta");
        return fence;
    }
    if (op == "prefetch" || op == "prefetchu" || op == "nanosleep" || op == "discard" || op == "applypriority") {
        i.work = kind_of_work::memory;
        return nothing;
    }
    if (op != "ld" && op != "st" && op != "ldu") return nullptr;
    set_space_and_order(s, i);
    if (bytes_of(i.type) * i.count > 32 || bytes_of(i.type) > 8) return nullptr;
    if (op == "st") return by_type(i.type, []<class T>() -> handler { return store<T>; });
    if (i.more) return by_type(i.type, []<class T>() -> handler { return load_uniform<T>; });
    return by_type(i.type, []<class T>() -> handler { return load<T>; });
}

}  // namespace bascule::ptx

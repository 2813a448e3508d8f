// Lanes of registers as numbers of any type.
#pragma once
#include "machine.hpp"

#include <bit>
#include <cstring>

namespace bascule::ptx {

template <class T> inline T get(std::uint64_t const* lanes, unsigned l) {
    T v;
    std::memcpy(static_cast<void*>(&v), lanes + l, sizeof v);
    return v;
}
// Numbers shorter than a slot are extended by zeros, of signed types by their sign.
template <class T> inline void put(std::uint64_t* lanes, unsigned l, T v) {
    if constexpr (std::is_integral_v<T>) lanes[l] = static_cast<std::uint64_t>(v);
    else if constexpr (sizeof(T) == 8) lanes[l] = std::bit_cast<std::uint64_t>(v);
    else if constexpr (sizeof(T) == 4) lanes[l] = std::bit_cast<std::uint32_t>(v);
    else lanes[l] = std::bit_cast<std::uint16_t>(v);
}

template <class F> inline void each_lane(std::uint32_t active, F&& f) {
    if (active == every_lane) {
        for (unsigned l = 0; l < warp_lanes; ++l) f(l);
    } else {
        for (std::uint32_t left = active; left; left &= left - 1) f(static_cast<unsigned>(std::countr_zero(left)));
    }
}

// Handlers from functions of lanes.
template <class T, class R, class F> void unary(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a);
    each_lane(active, [=](unsigned l) { put<R>(out, l, F{}(get<T>(a, l))); });
}
template <class T, class R, class F> void binary(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b);
    each_lane(active, [=](unsigned l) { put<R>(out, l, F{}(get<T>(a, l), get<T>(b, l))); });
}
// The third operand and the result may be wider than the first two.
template <class T, class R, class F> void ternary(warp& w, instruction const& i, std::uint32_t active) {
    std::uint64_t *const out = w.slot(i.out), *const a = w.slot(i.a), *const b = w.slot(i.b), *const c = w.slot(i.c);
    each_lane(active, [=](unsigned l) { put<R>(out, l, F{}(get<T>(a, l), get<T>(b, l), get<R>(c, l))); });
}

// f.operator()<T>() for the type; null where it is none of the family.
template <class F> handler for_integers(type t, F f) {
    switch (t) {
        case type::b16:
        case type::u16: return f.template operator()<std::uint16_t>();
        case type::s16: return f.template operator()<std::int16_t>();
        case type::b32:
        case type::u32: return f.template operator()<std::uint32_t>();
        case type::s32: return f.template operator()<std::int32_t>();
        case type::b64:
        case type::u64: return f.template operator()<std::uint64_t>();
        case type::s64: return f.template operator()<std::int64_t>();
        default: return nullptr;
    }
}
template <class F> handler for_bits(type t, F f) {
    switch (bytes_of(t)) {
        case 1: return f.template operator()<std::uint8_t>();
        case 2: return f.template operator()<std::uint16_t>();
        case 4: return f.template operator()<std::uint32_t>();
        case 8: return f.template operator()<std::uint64_t>();
        default: return nullptr;
    }
}

// Of a load, a store or an atomic access, from the words of its opcode.
void set_space_and_order(statement const& s, instruction& i);

// ---- the catalogues: the handler of an instruction, null where it is not of the catalogue's kind. `i` has the type
// and gets further choices; operands have been resolved.
handler find_integer(statement const& s, instruction& i);
handler find_floating(statement const& s, instruction& i);
handler find_conversion(statement const& s, instruction& i);
handler find_logic(statement const& s, instruction& i);
handler find_memory(statement const& s, instruction& i);
handler find_atomic(statement const& s, instruction& i);
handler find_warp(statement const& s, instruction& i);

}  // namespace bascule::ptx

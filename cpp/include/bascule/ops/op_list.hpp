// Expansions over lists of ops. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

template <class List> inline constexpr int list_size = 0;
template <class... Op> inline constexpr int list_size<op_list<Op...>> = static_cast<int>(sizeof...(Op));

template <class F, class... Op> constexpr void for_each(op_list<Op...>, F&& f) { (f(Op{}), ...); }

template <class Wanted, class... Op> constexpr std::uint16_t position(op_list<Op...>) {
    static_assert((same_type<Wanted, Op> || ...), "the op is in no family list that table.hpp joins");
    int at = 0;
    (void)((same_type<Wanted, Op> || (++at, false)) || ...);
    return static_cast<std::uint16_t>(at);
}

template <int Count> struct spec_table {
    spec entries[Count];
    constexpr spec const& operator[](int i) const { return entries[i]; }
    constexpr spec const* begin() const { return entries; }
    constexpr spec const* end() const { return entries + Count; }
    static constexpr int size() { return Count; }
};
template <class... Op> constexpr spec_table<static_cast<int>(sizeof...(Op))> specs(op_list<Op...>) {
    return {{Op::meta...}};
}

// ---- result types: the return type of a formula for each element type of `types`
template <type_id Id>
using computed = element<Id == type_id::float16 ? type_id::float32 : Id>;  // float16 runs in float32
template <class T> T declared() noexcept;

template <class Op, type_id Id> constexpr type_id result_of_loop() {
    if constexpr (!contains(Op::meta.types, Id) || Op::meta.call != form::elementwise) return Id;
    else {
        using T = computed<Id>;
        constexpr type_id result = [] {
            if constexpr (Op::meta.nin == 1) return id_of<decltype(Op{}(declared<T>()))>::value;
            else if constexpr (Op::meta.nin == 2) return id_of<decltype(Op{}(declared<T>(), declared<T>()))>::value;
            else return id_of<decltype(Op{}(declared<T>(), declared<T>(), declared<T>()))>::value;
        }();
        return Id == type_id::float16 && result == type_id::float32 ? type_id::float16 : result;
    }
}

template <class Op, type_id Id> struct loop_result { static constexpr type_id value = result_of_loop<Op, Id>(); };

struct loop_results {
    type_id of[type_count];
    constexpr type_id operator[](type_id loop) const { return of[static_cast<int>(loop)]; }
};
template <int Count> struct result_table {
    loop_results entries[Count];
    constexpr loop_results const& operator[](int i) const { return entries[i]; }
};
// Of<Op, Id>::value is a result type; these two lay it out for every type and every op of a list.
template <template <class, type_id> class Of, class Op> constexpr loop_results results_of() {
    return {{Of<Op, type_id(0)>::value, Of<Op, type_id(1)>::value, Of<Op, type_id(2)>::value, Of<Op, type_id(3)>::value,
             Of<Op, type_id(4)>::value, Of<Op, type_id(5)>::value, Of<Op, type_id(6)>::value, Of<Op, type_id(7)>::value,
             Of<Op, type_id(8)>::value, Of<Op, type_id(9)>::value, Of<Op, type_id(10)>::value,
             Of<Op, type_id(11)>::value, Of<Op, type_id(12)>::value, Of<Op, type_id(13)>::value,
             Of<Op, type_id(14)>::value, Of<Op, type_id(15)>::value}};
}
template <template <class, type_id> class Of, class... Op>
constexpr result_table<static_cast<int>(sizeof...(Op))> result_types_of(op_list<Op...>) {
    return {{results_of<Of, Op>()...}};
}

// ---- names
constexpr bool same_text(char const* a, char const* b, char b_end) {
    while (*a != 0 && *b != 0 && *b != b_end && *a == *b) ++a, ++b;
    return *a == 0 && (*b == 0 || *b == b_end);
}
template <class Spec> constexpr bool is_called(Spec const& s, char const* name) {
    if (same_text(name, s.name, 0)) return true;
    for (char const* alias = s.aliases; *alias != 0;) {
        if (same_text(name, alias, ' ')) return true;
        while (*alias != 0 && *alias != ' ') ++alias;
        while (*alias == ' ') ++alias;
    }
    return false;
}

}  // namespace bascule::ops

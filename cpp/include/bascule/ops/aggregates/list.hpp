// The properties of an aggregation in its table, other than its algebra. Device-clean.
#pragma once
#include "bascule/ops/op_list.hpp"

namespace bascule::ops {

struct aggregate_spec {
    char const* name;              // NumPy's name
    char const* aliases = "";      // further names, separated by spaces
    type_set types = 0;            // of arrays; float16 means "reduced in float32, the result rounded once"
    type_set group_types = 0;      // of values in groups
    float cost = 1;                // time an element, in float64 additions
    int identity = -1;             // 0 or 1: result of reducing nothing; -1: none
    char const* empty_error = "";  // NumPy's message where reducing nothing is an error; empty: it is none
    bool uses_ddof = false;
    bool counts_rows = false;  // any number of rows of a group is a result, whatever min_count is
    bool ordered = false;      // the bits of the result depend on the order of merges: keep the tree
    char const* doc = "";
};

// Result type of an aggregation for inputs of type `loop`: that of its algebra, with float16 where float32 was computed
// for it.
template <class A, type_id Id> constexpr type_id result_of_reduce() {
    if constexpr (!contains(A::meta.types, Id)) return Id;
    else {
        constexpr type_id result = id_of<typename A::template of<computed<Id>>::result>::value;
        return Id == type_id::float16 && result == type_id::float32 ? type_id::float16 : result;
    }
}

template <class A, type_id Id> struct reduce_result { static constexpr type_id value = result_of_reduce<A, Id>(); };

template <int Count> struct aggregate_specs {
    aggregate_spec entries[Count];
    constexpr aggregate_spec const& operator[](int i) const { return entries[i]; }
    constexpr aggregate_spec const* begin() const { return entries; }
    constexpr aggregate_spec const* end() const { return entries + Count; }
    static constexpr int size() { return Count; }
};
template <class... A> constexpr aggregate_specs<static_cast<int>(sizeof...(A))> aggregate_specs_of(op_list<A...>) {
    return {{A::meta...}};
}

}  // namespace bascule::ops

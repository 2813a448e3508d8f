// From an element type that is known at run time to the code for it.
#pragma once
#include <utility>

#include "bascule/core/dtype.hpp"

namespace bascule {

// f(T{}) with the element type of `t`, if it is one of `types`; false where it is not.
template <type_set types, class F> constexpr bool with_element(type_id t, F const& f) {
    auto const called = [&]<type_id Id>(std::integral_constant<type_id, Id>) {
        if constexpr (contains(types, Id))
            if (t == Id) return f(element<Id>{}), true;
        return false;
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (called(std::integral_constant<type_id, type_id{I}>{}) || ...);
    }
    (std::make_index_sequence<type_count>{});
}

}  // namespace bascule

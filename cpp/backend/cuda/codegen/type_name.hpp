// A type's name as the compiler spells it.
#pragma once
#include <string>
#include <string_view>

namespace bascule::cuda {

// Both compilers spell the template argument out in the function's name: "... [with Op = bascule::ops::add; ...]".
template <class Op> std::string type_name() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("Op = ") + 5);
    return std::string(text.substr(0, text.find_first_of(";]")));
}

}  // namespace bascule::cuda

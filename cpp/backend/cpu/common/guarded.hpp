// From exceptions inside an algorithm to the status codes of the interface.
#pragma once
#include <cstdint>
#include <new>

#include "backend/cpu/common/last_error.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

inline constexpr std::int64_t most_rows = 0xfffffffe;  // row numbers are 32 bits wide inside

inline status fail(status s, char const* text) noexcept {
    set_last_error(text);
    return s;
}

template <class Body> status guarded(char const* no_memory, Body const& body) noexcept {
    try {
        return body();
    } catch (std::bad_alloc const&) { return fail(status::out_of_memory, no_memory); }
}

}  // namespace bascule::cpu

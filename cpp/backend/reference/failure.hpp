// Inside this room a failure is thrown; at the interface it becomes a status code and the text of last_error.
#pragma once
#include <new>
#include <string>
#include <utility>

#include "bascule/core/backend.hpp"

namespace bascule::reference {

struct failure {
    status code;
    std::string text;
};

// Keeps the text for last_error of the calling thread.
status report(status code, std::string text) noexcept;

// A plain text costs nothing until it is needed: cells are checked one by one.
inline void expects(bool condition, status code, char const* text) {
    if (!condition) throw failure{code, std::string("[reference] ") + text};
}
inline void expects(bool condition, status code, std::string const& text) {
    if (!condition) throw failure{code, "[reference] " + text};
}

template <class Body> status guarded(Body&& body) noexcept {
    try {
        std::forward<Body>(body)();
        return status::ok;
    } catch (failure& f) { return report(f.code, std::move(f.text)); } catch (std::bad_alloc const&) {
        return report(status::out_of_memory, "[reference] no memory for an intermediate result");
    }
}

}  // namespace bascule::reference

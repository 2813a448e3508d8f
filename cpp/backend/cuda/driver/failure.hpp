// Inside this room a failure is thrown; at the interface it becomes a status code and the text of last_error.
#pragma once
#include <new>
#include <string>
#include <utility>

#include "bascule/core/backend.hpp"

namespace bascule::cuda {

struct failure {
    status code;
    std::string text;
};

// The text behind backend::last_error, one a thread.
std::string& last_error_text();

inline status report(failure&& f) noexcept {
    last_error_text() = std::move(f.text);
    return f.code;
}

inline void expects(bool condition, status code, char const* text) {
    if (!condition) throw failure{code, std::string("[cuda] ") + text};
}

template <class Body> status guarded(Body&& body) noexcept {
    try {
        std::forward<Body>(body)();
        return status::ok;
    } catch (failure& f) { return report(std::move(f)); } catch (std::bad_alloc const&) {
        return report({status::out_of_memory, "[cuda] no host memory"});
    }
}

}  // namespace bascule::cuda

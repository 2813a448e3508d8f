#include "backend/cpu/common/last_error.hpp"

#include <string>

namespace bascule::cpu {
namespace {

std::string& error_text() noexcept {
    static thread_local std::string text;
    return text;
}

}  // namespace

// Without memory for it the text before stays.
void set_last_error(char const* text) noexcept {
    try {
        error_text() = text;
    } catch (...) {}
}
char const* last_error_text() noexcept { return error_text().c_str(); }

}  // namespace bascule::cpu

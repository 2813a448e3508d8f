#include "backend/cpu/common/last_error.hpp"

#include <cstdio>

namespace bascule::cpu {

static thread_local char error_text[256];

void set_last_error(char const* text) noexcept { std::snprintf(error_text, sizeof error_text, "%s", text); }
char const* last_error_text() noexcept { return error_text; }

}  // namespace bascule::cpu

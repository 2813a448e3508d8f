// The text of the last failure on the calling thread, for backend::last_error.
#pragma once

namespace bascule::cpu {

void set_last_error(char const* text) noexcept;
char const* last_error_text() noexcept;

}  // namespace bascule::cpu

// Scratch memory of the calling thread, kept between calls.
#pragma once
#include <cstdint>

namespace bascule::cpu {

// Each arena is one growing block, for memory that is in use at the same time as that of the others. Null: out of
// memory.
inline constexpr int thread_arenas = 5;
char* thread_scratch(int arena, std::int64_t bytes) noexcept;

}  // namespace bascule::cpu

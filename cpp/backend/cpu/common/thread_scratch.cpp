#include "backend/cpu/common/thread_scratch.hpp"

#include <cstdlib>

namespace bascule::cpu {
namespace {

struct arena_block {
    char* p = nullptr;
    std::int64_t bytes = 0;
    ~arena_block() { std::free(p); }
};
thread_local arena_block arena_blocks[thread_arenas];

}  // namespace

char* thread_scratch(int arena, std::int64_t bytes) noexcept {
    arena_block& block = arena_blocks[arena];
    if (bytes <= block.bytes) return block.p;
    std::free(block.p);
    std::int64_t const rounded = (bytes + 65535) / 65536 * 65536;
    block.p = static_cast<char*>(std::aligned_alloc(4096, static_cast<std::size_t>(rounded)));
    block.bytes = block.p ? rounded : 0;
    return block.p;
}

}  // namespace bascule::cpu

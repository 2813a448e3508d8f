// Which results are written past the caches.
#pragma once
#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/program/program.hpp"

namespace bascule::cpu {

// Whether a result bypasses the caches, by the size of its items: it is larger than the caches, or many operands would
// evict it.
// Items that are narrower than their source are not stored in whole vectors.
inline bool passes_caches(program const& p, std::int64_t itemsize) noexcept {
    constexpr std::int64_t least = streamed_bytes / 4;
    std::int64_t const bytes = p.space.total * itemsize;
    if (bytes >= streamed_bytes || bytes < least || !streams_alongside_reads) return bytes >= streamed_bytes;
    std::int64_t read = 0;
    for (int k = 0; k < p.nmoving; ++k) {
        std::int64_t const size = p.slots[p.moving[k]].itemsize;
        if (size != itemsize) return false;
        read += p.space.total * size;
    }
    return read >= 2 * streamed_bytes;
}

}  // namespace bascule::cpu

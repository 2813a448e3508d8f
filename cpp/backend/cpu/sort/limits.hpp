// From how many rows on the paths for many are taken. One place, so that tests can send few rows down each.
#pragma once
#include <cstdint>

namespace bascule::cpu::sorting {

struct path_limits {
    std::int64_t small_sort = 32768;                   // up to here one piece on one thread
    std::int64_t piece_rows = 8192;                    // 1k to 32k rows were measured to be level, 64k slower
    std::int64_t large_piece = 131072;                 // a piece from here on is split again, by all threads
    std::int64_t small_build = 131072;                 // a join's build side up to here is indexed by one thread
    std::int64_t past_caches = std::int64_t{8} << 20;  // bytes that many runs are written to from here on: as blocks
    std::uint64_t table_ratio = 8;                     // a table over the key range may have so many entries a row
};
path_limits const& limits() noexcept;

}  // namespace bascule::cpu::sorting

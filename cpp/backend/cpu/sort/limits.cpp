#include "backend/cpu/sort/limits.hpp"

#include "backend/cpu/sort/sort.hpp"

namespace bascule::cpu::sorting {
namespace {
path_limits current;
}

path_limits const& limits() noexcept { return current; }

void set_path_limit_for_tests(std::int64_t rows) noexcept {
    current = {};
    if (rows == 0) return;
    current.small_sort = rows;
    current.piece_rows = rows / 4;
    current.large_piece = 4 * rows;
    current.small_build = rows;
    current.past_caches = 64 * rows;
}

}  // namespace bascule::cpu::sorting

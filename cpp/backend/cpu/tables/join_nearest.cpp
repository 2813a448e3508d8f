// join_nearest: one walk over both sides, in which each group keeps the right row that it saw last.
#include <algorithm>
#include <new>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/scratch.hpp"
#include "backend/cpu/tables/join.hpp"

namespace bascule::cpu::tables::joining {

status join_nearest(join_nearest_args const& a) noexcept {
    return guarded("[join] no memory for the rows that groups saw last", [&] {
        scratch<std::int64_t> seen(a.groups);
        if (!seen.ready()) throw std::bad_alloc();
        std::fill_n(seen.data(), a.groups, -1);
        if (a.backward) {
            std::int64_t r = 0;
            for (std::int64_t i = 0; i < a.left_rows; ++i) {
                for (; r < a.bounds[i]; ++r) seen[a.right[r]] = r;
                a.out[i] = seen[a.left[i]];
            }
        } else {
            std::int64_t r = a.right_rows;
            for (std::int64_t i = a.left_rows; i-- > 0;) {
                for (; r > a.bounds[i]; --r) seen[a.right[r - 1]] = r - 1;
                a.out[i] = seen[a.left[i]];
            }
        }
        return status::ok;
    });
}

}  // namespace bascule::cpu::tables::joining

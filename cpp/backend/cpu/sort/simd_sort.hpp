// Bare values in vectors, sorted by all threads: halved until every thread has several parts, which are then sorted in
// place.
#pragma once
#include <vector>

#include "backend/cpu/common/scratch.hpp"
#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu::sorting {

template <class L> class simd_sorter {
public:
    explicit simd_sorter(sort_kernels<L> const& kernels) noexcept : kernels_(kernels) {}

    // Sorts n values of `from`, which is `lanes` or does not overlap it, into `lanes`; `spare` has room for as many.
    void run(L const* from, L* lanes, L* spare, std::int64_t n) const {
        std::int64_t const threads = sched::thread_count(),
                           wanted = std::clamp(n / smallest_part, 2 * threads, 8 * threads);
        std::vector<std::int64_t> start{0, first_half(from, lanes, n), n};
        while (static_cast<std::int64_t>(start.size()) <= wanted) {
            auto const parts = start.size() - 1;
            std::vector<std::int64_t> both(2 * parts + 1, n);
            sched::parallel_for(static_cast<std::int64_t>(parts), true, [&](std::int64_t p) {
                auto const k = static_cast<std::size_t>(p);
                std::int64_t const begin = start[k], many = start[k + 1] - begin;
                both[2 * k] = both[2 * k + 1] = begin;
                if (many > 0)
                    both[2 * k + 1] += kernels_.halve(lanes + begin, lanes + begin, many, middle(lanes + begin, many));
            });
            start = std::move(both);
        }
        sched::parallel_for(static_cast<std::int64_t>(start.size()) - 1, true, [&](std::int64_t p) {
            auto const begin = start[static_cast<std::size_t>(p)], end = start[static_cast<std::size_t>(p) + 1];
            kernels_.sort(lanes + begin, spare + begin, end - begin, false);
        });
    }

private:
    // Parts differ in size, so many of them leave less to wait for at the end, unless each is soon sorted.
    static constexpr std::int64_t smallest_part = 32768;

    // A value that is likely to be in the middle.
    static L middle(L const* a, std::int64_t n) noexcept {
        constexpr std::int64_t looked_at = 129;
        L some[looked_at];
        for (std::int64_t k = 0; k < looked_at; ++k) some[k] = a[(n - 1) * k / (looked_at - 1)];
        std::nth_element(some, some + looked_at / 2, some + looked_at);
        return some[looked_at / 2];
    }
    // The first step is made by two threads, each on its own part; values on the wrong side are then exchanged.
    std::int64_t first_half(L const* from, L* a, std::int64_t n) const noexcept {
        if (n == 0) return 0;
        L const pivot = middle(from, n);
        std::int64_t const begin[] = {0, n / 2, n};
        std::int64_t front[2];
        sched::parallel_for(2, true, [&](std::int64_t p) {
            front[p] = kernels_.halve(from + begin[p], a + begin[p], begin[p + 1] - begin[p], pivot);
        });
        std::int64_t const late = n / 2 - front[0], wrong = std::min(late, front[1]);
        L *const high = a + front[0], *const low = a + n / 2 + front[1] - wrong;
        row_blocks(wrong).run(
            [&](std::int64_t, std::int64_t i, std::int64_t end) { std::swap_ranges(high + i, high + end, low + i); });
        return front[0] + front[1];
    }

    sort_kernels<L> const& kernels_;
};

}  // namespace bascule::cpu::sorting

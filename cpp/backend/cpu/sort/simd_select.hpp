// Values by rank: the part that holds them is split by pivots, in vectors, until it is small, and then sorted.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "backend/cpu/dispatch/partition_kernels.hpp"

namespace bascule::cpu::sorting {

template <class L> class simd_selector {
    using ranks_span = std::span<std::int64_t const>;

public:
    static constexpr std::int64_t room = 16;  // the room that `a` needs behind its values

    simd_selector(sort_kernels<L> const& kernels, partition_kernels_of_type<L> const& others) noexcept
        : kernels_(kernels), others_(others) {}

    // Moves n values of `from`, none of them NaN, to `a`, which is `from` or does not overlap it, so that the values of
    // the wanted ranks, ascending, are where sorting would put them.
    void run(L const* from, L* a, std::int64_t n, ranks_span ranks) const noexcept {
        if (from != a && (n <= few || ranks.empty())) std::copy_n(from, n, a), from = a;
        select(from, a, n, 0, ranks, 2 * std::bit_width(static_cast<std::uint64_t>(n)));
    }
    // The same for ranks near each other, of values that are only read: those in the range of a sample's values go to
    // `a`. Returns the rank of the least of these, or -1 where it did not succeed. Values may be NaN, the last of all.
    std::int64_t run_narrowed(L const* from, L* a, std::int64_t n, ranks_span ranks) const noexcept {
        if (n < least_narrowed || ranks.empty()) return -1;
        std::int64_t const size = n < 8 * least_narrowed ? looked_at : most_looked_at;
        alignas(64) L some[most_looked_at], near[most_looked_at];
        for (std::int64_t k = 0; k < size; ++k) some[k] = from[(n - 1) * k / (size - 1)];
        if (std::any_of(some, some + size, [](L v) { return v != v; })) return -1;
        kernels_.sort(some, near, size, false);
        auto const at = [&](std::int64_t rank, double errors) {
            double const share = static_cast<double>(rank) / static_cast<double>(n), size_ = static_cast<double>(size);
            return static_cast<std::int64_t>(share * size_ + errors * (std::sqrt(share * (1 - share) * size_) + 1));
        };
        std::int64_t const low = at(ranks.front(), -2.5), high = at(ranks.back(), 2.5);
        if (high - low > size / 2) return -1;
        auto const kept =
            others_.take_between(from, n, low < 0 ? first : some[low], high < size ? some[high] : last, a);
        if (ranks.front() < kept.below || ranks.back() >= kept.below + kept.count) return -1;
        select(a, a, kept.count, kept.below, ranks, 2 * std::bit_width(static_cast<std::uint64_t>(n)));
        return kept.below;
    }

private:
    static constexpr std::int64_t few = 512, looked_at = 128, most_looked_at = 512, least_narrowed = 4096;

    // `from` is read instead of `a` by the first split. Ranks count from `base` before a[0].
    void select(L const* from, L* a, std::int64_t n, std::int64_t base, ranks_span ranks, int depth) const noexcept {
        while (!ranks.empty()) {
            if (n <= few) return sort_few(a, n);
            if (depth-- == 0) {
                if (from != a) std::copy_n(from, n, a);
                return std::sort(a, a + n);
            }
            L const pivot = pivot_of(from, n, ranks[ranks.size() / 2] - base);
            std::int64_t before = kernels_.halve(from, a, n, pivot);
            from = a;
            if (before == 0) {  // the pivot is the least: all that equal it are in place
                if (pivot == last) return;
                before = kernels_.halve(a, a, n, next(pivot));
            } else {
                select(a, a, before, base, ranks.first(count_below(ranks, base + before)), depth);
            }
            ranks = ranks.subspan(count_below(ranks, base + before));
            a += before, from = a, n -= before, base += before;
        }
    }
    static std::size_t count_below(ranks_span ranks, std::int64_t limit) noexcept {
        return static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), limit) - ranks.begin());
    }
    __attribute__((noinline)) void sort_few(L* a, std::int64_t n) const noexcept {
        alignas(64) L near[few];
        kernels_.sort(a, near, n, false);
    }
    // Of a sorted sample, the value that is likely to leave the rank in the lesser part, and few other values in it.
    __attribute__((noinline)) L pivot_of(L const* a, std::int64_t n, std::int64_t rank) const noexcept {
        alignas(64) L some[looked_at], near[looked_at];
        for (std::int64_t k = 0; k < looked_at; ++k) some[k] = a[(n - 1) * k / (looked_at - 1)];
        kernels_.sort(some, near, looked_at, false);
        double const share = static_cast<double>(rank) / static_cast<double>(n),
                     error = 1.3 * std::sqrt(share * (1 - share) * looked_at) + 1;
        double const at = share * looked_at + (share < 0.5 ? error : -error);
        return some[std::clamp<std::int64_t>(static_cast<std::int64_t>(at), 0, looked_at - 1)];
    }
    static constexpr L last = std::numeric_limits<L>::has_infinity ? std::numeric_limits<L>::infinity()
                                                                   : std::numeric_limits<L>::max();
    static constexpr L first = std::numeric_limits<L>::has_infinity ? -std::numeric_limits<L>::infinity()
                                                                    : std::numeric_limits<L>::min();
    static L next(L v) noexcept {
        if constexpr (std::is_floating_point_v<L>) return std::nextafter(v, last);
        else return v + 1;
    }

    sort_kernels<L> const& kernels_;
    partition_kernels_of_type<L> const& others_;
};

}  // namespace bascule::cpu::sorting

// Sorting inside the cache, stable.
#pragma once
#include <algorithm>
#include <cstdint>

#include "backend/cpu/sort/normal_key.hpp"

namespace bascule::cpu::sorting {

// A row and items of other columns that move along with it.
struct keyed_row {
    static constexpr int wide_items = 0;
    std::uint64_t key;
    std::uint32_t row, small;
};
template <int Items> struct laden_row {
    static constexpr int wide_items = Items;
    std::uint64_t key;
    std::uint32_t row, small;
    std::uint64_t wide[Items];
};
struct bare_key {
    std::uint64_t key;
};

inline constexpr int bucket_bits = 15;
inline constexpr std::uint32_t few = 24;  // insertion is faster than counting up to here

// Room for counting. Narrow counts take half the memory, which matters more than anything else here.
union bucket_counts {
    std::uint16_t narrow[(1 << bucket_bits) + 1];
    std::uint32_t wide[(1 << (bucket_bits - 1)) + 1];
};

// Elements that are nearly sorted.
template <class R> void insert_sorted(R* a, std::int64_t n) noexcept {
    if (n == 0) return;
    std::uint64_t last = a[0].key;
    for (std::int64_t i = 1; i < n; ++i) {
        R const r = a[i];
        if (r.key >= last) {
            last = r.key;
            continue;
        }
        std::int64_t j = i;
        do {
            a[j] = a[j - 1];
            --j;
        } while (j > 0 && a[j - 1].key > r.key);
        a[j] = r;
    }
}

// Moves elements to spare by the leading bits of their keys, and says how many share these bits at most.
template <class R, class Count>
std::uint32_t move_to_buckets(R const* a, R* spare, std::int64_t n, std::uint64_t low, std::int64_t buckets, int shift,
                              Count* counts) noexcept {
    std::fill_n(counts, buckets + 1, Count{0});
    for (std::int64_t i = 0; i < n; ++i) ++counts[((a[i].key - low) >> shift) + 1];
    Count largest = 0, sum = 0;
    for (std::int64_t b = 1; b <= buckets; ++b) {
        largest = std::max(largest, counts[b]);
        counts[b] = sum = static_cast<Count>(sum + counts[b]);
    }
    for (std::int64_t i = 0; i < n; ++i) spare[counts[(a[i].key - low) >> shift]++] = a[i];
    return largest;
}

// One counting pass by the leading bits that differ; the elements of one bucket are then inserted or, if they are many,
// sorted in the same way. The result is in `a` or in `spare`, which has room for n.
template <class R> R* sort_piece(R* a, R* spare, std::int64_t n, bucket_counts& counts) noexcept {
    if (n <= few) return insert_sorted(a, n), a;
    std::uint64_t low = a[0].key, high = low;
    for (std::int64_t i = 1; i < n; ++i) {
        low = std::min(low, a[i].key);
        high = std::max(high, a[i].key);
    }
    if (low == high) return a;
    bool const narrow = n < (1 << 16);
    int const bits = bits_for(high - low),
              used = std::min({bits, narrow ? bucket_bits : bucket_bits - 1, bits_for(static_cast<std::uint64_t>(n))}),
              shift = bits - used;
    auto const buckets = static_cast<std::int64_t>((high - low) >> shift) + 1;
    std::uint32_t const largest = narrow ? move_to_buckets(a, spare, n, low, buckets, shift, counts.narrow)
                                         : move_to_buckets(a, spare, n, low, buckets, shift, counts.wide);
    if (shift == 0) return spare;
    if (largest <= few) return insert_sorted(spare, n), spare;
    for (std::int64_t i = 0, j; i < n; i = j) {
        std::uint64_t const bucket = (spare[i].key - low) >> shift;
        for (j = i + 1; j < n && (spare[j].key - low) >> shift == bucket;) ++j;
        if (R const* const sorted = sort_piece(spare + i, a + i, j - i, counts); sorted != spare + i)
            std::copy_n(sorted, j - i, spare + i);
    }
    return spare;
}

}  // namespace bascule::cpu::sorting

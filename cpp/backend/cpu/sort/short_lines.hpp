// Many short lines: sorted one by one in memory of the task, without a plan for each.
#pragma once
#include "backend/cpu/sort/comparison_key.hpp"
#include "backend/cpu/sort/radix.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"

namespace bascule::cpu::sorting {

inline constexpr std::int64_t short_line = 512;
inline bool has_short_lines(std::int64_t rows, std::int64_t length) noexcept {
    return rows > 1 && length <= short_line;
}

// f(row, keys, spare, counts) for every row.
template <class R, class F> void each_short_line(std::int64_t rows, std::int64_t length, F const& f) noexcept {
    row_blocks(rows, 4 * std::int64_t{sched::thread_count()}, std::max<std::int64_t>(1, 16384 / length))
        .run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            R keys[short_line], spare[short_line];
            bucket_counts counts;
            for (std::int64_t r = begin; r < end; ++r) f(r, keys, spare, counts);
        });
}

template <class T> void sort_short_lines(sort_args const& a) noexcept {
    each_short_line<bare_key>(a.rows, a.length,
                              [&](std::int64_t r, bare_key* keys, bare_key* spare, bucket_counts& counts) {
                                  auto const* const in = static_cast<T const*>(a.data) + r * a.length;
                                  auto* const out = static_cast<T*>(a.out) + r * a.length;
                                  for (std::int64_t i = 0; i < a.length; ++i) keys[i].key = ordered_key(in[i]);
                                  auto const* const sorted = sort_piece(keys, spare, a.length, counts);
                                  for (std::int64_t i = 0; i < a.length; ++i)
                                      out[i] = from_ordered_key<T>(sorted[i].key);
                              });
}

template <class T> void argsort_short_lines(argsort_args const& a) noexcept {
    each_short_line<keyed_row>(
        a.rows, a.length, [&](std::int64_t r, keyed_row* keys, keyed_row* spare, bucket_counts& counts) {
            auto const* const in = static_cast<T const*>(a.keys[0].data) + r * a.length;
            for (std::int64_t i = 0; i < a.length; ++i)
                keys[i] = {comparison_key(in[i]), static_cast<std::uint32_t>(i), 0};
            auto const* const sorted = sort_piece(keys, spare, a.length, counts);
            for (std::int64_t i = 0; i < a.length; ++i) {
                if (a.wide) static_cast<std::int64_t*>(a.out)[r * a.length + i] = sorted[i].row;
                else static_cast<std::int32_t*>(a.out)[r * a.length + i] = static_cast<std::int32_t>(sorted[i].row);
            }
        });
}

}  // namespace bascule::cpu::sorting

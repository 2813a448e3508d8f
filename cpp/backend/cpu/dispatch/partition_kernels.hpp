// Loops of sorting and parting that the large table does not hold, compiled for every instruction set.
#pragma once
#include <tuple>

#include "backend/cpu/dispatch/isa_tables.hpp"

namespace bascule::cpu {

template <class T> struct partition_kernels_of_type {
    // How many of n values are less than the pivot, and how many equal it.
    struct counted {
        std::int64_t less, equal;
    };
    counted (*count)(T const* in, std::int64_t n, T pivot) noexcept;
    // The values less than the pivot, those equal to it and the rest, NaN among them, each in their order. The three
    // outputs are as large as needed, apart from `in`, and nothing behind them is written.
    void (*part)(T const* in, std::int64_t n, T pivot, T* less, T* equal, T* rest) noexcept;
    // The same of the positions of the values, counted from 0.
    void (*part_positions)(T const* in, std::int64_t n, T pivot, std::int64_t* less, std::int64_t* equal,
                           std::int64_t* rest) noexcept;
    // The values from `low` to `high` to `out`, which is not written beyond its first n + 16; how many, and how many
    // are less than `low`.
    struct taken {
        std::int64_t count, below;
    };
    taken (*take_between)(T const* in, std::int64_t n, T low, T high, T* out) noexcept;
    // Rows of 2 to most_lanes_length values, each sorted by itself, NaN (all written alike) last, -0.0 before 0.0.
    // `out` may be `in`. Null where vectors are too narrow.
    void (*sort_rows)(T const* in, T* out, std::int64_t rows, std::int64_t length) noexcept;
};
inline constexpr std::int64_t most_lanes_length = 32;

using partition_kernels = std::tuple<partition_kernels_of_type<double>, partition_kernels_of_type<float>,
                                     partition_kernels_of_type<std::int64_t>, partition_kernels_of_type<std::int32_t>>;
partition_kernels const& active_partition_kernels() noexcept;
// For tests: those of one instruction set, or null where the machine lacks it.
partition_kernels const* partition_kernels_of(char const* isa) noexcept;

}  // namespace bascule::cpu

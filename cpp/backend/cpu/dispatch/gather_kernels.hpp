// The loops that choose and move items, compiled for every instruction set.
#pragma once
#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu {

// How many of n mask bytes are not 0.
using count_nonzero_kernel = std::int64_t (*)(unsigned char const* mask, std::int64_t n) noexcept;
// The items of `from` where the mask is true to `to`, one after the other and not past `end`; where they end.
using compress_kernel = char* (*)(char* to, char* end, char const* from, unsigned char const* mask,
                                  std::int64_t n) noexcept;
// The same as bits, the lowest of a word the first; how many are set. If n is not a multiple of 64, the bits beyond it
// are 0.
using pack_mask_kernel = std::int64_t (*)(std::uint64_t* bits, unsigned char const* mask, std::int64_t n) noexcept;
// compress with the mask as bits.
using compress_bits_kernel = char* (*)(char* to, char* end, char const* from, std::uint64_t const* bits,
                                       std::int64_t n) noexcept;
// The items of `from`, one after the other, to where the mask is true of n items of `to`; where they end. There are as
// many, of which the last ends at `end` or before.
using expand_kernel = char const* (*)(char* to, unsigned char const* mask, std::int64_t n, char const* from,
                                      char const* end) noexcept;
// One item to all these positions.
using fill_true_kernel = void (*)(char* to, unsigned char const* mask, std::int64_t n, char const* item) noexcept;
// first + i for every true mask[i] to `to`, not past `end`; where they end.
using nonzero_kernel = std::int64_t* (*)(std::int64_t* to, std::int64_t* end, unsigned char const* mask,
                                         std::int64_t first, std::int64_t n) noexcept;
// Whether some of n indices, each 8 bytes at any address, are outside [-size, size).
using out_of_bounds_kernel = bool (*)(char const* index, std::int64_t n, std::int64_t size) noexcept;
// to[i] = base[index[i]], negative ones counted from the end. False: some are outside [-size, size); nothing is read
// for those.
using take_kernel = bool (*)(char* to, char const* base, char const* index, std::int64_t n, std::int64_t size) noexcept;

// base[index[i]] = from[i], in this order, for the indices in [first, last) once negative ones are counted from the
// end. None is outside [-size, size).
struct put_args {
    char* base;
    char const* from;
    std::int64_t from_step;  // in bytes
    char const* index;
    std::int64_t n, size, first, last;
    bool into_l2 = false;  // where lines are fetched to before they are written
};
using put_kernel = void (*)(put_args const&) noexcept;

struct gather_kernels {
    count_nonzero_kernel count_nonzero;
    nonzero_kernel nonzero_positions;
    out_of_bounds_kernel any_out_of_bounds;
    compress_kernel compress[size_classes];
    pack_mask_kernel pack_mask;
    compress_bits_kernel compress_bits[size_classes];
    expand_kernel spread[size_classes];
    fill_true_kernel fill_true[size_classes];
    take_kernel take[size_classes];
    take_kernel take_ahead[size_classes];  // prefetches into the second cache
    put_kernel put[size_classes];
};
gather_kernels const& active_gather_kernels() noexcept;
// For tests: those of one instruction set, or null where the machine lacks it.
gather_kernels const* gather_kernels_of(char const* isa) noexcept;

}  // namespace bascule::cpu

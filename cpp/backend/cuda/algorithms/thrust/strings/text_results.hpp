// Building columns of strings: memory of the caller's, bytes 64 at a time wherever rows begin, validity bitmaps.
#pragma once
#include "backend/cuda/algorithms/thrust/group_by_number.hpp"
#include "backend/cuda/algorithms/thrust/strings/text.hpp"

namespace bascule::cuda::algorithms {

inline constexpr std::int64_t block_bytes = 64;

template <class Args> void* ask(Args const& a, std::int64_t bytes) {
    void* const p = a.allocate(a.owner, bytes);
    if (!p && bytes > 0) throw host_said_no{};
    return p;
}

template <class Valid> struct pack_rows {
    Valid valid;
    std::int64_t length;
    std::uint8_t* bits;
    std::int64_t* counts;  // of rows that are valid, a number a byte; null: not wanted
    BASCULE_HD void operator()(std::int64_t b) const {
        std::uint8_t byte = 0;
        std::int64_t count = 0;
        for (int k = 0; k < 8 && 8 * b + k < length; ++k)
            if (valid(8 * b + k)) byte = static_cast<std::uint8_t>(byte | 1 << k), ++count;
        bits[b] = byte;
        if (counts) counts[b] = count;
    }
};
// The rows that are null, which is waited for; 0 where they are not counted.
template <class Valid>
std::int64_t pack(context const& c, Valid valid, std::int64_t length, std::uint8_t* bits, bool count = true) {
    std::int64_t const bytes = (length + 7) / 8;
    buffer<std::int64_t> const counts(c, count ? bytes : 0);
    auto* const n = count ? counts.get() : nullptr;
    for_each_index(c, bytes, pack_rows<Valid>{valid, length, bits, n});
    if (bytes == 0 || !count) return 0;
    c.queue([=](auto const& policy) { thrust::inclusive_scan(policy, n, n + bytes, n); });
    return length - c.read(n + bytes - 1);
}

struct copy_number {
    std::int64_t const* from;
    std::int64_t* to;
    BASCULE_HD void operator()(std::int64_t) const { *to = *from; }
};

// The part of a string that falls into [at, stop) of a result where the string begins at `begin`; returns the end of
// the bytes written.
BASCULE_HD std::int64_t copy_text(text_column::text t, std::int64_t begin, std::int64_t at, std::int64_t stop,
                                  char* out) {
    std::int64_t const end = begin + t.size < stop ? begin + t.size : stop;
    for (; at < end; ++at) out[at] = static_cast<char>(t.data[at - begin]);
    return at;
}

// source(row, begin, at, stop, out) writes bytes [at, stop) of the result, which are of a row that begins at `begin`.
template <class Source> struct copy_strings {
    Source source;
    std::int64_t const* offsets;  // of the result
    std::int64_t rows, bytes;
    char* out;
    BASCULE_HD void operator()(std::int64_t block) const {
        std::int64_t at = block * block_bytes;
        std::int64_t const end = at + block_bytes < bytes ? at + block_bytes : bytes;
        for (std::int64_t row = count_below(offsets, rows + 1, at + 1) - 1; at < end; ++row) {
            std::int64_t const begin = offsets[row], stop = offsets[row + 1] < end ? offsets[row + 1] : end;
            if (at >= stop) continue;
            source(row, begin, at, stop, out);
            at = stop;
        }
    }
};
template <class Source>
void write_strings(context const& c, Source const& source, string_result const& result, std::int64_t rows,
                   std::int64_t bytes) {
    for_each_index(c, (bytes + block_bytes - 1) / block_bytes,
                   copy_strings<Source>{source, result.offsets, rows, bytes, result.bytes});
}

}  // namespace bascule::cuda::algorithms

// Finding separators and line ends 64 bytes at a time; one copy per instruction set in kernels/csv_scan.cpp.
#pragma once
#include <cstdint>

namespace bascule::cpu {

// The scan of a piece cannot know whether it begins inside quotes, so everything is counted for both cases: [0] for a
// piece that begins outside, [1] inside.
struct csv_counts {
    std::int64_t newlines[2] = {0, 0};  // outside quotes
    std::int64_t quotes = 0;
    bool irregular[2] = {false,
                         false};  // a quote within a field, text after a closing quote, or a carriage return alone
};

struct csv_marks {
    char separator, quote;
    bool quoting;
};

struct csv_scan_kernels {
    // text[-1] is the byte before the piece ('\n' at the very beginning). 64 bytes past the end may be read.
    void (*count)(char const* text, std::int64_t n, csv_marks, csv_counts*);
    // Positions in [from, to) of separators and newlines outside quotes; how many. Up to 64 positions more may be
    // written.
    std::int64_t (*index)(char const* text, std::int64_t from, std::int64_t to, csv_marks, bool inside,
                          std::uint32_t* out);
};

csv_scan_kernels const& csv_scan() noexcept;
// For tests: those of one instruction set, or null where the machine lacks it.
csv_scan_kernels const* csv_scan_of(char const* isa) noexcept;

}  // namespace bascule::cpu

// The fields of rows: their content, and whether it is a word for a missing value.
#pragma once
#include "backend/cuda/algorithms/thrust/csv/decimal.hpp"
#include "backend/cuda/algorithms/thrust/csv/structure.hpp"
#include "bascule/core/field_text.hpp"

namespace bascule::cuda::algorithms {

// Words for missing values, in the device's memory. Lengths and first characters are looked at first.
struct csv_words {
    char const* bytes;
    std::int64_t const* offsets;
    std::int64_t count;
    std::uint64_t const* values;  // the bits of the words that are numbers
    std::int64_t value_count;
    std::uint64_t lengths, first[4];
    bool empty;

    BASCULE_HD bool has(field_text::span s) const {
        if (s.n <= 0) return empty;
        auto const c = static_cast<unsigned char>(s.p[0]);
        if ((lengths >> (s.n < 63 ? s.n : 63) & 1) == 0 || (first[c >> 6] >> (c & 63) & 1) == 0) return false;
        for (std::int64_t k = 0; k < count; ++k) {
            if (offsets[k + 1] - offsets[k] != s.n) continue;
            std::int64_t i = 0;
            while (i < s.n && bytes[offsets[k] + i] == s.p[i]) ++i;
            if (i == s.n) return true;
        }
        return false;
    }
    // Zeros of both signs are one value, as for the host.
    BASCULE_HD bool has_value(std::uint64_t bits) const {
        for (std::int64_t k = 0; k < value_count; ++k)
            if (values[k] == bits || ((values[k] | bits) << 1) == 0) return true;
        return false;
    }
};

// A field as values are read from it. `odd`: text around quotes that is longer than the room for it.
struct csv_content {
    field_text::span text;
    bool has_quotes = false;  // two quotes that mean one: neither number nor word
    bool odd = false;
    bool in_room = false;  // text around quotes, put together
};

inline constexpr std::int64_t content_room = 64;

struct csv_reader_of_fields {
    csv_rows rows;
    csv_words words;
    std::uint64_t const* powers;
    char quote;
    bool quoting;

    // Rows of too few fields end with empty ones.
    BASCULE_HD field_text::span raw(std::int64_t row, std::int64_t position) const {
        if (position >= rows.fields[row]) return {rows.text, 0};
        std::int64_t const field = rows.first[row] + position, begin = rows.begin_of(field);
        return {rows.text + begin, rows.ends[field] - begin};
    }
    BASCULE_HD bool is_quoted(field_text::span s) const { return quoting && s.n > 0 && s.p[0] == quote; }

    BASCULE_HD csv_content content(field_text::span s, char* room) const {
        if (!is_quoted(s)) return {s};
        std::int64_t close = 1;
        while (close < s.n && s.p[close] != quote) ++close;
        if (close + 1 < s.n && s.p[close + 1] == quote) return {s, true};
        if (close + 1 >= s.n) return {{s.p + 1, close - 1}};
        if (s.n > content_room) return {s, false, true};
        std::int64_t n = 0;
        field_text::for_each_unquoted(s, quote, [&](char c) { room[n++] = c; });
        return {{room, n}, false, false, true};
    }
};

}  // namespace bascule::cuda::algorithms

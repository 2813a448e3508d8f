// compare_strings: the first bytes of both strings as one number; only strings that agree there are compared further.
#include <algorithm>
#include <string>
#include <type_traits>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/strings/rows.hpp"
#include "backend/cpu/strings/strings.hpp"

namespace bascule::cpu::strings {
namespace {

struct text {
    char const* data;
    i64 size;
    char const* column_end;
};

// The rows of a column, or of one row repeated at every index. Small, and passed by value: results are bytes, which
// might alias anything behind a reference.
struct column_reader {
    char const* bytes;
    char const* end;
    i64 const* offsets;
    u8 const* validity;
    i64 step;

    column_reader(string_column const& c, bool repeats)
        : bytes(c.bytes), end(end_of(c)), offsets(c.offsets), validity(c.validity), step(repeats ? 0 : 1) {}
    bool valid(i64 i) const { return is_valid(validity, i * step); }
    text operator[](i64 i) const {
        i64 const begin = offsets[i * step];
        return {bytes + begin, offsets[i * step + 1] - begin, end};
    }
};

// The first eight bytes, in memory order from the low end; zeros behind the text. Branches on no length: those are
// random.
[[gnu::always_inline]] inline u64 first_word(text const& t) {
    i64 const size = 8 + ((t.size - 8) & ((t.size - 8) >> 63));  // at most 8; a compiler makes a jump of std::min
    if (t.column_end - t.data >= 8) return load_word(t.data) & (((u64{1} << size * 4) << size * 4) - 1);
    u64 word = 0;
    if (size > 0) std::memcpy(&word, t.data, static_cast<std::size_t>(size));
    return word;
}

// Of equal size, with equal first words.
[[gnu::always_inline]] inline bool rest_is_equal(text const& a, text const& b) {
    if (a.size <= 8) return true;
    if (a.size <= 16) return load_word(a.data + a.size - 8) == load_word(b.data + b.size - 8);
    return std::memcmp(a.data + 8, b.data + 8, static_cast<std::size_t>(a.size - 8)) == 0;
}

// Sizes and first words without a branch between them: among few different strings either is as likely as not.
[[gnu::always_inline]] inline bool equal(text const& a, text const& b) {
    bool const alike = (a.size == b.size) & (first_word(a) == first_word(b));
    return a.size <= 8 ? alike : alike && rest_is_equal(a, b);
}

// Whether a comes before b, of two strings with equal first words; where they are equal, `same`.
bool rest_is_before(text const& a, text const& b, bool same) {
    i64 const shared = std::min(a.size, b.size) - 8;
    int const rest = shared > 0 ? std::memcmp(a.data + 8, b.data + 8, static_cast<std::size_t>(shared)) : 0;
    if (rest != 0) return rest < 0;
    return a.size == b.size ? same : a.size < b.size;
}

// The first words decide almost always, and without a branch: which of two strings is the lesser cannot be predicted.
[[gnu::always_inline]] inline bool before(text const& a, text const& b, bool same) {
    u64 const x = __builtin_bswap64(first_word(a)), y = __builtin_bswap64(first_word(b));
    if (x == y) [[unlikely]]
        return rest_is_before(a, b, same);
    return x < y;
}

template <string_comparison Op> [[gnu::always_inline]] inline bool holds(text const& a, text const& b) {
    if constexpr (Op == string_comparison::equal) return equal(a, b);
    else if constexpr (Op == string_comparison::not_equal) return !equal(a, b);
    else if constexpr (Op == string_comparison::less) return before(a, b, false);
    else if constexpr (Op == string_comparison::less_equal) return before(a, b, true);
    else if constexpr (Op == string_comparison::greater) return before(b, a, false);
    else return before(b, a, true);
}

template <string_comparison Op, bool Nulls>
void fill_rows(column_reader left, column_reader right, u8* out, i64 begin, i64 end) {
    for (i64 i = begin; i < end; ++i) {
        bool const known = !Nulls || (left.valid(i) && right.valid(i));
        out[i] = known ? holds<Op>(left[i], right[i]) : Op == string_comparison::not_equal;
    }
}

// One text that all rows are compared with, as words; the last one ends where the text does.
struct one_text {
    static constexpr i64 most_words = 4;
    i64 size = 0, words = 1;
    u64 word[most_words] = {}, first_mask = 0;
    i64 at[most_words] = {};

    // `padded`: with eight bytes behind the text.
    one_text(char const* padded, i64 n) : size(n), words(n <= 8 ? 1 : n <= 16 ? 2 : most_words) {
        first_mask = n >= 8 ? ~u64{0} : (u64{1} << 8 * n) - 1;
        for (i64 k = 1; k < words; ++k) at[k] = std::min(8 * k, n - 8);
        for (i64 k = 0; k < words; ++k) word[k] = load_word(padded + at[k]);
    }
    static bool fits(i64 n) { return n <= 8 * most_words; }
    // Bytes from the beginning of a row that are read whatever its size is.
    i64 read() const { return std::max<i64>(size, 8); }
};

template <int Words, bool Nulls>
void fill_equal_to(column_reader left, one_text one, bool otherwise, u8* out, i64 begin, i64 end) {
    i64 const* const offsets = left.offsets;
    for (i64 i = begin; i < end; ++i) {
        char const* const data = left.bytes + offsets[i];
        u64 differ = (load_word(data) ^ one.word[0]) & one.first_mask;
        for (int k = 1; k < Words; ++k) differ |= load_word(data + one.at[k]) ^ one.word[k];
        bool const same = (offsets[i + 1] - offsets[i] == one.size) & (differ == 0) & (!Nulls || left.valid(i));
        out[i] = same != otherwise;
    }
}

// No branch depends on a row. Returns the first row that has to be compared otherwise, since it is near the end of the
// column's bytes.
i64 equal_to(column_reader left, one_text const& one, bool otherwise, u8* out, i64 begin, i64 end) {
    i64 const last = left.end - left.bytes - one.read();  // where a row may begin
    i64 const safe = std::upper_bound(left.offsets + begin, left.offsets + end, last) - left.offsets;
    auto const fill = [&]<int Words>(std::integral_constant<int, Words>) {
        left.validity == nullptr ? fill_equal_to<Words, false>(left, one, otherwise, out, begin, safe)
                                 : fill_equal_to<Words, true>(left, one, otherwise, out, begin, safe);
    };
    if (one.words == 1) fill(std::integral_constant<int, 1>{});
    else if (one.words == 2) fill(std::integral_constant<int, 2>{});
    else fill(std::integral_constant<int, one_text::most_words>{});
    return safe;
}

template <string_comparison Op> void compare_rows(compare_strings_args const& a) {
    bool const repeats = a.right.length == 1;
    column_reader const left(a.left, false);
    column_reader right(a.right, repeats);
    static constexpr char nothing[8] = {};
    std::string one;  // with bytes behind it, since a short text at the end of a column is read by parts, here each row
    i64 ends[] = {0, 0};
    if (repeats) {
        i64 const begin = a.right.offsets[0];
        ends[1] = a.right.offsets[1] - begin;
        one.assign(a.right.bytes + begin, static_cast<std::size_t>(ends[1])).append(8, 0);
        right.bytes = one.data(), right.end = one.data() + one.size(), right.offsets = ends;
    }
    auto* const fill = a.left.validity != nullptr || a.right.validity != nullptr ? fill_rows<Op, true>
                                                                                 : fill_rows<Op, false>;
    constexpr bool is_equality = Op == string_comparison::equal || Op == string_comparison::not_equal;
    bool const by_words = is_equality && repeats && one_text::fits(ends[1]) && a.right.validity == nullptr;
    one_text const words(one.empty() || !by_words ? nothing : one.data(), by_words ? ends[1] : 0);
    for_each_chunk(pieces_of(a.left.length), [&](i64, i64 begin, i64 end) {
        if (by_words) begin = equal_to(left, words, Op == string_comparison::not_equal, a.out, begin, end);
        fill(left, right, a.out, begin, end);
    });
}

void compare(compare_strings_args const& a) {
    switch (a.op) {
        case string_comparison::equal: return compare_rows<string_comparison::equal>(a);
        case string_comparison::not_equal: return compare_rows<string_comparison::not_equal>(a);
        case string_comparison::less: return compare_rows<string_comparison::less>(a);
        case string_comparison::less_equal: return compare_rows<string_comparison::less_equal>(a);
        case string_comparison::greater: return compare_rows<string_comparison::greater>(a);
        case string_comparison::greater_equal: return compare_rows<string_comparison::greater_equal>(a);
    }
}

}  // namespace
}  // namespace bascule::cpu::strings

namespace bascule::cpu::strings {

status compare_strings(compare_strings_args const& a) noexcept {
    if (a.right.length != a.left.length && a.right.length != 1) {
        set_last_error("[compare_strings] expected columns of the same length, or a right one of length 1");
        return status::value_error;
    }
    return guarded("[compare_strings] no memory for the text to compare with", [&] {
        strings::compare(a);
        return status::ok;
    });
}

}  // namespace bascule::cpu::strings

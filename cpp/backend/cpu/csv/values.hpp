// From the text of one field to a value, by pandas' rules: blanks around numbers are allowed, words for booleans in any
// case.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bascule/core/dtype.hpp"
#include "bascule/core/field_text.hpp"

namespace bascule::cpu::csv {

using field_text::date_value;
using field_text::find_utf8_fault;
using field_text::number_form;
using field_text::utf8_fault;

// The form of an integer's text, and its value (the bits of the uint64).
number_form parse_integer(char const* p, std::int64_t n, std::int64_t* out) noexcept;
// Correctly rounded. `is_integer`: digits and a sign alone.
bool parse_float(char const* p, std::int64_t n, double* out, bool* is_integer) noexcept;
bool parse_boolean(char const* p, std::int64_t n, bool* out) noexcept;

bool parse_date(char const* p, std::int64_t n, date_value* out) noexcept;

// The words that mean a missing value.
class na_words {
public:
    void add(std::string_view word);
    void add_defaults();
    // Whether a number could be one of the words, so that numbers must be looked up too.
    bool like_numbers() const noexcept { return like_numbers_; }
    bool has(char const* p, std::int64_t n) const noexcept {
        if (n <= 0) return empty_;
        if (!(lengths_ >> (n < 63 ? n : 63) & 1) || !first_[static_cast<unsigned char>(*p)]) return false;
        return has_word({p, static_cast<std::size_t>(n)});
    }
    bool has_value(double v) const noexcept {
        for (double w : values_)
            if (w == v) return true;
        return false;
    }

private:
    bool has_word(std::string_view) const noexcept;
    std::vector<std::string> words_;
    std::vector<double> values_;
    std::uint64_t lengths_ = 0;
    bool first_[256] = {}, empty_ = false, like_numbers_ = false;
};

// The content of a quoted field, written to `to` (at least n bytes); its length. Characters after the closing quote are
// kept as they are.
std::int64_t unquote(char const* p, std::int64_t n, char quote, char* to) noexcept;

// ---- functions that the decoding loops inline
inline std::uint64_t load_word(char const* p) noexcept {
    std::uint64_t w;
    __builtin_memcpy(&w, p, sizeof w);
    return w;
}
// The up to eight digits that end at `end`, as a word padded with '0' in front; eight bytes before `end` may be read.
inline std::uint64_t last_digits(char const* end, std::int64_t n) noexcept {
    std::uint64_t const w = load_word(end - 8), keep = n >= 8 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} >> (8 * n));
    return (w & keep) | (0x3030303030303030u & ~keep);
}
inline bool are_digits(std::uint64_t w) noexcept {
    return ((w & 0xf0f0f0f0f0f0f0f0u) | (((w + 0x0606060606060606u) & 0xf0f0f0f0f0f0f0f0u) >> 4)) ==
           0x3333333333333333u;
}
// Pairs, then fours, then all eight digits are joined by one multiplication each.
inline std::uint64_t digits_value(std::uint64_t w) noexcept {
    w = (w & 0x0f0f0f0f0f0f0f0fu) * 2561 >> 8;
    w = (w & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
    return (w & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
}

// Up to 18 digits and a sign, nothing else: the common case. The empty field is not one.
inline bool fast_integer(char const* p, std::int64_t n, std::int64_t* out) noexcept {
    char const* const end = p + n;
    bool const negative = n > 1 && *p == '-';
    p += negative, n -= negative;
    if (n <= 0 || n > 18) return false;
    std::uint64_t w = last_digits(end, n < 8 ? n : 8), value = digits_value(w);
    if (!are_digits(w)) return false;
    if (n > 8) {
        w = last_digits(end - 8, n < 16 ? n - 8 : 8);
        if (!are_digits(w)) return false;
        value += digits_value(w) * 100000000u;
        if (n > 16) {
            w = last_digits(end - 16, n - 16);
            if (!are_digits(w)) return false;
            value += digits_value(w) * 10000000000000000u;
        }
    }
    *out = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
    return true;
}

inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t integer_powers[] = {1,
                                                   10,
                                                   100,
                                                   1000,
                                                   10000,
                                                   100000,
                                                   1000000,
                                                   10000000,
                                                   100000000,
                                                   1000000000,
                                                   10000000000,
                                                   100000000000,
                                                   1000000000000,
                                                   10000000000000,
                                                   100000000000000,
                                                   1000000000000000,
                                                   10000000000000000};

// Digits, a point, up to 16 digits. Both the digits (below 2^53) and the power of ten are exact doubles, so one
// division rounds once: the result is the nearest double.
inline bool fast_float(char const* p, std::int64_t n, double* out, bool* fraction) noexcept {
    char const* const end = p + n;
    bool const negative = n > 0 && *p == '-';
    p += negative;
    std::uint64_t whole = 0;
    char const* const first = p;
    unsigned digit;
    while (p < end && (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) <= 9) whole = whole * 10 + digit, ++p;
    std::int64_t const left = end - p - 1, digits = p - first;
    if (digits > 15) return false;
    if (left < 0) {
        if (digits == 0) return false;
        double const value = static_cast<double>(whole);
        *out = negative ? -value : value;
        return true;
    }
    if (*p != '.' || left > 16 || digits + left == 0 || digits + left > 19) return false;
    if (left > 0) {
        std::uint64_t w = last_digits(end, left < 8 ? left : 8), part = digits_value(w);
        if (!are_digits(w)) return false;
        if (left > 8) {
            w = last_digits(end - 8, left - 8);
            if (!are_digits(w)) return false;
            part += digits_value(w) * 100000000u;
        }
        whole = whole * integer_powers[left] + part;
    }
    if (whole > std::uint64_t{1} << 53) return false;
    double const value = static_cast<double>(whole) / powers_of_ten[left];
    *out = negative ? -value : value;
    *fraction = true;
    return true;
}

}  // namespace bascule::cpu::csv

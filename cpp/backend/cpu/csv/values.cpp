#include "backend/cpu/csv/values.hpp"

#include <charconv>
#include <limits>

#include "backend/cpu/common/calendar.hpp"
#include "backend/cpu/common/characters.hpp"

namespace bascule::cpu::csv {
namespace {

constexpr bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trimmed(char const* p, std::int64_t n) noexcept {
    if (n <= 0) return {};
    std::string_view s{p, static_cast<std::size_t>(n)};
    while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
    return s;
}

// `lower` is in lower case.
bool same_word(std::string_view s, std::string_view lower) noexcept {
    if (s.size() != lower.size()) return false;
    for (std::size_t i = 0; i < s.size(); ++i)
        if (in_lower_case(s[i]) != lower[i]) return false;
    return true;
}

// sign digits [. digits] [e [sign] digits], with a digit somewhere before the exponent.
bool is_decimal(std::string_view s, bool* is_integer) noexcept {
    std::size_t i = 0, digits = 0;
    auto const run = [&] {
        std::size_t const from = i;
        while (i < s.size() && is_digit(s[i])) ++i;
        return i - from;
    };
    digits = run();
    *is_integer = true;
    if (i < s.size() && s[i] == '.') ++i, digits += run(), *is_integer = false;
    if (digits == 0) return false;
    if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
        *is_integer = false;
        ++i;
        if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
        if (run() == 0) return false;
    }
    return i == s.size();
}

// Whether a number that no double holds is too large rather than too small. s is a decimal without sign.
bool is_huge(std::string_view s) noexcept {
    std::size_t const e = s.find_first_of("eE");
    std::int64_t exponent = 0;
    if (e != s.npos) {
        bool const negative = s[e + 1] == '-';
        for (std::size_t i = e + 1; i < s.size(); ++i)
            if (is_digit(s[i]) && exponent < 1'000'000'000'000) exponent = exponent * 10 + (s[i] - '0');
        if (negative) exponent = -exponent;
    }
    std::string_view const digits = s.substr(0, e);
    std::size_t const point = digits.find('.'), first = digits.find_first_not_of("0.");
    std::size_t const whole = point == digits.npos ? digits.size() : point;
    std::int64_t const magnitude = first < whole ? static_cast<std::int64_t>(whole - first)
                                                 : -static_cast<std::int64_t>(first - whole - 1);
    return exponent + magnitude > 0;
}

// Two digits, or something over 99.
inline unsigned pair(char const* p) noexcept {
    unsigned const a = static_cast<unsigned char>(p[0]) - unsigned{'0'},
                   b = static_cast<unsigned char>(p[1]) - unsigned{'0'};
    return a <= 9 && b <= 9 ? a * 10 + b : 1000;
}

}  // namespace

number_form parse_integer(char const* p, std::int64_t n, std::int64_t* out) noexcept {
    std::string_view s = trimmed(p, n);
    if (s.empty()) return number_form::none;
    bool const negative = s.front() == '-';
    if (negative || s.front() == '+') s.remove_prefix(1);
    if (s.empty()) return number_form::none;
    std::uint64_t value = 0;
    bool beyond = false;
    for (char c : s) {
        if (!is_digit(c)) return number_form::none;
        beyond |= __builtin_mul_overflow(value, std::uint64_t{10}, &value);
        beyond |= __builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value);
    }
    constexpr std::uint64_t top = std::uint64_t{1} << 63;
    if (beyond || (negative && value > top)) return number_form::beyond;
    *out = static_cast<std::int64_t>(negative ? 0 - value : value);
    return !negative && value >= top ? number_form::uint64 : number_form::int64;
}

bool parse_float(char const* p, std::int64_t n, double* out, bool* is_integer) noexcept {
    std::string_view s = trimmed(p, n);
    if (s.empty()) return false;
    bool const negative = s.front() == '-';
    if (negative || s.front() == '+') s.remove_prefix(1);
    double value = 0;
    if (same_word(s, "inf") || same_word(s, "infinity")) {
        *is_integer = false;
        value = std::numeric_limits<double>::infinity();
    } else {
        if (!is_decimal(s, is_integer)) return false;
        auto const [end, failed] = std::from_chars(s.data(), s.data() + s.size(), value);
        if (failed == std::errc::result_out_of_range)
            value = is_huge(s) ? std::numeric_limits<double>::infinity() : 0.0;
    }
    *out = negative ? -value : value;
    return true;
}

bool parse_boolean(char const* p, std::int64_t n, bool* out) noexcept {
    if (n != 4 && n != 5) return false;
    std::string_view const s{p, static_cast<std::size_t>(n)};
    *out = n == 4;
    return same_word(s, n == 4 ? "true" : "false");
}

bool parse_date(char const* p, std::int64_t n, date_value* out) noexcept {
    if (n < 10 || n > 29 || p[4] != '-' || p[7] != '-') return false;
    unsigned const century = pair(p), rest = pair(p + 2), month = pair(p + 5), day = pair(p + 8),
                   year = century * 100 + rest;
    if (century > 99 || rest > 99 || year == 0 || month - 1 > 11 || day - 1 >= days_in_month(year, month)) return false;
    std::int64_t seconds = days_before(year, month, day) * 86400;
    *out = {seconds, 0, date_form::day, false};
    if (n == 10) return true;
    bool const with_t = p[10] == 'T';
    if ((!with_t && p[10] != ' ') || n < 16 || p[13] != ':') return false;
    unsigned const hour = pair(p + 11), minute = pair(p + 14);
    if (hour > 23 || minute > 59) return false;
    out->seconds = seconds += hour * 3600 + minute * 60;
    out->form = with_t ? date_form::minute_t : date_form::minute_blank;
    if (n == 16) return true;
    if (n < 19 || p[16] != ':') return false;
    unsigned const second = pair(p + 17);
    if (second > 59) return false;
    out->seconds = seconds + second;
    out->form = with_t ? date_form::second_t : date_form::second_blank;
    if (n == 19) return true;
    if (p[19] != '.' || n == 20) return false;
    std::int32_t fraction = 0;
    for (int i = 20; i < 29; ++i) {
        if (i < n && !is_digit(p[i])) return false;
        fraction = fraction * 10 + (i < n ? p[i] - '0' : 0);
    }
    out->nanoseconds = fraction;
    out->below_micro = n > 26;
    out->form = with_t ? date_form::fraction_t : date_form::fraction_blank;
    return true;
}

void na_words::add(std::string_view word) {
    double value;
    bool integer;
    if (word.empty()) empty_ = true;
    else if (!has_word(word)) {
        words_.emplace_back(word);
        lengths_ |= std::uint64_t{1} << (word.size() < 63 ? word.size() : 63);
        first_[static_cast<unsigned char>(word.front())] = true;
    }
    if (parse_float(word.data(), static_cast<std::int64_t>(word.size()), &value, &integer)) {
        like_numbers_ = true;
        values_.push_back(value);
    }
}

void na_words::add_defaults() {
    for (char const* w : {"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
                          "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"})
        add(w);
}

bool na_words::has_word(std::string_view s) const noexcept {
    for (std::string const& w : words_)
        if (w == s) return true;
    return false;
}

std::int64_t unquote(char const* p, std::int64_t n, char quote, char* to) noexcept {
    std::int64_t at = 1, written = 0;
    for (; at < n; ++at) {
        if (p[at] == quote) {
            if (at + 1 >= n || p[at + 1] != quote) break;
            ++at;
        }
        to[written++] = p[at];
    }
    for (++at; at < n; ++at) to[written++] = p[at];
    return written;
}

bool find_utf8_fault(char const* text, std::int64_t n, utf8_fault* out) noexcept {
    auto const* const p = reinterpret_cast<unsigned char const*>(text);
    for (std::int64_t i = 0; i < n;) {
        unsigned const c = p[i];
        if (c < 0x80) {
            ++i;
            continue;
        }
        int const more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        if (c < 0xc2 || c > 0xf4) return *out = {i, "invalid start byte"}, true;
        // Overlong forms, surrogates and code points beyond 0x10ffff are visible in the second byte.
        unsigned const lowest = c == 0xe0   ? 0xa0
                                : c == 0xf0 ? 0x90
                                            : 0x80,
                       highest = c == 0xed   ? 0x9f
                                 : c == 0xf4 ? 0x8f
                                             : 0xbf;
        for (int k = 1; k <= more; ++k) {
            if (i + k >= n) return *out = {i, "unexpected end of data"}, true;
            if (p[i + k] < (k == 1 ? lowest : 0x80) || p[i + k] > (k == 1 ? highest : 0xbf))
                return *out = {i, "invalid continuation byte"}, true;
        }
        i += more + 1;
    }
    return false;
}

}  // namespace bascule::cpu::csv

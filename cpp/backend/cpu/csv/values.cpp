#include "backend/cpu/csv/values.hpp"

#include <charconv>
#include <limits>

#include "backend/cpu/common/characters.hpp"
#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::cpu::csv {
namespace {

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

}  // namespace

number_form parse_integer(char const* p, std::int64_t n, std::int64_t* out) noexcept {
    return field_text::parse_integer({p, n}, out);
}

bool parse_float(char const* p, std::int64_t n, double* out, bool* is_integer) noexcept {
    field_text::span s = field_text::trimmed({p, n});
    bool const negative = field_text::take_sign(s);
    double value = 0;
    if (field_text::is_infinity(s)) {
        *is_integer = false;
        value = std::numeric_limits<double>::infinity();
    } else {
        if (!field_text::is_decimal(s, is_integer)) return false;
        auto const [end, failed] = std::from_chars(s.p, s.p + s.n, value);
        if (failed == std::errc::result_out_of_range)
            value = is_huge({s.p, static_cast<std::size_t>(s.n)}) ? std::numeric_limits<double>::infinity() : 0.0;
    }
    *out = negative ? -value : value;
    return true;
}

bool parse_boolean(char const* p, std::int64_t n, bool* out) noexcept { return field_text::parse_boolean({p, n}, out); }

bool parse_date(char const* p, std::int64_t n, date_value* out) noexcept { return field_text::parse_date({p, n}, out); }

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
    for (char const* w : csv_na_words) add(w);
}

bool na_words::has_word(std::string_view s) const noexcept {
    for (std::string const& w : words_)
        if (w == s) return true;
    return false;
}

std::int64_t unquote(char const* p, std::int64_t n, char quote, char* to) noexcept {
    std::int64_t written = 0;
    field_text::for_each_unquoted({p, n}, quote, [&](char c) { to[written++] = c; });
    return written;
}

}  // namespace bascule::cpu::csv

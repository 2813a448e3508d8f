#include "backend/cpu/csv/values.hpp"

#include "backend/cpu/common/characters.hpp"
#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::cpu::csv {

number_form parse_integer(char const* p, std::int64_t n, std::int64_t* out) noexcept {
    return field_text::parse_integer({p, n}, out);
}

bool parse_float(char const* p, std::int64_t n, double* out, bool* is_integer) noexcept {
    return field_text::parse_float({p, n}, out, is_integer);
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

// find_strings: the bytes of many rows are searched in one go for the needle's rarest byte, which memchr finds at the
// speed of memory; only where it occurs the rest of the needle is compared, and only there the row is searched.
#include <array>
#include <string_view>

#include "backend/cpu/strings/rows.hpp"
#include "backend/cpu/strings/strings.hpp"

namespace bascule::cpu::strings {
namespace {

// How common bytes are in text, roughly: letters by their share in European languages, then digits, then the others.
constexpr std::array<u8, 256> commonness = [] {
    std::array<u8, 256> c{};
    for (int b = 128; b < 256; ++b) c[static_cast<std::size_t>(b)] = 10;
    for (char const b : {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'}) c[static_cast<u8>(b)] = 20;
    u8 k = 60;
    for (char const b : {' ', 'e', 't', 'a', 'o', 'i', 'n', 's', 'r', 'h', 'l', 'd', 'c', 'u',
                         'm', 'f', 'p', 'g', 'w', 'y', 'b', 'v', 'k', 'x', 'j', 'q', 'z'}) {
        c[static_cast<u8>(b)] = k--;
        if (b != ' ') c[static_cast<u8>(b - 32)] = static_cast<u8>(k / 2);
    }
    return c;
}();

class finder {
public:
    explicit finder(std::string_view needle) : needle_(needle.data()), size_(static_cast<i64>(needle.size())) {
        for (i64 k = 1; k < size_; ++k)
            if (rank(k) < rank(rarest_)) rarest_ = k;
    }
    i64 size() const { return size_; }

    // Where the needle, of one byte or more, begins first; null: nowhere.
    char const* in(char const* begin, char const* end) const {
        for (char const* p = begin + rarest_; p + (size_ - rarest_) <= end; ++p) {
            p = static_cast<char const*>(
                std::memchr(p, needle_[rarest_], static_cast<std::size_t>(end - p - (size_ - rarest_ - 1))));
            if (!p) return nullptr;
            if (std::memcmp(p - rarest_, needle_, static_cast<std::size_t>(size_)) == 0) return p - rarest_;
        }
        return nullptr;
    }

private:
    u8 rank(i64 k) const { return commonness[static_cast<u8>(needle_[k])]; }

    char const* needle_;
    i64 size_, rarest_ = 0;
};

// Calls found(row, place) for the occurrences of the needle within rows [first, last) from left to right; it returns
// whether the rest of the row is searched, too.
template <class F> void each_occurrence(string_column const& c, finder const& f, i64 first, i64 last, F const& found) {
    char const *p = c.bytes + c.offsets[first], *const end = c.bytes + c.offsets[last];
    for (i64 row = first; (p = f.in(p, end)) != nullptr;) {
        while (c.offsets[row + 1] <= p - c.bytes) ++row;
        char const* const row_end = c.bytes + c.offsets[row + 1];
        bool goes_on = is_valid(c.validity, row);
        if (goes_on) {
            if (p + f.size() > row_end) p += 1;  // across the end of the row
            else if ((goes_on = found(row, p - c.bytes - c.offsets[row]))) p += f.size();
        }
        if (!goes_on) p = row_end;
    }
}

std::string_view text_at(string_column const& c, i64 i) {
    return {c.bytes + c.offsets[i], static_cast<std::size_t>(c.offsets[i + 1] - c.offsets[i])};
}

class byte_set {
public:
    explicit byte_set(std::string_view bytes) {
        for (char const c : bytes) has_[static_cast<u8>(c)] = true;
    }
    bool has(char c) const { return has_[static_cast<u8>(c)]; }

private:
    std::array<bool, 256> has_{};
};

template <class F> void each_row(find_strings_args const& a, i64 first, i64 last, F const& value) {
    for (i64 i = first; i < last; ++i)
        a.out[i] = value(is_valid(a.in.validity, i) ? text_at(a.in, i) : std::string_view(a.in.bytes, 0), i);
}

void search_rows(find_strings_args const& a, i64 first, i64 last) {
    using text = std::string_view;
    text const needle = text_at(a.needle, 0);
    finder const f(needle);
    byte_set const set(needle);
    switch (a.search) {
        case string_search::first:
            if (a.from || needle.empty()) {
                each_row(a, first, last, [&](text t, i64 i) -> i64 {
                    i64 const from = a.from ? a.from[i] : 0;
                    if (from > static_cast<i64>(t.size())) return -1;
                    if (needle.empty()) return from;
                    char const* const p = f.in(t.data() + from, t.data() + t.size());
                    return p ? p - t.data() : -1;
                });
                return;
            }
            std::fill(a.out + first, a.out + last, i64{-1});
            each_occurrence(a.in, f, first, last, [&](i64 row, i64 at) { return a.out[row] = at, false; });
            return;
        case string_search::count:
            std::fill(a.out + first, a.out + last, i64{0});
            if (!needle.empty())
                each_occurrence(a.in, f, first, last, [&](i64 row, i64) { return ++a.out[row], true; });
            return;
        case string_search::last:
            each_row(a, first, last, [&](text t, i64) -> i64 {
                auto const at = t.rfind(needle);
                return at == t.npos ? -1 : static_cast<i64>(at);
            });
            return;
        case string_search::at_begin:
            each_row(a, first, last, [&](text t, i64) -> i64 { return t.starts_with(needle); });
            return;
        case string_search::at_end:
            each_row(a, first, last, [&](text t, i64) -> i64 { return t.ends_with(needle); });
            return;
        case string_search::past_set:
            each_row(a, first, last, [&](text t, i64) {
                std::size_t n = 0;
                while (n < t.size() && set.has(t[n])) ++n;
                return static_cast<i64>(n);
            });
            return;
        case string_search::up_to_set:
            each_row(a, first, last, [&](text t, i64) {
                std::size_t n = t.size();
                while (n > 0 && set.has(t[n - 1])) --n;
                return static_cast<i64>(n);
            });
            return;
    }
}

}  // namespace

status find_strings(find_strings_args const& a) noexcept {
    for_each_chunk(pieces_of(a.in.length), [&](i64, i64 begin, i64 end) { search_rows(a, begin, end); });
    return status::ok;
}

}  // namespace bascule::cpu::strings

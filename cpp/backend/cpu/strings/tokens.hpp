// Documents cut into terms, and terms numbered by a hash table.
#pragma once
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "backend/cpu/common/characters.hpp"
#include "backend/cpu/strings/rows.hpp"
#include "bascule/core/table_algorithms_tokens.hpp"

namespace bascule::cpu::strings {

using chunked::u32;

// MurmurHash3 of 32 bits with seed 0, by A. Appleby, as scikit-learn's FeatureHasher uses it.
inline u32 murmur(std::string_view s) noexcept {
    auto const rotated = [](u32 x, int by) { return x << by | x >> (32 - by); };
    auto const mixed = [&](u32 k) { return rotated(k * 0xcc9e2d51U, 15) * 0x1b873593U; };
    u32 h = 0;
    std::size_t i = 0;
    for (; i + 4 <= s.size(); i += 4) {
        u32 k;
        std::memcpy(&k, s.data() + i, 4);
        h = rotated(h ^ mixed(k), 13) * 5 + 0xe6546b64U;
    }
    if (i < s.size()) {
        u32 k = 0;
        std::memcpy(&k, s.data() + i, s.size() - i);
        h ^= mixed(k);
    }
    h ^= static_cast<u32>(s.size());
    h = (h ^ h >> 16) * 0x85ebca6bU;
    h = (h ^ h >> 13) * 0xc2b2ae35U;
    return h ^ h >> 16;
}

// Terms and their numbers, in the order in which they came. Bytes of terms that it keeps are its own.
class term_table {
public:
    static constexpr u32 none = 0xffffffffU;

    u32 size() const { return static_cast<u32>(ends_.size()); }
    std::string_view term(u32 number) const {
        auto const begin = number == 0 ? 0 : ends_[number - 1];
        return std::string_view(bytes_).substr(begin, ends_[number] - begin);
    }
    i64 bytes() const { return static_cast<i64>(bytes_.size()); }
    u32 hash(u32 number) const { return hashes_[number]; }

    u32 find(std::string_view s, u32 hash) const { return slots_.empty() ? none : slots_[slot_of(s, hash)]; }
    u32 find_or_add(std::string_view s, u32 hash) {
        if (2 * (ends_.size() + 1) > slots_.size()) grow();
        u32& slot = slots_[slot_of(s, hash)];
        if (slot != none) return slot;
        bytes_.append(s);
        ends_.push_back(bytes_.size()), hashes_.push_back(hash);
        return slot = size() - 1;
    }

private:
    // Where the term is, or the empty slot where it would be.
    std::size_t slot_of(std::string_view s, u32 hash) const {
        std::size_t const mask = slots_.size() - 1;
        std::size_t i = hash & mask;
        while (slots_[i] != none && (hashes_[slots_[i]] != hash || term(slots_[i]) != s)) i = (i + 1) & mask;
        return i;
    }
    void grow() {
        slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), none);
        std::size_t const mask = slots_.size() - 1;
        for (u32 k = 0; k < size(); ++k) {
            std::size_t i = hashes_[k] & mask;
            while (slots_[i] != none) i = (i + 1) & mask;
            slots_[i] = k;
        }
    }

    std::string bytes_;
    std::vector<std::size_t> ends_;
    std::vector<u32> hashes_, slots_;
};

inline std::string_view text_at(string_column const& c, i64 i) {
    return {c.bytes + c.offsets[i], static_cast<std::size_t>(c.offsets[i + 1] - c.offsets[i])};
}

// The terms of documents, one document after another.
class tokenizer {
public:
    tokenizer(count_tokens_args const& a, term_table const& stop_words) : a_(a), stop_words_(stop_words) {}

    // f(term) for each term of document i, shorter n-grams first. The term is valid during the call.
    template <class F> void each_term(i64 i, F const& f) {
        if (!is_valid(a_.in.validity, i)) return;
        std::string_view const document = text_at(a_.in, i);
        if (!document.empty() && document[0] == before_term) return each_given_term(document, f);
        cut(document);
        auto const tokens = static_cast<i64>(ends_.size());
        for (i64 n = a_.least; n <= a_.most && n <= tokens; ++n)
            for (i64 first = 0; first + n <= tokens; ++first) {
                auto const k = static_cast<std::size_t>(first);
                std::size_t const begin = k == 0 ? 0 : ends_[k - 1] + 1;
                f(std::string_view(joined_).substr(begin, ends_[k + static_cast<std::size_t>(n) - 1] - begin));
            }
    }

private:
    template <class F> static void each_given_term(std::string_view document, F const& f) {
        for (std::size_t begin = 1; begin <= document.size();) {
            std::size_t const end = std::min(document.find(before_term, begin), document.size());
            f(document.substr(begin, end - begin));
            begin = end + 1;
        }
    }

    static constexpr bool is_in_token(char c) noexcept {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    // The tokens of a document with a space between them, so that an n-gram is a piece of it.
    void cut(std::string_view document) {
        static constexpr auto kept = [] {
            std::array<std::array<char, 256>, 2> made{};  // 0: not in a token
            for (int c = 0; c < 256; ++c)
                if (auto const byte = static_cast<char>(c); is_in_token(byte))
                    made[0][static_cast<std::size_t>(c)] = byte,
                    made[1][static_cast<std::size_t>(c)] = in_lower_case(byte);
            return made;
        }();
        auto const& table = kept[a_.lower_case ? 1 : 0];
        joined_.resize(document.size() + 1);
        ends_.clear();
        char* const begin = joined_.data();
        char* out = begin;
        for (std::size_t i = 0; i < document.size();) {
            char* const first = out;
            char c;
            while (i < document.size() && (c = table[static_cast<unsigned char>(document[i])]) != 0) *out++ = c, ++i;
            if (auto const n = out - first; n < 2 || is_stop_word({first, static_cast<std::size_t>(n)})) {
                out = first;
            } else {
                ends_.push_back(static_cast<std::size_t>(out - begin));
                *out++ = ' ';
            }
            ++i;
        }
    }
    bool is_stop_word(std::string_view s) const {
        return stop_words_.size() != 0 && stop_words_.find(s, murmur(s)) != term_table::none;
    }

    count_tokens_args const& a_;
    term_table const& stop_words_;
    std::string joined_;
    std::vector<std::size_t> ends_;
};

}  // namespace bascule::cpu::strings

// Tokens of documents by regular expressions, counted in maps.
#include <cstring>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "backend/reference/failure.hpp"
#include "backend/reference/tables_strings.hpp"

namespace bascule::reference {
namespace {

std::string text_at(string_column const& c, std::int64_t i) {
    return std::string(c.bytes + c.offsets[i], std::size_t(c.offsets[i + 1] - c.offsets[i]));
}

std::vector<std::string> split(std::string const& document) {
    std::vector<std::string> terms;
    for (char const c : document)
        if (c == before_term) terms.emplace_back();
        else terms.back() += c;
    return terms;
}

std::vector<std::string> tokens_of(std::string document, bool lower_case) {
    if (lower_case)
        for (char& c : document)
            if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    static std::regex const pattern("[A-Za-z0-9_]{2,}");
    return {std::sregex_token_iterator(document.begin(), document.end(), pattern), std::sregex_token_iterator()};
}

std::vector<std::string> terms_of(count_tokens_args const& a, std::int64_t row,
                                  std::set<std::string> const& stop_words) {
    if (a.in.validity != nullptr && (a.in.validity[row / 8] >> (row % 8) & 1) == 0) return {};
    auto const document = text_at(a.in, row);
    if (!document.empty() && document[0] == before_term) return split(document);
    auto tokens = tokens_of(document, a.lower_case);
    std::erase_if(tokens, [&](std::string const& t) { return stop_words.count(t) != 0; });
    std::vector<std::string> terms;
    for (std::size_t n = std::size_t(a.least); n <= std::size_t(a.most); ++n)
        for (std::size_t first = 0; first + n <= tokens.size(); ++first) {
            std::string term = tokens[first];
            for (std::size_t k = 1; k < n; ++k) term += " " + tokens[first + k];
            terms.push_back(term);
        }
    return terms;
}

// MurmurHash3, 32 bits, seed 0, byte by byte.
std::uint32_t hash_of(std::string const& s) {
    auto const turn = [](std::uint32_t x, int n) { return (x << n) | (x >> (32 - n)); };
    std::uint32_t h = 0;
    for (std::size_t i = 0; i < s.size(); i += 4) {
        std::uint32_t k = 0;
        std::size_t const n = std::min<std::size_t>(4, s.size() - i);
        for (std::size_t b = 0; b < n; ++b) k |= std::uint32_t(static_cast<unsigned char>(s[i + b])) << (8 * b);
        k = turn(k * 0xcc9e2d51U, 15) * 0x1b873593U;
        h ^= k;
        if (n == 4) h = turn(h, 13) * 5 + 0xe6546b64U;
    }
    h ^= std::uint32_t(s.size());
    h ^= h >> 16, h *= 0x85ebca6bU;
    h ^= h >> 13, h *= 0xc2b2ae35U;
    return h ^ (h >> 16);
}

template <class T> T* memory(count_tokens_args const& a, std::size_t count) {
    void* const p = a.allocate(a.owner, std::int64_t(count * sizeof(T)));
    if (p == nullptr && count > 0) throw std::bad_alloc();
    return static_cast<T*>(p);
}

}  // namespace

void count_tokens(count_tokens_args& a) {
    std::set<std::string> stop_words;
    for (std::int64_t i = 0; i < a.stop_words.length; ++i) stop_words.insert(text_at(a.stop_words, i));
    std::vector<std::vector<std::string>> documents;
    for (std::int64_t i = 0; i < a.in.length; ++i) documents.push_back(terms_of(a, i, stop_words));
    std::map<std::string, std::int64_t> vocabulary;
    for (std::int64_t i = 0; i < a.vocabulary.length; ++i) vocabulary[text_at(a.vocabulary, i)] = i;
    std::vector<std::string> appeared;
    if (a.columns == token_columns::discovered) {
        vocabulary.clear();
        for (auto const& terms : documents)
            for (auto const& t : terms)
                if (vocabulary.emplace(t, vocabulary.size()).second) appeared.push_back(t);
    }
    std::vector<std::int32_t> indices, counts;
    a.starts[0] = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        std::map<std::int64_t, std::int32_t> row;
        for (auto const& term : documents[i]) {
            if (a.columns == token_columns::hashed) {
                auto const hash = std::int64_t(std::int32_t(hash_of(term)));
                row[std::abs(hash) % a.hashed_columns] += hash < 0 && a.signs ? -1 : 1;
            } else if (auto const known = vocabulary.find(term); known != vocabulary.end()) {
                row[known->second] += 1;
            }
        }
        for (auto const& [column, n] : row) indices.push_back(std::int32_t(column)), counts.push_back(n);
        a.starts[i + 1] = std::int64_t(indices.size());
    }
    a.indices = memory<std::int32_t>(a, indices.size()), a.counts = memory<std::int32_t>(a, counts.size());
    std::copy(indices.begin(), indices.end(), a.indices), std::copy(counts.begin(), counts.end(), a.counts);
    if (a.columns != token_columns::discovered) return;
    a.nterms = std::int64_t(appeared.size());
    std::string bytes;
    a.terms = {};
    a.terms.offsets = memory<std::int64_t>(a, appeared.size() + 1);
    std::int64_t* end = a.terms.offsets;
    *end++ = 0;
    for (auto const& term : appeared) bytes += term, *end++ = std::int64_t(bytes.size());
    a.terms.bytes = memory<char>(a, bytes.size());
    std::copy(bytes.begin(), bytes.end(), a.terms.bytes);
}

}  // namespace bascule::reference

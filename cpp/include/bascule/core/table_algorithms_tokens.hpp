// Argument struct of the algorithm that counts the tokens of documents. Plain data; bytes are UTF-8.
#pragma once
#include "bascule/core/table_algorithms_strings.hpp"

namespace bascule {

// A document that begins with this byte is cut already: it is a list of terms, each with this byte before it, that are
// counted as they are. Any other is ASCII, and its tokens are the runs of two or more letters, digits and underscores.
inline constexpr char before_term = '\0';

enum class token_columns : std::uint8_t {
    hashed,      // a term's column is its MurmurHash3 (32 bits, seed 0), modulo the number of columns
    given,       // its row in `vocabulary`; other terms are not counted
    discovered,  // its row in the list of all terms in the order in which they appear, which is a result
};

// algorithm_kind::count_tokens. A sparse matrix: a row for each document, with a column for each different term in it,
// in ascending order, and how often it is there. Terms are n-grams: tokens joined by one space. Null rows have none.
struct count_tokens_args {
    string_column in;
    bool lower_case = true;
    std::int32_t least = 1, most = 1;  // tokens in a term; 1 <= least <= most
    string_column stop_words;          // tokens that are left out before terms are made; length 0: none
    token_columns columns = token_columns::hashed;
    std::int64_t hashed_columns = 0;  // 1 to 2^31 - 1
    bool signs = false;               // hashed: a term whose hash is negative counts -1
    string_column vocabulary;         // given: up to 2^31 - 1 terms, no two equal
    std::int64_t* starts = nullptr;   // of each row in the results: in.length + 1
    void* owner = nullptr;
    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;
    std::int32_t* indices = nullptr;  // results: columns, starts[in.length] of them
    std::int32_t* counts = nullptr;   // of the same length; where signs cancel out, 0
    string_result terms;              // discovered
    std::int64_t nterms = 0;
};

}  // namespace bascule

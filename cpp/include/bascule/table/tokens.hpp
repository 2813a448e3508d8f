// The tokens of documents, counted.
#pragma once
#include "bascule/core/table_algorithms_tokens.hpp"
#include "bascule/table/column.hpp"

namespace bascule::table {

// How documents become terms, as the arguments of the same names; stop_words may be null.
struct term_rule {
    bool lower_case = true;
    std::int32_t least = 1, most = 1;
    column_ref stop_words;
};

// A sparse matrix with a row for each document: entries of row i are those from starts[i] to starts[i + 1], with
// ascending columns. int64, and int32 the others.
struct token_counts {
    array starts, columns, counts;
    column_ref terms;  // of a discovered vocabulary, in the order in which they appear
};

// A term's column is its hash modulo `columns`; with signs half of the terms count -1.
token_counts hash_tokens(column const& documents, term_rule const& rule, std::int64_t columns, bool signs);

// A term's column is its row in `vocabulary`, in which no two are equal; null: in the result's list of all terms.
token_counts count_tokens(column const& documents, term_rule const& rule, column_ref const& vocabulary);

}  // namespace bascule::table

// Key columns in the forms that the algorithms of groups, joins and sorts read.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "bascule/array/elementwise.hpp"
#include "bascule/table/groups.hpp"

namespace bascule::table {

// Codes are used for text wherever they exist: they are in its order.
inline column_ref as_key(column_ref c) {
    if (auto codes = c->encoded()) return codes;
    return c;
}
inline column_ref as_key(column const& c) { return as_key(std::make_shared<column const>(c)); }

inline bool is_half(column const& c) { return !c.is_text() && c.values().type.id == type_id::float16; }

inline column_ref widened(column_ref c) {
    if (!is_half(*c)) return c;
    return std::make_shared<column const>(astype(c->values(), make_dtype(type_id::float32)), c->valid());
}

template <class Columns> std::int64_t common_length(Columns const& keys, char const* who) {
    if (keys.empty()) throw value_error(std::string("[") + who + "] expected at least one key");
    for (auto const& k : keys)
        if (k->length() != keys[0]->length())
            throw value_error(std::string("[") + who + "] keys differ in length: " + std::to_string(keys[0]->length()) +
                              " and " + std::to_string(k->length()));
    return keys[0]->length();
}

// How the strings of a dictionary of text are numbered; nothing where text gets none.
std::optional<factorize_plan> plan_dictionary(column const& text);

// Text in coded form, however many different ones there are.
column_ref numbered(column_ref const& c);

struct numbering_options {
    bool sorted = true, keep_missing = false, first = false;
    bool wide = false;                        // int64 codes, -1 where in no group
    std::optional<factorize_plan> plan = {};  // if there is one already
};
// factorize of the columns as they are: text is grouped itself, not by its codes.
numbering number_rows(std::span<column_ref const> keys, numbering_options const& how);

}  // namespace bascule::table

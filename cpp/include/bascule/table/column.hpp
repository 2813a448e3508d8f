// A column of a table: immutable values of one type, and which of them are missing.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "bascule/array/array.hpp"
#include "bascule/core/table_algorithms_strings.hpp"

namespace bascule::table {

class column;
using column_ref = std::shared_ptr<column const>;

// Three forms:
//   plain  values are the elements, a lazy array like any other; NaN and NaT are missing
//   text   values are bytes of UTF-8, offsets say where each row's begin (Arrow's large_string)
//   coded  values are int32 codes into a dictionary of distinct, sorted strings, -1 where missing; operations on rows
//          are operations on integers
// `valid`, one bool a row, exists only where rows of another kind than NaN and NaT are missing. It is a second operand
// of fused plans; where an algorithm or Arrow needs a bitmap it is packed for the call.
class column {
public:
    enum class form : std::uint8_t { plain, text, coded };

    explicit column(array values, array valid = {});
    static column text(array bytes, array offsets, array valid = {});
    static column coded(array codes, column_ref dictionary);

    [[nodiscard]] form kind() const noexcept { return form_; }
    [[nodiscard]] bool is_text() const noexcept { return form_ != form::plain; }
    [[nodiscard]] std::int64_t length() const noexcept { return length_; }
    [[nodiscard]] device where() const noexcept { return values_.where(); }
    [[nodiscard]] array const& values() const noexcept { return values_; }
    [[nodiscard]] array const& offsets() const noexcept { return offsets_; }
    [[nodiscard]] array const& valid() const noexcept { return valid_; }
    [[nodiscard]] bool has_valid() const noexcept { return valid_.memory() != nullptr; }
    [[nodiscard]] column_ref const& dictionary() const noexcept { return dictionary_; }

    // Whether any row is missing; costs a pass the first time.
    [[nodiscard]] bool has_missing() const;
    // The same rows in coded form, made once and kept; null for columns that are not text, and for text with so many
    // distinct values that codes would not pay.
    [[nodiscard]] column_ref encoded() const;
    // The same, where they are made already; else null.
    [[nodiscard]] column_ref known_codes() const;
    // The same rows in text form.
    [[nodiscard]] column_ref decoded() const;

private:
    column() = default;
    void hand_out() const;
    struct derived {  // found out once, shared by copies of the column
        std::mutex mutex;
        bool asked_for_codes = false;
        column_ref codes, text;
        std::atomic<signed char> missing{-1};
    };

    form form_ = form::plain;
    std::int64_t length_ = 0;
    array values_, offsets_, valid_;
    column_ref dictionary_;
    std::shared_ptr<derived> derived_ = std::make_shared<derived>();
};

// The rows at int64 positions, within [0, length). With `holes`, negative positions give missing rows: NaN or NaT, in
// integers and booleans NaN of float64 for the first and an invalid row for the second. Throws index_error; negative
// positions in plain values and in codes count from the end without `holes`, as in get_item.
column take(column const& c, array const& positions, bool nulls = false);
column filter(column const& c, array const& mask);  // rows where mask is true
column slice(column const& c, bascule::slice rows);
// Rows of all, one after another. Throws type_error when text and other values are mixed.
column concat(std::span<column_ref const> parts);
// Row i is row codes[i] of a text column, -1: missing. Equal strings get one code, so `text` may repeat and be in any
// order.
column recode(array const& codes, column const& text);
array missing(column const& c);  // bool, lazy for all but text
// Rows of text against rows of text, or against one row. Bool; with a missing side != is true and all else false.
array compare_text(column const& a, column const& b, string_comparison op);

}  // namespace bascule::table

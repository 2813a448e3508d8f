// Argument structs of algorithm_kind::read_csv and write_csv. Plain data; every result is in memory from the caller's
// `allocate`.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// The requested type of a column, and its type as read. `automatic` follows pandas' whole-column inference: int64,
// uint64, float64, boolean, else text. `date` is datetime64 from ISO text.
enum class csv_kind : std::uint8_t { automatic, int64, uint64, float64, boolean, text, date };

struct csv_bytes {
    char const* data;
    std::int64_t size;
};

// The default words for a missing value.
inline constexpr char const* csv_na_words[] = {"",     "#N/A",   "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN",
                                               "-nan", "1.#IND", "1.#QNAN",  "<NA>", "N/A",     "NA",       "NULL",
                                               "NaN",  "None",   "n/a",      "nan",  "null"};

// Why the caller should read the file with pandas: the library has no column type for the values.
enum class csv_remark : std::uint8_t {
    none,
    empty,          // no rows: nothing to infer a type from
    boolean_nulls,  // booleans with nulls: pandas makes objects of them
    huge_integers,  // integers that neither 64-bit type holds: text here, Python integers in pandas
    unknown_dates,  // asked to be dates, but not all of one ISO form: text here
};

struct csv_column {
    csv_kind kind = csv_kind::text;
    csv_remark remark = csv_remark::none;
    time_unit unit = time_unit::us;  // of a date
    std::int32_t position = 0;       // in the row, the implicit index counted
    csv_bytes name{nullptr, 0};      // no data: the column is numbered, or belongs to the implicit index
    void* data = nullptr;            // 8 bytes a row; 1 for boolean; the bytes of all rows for text
    // Of text and boolean, null: all valid. Floats have NaN, dates NaT. An Arrow bitmap, on a device with memory of its
    // own a byte a row.
    std::uint8_t* validity = nullptr;
    std::int64_t* offsets = nullptr;  // text: length + 1 of them
    std::int64_t null_count = 0;
};

// left_to_cpu: a device with memory of its own found something that only the CPU device reads, or words as an error.
enum class csv_failure : std::uint8_t {
    none,
    parser_error,
    empty_data,
    unicode_error,
    value_error,
    file_error,
    left_to_cpu
};

struct read_csv_args {
    // ---- the input: a file, or memory when `path` is null
    char const* path = nullptr;
    csv_bytes memory{nullptr, 0};
    std::int64_t range_begin = 0, range_end = -1;  // rows that start in [begin, end) of the bytes; -1: to the end

    // ---- how
    char separator = ',', quote = '"';  // quote '\0': none
    bool skip_blank_lines = true, keep_default_na = true, na_filter = true;
    bool no_quoted_newlines =
        false;                   // the caller's word, so that a range need not be counted from the file's beginning
    std::int64_t header = 0;     // row of the names among those that are not blank; -1: none
    std::int64_t skip_rows = 0;  // lines left out first
    std::int64_t row_limit = -1;
    csv_bytes const* names = nullptr;  // in place of the header's
    std::int64_t name_count = 0;
    csv_bytes const* na_words = nullptr;
    std::int64_t na_word_count = 0;
    // By column, the implicit index not counted; null: all, automatic. More entries than columns are ignored.
    std::uint8_t const* wanted = nullptr;
    std::int64_t wanted_count = 0;  // columns from here on are left out
    csv_kind const* kinds = nullptr;
    std::int64_t kind_count = 0;
    bool names_only = false;  // the header and the count of columns, no rows

    // A device with memory of its own reads rows alone: `memory` lies there, as every result does, and ends with a
    // newline. All words of missing values are in `na_words`; `header`, `names`, ranges and `keep_default_na` mean
    // nothing. `implicit_index` is given.
    char const* host_text = nullptr;  // the same bytes
    std::int64_t width = 0;           // fields of a row

    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;
    void (*release)(void* owner, void* p, std::int64_t bytes) = nullptr;
    void* owner = nullptr;

    // ---- results
    csv_column* columns = nullptr;  // the implicit index's first, then those wanted
    std::int64_t column_count = 0, implicit_index = 0, length = 0;
    std::int64_t data_begin = 0;   // of the first row behind the header
    std::int64_t host_fields = 0;  // floats that the device left to the host's conversion
    csv_failure failure = csv_failure::none;
    char message[512] = "";  // pandas' words
};

// The values of a column as they are written: in the fewest digits that give them back, unless a float is given so many
// digits (fixed, scientific, general: C's f, e, g). Times have the form of the finest one among the rows of a group.
enum class csv_form : std::uint8_t { integer, shortest, fixed, scientific, general, boolean, text, coded_text, time };

struct csv_cells {
    csv_form form = csv_form::integer;
    type_id type = type_id::int64;  // of integers and floats
    bool is_number = true;          // not quoted where text alone is
    bool one_form = false;          // times: the form is that of the finest among all rows
    std::int32_t precision = 6;
    time_unit unit = time_unit::us;
    void const* data = nullptr;             // elements; the bytes of text; int32 codes of coded text, -1: missing
    std::int64_t const* offsets = nullptr;  // of text: one more than rows
    csv_bytes dictionary{nullptr, 0};       // of coded text: the bytes of its strings, whose offsets are `offsets`
    std::int64_t dictionary_size = 0;
    std::uint8_t const* valid = nullptr;  // a byte a row; null: NaN and NaT alone are missing
    csv_bytes missing{nullptr, 0};        // the text of a missing value
};

// The meaning of an ASCII character in a field.
enum class csv_effect : std::uint8_t { none, quotes, prefixed, quotes_and_prefixed, refused };

struct write_csv_args {
    csv_cells const* columns = nullptr;
    std::int64_t column_count = 0;
    std::int64_t first = 0, past = 0;    // rows to write, of `length`
    std::int64_t length = 0, group = 1;  // rows of a group, the first of which begins at row 0
    char separator = ',', quote = '"';
    csv_bytes line_end{nullptr, 0}, decimal{nullptr, 0};
    double single_limit = 1e16;  // from which on float32 has an exponent
    bool quote_all = false, quote_text = false;
    csv_effect effects[128] = {};
    char prefixes[128] = {};
    csv_bytes empty_row{nullptr, 0};  // a row of one empty field; no data: refused

    void* (*allocate)(void* owner, std::int64_t bytes) = nullptr;
    void (*release)(void* owner, void* p, std::int64_t bytes) = nullptr;
    void* owner = nullptr;

    // ---- results
    csv_bytes* pieces = nullptr;  // one after the other
    std::int64_t piece_count = 0;
    bool is_ascii = true;
    bool refused_character = false, refused_empty_row = false;
};

}  // namespace bascule

// Columns while they are read: decoding the fields of a piece into them, and the types they need.
#pragma once
#include <atomic>
#include <memory>

#include "backend/cpu/csv/text.hpp"
#include "backend/cpu/csv/values.hpp"

namespace bascule::cpu::csv {

// Properties of a column that were found in any of its rows.
namespace note {
enum : std::uint32_t {
    null = 1,
    fraction = 2,
    negative = 4,
    over_int64 = 8,
    beyond = 16,
    below_micro = 32,
    value = 64,
    date_forms = 256
};
}

// Where a column's rows go, and how.
struct csv_output {
    csv_kind kind = csv_kind::int64;
    time_unit unit = time_unit::us;
    bool ask_na = true;             // whether the words of missing values apply
    void* data = nullptr;           // of the first row of the piece; text: where its bytes go
    std::uint8_t* valid = nullptr;  // a byte a row: text and boolean
    std::int64_t* ends = nullptr;   // text: where each row's bytes end, counted from `data`
};

struct csv_result {
    csv_kind needs;  // the requested kind, or the next that the row at `row` may fit
    std::uint32_t notes = 0;
    std::int64_t nulls = 0, bytes = 0, row = -1;
};

struct csv_reading {
    na_words const* na;
    char quote;
    bool quoting;
};

// Decodes column `column` of the first `rows` rows.
csv_result decode_column(csv_fields const&, std::int64_t column, std::int64_t rows, csv_reading const&,
                         csv_output const&);
// The content of one field, without quotes.
std::string field_text(csv_fields const&, std::int64_t column, std::int64_t row, csv_reading const&);

}  // namespace bascule::cpu::csv

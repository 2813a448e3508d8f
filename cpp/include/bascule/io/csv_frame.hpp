// A CSV table as the columns of a frame, over the memory that the reader filled.
#pragma once
#include <string>
#include <vector>

#include "bascule/io/csv.hpp"
#include "bascule/table/column.hpp"

namespace bascule::io {

struct csv_frame_column {
    std::string name;
    bool named = true;  // false: numbered, or of the implicit index
    csv_kind kind = csv_kind::text;
    csv_remark remark = csv_remark::none;
    table::column_ref values;
};

struct csv_frame {
    std::vector<csv_frame_column> columns;  // those of the implicit index first
    std::int64_t implicit_index = 0, rows = 0;
};

csv_frame to_frame(csv_table const& t);

}  // namespace bascule::io

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

// The input of a call: a file, or text.
struct csv_input {
    std::string path;
    std::string_view text;
    bool is_file = false;
};

// A frame that a device with memory of its own has read; or the reason why only the CPU device reads the input, or says
// what is wrong with it.
struct csv_of_device {
    csv_frame frame;
    std::string left_to_cpu;
    std::int64_t host_fields = 0;  // floats of more than 19 digits that the host had to convert
};

// The rows are copied to the device once, as text. Cost: three waits for any number of columns, two more where the host
// converts floats. Throws csv_error, memory_error, device_error.
csv_of_device read_csv_on(device where, csv_input const& input, csv_options const& o);

}  // namespace bascule::io

// The arguments of one call of read_csv, with the memory that they point to.
#pragma once
#include "bascule/io/csv.hpp"
#include "block_list.hpp"

namespace bascule::io {

// Columns that are chosen by name. The names are read first, in a short pass over the beginning of the input.
struct csv_selection {
    std::vector<std::uint8_t> wanted;
    std::vector<csv_kind> kinds;
};

class csv_call {
public:
    // The options and `blocks`, which has the memory of the results, live as long as it does.
    csv_call(read_csv_args const& input, csv_options const&, block_list& blocks);
    csv_call(csv_call const&) = delete;
    csv_call& operator=(csv_call const&) = delete;
    void run();  // on the CPU device

    read_csv_args args;

private:
    std::vector<csv_bytes> names_, na_words_;
    csv_selection chosen_;
};

}  // namespace bascule::io

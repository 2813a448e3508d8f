// The bytes of a CSV input and how they fall into rows and fields.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/cpu/dispatch/csv_scan.hpp"
#include "bascule/core/pool.hpp"
#include "bascule/core/table_algorithms_csv.hpp"

namespace bascule::cpu::csv {

// Ends a read: which of pandas' errors, and its words.
struct csv_fault : std::runtime_error {
    csv_failure kind;
    csv_fault(csv_failure k, std::string const& text) : std::runtime_error(text), kind(k) {}
};

// A block of the pool, freed at the end of the scope.
struct scratch {
    char* data = nullptr;
    std::int64_t bytes = 0;
    scratch() = default;
    explicit scratch(std::int64_t n);
    scratch(scratch const&) = delete;
    scratch& operator=(scratch const&) = delete;
    scratch(scratch&& o) noexcept : data(o.data), bytes(o.bytes) { o.data = nullptr; }
    scratch& operator=(scratch&& o) noexcept {
        std::swap(data, o.data);
        std::swap(bytes, o.bytes);
        return *this;
    }
    ~scratch() {
        if (data) host_pool().release(data, bytes);
    }
};

// A file or memory, seen as if its last line always ended with a newline. Files are read piece by piece, not mapped:
// one that shrinks meanwhile is an error, not a crash.
class csv_source {
public:
    explicit csv_source(read_csv_args const&);
    ~csv_source();
    csv_source(csv_source const&) = delete;
    csv_source& operator=(csv_source const&) = delete;
    std::int64_t size() const noexcept { return size_; }
    // Bytes [begin, begin + n), of which those past the end are left out; how many were read.
    std::int64_t read(std::int64_t begin, std::int64_t n, char* to) const;

private:
    int file_ = -1;
    char const* memory_ = nullptr;
    std::int64_t stored_ = 0, size_ = 0;
};

struct csv_dialect {
    csv_marks marks;
    bool skip_blank_lines;
};

// Fields of consecutive rows. Field i is [begin(i), end(i)) of the text; every row has `width` of them.
struct csv_fields {
    char const* text = nullptr;
    std::uint32_t const *begins = nullptr, *ends = nullptr;
    std::uint32_t past_mark = 0;  // 1 where `begins` are the positions of the marks in front
    std::int64_t rows = 0, width = 0;
    bool trim_return = false;  // the last field of a row may end with a carriage return
};

// One row, split by pandas' rules character by character, for rows that the fast scan does not handle.
struct csv_row {
    std::vector<std::uint32_t> begins, ends;
    std::int64_t next = 0;  // where the next row begins
    bool blank = false, complete = false;
};
// The text of the row at `at`; not complete when the text ends first.
void split_row(char const* text, std::int64_t at, std::int64_t size, csv_dialect const&, csv_row*);

// Where the rows are that a task decodes.
struct csv_chunk {
    std::int64_t begin = 0, end = 0;       // it owns the rows that follow a newline in this range
    std::int64_t lines = 0;                // rows that it owns, blank ones too
    bool inside = false, first = false;    // begins inside quotes; begins with a row of its own
    std::int64_t start = -1;               // irregular text: its first row
    std::int64_t lines_before = 0;         // physical rows of the input in front of its own, for messages
    std::int64_t rows = 0, first_row = 0;  // rows: at most, until the chunk was scanned
};

// A piece of the text in memory, with the positions of its fields.
class csv_piece {
public:
    static constexpr std::int64_t front = 64, behind = 64;

    // Loads and splits the rows of a chunk. Rows of more fields than `width` are a fault unless `cut_long_rows`.
    void load(csv_source const&, csv_dialect const&, csv_chunk const&, std::int64_t width, bool cut_long_rows,
              bool exact);
    csv_fields const& fields() const noexcept { return fields_; }
    std::int64_t text_size() const noexcept { return loaded_; }

private:
    void read(csv_source const&, std::int64_t begin, std::int64_t n);
    bool take_regular(csv_dialect const&, csv_chunk const&, std::int64_t input_size);
    bool is_rectangular(std::int64_t width, std::int64_t rows) const;
    void split_marks(csv_dialect const&, csv_chunk const&, std::int64_t width, bool cut);
    bool split_exact(csv_dialect const&, csv_chunk const&, std::int64_t width, bool cut);
    void add_row(std::int64_t width, bool cut, std::int64_t line);

    scratch buffer_, marks_;
    char* text_ = nullptr;
    std::int64_t origin_ = 0, loaded_ = 0;
    std::uint32_t* mark_ = nullptr;
    std::int64_t first_mark_ = 0, mark_count_ = 0, first_row_at_ = 0;
    csv_row row_;
    std::vector<std::uint32_t> begins_, ends_;
    csv_fields fields_;
};

[[noreturn]] void throw_ragged(std::int64_t expected, std::int64_t line, std::int64_t saw);

}  // namespace bascule::cpu::csv

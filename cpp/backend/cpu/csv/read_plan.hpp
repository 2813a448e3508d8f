// Properties of a CSV input that are known before its values are decoded: names, columns, and the rows of each task.
#pragma once
#include "backend/cpu/csv/text.hpp"
#include "bascule/sched/interrupt.hpp"
#include "bascule/sched/progress.hpp"

namespace bascule::cpu::csv {

struct csv_prologue {
    std::vector<std::string> names;  // empty: the columns are numbered
    std::int64_t data_begin = 0;     // of the first row behind the header
    std::int64_t lines = 0;          // physical rows in front of it
    std::int64_t first_fields = 0;   // in the first row of values; 0: there is none
    std::int64_t width = 0, implicit_index = 0;
};
csv_prologue read_prologue(csv_source const&, csv_dialect const&, read_csv_args const&);

struct csv_chunks {
    std::vector<csv_chunk> list;
    bool exact = false;               // the text needs to be split character by character
    std::int64_t unclosed_line = -1;  // a quote that never closes begins in this row
    std::int64_t rows = 0;
};
csv_chunks find_chunks(csv_source const&, csv_dialect const&, read_csv_args const&, csv_prologue const&);
// Numbers the rows of the chunks from 0, up to the limit of rows.
void number_rows(csv_chunks&, std::int64_t row_limit);

// Thrown where the program is to be interrupted.
struct csv_interrupted {};

// Made by the reading thread before its tasks run, which use it to check for interrupts and to report progress.
class csv_watch {
public:
    explicit csv_watch(std::int64_t bytes) {
        if (reported_) reported_->begin(bytes);
    }
    bool ended() noexcept { return early_.wanted(); }
    void did(std::int64_t bytes) noexcept {
        if (reported_) reported_->done.fetch_add(bytes, std::memory_order_relaxed);
    }
    void check() {
        if (early_.wanted()) throw csv_interrupted();
    }

private:
    sched::early_end early_;
    sched::progress* const reported_ = sched::progress::here();
};

// Bytes a task decodes at a time. 128 to 512 KiB are level, 16 KiB costs twice; tests set it lower.
std::int64_t csv_chunk_bytes() noexcept;
void set_csv_chunk_bytes(std::int64_t) noexcept;

}  // namespace bascule::cpu::csv

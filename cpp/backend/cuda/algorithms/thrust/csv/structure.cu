#include "backend/cuda/algorithms/thrust/csv/structure.hpp"

#include <thrust/scan.h>

#include "backend/cuda/algorithms/thrust/group_by_number.hpp"

namespace bascule::cuda::algorithms {
namespace {

constexpr std::int64_t block_bytes = 64;  // a thread's

struct csv_text_blocks {
    csv_machine machine;
    char const* text;
    std::int64_t size;

    template <class Each> BASCULE_HD void bytes(std::int64_t block, Each&& each) const {
        std::int64_t const begin = block * block_bytes, end = begin + block_bytes < size ? begin + block_bytes : size;
        for (std::int64_t at = begin; at < end; ++at) each(at, text[at]);
    }
    // each(state, at, byte) for each byte of a block.
    template <class Each> BASCULE_HD void walk(std::int64_t block, unsigned state, Each&& each) const {
        bytes(block, [&](std::int64_t at, char c) {
            each(state, at, c);
            state = machine.next(state, c);
        });
    }
};

struct steps_of_block {
    csv_text_blocks in;
    csv_steps* out;
    BASCULE_HD void operator()(std::int64_t block) const {
        unsigned now[csv_machine::states];
        for (unsigned s = 0; s < csv_machine::states; ++s) now[s] = s;
        in.bytes(block, [&](std::int64_t, char c) {
            for (unsigned s = 0; s < csv_machine::states; ++s) now[s] = in.machine.next(now[s], c);
        });
        csv_steps made{0};
        for (unsigned s = 0; s < csv_machine::states; ++s) made.behind |= now[s] << (3 * s);
        out[block] = made;
    }
};

struct one_after_the_other {
    BASCULE_HD csv_steps operator()(csv_steps a, csv_steps b) const {
        csv_steps made{0};
        for (unsigned s = 0; s < csv_machine::states; ++s) made.behind |= b.after(a.after(s)) << (3 * s);
        return made;
    }
};

// The text begins where a field does.
BASCULE_HD unsigned state_before(csv_steps const* steps, std::int64_t block) {
    return block == 0 ? csv_machine::begin : steps[block - 1].after(csv_machine::begin);
}

struct fields_of_block {
    csv_text_blocks in;
    csv_steps const* steps;
    BASCULE_HD std::int64_t operator()(std::int64_t block) const {
        std::int64_t count = 0;
        in.walk(block, state_before(steps, block),
                [&](unsigned s, std::int64_t, char c) { count += in.machine.ends_field(s, c); });
        return count;
    }
};
struct rows_of_block {
    csv_text_blocks in;
    csv_steps const* steps;
    BASCULE_HD std::int64_t operator()(std::int64_t block) const {
        std::int64_t count = 0;
        in.walk(block, state_before(steps, block), [&](unsigned s, std::int64_t, char c) {
            count += in.machine.ends_field(s, c) && in.machine.ends_row(c);
        });
        return count;
    }
};
struct write_totals {
    std::int64_t const *fields, *rows;
    csv_steps const* steps;
    std::int64_t blocks;
    csv_totals* out;
    BASCULE_HD void operator()(std::int64_t) const { *out = {*fields, *rows, state_before(steps, blocks)}; }
};

struct write_ends {
    csv_text_blocks in;
    csv_steps const* steps;
    std::int64_t const *fields_before, *rows_before;
    std::int64_t *ends, *past;  // past: of each row the number of the field behind its last one
    BASCULE_HD void operator()(std::int64_t block) const {
        std::int64_t field = fields_before[block], row = rows_before[block];
        in.walk(block, state_before(steps, block), [&](unsigned s, std::int64_t at, char c) {
            if (!in.machine.ends_field(s, c)) return;
            ends[field++] = at;
            if (in.machine.ends_row(c)) past[row++] = field;
        });
    }
};

struct is_kept {
    csv_rows in;
    std::int64_t const* past;
    bool skip_blank;
    BASCULE_HD std::int64_t operator()(std::int64_t row) const {
        std::int64_t const first = row == 0 ? 0 : past[row - 1];
        if (!skip_blank || past[row] - first != 1) return 1;
        for (std::int64_t at = in.begin_of(first); at < in.ends[first]; ++at)
            if (in.text[at] != ' ' && in.text[at] != '\t') return 1;
        return 0;
    }
};
struct write_kept {
    std::int64_t const *past, *before;
    std::int64_t rows, limit;
    std::int64_t *first, *fields, *kept;
    BASCULE_HD void operator()(std::int64_t row) const {
        std::int64_t const to = before[row];
        if (row == rows) {
            *kept = limit >= 0 && limit < to ? limit : to;
            return;
        }
        if (before[row + 1] == to || (limit >= 0 && to >= limit)) return;
        first[to] = row == 0 ? 0 : past[row - 1];
        fields[to] = past[row] - first[to];
    }
};

}  // namespace

csv_structure::csv_structure(context const& c, read_csv_args const& a)
    : c_(c), machine_{a.separator, a.quote, a.quote != '\0'}, text_(a.memory.data), size_(a.memory.size),
      blocks_((size_ + block_bytes - 1) / block_bytes), steps_(c, blocks_), fields_before_(c, blocks_ + 1),
      rows_before_(c, blocks_ + 1) {
    csv_text_blocks const in{machine_, text_, size_};
    auto* const steps = steps_.get();
    std::int64_t const n = blocks_;
    for_each_index(c, n, steps_of_block{in, steps});
    c.queue(
        [=](auto const& policy) { thrust::inclusive_scan(policy, steps, steps + n, steps, one_after_the_other{}); });
    sums_before(c, fields_before_.get(), n, fields_of_block{in, steps});
    sums_before(c, rows_before_.get(), n, rows_of_block{in, steps});
    buffer<csv_totals> const totals(c, 1);
    for_each_index(c, 1, write_totals{fields_before_.get() + n, rows_before_.get() + n, steps, n, totals.get()});
    totals_ = c.read(totals.get());
}

void csv_structure::find(std::int64_t* ends, std::int64_t* first, std::int64_t* fields, std::int64_t limit,
                         bool skip_blank, std::int64_t* kept) const {
    csv_text_blocks const in{machine_, text_, size_};
    buffer<std::int64_t> const past(c_, totals_.rows), before(c_, totals_.rows + 1);
    for_each_index(c_, blocks_,
                   write_ends{in, steps_.get(), fields_before_.get(), rows_before_.get(), ends, past.get()});
    csv_rows const rows{text_, ends, nullptr, nullptr};
    sums_before(c_, before.get(), totals_.rows, is_kept{rows, past.get(), skip_blank});
    for_each_index(c_, totals_.rows + 1,
                   write_kept{past.get(), before.get(), totals_.rows, limit, first, fields, kept});
}

}  // namespace bascule::cuda::algorithms

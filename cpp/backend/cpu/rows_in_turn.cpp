#include "backend/cpu/rows_in_turn.hpp"

#include <algorithm>

#include "backend/cpu/reduce.hpp"

namespace bascule::cpu {
namespace {

// A row that is read and one that is written stay in the first cache, beside what is on its way; of shorter ones
// several are folded at a time. Bytes.
constexpr std::int64_t shortest_row = 1024, longest_row = 16 * 1024;

bool is_moved_evenly(slot const& s) noexcept {
    return s.where == place::flat || s.where == place::rows || s.where == place::per_row || s.where == place::strided;
}

// Nobody asks what is raised on the way: it is looked at once (rows_in_turn::run).
plan unwatched(plan p) noexcept {
    p.fp_flags = nullptr;
    return p;
}

}  // namespace

struct rows_in_turn::compiled {
    compiled(plan const& f, plan const& e, std::int64_t rows, kernel_table const& kernels)
        : folds(unwatched(f)), elements(e), asks(f.fp_flags != nullptr) {
        possible = is_fold(rows) && compile(folding, folds, kernels, false) && folding.ninstructions == 0 &&
                   prepare_one_pass(set, folding) && prepares_folder(rows) && is_elementwise(rows) &&
                   compile(computing, elements, kernels, false) && computes_rows() && find_steps();
    }

    bool is_fold(std::int64_t rows) const noexcept {
        return folds.nreductions > 0 && folds.nstores == 0 && !folds.selection && folds.ndim == 2 &&
               folds.shape[0] == rows && is_short_row(folds) && folds.reduced && !folds.reduced[0] && folds.reduced[1];
    }
    bool is_elementwise(std::int64_t rows) const noexcept {
        return elements.nreductions == 0 && elements.nstores > 0 && !elements.selection && elements.ndim == 2 &&
               elements.shape[0] == rows && is_short_row(elements);
    }
    static bool is_short_row(plan const& p) noexcept {
        std::int64_t widest = 1;
        for (int v = 0; v < p.nvalues; ++v) widest = std::max<std::int64_t>(widest, itemsize(p.values[v].dtype));
        std::int64_t const bytes = p.shape[1] * widest;
        return bytes >= shortest_row && bytes <= longest_row;
    }
    bool prepares_folder(std::int64_t rows) {
        folder = std::make_unique<row_folder>(set);
        return folder->possible(rows);
    }
    // Each row is one block that nothing is computed of again, and whose places are found from the row before.
    bool computes_rows() const noexcept {
        program const& p = computing;
        return p.space.ndim == 2 && p.space.by_rows && p.space.inner <= p.block && !p.streams && !p.interleaves &&
               !p.joins && p.nneighbours == 0 && !p.from && p.ninstructions > 0 &&
               std::all_of(p.moving, p.moving + p.nmoving,
                           [&](std::uint16_t v) { return is_moved_evenly(p.slots[v]); }) &&
               std::none_of(p.code, p.code + p.ninstructions,
                            [](instruction const& i) { return reads_values(i.inspect); }) &&
               std::all_of(p.outputs, p.outputs + p.noutputs, [&](output const& o) {
                   return o.direct && !overwrites_input(elements, *o.out) && !overwrites_input(folds, *o.out);
               });
    }
    bool find_steps() noexcept {
        program const& p = computing;
        nsteps = 0;
        for (int k = 0; k < p.nmoving; ++k) {
            slot const& s = p.slots[p.moving[k]];
            steps[nsteps++] = {p.moving[k], s.where == place::flat ? p.space.inner * s.itemsize : s.strides[0]};
        }
        for (int k = 0; k < p.noutputs; ++k) steps[nsteps++] = {p.outputs[k].value, p.outputs[k].out->strides[0]};
        for (int k = 0; k < p.ninstructions; ++k) wanted |= p.code[k].wanted;
        return true;
    }

    struct step {
        std::uint16_t value;
        std::int64_t bytes;
    };
    plan const folds, elements;
    program folding, computing;
    reduction_set set;
    std::unique_ptr<row_folder> folder;
    step steps[max_plan_values + max_plan_outputs];
    int nsteps = 0;
    bool const asks;  // what the folds raise
    bool possible = false;
    std::uint8_t wanted = 0;  // of what the elements raise
};

rows_in_turn::rows_in_turn(plan const& folds, plan const& elements, std::int64_t rows,
                           kernel_table const& kernels) noexcept {
    try {
        all_ = std::make_unique<compiled>(folds, elements, rows, kernels);
    } catch (std::bad_alloc const&) {
        // Then they run the longer way, which asks for less.
    }
}
rows_in_turn::~rows_in_turn() = default;
bool rows_in_turn::possible() const noexcept { return all_ && all_->possible; }

bool rows_in_turn::run(std::int64_t begin, std::int64_t end) const noexcept {
    compiled const& c = *all_;
    row_folder::turn turn(*c.folder);
    evaluator e(c.computing, 0);
    if (!turn.states.ready() || !e.ready()) return false;
    std::int64_t const n = c.computing.space.inner;
    fp_status::clear();
    c.folder->begin(turn, begin);
    for (std::int64_t row = begin; row < end; ++row) {
        c.folder->fold(turn, row, row + 1 < end);
        if (row == begin) {
            e.compute(row * n, n);
            continue;
        }
        for (int k = 0; k < c.nsteps; ++k) e.at[c.steps[k].value] += c.steps[k].bytes;
        e.run_all(n);
    }
    std::uint8_t const raised = fp_status::raised();
    return !(raised & c.wanted) && !(raised && c.asks);
}

}  // namespace bascule::cpu

#include "backend/cpu/engine/row_pipeline.hpp"

#include <algorithm>

#include "backend/cpu/interpreter/compile.hpp"
#include "backend/cpu/reduce/reduce.hpp"

namespace bascule::cpu {
namespace {

// A row that is read and one that is written stay in the first cache, together with prefetched lines; of shorter ones
// several are reduced at a time. Bytes.
constexpr std::int64_t shortest_row = 1024, longest_row = 16 * 1024;

bool is_moved_evenly(slot const& s) noexcept {
    return s.where == place::flat || s.where == place::rows || s.where == place::per_row || s.where == place::strided;
}

// Errors of the steps are not reported one by one: they are checked once at the end (row_pipeline::run).
plan unwatched(plan p) noexcept {
    p.fp_flags = nullptr;
    return p;
}

}  // namespace

struct row_pipeline::compiled {
    compiled(plan const& f, plan const& e, std::int64_t rows, kernel_table const& kernels)
        : reductions(unwatched(f)), elements(e), asks(f.fp_flags != nullptr) {
        possible = is_reduction(rows) && compile(reducing, reductions, kernels, false) && reducing.ninstructions == 0 &&
                   prepare_one_pass(set, reducing) && prepares_reducer(rows) && is_elementwise(rows) &&
                   compile(computing, elements, kernels, false) && computes_rows();
        if (possible) find_steps();
    }

    bool is_reduction(std::int64_t rows) const noexcept {
        return reductions.nreductions > 0 && reductions.nstores == 0 && !reductions.selection && reductions.ndim == 2 &&
               reductions.shape[0] == rows && is_short_row(reductions) && reductions.reduced &&
               !reductions.reduced[0] && reductions.reduced[1];
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
    bool prepares_reducer(std::int64_t rows) {
        reducer = std::make_unique<row_reducer>(set);
        return reducer->possible(rows);
    }
    // Whether each row is one block whose elements are computed only once, and whose operands are found from the row
    // before.
    bool computes_rows() const noexcept {
        program const& p = computing;
        return p.space.ndim == 2 && p.space.by_rows && p.space.inner <= p.block && !p.streams && !p.interleaves &&
               !p.joins && p.ninterleaved == 0 && !p.from && p.ninstructions > 0 &&
               std::all_of(p.moving, p.moving + p.nmoving,
                           [&](std::uint16_t v) { return is_moved_evenly(p.slots[v]); }) &&
               std::none_of(p.code, p.code + p.ninstructions,
                            [](instruction const& i) { return reads_values(i.inspect); }) &&
               std::all_of(p.outputs, p.outputs + p.noutputs, [&](output const& o) {
                   return o.direct && !overwrites_input(elements, *o.out) && !overwrites_input(reductions, *o.out);
               });
    }
    void find_steps() noexcept {
        program const& p = computing;
        nsteps = 0;
        for (int k = 0; k < p.nmoving; ++k) {
            slot const& s = p.slots[p.moving[k]];
            steps[nsteps++] = {p.moving[k], s.where == place::flat ? p.space.inner * s.itemsize : s.strides[0]};
        }
        for (int k = 0; k < p.noutputs; ++k) steps[nsteps++] = {p.outputs[k].value, p.outputs[k].out->strides[0]};
        for (int k = 0; k < p.ninstructions; ++k) wanted |= p.code[k].wanted;
    }

    struct step {
        std::uint16_t value;
        std::int64_t bytes;
    };
    plan const reductions, elements;
    program reducing, computing;
    reduction_set set;
    std::unique_ptr<row_reducer> reducer;
    step steps[max_plan_values + max_plan_outputs];
    int nsteps = 0;
    bool const asks;  // whether errors of the reductions are reported
    bool possible = false;
    std::uint8_t wanted = 0;  // errors of the elements to look for
};

row_pipeline::row_pipeline(plan const& reductions, plan const& elements, std::int64_t rows,
                           kernel_table const& kernels) noexcept {
    try {
        all_ = std::make_unique<compiled>(reductions, elements, rows, kernels);
    } catch (std::bad_alloc const&) {
        // Then they run without the pipeline, which needs less memory.
    }
}
row_pipeline::~row_pipeline() = default;
bool row_pipeline::possible() const noexcept { return all_ && all_->possible; }

bool row_pipeline::run(std::int64_t begin, std::int64_t end) const noexcept {
    compiled const& c = *all_;
    row_reducer::turn turn(*c.reducer);
    evaluator e(c.computing, 0);
    if (!turn.states.ready() || !e.ready()) return false;
    std::int64_t const n = c.computing.space.inner;
    fp_status::clear();
    c.reducer->begin(turn, begin);
    for (std::int64_t row = begin; row < end; ++row) {
        c.reducer->reduce(turn, row, row + 1 < end);
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

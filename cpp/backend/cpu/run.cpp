#include "backend/cpu/run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "backend/cpu/fp_status.hpp"
#include "backend/cpu/laid_out.hpp"
#include "backend/cpu/rows_together.hpp"
#include "backend/cpu/selection.hpp"
#include "backend/cpu/short_runs.hpp"
#include "backend/cpu/turned_copy.hpp"
#include "backend/cpu/unrolled_runs.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

// Below this estimate of one thread's time (nanoseconds) waking a second thread costs more than it brings.
constexpr float parallel_from_ns = 20000;

thread_local char error_text[256];

// Two wholly flat or strided places and nothing to compute: copied without a register in between.
bool copy_only(program const& p) noexcept {
    return p.ninstructions == 0 && p.noutputs == 1 && p.slots[p.outputs[0].value].where != place::counted;
}

void copy_range(program const& p, std::int64_t i, std::int64_t n) noexcept {
    output const& o = p.outputs[0];
    plan_value const& v = p.source->values[o.value];
    slot const& s = p.slots[o.value];
    if (o.streamed && s.where == place::flat) {
        std::int64_t const first = i * s.itemsize;
        p.kernels->stream(static_cast<char*>(o.out->base) + first, s.base + first,
                          static_cast<std::size_t>(n * s.itemsize));
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return;
    }
    copy_kernel const copy = p.kernels->copy[size_class(itemsize(v.dtype))];
    bool const loaded = v.kind == value_kind::load;
    static constexpr std::int64_t still[max_dims] = {};
    std::int64_t const* const from_strides = loaded ? p.source->operands[v.operand].strides : still;
    char const* const from = loaded ? static_cast<char const*>(p.source->operands[v.operand].base) : s.base;
    geometry const& g = p.space;
    if (o.streamed && s.where == place::rows) {
        auto* const to = static_cast<char*>(o.out->base) + i * s.itemsize;
        each_patch(g, from_strides, i, n,
                   [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                       std::int64_t, std::int64_t done) {
                       for (std::int64_t r = 0; r < rows; ++r)
                           p.kernels->stream(to + (done + r * columns) * s.itemsize, from + offset + r * row_stride,
                                             static_cast<std::size_t>(columns * s.itemsize));
                   });
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        return;
    }
    each_patch(g, o.out->strides, i, n,
               [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                   std::int64_t column_stride, std::int64_t done) {
                   copy({static_cast<char*>(o.out->base) + offset, from + offset_at(g, from_strides, i + done), rows,
                         columns, row_stride, column_stride, g.ndim > 1 ? from_strides[g.ndim - 2] : 0,
                         g.ndim ? from_strides[g.ndim - 1] : 0});
               });
}

// Elements until one begins a vector of the output; where this one does, a block.
std::int64_t up_to_a_vector(program const& p, std::int64_t i) noexcept {
    output const& o = p.outputs[0];
    std::int64_t const size = p.slots[o.value].itemsize,
                       begin = reinterpret_cast<std::intptr_t>(o.out->base) + offset_at(p.space, o.out->strides, i),
                       behind = begin % p.streamed_vector;
    return behind ? (p.streamed_vector - behind) / size : p.block;
}

template <class Visit>
void each_block(program const& p, std::int64_t begin, std::int64_t end, Visit const& visit) noexcept {
    for (std::int64_t i = begin; i < end;) {
        std::int64_t n = end - i < p.block ? end - i : p.block;
        if (p.space.by_rows && p.space.ndim > 1) {
            std::int64_t const left = p.space.inner - i % p.space.inner;
            if (left < n) n = left;
        }
        if (p.streamed_vector) n = std::min(n, up_to_a_vector(p, i));
        visit(i, n);
        i += n;
    }
}

// Whether blocks are computed as if nothing could rise, and again where something did: asking waits for all that is
// computed, and rows are short.
bool asks_once(program const& p) noexcept {
    return p.inspects && p.space.by_rows && p.space.ndim > 1 && p.space.inner < p.block &&
           std::all_of(p.code, p.code + p.ninstructions,
                       [](instruction const& i) { return !reads_values(i.inspect); }) &&
           std::none_of(p.outputs, p.outputs + p.noutputs,
                        [&](output const& o) { return overwrites_input(*p.source, *o.out); });
}

std::uint8_t asked_of(program const& p) noexcept {
    std::uint8_t asked = ops::fp::none;
    for (int k = 0; k < p.ninstructions; ++k) asked |= p.code[k].wanted;
    return asked;
}

void run_range(program const& p, checked_evaluator& e, std::int64_t begin, std::int64_t end) noexcept {
    if (asks_once(p)) {
        fp_status::clear();
        each_block(p, begin, end, [&](std::int64_t i, std::int64_t n) { e.unchecked(i, n).store(i, n); });
        if (!(fp_status::raised() & asked_of(p))) return;
    }
    each_block(p, begin, end, [&](std::int64_t i, std::int64_t n) { e.block(i, n).store(i, n); });
}

// Memory is read on in order for as long as a task lasts, so that tasks of long blocks last longer; and there are as
// many for each thread.
std::int64_t length_of_long_blocks(program const& p) noexcept {
    std::int64_t const threads = sched::thread_count(), most = 4 * p.block, in_turn = threads * most,
                       tasks = (p.space.total + in_turn - 1) / in_turn * threads,
                       length = (p.space.total + tasks - 1) / tasks;
    return (length + block_elements - 1) / block_elements * block_elements;
}

// What tasks are made of: whole rows, where blocks are; whole blocks, where those are whole rows; else lines.
std::int64_t undivided(program const& p, std::int64_t about) noexcept {
    constexpr std::int64_t line = 64;
    if (p.space.ndim <= 1) return line;
    return p.space.by_rows && p.space.inner < about ? p.space.inner : p.block;
}

std::int64_t task_length(program const& p, bool parallel) noexcept {
    if (!parallel) return p.space.total;
    if (p.block == long_block_elements) return length_of_long_blocks(p);
    // As many for each thread, four or more.
    std::int64_t const threads = sched::thread_count(), in_turn = threads * task_elements,
                       turns = (p.space.total + in_turn - 1) / in_turn,
                       tasks = threads * std::max<std::int64_t>(4, turns), about = (p.space.total + tasks - 1) / tasks,
                       unit = undivided(p, about);
    return (about + unit - 1) / unit * unit;
}

bool copied_in_tiles(program const& p, bool parallel) noexcept {
    turned_copy const turned(p);
    if (!turned.pays()) return false;
    sched::parallel_for(
        turned.tasks(), parallel,
        [&](std::int64_t t) {
            if (!p.early->wanted()) turned.run(t);
        },
        sched::task_order::any);
    return true;
}

// Whether no element may lie on another one: along some order of the axes each step passes all that the ones before
// reach.
bool lies_apart(geometry const& g, plan_operand const& out) noexcept {
    struct axis {
        std::int64_t step, extent;
    } axes[max_dims];
    int n = 0;
    for (int d = 0; d < g.ndim; ++d)
        if (g.shape[d] > 1) axes[n++] = {std::abs(out.strides[d]), g.shape[d]};
    std::sort(axes, axes + n, [](axis const& a, axis const& b) { return a.step < b.step; });
    std::int64_t reach = itemsize(out.dtype);
    for (int d = 0; d < n; ++d) {
        if (axes[d].step < reach) return false;
        reach += (axes[d].extent - 1) * axes[d].step;
    }
    return true;
}

status run_elements(program const& p) noexcept {
    std::int64_t const total = p.space.total;
    // Of elements that lie on one another the last in memory's order stays.
    bool const apart =
        std::all_of(p.outputs, p.outputs + p.noutputs, [&](output const& o) { return lies_apart(p.space, *o.out); });
    bool const parallel = apart && !p.alone && total > p.block && static_cast<float>(total) * p.cost > parallel_from_ns;
    if (apart && copy_only(p) && copied_in_tiles(p, parallel)) return status::ok;
    std::int64_t const length = task_length(p, parallel);
    bool failed = false;
    auto const task = [&](std::int64_t t) {
        if (p.early->wanted()) return;
        std::int64_t const begin = t * length, end = begin + length < total ? begin + length : total;
        if (copy_only(p)) return copy_range(p, begin, end - begin);
        checked_evaluator e(p);
        if (!e.ready()) return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
        run_range(p, e, begin, end);
        e.report();
    };
    if (parallel) sched::parallel_for((total + length - 1) / length, true, task, sched::task_order::any);
    else task(0);
    return failed ? status::out_of_memory : status::ok;
}

status refuse(program const& p) noexcept {
    plan_value const& v = p.source->values[p.faulty_value];
    std::snprintf(error_text, sizeof error_text, "[cpu] value %d (op %d, type %d): %s", p.faulty_value, v.op,
                  static_cast<int>(v.dtype), p.fault);
    return status::not_supported;
}

}  // namespace

void set_last_error(char const* text) noexcept { std::snprintf(error_text, sizeof error_text, "%s", text); }
char const* last_error_text() noexcept { return error_text; }

bool checked_evaluator::find_conditions(std::int64_t i, std::int64_t n, viewer show, void const* with) noexcept {
    program careful;
    if (!compile(careful, *program_.source, *program_.kernels, true)) return false;
    if (show && careful.block > 0 && n > careful.block) careful.register_bytes = n * 16 + 64;
    evaluator e(careful, 1);
    if (!e.ready()) return false;
    if (show) {
        e.block(i, n, flags_);
        show(with, e);
        return true;
    }
    std::int64_t const most = careful.block > 0 ? careful.block : n;
    for (std::int64_t k = 0; k < n; k += most) e.block(i + k, std::min(most, n - k), flags_);
    return true;
}

void checked_evaluator::report() const noexcept {
    plan const& source = *program_.source;
    if (!program_.inspects || !source.fp_flags) return;
    for (int v = 0; v < source.nvalues; ++v)
        if (auto const found = static_cast<std::uint8_t>(flags_[v] & source.values[v].check))
            __atomic_fetch_or(source.fp_flags + v, found, __ATOMIC_RELAXED);
}

// Apart from run_plan: its frame holds a whole program.
static __attribute__((noinline)) status run_program(plan const& source, kernel_table const& kernels,
                                                    bool alone) noexcept {
    program p;
    if (!compile(p, source, kernels, false)) return refuse(p);
    p.alone = alone;
    sched::early_end early;
    p.early = &early;
    status s = status::ok;
    if (source.nreductions) s = run_reductions(p);
    else if (p.space.total > 0) s = run_elements(p);
    return early.was_wanted() ? status::interrupted : s;
}

static __attribute__((noinline)) status run_laid_out(plan const& source, kernel_table const& kernels,
                                                     bool alone) noexcept {
    laid_out const ordered(source, kernels);
    return run_program(ordered.ready() ? ordered.get() : source, kernels, alone);
}

static status run_ordered(plan const& source, kernel_table const& kernels, bool alone) noexcept {
    return laid_out::pays(source) ? run_laid_out(source, kernels, alone) : run_program(source, kernels, alone);
}

static __attribute__((noinline)) status run_across(plan const& source, kernel_table const& kernels,
                                                   bool alone) noexcept {
    return run_ordered(across_short_runs(source).get(), kernels, alone);
}

static __attribute__((noinline)) status run_unrolled(plan const& source, kernel_table const& kernels,
                                                     bool alone) noexcept {
    unrolled_runs const written_out(source);
    status const s = run_ordered(written_out.get(), kernels, alone);
    written_out.report();
    return s;
}

static __attribute__((noinline)) status run_together(plan const& source, kernel_table const& kernels,
                                                     bool alone) noexcept {
    rows_together several(source);
    if (!several.pays() || laid_out::pays(several.get())) return run_ordered(source, kernels, alone);
    program p;
    if (!compile(p, several.get(), kernels, false)) return refuse(p);
    p.alone = alone;
    sched::early_end early;
    p.early = &early;
    status s = run_elements(p);
    if (s == status::ok && several.turn_to_last()) {
        several.turn_to_last(p);
        s = run_elements(p);
    }
    several.report();
    return early.was_wanted() ? status::interrupted : s;
}

static status run_any(plan const& source, kernel_table const& kernels, bool alone) noexcept {
    if (unrolled_runs::possible(source)) return run_unrolled(source, kernels, alone);
    if (rows_together::possible(source)) return run_together(source, kernels, alone);
    return across_short_runs::possible(source) ? run_across(source, kernels, alone)
                                               : run_ordered(source, kernels, alone);
}

status run_plan(plan const& source, kernel_table const& kernels) noexcept {
    if (source.selection) return run_selection(source, kernels);
    if (source.nreductions ? fold_single(source, kernels) : run_single(source, kernels)) return status::ok;
    return run_any(source, kernels, false);
}

status run_plan_here(plan const& source, kernel_table const& kernels) noexcept {
    return run_any(source, kernels, true);
}

}  // namespace bascule::cpu

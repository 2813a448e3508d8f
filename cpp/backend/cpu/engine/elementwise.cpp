#include "backend/cpu/engine/elementwise.hpp"

#include <algorithm>
#include <cstdlib>

#include "backend/cpu/common/fp_status.hpp"
#include "backend/cpu/copy/transpose_copy.hpp"
#include "backend/cpu/interpreter/checked_evaluator.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

// Below this estimate of one thread's time (nanoseconds) waking a second thread costs more than it brings.
constexpr float parallel_from_ns = 20000;

// Two flat or strided operands and nothing to compute: copied without a register in between.
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

// Whether blocks are computed as if no error could be raised, and again where one was: reading the status waits for all
// pending computation, and rows are short.
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

// The unit of tasks: whole rows if blocks are, whole blocks if those are whole rows, else lines.
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
    transpose_copy const turned(p);
    if (!turned.pays()) return false;
    sched::parallel_for(
        turned.tasks(), parallel,
        [&](std::int64_t t) {
            if (!p.early->wanted()) turned.run(t);
        },
        sched::task_order::any);
    return true;
}

// Whether no two elements can share memory: in some order of the axes each step passes the whole extent of the ones
// before.
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

}  // namespace

status run_elements(program const& p) noexcept {
    std::int64_t const total = p.space.total;
    // Where elements share memory, the last one in memory order wins.
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

}  // namespace bascule::cpu

#include "backend/cpu/engine/selection.hpp"

#include <algorithm>
#include <numeric>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/interpreter/compile.hpp"
#include "backend/cpu/interpreter/selection_reader.hpp"
#include "backend/cpu/reduce/reduce.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

constexpr std::int64_t bits_of_word = 64;
constexpr int values_arena = selection_values_arena;
constexpr std::int64_t direct_elements = task_elements / 2;  // of operands in memory: the selected elements stay in the
                                                             // second cache
static_assert(block_elements % bits_of_word == 0);

// The program of one value of a plan, and of nothing made of it.
class value_program {
public:
    value_program(plan const& source, kernel_table const& kernels, std::uint16_t value) noexcept : values_(source) {
        kept_.value = value;
        values_.selection = nullptr;
        values_.stores = nullptr, values_.nstores = 0;
        values_.reductions = &kept_, values_.nreductions = 1;
        ready_ = compile(program_, values_, kernels, false);
        program_.early = &early_;
    }
    bool ready() const noexcept { return ready_; }
    program& get() noexcept { return program_; }
    status how_it_ended(bool failed) const noexcept {
        return failed ? status::out_of_memory : early_.was_wanted() ? status::interrupted : status::ok;
    }

private:
    plan values_;
    plan_reduction kept_;
    program program_;
    sched::early_end early_;
    bool ready_;
};

// Blocks of [begin, end) one after another: visit(values, n).
template <class Visit>
void each_block(program const& p, checked_evaluator& e, std::int64_t begin, std::int64_t end, Visit visit) noexcept {
    for (std::int64_t i = begin; i < end; i += p.block) {
        std::int64_t const n = std::min<std::int64_t>(p.block, end - i);
        visit(e.block(i, n), i, n);
    }
}

template <class Task> status each_piece(value_program& values, plan_selection const& s, Task task) noexcept {
    program const& p = values.get();
    std::int64_t const total = p.space.total, count = pieces_of(s, total);
    bool failed = false;
    sched::parallel_for(
        count, count > 1,
        [&](std::int64_t t) {
            if (p.early->wanted()) return;
            checked_evaluator e(p, values_arena);
            if (!e.ready()) return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
            task(e, t, t * s.piece, std::min((t + 1) * s.piece, total));
            e.report();
        },
        sched::task_order::any);
    return values.how_it_ended(failed);
}

status find(plan const& source, kernel_table const& kernels) noexcept {
    plan_selection const& s = *source.selection;
    value_program values(source, kernels, s.mask);
    if (!values.ready()) return refuse(values.get());
    program const& p = values.get();
    auto const pack = active_gather_kernels().pack_mask;
    status const how =
        each_piece(values, s, [&](checked_evaluator& e, std::int64_t t, std::int64_t begin, std::int64_t end) {
            std::int64_t found = 0;
            each_block(p, e, begin, end, [&](evaluator const& block, std::int64_t i, std::int64_t n) {
                auto const* const mask = reinterpret_cast<unsigned char const*>(block.whole(s.mask, n));
                found += pack(s.bits + i / bits_of_word, mask, n);
            });
            s.starts[t + 1] = found;
        });
    s.starts[0] = 0;
    std::partial_sum(s.starts, s.starts + pieces_of(s, p.space.total) + 1, s.starts);
    return how;
}

selection selection_of(plan const& source, program const& values, std::uint16_t data) noexcept {
    int const size = itemsize(source.values[data].dtype);
    bool const in_memory = values.ninstructions == 0 && values.slots[data].where == place::flat;
    return {&values, source.selection,
            data,    active_gather_kernels().compress_bits[size_class(size)],
            size,    in_memory ? direct_elements : values.block};
}

status store(plan const& source, kernel_table const& kernels) noexcept {
    plan_store const& to = source.stores[0];
    plan_selection const& s = *source.selection;
    value_program values(source, kernels, to.value);
    if (!values.ready()) return refuse(values.get());
    program const& p = values.get();
    selection const from = selection_of(source, p, to.value);
    auto* const out = static_cast<char*>(to.out.base);
    return each_piece(values, s, [&](checked_evaluator& e, std::int64_t t, std::int64_t begin, std::int64_t end) {
        char* at = out + s.starts[t] * from.itemsize;
        char* const last = out + s.starts[t + 1] * from.itemsize;
        each_block(p, e, begin, end, [&](evaluator const& block, std::int64_t i, std::int64_t n) {
            at = from.take(at, last, block.whole(to.value, n), s.bits + i / bits_of_word, n);
        });
    });
}

// The reduction of a plan over the selected elements.
class reduced_selection {
public:
    reduced_selection(plan const& source, std::int64_t count) noexcept : shape_{count}, plan_(source) {
        value_.kind = value_kind::load, value_.dtype = source.values[source.reductions[0].value].dtype;
        step_[0] = itemsize(value_.dtype);
        operand_ = {this, step_, value_.dtype};
        reduction_ = source.reductions[0];
        reduction_.value = 0, reduction_.out.strides = still_;
        plan_.selection = nullptr;
        plan_.ndim = 1, plan_.shape = shape_, plan_.reduced = reduced_, plan_.run_dims = 1;
        plan_.operands = &operand_, plan_.noperands = 1;
        plan_.values = &value_, plan_.nvalues = 1;
        plan_.reductions = &reduction_;
        plan_.nconstants = plan_.niotas = plan_.nstores = 0;
        plan_.fp_flags = source.fp_flags ? flags_ : nullptr;
    }
    plan const& get() const noexcept { return plan_; }
    std::uint32_t raised() const noexcept { return flags_[1]; }

private:
    std::int64_t shape_[1], step_[1], still_[1] = {0};
    std::uint8_t reduced_[1] = {1};
    std::uint32_t flags_[2] = {};
    plan_operand operand_;
    plan_value value_;
    plan_reduction reduction_;
    plan plan_;
};

status reduce(plan const& source, kernel_table const& kernels) noexcept {
    std::uint16_t const data = source.reductions[0].value;
    value_program values(source, kernels, data);
    if (!values.ready()) return refuse(values.get());
    selection const from = selection_of(source, values.get(), data);
    reduced_selection const reduced(source, from.which->starts[from.pieces()]);
    program p;
    if (!compile(p, reduced.get(), kernels, false)) return refuse(p);
    p.slots[0].where = place::selected, p.slots[0].single = false;  // which one element would be
    p.moving[0] = 0, p.nmoving = 1;
    p.from = &from, p.block = from.block, p.cost += values.get().cost;
    p.early = values.get().early;
    status const how = run_reductions(p);
    if (source.fp_flags) __atomic_fetch_or(source.fp_flags + source.nvalues, reduced.raised(), __ATOMIC_RELAXED);
    return how == status::ok ? values.how_it_ended(false) : how;
}

}  // namespace

status run_selection(plan const& source, kernel_table const& kernels) noexcept {
    if (source.ndim != 1 || source.nstores + source.nreductions > 1) {
        set_last_error("[cpu] a selection is of one dimension, for one store or one reduction");
        return status::not_supported;
    }
    return source.nstores       ? store(source, kernels)
           : source.nreductions ? reduce(source, kernels)
                                : find(source, kernels);
}

}  // namespace bascule::cpu

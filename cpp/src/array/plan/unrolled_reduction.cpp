// Sums over a short last axis become values of the plan that reads them, so that their operands are neither stored nor
// waited for: distances between all pairs of points are one pass.
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "plan_builder.hpp"

namespace bascule {
namespace {

constexpr std::int64_t longest = 7;  // of this many elements a sum's tree adds one after the other
// The room in a plan when a graph's limits are reached.
constexpr std::size_t most_values = max_plan_values - graph::max_values - 4,
                      most_operands = max_plan_operands - graph::max_loads;

int innermost_axis(dims const& shape, dims const& strides) {
    int axes[max_dims];
    std::int64_t const* const layout = strides.data();
    memory_order(strides.size(), &layout, 1, axes);
    for (int k = shape.size(); k-- > 0;)
        if (shape[axes[k]] != 1) return axes[k];
    return -1;
}

// Of the only axis that is reduced.
int reduced_axis(pending_operation const& op) { return __builtin_ctzll(op.reduced); }

bool reads_less(pending_operation const& op, std::int64_t bytes) {
    bool less = false;
    each_below(op, [&](storage const* m) {
        bool const computed = m->pending && !m->pending->runs_apart();
        less |= !computed && m->bytes() < bytes;
        return computed && !less;
    });
    return less;
}

}  // namespace

bool is_unrolled(pending_operation const& op) {
    bool const real = op.result == type_id::float64 || op.result == type_id::float32;
    if (!op.reduces || op.op != ops::aggregate_number<ops::aggregate::sum> || !real ||
        __builtin_popcountll(op.reduced) != 1)
        return false;
    operand const& from = op.args[0];
    int const axis = reduced_axis(op);
    storage const* const m = from.memory.get();
    return from.as == op.result && m && m->pending && !m->pending->runs_apart() && op.shape[axis] > 1 &&
           op.shape[axis] <= longest && innermost_axis(op.shape, op.input_strides) == axis &&
           reads_less(*m->pending, product(op.shape) * itemsize(op.result) / 2);
}

// -1: it runs apart after all, or a common operand of many of its elements has to be stored first.
int plan_builder::unroll(storage* sum, operand const& first) {
    sizes const before = measured();
    int const v = sum_of(sum, first);
    std::size_t const values = unrolled_values_ + values_.size() - before.values,
                      operands = unrolled_operands_ + operands_.size() - before.operands;
    if (v >= 0 && values <= most_values && operands <= most_operands) {
        unrolled_values_ = values, unrolled_operands_ = operands;
        return v;
    }
    storage* const asked_for = blocked_;
    cut_back(before);
    bool const often = asked_for && product(asked_for->shape) < product(sum->pending->shape);
    return block_on(often ? asked_for : sum);
}

int plan_builder::sum_of(storage* sum, operand const& first) {
    changed const checks(checking_, static_cast<storage*>(nullptr));
    changed const elements(unrolling_, true);
    auto const& op = *sum->pending;
    int const axis = reduced_axis(op);
    auto const count = static_cast<int>(op.shape[axis]);
    int at[longest];
    for (int k = 0; k < count; ++k) {
        operand element = first;
        element.offset += k * op.args[0].strides[axis];
        if ((at[k] = value(element)) < 0) return -1;
    }
    // It begins at zero, which matters to a sum of negative zeros alone.
    plan_value v{.kind = value_kind::constant, .dtype = op.result};
    v.operand = static_cast<std::uint16_t>(constants_.size());
    constants_.push_back({});
    int const zero = push(v), first_addition = zero + 1;
    auto const add = [&](int a, int b) {
        plan_value x{.dtype = op.result, .nargs = 2, .op = ops::number<ops::add>};
        x.args[0] = static_cast<std::uint16_t>(a), x.args[1] = static_cast<std::uint16_t>(b);
        return push(x);
    };
    int total = at[0];
    for (int k = 1; k < count; ++k) total = add(total, at[k]);
    total = add(zero, total);
    check(first_addition, sum, op.check & (ops::fp::over | ops::fp::invalid), false, count);  // none is too small
    return total;
}

}  // namespace bascule

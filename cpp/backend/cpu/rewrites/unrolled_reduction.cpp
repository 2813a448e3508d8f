#include "backend/cpu/rewrites/unrolled_reduction.hpp"

#include <algorithm>

#include "backend/cpu/program/op_traits.hpp"
#include "backend/cpu/rewrites/short_axis_reduce.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu {
namespace {

bool is_sum(plan const& p, plan_reduction const& r) noexcept {
    type_id const t = p.values[r.value].dtype;
    return r.aggregate == ops::aggregate_number<ops::aggregate::sum> && r.out.dtype == t &&
           (t == type_id::float64 || t == type_id::float32);
}

}  // namespace

bool unrolled_reduction::applies(plan const& p) noexcept {
    if (p.nreductions != 1 || p.nstores != 0 || !is_sum(p, p.reductions[0]) || !short_axis_reduction::applies(p))
        return false;
    std::int64_t const run = p.shape[p.ndim - 1];
    if (run > longest_run || std::any_of(p.reduced, p.reduced + p.ndim - 1, [](std::uint8_t r) { return r != 0; }))
        return false;
    return p.noperands * run <= max_plan_operands && p.niotas * run <= max_plan_operands &&
           (p.nvalues + 1) * run + 1 <= max_plan_values && p.nconstants < max_plan_values;
}

unrolled_reduction::unrolled_reduction(plan const& source) noexcept
    : source_(source), run_(source.shape[source.ndim - 1]), plan_(source) {
    int const last = source.ndim - 1;
    plan_.ndim = last;
    plan_.reduced = nullptr, plan_.run_dims = 1, plan_.nreductions = 0;
    plan_.noperands = plan_.niotas = plan_.nvalues = 0;
    std::copy_n(source.constants, source.nconstants, constants_);
    constants_[plan_.nconstants++] = {};
    for (int v = 0; v < source.nvalues; ++v) unroll(v);
    plan_reduction const& r = source.reductions[0];
    type_id const t = source.values[r.value].dtype;
    std::uint16_t sum = at_[0][r.value];
    for (std::int64_t k = 1; k < run_; ++k) sum = add(sum, at_[k][r.value]);
    // A sum begins at zero, which matters to one of negative zeros alone.
    plan_value zero{.kind = value_kind::constant, .dtype = t};
    zero.operand = source.nconstants;
    sum = add(put(zero, source.nvalues), sum);
    store_ = {sum, r.out};
    plan_.operands = operands_, plan_.iotas = iotas_, plan_.constants = constants_, plan_.values = values_;
    plan_.stores = &store_, plan_.nstores = 1;
    if (source.fp_flags) plan_.fp_flags = flags_;
}

void unrolled_reduction::report() const noexcept {
    for (int v = 0; source_.fp_flags && v < plan_.nvalues; ++v)
        if (flags_[v]) __atomic_fetch_or(source_.fp_flags + from_[v], flags_[v], __ATOMIC_RELAXED);
}

// A value that is the same all along a run stays one.
void unrolled_reduction::unroll(int v) noexcept {
    plan_value const& x = source_.values[v];
    int const last = source_.ndim - 1;
    for (std::int64_t k = 0; k < run_; ++k) {
        plan_value y = x;
        bool same = true;
        if (x.kind == value_kind::load) {
            plan_operand const& o = source_.operands[x.operand];
            same = o.strides[last] == 0;
            if (k == 0 || !same) {
                y.operand = plan_.noperands;
                operands_[plan_.noperands++] = {static_cast<char*>(o.base) + k * o.strides[last], o.strides, o.dtype};
            }
        } else if (x.kind == value_kind::iota) {
            plan_iota const& i = source_.iotas[x.operand];
            same = i.strides[last] == 0;
            if (k == 0 || !same) {
                y.operand = plan_.niotas;
                iotas_[plan_.niotas++] = {i.start + k * i.strides[last], i.strides};
            }
        }
        for (int n = 0; x.kind == value_kind::op && n < x.nargs; ++n) {
            y.args[n] = at_[k][x.args[n]];
            same &= y.args[n] == at_[0][x.args[n]];
        }
        at_[k][v] = k > 0 && same ? at_[0][v] : put(y, v);
    }
}

std::uint16_t unrolled_reduction::put(plan_value const& x, int from) noexcept {
    from_[plan_.nvalues] = static_cast<std::uint16_t>(from);
    values_[plan_.nvalues] = x;
    return plan_.nvalues++;
}

std::uint16_t unrolled_reduction::add(std::uint16_t a, std::uint16_t b) noexcept {
    plan_value x{.kind = value_kind::op, .dtype = values_[b].dtype, .nargs = 2};
    x.op = op_that_computes(ops::primitive::add);
    x.args[0] = a, x.args[1] = b;
    x.check = source_.fp_flags ? ops::fp::over | ops::fp::invalid : ops::fp::none;  // no sum is too small
    return put(x, source_.nvalues);
}

}  // namespace bascule::cpu

#include "backend/cpu/rewrites/short_axis_reduce.hpp"

#include <algorithm>
#include <utility>

#include "backend/cpu/program/geometry.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu {
namespace {

// Runs below this are added one by one in every tree (plan.hpp); rows below that are not worth it.
constexpr std::int64_t shortest_tree = 8, shortest_row = 64;

// Not products: along a run they begin at one, side by side at the first element, and one times a complex number may
// have a zero of the other sign.
bool adds_one_by_one(std::uint16_t aggregate) noexcept {
    using namespace ops::aggregate;
    return aggregate == ops::aggregate_number<sum> || aggregate == ops::aggregate_number<mean> ||
           aggregate == ops::aggregate_number<maximum> || aggregate == ops::aggregate_number<minimum>;
}

// Whether values are computed from memory in another layout than the runs. Memory in their layout is read faster as it
// is.
bool gathers(plan const& p) noexcept {
    geometry const space = geometry_of(p);
    bool gathered = false, computed = false;
    for (int v = 0; v < p.nvalues; ++v) {
        plan_value const& value = p.values[v];
        computed |= value.kind == value_kind::op;
        if (value.kind != value_kind::load) continue;
        plan_operand const& o = p.operands[value.operand];
        layout const lies = layout_of(space, o.strides, itemsize(o.dtype));
        gathered |= lies != layout::flat && lies != layout::scalar;
    }
    return gathered && computed;
}

}  // namespace

bool short_axis_reduction::applies(plan const& p) noexcept {
    int const last = p.ndim - 1;
    if (!p.nreductions || p.ndim < 2 || p.ndim > most_dims || p.run_dims > 1 || p.niotas > max_plan_operands)
        return false;
    if (!p.reduced[last] || p.reduced[last - 1] || p.shape[last] >= shortest_tree || p.shape[last - 1] < shortest_row)
        return false;
    for (int k = 0; k < p.nreductions; ++k)
        if (!adds_one_by_one(p.reductions[k].aggregate)) return false;
    return gathers(p);
}

short_axis_reduction::short_axis_reduction(plan const& source) noexcept
    : exchanged_(
          source, [&](plan_operand& o) { o.strides = exchanged(o.strides, source.ndim); },
          [&](plan_iota& i) { i.strides = exchanged(i.strides, source.ndim); }) {
    int const last = source.ndim - 1;
    std::copy_n(source.shape, source.ndim, shape_);
    std::copy_n(source.reduced, source.ndim, reduced_);
    std::swap(shape_[last], shape_[last - 1]);
    std::swap(reduced_[last], reduced_[last - 1]);
    exchanged_.set_shape(shape_);
    exchanged_.set_reduced(reduced_);
}

std::int64_t const* short_axis_reduction::exchanged(std::int64_t const* strides, int ndim) noexcept {
    std::int64_t* const to = strides_[used_++];
    std::copy_n(strides, ndim, to);
    std::swap(to[ndim - 1], to[ndim - 2]);
    return to;
}

}  // namespace bascule::cpu

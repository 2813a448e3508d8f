#include "backend/cpu/reduce/reduce.hpp"

#include <cstring>
#include <utility>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/interpreter/compile.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu {
namespace {

constexpr std::int64_t largest_fully_checked = std::int64_t{1} << 17;  // elements

constexpr float addition_ns = 0.12f;

// Whether the order of merges shows in the bits. Integers wrap around, and those of 16 bits have exact sums in floating
// point, as means need them.
bool is_ordered(std::uint16_t aggregate, type_id t) noexcept {
    if (!ops::aggregate_table[aggregate].ordered) return false;
    if (!contains(types::integers | types::boolean, t)) return true;
    bool const wraps = aggregate == ops::aggregate_number<ops::aggregate::sum> ||
                       aggregate == ops::aggregate_number<ops::aggregate::prod>;
    return !wraps && (aggregate != ops::aggregate_number<ops::aggregate::mean> || itemsize(t) > 2);
}

bool prepare(reduction_set& s, program const& p) noexcept {
    plan const& source = *p.source;
    int const count = source.nreductions;
    s.source = &p;
    s.cost = p.cost;
    int bytes = 0;
    for (int k = 0; k < count; ++k) {
        plan_reduction const& r = source.reductions[k];
        type_id const type = source.values[r.value].dtype;
        reduction_kernels const& kernels = p.kernels->reduction[r.aggregate][static_cast<int>(type)];
        if (r.aggregate >= ops::aggregate_count || !kernels.reduce) return false;
        ops::aggregate_spec const& spec = ops::aggregate_table[r.aggregate];
        s.of[k] = {&kernels,
                   &r,
                   r.value,
                   static_cast<std::uint8_t>(itemsize(type)),
                   ops::aggregate_result_type(r.aggregate, type),
                   source.fp_flags && does_arithmetic(r.aggregate, type) ? source.fp_flags + source.nvalues + k
                                                                         : nullptr};
        s.offset[k] = bytes;
        bytes += (kernels.state_size + 15) / 16 * 16;
        bool const ordered = is_ordered(r.aggregate, type);
        if (ordered || (!s.ordered && kernels.granule > s.granule)) s.granule = kernels.granule;
        s.ordered |= ordered;
        s.counts_positions |= r.aggregate == ops::aggregate_number<ops::aggregate::argmin> ||
                              r.aggregate == ops::aggregate_number<ops::aggregate::argmax> ||
                              (r.aggregate == ops::aggregate_number<ops::aggregate::prod> && is_complex(type));
        s.cost += spec.cost * addition_ns;
    }
    s.count = count;
    s.group_size = bytes;
    std::int64_t results = 1;
    for (int d = 0; d < source.ndim; ++d)
        (source.reduced && source.reduced[d] ? s.reduced : results) *= source.shape[d];
    // In large arrays, errors of elements behind the deciding one are not reported. Where they have to raise, no such
    // plan is made: then errors are checked as soon as the operation is called.
    bool const checks_all = p.inspects && source.fp_flags && p.space.total <= largest_fully_checked;
    s.stops_early = count == 1 && s.of[0].kernels->decided && results == 1 && source.nstores == 0 && !checks_all;
    return true;
}

// Ordered reductions share a pass only if their trees may be cut at the same positions; 0: this one's tree may be cut
// anywhere.
int fixed_granule(program const& p, plan_reduction const& r) noexcept {
    type_id const type = p.source->values[r.value].dtype;
    if (r.aggregate >= ops::aggregate_count || !is_ordered(r.aggregate, type)) return 0;
    return p.kernels->reduction[r.aggregate][static_cast<int>(type)].granule;
}

// Nothing is reduced: every result is that of the identity.
void write_empty(reduction_set const& s) noexcept {
    plan const& source = *s.source->source;
    std::int64_t shape[max_dims], results = 1;
    for (int d = 0; d < source.ndim; ++d) {
        shape[d] = source.reduced && source.reduced[d] ? 1 : source.shape[d];
        results *= shape[d];
    }
    geometry const g{source.ndim, shape, source.ndim ? shape[source.ndim - 1] : 1, results, true};
    alignas(16) char state[64];
    for (int k = 0; k < s.count; ++k)
        for (std::int64_t i = 0; i < results; ++i) {
            s.of[k].kernels->init(state, 1);
            plan_operand const& out = s.of[k].plan->out;
            write_results(s, k, state, 1, static_cast<char*>(out.base) + offset_at(g, out.strides, i), 0);
        }
}

status run_set(program const& p) noexcept {
    reduction_set s;
    if (!prepare(s, p)) {
        set_last_error("[cpu] no such reduction of this element type");
        return status::not_supported;
    }
    plan const& source = *p.source;
    if (p.space.total == 0) {
        write_empty(s);
        return status::ok;
    }
    bool const innermost = source.ndim == 0 || (source.reduced && source.reduced[source.ndim - 1]);
    return innermost ? reduce_runs(s) : reduce_columns(s);
}

}  // namespace

bool does_arithmetic(std::uint16_t aggregate, type_id t) noexcept {
    using namespace ops::aggregate;
    bool const sums = aggregate == ops::aggregate_number<sum> || aggregate == ops::aggregate_number<prod> ||
                      aggregate == ops::aggregate_number<mean> || aggregate == ops::aggregate_number<var> ||
                      aggregate == ops::aggregate_number<std_dev>;
    return sums && (is_float(t) || is_complex(t));
}

void write_results(reduction_set const& s, int k, void const* states, std::int64_t n, char* out,
                   std::int64_t stride) noexcept {
    one_reduction const& r = s.of[k];
    if (r.result == r.plan->out.dtype) return r.kernels->finish({out, stride, states, n, s.reduced, r.plan->ddof});
    kernel const round = s.source->kernels->cast[static_cast<int>(r.result)][static_cast<int>(r.plan->out.dtype)];
    for (std::int64_t i = 0; i < n; ++i) {
        alignas(16) char result[16];
        r.kernels->finish(
            {result, 0, static_cast<char const*>(states) + i * r.kernels->state_size, 1, s.reduced, r.plan->ddof});
        round(out + i * stride, result, nullptr, nullptr, 1);
    }
}

bool prepare_one_pass(reduction_set& s, program const& p) noexcept {
    int granule = 0;
    for (int k = 0; k < p.source->nreductions; ++k)
        if (int const own = fixed_granule(p, p.source->reductions[k])) {
            if (granule && own != granule) return false;
            granule = own;
        }
    return prepare(s, p);
}

status run_reductions(program const& p) noexcept {
    plan_reduction chosen[max_plan_outputs];
    int numbers[max_plan_outputs];
    std::uint32_t flags[max_plan_values + max_plan_outputs] = {};
    bool taken[max_plan_outputs] = {};
    plan part = *p.source;
    part.reductions = chosen;
    for (int left = p.source->nreductions; left > 0;) {
        int granule = 0;
        part.nreductions = 0;
        for (int k = 0; k < p.source->nreductions; ++k) {
            int const own = taken[k] ? 0 : fixed_granule(p, p.source->reductions[k]);
            if (taken[k] || (own && granule && own != granule)) continue;
            if (own) granule = own;
            numbers[part.nreductions] = k;
            chosen[part.nreductions++] = p.source->reductions[k];
            taken[k] = true;
            --left;
        }
        if (part.nreductions == p.source->nreductions) return run_set(p);
        // Stores belong to the last pass: they may overwrite operands of an earlier one.
        part.nstores = left ? 0 : p.source->nstores;
        if (p.source->fp_flags) part.fp_flags = flags;
        program pass;
        if (!compile(pass, part, *p.kernels, false)) return refuse(pass);
        pass.early = p.early, pass.alone = p.alone;
        if (status const st = run_set(pass); st != status::ok) return st;
        for (int k = 0; k < part.nreductions && p.source->fp_flags; ++k)
            __atomic_fetch_or(p.source->fp_flags + part.nvalues + numbers[k], std::exchange(flags[part.nvalues + k], 0),
                              __ATOMIC_RELAXED);
    }
    for (int v = 0; v < part.nvalues && p.source->fp_flags; ++v)
        __atomic_fetch_or(p.source->fp_flags + v, flags[v], __ATOMIC_RELAXED);
    return status::ok;
}

}  // namespace bascule::cpu

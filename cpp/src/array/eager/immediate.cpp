#include "immediate.hpp"

#include <algorithm>
#include <cstdlib>

#include "../graph/graph_state.hpp"
#include "bascule/array/device_calls.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/overlap.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::eager {
namespace {

constexpr auto cast_op = ops::number<ops::cast>;

}  // namespace

bool is_small(std::int64_t n) {
    static graph_settings const& of_process = settings();
    return n > 0 && n < of_process.eager_below.load(std::memory_order_relaxed);
}

bool is_small(device where, dims const& shape, std::int64_t times) {
    return where.api->host_memory && product(shape) < settings().eager_below * times;
}

bool is_small(array const& a) { return a.where().api->host_memory && is_small(a.size()); }

bool is_readable(array const& a) {
    auto const* const s = a.memory();
    return s->ready() && !s->running && !(s->noncanonical_bools && is_boolean(a.type.id));
}

bool is_contiguous_ready(array const& a) {
    if (!is_readable(a)) return false;
    if (a.ndim() == 1) return a.strides[0] == a.itemsize() || a.shape[0] == 1;
    return is_c_contiguous(a.shape, a.strides, a.itemsize());
}

// Elements that overlap have to be written in a defined order, which the lazy call does.
bool elements_lie_apart(array const& a) {
    if (a.ndim() == 1) return std::abs(a.strides[0]) >= a.itemsize();
    return !overlap::overlaps_itself({a.offset, a.shape, a.strides, a.itemsize()});
}

bool can_run(device where, dims const& shape, std::span<operand const> args, std::int64_t times) {
    return is_small(where, shape, times) && std::all_of(args.begin(), args.end(), [](operand const& a) {
               return a.from != operand::source::memory || (a.memory->ready() && !a.memory->running);
           });
}

// ---- the plan

void immediate::lay_flat(std::int64_t n) noexcept {
    plan_.ndim = 1, shape_[0] = n, flat_ = true;
    plan_.shape = shape_;
}

void immediate::lay_out(dims const& full, std::span<std::int64_t const* const> args, std::int64_t const* out) {
    int axes[max_dims], ndim = 0;
    int const n = full.size();
    auto const nargs = args.size();
    if (n > 1) memory_order(n, &out, 1, axes);
    else axes[0] = 0;
    auto const source = [&](std::size_t k) { return k < nargs ? args[k] : out; };
    for (int i = 0; i < n; ++i) {
        int const d = axes[i];
        if (full[d] == 1) continue;
        bool merges = ndim > 0;
        for (std::size_t k = 0; merges && k <= nargs; ++k)
            if (source(k)) merges = strides_[k][ndim - 1] == source(k)[d] * full[d];
        if (!merges) ++ndim, shape_[ndim - 1] = 1;
        shape_[ndim - 1] *= full[d];
        for (std::size_t k = 0; k <= nargs; ++k)
            if (source(k)) strides_[k][ndim - 1] = source(k)[d];
    }
    if (ndim == 0) {
        ndim = 1, shape_[0] = 1;
        for (auto& s : strides_) s[0] = 0;
    }
    plan_.ndim = ndim, plan_.shape = shape_;
}

void immediate::lay_out(dims const& full, std::span<operand const> args, dims const& out) {
    std::int64_t const* layouts[most_args];
    for (std::size_t k = 0; k < args.size(); ++k)
        layouts[k] = args[k].from == operand::source::constant ? nullptr : args[k].strides.data();
    lay_out(full, std::span(layouts, args.size()), out.data());
}

std::int64_t const* immediate::next_strides(type_id t) noexcept {
    auto* const s = strides_[layouts_++];
    if (flat_) s[0] = itemsize(t);
    return s;
}

std::uint16_t immediate::load(std::byte* base, type_id t) noexcept {
    operands_[plan_.noperands] = {base, next_strides(t), t};
    plan_value v;
    v.kind = value_kind::load, v.dtype = t, v.operand = plan_.noperands++;
    return push(v);
}

std::uint16_t immediate::constant(plan_constant const& x, type_id t) noexcept {
    if (!flat_) ++layouts_;
    plan_value v;
    v.kind = value_kind::constant, v.dtype = t, v.operand = plan_.nconstants;
    constants_[plan_.nconstants++] = x;
    return push(v);
}

std::uint16_t immediate::argument(operand const& o) {
    if (o.from == operand::source::constant)
        return constant(o.type == o.as ? o.value : cast_constant(o.value, o.type, o.as), o.as);
    if (o.from == operand::source::memory) return cast(load(o.memory->data() + o.offset, o.type), o.as);
    iotas_[plan_.niotas] = {o.offset, next_strides(o.type)};
    plan_value v;
    v.kind = value_kind::iota, v.dtype = o.type, v.operand = plan_.niotas++;
    return cast(push(v), o.as);
}

std::uint16_t immediate::cast(std::uint16_t v, type_id to) {
    type_id const from = values_[v].dtype;
    if (from == to) return v;
    plan_value c;
    c.op = cast_op, c.dtype = to, c.nargs = 1, c.args[0] = v;
    c.check = errstate::of_cast(from, to, asked_);
    checks_ = checks_ || c.check;
    return push(c);
}

// float16 is computed in float32.
std::uint16_t immediate::apply(std::uint16_t op, type_id result, std::span<std::uint16_t const> args) {
    plan_value v;
    v.op = op, v.nargs = static_cast<std::uint8_t>(args.size());
    for (std::size_t k = 0; k < args.size(); ++k)
        v.args[k] = values_[args[k]].dtype == type_id::float16 ? cast(args[k], type_id::float32) : args[k];
    v.dtype = result == type_id::float16 ? type_id::float32 : result;
    v.check = errstate::of_op(op, values_[v.args[v.nargs - 1]].dtype, asked_);
    checks_ = checks_ || v.check;
    return cast(push(v), result);
}

void immediate::store(std::uint16_t value, std::byte* out, type_id t, device where) {
    plan_store const s{cast(value, t), {out, next_strides(t), t}};
    plan_.stores = &s, plan_.nstores = 1;
    run(where);
}

// Axes that are reduced are those along which the result does not move: no two kept elements share memory.
std::uint8_t immediate::reduce(std::uint16_t aggregate, std::uint16_t value, double ddof, std::byte* out, type_id t,
                               device where, std::uint8_t looked_for) {
    auto* const strides = strides_[layouts_++];
    if (flat_) strides[0] = 0;
    std::uint8_t reduced[max_dims];
    for (int d = 0; d < plan_.ndim; ++d) reduced[d] = strides[d] == 0;
    plan_reduction r;
    r.aggregate = aggregate, r.value = value, r.ddof = ddof, r.out = {out, strides, t};
    plan_.reductions = &r, plan_.nreductions = 1, plan_.reduced = reduced;
    std::uint8_t const check = errstate::of_reduction(aggregate, values_[value].dtype, asked_);
    checks_ = check || looked_for;
    run(where);
    if (!checks_) return 0;
    std::uint32_t const rose = flags_[plan_.nvalues];
    flags_[0] = rose & check;  // no other errors are checked
    return static_cast<std::uint8_t>(rose & looked_for);
}

void immediate::run(device where) {
    plan_.operands = operands_, plan_.constants = constants_, plan_.iotas = iotas_, plan_.values = values_;
    if (checks_) plan_.fp_flags = flags_, std::fill_n(flags_, plan_.nvalues + plan_.nreductions, 0u);
    if (auto const st = device_calls::run(where, &plan_); st != status::ok) throw_if(st, where);
}

std::uint8_t immediate::fp_errors() const noexcept {
    std::uint8_t all = 0;
    for (int k = 0; checks_ && k < plan_.nvalues; ++k) all |= static_cast<std::uint8_t>(flags_[k]);
    return all;
}

// ---- loops of the general calls

namespace {

void build(immediate& p, std::uint16_t op, type_id result, std::span<operand const> args, dims const& shape,
           dims const& strides, std::byte* out, type_id as, device where) {
    p.lay_out(shape, args, strides);
    std::uint16_t values[most_args];
    for (std::size_t k = 0; k < args.size(); ++k) values[k] = p.argument(args[k]);
    auto const v = op == cast_op ? p.cast(values[0], result) : p.apply(op, result, std::span(values, args.size()));
    p.store(v, out, as, where);
}

// Read element for element where it is written, or in other memory.
bool may_read_alongside(array const& a, array const& out) {
    if (a.memory() != out.memory()) return !(a.memory()->foreign() && out.memory()->foreign());
    return a.offset == out.offset && a.type == out.type && a.shape == out.shape && a.strides == out.strides;
}

}  // namespace

bool run(std::uint16_t op, type_id loop, type_id result, std::span<bascule::argument const> args, array const& out,
         bool fresh) {
    if (!is_small(out.where(), out.shape)) return false;
    dims broadcast[most_args];
    std::int64_t const* layouts[most_args];
    graph_lock lock;
    for (std::size_t k = 0; k < args.size(); ++k) {
        array const* const a = args[k].a;
        layouts[k] = nullptr;
        if (!a) continue;
        if (!is_readable(*a) || (!fresh && !may_read_alongside(*a, out))) return false;
        bool const alike = a->shape == out.shape;
        if (!alike) broadcast[k] = broadcast_strides(a->shape, a->strides, out.shape);
        layouts[k] = alike ? a->strides.data() : broadcast[k].data();
    }
    if (!fresh && (!elements_lie_apart(out) || !may_write(lock, out))) return false;
    storage* const s = out.memory();
    if (out.size() == 0) return true;
    immediate p(errstate::current.check);
    p.lay_out(out.shape, std::span(layouts, args.size()), out.strides.data());
    bool const selects = ops::table[op].call == ops::form::selection;
    std::uint16_t values[most_args];
    for (std::size_t k = 0; k < args.size(); ++k) {
        auto const& a = args[k];
        type_id const wanted = selects && k == 0 ? type_id::bool_ : loop;
        values[k] = a.a ? p.cast(p.load(a.a->memory()->data() + a.a->offset, a.a->type.id), wanted)
                        : p.constant(a.type == wanted ? a.value : cast_constant(a.value, a.type, wanted), wanted);
    }
    bool const casts = op == cast_op;
    p.store(casts ? values[0] : p.apply(op, result, std::span(values, args.size())), s->data() + out.offset,
            out.type.id, out.where());
    report({true, p.fp_errors()}, casts ? errstate::kind::cast : errstate::kind::ufunc, op);
    return true;
}

void run(std::uint16_t op, type_id result, std::span<operand const> args, array const& out, errstate::kind how) {
    storage* s = out.memory();
    if (!s->ready()) s->set_ready(s->allocate());
    if (product(out.shape) == 0) return;
    immediate p(errstate::current.check);
    build(p, op, result, args, out.shape, out.strides, s->data() + out.offset, out.type.id, out.where());
    report({true, p.fp_errors()}, how, op);
}

bool run_pending(storage* s, flush_reason why) {
    auto const& op = *s->pending;
    if (op.runs_apart() || !s->where().api->host_memory || graph::traces_plans()) return false;
    std::int64_t widest = itemsize(op.result);
    for (int k = 0; k < op.nargs; ++k) {
        auto const& a = op.args[k];
        if (a.from != operand::source::memory) continue;
        if (!a.memory->ready() || a.memory->running || !a.memory->unsettled.empty()) return false;
        widest = std::max<std::int64_t>(widest, itemsize(a.type));
    }
    // Kernels below this size are so short that the lock is kept: looking for other results that could share the pass
    // would take longer than the pass saves.
    constexpr std::int64_t most_bytes = 44;  // an operand, for each element that is computed at the call
    if (product(op.shape) * widest >= most_bytes * settings().eager_below) return false;
    immediate p(op.check);
    p.allow_fastmath();
    std::byte* const memory = s->allocate();
    try {
        build(p, op.op, op.result, std::span(op.args, op.nargs), op.shape, s->strides, memory, op.result, s->where());
    } catch (...) {
        s->discard(memory);
        throw;
    }
    errstate::report({.order = op.order, .line = op.line, .op = op.named, .how = op.how, .fp_errors = p.fp_errors()});
    s->set_ready(memory);
    graph::unlink(s);
    auto const done = std::move(s->pending);
    graph::forget_stats();
    auto& counts = state().counts;
    ++counts.plans, counts.values += p.values(), ++counts.by_reason[static_cast<int>(why)];
    return true;
}

void run_reduction(std::uint16_t aggregate, array const& a, type_id as, std::uint64_t axes, double ddof, type_id stored,
                   array const& result) {
    storage* s = result.memory();
    s->set_ready(s->allocate());
    if (result.size() == 0) return;
    int const n = a.ndim();
    dims to(n, 0);  // of the result, over the axes of `a`
    bool const kept_dims = result.ndim() == n;
    for (int d = 0, k = 0; d < n; ++d) {
        bool const gone = ((axes >> d) & 1) != 0;
        if (!gone) to[d] = result.strides[k];
        k += !gone || kept_dims;
    }
    std::int64_t const* const layouts[] = {a.strides.data(), to.data()};
    immediate p(errstate::current.check);
    p.lay_out(a.shape, layouts, a.strides.data());
    auto const v = p.cast(p.load(a.memory()->data() + a.offset, a.type.id), as);
    p.reduce(aggregate, v, ddof, s->data(), stored, a.where());
    report({true, p.fp_errors()}, errstate::kind::reduce, aggregate);
}

// ---- memory

std::byte* take_memory(array& result, device where, std::int64_t bytes, dtype t) {
    storage* s = result.memory();
    if (s) {
        s->become(where, bytes);
    } else {
        std::destroy_at(&result);
        std::construct_at(&result, storage::make(where, bytes), t, dims{}, dims{});
        s = result.memory();
    }
    result.type = t;
    std::byte* const memory = s->allocate();
    s->set_ready(memory);
    return memory;
}

bool may_write(graph_lock& lock, array const& to) {
    storage* const s = to.memory();
    auto const at_rest = [s] { return s->ready() && !s->running && s->running_readers == 0 && !s->pending; };
    if (!to.writeable || !s->writeable || !at_rest()) return false;
    if (state().head) {
        graph::flush_readers(lock, s);
        if (!at_rest()) return false;
    }
    ++s->version;
    return true;
}

}  // namespace bascule::eager

#include "small_plan.hpp"

#include <algorithm>

#include "bascule/array/graph.hpp"
#include "bascule/ops/table.hpp"
#include "chain.hpp"

namespace bascule::small_plan {
namespace {

constexpr auto cast_op = ops::number<ops::cast>;
constexpr int max_args = static_cast<int>(most_args);

// A plan of at most three loads, their casts, the op and a cast of its result.
struct builder {
    plan_value values[4 * max_args + 2];
    plan_operand operands[max_args];
    plan_constant constants[max_args];
    plan_iota iotas[max_args];
    std::int64_t shape[max_dims], strides[max_args + 1][max_dims];
    plan_store store;
    plan p;
    int ndim = 0;
    std::size_t layouts = 0;  // of the arguments, and behind them of what is stored
    std::uint8_t const asked;
    bool checks = false;
    std::uint32_t flags[4 * max_args + 2];

    explicit builder(std::uint8_t conditions) : asked(conditions) {}

    std::uint16_t push(plan_value v) {
        values[p.nvalues] = v;
        return p.nvalues++;
    }
    std::uint16_t cast(std::uint16_t v, type_id to) {
        if (values[v].dtype == to) return v;
        plan_value c;
        c.op = cast_op, c.dtype = to, c.nargs = 1, c.args[0] = v;
        if (asked) check(c, errstate::of_cast(values[v].dtype, to, asked));
        return push(c);
    }
    void check(plan_value& v, std::uint8_t wanted) {
        v.check = wanted;
        checks = checks || wanted;
    }
    std::uint16_t input(operand const& o, std::int64_t const* s) {
        plan_value v;
        v.dtype = o.type;
        if (o.from == operand::source::constant) {
            v.kind = value_kind::constant, v.dtype = o.as, v.operand = p.nconstants;
            constants[p.nconstants++] = o.type == o.as ? o.value : cast_constant(o.value, o.type, o.as);
            return push(v);
        }
        if (o.from == operand::source::iota) {
            v.kind = value_kind::iota, v.operand = p.niotas;
            iotas[p.niotas++] = {o.offset, s};
            return cast(push(v), o.as);
        }
        v.kind = value_kind::load, v.operand = p.noperands;
        operands[p.noperands++] = {o.memory->data() + o.offset, s, o.type};
        return cast(push(v), o.as);
    }
    // Axes in the result's memory order, merged where every layout allows.
    void lay_out(dims const& full, std::span<operand const> args, dims const& out);
    void apply(std::uint16_t op, type_id result, std::span<operand const> args);
    void run(std::byte* out, type_id as, device where);
    // The conditions that rose of those asked for.
    [[nodiscard]] std::uint8_t conditions() const;
};

void builder::lay_out(dims const& full, std::span<operand const> args, dims const& out) {
    int const n = full.size();
    std::int64_t const* source[max_args + 1];
    auto const nargs = args.size();
    layouts = nargs + 1;
    for (std::size_t k = 0; k < nargs; ++k)
        source[k] = args[k].from == operand::source::constant ? nullptr : args[k].strides.data();
    source[nargs] = out.data();
    int axes[max_dims];
    if (n > 1) memory_order(n, &source[nargs], 1, axes);
    else axes[0] = 0;
    for (int i = 0; i < n; ++i) {
        int const d = axes[i];
        if (full[d] == 1) continue;
        bool merges = ndim > 0;
        for (std::size_t k = 0; merges && k <= nargs; ++k)
            if (source[k]) merges = strides[k][ndim - 1] == source[k][d] * full[d];
        if (!merges) ++ndim, shape[ndim - 1] = 1;
        shape[ndim - 1] *= full[d];
        for (std::size_t k = 0; k <= nargs; ++k)
            if (source[k]) strides[k][ndim - 1] = source[k][d];
    }
    if (ndim > 0) return;
    ndim = 1, shape[0] = 1;
    for (auto& s : strides) s[0] = 0;
}

// The op on the arguments, of the type that a result in this one is computed in.
void builder::apply(std::uint16_t op, type_id result, std::span<operand const> args) {
    plan_value v;
    v.op = op, v.nargs = static_cast<std::uint8_t>(args.size());
    for (std::size_t k = 0; k < args.size(); ++k) {
        auto a = input(args[k], strides[k]);
        if (values[a].dtype == type_id::float16 && op != cast_op) a = cast(a, type_id::float32);
        v.args[k] = a;
    }
    if (op == cast_op) {
        store.value = cast(v.args[0], result);
        return;
    }
    v.dtype = result == type_id::float16 ? type_id::float32 : result;
    check(v, errstate::of_op(op, values[v.args[v.nargs - 1]].dtype, asked));
    store.value = cast(push(v), result);
}

// `out` has the strides behind the arguments'.
void builder::run(std::byte* out, type_id as, device where) {
    store.value = cast(store.value, as);
    store.out = {out, strides[layouts - 1], as};
    p.ndim = ndim, p.shape = shape;
    p.operands = operands, p.constants = constants, p.iotas = iotas, p.values = values;
    p.stores = &store, p.nstores = 1;
    if (checks) p.fp_flags = std::fill_n(flags, p.nvalues, 0u) - p.nvalues;
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
}

std::uint8_t builder::conditions() const {
    std::uint8_t all = 0;
    for (int k = 0; checks && k < p.nvalues; ++k) all |= static_cast<std::uint8_t>(flags[k]);
    return all;
}

}  // namespace

bool is_few(device where, dims const& shape, std::int64_t times) {
    return where.api->host_memory && product(shape) < settings().eager_below * times;
}

bool fits(device where, dims const& shape, std::span<operand const> args, std::int64_t times) {
    if (!is_few(where, shape, times)) return false;
    for (auto const& a : args)
        if (a.from == operand::source::memory && (!a.memory->ready() || a.memory->running)) return false;
    return true;
}

void run(std::uint16_t op, type_id result, std::span<operand const> args, array const& out, errstate::kind how) {
    storage* s = out.memory();
    if (!s->ready()) s->set_ready(s->allocate());
    if (product(out.shape) == 0) return;
    builder b(errstate::current.check);
    b.lay_out(out.shape, args, out.strides);
    b.apply(op, result, args);
    b.run(s->data() + out.offset, out.type.id, out.where());
    auto f = errstate::here(how, op);
    f.conditions = b.conditions();
    errstate::report(f);
}

bool run_pending(storage* s, flush_reason why) {
    auto const& op = *s->pending;
    if (op.runs_apart() || !s->where().api->host_memory || chain::traces()) return false;
    std::int64_t widest = itemsize(op.result);
    for (int k = 0; k < op.nargs; ++k) {
        auto const& a = op.args[k];
        if (a.from != operand::source::memory) continue;
        if (!a.memory->ready() || a.memory->running || !a.memory->unsettled.empty()) return false;
        widest = std::max<std::int64_t>(widest, itemsize(a.type));
    }
    // Up to here the kernels are over so soon that the lock is kept, and what other results could share a pass with it
    // would save less than looking for them takes.
    constexpr std::int64_t most_bytes = 44;  // an operand, for each element that is computed at the call
    if (product(op.shape) * widest >= most_bytes * settings().eager_below) return false;
    std::span<operand const> const args(op.args, op.nargs);
    builder b(op.check);
    b.lay_out(op.shape, args, s->strides);
    b.apply(op.op, op.result, args);
    b.p.fastmath = settings().fastmath;
    std::byte* const memory = s->allocate();
    try {
        b.run(memory, op.result, s->where());
    } catch (...) {
        s->discard(memory);
        throw;
    }
    errstate::report({.order = op.order, .line = op.line, .op = op.named, .how = op.how, .conditions = b.conditions()});
    s->set_ready(memory);
    graph::unlink(s);
    auto const done = std::move(s->pending);
    graph::forget_census();
    auto& counts = state().counts;
    ++counts.plans, counts.values += b.p.nvalues, ++counts.by_reason[static_cast<int>(why)];
    return true;
}

void fold(std::uint16_t aggregate, array const& a, type_id as, std::uint64_t folded, double ddof, type_id stored,
          array const& result) {
    storage* s = result.memory();
    s->set_ready(s->allocate());
    if (result.size() == 0) return;
    int const n = a.ndim();
    int axes[max_dims];
    std::int64_t const* in = a.strides.data();
    if (n > 1) memory_order(n, &in, 1, axes);
    else axes[0] = 0;
    std::int64_t to[max_dims], shape[max_dims], from_strides[max_dims], to_strides[max_dims];
    std::uint8_t reduced[max_dims];
    bool const kept_dims = result.ndim() == n;
    for (int d = 0, k = 0; d < n; ++d) {
        bool const gone = ((folded >> d) & 1) != 0;
        to[d] = gone ? 0 : result.strides[k];
        k += !gone || kept_dims;
    }
    int m = 0;
    for (int i = 0; i < n; ++i) {
        int const d = axes[i];
        if (a.shape[d] == 1) continue;
        bool const gone = ((folded >> d) & 1) != 0;
        bool const merges = m > 0 && reduced[m - 1] == gone && from_strides[m - 1] == a.strides[d] * a.shape[d] &&
                            to_strides[m - 1] == to[d] * a.shape[d];
        if (!merges) shape[m++] = 1;
        shape[m - 1] *= a.shape[d];
        from_strides[m - 1] = a.strides[d], to_strides[m - 1] = to[d], reduced[m - 1] = gone;
    }
    if (m == 0) shape[0] = 1, from_strides[0] = to_strides[0] = 0, reduced[0] = 1, m = 1;
    plan_value values[2];
    values[0].kind = value_kind::load, values[0].dtype = a.type.id;
    values[1].op = cast_op, values[1].dtype = as, values[1].nargs = 1;
    plan_operand const operand{a.memory()->data() + a.offset, from_strides, a.type.id};
    plan_reduction r;
    r.aggregate = aggregate, r.value = as != a.type.id, r.ddof = ddof;
    r.out = {s->data(), to_strides, stored};
    plan p;
    p.ndim = m, p.shape = shape, p.reduced = reduced;
    p.operands = &operand, p.noperands = 1;
    p.values = values, p.nvalues = static_cast<std::uint16_t>(1 + (as != a.type.id));
    p.reductions = &r, p.nreductions = 1;
    auto const check = errstate::of_fold(aggregate, as, errstate::current.check);
    std::uint32_t flags[3] = {};
    if (check) p.fp_flags = flags;
    auto const where = a.where();
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    auto f = errstate::here(errstate::kind::reduce, aggregate);
    f.conditions = check & static_cast<std::uint8_t>(flags[p.nvalues]);
    errstate::report(f);
}

}  // namespace bascule::small_plan

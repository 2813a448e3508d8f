// The commonest small call: one type, one shape, contiguous, perhaps a Python scalar. It decides in a few comparisons
// what the general path works out, and gives the same answer; anything else declines.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "bascule/array/fold.hpp"
#include "bascule/array/overlap.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/array/quick.hpp"
#include "bascule/core/array_algorithms_linear.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "small_arrays.hpp"
#include "small_plan.hpp"

namespace bascule::small_plan {
namespace {

// A Python scalar as an element of `t`; false where NEP 50 would change the type or refuse the value.
bool scalar_as(argument const& a, type_id t, plan_constant& out) {
    if (a.weak == weak_kind::strong) {
        out = a.type == t ? a.value : cast_constant(a.value, a.type, t);
        return a.type == t || promote(a.type, t) == t;
    }
    if (a.weak != weak_kind::integer && a.weak != weak_kind::floating) return false;
    bool const whole = a.weak == weak_kind::integer;
    if (whole && a.type != type_id::int64) return false;
    switch (t) {
        case type_id::float64: out.f64[0] = whole ? static_cast<double>(a.value.i64) : a.value.f64[0]; return true;
        case type_id::float32:
            // An int64 is rounded once, as the general path rounds it.
            out.f32[0] = whole ? static_cast<float>(a.value.i64) : static_cast<float>(a.value.f64[0]);
            return out.f32[0] - out.f32[0] == 0 || a.value.f64[0] - a.value.f64[0] != 0;  // one that overflows is told
        case type_id::int64: out.i64 = a.value.i64; return whole;
        default: return false;
    }
}

// Types whose loop computes in them, a row an op. Halves have more to be looked at, as have powers of integers, and
// times where the loops beside theirs take numbers.
constexpr auto plain_types = [] {
    constexpr type_set whole = types::integers | types::boolean;
    std::array<type_set, ops::op_count> all{};
    for (std::size_t op = 0; op < all.size(); ++op) {
        auto const& meta = ops::table[op];
        if (meta.call != ops::form::elementwise || meta.nin > 2) continue;
        all[op] = meta.types & ~(types::times | bit(type_id::float16));
        if (meta.integers_as != type_id::bool_) all[op] &= ~whole;
    }
    all[static_cast<std::size_t>(ops::find("power"))] &= ~whole;
    for (char const* name : {"less", "less_equal", "greater", "greater_equal"})
        all[static_cast<std::size_t>(ops::find(name))] &= types::integers | types::boolean | types::floats;
    for (char const* name : {"add", "subtract", "negative", "positive", "maximum", "minimum", "fmax", "fmin", "equal",
                             "not_equal", "less", "less_equal", "greater", "greater_equal"}) {
        auto const op = static_cast<std::size_t>(ops::find(name));
        all[op] |= ops::table[op].types & types::times;
    }
    return all;
}();

constexpr auto divide = static_cast<std::uint16_t>(ops::find("divide")),
               multiply = static_cast<std::uint16_t>(ops::find("multiply"));

// A power of two whose inverse is one too, and a normal number: products with that are the quotients, to the bit, and
// raise what those raise.
template <class Bits> bool invert_power(Bits& bits, int mantissa_bits, Bits last_exponent) {
    Bits const exponent = bits >> mantissa_bits & last_exponent;
    bool const power = (bits & ((Bits{1} << mantissa_bits) - 1)) == 0;
    if (!power || exponent == 0 || exponent + 1 >= last_exponent) return false;
    bits = (bits & ~(last_exponent << mantissa_bits)) | (last_exponent - 1 - exponent) << mantissa_bits;
    return true;
}

bool invert(plan_constant& divisor, type_id t) {
    if (t == type_id::float64) return invert_power(divisor.u64, 52, std::uint64_t{0x7ff});
    if (t != type_id::float32) return false;
    std::uint32_t bits = 0;
    std::memcpy(&bits, divisor.bytes, sizeof bits);
    bool const done = invert_power(bits, 23, std::uint32_t{0xff});
    std::memcpy(divisor.bytes, &bits, sizeof bits);
    return done;
}

// To begin with: copying it takes less time than clearing a plan, for which the compiler has an instruction of its own
// that is slow to begin.
constexpr plan nothing_planned{};

// Where the elements of `result` go, which has no value yet but perhaps a storage.
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

void set_only(dims& d, std::int64_t v) {
    if (d.size() == 1) d[0] = v;
    else d = dims{v};
}

void become_scalar(array& result) {
    if (result.ndim() > 0) result.shape = dims(), result.strides = dims();
    result.scalar = true;
}

[[gnu::always_inline]] inline std::byte* make_like(array& result, array const& like, dtype t, std::int64_t n) {
    std::byte* const memory = take_memory(result, like.where(), n * t.itemsize, t);
    if (like.ndim() == 1) {
        set_only(result.shape, n);
        set_only(result.strides, t.itemsize);
    } else {
        result.shape = like.shape;
        result.strides = contiguous_strides(like.shape, t.itemsize);
    }
    return memory;
}

// Beside a plain array of n elements: another that is read in step with it.
bool goes_with(array const& a, array const& first, std::int64_t n) {
    if (!(a.type == first.type) || a.ndim() != first.ndim() || !(a.where() == first.where())) return false;
    return (n == a.shape[0] && a.ndim() == 1) || a.shape == first.shape;
}

// Where the elements of a result go that is not the first argument: in step with the arguments, and on none of them but
// element for element.
bool takes_result(array const& target, type_id out, array const& first, std::span<argument const> args) {
    if (&target == &first) return out == first.type.id;
    if (target.type.id != out || is_time(out) || target.ndim() == 0 || target.memory()->foreign()) return false;
    if (!(target.shape == first.shape) || !(target.where() == first.where()) || !is_plain(target)) return false;
    for (auto const& a : args) {
        if (!a.a) continue;
        bool const same_place = a.a->offset == target.offset && a.a->type == target.type;
        if (a.a->memory()->foreign() || (a.a->memory() == target.memory() && !same_place)) return false;
    }
    return true;
}

// As quick_call, of types in `known`; a target is where the result goes.
quick_outcome call(std::uint16_t op, type_set known, std::span<argument const> args, std::uint8_t asked, array& result,
                   array const* target) {
    array const* const first = args[0].a ? args[0].a : args.size() > 1 ? args[1].a : nullptr;
    if (!first || args.size() > 2) return {};
    type_id const t = first->type.id;
    if (!contains(known, t)) return {};
    device const where = first->where();
    std::int64_t const n = first->size(), step = first->itemsize();
    if (!where.api->host_memory || !is_small(n)) return {};
    auto const nargs = static_cast<std::uint8_t>(args.size());

    graph_lock lock;
    if (!is_plain(*first)) return {};
    type_id const out = ops::result_type(op, t);
    if (target && !takes_result(*target, out, *first, args)) return {};
    plan_value values[3];
    plan_operand operands[2];
    plan_constant constants[2];
    std::uint16_t noperands = 0, nconstants = 0;
    for (std::uint8_t k = 0; k < nargs; ++k) {
        argument const& a = args[k];
        auto& v = values[k];
        v.dtype = t;
        if (a.a) {
            if (a.a != first && !(goes_with(*a.a, *first, n) && is_plain(*a.a))) return {};
            v.kind = value_kind::load, v.operand = noperands;
            operands[noperands++] = {a.a->memory()->data() + a.a->offset, &step, t};
        } else {
            v.kind = value_kind::constant, v.operand = nconstants;
            if (!scalar_as(a, t, constants[nconstants++])) return {};
        }
        values[nargs].args[k] = k;
    }
    auto& v = values[nargs];
    bool const by_power = op == divide && nargs == 2 && !args[1].a && invert(constants[0], t);
    v.op = by_power ? multiply : op, v.nargs = nargs, v.dtype = out;
    v.check = errstate::of_op(op, t, asked);
    std::int64_t const out_step = itemsize(out);
    if (target && !may_write(lock, *target)) return {};
    std::byte* const memory = target ? target->memory()->data() + target->offset
                                     : make_like(result, *first, is_time(out) ? first->type : make_dtype(out), n);
    plan_store const store{nargs, {memory, &out_step, out}};
    std::uint32_t flags[3] = {};
    plan p = nothing_planned;
    p.ndim = 1, p.shape = &n;
    p.operands = operands, p.noperands = noperands;
    p.constants = constants, p.nconstants = nconstants;
    p.values = values, p.nvalues = static_cast<std::uint16_t>(nargs + 1);
    p.stores = &store, p.nstores = 1;
    if (v.check) p.fp_flags = flags;
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    return {true, static_cast<std::uint8_t>(flags[nargs])};
}

// Every so manieth element of a row or a column, or a part of each row, in the order of C: the results of what is
// computed from it lie one behind the other. The graph's lock is held.
bool is_spaced(array const& a) {
    auto const* const s = a.memory();
    if (a.ndim() == 0 || !is_small(a) || a.itemsize() > longest_element || !s->ready() || s->running) return false;
    std::int64_t inner = a.itemsize();
    for (int d = a.ndim() - 1; d >= 0; --d) {
        if (a.strides[d] < inner) return false;
        inner = a.strides[d] * a.shape[d];
    }
    return !(s->odd_truths && is_boolean(a.type.id)) && !is_plain(a) && !has_short_rows(a);
}

}  // namespace

array moved_together(array const& a) {
    array together(storage::make(a.where(), a.size() * a.itemsize()), a.type, a.shape,
                   contiguous_strides(a.shape, a.itemsize()));
    std::byte* const memory = together.memory()->allocate();
    together.memory()->set_ready(memory);
    with_element(a.itemsize(), [&]<class T>(T) {
        auto* to = reinterpret_cast<T*>(memory);
        for_rows(a, [&](std::int64_t offset, std::int64_t count, std::int64_t step, std::int64_t) {
            copy_run<T>(a.memory()->data() + offset, step, count, reinterpret_cast<std::byte*>(to), sizeof(T));
            to += count;
        });
    });
    return together;
}

namespace {

// The call of arguments that lie apart, moved together first; compiling a plan takes longer.
quick_outcome call_of_spaced(std::uint16_t op, std::span<argument const> args, std::uint8_t asked, array& result) {
    array const* const first = args[0].a ? args[0].a : args.size() > 1 ? args[1].a : nullptr;
    if (!first || !is_small(*first)) return {};
    argument moved[2];
    array held[2];
    bool any = false;
    {
        graph_lock lock;
        for (std::size_t k = 0; k < args.size(); ++k) {
            moved[k] = args[k];
            array const* const a = args[k].a;
            if (!a) continue;
            if (!contains(plain_types[op], a->type.id) || !a->where().api->host_memory) return {};
            if (k && args[0].a && (!(a->type == args[0].a->type) || !(a->shape == args[0].a->shape))) return {};
            if (k && args[0].a == a) moved[k] = moved[0];
            else if (is_spaced(*a)) held[k] = moved_together(*a), moved[k].a = &held[k], any = true;
        }
    }
    return any ? call(op, plain_types[op], {moved, args.size()}, asked, result, nullptr) : quick_outcome{};
}

}  // namespace
}  // namespace bascule::small_plan

namespace bascule {

quick_outcome quick_call(std::uint16_t op, std::span<argument const> args, std::uint8_t asked, array& result) {
    auto const outcome = small_plan::call(op, small_plan::plain_types[op], args, asked, result, nullptr);
    if (outcome.done || args.size() > 2) return outcome;
    return small_plan::call_of_spaced(op, args, asked, result);
}

bool quick_node(std::uint16_t op, std::span<argument const> args, array& result) {
    array const* const first = args[0].a ? args[0].a : args.size() > 1 ? args[1].a : nullptr;
    if (!first || args.size() > 2 || first->ndim() == 0) return false;
    type_id const t = first->type.id;
    if (!contains(small_plan::plain_types[op], t) || is_complex(t) || is_time(t)) return false;
    device const where = first->where();
    if (small_plan::is_few(where, first->shape)) return false;
    dims const in_order = contiguous_strides(first->shape, first->itemsize());
    auto node = std::make_unique<pending_operation>();
    for (std::size_t k = 0; k < args.size(); ++k) {
        array const* const a = args[k].a;
        operand& o = node->args[k];
        o.type = o.as = t;
        if (!a) {
            o.from = operand::source::constant;
            if (!small_plan::scalar_as(args[k], t, o.value)) return false;
            continue;
        }
        bool const alike = a == first || (a->type == first->type && a->shape == first->shape && a->where() == where);
        if (!alike || !(a->strides == in_order) || (is_boolean(t) && a->memory()->odd_truths)) return false;
        o.memory = a->memory_ref(), o.offset = a->offset, o.strides = in_order;
    }
    type_id const out = ops::result_type(op, t);
    node->op = op, node->nargs = static_cast<std::uint8_t>(args.size()), node->result = out;
    node->shape = first->shape;
    bool const at_once = errstate::mark(*node, errstate::kind::ufunc, errstate::of_op(op, t, errstate::current.check));
    dims strides = itemsize(out) == itemsize(t) ? in_order : contiguous_strides(first->shape, itemsize(out));
    graph_lock lock;
    result = graph::add(lock, where, make_dtype(out), first->shape, std::move(strides), std::move(node), at_once);
    return true;
}

quick_outcome quick_call_into(std::uint16_t op, std::span<argument const> args, array const& target,
                              std::uint8_t asked) {
    array none;
    return small_plan::call(op, small_plan::plain_types[op], args, asked, none, &target);
}

quick_outcome quick_cast(array const& a, dtype to, std::uint8_t asked, array& result) {
    bool const same = a.type == to;
    std::int64_t const n = a.size(), step = a.itemsize(), out_step = to.itemsize;
    device const where = a.where();
    if (!where.api->host_memory || !small_plan::is_small(n)) return {};
    if (!same && (is_time(a.type.id) || is_time(to.id))) return {};
    graph_lock lock;
    if (!small_plan::is_plain(a)) return {};
    std::byte* const from = a.memory()->data() + a.offset;
    std::byte* const memory = small_plan::make_like(result, a, to, n);
    if (same) {
        std::memcpy(memory, from, static_cast<std::size_t>(n * step));
        return {true};
    }
    plan_operand const operand{from, &step, a.type.id};
    plan_value values[2];
    values[0].kind = value_kind::load, values[0].dtype = a.type.id;
    auto& v = values[1];
    v.op = ops::number<ops::cast>, v.dtype = to.id, v.nargs = 1;
    v.check = errstate::of_cast(a.type.id, to.id, asked);
    plan_store const store{1, {memory, &out_step, to.id}};
    std::uint32_t flags[2] = {};
    plan p = small_plan::nothing_planned;
    p.ndim = 1, p.shape = &n;
    p.operands = &operand, p.noperands = 1, p.values = values, p.nvalues = 2, p.stores = &store, p.nstores = 1;
    if (v.check) p.fp_flags = flags;
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    return {true, static_cast<std::uint8_t>(flags[1])};
}

bool quick_where(std::span<argument const, 3> args, array& result) {
    constexpr auto where_op = static_cast<std::uint16_t>(ops::find("where"));
    array const* const condition = args[0].a;
    if (!condition || condition->type.id != type_id::bool_ || condition->ndim() == 0) return false;
    device const where = condition->where();
    std::int64_t const n = condition->size();
    if (!where.api->host_memory || !small_plan::is_small(n)) return false;
    array const* const first = args[1].a ? args[1].a : args[2].a;
    if (!first && (args[1].weak == weak_kind::strong || args[2].weak == weak_kind::strong)) return false;
    bool const whole = args[1].weak == weak_kind::integer && args[2].weak == weak_kind::integer;
    dtype const t = first ? first->type : make_dtype(whole ? type_id::int64 : type_id::float64);
    if (t.id == type_id::float16 || !contains(ops::table[where_op].types, t.id)) return false;
    graph_lock lock;
    if (!small_plan::is_plain(*condition)) return false;
    std::int64_t const truth_step = 1, step = t.itemsize;
    plan_value values[4];
    plan_operand operands[3];
    plan_constant constants[2];
    std::uint16_t noperands = 0, nconstants = 0;
    for (std::uint8_t k = 0; k < 3; ++k) {
        auto& v = values[k];
        v.dtype = k ? t.id : type_id::bool_;
        values[3].args[k] = k;
        if (array const* const a = args[k].a) {
            bool const fits = a->type == (k ? t : condition->type) && a->shape == condition->shape;
            if (!fits || !(a->where() == where) || !small_plan::is_plain(*a)) return false;
            v.kind = value_kind::load, v.operand = noperands;
            operands[noperands++] = {a->memory()->data() + a->offset, k ? &step : &truth_step, v.dtype};
        } else {
            v.kind = value_kind::constant, v.operand = nconstants;
            if (!small_plan::scalar_as(args[k], t.id, constants[nconstants++])) return false;
        }
    }
    auto& v = values[3];
    v.op = where_op, v.nargs = 3, v.dtype = t.id;
    plan_store const store{3, {small_plan::make_like(result, *condition, t, n), &step, t.id}};
    plan p = small_plan::nothing_planned;
    p.ndim = 1, p.shape = &n;
    p.operands = operands, p.noperands = noperands;
    p.constants = constants, p.nconstants = nconstants;
    p.values = values, p.nvalues = 4;
    p.stores = &store, p.nstores = 1;
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    return true;
}

bool quick_durations(std::uint16_t op, std::span<argument const> args, array& result) {
    constexpr type_set durations = bit(type_id::timedelta64);
    return contains(ops::loops(op), type_id::timedelta64) &&
           small_plan::call(op, durations, args, ops::fp::none, result, nullptr).done;
}

quick_outcome quick_in_place(std::uint16_t op, array const& target, argument const& other, std::uint8_t asked) {
    if (target.ndim() == 0) return {};
    argument const args[] = {{&target}, other};
    bool const shared = other.a && other.a != &target && other.a->memory() == target.memory();
    if (!shared && !(other.a && (other.a->memory()->foreign() || target.memory()->foreign()))) {
        array none;
        auto const outcome = small_plan::call(op, small_plan::plain_types[op], args, asked, none, &target);
        if (outcome.done) return outcome;
    }
    // What lies apart, or in one memory, goes through a result of its own.
    array made;
    auto const outcome = quick_call(op, args, asked, made);
    bool const stored = outcome.done && made.shape == target.shape && quick_assign(target, made);
    return stored ? outcome : quick_outcome{};
}

bool quick_call(std::uint16_t op, std::span<argument const> args, array& result) {
    auto const outcome = quick_call(op, args, errstate::current.check, result);
    if (outcome.conditions) report(outcome, errstate::kind::ufunc, op);
    return outcome.done;
}

void report(quick_outcome outcome, errstate::kind how, std::uint16_t op) {
    auto f = errstate::here(how, op);
    f.conditions = outcome.conditions;
    errstate::report(f);
}

quick_outcome quick_fold(std::uint16_t aggregate, array const& a, std::uint8_t asked, plan_constant& result) {
    type_id const t = a.type.id;
    if (t == type_id::float16 || is_time(t) || !contains(ops::aggregate_table[aggregate].types, t)) return {};
    device const where = a.where();
    std::int64_t const n = a.size(), step = a.itemsize(), still = 0;
    if (!where.api->host_memory || !small_plan::is_small(n) || may_leave_the_finite(aggregate, t, n)) return {};
    graph_lock lock;
    if (!small_plan::is_plain(a)) return {};
    result = {};
    std::uint8_t const reduced = 1;
    plan_operand const operand{a.memory()->data() + a.offset, &step, t};
    plan_value value;
    value.kind = value_kind::load, value.dtype = t;
    plan_reduction r;
    r.aggregate = aggregate;
    r.out = {result.bytes, &still, ops::aggregate_result_type(aggregate, t)};
    std::uint8_t const check = errstate::of_fold(aggregate, t, asked);
    bool const multiplies = aggregate == ops::aggregate_number<ops::aggregate::prod> && is_float(t);
    std::uint32_t flags[2] = {};
    plan p = small_plan::nothing_planned;
    p.ndim = 1, p.shape = &n, p.reduced = &reduced;
    p.operands = &operand, p.noperands = 1;
    p.values = &value, p.nvalues = 1;
    p.reductions = &r, p.nreductions = 1;
    if (check || multiplies) p.fp_flags = flags;
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    // What leaves the range on the way is multiplied in NumPy's order.
    if (multiplies && (flags[1] & (ops::fp::over | ops::fp::under | ops::fp::invalid))) return {};
    return {true, static_cast<std::uint8_t>(flags[1] & check)};
}

quick_outcome quick_product(array const& a, array const& b, std::uint8_t asked, array& result) {
    constexpr type_set known = types::inexact & ~bit(type_id::float16);
    constexpr std::int64_t most_work = std::int64_t{1} << 18;  // some microseconds
    if (a.type.id != b.type.id || !contains(known, a.type.id) || !(a.where() == b.where())) return {};
    int const na = a.ndim(), nb = b.ndim();
    device const where = a.where();
    if (na < 1 || na > 2 || nb < 1 || nb > 2 || !where.api->host_memory) return {};
    matrix_product_args p;
    p.dtype = a.type.id;
    p.m = na == 2 ? a.shape[0] : 1, p.k = a.shape[na - 1], p.n = nb == 2 ? b.shape[1] : 1;
    if (b.shape[0] != p.k || p.k == 0 || p.m > most_work || p.n > most_work || p.k > most_work) return {};
    if (p.m * p.n == 0 || p.m * p.n > most_work || p.m * p.n * p.k > most_work) return {};

    graph_lock lock;
    for (auto const* s : {a.memory(), b.memory()})
        if (!s->ready() || s->running) return {};
    std::int64_t const step = a.itemsize();
    p.a = {a.memory()->data() + a.offset, nullptr, na == 2 ? a.strides[0] : 0, a.strides[na - 1]};
    p.b = {b.memory()->data() + b.offset, nullptr, b.strides[0], nb == 2 ? b.strides[1] : 0};
    p.out = {small_plan::take_memory(result, where, p.m * p.n * step, a.type), nullptr, p.n * step, step};
    if (na == 2 && nb == 2) result.shape = dims{p.m, p.n}, result.strides = dims{p.n * step, step};
    else if (na == 1 && nb == 1) small_plan::become_scalar(result);
    else small_plan::set_only(result.shape, p.m * p.n), small_plan::set_only(result.strides, step);
    std::uint32_t flags = 0;
    std::uint8_t const check = asked & (ops::fp::invalid | ops::fp::over);
    if (check) p.fp_flags = &flags;
    throw_if(where.api->algorithm(where.index, algorithm_kind::matrix_product, &p, nullptr), where);
    return {true, static_cast<std::uint8_t>(flags & check)};
}

bool quick_numbers(std::uint16_t op, std::span<plan_constant const> args, type_id t, std::uint8_t asked, device where,
                   plan_constant& result) {
    if (!contains(small_plan::plain_types[op], t) || args.size() > 2) return false;
    auto const nargs = static_cast<std::uint8_t>(args.size());
    std::int64_t const n = 1, step = itemsize(t);
    plan_value values[3];
    plan_operand operands[2];
    plan_constant held[2];
    for (std::uint8_t k = 0; k < nargs; ++k) {
        held[k] = args[k];
        operands[k] = {held[k].bytes, &step, t};
        values[k].dtype = t, values[k].kind = value_kind::load, values[k].operand = k;
        values[nargs].args[k] = k;
    }
    type_id const out = ops::result_type(op, t);
    auto& v = values[nargs];
    v.op = op, v.nargs = nargs, v.dtype = out;
    v.check = errstate::of_op(op, t, asked);
    std::int64_t const out_step = itemsize(out);
    result = {};
    plan_store const store{nargs, {result.bytes, &out_step, out}};
    std::uint32_t flags[3] = {};
    plan p = small_plan::nothing_planned;
    p.ndim = 1, p.shape = &n;
    p.operands = operands, p.noperands = nargs;
    p.values = values, p.nvalues = static_cast<std::uint16_t>(nargs + 1);
    p.stores = &store, p.nstores = 1;
    if (v.check) p.fp_flags = flags;
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    return !flags[nargs];
}

void become_value(array& result, device where, dtype t, plan_constant const& v) {
    static_assert(sizeof v.bytes <= storage::inline_bytes);
    std::memcpy(small_plan::take_memory(result, where, t.itemsize, t), v.bytes, sizeof v.bytes);
    small_plan::become_scalar(result);
}

namespace {

// The graph's lock is held.
[[gnu::always_inline]] inline bool read_element(array const& a, std::int64_t offset, plan_constant& to) {
    storage const* const s = a.memory();
    if (!s->ready() || s->running || (s->odd_truths && is_boolean(a.type.id))) return false;
    small_plan::copy_element(reinterpret_cast<std::byte*>(to.bytes), s->data() + offset, a.itemsize());
    return true;
}

}  // namespace

bool quick_read(array const& a, std::int64_t offset, plan_constant& to) {
    if (!a.where().api->host_memory) return false;
    graph_lock const lock;
    return read_element(a, offset, to);
}

bool quick_read_both(array const* a, array const* b, plan_constant (&to)[2]) {
    if ((a && !a->where().api->host_memory) || (b && !b->where().api->host_memory)) return false;
    graph_lock const lock;
    return (!a || read_element(*a, a->offset, to[0])) && (!b || read_element(*b, b->offset, to[1]));
}

}  // namespace bascule

// The commonest small call: one type, one shape, contiguous, perhaps a Python scalar. It decides in a few comparisons
// what the general path works out, and gives the same answer; anything else declines.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "bascule/array/overlap.hpp"
#include "bascule/array/quick.hpp"
#include "bascule/core/array_algorithms_linear.hpp"
#include "bascule/core/words.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "graph_state.hpp"
#include "small_plan.hpp"

namespace bascule::small_plan {
namespace {

// A Python scalar as an element of `t`; false where NEP 50 would change the type or refuse the value.
bool scalar_as(argument const& a, type_id t, plan_constant& out) {
    if (a.weak == weak_kind::strong) return out = a.value, a.type == t;
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

// Of the elements: what a kernel reads as one run.
bool is_plain(array const& a) {
    auto const* s = a.memory();
    if (!s->ready() || s->running || (s->odd_truths && is_boolean(a.type.id))) return false;
    if (a.ndim() == 1) return a.strides[0] == a.itemsize() || a.shape[0] == 1;
    return is_c_contiguous(a.shape, a.strides, a.itemsize());
}

bool is_small(std::int64_t n) {
    static graph_settings const& of_process = settings();
    return n != 0 && n < of_process.eager_below.load(std::memory_order_relaxed);
}

bool is_small(array const& a) { return a.where().api->host_memory && is_small(a.size()); }

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

// A copy of unknown length would begin with a choice of how.
void copy_element(std::byte* to, std::byte const* from, std::int64_t itemsize) {
    switch (itemsize) {
        case 1: *to = *from; return;
        case 2: std::memcpy(to, from, 2); return;
        case 4: std::memcpy(to, from, 4); return;
        case 8: std::memcpy(to, from, 8); return;
        default: std::memcpy(to, from, 16); return;
    }
}

std::byte* make_like(array& result, array const& like, dtype t, std::int64_t n) {
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

}  // namespace

bool quick_cast(array const& a, dtype to, array& result) {
    graph_lock lock;
    if (!is_small(a) || !is_plain(a)) return false;
    bool const same = a.type == to;
    if (!same && (is_time(a.type.id) || is_time(to.id))) return false;
    device const where = a.where();
    std::int64_t const n = a.size();
    auto s = storage::make(where, n * to.itemsize);
    std::byte* const memory = s->allocate();
    s->set_ready(memory);
    std::byte* const from = a.memory()->data() + a.offset;
    if (same) {
        std::memcpy(memory, from, static_cast<std::size_t>(n * to.itemsize));
    } else {
        std::int64_t const step[] = {a.itemsize()}, out_step[] = {to.itemsize};
        plan_operand const operand{from, step, a.type.id};
        plan_value values[2];
        values[0].kind = value_kind::load, values[0].dtype = a.type.id;
        auto& v = values[1];
        v.op = ops::number<ops::cast>, v.dtype = to.id, v.nargs = 1;
        v.check = errstate::of_cast(a.type.id, to.id, errstate::current.check);
        plan_store const store{1, {memory, out_step, to.id}};
        plan p;
        p.ndim = 1, p.shape = &n;
        p.operands = &operand, p.noperands = 1, p.values = values, p.nvalues = 2, p.stores = &store, p.nstores = 1;
        std::uint32_t flags[2] = {};
        if (v.check) p.fp_flags = flags;
        if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
        if (flags[1]) {
            auto f = errstate::here(errstate::kind::cast, v.op);
            f.conditions = static_cast<std::uint8_t>(flags[1]);
            errstate::report(f);
        }
    }
    result = array(std::move(s), to, a.shape, contiguous_strides(a.shape, to.itemsize));
    return true;
}

}  // namespace bascule::small_plan

namespace bascule::small_plan {
namespace {

// Nobody reads or writes it lazily, so that it can be written here and now. The graph's lock is held.
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

// As quick_call, of types in `known`; a target is one of the arguments, and the result goes there.
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
    if (target && out != t) return {};
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
    // All at once: what is cleared first and filled in later takes longer than some kernels.
    plan const p{.ndim = 1,
                 .shape = &n,
                 .operands = operands,
                 .constants = constants,
                 .values = values,
                 .stores = &store,
                 .noperands = noperands,
                 .nconstants = nconstants,
                 .nvalues = static_cast<std::uint16_t>(nargs + 1),
                 .nstores = 1,
                 .fp_flags = v.check ? flags : nullptr};
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    return {true, static_cast<std::uint8_t>(flags[nargs])};
}

}  // namespace
}  // namespace bascule::small_plan

namespace bascule {

quick_outcome quick_call(std::uint16_t op, std::span<argument const> args, std::uint8_t asked, array& result) {
    return small_plan::call(op, small_plan::plain_types[op], args, asked, result, nullptr);
}

bool quick_durations(std::uint16_t op, std::span<argument const> args, array& result) {
    constexpr type_set durations = bit(type_id::timedelta64);
    return contains(ops::loops(op), type_id::timedelta64) &&
           small_plan::call(op, durations, args, ops::fp::none, result, nullptr).done;
}

quick_outcome quick_in_place(std::uint16_t op, array const& target, argument const& other, std::uint8_t asked) {
    if (target.ndim() == 0 || (other.a && other.a != &target && other.a->memory() == target.memory())) return {};
    if (other.a && (other.a->memory()->foreign() || target.memory()->foreign())) return {};
    argument const args[] = {{&target}, other};
    array none;
    return small_plan::call(op, small_plan::plain_types[op], args, asked, none, &target);
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

quick_outcome quick_fold(std::uint16_t aggregate, array const& a, std::uint8_t asked, array& result) {
    type_id const t = a.type.id;
    if (t == type_id::float16 || is_time(t) || !contains(ops::aggregate_table[aggregate].types, t)) return {};
    device const where = a.where();
    std::int64_t const n = a.size(), step = a.itemsize(), still = 0;
    if (!where.api->host_memory || !small_plan::is_small(n)) return {};
    graph_lock lock;
    if (!small_plan::is_plain(a)) return {};
    dtype const out = make_dtype(ops::aggregate_result_type(aggregate, t));
    std::byte* const memory = small_plan::take_memory(result, where, out.itemsize, out);
    small_plan::become_scalar(result);
    std::uint8_t const reduced = 1;
    plan_operand const operand{a.memory()->data() + a.offset, &step, t};
    plan_value value;
    value.kind = value_kind::load, value.dtype = t;
    plan_reduction r;
    r.aggregate = aggregate;
    r.out = {memory, &still, out.id};
    std::uint8_t const check = errstate::of_fold(aggregate, t, asked);
    std::uint32_t flags[2] = {};
    plan const p{.ndim = 1,
                 .shape = &n,
                 .reduced = &reduced,
                 .operands = &operand,
                 .values = &value,
                 .reductions = &r,
                 .noperands = 1,
                 .nvalues = 1,
                 .nreductions = 1,
                 .fp_flags = check ? flags : nullptr};
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    return {true, static_cast<std::uint8_t>(flags[1] & check)};
}

quick_outcome quick_product(array const& a, array const& b, std::uint8_t asked, array& result) {
    constexpr type_set known = types::floats & ~bit(type_id::float16);
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

bool quick_item(array const& a, std::int64_t offset, array& result) {
    device const where = a.where();
    if (!where.api->host_memory) return false;
    graph_lock lock;
    storage const* const s = a.memory();
    if (!s->ready() || s->running || (s->odd_truths && is_boolean(a.type.id))) return false;
    std::byte* const memory = small_plan::take_memory(result, where, a.itemsize(), a.type);
    small_plan::copy_element(memory, s->data() + offset, a.itemsize());
    small_plan::become_scalar(result);
    return true;
}

bool quick_numbers(std::uint16_t op, std::span<plan_constant const> args, type_id t, std::uint8_t asked, device where,
                   array& result) {
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
    plan_constant made{};
    plan_store const store{nargs, {made.bytes, &out_step, out}};
    std::uint32_t flags[3] = {};
    plan const p{.ndim = 1,
                 .shape = &n,
                 .operands = operands,
                 .values = values,
                 .stores = &store,
                 .noperands = nargs,
                 .nvalues = static_cast<std::uint16_t>(nargs + 1),
                 .nstores = 1,
                 .fp_flags = v.check ? flags : nullptr};
    if (auto const st = where.api->run(where.index, &p, nullptr); st != status::ok) throw_if(st, where);
    if (flags[nargs]) return false;
    become_value(result, where, make_dtype(out), made);
    return true;
}

void become_value(array& result, device where, dtype t, plan_constant const& v) {
    small_plan::copy_element(small_plan::take_memory(result, where, t.itemsize, t),
                             reinterpret_cast<std::byte const*>(v.bytes), t.itemsize);
    small_plan::become_scalar(result);
}

bool quick_read(array const& a, std::int64_t offset, plan_constant& to) {
    if (!a.where().api->host_memory) return false;
    graph_lock lock;
    storage const* const s = a.memory();
    if (!s->ready() || s->running || (s->odd_truths && is_boolean(a.type.id))) return false;
    small_plan::copy_element(reinterpret_cast<std::byte*>(to.bytes), s->data() + offset, a.itemsize());
    return true;
}

bool quick_store(array const& to, std::int64_t offset, plan_constant const& v) {
    if (!to.where().api->host_memory) return false;
    graph_lock lock;
    if (!small_plan::may_write(lock, to)) return false;
    small_plan::copy_element(to.memory()->data() + offset, reinterpret_cast<std::byte const*>(v.bytes), to.itemsize());
    return true;
}

namespace {

// f(byte offset of a row's first element, its length, the step between its elements, which row it is), row by row.
template <class F> void for_rows(array const& a, F&& f) {
    int const last = a.ndim() - 1;
    std::int64_t rows = 1;
    for (int d = 0; d < last; ++d) rows *= a.shape[d];
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t offset = a.offset, rest = row;
        for (int d = last - 1; d >= 0; --d) offset += rest % a.shape[d] * a.strides[d], rest /= a.shape[d];
        f(offset, a.shape[last], a.strides[last], row);
    }
}

// Elements that lie on one another are written in an order of their own, by the general call.
bool has_places_apart(array const& a) {
    if (a.ndim() == 1) return std::abs(a.strides[0]) >= a.itemsize();
    return !overlap::overlaps_itself({a.offset, a.shape, a.strides, a.itemsize()});
}

}  // namespace

bool quick_fill(array const& to, plan_constant const& v) {
    if (!small_plan::is_small(to) || to.ndim() == 0) return false;
    graph_lock lock;
    if (to.itemsize() > 8 || !has_places_apart(to) || !small_plan::may_write(lock, to)) return false;
    return with_word(to.itemsize(), [&]<class T>(T) {
        T value;
        std::memcpy(&value, v.bytes, sizeof value);
        for_rows(to, [&](std::int64_t offset, std::int64_t count, std::int64_t step, std::int64_t) {
            std::byte* p = to.memory()->data() + offset;
            if (step == static_cast<std::int64_t>(sizeof(T))) std::fill_n(reinterpret_cast<T*>(p), count, value);
            else
                for (std::int64_t i = 0; i < count; ++i, p += step) std::memcpy(p, &value, sizeof value);
        });
    });
}

bool quick_overwrite(array const& to, void const* from) {
    if (!small_plan::is_small(to)) return false;
    graph_lock lock;
    if (!small_plan::is_plain(to) || !small_plan::may_write(lock, to)) return false;
    std::memcpy(to.memory()->data() + to.offset, from, static_cast<std::size_t>(to.size() * to.itemsize()));
    return true;
}

bool quick_scatter(array const& to, std::span<std::int64_t const> at, std::int64_t unit, void const* from, bool same) {
    if (!small_plan::is_small(to)) return false;
    graph_lock lock;
    if ((same && to.itemsize() > 8) || !small_plan::is_plain(to) || !small_plan::may_write(lock, to)) return false;
    std::byte* const begin = to.memory()->data() + to.offset;
    if (!same) {
        auto const bytes = static_cast<std::size_t>(unit * to.itemsize());
        auto const* p = static_cast<std::byte const*>(from);
        for (auto k : at) std::memcpy(begin + static_cast<std::size_t>(k) * bytes, p, bytes), p += bytes;
        return true;
    }
    return with_word(to.itemsize(), [&]<class T>(T) {
        T value;
        std::memcpy(&value, from, sizeof value);
        for (auto k : at) std::fill_n(reinterpret_cast<T*>(begin) + k * unit, unit, value);
    });
}

bool quick_assign(array const& to, array const& from) {
    int const surplus = to.ndim() - from.ndim();
    if (!small_plan::is_small(to) || surplus < 0 || from.ndim() == 0 || !(from.type == to.type) || to.itemsize() > 8)
        return false;
    for (int d = 0; d < from.ndim(); ++d)
        if (from.shape[d] != to.shape[d + surplus]) return false;
    storage const* const source = from.memory();
    if (!(from.where() == to.where()) || source == to.memory() || source->foreign() || to.memory()->foreign() ||
        !has_places_apart(to))
        return false;
    graph_lock lock;
    if (!source->ready() || source->running || (source->odd_truths && is_boolean(from.type.id))) return false;
    if (!small_plan::may_write(lock, to)) return false;
    if (!source->ready() || source->running) return false;
    std::int64_t const rows = from.size() / from.shape[from.ndim() - 1], from_step = from.strides[from.ndim() - 1];
    return with_word(to.itemsize(), [&]<class T>(T) {
        for_rows(to, [&](std::int64_t offset, std::int64_t count, std::int64_t step, std::int64_t row) {
            std::int64_t at = from.offset, rest = row % rows;
            for (int d = from.ndim() - 2; d >= 0; --d)
                at += rest % from.shape[d] * from.strides[d], rest /= from.shape[d];
            std::byte *p = to.memory()->data() + offset, *q = source->data() + at;
            for (std::int64_t i = 0; i < count; ++i, p += step, q += from_step) std::memcpy(p, q, sizeof(T));
        });
    });
}

}  // namespace bascule

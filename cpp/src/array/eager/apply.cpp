// The most frequent calls, decided in a few comparisons: arrays of one type and one shape, contiguous, and possibly
// Python numbers. elementwise.cpp handles all others and runs them through the same plan.
#include <array>
#include <cstring>

#include "bascule/array/device_calls.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/core/array_algorithms_linear.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "immediate.hpp"

namespace bascule::eager {
namespace {

constexpr std::uint16_t divide = ops::number<ops::divide>, multiply = ops::number<ops::multiply>,
                        power = ops::number<ops::power>;

// The types, a row per op, whose loop computes in the operands' own type and needs no further checks. The others take
// the general call: float16, integer powers, the order of complex numbers, and timestamps where the op's other loops
// take numbers.
constexpr auto plain_types = [] {
    constexpr type_set whole = types::integers | types::boolean;
    std::array<type_set, ops::op_count> all{};
    for (std::size_t op = 0; op < all.size(); ++op) {
        auto const& meta = ops::table[op];
        bool const selects = meta.call == ops::form::selection;
        if ((meta.call != ops::form::elementwise || meta.nin > 2) && !selects) continue;
        all[op] = meta.types & ~bit(type_id::float16);
        if (!selects) all[op] &= ~types::times;
        if (meta.integers_as != type_id::bool_) all[op] &= ~whole;
    }
    all[power] &= ~whole;
    for (auto const op : {ops::number<ops::less>, ops::number<ops::less_equal>, ops::number<ops::greater>,
                          ops::number<ops::greater_equal>})
        all[op] &= types::integers | types::boolean | types::floats;
    for (auto const op :
         {ops::number<ops::add>, ops::number<ops::subtract>, ops::number<ops::negative>, ops::number<ops::positive>,
          ops::number<ops::maximum>, ops::number<ops::minimum>, ops::number<ops::fmax>, ops::number<ops::fmin>,
          ops::number<ops::equal>, ops::number<ops::not_equal>, ops::number<ops::less>, ops::number<ops::less_equal>,
          ops::number<ops::greater>, ops::number<ops::greater_equal>, ops::number<ops::isnat>})
        all[op] |= ops::table[op].types & types::times;
    return all;
}();

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
            return out.f32[0] - out.f32[0] == 0 ||
                   a.value.f64[0] - a.value.f64[0] != 0;  // one that overflows is reported
        case type_id::int64: out.i64 = a.value.i64; return whole;
        default: return false;
    }
}

// A power of two whose inverse is one too, and a normal number: products with that equal the quotients, bit for bit,
// and raise the same errors.
template <class Bits> bool invert_power(Bits& bits, int mantissa_bits, Bits last_exponent) {
    Bits const exponent = bits >> mantissa_bits & last_exponent;
    bool const is_power = (bits & ((Bits{1} << mantissa_bits) - 1)) == 0;
    if (!is_power || exponent == 0 || exponent + 1 >= last_exponent) return false;
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

void set_only(dims& d, std::int64_t v) {
    if (d.size() == 1) d[0] = v;
    else d = dims{v};
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

// Where the elements of a result go: in step with the arguments, and on none of them but element for element.
bool takes_result(array const& out, type_id t, array const& first, std::span<argument const> args) {
    if (out.type.id != t || out.ndim() == 0) return false;
    if (&out != &first &&
        (is_time(t) || !(out.shape == first.shape) || !(out.where() == first.where()) || !is_contiguous_ready(out)))
        return false;
    for (auto const& a : args) {
        if (!a.a || a.a == &out) continue;
        bool const same_place = a.a->offset == out.offset && a.a->type == out.type;
        if (out.memory()->foreign() || a.a->memory()->foreign()) return false;
        if (a.a->memory() == out.memory() && !same_place) return false;
    }
    return true;
}

// The type to compute in: that of the first array, or of the numbers that a condition chooses from.
struct arguments {
    array const* first = nullptr;  // of any type
    dtype loop;
    bool selects = false;
};

bool look_at(std::uint16_t op, std::span<argument const> args, arguments& to) {
    to.selects = ops::table[op].call == ops::form::selection;
    if (args.size() > (to.selects ? 3 : 2)) return false;
    std::size_t const begin = to.selects ? 1 : 0;
    array const* typed = nullptr;
    for (std::size_t k = args.size(); k-- > begin;)
        if (args[k].a) typed = args[k].a;
    to.first = to.selects ? args[0].a : typed;
    if (!to.first || (to.selects && to.first->type.id != type_id::bool_)) return false;
    if (typed) return to.loop = typed->type, true;
    for (auto const& a : args.subspan(begin))
        if (a.weak == weak_kind::strong) return false;
    bool const whole = args[1].weak == weak_kind::integer && args[2].weak == weak_kind::integer;
    to.loop = make_dtype(whole ? type_id::int64 : type_id::float64);
    return true;
}

// Whether `a` can be read in step with the n contiguous elements of `first`.
bool goes_with(array const& a, dtype t, array const& first, std::int64_t n) {
    if (!(a.type == t) || a.ndim() != first.ndim() || !(a.where() == first.where())) return false;
    return ((n == a.shape[0] && a.ndim() == 1) || a.shape == first.shape) && is_contiguous_ready(a);
}

// Of types in `known`; `out`: where the result goes, or null.
outcome call(std::uint16_t op, type_set known, std::span<argument const> args, std::uint8_t asked, array& result,
             array const* out) {
    arguments given;
    if (!look_at(op, args, given)) return {};
    array const& first = *given.first;
    type_id const t = given.loop.id;
    std::int64_t const n = first.size();
    if (!contains(known, t) || !first.where().api->host_memory || !is_small(n)) return {};

    graph_lock lock;
    if (!is_contiguous_ready(first)) return {};
    type_id const to = ops::result_type(op, t);
    if (out && !takes_result(*out, to, first, args)) return {};
    immediate p(asked);
    p.lay_flat(n);
    std::uint16_t values[most_args];
    for (std::size_t k = 0; k < args.size(); ++k) {
        dtype const wanted = given.selects && k == 0 ? first.type : given.loop;
        if (array const* const a = args[k].a) {
            if (!(a == &first && a->type == wanted) && !goes_with(*a, wanted, first, n)) return {};
            values[k] = p.load(a->memory()->data() + a->offset, wanted.id);
            continue;
        }
        plan_constant v;
        if (!scalar_as(args[k], t, v)) return {};
        if (op == divide && k == 1 && invert(v, t)) op = multiply;
        values[k] = p.constant(v, t);
    }
    if (out && !may_write(lock, *out)) return {};
    auto const computed = p.apply(op, to, std::span(values, args.size()));
    std::byte* const memory = out ? out->memory()->data() + out->offset
                                  : make_like(result, first, is_time(to) ? given.loop : make_dtype(to), n);
    p.store(computed, memory, to, first.where());
    return {true, p.fp_errors()};
}

}  // namespace

outcome apply(std::uint16_t op, std::span<argument const> args, std::uint8_t asked, array& result) {
    return call(op, plain_types[op], args, asked, result, nullptr);
}

bool apply_to_durations(std::uint16_t op, std::span<argument const> args, array& result) {
    constexpr type_set durations = bit(type_id::timedelta64);
    return contains(ops::loops(op), type_id::timedelta64) &&
           call(op, durations, args, ops::fp::none, result, nullptr).done;
}

outcome apply_into(std::uint16_t op, std::span<argument const> args, array const& out, std::uint8_t asked) {
    array none;
    return call(op, plain_types[op], args, asked, none, &out);
}

bool apply_to_numbers(std::uint16_t op, std::span<plan_constant const> args, type_id t, std::uint8_t asked,
                      device where, plan_constant& result) {
    if (!contains(plain_types[op], t) || args.size() > 2) return false;
    immediate p(asked);
    p.lay_flat(1);
    plan_constant held[2];
    std::uint16_t values[2];
    for (std::size_t k = 0; k < args.size(); ++k) {
        held[k] = args[k];
        values[k] = p.load(reinterpret_cast<std::byte*>(held[k].bytes), t);
    }
    type_id const to = ops::result_type(op, t);
    result = {};
    p.store(p.apply(op, to, std::span(values, args.size())), reinterpret_cast<std::byte*>(result.bytes), to, where);
    return !p.fp_errors();
}

outcome cast(array const& a, dtype to, std::uint8_t asked, array& result) {
    bool const same = a.type == to;
    if (!is_small(a) || (!same && (is_time(a.type.id) || is_time(to.id)))) return {};
    graph_lock lock;
    if (!is_contiguous_ready(a)) return {};
    std::byte* const from = a.memory()->data() + a.offset;
    std::int64_t const n = a.size();
    std::byte* const memory = make_like(result, a, to, n);
    immediate p(asked);
    p.lay_flat(n);
    p.store(p.load(from, a.type.id), memory, to.id, a.where());
    return {true, p.fp_errors()};
}

outcome reduce(std::uint16_t aggregate, array const& a, std::uint8_t asked, plan_constant& result) {
    type_id const t = a.type.id;
    if (t == type_id::float16 || is_time(t) || !contains(ops::aggregate_table[aggregate].types, t)) return {};
    if (!is_small(a) || may_leave_the_finite(aggregate, t, a.size())) return {};
    graph_lock lock;
    if (!is_contiguous_ready(a)) return {};
    result = {};
    immediate p(asked);
    p.lay_flat(a.size());
    auto const v = p.load(a.memory()->data() + a.offset, t);
    // A product that overflows at an intermediate step is computed in NumPy's order.
    bool const multiplies = aggregate == ops::aggregate_number<ops::aggregate::prod> && is_float(t);
    std::uint8_t const looked_for = multiplies ? ops::fp::over | ops::fp::under | ops::fp::invalid : 0;
    if (p.reduce(aggregate, v, 0, reinterpret_cast<std::byte*>(result.bytes), ops::aggregate_result_type(aggregate, t),
                 a.where(), looked_for))
        return {};
    return {true, p.fp_errors()};
}

outcome matmul(array const& a, array const& b, std::uint8_t asked, array& result) {
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
    if (!is_readable(a) || !is_readable(b)) return {};
    std::int64_t const step = a.itemsize();
    p.a = {a.memory()->data() + a.offset, nullptr, na == 2 ? a.strides[0] : 0, a.strides[na - 1]};
    p.b = {b.memory()->data() + b.offset, nullptr, b.strides[0], nb == 2 ? b.strides[1] : 0};
    p.out = {take_memory(result, where, p.m * p.n * step, a.type), nullptr, p.n * step, step};
    if (na == 2 && nb == 2) result.shape = dims{p.m, p.n}, result.strides = dims{p.n * step, step};
    else if (na == 1 && nb == 1) result.shape = dims(), result.strides = dims(), result.scalar = true;
    else set_only(result.shape, p.m * p.n), set_only(result.strides, step);
    std::uint32_t flags = 0;
    std::uint8_t const check = asked & (ops::fp::invalid | ops::fp::over);
    if (check) p.fp_flags = &flags;
    throw_if(device_calls::algorithm(where, algorithm_kind::matrix_product, &p), where);
    return {true, static_cast<std::uint8_t>(flags & check)};
}

void report(outcome o, errstate::kind how, std::uint16_t op) {
    if (!o.fp_errors) return;
    auto f = errstate::here(how, op);
    f.fp_errors = o.fp_errors;
    errstate::report(f);
}

}  // namespace bascule::eager

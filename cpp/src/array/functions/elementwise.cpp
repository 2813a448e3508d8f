#include "bascule/array/elementwise.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../eager/immediate.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/ops/table.hpp"
#include "complex_order.hpp"
#include "exact_integers.hpp"
#include "float16_extrema.hpp"
#include "masked_operands.hpp"
#include "python_numbers.hpp"

namespace bascule {
namespace {

constexpr auto where_op = ops::number<ops::where>;
constexpr auto cast_op = ops::number<ops::cast>;

device device_of(std::span<argument const> args, call_options const& o) {
    device d{};
    for (auto const& a : args) {
        if (!a.a) continue;
        if (d.api && !(d == a.a->where()))
            throw type_error("operands lie on different devices: " + d.name() + " and " + a.a->where().name());
        d = a.a->where();
    }
    if (o.out && d.api && !(o.out->where() == d))
        throw type_error("out lies on " + o.out->where().name() + ", the operands on " + d.name());
    if (!d.api) d = o.out ? o.out->where() : o.at;
    return d.api ? d : device{cpu_backend(), 0};
}

promoted promotion_of(argument const& a) {
    return a.a ? promoted{a.a->type.id, weak_kind::strong} : promoted{a.type, a.weak};
}

// Comparisons of integers are right for every Python integer, also where the array's type cannot hold it.
type_id comparing_type(std::span<argument const> args, type_id loop) {
    for (auto const& a : args) {
        if (fits_python_integer(a, loop)) continue;
        return loop != type_id::uint64 && a.type == type_id::int64 ? type_id::int64 : type_id::float64;
    }
    return loop;
}

struct resolved {
    type_id loop, result;
    dtype out;
};

// Integers of two types are promoted to the smallest float that holds each of them, not to the one that holds their
// common integer type.
type_id float_loop(std::uint16_t op, std::span<promoted const> in) {
    type_id loop = type_id::bool_;
    for (auto const& p : in) {
        if (p.weak != weak_kind::strong) continue;
        if (is_boolean(p.type)) return loop_type(op, common_type(in));
        loop = std::max(loop, loop_type(op, p.type));
    }
    return loop;
}

// Of three operands the loop is the smallest that holds each, which may be smaller than the type they have in common:
// int16, uint16 and float32 have a loop of float32 in common, and float64.
type_id inexact_loop(std::uint16_t op, std::span<promoted const> in, type_id common) {
    for (type_id const t :
         {type_id::float16, type_id::float32, type_id::float64, type_id::complex64, type_id::complex128}) {
        promoted const wanted{t, weak_kind::strong};
        auto const fits = [&](promoted const& p) {
            promoted const both[] = {p, wanted};
            return common_type(both) == t;
        };
        if (std::all_of(in.begin(), in.end(), fits)) return loop_type(op, t);
    }
    return loop_type(op, common);
}

// dtype= names the result: comparisons and the like, whose result is boolean in every loop, keep the loop of their
// inputs.
type_id loop_with_result(std::uint16_t op, type_id common, type_id wanted) {
    if (is_boolean(wanted) && is_boolean(ops::result_type(op, loop_type(op, common)))) return loop_type(op, common);
    type_id const loop = loop_type(op, wanted);
    if (ops::result_type(op, loop) != wanted)
        throw type_error(std::string("No loop matching the specified signature and casting was found for ufunc ") +
                         ops::table[op].name);
    return loop;
}

void check_input_cast(std::uint16_t op, argument const& a, std::size_t k, type_id loop, casting rule) {
    bool const adapts = !a.a && (a.weak == weak_kind::integer || (a.weak == weak_kind::floating && !is_integer(loop)) ||
                                 (a.weak == weak_kind::complex_ && is_complex(loop)));
    type_id const from = promotion_of(a).type;
    if (adapts || can_cast(from, loop, rule)) return;
    throw type_error(std::string("Cannot cast ufunc '") + ops::table[op].name + "' input " + std::to_string(k) +
                     " from dtype('" + type_name(from) + "') to dtype('" + type_name(loop) + "') with casting rule '" +
                     casting_name(rule) + "'");
}

resolved resolve(std::uint16_t op, std::span<argument const> args, call_options const& o) {
    promoted in[4];
    std::size_t n = 0;
    bool const selects = ops::table[op].call == ops::form::selection;
    for (std::size_t k = selects ? 1 : 0; k < args.size(); ++k) in[n++] = promotion_of(args[k]);
    type_id const common = common_type(std::span(in, n));
    type_id loop = o.type ? loop_with_result(op, common, *o.type) : loop_type(op, common);
    auto const inexact = [](promoted const& p) {
        return p.weak == weak_kind::strong && (is_float(p.type) || is_complex(p.type));
    };
    if (!o.type && n == 3 && std::any_of(in, in + n, inexact)) loop = inexact_loop(op, std::span(in, n), common);
    type_id const named = loop;
    bool const compares = is_integer(loop) && is_boolean(ops::result_type(op, loop)) && !o.type;
    if (compares) loop = comparing_type(args, loop);
    if (!o.type && is_integer(common) && !is_integer(loop) && ops::table[op].integers_as == type_id::bool_)
        loop = float_loop(op, std::span(in, n));
    for (std::size_t k = selects ? 1 : 0; k < args.size(); ++k) {
        check_python_integer(args[k], loop);
        if (o.type || o.rule < casting::same_kind) check_input_cast(op, args[k], k, compares ? named : loop, o.rule);
    }
    type_id const result = ops::result_type(op, loop);
    dtype out = make_dtype(result);
    for (auto const& a : args)
        if (a.a && a.a->type.id == result && is_time(result)) out = a.a->type;
    return {loop, result, out};
}

// Inputs as the op reads them, broadcast to `shape`.
void place(std::uint16_t op, std::span<argument const> args, type_id loop, dims const& shape, operand* out) {
    bool const selects = ops::table[op].call == ops::form::selection;
    for (std::size_t k = 0; k < args.size(); ++k) {
        out[k] = args[k].a ? graph::argument(*args[k].a, shape) : graph::argument(args[k].value, args[k].type);
        out[k].as = selects && k == 0 ? type_id::bool_ : loop;
    }
}

// NumPy's 'K' order: the result has the operands' order of axes in memory.
dims result_strides(std::span<argument const> args, dims const& shape, std::int64_t itemsize) {
    auto const lies_plainly = [&](argument const& a) {
        return !a.a || a.a->ndim() == 0 ||
               (a.a->shape == shape && is_c_contiguous(shape, a.a->strides, a.a->itemsize()));
    };
    if (shape.size() < 2 || std::all_of(args.begin(), args.end(), lies_plainly))
        return contiguous_strides(shape, itemsize);
    dims broadcast[4];
    std::int64_t const* layouts[4];
    std::size_t n = 0;
    for (auto const& a : args) {
        if (!a.a || a.a->ndim() == 0) continue;
        broadcast[n] = broadcast_strides(a.a->shape, a.a->strides, shape);
        layouts[n] = broadcast[n].data();
        ++n;
    }
    return dense_strides_like(shape, std::span(layouts, n), itemsize);
}

dims result_shape(std::span<argument const> args) {
    dims const* shapes[4];
    std::size_t n = 0;
    for (auto const& a : args)
        if (a.a) shapes[n++] = &a.a->shape;
    if (n == 1) return *shapes[0];
    if (n == 2 && *shapes[0] == *shapes[1]) return *shapes[0];
    return broadcast_shapes(std::span(shapes, n));
}

void check_output_shape(std::span<argument const> args, dims const& shape, call_options const& o) {
    dims const& out = o.out->shape;
    if (shape == out && !o.where) return;
    dims const* shapes[6];
    std::size_t n = 0;
    for (auto const& a : args)
        if (a.a) shapes[n++] = &a.a->shape;
    if (o.where) shapes[n++] = &o.where->shape;
    shapes[n++] = &out;
    dims const all = broadcast_shapes(std::span(shapes, n));
    if (!(all == out))
        throw value_error("non-broadcastable output operand with shape " + to_string(out) +
                          " doesn't match the broadcast shape " + to_string(all));
}

// The errors that the op, and the casts around it, can raise out of those that are checked.
std::uint8_t checks_of_call(std::uint16_t op, resolved const& r, operand const* args, int nargs) {
    auto const asked = errstate::current.check;
    std::uint8_t check = errstate::of_op(op, r.loop, asked);
    if (r.result == type_id::float16) check |= asked & (ops::fp::over | ops::fp::under);
    for (int k = 0; asked && k < nargs; ++k) check |= errstate::of_cast(args[k].type, args[k].as, asked);
    return check;
}

array with_where(array const& given, call_options const& o) {
    array result = given;
    call_options at;
    if (o.out && errstate::of_cast(result.type.id, o.out->type.id, errstate::current.check)) {
        // Elements that are not selected are not cast, so that they cannot raise anything.
        argument const args[] = {{o.where}, {&given}, {nullptr, plan_constant{}, type_id::bool_}};
        at.type = result.type.id, at.rule = casting::unsafe;
        result = apply(where_op, args, at);
    }
    array const otherwise = o.out ? *o.out : full(result.where(), result.type, {}, plan_constant{});
    argument const args[] = {{o.where}, {&result}, {&otherwise}};
    at.type = otherwise.type.id;  // unselected elements of `out` keep their bits
    at.rule = casting::unsafe;
    return apply(where_op, args, at);
}

// Of Python's numbers, in the loop.
void report_overflow(std::uint16_t op, std::span<argument const> args, type_id loop) {
    bool const selects = ops::table[op].call == ops::form::selection;
    for (auto const& a : args.subspan(selects ? 1 : 0)) python_numbers::report_overflow(a, loop);
}

// The op on all elements, laid over `shape`.
array computed(std::uint16_t op, std::span<argument const> args, resolved const& r, dims const& shape, device at) {
    report_overflow(op, args, r.loop);
    dims strides = result_strides(args, shape, r.out.itemsize);
    if (eager::is_small(at, shape)) {
        array result = empty_strided(at, r.out, shape, strides);
        if (eager::run(op, r.loop, r.result, args, result, true)) return result;
    }
    auto node = std::make_unique<pending_operation>();
    place(op, args, r.loop, shape, node->args);
    auto const nargs = static_cast<int>(args.size());
    node->op = op, node->nargs = static_cast<std::uint8_t>(nargs), node->result = r.result, node->shape = shape;
    bool const at_once = errstate::mark(*node, errstate::kind::ufunc, checks_of_call(op, r, node->args, nargs));
    graph_lock lock;
    return graph::add(lock, at, r.out, shape, std::move(strides), std::move(node), at_once);
}

constexpr std::uint16_t logical_and = ops::number<ops::logical_and>, logical_or = ops::number<ops::logical_or>,
                        logical_xor = ops::number<ops::logical_xor>;
bool is_logical(std::uint16_t op) { return op == logical_and || op == logical_or || op == logical_xor; }

// Such an op needs only the truth value of Python's integers, so that each fits every type.
argument boolean_of(argument const& a) {
    if (a.a || a.weak != weak_kind::integer) return a;
    if (a.type == type_id::uint64) throw overflow_error("Python int too large to convert to C long");
    return {nullptr, cast_constant(a.value, a.type, type_id::bool_), type_id::bool_, weak_kind::boolean};
}

bool asks_of_values(std::uint16_t op, type_id loop) { return errstate::of_op(op, loop, errstate::current.check) != 0; }

// The same under where=. Few elements are computed first and examined again if they raise something.
array computed_masked(std::uint16_t op, std::span<argument const> args, resolved const& r, dims const& shape, device at,
                      array const& mask) {
    array held[3];
    argument chosen[3];
    auto const again = [&] {
        bool const any = masked_operands::replace(op, args, mask, held, chosen);
        std::span<argument const> const now(chosen, args.size());
        if (any) return computed(op, now, r, result_shape(now), at);
        auto const check = std::exchange(errstate::current.check, ops::fp::none);
        array result = computed(op, args, r, shape, at);
        errstate::current.check = check;
        return result;
    };
    bool const few = at.api->host_memory && product(shape) < settings().eager_below && !errstate::current.found;
    if (!few) return again();
    array result = computed(op, args, r, shape, at);
    evaluate(std::span(&result, 1));
    if (!errstate::current.found) return result;
    errstate::take();
    return again();
}

}  // namespace

bool fits_python_integer(argument const& a, type_id as) {
    if (a.a || a.weak != weak_kind::integer || !is_integer(as)) return true;
    if (a.type == type_id::uint64) return as == type_id::uint64;
    auto const v = a.value.i64;
    int const bits = 8 * itemsize(as);
    if (is_unsigned_integer(as)) return v >= 0 && (bits == 64 || (v >> bits) == 0);
    return bits == 64 || (v >= -(std::int64_t{1} << (bits - 1)) && v < (std::int64_t{1} << (bits - 1)));
}

void check_python_integer(argument const& a, type_id as) {
    if (fits_python_integer(a, as)) return;
    bool const far = a.type == type_id::uint64;
    if (far && as != type_id::uint32) throw overflow_error("Python int too large to convert to C long");
    throw overflow_error("Python integer " + (far ? std::to_string(a.value.u64) : std::to_string(a.value.i64)) +
                         " out of bounds for " + type_name(as));
}

void check_output_cast(char const* op, type_id from, type_id to, casting rule) {
    if (can_cast(from, to, rule)) return;
    throw type_error(std::string("Cannot cast ufunc '") + op + "' output from dtype('" + type_name(from) +
                     "') to dtype('" + type_name(to) + "') with casting rule '" + casting_name(rule) + "'");
}

array apply(std::uint16_t op, std::span<argument const> args, call_options const& o) {
    if (!o.out && !o.where && !o.type) {
        array result;
        auto const at_once = eager::apply(op, args, errstate::current.check, result);
        eager::report(at_once, errstate::kind::ufunc, op);
        if (at_once.done) return result;
    }
    return apply_by_rules(op, args, o);
}

array apply_by_rules(std::uint16_t op, std::span<argument const> given, call_options const& o) {
    argument booleans[2];
    std::span<argument const> args = given;
    if (is_logical(op) && !(given[0].a && given[1].a)) {
        booleans[0] = boolean_of(given[0]), booleans[1] = boolean_of(given[1]);
        args = booleans;
    }
    if (exact_integers::compares_signs(op, args)) return exact_integers::compare_signs(op, args, o);
    if (o.out && !(o.out->writeable && o.out->memory()->writeable)) throw value_error("output array is read-only");
    resolved const r = resolve(op, args, o);
    if (o.out) check_output_cast(ops::table[op].name, r.result, o.out->type.id, o.rule);
    if (complex_order::is_watched(op, r.loop, args)) complex_order::report_nan(op, args);
    dims const shape = result_shape(args);
    if (exact_integers::is_integer_power(op, args, o) && product(shape) > 0)
        exact_integers::refuse_negative_exponents(args[1], o);
    if (o.out) check_output_shape(args, shape, o);
    device const at = device_of(args, o);
    array result;
    argument turned[2];
    bool const keeps_first = float16_extrema::keeps_first(op, r.loop, args);
    if (keeps_first) turned[0] = args[1], turned[1] = args[0], args = turned;
    if (o.out && !o.where && !keeps_first && eager::run(op, r.loop, r.result, args, *o.out, false)) {
        report_overflow(op, args, r.loop);
        return *o.out;
    }
    if (!o.where || !asks_of_values(op, r.loop)) result = computed(op, args, r, shape, at);
    else result = computed_masked(op, args, r, shape, at, *o.where);
    if (keeps_first) result = float16_extrema::with_first_nan(op, turned[1], turned[0], result);
    errstate::naming const cast_is_part(errstate::kind::ufunc, op);
    if (o.where) result = with_where(result, o);
    if (!o.out) return result;
    operand from = graph::argument(result, o.out->shape);
    from.as = o.out->type.id;
    result = array();  // only the write holds it: it need not be stored for its own sake
    assign_operand(*o.out, std::move(from));
    return *o.out;
}

array apply(std::uint16_t op, array const& a) {
    argument const args[] = {{&a}};
    return apply(op, args);
}

array apply(std::uint16_t op, array const& a, array const& b) {
    argument const args[] = {{&a}, {&b}};
    return apply(op, args);
}

array apply(std::uint16_t op, array const& a, argument const& b) {
    argument const args[] = {{&a}, b};
    return apply(op, args);
}

array plain_booleans(array const& a) {
    if (!is_boolean(a.type.id) || !a.memory()->noncanonical_bools) return a;
    array bytes = a;
    bytes.type = make_dtype(type_id::uint8);
    array booleans = astype(bytes, a.type);
    booleans.scalar = a.scalar, booleans.writeable = a.writeable;
    return booleans;
}

namespace {
dims strides_for_order(array const& a, std::int64_t itemsize, char order) {
    if (order == 'F') return contiguous_strides(a.shape, itemsize, true);
    if (order == 'C' || is_c_contiguous(a.shape, a.strides, a.itemsize())) return contiguous_strides(a.shape, itemsize);
    if (order == 'A' && is_f_contiguous(a.shape, a.strides, a.itemsize()))
        return contiguous_strides(a.shape, itemsize, true);
    if (order == 'A') return contiguous_strides(a.shape, itemsize);
    // Unlike a ufunc's, a copy's axes follow the strides alone: broadcast ones (of stride 0) become the innermost.
    std::vector<int> axes(static_cast<std::size_t>(a.ndim()));
    std::iota(axes.begin(), axes.end(), 0);
    std::stable_sort(axes.begin(), axes.end(),
                     [&](int x, int y) { return std::abs(a.strides[x]) > std::abs(a.strides[y]); });
    dims out(a.ndim(), 0);
    for (auto d = axes.rbegin(); d != axes.rend(); ++d)
        out[*d] = itemsize, itemsize *= std::max<std::int64_t>(a.shape[*d], 1);
    return out;
}
}  // namespace

array astype(array const& a, dtype to, bool always_copy, char order) {
    bool const same = a.type == to || (a.type.id == to.id && !is_time(to.id));
    if (same && !always_copy) {
        dims const wanted = strides_for_order(a, a.itemsize(), order);
        if (order == 'K' || wanted == a.strides || (order == 'C' && is_c_contiguous(a.shape, a.strides, a.itemsize())))
            return a;
    }
    if (order != 'F' || a.ndim() < 2) {
        array result;
        auto const at_once = eager::cast(a, to, errstate::current.check, result);
        eager::report(at_once, errstate::kind::cast, cast_op);
        if (at_once.done) return result;
    }
    dims strides = strides_for_order(a, to.itemsize, order);
    if (eager::is_small(a.where(), a.shape)) {
        argument const given{&a};
        array const out = empty_strided(a.where(), to, a.shape, strides);
        if (eager::run(cast_op, a.type.id, to.id, std::span(&given, 1), out, true)) return out;
    }
    operand from = graph::argument(a, a.shape);
    graph_lock lock;
    auto node = std::make_unique<pending_operation>();
    from.as = from.type;
    bool const at_once =
        errstate::mark(*node, errstate::kind::cast, errstate::of_cast(from.type, to.id, errstate::current.check));
    node->op = cast_op, node->nargs = 1, node->result = to.id, node->shape = a.shape, node->args[0] = std::move(from);
    return graph::add(lock, a.where(), to, a.shape, std::move(strides), std::move(node), at_once);
}

array copy(array const& a, char order) { return astype(a, a.type, true, order); }

bool is_aligned(array const& a) {
    std::int64_t const step = is_complex(a.type.id) ? a.itemsize() / 2 : a.itemsize();
    if (step == 1 || a.size() == 0) return true;
    auto const start = reinterpret_cast<std::uintptr_t>(a.memory()->data()) + static_cast<std::uintptr_t>(a.offset);
    if (start % static_cast<std::uintptr_t>(step) != 0) return false;
    for (int i = 0; i < a.ndim(); ++i)
        if (a.shape[i] > 1 && a.strides[i] % step != 0) return false;
    return true;
}

array aligned(array const& a) {
    if (a.where().api->host_memory || is_aligned(a)) return a;
    array bytes = a;
    bytes.type = make_dtype(type_id::uint8);
    bytes.shape.push_back(a.itemsize()), bytes.strides.push_back(1);
    array moved = copy(bytes, 'C');
    evaluate(moved.memory());  // other types see bytes, which a pending value does not have yet
    moved.type = a.type, moved.shape = a.shape, moved.strides = contiguous_strides(a.shape, a.itemsize());
    moved.writeable = false;  // a write would not reach the memory it was copied from
    return moved;
}

}  // namespace bascule

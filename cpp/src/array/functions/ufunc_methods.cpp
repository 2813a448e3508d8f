#include "bascule/array/ufunc_methods.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bascule/array/arguments.hpp"
#include "bascule/array/device_calls.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "dense.hpp"
#include "scan.hpp"

namespace bascule {
namespace {

std::string_view name_of(std::uint16_t op) { return ops::table[op].name; }
bool is_logical(std::uint16_t op) { return name_of(op).starts_with("logical_"); }
bool is_extreme(std::uint16_t op) { return is_one_of(op, {"minimum", "maximum", "fmin", "fmax"}); }
bool sums_log(std::uint16_t op) { return is_one_of(op, {"logaddexp", "logaddexp2"}); }

// The aggregation that is equivalent to reducing by op; -1: none.
int aggregate_of(std::uint16_t op) {
    static constexpr std::string_view pairs[][2] = {{"add", "sum"},     {"multiply", "prod"},   {"minimum", "min"},
                                                    {"maximum", "max"}, {"logical_and", "all"}, {"logical_or", "any"}};
    for (auto const& [of, aggregate] : pairs)
        if (of == name_of(op)) return ops::find_aggregate(aggregate.data());
    return -1;
}

// The result of reducing no elements, as an element of `t`.
std::optional<plan_constant> identity_of(std::uint16_t op, type_id t) {
    plan_constant v{};
    if (sums_log(op)) {
        v.f64[0] = -std::numeric_limits<double>::infinity();
        return cast_constant(v, type_id::float64, t);
    }
    int const i = ops::table[op].identity;
    if (i == -1) return {};
    v.i64 = i == -2 ? -1 : i;
    return cast_constant(v, type_id::int64, t);
}

bool is_reorderable(std::uint16_t op) { return is_extreme(op) || identity_of(op, type_id::float64).has_value(); }

[[noreturn]] void refuse_loop(std::uint16_t op) {
    throw type_error("No loop matching the specified signature and casting was found for ufunc " +
                     std::string(name_of(op)));
}

}  // namespace

// The loop T, T -> T of a method; `wanted` names it, else it holds the input and, where there is one, the output.
type_id running_type(std::uint16_t op, type_id t, std::optional<type_id> wanted, array const* out) {
    if (wanted) {
        if (!contains(ops::loops(op), *wanted) || ops::result_type(op, *wanted) != *wanted) refuse_loop(op);
        return *wanted;
    }
    if (is_logical(op)) return type_id::bool_;
    if (out) t = is_time(t) ? t : promote(out->type.id, t);
    else if (is_one_of(op, {"add", "multiply"}) && (is_boolean(t) || is_integer(t)) && itemsize(t) < 8)
        t = is_unsigned_integer(t) ? type_id::uint64 : type_id::int64;
    type_id const loop = loop_type(op, t);
    if (ops::result_type(op, loop) != loop) refuse_loop(op);
    return loop;
}

namespace {

array as_loop(array const& a, type_id t) { return a.type.id == t ? a : astype(a, make_dtype(t)); }

array axes_last(array const& a, std::uint64_t reduced) {
    std::vector<int> order;
    for (bool const last : {false, true})
        for (int d = 0; d < a.ndim(); ++d)
            if ((((reduced >> d) & 1) != 0) == last) order.push_back(d);
    return transpose(a, order);
}

// The reduced axes as one, the last, behind the others.
array lanes_of(array const& a, std::uint64_t reduced) {
    dims shape;
    std::int64_t n = 1;
    for (int d = 0; d < a.ndim(); ++d)
        if ((reduced >> d) & 1) n *= a.shape[d];
        else shape.push_back(a.shape[d]);
    shape.push_back(n);
    return reshape_view_or_copy(axes_last(a, reduced), shape);
}

array one_of(array const& lanes, std::int64_t k) {  // lanes[..., k]
    int const rest = lanes.ndim() - 1;
    return view(lanes, dims(lanes.shape.data(), rest), dims(lanes.strides.data(), rest),
                lanes.offset + k * lanes.strides[rest]);
}

array part_of(array const& lanes, std::int64_t first, std::int64_t count) {  // lanes[..., first:first + count]
    return part_of(lanes, lanes.ndim() - 1, first, count);
}

// NumPy's arithmetic loops keep a float16 reduction in float32 and round it once.
array reduce_lanes(std::uint16_t op, array const& lanes) {
    bool const rounds_once = lanes.type.id == type_id::float16 && is_one_of(op, {"multiply", "subtract", "divide"});
    if (!rounds_once) return scan::last(op, lanes);
    return astype(scan::last(op, astype(lanes, make_dtype(type_id::float32))), lanes.type);
}

argument constant(plan_constant v, type_id t) { return {nullptr, v, t, weak_kind::strong}; }

argument started_with(argument const& initial, type_id t) {
    return initial.a ? constant(cast_constant(item(*initial.a), initial.a->type.id, t), t)
                     : constant(cast_constant(initial.value, initial.type, t), t);
}

array apply_as(std::uint16_t op, argument const& x, array const& y, type_id t) {
    argument const args[] = {x, {&y}};
    call_options o;
    o.type = t, o.rule = casting::unsafe;
    return apply(op, args, o);
}

// Step by step, since no value of the type leaves such an op's result as it was.
array reduce_masked(std::uint16_t op, array const& lanes, array const& mask, argument const& start) {
    array running = full(lanes.where(), lanes.type, dims(lanes.shape.data(), lanes.ndim() - 1), start.value);
    running = copy(running);
    for (std::int64_t k = 0; k < lanes.shape[lanes.ndim() - 1]; ++k) {
        array const next = one_of(lanes, k), selected = one_of(mask, k);
        argument const args[] = {{&running}, {&next}};
        call_options o;
        o.out = &running, o.where = &selected;
        apply(op, args, o);
    }
    return running;
}

array reduce_one_by_one(std::uint16_t op, array const& a, std::uint64_t reduced, std::optional<argument> const& start,
                        bool given, array const* where) {
    type_id const t = a.type.id;
    array lanes = lanes_of(a, reduced);
    std::int64_t const n = lanes.shape[lanes.ndim() - 1];
    dims const kept(lanes.shape.data(), lanes.ndim() - 1);
    if (n == 0) {
        if (!start)
            throw value_error("zero-size array to reduction operation " + std::string(name_of(op)) +
                              " which has no identity");
        return copy(full(a.where(), a.type, kept, start->value));
    }
    auto const neutral = identity_of(op, t);
    if (where) {
        array const mask = lanes_of(broadcast_to(*where, a.shape), reduced);
        if (!neutral && !is_extreme(op)) return reduce_masked(op, lanes, mask, *start);
        argument const args[] = {{&mask}, {&lanes}, neutral ? constant(*neutral, t) : *start};
        lanes = apply(ops::number<ops::where>, args);
    }
    // Starting with the identity changes only the result of a single element, too.
    if (start && (given || is_one_of(op, {"hypot", "gcd"}))) {
        lanes = copy(lanes, 'C');
        array const first = one_of(lanes, 0);
        assign(first, apply_as(op, *start, first, t));
    }
    return reduce_lanes(op, lanes);
}

array with_kept_axes(array const& r, dims shape, std::uint64_t reduced) {
    for (int d = 0; d < shape.size(); ++d)
        if ((reduced >> d) & 1) shape[d] = 1;
    return reshape_view_or_copy(r, shape);
}

// Before anything is computed.
void check_output(std::uint16_t op, dims const& shape, array const* out) {
    if (!out) return;
    if (out->ndim() != shape.size())
        throw value_error("output parameter for reduction operation " + std::string(name_of(op)) +
                          " has the wrong number of dimensions: Found " + std::to_string(out->ndim()) +
                          " but expected " + std::to_string(shape.size()));
    if (!(out->shape == shape))
        throw value_error("operands could not be broadcast together with remapped shapes [original->remapped]: " +
                          to_string(out->shape) + "->" + to_string(out->shape) + " " + to_string(shape));
    if (!out->writeable || !out->memory()->writeable) throw value_error("output array is read-only");
}

array stored(array r, array const* out) {
    if (!out) {
        r.scalar = r.ndim() == 0;
        return r;
    }
    assign(*out, r);
    return *out;
}

}  // namespace

// Only ops of the table have a ufunc's methods; accumulate and the like need one that joins two elements.
static void check_op(std::uint16_t op, int nin) {
    if (op >= ops::op_count || ops::table[op].call != ops::form::elementwise || (nin > 0 && ops::table[op].nin != nin))
        throw value_error("[ufunc] no such ufunc for this method");
}

array reduce(std::uint16_t op, array const& input, reduce_options const& o) {
    check_op(op, 2);
    errstate::naming const all_is_part(errstate::kind::reduce, errstate::no_aggregate);
    type_id const t = running_type(op, input.type.id, o.type, o.out);
    std::uint64_t const all = input.ndim() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << input.ndim()) - 1,
                        reduced = o.axes & all;
    if (std::popcount(reduced) > 1 && !is_reorderable(op))
        throw value_error("reduction operation '" + std::string(name_of(op)) +
                          "' is not reorderable, so at most one axis may be specified");
    auto const neutral = o.no_initial ? std::nullopt : identity_of(op, t);
    std::optional<argument> start;
    if (o.initial) start = started_with(*o.initial, t);
    else if (neutral) start = constant(*neutral, t);
    if (o.where && !start)
        throw value_error("reduction operation '" + std::string(name_of(op)) +
                          "' does not have an identity, so to use a where mask one has to specify 'initial'");
    if (o.where) check_mask(input, *o.where);
    check_output(op, reduced_shape(input.shape, reduced, o.keepdims), o.out);
    int const aggregate = aggregate_of(op);
    array r;
    if (aggregate >= 0 && reduced != 0 && (input.size() > 0 || start)) {
        aggregation_options f;
        f.axes = reduced, f.keepdims = o.keepdims, f.initial = o.initial ? &*start : nullptr, f.where = o.where;
        if (!is_logical(op)) f.type = t;
        r = reduce_with(static_cast<std::uint16_t>(aggregate), input, f);
        return o.out ? stored(r, o.out) : r;
    }
    array const a = as_loop(input, t);
    r = reduce_one_by_one(op, a, reduced, start, o.initial != nullptr, o.where);
    if (o.keepdims) r = with_kept_axes(r, a.shape, reduced);
    return stored(std::move(r), o.out);
}

array accumulate(std::uint16_t op, array const& a, int given_axis, std::optional<type_id> type, array const* out) {
    check_op(op, 2);
    int const axis = arguments::axis(given_axis, a.ndim());
    type_id const t = running_type(op, a.type.id, type, out);
    check_output(op, a.shape, out);
    array const in_type = as_loop(a, t);  // a cast that goes by its own name
    errstate::naming const all_is_part(errstate::kind::accumulate, op);
    return stored(scan::all(op, in_type, axis), out);
}

array outer(std::uint16_t op, array const& a, array const& b, call_options const& options) {
    dims shape = a.shape, strides = a.strides;
    for (int i = 0; i < b.ndim(); ++i) shape.push_back(1), strides.push_back(0);
    array const left = view(a, std::move(shape), std::move(strides), a.offset);
    argument const args[] = {{&left}, {&b}};
    return apply(op, args, options);
}

// ---- reduceat

namespace {

array integers(device where, std::vector<std::int64_t> const& v) {
    auto const n = static_cast<std::int64_t>(v.size());
    return from_host(where, v.data(), make_dtype(type_id::int64), {n}, {8});
}

index_entry by_array(array positions) {
    index_entry e;
    e.kind = index_entry::what::array, e.array = std::move(positions);
    return e;
}

// The first element, then the rest summed pairwise, as NumPy's loop does it; float16 is rounded once.
array sum_parts(std::uint16_t op, array const& parts) {
    bool const half = parts.type.id == type_id::float16;
    array const wide = half ? astype(parts, make_dtype(type_id::float32)) : parts;
    aggregation_options f;
    f.axes = std::uint64_t{1} << (wide.ndim() - 1), f.type = wide.type.id;
    array const rest =
        reduce_with(static_cast<std::uint16_t>(aggregate_of(op)), part_of(wide, 1, wide.shape[wide.ndim() - 1] - 1), f);
    array const r = apply(op, one_of(wide, 0), rest);
    return half ? astype(r, parts.type) : r;
}

// parts[..., length] without its last axis.
array reduce_parts(std::uint16_t op, array const& parts) {
    if (parts.shape[parts.ndim() - 1] == 1) return one_of(parts, 0);
    if (name_of(op) == "add" && !is_boolean(parts.type.id)) return sum_parts(op, parts);
    if (!is_extreme(op) || aggregate_of(op) < 0) return reduce_lanes(op, parts);
    aggregation_options f;
    f.axes = std::uint64_t{1} << (parts.ndim() - 1);
    return reduce_with(static_cast<std::uint16_t>(aggregate_of(op)), parts, f);
}

struct segment {
    std::int64_t length, first, slot;
};

std::vector<segment> segments_of(std::span<std::int64_t const> starts, std::int64_t n) {
    std::vector<segment> s;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        std::int64_t const end = i + 1 < starts.size() ? starts[i + 1] : n;
        s.push_back({std::max<std::int64_t>(end - starts[i], 1), starts[i], static_cast<std::int64_t>(i)});
    }
    auto const is_shorter = [](segment const& x, segment const& y) { return x.length < y.length; };
    if (!std::is_sorted(s.begin(), s.end(), is_shorter)) std::stable_sort(s.begin(), s.end(), is_shorter);
    return s;
}

// From each segment to the next, in the array and in the output, where they follow one another at equal steps.
struct steps {
    std::int64_t first, slot;
};
std::optional<steps> steps_of(std::span<segment const> parts) {
    if (parts.size() < 2) return {};
    steps const s{parts[1].first - parts[0].first, parts[1].slot - parts[0].slot};
    for (std::size_t k = 2; k < parts.size(); ++k)
        if (parts[k].first - parts[k - 1].first != s.first || parts[k].slot - parts[k - 1].slot != s.slot) return {};
    return s;
}

// Segments of one length are the rows of one array, which a few calls reduce, however many segments there are.
void reduce_equal(std::uint16_t op, array const& lanes, std::span<segment const> parts, array const& out) {
    std::int64_t const length = parts[0].length, count = static_cast<std::int64_t>(parts.size());
    int const last = lanes.ndim() - 1;
    if (count == 1) return assign(one_of(out, parts[0].slot), reduce_parts(op, part_of(lanes, parts[0].first, length)));
    if (auto const step = steps_of(parts)) {
        dims shape = lanes.shape, strides = lanes.strides, target_shape = out.shape, place_strides = out.strides;
        shape[last] = count, shape.push_back(length);
        strides[last] *= step->first, strides.push_back(lanes.strides[last]);
        target_shape[last] = count, place_strides[last] *= step->slot;
        array const rows = view(lanes, shape, strides, lanes.offset + parts[0].first * lanes.strides[last]);
        return assign(view(out, target_shape, place_strides, out.offset + parts[0].slot * out.strides[last]),
                      reduce_parts(op, rows));
    }
    std::vector<std::int64_t> from, to;
    for (auto const& p : parts) {
        for (std::int64_t k = 0; k < length; ++k) from.push_back(p.first + k);
        to.push_back(p.slot);
    }
    auto const where = lanes.where();
    dims shape = lanes.shape;
    shape[last] = count, shape.push_back(length);
    array const rows = reshape_view_or_copy(take(lanes, integers(where, from), last), shape);
    array const r = reduce_parts(op, rows);
    index_entry const at[] = {{}, by_array(integers(where, to))};
    set_item(out, at, {&r});
}

// By the device's own loop, where it has one: the axis is the last, in the input and in the result.
std::optional<array> reduce_segments(std::uint16_t op, array const& given, std::span<std::int64_t const> starts) {
    device const where = given.where();
    type_id const t = given.type.id;
    bool const refuses_exponents = name_of(op) == "power" && is_integer(t);
    if (!where.api->host_memory || t == type_id::float16 || refuses_exponents ||
        !where.api->supports(algorithm_kind::reduce_segments, t))
        return {};
    array const lanes = plain_booleans(given);
    dims shape = lanes.shape;
    int const last = lanes.ndim() - 1;
    shape[last] = static_cast<std::int64_t>(starts.size());
    array const r = empty(where, lanes.type, shape);
    storage* const read[] = {lanes.memory()};
    graph::memory_in_use const used(read);
    reduce_segments_args s;
    s.op = op, s.dtype = t;
    s.data = lanes.memory()->data() + lanes.offset, s.out = r.memory()->data() + r.offset;
    s.length = lanes.shape[last], s.rows = lanes.size() / s.length;
    s.starts = starts.data(), s.count = shape[last];
    std::uint32_t flags = 0;
    auto const check = errstate::of_op(op, t, errstate::current.check);
    if (check) s.fp_flags = &flags;
    throw_if(device_calls::algorithm(where, algorithm_kind::reduce_segments, &s), where);
    auto f = errstate::here(errstate::kind::reduceat, op);
    f.fp_errors = check & static_cast<std::uint8_t>(flags);
    errstate::report(f);
    return r;
}

}  // namespace

array reduceat(std::uint16_t op, array const& input, std::span<std::int64_t const> starts, int given_axis,
               std::optional<type_id> type, array const* to) {
    check_op(op, 2);
    int const axis = arguments::axis(given_axis, input.ndim());
    type_id const t = running_type(op, input.type.id, type, to);
    std::int64_t const n = input.shape[axis], count = static_cast<std::int64_t>(starts.size());
    for (auto const s : starts)
        if (s < 0 || s >= n)
            throw index_error("index " + std::to_string(s) + " out-of-bounds in " + std::string(name_of(op)) +
                              ".reduceat [0, " + std::to_string(n) + ")");
    dims shape = input.shape;
    shape[axis] = count;
    check_output(op, shape, to);
    array const a = as_loop(input, t);
    errstate::naming const all_is_part(errstate::kind::reduceat, op);
    if (product(shape) == 0) return stored(empty(a.where(), a.type, shape), to);
    array const turned = axes_last(a, std::uint64_t{1} << axis);
    bool const in_order = is_c_contiguous(turned.shape, turned.strides, turned.itemsize());
    array const lanes = in_order ? turned : copy(turned, 'C');
    auto const reduced = reduce_segments(op, lanes, starts);
    if (reduced && axis + 1 == a.ndim()) return stored(*reduced, to);
    array const r = empty(a.where(), a.type, shape), out = axes_last(r, std::uint64_t{1} << axis);
    if (reduced) {
        assign(out, *reduced);
        return stored(r, to);
    }
    auto const parts = segments_of(starts, n);
    for (std::size_t first = 0, last = 0; first < parts.size(); first = last) {
        while (last < parts.size() && parts[last].length == parts[first].length) ++last;
        reduce_equal(op, lanes, std::span(parts).subspan(first, last - first), out);
    }
    return stored(r, to);
}

// ---- at

namespace {

// The k-th round holds each position's k-th occurrence, so that no position is written twice in a round.
std::vector<std::vector<std::int64_t>> rounds_of(std::span<std::int64_t const> positions) {
    std::vector<std::int64_t> order(positions.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    auto const at = [&](std::int64_t i) { return positions[static_cast<std::size_t>(i)]; };
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t x, std::int64_t y) { return at(x) < at(y); });
    std::vector<std::vector<std::int64_t>> rounds;
    std::size_t k = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        k = i > 0 && at(order[i]) == at(order[i - 1]) ? k + 1 : 0;
        if (k == rounds.size()) rounds.emplace_back();
        rounds[k].push_back(order[i]);
    }
    return rounds;
}

array apply_to(std::uint16_t op, array const& x, array const* y) {
    argument const args[] = {{&x}, {y}};
    return apply(op, std::span(args, y ? 2 : 1));
}

void apply_round(std::uint16_t op, array const& target, array const& positions, array const* values) {
    array const r = apply_to(op, take(target, positions, 0), values);
    index_entry const at[] = {by_array(positions)};
    set_item(target, at, {&r});
}

// Few positions with many occurrences each: one after another along the values of a position.
void apply_along(std::uint16_t op, array const& target, std::int64_t position, array const& values) {
    dims const shape{values.size() + 1};
    array const line = empty(target.where(), target.type, shape);
    array const element = view(target, {1}, {8}, target.offset + position * target.strides[0]);
    assign(part_of(line, 0, 1), element);
    assign(part_of(line, 1, values.size()), values);
    assign(element, scan::last(op, line));
}

constexpr std::size_t few = 16;  // positions whose many occurrences a scan takes sooner than that many rounds

}  // namespace

void apply_at(std::uint16_t op, array const& target, array const& positions, array const* values, bool by_name) {
    check_op(op, values ? 2 : 1);
    arguments::rank(target, 1, "at");
    arguments::type(positions, bit(type_id::int64), "at");
    arguments::positions(positions, -target.size(), target.size(), "at");
    if (values && values->size() != 1 && values->size() != positions.size())
        throw value_error("[at] " + std::to_string(positions.size()) + " positions need as many values, got " +
                          std::to_string(values->size()));
    if (!target.writeable || !target.memory()->writeable) throw value_error("output array is read-only");
    // NumPy's methods with loops of their own go by the ufunc's name, the others by the method's.
    bool const own_name = by_name && is_one_of(op, {"add", "subtract", "multiply", "divide", "floor_divide"});
    errstate::naming const all_is_part(errstate::kind::ufunc, own_name ? op : errstate::no_aggregate);
    auto const where = target.where();
    array const no_values = values ? empty(where, values->type, {0}) : array();
    apply_to(op, empty(where, target.type, {0}), values ? &no_values : nullptr);  // raises where no loop exists
    if (positions.size() == 0) return;
    std::vector<std::int64_t> at(static_cast<std::size_t>(positions.size()));
    to_host(positions, at.data());
    auto const rounds = rounds_of(at);
    type_id const t = target.type.id;
    bool const scans = values && values->type == target.type && contains(ops::loops(op), t) &&
                       ops::result_type(op, t) == t && loop_type(op, t) == t;
    auto const chosen = [&](array const& from, std::vector<std::int64_t> const& which) {
        return from.size() == 1 ? from : take(from, integers(where, which), 0);
    };
    std::size_t k = 0;
    for (; k < rounds.size() && !(scans && rounds[k].size() < few && rounds.size() - k > few); ++k) {
        array const v = values ? chosen(*values, rounds[k]) : array();
        apply_round(op, target, take(positions, integers(where, rounds[k]), 0), values ? &v : nullptr);
    }
    if (k == rounds.size()) return;
    for (std::size_t slot = 0; slot < rounds[k].size(); ++slot) {
        std::vector<std::int64_t> which;
        std::int64_t const position = at[static_cast<std::size_t>(rounds[k][slot])];
        for (std::size_t r = k; r < rounds.size(); ++r)
            for (auto const i : rounds[r])
                if (at[static_cast<std::size_t>(i)] == position) which.push_back(i);
        array const v = broadcast_to(chosen(*values, which), {static_cast<std::int64_t>(which.size())});
        apply_along(op, target, position, v);
    }
}

}  // namespace bascule

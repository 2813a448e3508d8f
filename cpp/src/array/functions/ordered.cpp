#include "bascule/array/ordered.hpp"

#include <limits>

#include "bascule/array/arguments.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "dense.hpp"

namespace bascule {
namespace {

constexpr auto int64_type = make_dtype(type_id::int64);

array axis_last(array const& a, int axis) {
    std::vector<int> order;
    for (int d = 0; d < a.ndim(); ++d)
        if (d != axis) order.push_back(d);
    order.push_back(axis);
    return transpose(a, order);
}

// The elements of r, whose last axis was `axis`, with their axes in order again.
array axis_back(array const& r, int axis) {
    std::vector<int> order;
    for (int d = 0; d + 1 < r.ndim(); ++d) order.push_back(d);
    order.insert(order.begin() + axis, r.ndim() - 1);
    return transpose(r, order);
}

bool has_axis_innermost(array const& a, int axis) { return a.shape[axis] < 2 || a.strides[axis] == a.itemsize(); }

// Lines one behind another in memory, each dense; in which order of the other axes does not matter.
void sort_lines(array const& from, array const& to, std::int64_t length, std::span<std::int64_t const> kth) {
    storage* const read[] = {from.memory()};
    graph::memory_in_use const used(read);
    sort_args s;
    s.dtype = from.type.id, s.data = address(from), s.out = address(to);
    s.length = length, s.rows = from.size() / length;
    s.kth = kth.data(), s.nkth = static_cast<std::int32_t>(kth.size());
    run_algorithm(from, algorithm_kind::sort, s);
}

// Whether the array's elements fill the memory they span, without a step back.
bool is_dense(array const& a) { return a.strides == dense_strides_like(a.shape, a.strides, a.itemsize()); }

// Checks that the positions are in bounds of a line.
void check_positions(std::span<std::int64_t const> kth, std::int64_t length) {
    for (auto const k : kth)
        if (k < 0 || k >= length)
            throw value_error("kth(=" + std::to_string(k) + ") out of bounds (" + std::to_string(length) + ")");
}

array sorted(array const& given, int given_axis, std::span<std::int64_t const> kth) {
    int const axis = arguments::axis(given_axis, given.ndim());
    check_positions(kth, given.shape[axis]);
    array const a = plain_booleans(given);
    dims const layout = dense_strides_like(a.shape, a.strides, a.itemsize());
    array const r = empty_strided(a.where(), a.type, a.shape, layout);
    if (a.size() == 0) return r;
    if (has_axis_innermost(r, axis)) {
        array source = a;
        if (!(is_dense(a) && a.strides == layout)) source = r, assign(r, a);
        sort_lines(source, r, a.shape[axis], kth);
        return r;
    }
    array const lines = copy(axis_last(a, axis), 'C');
    sort_lines(lines, lines, a.shape[axis], kth);
    assign(r, axis_back(lines, axis));
    return r;
}

array positions_in_order(array const& a, int given_axis, std::span<std::int64_t const> kth) {
    int const axis = arguments::axis(given_axis, a.ndim());
    check_positions(kth, a.shape[axis]);
    array const lines = in_c_order(axis_last(a, axis));
    array const r = empty(a.where(), int64_type, lines.shape);
    if (a.size() > 0) {
        storage* const read[] = {lines.memory()};
        graph::memory_in_use const used(read);
        sort_key const key{.dtype = a.type.id, .data = address(lines)};
        argsort_args s;
        s.nkeys = 1, s.keys = &key, s.length = a.shape[axis], s.rows = a.size() / s.length;
        s.out = address(r);
        s.kth = kth.data(), s.nkth = static_cast<std::int32_t>(kth.size());
        run_algorithm(a, algorithm_kind::argsort, s);
    }
    return axis == a.ndim() - 1 ? r : copy(axis_back(r, axis), 'C');
}

}  // namespace

array sort(array const& a, int axis) { return sorted(a, axis, {}); }
array argsort(array const& a, int axis) { return positions_in_order(a, axis, {}); }

array partition(array const& a, int axis, std::span<std::int64_t const> kth) { return sorted(a, axis, kth); }
array argpartition(array const& a, int axis, std::span<std::int64_t const> kth) {
    return positions_in_order(a, axis, kth);
}

static std::int64_t common_length(std::span<array const> columns, char const* who) {
    if (columns.empty()) throw value_error(std::string("[") + who + "] expected at least one column");
    for (auto const& c : columns) {
        arguments::same_device(columns[0], c, who);
        if (c.size() != columns[0].size())
            throw value_error(std::string("[") + who + "] columns differ in length: " +
                              std::to_string(columns[0].size()) + " and " + std::to_string(c.size()));
    }
    return columns[0].size();
}

array argsort_by(std::span<array const> keys) {
    std::vector<array> columns;
    std::vector<storage*> read;
    for (auto const& k : keys) columns.push_back(in_c_order(k)), read.push_back(columns.back().memory());
    std::int64_t const n = common_length(columns, "argsort_by");
    array const r = empty(columns[0].where(), int64_type, {n});
    graph::memory_in_use const used(read);
    std::vector<sort_key> by;
    for (auto const& c : columns) by.push_back({.dtype = c.type.id, .data = address(c)});
    argsort_args s;
    s.nkeys = static_cast<std::int32_t>(by.size()), s.keys = by.data(), s.length = n;
    s.out = address(r);
    run_algorithm(r, algorithm_kind::argsort, s);
    return r;
}

array searchsorted(array const& sorted, array const& values, bool right) {
    arguments::same_device(sorted, values, "searchsorted");
    arguments::type(values, bit(sorted.type.id), "searchsorted");
    array const data = in_c_order(sorted), needles = in_c_order(values);
    array const r = empty(data.where(), int64_type, needles.shape);
    storage* const read[] = {data.memory(), needles.memory()};
    graph::memory_in_use const used(read);
    searchsorted_args s;
    s.dtype = data.type.id, s.data = address(data), s.length = data.size();
    s.values = address(needles), s.count = needles.size(), s.right = right;
    s.out = reinterpret_cast<std::int64_t*>(address(r));
    run_algorithm(data, algorithm_kind::searchsorted, s);
    return r;
}

array select_ranks(array const& given, std::span<std::int64_t const> ranks) {
    int const last = given.ndim() - 1;
    std::int64_t const length = last < 0 ? 1 : given.shape[last];
    check_positions(ranks, length);
    array const a = plain_booleans(given);
    array const data = last > 0 ? in_c_order(a) : is_dense(a) ? a : copy(a);  // of one row any order will do
    dims shape = last < 0 ? dims{0} : a.shape;
    shape[std::max(last, 0)] = static_cast<std::int64_t>(ranks.size());
    array const r = empty(a.where(), a.type, shape);
    if (r.size() == 0) return r;
    storage* const read[] = {data.memory()};
    graph::memory_in_use const used(read);
    select_ranks_args s;
    s.dtype = a.type.id, s.data = address(data), s.length = length, s.rows = data.size() / length;
    s.ranks = ranks.data(), s.count = shape[std::max(last, 0)], s.out = address(r);
    run_algorithm(data, algorithm_kind::select_ranks, s);
    return r;
}

namespace {

plan_constant reduced(char const* aggregate, array const& a) {
    auto const number = static_cast<std::uint16_t>(ops::find_aggregate(aggregate));
    plan_constant found{};
    if (eager::reduce(number, a, 0, found).done) return found;
    return item(reduce_with(number, a));
}

array backwards(array const& a) {
    std::int64_t const last = (a.size() - 1) * a.strides[0];
    return view(a, a.shape, {-a.strides[0]}, a.offset + last);
}

// Whether no element is above the one behind it, nor NaN.
bool ascends(array const& a) {
    dims const but_one{a.size() - 1};
    array const first = view(a, but_one, a.strides, a.offset),
                next = view(a, but_one, a.strides, a.offset + a.strides[0]);
    std::uint16_t const op = a.size() > 1 ? ops::number<ops::less_equal> : ops::number<ops::equal>;
    return reduced("all", a.size() > 1 ? apply(op, first, next) : apply(op, a, a)).bytes[0] != 0;
}

}  // namespace

std::optional<array> digitize(array const& given, array const& given_edges, bool right) {
    errstate::scope const unchecked(0, false);  // of edges that are NaN
    dtype const common = make_dtype(promote(given.type.id, given_edges.type.id));
    array const x = astype(given, common, false), edges = astype(given_edges, common, false);
    if (ascends(edges)) return searchsorted(edges, x, !right);
    array const risen = backwards(edges);
    if (!ascends(risen)) return {};
    argument const n{nullptr, {.i64 = edges.size()}, type_id::int64, weak_kind::integer};
    array const found = searchsorted(risen, x, !right);
    argument const both[] = {n, {&found}};
    return apply(ops::number<ops::subtract>, both);
}

array count_numbers(array const& index, array const* weights, std::int64_t least) {
    errstate::scope const unchecked(0, false);  // sums of weights raise nothing
    auto const [lowest, most] = range_of(index);
    if (lowest < 0) throw value_error("'list' argument must have no negative elements");
    if (most == std::numeric_limits<std::int64_t>::max()) throw value_error("Maximum allowed dimension exceeded");
    std::int64_t const bins = std::max(least, most + 1);
    if (!weights) return bincount(index, bins);
    array const sums = full(index.where(), make_dtype(type_id::float64), {bins}, plan_constant{});
    scatter_add(sums, index, *weights);
    return sums;
}

array bincount(array const& index, std::int64_t bins) {
    arguments::type(index, bit(type_id::int64), "bincount");
    array const dense = in_c_order(index);
    array const r = full(dense.where(), int64_type, {bins}, plan_constant{});
    storage* const read[] = {dense.memory(), r.memory()};
    graph::memory_in_use const used(read);
    bincount_args b;
    b.index = reinterpret_cast<std::int64_t const*>(address(dense)), b.length = dense.size();
    b.out = address(r), b.bins = bins, b.within = true;
    run_algorithm(dense, algorithm_kind::bincount, b);
    return r;
}

namespace {

// `within`: the caller knows that all positions are.
void scatter(array const& to, array const& index, array const& values, bincount_op op, bool within) {
    arguments::type(index, bit(type_id::int64), "scatter_add");
    arguments::type(values, bit(to.type.id), "scatter_add");
    arguments::same_device(to, index, "scatter_add");
    arguments::same_device(to, values, "scatter_add");
    if (!to.writeable || !to.memory()->writeable) throw value_error("output array is read-only");
    if (!is_c_contiguous(to.shape, to.strides, to.itemsize()))
        throw value_error("[scatter_add] expected elements one behind the other");
    if (values.size() != 1 && values.size() != index.size())
        throw value_error("[scatter_add] " + std::to_string(index.size()) + " positions need as many values, got " +
                          std::to_string(values.size()));
    array const dense = in_c_order(index), v = values.size() == 1 ? values : in_c_order(values);
    storage* const read[] = {dense.memory(), v.memory()};
    graph::memory_in_use const used(read, to.memory());
    bincount_args b;
    b.index = reinterpret_cast<std::int64_t const*>(address(dense)), b.length = dense.size();
    b.dtype = to.type.id, b.values = address(v), b.step = values.size() == 1 ? 0 : 1;
    b.out = address(to), b.bins = to.size(), b.op = op, b.within = within;
    constexpr auto add = ops::number<ops::add>;
    auto check = errstate::of_op(add, to.type.id, errstate::current.check);
    if (op != bincount_op::add) check = 0;
    std::uint32_t flags = 0;
    if (check) b.fp_flags = &flags;
    run_algorithm(to, algorithm_kind::bincount, b);
    auto f = errstate::here(errstate::kind::ufunc, add);
    f.fp_errors = check & static_cast<std::uint8_t>(flags);
    errstate::report(f);
}

}  // namespace

void scatter_add(array const& to, array const& index, array const& values) {
    scatter(to, index, values, bincount_op::add, false);
}

bool combine_at(std::uint16_t op, array const& to, std::span<array const> positions, array const& values) {
    auto const number = [](std::int64_t v) {
        return argument{nullptr, {.i64 = v}, type_id::int64, weak_kind::integer};
    };
    bool const extremes = op == ops::number<ops::maximum> || op == ops::number<ops::minimum>;
    if (extremes && is_float(to.type.id))
        for (auto const* a : {&to, &values})
            if (auto const most = reduced("max", *a).f64[0]; most != most) return false;  // NaN is reported
    array flat;
    for (int d = 0; d < to.ndim(); ++d) {
        array p = positions[static_cast<std::size_t>(d)];
        std::int64_t const n = to.shape[d];
        auto const [least, most] = range_of(p);
        if (least < -n || most >= n) return false;
        if (least < 0) p = apply(ops::number<ops::remainder>, p, number(n));
        flat = d == 0 ? p : apply(ops::number<ops::add>, apply(ops::number<ops::multiply>, flat, number(n)), p);
    }
    flat = reshape_view_or_copy(flat, {flat.size()});
    array const line = view(to, {to.size()}, {to.itemsize()}, to.offset);
    array v = values.memory() == to.memory() ? copy(values) : values;
    if (v.ndim() != 1) v = reshape_view_or_copy(v, {v.size()});
    if (op == ops::number<ops::maximum>) return scatter(line, flat, v, bincount_op::maximum, true), true;
    if (op == ops::number<ops::minimum>) return scatter(line, flat, v, bincount_op::minimum, true), true;
    if (op == ops::number<ops::subtract>) {  // subtracting a value adds its negative, which keeps the sign of NaN
        argument const zero{nullptr, {.f64 = {-0.0}}, type_id::float64, weak_kind::floating};
        argument const both[] = {is_integer(v.type.id) ? number(0) : zero, {&v}};
        v = apply(ops::number<ops::subtract>, both);
    }
    scatter(line, flat, v, bincount_op::add, true);
    return true;
}

array histogram(array const& a, array const& edges, double width, bool wide, array const* weights,
                sum_rounding rounding) {
    arguments::type(edges, bit(a.type.id), "histogram");
    arguments::same_device(a, edges, "histogram");
    arguments::rank(edges, 1, "histogram");
    if (edges.size() < 2) throw value_error("[histogram] expected at least two edges");
    if (weights) {
        arguments::type(*weights, bit(type_id::float64), "histogram");
        arguments::same_device(a, *weights, "histogram");
        if (weights->size() != a.size()) throw value_error("weights should have the same shape as a.");
    }
    array const data = in_c_order(a), limits = in_c_order(edges);
    array const w = weights ? in_c_order(*weights) : data;
    array const r = empty(a.where(), make_dtype(weights ? type_id::float64 : type_id::int64), {edges.size() - 1});
    storage* const read[] = {data.memory(), limits.memory(), w.memory()};
    graph::memory_in_use const used(read);
    histogram_args h;
    h.dtype = a.type.id, h.wide = wide, h.data = address(data), h.length = data.size();
    h.edges = address(limits), h.bins = r.size(), h.width = width;
    if (weights) {
        h.weights = address(w), h.sums = address(r);
        h.rounding = rounding;
    } else {
        h.counts = reinterpret_cast<std::int64_t*>(address(r));
    }
    run_algorithm(data, algorithm_kind::histogram, h);
    return r;
}

}  // namespace bascule

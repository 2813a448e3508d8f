#include "float16_sums.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "bascule/array/errstate.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "scan.hpp"

namespace bascule::float16_sums {
namespace {

constexpr auto sum = ops::aggregate_number<ops::aggregate::sum>, prod = ops::aggregate_number<ops::aggregate::prod>;
constexpr auto add = ops::number<ops::add>, multiply = ops::number<ops::multiply>;

// A row of so many elements is worth a call of its own.
constexpr std::int64_t wide_row = 128;

struct axis_roles {
    std::vector<int> kept, stepped, inner;
};

// The reduced axes behind the last kept one, in the order of memory, are the inner ones.
axis_roles roles_of(array const& a, std::uint64_t reduced) {
    auto const is_reduced = [&](int d) { return ((reduced >> d) & 1) != 0; };
    std::vector<int> order;
    axis_roles r;
    for (int d = 0; d < a.ndim(); ++d) {
        if (!is_reduced(d)) r.kept.push_back(d);
        if (a.shape[d] > 1) order.push_back(d);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](int x, int y) { return std::abs(a.strides[x]) > std::abs(a.strides[y]); });
    auto inner = order.end();
    while (inner != order.begin() && is_reduced(inner[-1])) --inner;
    r.inner.assign(inner, order.end());
    std::copy_if(order.begin(), inner, std::back_inserter(r.stepped), is_reduced);
    return r;
}

// The rows that are added one after the other, of shape (kept..., rows); float32 where the inner axes have been summed.
array rows_of(array const& a, axis_roles const& r) {
    std::vector<int> order = r.kept;
    order.insert(order.end(), r.stepped.begin(), r.stepped.end());
    auto const outer = static_cast<int>(order.size());
    order.insert(order.end(), r.inner.begin(), r.inner.end());
    dims shape, strides;
    for (int const d : order) shape.push_back(a.shape[d]), strides.push_back(a.strides[d]);
    array rows = view(a, shape, strides, a.offset);  // without the reduced axes of one element
    if (!r.inner.empty()) {
        aggregation_options o;
        o.axes = ~std::uint64_t{0} << outer;
        rows = reduce_with(sum, astype(rows, make_dtype(type_id::float32)), o);
    }
    dims lanes;
    std::int64_t count = 1;
    for (int const d : r.kept) lanes.push_back(a.shape[d]);
    for (int const d : r.stepped) count *= a.shape[d];
    lanes.push_back(count);
    return reshape_view_or_copy(rows, lanes);
}

array row(array const& rows, std::int64_t k) {
    int const last = rows.ndim() - 1;
    return view(rows, dims(rows.shape.data(), last), dims(rows.strides.data(), last),
                rows.offset + k * rows.strides[last]);
}

array to_half(array const& a) { return astype(a, make_dtype(type_id::float16), false); }

array one_by_one(std::uint16_t op, array const& rows, argument const& first) {
    dtype const type = rows.type;
    array const start = row(rows, 0);
    argument const args[] = {first, {&start}};
    call_options o;
    o.type = type.id, o.rule = casting::unsafe;
    array running = to_half(apply(op, args, o));
    for (std::int64_t k = 1; k < rows.shape[rows.ndim() - 1]; ++k)
        running = to_half(apply(op, astype(running, type, false), row(rows, k)));
    return running;
}

}  // namespace

bool rounds_by_steps(std::uint16_t aggregate, array const& a, std::uint64_t reduced) {
    if (a.type.id != type_id::float16 || (aggregate != sum && aggregate != prod)) return false;
    axis_roles const r = roles_of(a, reduced);
    if (r.stepped.empty() || r.inner.empty()) return !r.stepped.empty();
    std::int64_t width = 1;
    for (int const d : r.kept) width *= a.shape[d];
    return aggregate == sum && width >= wide_row;
}

array reduced(std::uint16_t aggregate, array const& a, std::uint64_t reduced, dims const& shape,
              argument const* initial) {
    std::uint16_t const op = aggregate == sum ? add : multiply;
    argument first;
    first.type = type_id::int64, first.weak = weak_kind::integer,
    first.value.i64 = ops::aggregate_table[aggregate].identity;
    if (initial) first = *initial;
    errstate::naming const steps_are_parts(errstate::kind::reduce, aggregate);
    array const rows = rows_of(a, roles_of(a, reduced));
    bool const half = rows.type.id == type_id::float16;
    std::uint8_t const asked = errstate::current.check;
    if (product(shape) >= wide_row && (asked & ops::fp::under) == 0) {
        // A finite result had only finite steps; otherwise the steps are reported together.
        errstate::scope const quiet(0, false);
        if (array const r = one_by_one(op, rows, first); asked == 0 || all_finite(r))
            return reshape_view_or_copy(r, shape);
    }
    if (!half) return reshape_view_or_copy(one_by_one(op, rows, first), shape);
    if (initial) return scan::reduced(op, rows, std::uint64_t{1} << (rows.ndim() - 1), shape, initial);
    array const r = scan::last(op, rows);  // a view; adding `first` turns a sum of negative zeros into 0
    return reshape_view_or_copy(op == add ? apply(add, r, first) : r, shape);
}

}  // namespace bascule::float16_sums

#include "scan.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "../graph/late_fp_flags.hpp"
#include "bascule/array/device_calls.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/ops/table.hpp"
#include "exact_integers.hpp"

namespace bascule::scan {
namespace {

dims without_last(dims const& d) { return dims(d.data(), d.size() - 1); }

array element(array const& a, std::int64_t k) {  // a[..., k]
    return view(a, without_last(a.shape), without_last(a.strides), a.offset + k * a.strides[a.ndim() - 1]);
}

dims axis_last(dims d, int axis) {
    auto const v = d[axis];
    d.erase(axis), d.push_back(v);
    return d;
}

// All but the first element along the axis is an exponent.
void refuse_negative_exponents(std::uint16_t op, array const& a, int axis) {
    static constexpr auto power = static_cast<std::uint16_t>(ops::find("power"));
    if (op != power || !is_integer(a.type.id) || a.shape[axis] == 0) return;
    dims shape = a.shape;
    --shape[axis];
    array const exponents = view(a, std::move(shape), a.strides, a.offset + a.strides[axis]);
    exact_integers::refuse_negative_exponents({&exponents}, {});
}

void run(std::uint16_t op, array const& a, array const& out, int axis, dims const& out_strides) {
    refuse_negative_exponents(op, a, axis);
    dims const shape = axis_last(a.shape, axis), in = axis_last(a.strides, axis);
    storage* const read[] = {a.memory()};
    graph::memory_in_use const used(read);
    scan_args s;
    s.ndim = shape.size(), s.shape = shape.data(), s.op = op;
    s.in = {a.memory()->data() + a.offset, in.data(), a.type.id};
    s.out = {out.memory()->data() + out.offset, out_strides.data(), a.type.id};
    std::uint32_t flags = 0;
    auto const check = errstate::of_op(op, a.type.id, errstate::current.check);
    auto const where = a.where();
    auto f = errstate::here(errstate::kind::accumulate, op);
    auto const later = late_fp_flags::report_later(f, check, where);
    if (check) s.fp_flags = later ? later->words() : &flags, s.check = check;
    throw_if(device_calls::algorithm(where, algorithm_kind::scan, &s), where);
    if (later) return;
    f.fp_errors = check & static_cast<std::uint8_t>(flags);
    errstate::report(f);
}

// Devices scan float16 for the ops below; of every other op each step is a call, rounded as NumPy rounds it.
bool scans_itself(std::uint16_t op, type_id t) {
    return t != type_id::float16 || is_one_of(op, {"add", "multiply", "minimum", "maximum", "fmin", "fmax"});
}

// The reduced axes as one, the last, its elements in the order of memory.
array lanes_of(array const& a, std::uint64_t reduced) {
    std::vector<int> kept, last;
    for (int d = 0; d < a.ndim(); ++d) (((reduced >> d) & 1) ? last : kept).push_back(d);
    std::stable_sort(last.begin(), last.end(),
                     [&](int x, int y) { return std::abs(a.strides[x]) > std::abs(a.strides[y]); });
    dims shape;
    std::int64_t n = 1;
    for (int const d : kept) shape.push_back(a.shape[d]);
    for (int const d : last) n *= a.shape[d];
    shape.push_back(n);
    kept.insert(kept.end(), last.begin(), last.end());
    return reshape_view_or_copy(transpose(a, kept), shape);
}

// `first` and then the elements of each lane.
array behind(argument const& first, array const& lanes) {
    int const inner = lanes.ndim() - 1;
    dims shape = lanes.shape;
    ++shape[inner];
    array const line = empty(lanes.where(), lanes.type, shape);
    assign(element(line, 0), first);
    assign(view(line, lanes.shape, line.strides, line.offset + line.strides[inner]), lanes);
    return line;
}

}  // namespace

array all(std::uint16_t op, array const& given, int axis) {
    array const a = plain_booleans(given);
    array const out = empty_strided(a.where(), a.type, a.shape, dense_strides_like(a.shape, a.strides, a.itemsize()));
    if (a.size() == 0) return out;
    dims const strides = axis_last(out.strides, axis);
    if (scans_itself(op, a.type.id)) {
        run(op, a, out, axis, strides);
        return out;
    }
    array const from = view(a, axis_last(a.shape, axis), axis_last(a.strides, axis), a.offset);
    array const to = view(out, from.shape, strides, 0);
    assign(element(to, 0), element(from, 0));
    for (std::int64_t k = 1; k < a.shape[axis]; ++k)
        assign(element(to, k), apply(op, element(to, k - 1), element(from, k)));
    return out;
}

array last(std::uint16_t op, array const& given) {
    array const a = plain_booleans(given);
    std::int64_t const n = a.shape[a.ndim() - 1];
    dims const shape = without_last(a.shape);
    array out = empty(a.where(), a.type, shape);
    if (a.size() == 0) return out;
    if (!scans_itself(op, a.type.id)) {
        array running = element(a, 0);
        for (std::int64_t k = 1; k < n; ++k) running = apply(op, running, element(a, k));
        return copy(running);
    }
    if (!a.where().api->host_memory) return copy(element(all(op, a, a.ndim() - 1), n - 1));
    dims strides = out.strides;
    strides.push_back(0);  // each step writes over the one before
    run(op, a, out, a.ndim() - 1, strides);
    return out;
}

array reduced(std::uint16_t op, array const& a, std::uint64_t axes, dims const& shape, argument const* first) {
    array const lanes = lanes_of(a, axes);
    return reshape_view_or_copy(last(op, first ? behind(*first, lanes) : lanes), shape);
}

}  // namespace bascule::scan

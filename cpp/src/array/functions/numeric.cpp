#include "bascule/array/numeric.hpp"

#include <cmath>
#include <string>

#include "bascule/array/arguments.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/array_algorithms_local.hpp"
#include "bascule/ops/table.hpp"
#include "dense.hpp"

namespace bascule {
namespace {

constexpr auto subtract = ops::number<ops::subtract>, divide = ops::number<ops::divide>,
               multiply = ops::number<ops::multiply>;

argument number(double v) {
    argument a;
    a.value.f64[0] = v, a.type = type_id::float64, a.weak = weak_kind::floating;
    return a;
}

void write(array const& line, std::int64_t at, double value) {
    plan_constant v{};
    v.f64[0] = value;
    std::int64_t const offset = line.offset + at * line.strides[0];
    if (!eager::store(line, offset, v)) assign(view(line, {}, {}, offset), number(value));
}

bool has(array const& a, algorithm_kind kind) { return a.where().api->supports(kind, a.type.id); }

}  // namespace

std::optional<array> gradient(array const& f, double step, int axis) {
    std::int64_t const n = f.shape[axis];
    array const r = empty_strided(f.where(), f.type, f.shape, dense_strides_like(f.shape, f.strides, f.itemsize()));
    auto const slope = [&](std::int64_t to, std::int64_t count, std::int64_t after, std::int64_t before, double width) {
        array const rise = apply(subtract, part_of(f, axis, after, count), part_of(f, axis, before, count));
        write(part_of(r, axis, to, count), apply(divide, rise, number(width)));
    };
    auto const ends = [&] {
        slope(0, 1, 1, 0, step);
        slope(n - 1, 1, n - 1, n - 2, step);
    };
    bool const line = f.ndim() == 1, found = errstate::current.found;
    if (line) ends();
    if (line && errstate::current.found) {
        if (!found) errstate::take();
        return {};
    }
    if (n > 2) slope(1, n - 2, 2, 0, 2.0 * step);
    if (!line) ends();
    return r;
}

array diff(array const& a, int axis) {
    std::int64_t const n = a.shape[axis] - 1;
    return apply(subtract, part_of(a, axis, 1, n), part_of(a, axis, 0, n));
}

array arange(device where, double first, double step, std::int64_t n) {
    plan_constant start{}, by{};
    double const second = first + step;
    start.f64[0] = first, by.f64[0] = second - first;
    array const r = arange(where, make_dtype(type_id::float64), n, start, by);
    if (n > 1 && first + by.f64[0] != second) write(r, 1, second);
    return r;
}

std::optional<array> linspace(device where, double first, double last, std::int64_t n, bool endpoint) {
    plan_constant start{}, by{};
    start.f64[0] = first, by.f64[0] = (last - first) / static_cast<double>(n - endpoint);
    if (by.f64[0] == 0 || !std::isfinite(last - first)) return {};
    array const r = arange(where, make_dtype(type_id::float64), n, start, by);
    if (endpoint) write(r, n - 1, last);
    return r;
}

array fft_frequencies(device where, std::int64_t n, double unit) {
    std::int64_t const positive = (n - 1) / 2 + 1;
    plan_constant start{}, one{};
    one.i64 = 1;
    auto const whole = make_dtype(type_id::int64);
    array const r = empty(where, make_dtype(type_id::float64), {n});
    write(part_of(r, 0, 0, positive), apply(multiply, arange(where, whole, positive, start, one), number(unit)));
    start.i64 = positive - n;
    if (n > 1)
        write(part_of(r, 0, positive, n - positive),
              apply(multiply, arange(where, whole, n - positive, start, one), number(unit)));
    return r;
}

std::pair<array, array> fractional_and_whole(array const& x) {
    errstate::scope const unchecked(0, false);  // infinity less infinity is not reported
    array const whole = apply(ops::number<ops::trunc>, x), endless = apply(ops::number<ops::isinf>, x);
    array const rest = apply(subtract, x, whole);
    argument const chosen[] = {{&endless}, number(0), {&rest}};
    return {apply(ops::number<ops::copysign>, apply(ops::number<ops::where>, chosen), x), whole};
}

std::optional<array> interpolate(array const& x, array const& xp, array const& fp, std::optional<double> left,
                                 std::optional<double> right) {
    if (!has(x, algorithm_kind::interpolate)) return {};
    array const at = in_c_order(x), positions = in_c_order(xp), values = in_c_order(fp);
    array const r = empty(x.where(), x.type, x.shape);
    storage* const read[] = {at.memory(), positions.memory(), values.memory()};
    graph::memory_in_use const used(read);
    interpolate_args a;
    a.x = address(at), a.count = at.size();
    a.xp = address(positions), a.fp = address(values), a.samples = xp.size();
    a.has_left = left.has_value(), a.has_right = right.has_value();
    a.left = left.value_or(0), a.right = right.value_or(0);
    a.out = address(r);
    run_algorithm(r, algorithm_kind::interpolate, a);
    return a.ascends ? std::optional(r) : std::nullopt;
}

std::optional<array> convolve(array const& line, array const& taps, std::int64_t before, std::int64_t positions,
                              bool turned) {
    constexpr std::int64_t fused_taps = 32;  // so many or fewer over a longer line are one pass of a plan
    constexpr type_set known = bit(type_id::float64) | bit(type_id::float32) | bit(type_id::int64) |
                               bit(type_id::int32);
    std::int64_t const n = line.size(), m = taps.size();
    std::int64_t const most_products = std::int64_t{1} << (m > fused_taps ? 27 : 19);
    if (m == 0 || m > convolve_args::most_taps || m > n || n > most_products / m) return {};
    if (!contains(known, line.type.id) || !has(line, algorithm_kind::convolve)) return {};
    array const source = in_c_order(line), factors = in_c_order(taps);
    array const r = empty(line.where(), line.type, {positions});
    storage* const read[] = {source.memory(), factors.memory()};
    graph::memory_in_use const used(read);
    convolve_args c;
    c.dtype = line.type.id, c.line = address(source), c.length = n;
    c.taps = address(factors), c.count = m, c.before = before, c.turned = turned;
    c.out = address(r), c.positions = positions;
    run_algorithm(r, algorithm_kind::convolve, c);
    return r;
}

namespace {

// Adds an operand under its labels, one for each axis; false: extents of one label differ and would have to be
// broadcast.
bool add_operand(contract_args& c, int k, array const& a, std::string_view labels) {
    if (static_cast<int>(labels.size()) != a.ndim() || a.offset % a.itemsize() != 0) return false;
    for (int d = 0; d < a.ndim(); ++d) {
        auto const label = static_cast<std::size_t>(static_cast<unsigned char>(labels[static_cast<std::size_t>(d)]));
        if (label >= static_cast<std::size_t>(c.labels)) return false;
        if (a.strides[d] % a.itemsize() != 0) return false;
        if (c.size[label] == 0) c.size[label] = a.shape[d];
        if (c.size[label] != a.shape[d] || a.shape[d] == 0) return false;
        c.step[k][label] += a.strides[d] / a.itemsize();
    }
    return true;
}

}  // namespace

std::optional<array> contract(std::span<array const> operands, std::span<std::string_view const> labels, int count,
                              int kept) {
    constexpr std::int64_t most_work = 1 << 14;  // beyond that a product of matrices is worth its preparation
    constexpr type_set known = bit(type_id::float64) | bit(type_id::float32) | bit(type_id::int64);
    if (operands.empty() || count < 0 || kept < 0 || kept > count) return {};
    array const& first = operands[0];
    if (count > contract_args::most_labels || operands.size() > contract_args::most_operands) return {};
    if (!contains(known, first.type.id) || !has(first, algorithm_kind::contract)) return {};
    contract_args c;
    c.dtype = first.type.id, c.labels = count, c.kept = kept, c.operands = static_cast<int>(operands.size());
    for (int k = 0; k < c.operands; ++k) {
        array const& a = operands[static_cast<std::size_t>(k)];
        if (!(a.where() == first.where()) || !(a.type == first.type)) return {};
        if (!add_operand(c, k, a, labels[static_cast<std::size_t>(k)])) return {};
    }
    std::int64_t work = 1;
    for (int k = 0; k < count; ++k)
        if (__builtin_mul_overflow(work, c.size[k], &work) || work > most_work) return {};
    array const r = empty(first.where(), first.type, dims(c.size, kept));
    for (int k = 0; k < kept; ++k) c.step[c.operands][k] = r.strides[k] / r.itemsize();
    storage* read[contract_args::most_operands];
    for (int k = 0; k < c.operands; ++k) read[k] = operands[static_cast<std::size_t>(k)].memory();
    graph::memory_in_use const used({read, operands.size()});
    for (int k = 0; k < c.operands; ++k) c.from[k] = address(operands[static_cast<std::size_t>(k)]);
    c.to = address(r), c.elements = r.size();
    run_algorithm(r, algorithm_kind::contract, c);
    return r;
}

namespace {

std::optional<array> bits(algorithm_kind kind, array const& a, std::int64_t count, bool lowest_first) {
    if (!has(a, kind)) return {};
    array const from = in_c_order(a), r = empty(a.where(), make_dtype(type_id::uint8), {count});
    storage* const read[] = {from.memory()};
    graph::memory_in_use const used(read);
    pack_bits_args p;
    p.from = address(from), p.count = from.size(), p.lowest_first = lowest_first;
    p.to = address(r);
    run_algorithm(r, kind, p);
    return r;
}

}  // namespace

std::optional<array> pack_bits(array const& a, bool lowest_first) {
    return bits(algorithm_kind::pack_bits, a, (a.size() + 7) / 8, lowest_first);
}

std::optional<array> unpack_bits(array const& a, bool lowest_first) {
    return bits(algorithm_kind::unpack_bits, a, 8 * a.size(), lowest_first);
}

}  // namespace bascule

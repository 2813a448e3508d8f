#include "masked_moments.hpp"

#include <cstdint>
#include <cstring>

#include "bascule/array/errstate.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/numpy_rules.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {
namespace {

std::uint16_t op(char const* name) { return static_cast<std::uint16_t>(ops::find(name)); }

array sum(array const& a, std::uint64_t axes, bool keepdims, array const* where, std::optional<type_id> type = {}) {
    aggregation_options o;
    o.axes = axes, o.keepdims = keepdims, o.where = where, o.type = type;
    return reduce_with(static_cast<std::uint16_t>(ops::find_aggregate("sum")), a, o);
}

array constant(array const& like, double v) {
    plan_constant c{};
    c.f64[0] = v;
    return full(like.where(), make_dtype(type_id::float64), {}, c);
}

array squared(array const& x) {
    if (is_complex(x.type.id)) return squared(apply(op("absolute"), x));
    return squares_are_products ? apply(op("multiply"), x, x) : apply(op("square"), x);
}

// How many elements each result is made of, in float64.
array counted(array const& a, array const* mask, std::uint64_t axes, bool keepdims) {
    if (mask) {
        array const selected = broadcast_to(*mask, a.shape);
        return astype(sum(selected, axes, keepdims, nullptr, type_id::int64), make_dtype(type_id::float64));
    }
    double n = 1;
    for (int d = 0; d < a.ndim(); ++d)
        if ((axes >> d) & 1) n *= static_cast<double>(a.shape[d]);
    return constant(a, n);
}

// Durations divided by how many they are, as C divides integers; NaT where there are none.
array mean_duration(array const& total, array const& count) {
    errstate::scope const quiet(0, false);
    dtype const whole = make_dtype(type_id::int64);
    array sums = total;
    evaluate(total.memory());
    sums.type = whole;
    array const n = astype(count, whole), rest = apply(op("fmod"), sums, n);
    array const means = apply(op("floor_divide"), apply(op("subtract"), sums, rest), n);
    array const none = apply(op("logical_or"), apply(op("isnat"), total), apply(op("equal"), n, constant(n, 0)));
    plan_constant nat{};
    nat.i64 = INT64_MIN;
    argument const args[] = {{&none}, {nullptr, nat, type_id::int64}, {&means}};
    array r = apply(op("where"), args);
    evaluate(r.memory());
    r.type = total.type;
    return r;
}

// x / count, of `real` numbers. NumPy divides float16 in float64.
array quotient(array const& x, array const& count, type_id real) {
    if (real != type_id::float16) return apply(op("divide"), x, astype(count, make_dtype(real)));
    array const r = apply(op("divide"), astype(x, make_dtype(type_id::float64)), count);
    errstate::scope const quiet(0, false);
    return astype(r, make_dtype(real));
}

}  // namespace

bool is_moment(char const* aggregate) {
    return std::strcmp(aggregate, "mean") == 0 || std::strcmp(aggregate, "var") == 0 ||
           std::strcmp(aggregate, "std") == 0;
}

bool overflows_on_the_way(char const* aggregate, type_id t) {
    return t == type_id::float16 && is_moment(aggregate) && std::strcmp(aggregate, "mean") != 0;
}

bool sums_real_squares(char const* aggregate, type_id t, type_id as) {
    return is_moment(aggregate) && std::strcmp(aggregate, "mean") != 0 && is_complex(t) && is_float(as);
}

array moment_by_steps(char const* aggregate, array const& input, array const* mask, std::uint64_t axes, bool keepdims,
                      double ddof, std::optional<type_id> type) {
    bool const is_mean = std::strcmp(aggregate, "mean") == 0;
    bool const exact = is_integer(input.type.id) || is_boolean(input.type.id);
    bool const wide_mean = is_mean && input.type.id == type_id::float16;
    array const a = exact       ? astype(input, make_dtype(type_id::float64))
                    : wide_mean ? astype(input, make_dtype(type_id::float32))
                                : input;
    type_id const real = type                               ? *type
                         : a.type.id == type_id::complex64  ? type_id::float32
                         : a.type.id == type_id::complex128 ? type_id::float64
                                                            : a.type.id;
    bool const keeps = keepdims || !is_mean;
    if (is_time(a.type.id)) return mean_duration(sum(a, axes, keeps, mask), counted(a, mask, axes, keeps));
    array const mean = quotient(sum(a, axes, keeps, mask, type), counted(a, mask, axes, keeps), real);
    if (is_mean) return astype(mean, wide_mean ? input.type : mean.type, false);
    array const squares = squared(apply(op("subtract"), a, mean));
    array const left = counted(a, mask, axes, keepdims);
    array const freedom = apply(op("maximum"), apply(op("subtract"), left, constant(a, ddof)), constant(a, 0));
    array const r = quotient(sum(squares, axes, keepdims, mask, type), freedom, real);
    return std::strcmp(aggregate, "std") == 0 ? apply(op("sqrt"), r) : r;
}

}  // namespace bascule

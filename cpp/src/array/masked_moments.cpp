// mean, var and std over the elements that a mask selects, from sums over the mask, as NumPy takes them.
#include "masked_moments.hpp"

#include <cstring>

#include "bascule/array/fold.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {
namespace {

std::uint16_t op(char const* name) { return static_cast<std::uint16_t>(ops::find(name)); }

array sum(array const& a, std::uint64_t axes, bool keepdims, array const* where, std::optional<type_id> type = {}) {
    fold_options o;
    o.axes = axes, o.keepdims = keepdims, o.where = where, o.type = type;
    return fold(static_cast<std::uint16_t>(ops::find_aggregate("sum")), a, o);
}

array constant(array const& like, double v) {
    plan_constant c{};
    c.f64[0] = v;
    return full(like.where(), make_dtype(type_id::float64), {}, c);
}

array squared(array const& x) {
    if (!is_complex(x.type.id)) return apply(op("square"), x);
    array const r = apply(op("absolute"), x);
    return apply(op("square"), r);
}

}  // namespace

bool is_moment(char const* aggregate) {
    return std::strcmp(aggregate, "mean") == 0 || std::strcmp(aggregate, "var") == 0 ||
           std::strcmp(aggregate, "std") == 0;
}

array masked_moment(char const* aggregate, array const& input, array const& mask, std::uint64_t axes, bool keepdims,
                    double ddof) {
    bool const exact = is_integer(input.type.id) || is_boolean(input.type.id), half = input.type.id == type_id::float16;
    array const a = exact  ? astype(input, make_dtype(type_id::float64))
                    : half ? astype(input, make_dtype(type_id::float32))
                           : input;
    array const selected = broadcast_to(mask, a.shape);
    type_id const real = a.type.id == type_id::complex64    ? type_id::float32
                         : a.type.id == type_id::complex128 ? type_id::float64
                                                            : a.type.id;
    bool const is_mean = std::strcmp(aggregate, "mean") == 0;
    array const count = astype(sum(selected, axes, keepdims || !is_mean, nullptr, type_id::int64), make_dtype(real));
    array const mean = apply(op("divide"), sum(a, axes, keepdims || !is_mean, &mask), count);
    dtype const result = half ? input.type : make_dtype(is_mean ? a.type.id : real);
    if (is_mean) return astype(mean, result, false);
    array const deviations = squared(apply(op("subtract"), a, mean));
    array const left = astype(sum(selected, axes, keepdims, nullptr, type_id::float64), make_dtype(type_id::float64));
    array const freedom = apply(op("maximum"), apply(op("subtract"), left, constant(a, ddof)), constant(a, 0));
    array const r = apply(op("divide"), sum(deviations, axes, keepdims, &mask), astype(freedom, make_dtype(real)));
    return astype(std::strcmp(aggregate, "std") == 0 ? apply(op("sqrt"), r) : r, result, false);
}

}  // namespace bascule

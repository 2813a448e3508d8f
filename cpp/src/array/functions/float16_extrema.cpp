#include "float16_extrema.hpp"

#include <algorithm>
#include <cmath>

#include "bascule/array/graph.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::float16_extrema {
namespace {

constexpr std::uint16_t minimum = ops::number<ops::minimum>, maximum = ops::number<ops::maximum>,
                        fmin = ops::number<ops::fmin>, fmax = ops::number<ops::fmax>, equal = ops::number<ops::equal>,
                        is_nan = ops::number<ops::isnan>;
constexpr auto least = ops::aggregate_number<ops::aggregate::minimum>,
               greatest = ops::aggregate_number<ops::aggregate::maximum>;

double number_in(argument const& a) { return cast_constant(a.value, a.type, type_id::float64).f64[0]; }
bool is_number(argument const& a) { return !a.a && !std::isnan(number_in(a)); }

bool any(array const& booleans) {
    aggregation_options f;
    return cast_constant(item(reduce_with(ops::aggregate_number<ops::aggregate::any>, booleans, f)), type_id::bool_,
                         type_id::int64)
               .i64 != 0;
}
bool any_equal(array const& a, std::int64_t value) {
    argument of;
    of.type = type_id::int64, of.value.i64 = value, of.weak = weak_kind::integer;
    return any(apply(equal, a, of));
}

// Of few elements that are there: whether none is NaN. The result is new and dense.
bool is_free_of_nan(array const& result) {
    if (!result.where().api->host_memory || !result.memory()->ready() || result.size() > settings().eager_below)
        return false;
    auto const* const p = reinterpret_cast<std::uint16_t const*>(result.memory()->data() + result.offset);
    return std::none_of(p, p + result.size(), [](std::uint16_t bits) { return (bits & 0x7fff) > 0x7c00; });
}

}  // namespace

bool keeps_first(std::uint16_t op, type_id loop, std::span<argument const> args) {
    if (loop != type_id::float16 || (op != minimum && op != maximum && op != fmin && op != fmax)) return false;
    auto const never_mixes = [](argument const& a) { return is_number(a) && number_in(a) != 0; };
    return !never_mixes(args[0]) && !never_mixes(args[1]);
}

array with_first_nan(std::uint16_t op, argument const& first, argument const& second, array const& result) {
    if (is_number(first) || is_number(second) || is_free_of_nan(result)) return result;  // they are not both NaN
    argument const& asked = op == maximum || op == minimum ? first : second;
    argument missing;  // a number here is NaN; an array made of it would belong to no particular device
    missing.type = type_id::bool_, missing.value.u64 = 1;
    array const of_each = asked.a ? apply(is_nan, std::span(&asked, 1)) : array();
    if (asked.a) missing = {&of_each};
    argument const args[] = {missing, first, {&result}};
    call_options o;
    o.type = type_id::float16, o.rule = casting::unsafe;
    return apply(ops::number<ops::where>, args, o);
}

bool may_mix_zeros(std::uint16_t aggregate, type_id t) {
    return t == type_id::float16 && (aggregate == least || aggregate == greatest);
}

bool mixes_zeros(array const& a, array const& r) {
    if (!any_equal(r, 0)) return false;
    evaluate(a.memory());
    array bits = a;
    bits.type = make_dtype(type_id::int16);
    return any_equal(bits, -0x8000);
}

}  // namespace bascule::float16_extrema

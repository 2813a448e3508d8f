#include "exact_integers.hpp"

#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::exact_integers {
namespace {

constexpr std::uint16_t power = ops::number<ops::power>, equal = ops::number<ops::equal>,
                        not_equal = ops::number<ops::not_equal>, less = ops::number<ops::less>,
                        less_equal = ops::number<ops::less_equal>, greater = ops::number<ops::greater>,
                        greater_equal = ops::number<ops::greater_equal>, logical_or = ops::number<ops::logical_or>,
                        logical_and = ops::number<ops::logical_and>, logical_not = ops::number<ops::logical_not>;
static_assert(equal < greater_equal, "the comparisons lie together in the table");

type_id type_of(argument const& x) { return x.a ? x.a->type.id : x.type; }

// uint64 and a type with a sign, which have no type of integers in common.
bool alongside_unsigned(std::span<argument const> args) {
    for (auto const& x : args.first(2))
        if (!x.a && x.weak != weak_kind::strong) return false;
    type_id const a = type_of(args[0]), b = type_of(args[1]);
    return (is_signed_integer(a) && b == type_id::uint64) || (is_signed_integer(b) && a == type_id::uint64);
}

}  // namespace

bool is_integer_power(std::uint16_t op, std::span<argument const> args, call_options const& o) {
    if (op != power || (o.type && !is_integer(*o.type))) return false;
    for (auto const& a : args) {
        type_id const t = type_of(a);
        if (!is_integer(t) && !is_boolean(t)) return false;
    }
    return !alongside_unsigned(args);
}

void refuse_negative_exponents(argument const& exponent, call_options const& o) {
    if (exponent.a && o.type && *o.type != exponent.a->type.id) {  // the sign counts that it has in the loop
        array const cast = astype(*exponent.a, make_dtype(*o.type));
        return refuse_negative_exponents({&cast}, {.where = o.where});
    }
    bool negative = !exponent.a && is_signed_integer(exponent.type) &&
                    cast_constant(exponent.value, exponent.type, type_id::int64).i64 < 0;
    if (exponent.a && is_signed_integer(exponent.a->type.id) && exponent.a->size() > 0) {
        if (o.where) {  // a mask may have more axes, and longer ones
            dims const* const both[] = {&exponent.a->shape, &o.where->shape};
            array const spread = broadcast_to(*exponent.a, broadcast_shapes(both));
            if (spread.shape != exponent.a->shape) return refuse_negative_exponents({&spread}, {.where = o.where});
        }
        argument zero;
        zero.type = type_id::int64, zero.weak = weak_kind::integer;
        aggregation_options f;
        f.initial = &zero;
        f.where = o.where;
        auto const least = item(reduce_with(static_cast<std::uint16_t>(ops::find_aggregate("min")), *exponent.a, f));
        negative = cast_constant(least, exponent.a->type.id, type_id::int64).i64 < 0;
    }
    if (negative) throw value_error("Integers to negative integer powers are not allowed.");
}

bool compares_signs(std::uint16_t op, std::span<argument const> args) {
    return op >= equal && op <= greater_equal && args[0].a && args[1].a && alongside_unsigned(args);
}

array compare_signs(std::uint16_t op, std::span<argument const> args, call_options const& o) {
    bool const first_signed = is_signed_integer(args[0].a->type.id);
    dtype const wide = make_dtype(type_id::uint64);
    array const x = astype(*args[0].a, wide, false), y = astype(*args[1].a, wide, false);
    array const of_magnitudes = apply(op, x, y);
    argument zero;
    zero.type = type_id::int64, zero.weak = weak_kind::integer;
    array const negative = apply(less, first_signed ? *args[0].a : *args[1].a, zero);
    // A negative number is less than, and different from, every unsigned number.
    bool const when_negative = op == not_equal ||
                               (first_signed ? op == less || op == less_equal : op == greater || op == greater_equal);
    array const other = when_negative ? negative : apply(logical_not, negative);
    argument const parts[] = {{&of_magnitudes}, {&other}};
    return apply(when_negative ? logical_or : logical_and, parts, o);
}

}  // namespace bascule::exact_integers

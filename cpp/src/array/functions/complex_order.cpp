#include "complex_order.hpp"

#include "bascule/array/graph.hpp"
#include "bascule/array/late_report.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::complex_order {
namespace {

constexpr std::uint16_t less = ops::number<ops::less>, less_equal = ops::number<ops::less_equal>,
                        greater = ops::number<ops::greater>, greater_equal = ops::number<ops::greater_equal>,
                        equal = ops::number<ops::equal>, is_nan = ops::number<ops::isnan>,
                        any_of_two = ops::number<ops::logical_or>, both = ops::number<ops::logical_and>;

// A part of each element, as a view; a real number has no imaginary one but 0.
array part_of(argument const& x, bool imaginary, device where) {
    bool const pairs = x.a && is_complex(x.a->type.id);
    if (!pairs) {
        if (x.a && !imaginary) return *x.a;
        plan_constant v{};
        if (!x.a) v = cast_constant(x.value, x.type, type_id::complex128);
        if (imaginary) v.f64[0] = v.f64[1];
        return full(where, make_dtype(type_id::float64), {}, v);
    }
    array part = *x.a;
    part.type = make_dtype(part.type.id == type_id::complex64 ? type_id::float32 : type_id::float64);
    part.offset += imaginary ? part.itemsize() : 0;
    return part;
}

array either_is_nan(array const& x, array const& y) { return apply(any_of_two, apply(is_nan, x), apply(is_nan, y)); }

}  // namespace

bool is_watched(std::uint16_t op, type_id loop, std::span<argument const> args) {
    bool const orders = op == less || op == less_equal || op == greater || op == greater_equal;
    if (!orders || !is_complex(loop) || !(errstate::current.check & ops::fp::invalid)) return false;
    return !errstate::current.scalars && (args[0].a || args[1].a);
}

void report_nan(std::uint16_t op, std::span<argument const> args) {
    for (auto const& a : args)
        if (a.a) evaluate(a.a->memory());  // parts are bytes, which a pending value does not have yet
    device const where = (args[0].a ? args[0].a : args[1].a)->where();
    array decides;
    {
        errstate::scope const quietly(ops::fp::none, false);
        array const x = part_of(args[0], false, where), y = part_of(args[1], false, where);
        array const decided_later = apply(equal, x, y);
        array const later = either_is_nan(part_of(args[0], true, where), part_of(args[1], true, where));
        decides = apply(any_of_two, either_is_nan(x, y), apply(both, decided_later, later));
    }
    condition const nan{&decides, ops::fp::invalid};
    report_where({&nan, 1}, errstate::here(errstate::kind::ufunc, op));
}

}  // namespace bascule::complex_order

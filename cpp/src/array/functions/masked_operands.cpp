#include "masked_operands.hpp"

#include <cmath>

#include "bascule/array/errstate.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::masked_operands {
namespace {

// The first selected position along the axes of the mask; empty: there is none.
std::optional<dims> first_place(array const& mask) {
    if (mask.size() == 0) return {};
    array const found = reduce_with(ops::aggregate_number<ops::aggregate::argmax>, mask);
    auto at = item(found).i64;
    if (!item(mask, at).bytes[0]) return {};
    dims place(mask.ndim());
    for (int d = mask.ndim() - 1; d >= 0; --d) place[d] = at % mask.shape[d], at /= mask.shape[d];
    return place;
}

array selected(std::span<argument const> chosen, array const& like) {
    call_options as_it_is;
    as_it_is.type = like.type.id, as_it_is.rule = casting::unsafe;
    return apply(ops::number<ops::where>, chosen, as_it_is);
}

// The operand's element there; axes that the mask does not have count from their beginning.
plan_constant value_at(array const& a, dims const& place) {
    std::int64_t at = 0;
    int const ahead = place.size() - a.ndim();
    for (int d = 0; d < a.ndim(); ++d) at = at * a.shape[d] + (ahead + d < 0 || a.shape[d] == 1 ? 0 : place[ahead + d]);
    return item(a, at);
}

// For a device that the host does not wait for: neither the selected position is known nor whether there is one.
class first_there {
public:
    first_there(array const& mask, std::int64_t otherwise)
        : otherwise_(otherwise), any_(reduce_with(ops::aggregate_number<ops::aggregate::any>, mask)) {
        array const place = reduce_with(ops::aggregate_number<ops::aggregate::argmax>, mask);
        array const positions = reshape_view_or_copy(
            arange(mask.where(), make_dtype(type_id::int64), mask.size(), {.i64 = 0}, {.i64 = 1}), mask.shape);
        is_it_ = apply(ops::number<ops::equal>, positions, place);
    }
    // The operand's element there, without axes: all others are zeros in a sum.
    [[nodiscard]] array of(array const& a) const {
        bool const boolean = is_boolean(a.type.id);
        argument const alone[] = {{&is_it_}, {&a}, whole(0)};
        array const found = reduce_with(boolean ? ops::aggregate_number<ops::aggregate::any>
                                                : ops::aggregate_number<ops::aggregate::sum>,
                                        selected(alone, a), {.type = a.type.id});
        argument const last[] = {{&any_}, {&found}, whole(otherwise_)};
        return selected(last, a);
    }

private:
    static argument whole(std::int64_t n) { return {nullptr, {.i64 = n}, type_id::int64}; }

    std::int64_t otherwise_;
    array any_, is_it_;
};

// With ones in place of the unselected elements, a large number operand or one that is not finite, or a divisor that is
// 0, could still raise.
bool ones_report_nothing(std::span<argument const> args) {
    if (!args.back().a) return false;
    for (auto const& x : args)
        if (!x.a && !(std::abs(cast_constant(x.value, x.type, type_id::float64).f64[0]) <= 1000)) return false;
    return true;
}

}  // namespace

bool replace(std::uint16_t op, std::span<argument const> args, array const& mask, std::span<array> held,
             std::span<argument> to) {
    bool const known = mask.where().api->host_memory || !ones_report_nothing(args);
    auto const place = known ? first_place(mask) : std::nullopt;
    if (known ? !place : mask.size() == 0) return false;
    std::optional<first_there> there;
    errstate::scope const quiet(0, false);
    // If nothing is selected, 1 raises nothing in any op but the inverse tangent.
    if (!known) there.emplace(mask, op == ops::number<ops::arctanh> ? 0 : 1);
    for (std::size_t k = 0; k < args.size(); ++k) {
        to[k] = args[k];
        if (!args[k].a) continue;
        array const& a = *args[k].a;
        if (a.size() == 0) return false;
        array const value = known ? full(a.where(), a.type, {}, value_at(a, *place)) : there->of(a);
        argument const chosen[] = {{&mask}, {&a}, {&value}};
        held[k] = selected(chosen, a);
        to[k] = {&held[k]};
    }
    return true;
}

}  // namespace bascule::masked_operands

#include "masked_operands.hpp"

#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::masked_operands {
namespace {

// Where the first selected place lies along the axes of the mask; empty: there is none.
std::optional<dims> first_place(array const& mask) {
    if (mask.size() == 0) return {};
    array const found = reduce_with(ops::aggregate_number<ops::aggregate::argmax>, mask);
    auto at = item(found).i64;
    if (!item(mask, at).bytes[0]) return {};
    dims place(mask.ndim());
    for (int d = mask.ndim() - 1; d >= 0; --d) place[d] = at % mask.shape[d], at /= mask.shape[d];
    return place;
}

// The operand's element there; axes that the mask does not have count from their beginning.
plan_constant value_at(array const& a, dims const& place) {
    std::int64_t at = 0;
    int const ahead = place.size() - a.ndim();
    for (int d = 0; d < a.ndim(); ++d) at = at * a.shape[d] + (ahead + d < 0 || a.shape[d] == 1 ? 0 : place[ahead + d]);
    return item(a, at);
}

}  // namespace

bool replace(std::span<argument const> args, array const& mask, std::span<array> held, std::span<argument> to) {
    auto const place = first_place(mask);
    if (!place) return false;
    for (std::size_t k = 0; k < args.size(); ++k) {
        to[k] = args[k];
        if (!args[k].a) continue;
        array const& a = *args[k].a;
        if (a.size() == 0) return false;
        array const value = full(a.where(), a.type, {}, value_at(a, *place));
        argument const chosen[] = {{&mask}, {&a}, {&value}};
        call_options as_it_is;
        as_it_is.type = a.type.id, as_it_is.rule = casting::unsafe;
        held[k] = apply(ops::number<ops::where>, chosen, as_it_is);
        to[k] = {&held[k]};
    }
    return true;
}

}  // namespace bascule::masked_operands

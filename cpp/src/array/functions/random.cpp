#include "bascule/array/random.hpp"

#include <bit>

#include "../eager/immediate.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/ordered.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {

array sample(device where, dims const& shape, std::uint16_t op, std::uint64_t key, std::uint64_t first,
             std::span<argument const> parameters) {
    ops::spec const& s = ops::table[op];
    if (s.call != ops::form::sample || static_cast<int>(parameters.size()) != s.nin - 1)
        throw value_error("[sample] " + std::string(s.name) + " is no draw from " + std::to_string(parameters.size()) +
                          " parameters");
    for (auto const& p : parameters)
        if (p.a && !(p.a->where() == where)) throw type_error("[sample] a parameter lies on another device");
    array const seeds =
        counter_fill(where, make_dtype(type_id::uint64), shape, ops::number<ops::random_bits>, key, first);
    auto node = std::make_unique<pending_operation>();
    node->op = op, node->nargs = static_cast<std::uint8_t>(s.nin), node->shape = shape;
    for (int t = 0; t < type_count; ++t)
        if (contains(s.types, static_cast<type_id>(t))) node->result = static_cast<type_id>(t);
    node->args[0] = graph::argument(seeds, shape);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        operand& o = node->args[k + 1];
        o = parameters[k].a ? graph::argument(*parameters[k].a, shape)
                            : graph::argument(parameters[k].value, parameters[k].type);
        o.as = s.parameters;
    }
    dtype const t = make_dtype(node->result);
    std::span<operand const> const args(node->args, node->nargs);
    graph_lock lock;
    if (args.size() <= eager::most_args && eager::can_run(where, shape, args)) {
        array a = empty(where, t, shape);
        errstate::scope const unchecked(0, false);
        eager::run(op, t.id, args, a, errstate::kind::ufunc);
        return a;
    }
    array a = graph::add(lock, where, t, shape, contiguous_strides(shape, t.itemsize), std::move(node));
    if (where.api->host_memory && a.size() < settings().eager_below)
        graph::evaluate(lock, a.memory(), flush_reason::small);
    return a;
}

array counter_line(device where, std::int64_t n, std::uint16_t op, std::uint64_t key, std::uint64_t first, double shift,
                   double scale) {
    auto const number = [](double v) { return argument{nullptr, {.f64 = {v}}, type_id::float64, weak_kind::floating}; };
    errstate::scope const unchecked(0, false);
    array r = counter_fill(where, make_dtype(type_id::float64), {n}, op, key, first);
    if (scale != 1) r = apply(ops::number<ops::multiply>, r, number(scale));
    return shift != 0 ? apply(ops::number<ops::add>, r, number(shift)) : r;
}

array random_order(device where, std::int64_t n, std::uint64_t key, std::uint64_t first) {
    auto const word = make_dtype(type_id::uint64);
    std::uint64_t const low = (std::uint64_t{1} << std::bit_width(static_cast<std::uint64_t>(n - 1))) - 1;
    plan_constant start{}, one{};
    one.i64 = 1;
    auto const bits = [](std::uint64_t v) { return argument{nullptr, {.u64 = v}, type_id::uint64}; };
    array const random = counter_fill(where, word, {n}, ops::number<ops::random_bits>, key, first);
    array const high = apply(ops::number<ops::bitwise_and>, random, bits(~low));
    array const all = apply(ops::number<ops::bitwise_or>, high, arange(where, word, n, start, one));
    return astype(apply(ops::number<ops::bitwise_and>, sort(all, 0), bits(low)), make_dtype(type_id::int64));
}

}  // namespace bascule

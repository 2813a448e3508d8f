// Every op of the table for one element, by expansions over the table: functions by op number and loop dtype.
#include <array>
#include <cstring>
#include <utility>

#include "backend/reference/parts.hpp"
#include "bascule/ops/distribution_rules.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::reference {
namespace {

using ops::form;
using every_type = std::make_index_sequence<type_count>;

template <class T> T get(cell const* c) {
    T value;
    std::memcpy(&value, c->bytes, sizeof value);
    return value;
}

template <class T> void put(cell& c, T value) { std::memcpy(c.bytes, &value, sizeof value); }

template <class Op, class T, std::size_t... I> auto apply_to_all(cell const* const* args, std::index_sequence<I...>) {
    return Op{}(get<T>(args[I])...);
}

template <class Op> auto sample(cell const* const* args) {
    using P = element<Op::meta.parameters>;
    if constexpr (Op::meta.nin == 2) return ops::sampled<Op>(get<std::uint64_t>(args[0]), get<P>(args[1]));
    else return ops::sampled<Op>(get<std::uint64_t>(args[0]), get<P>(args[1]), get<P>(args[2]));
}

template <class Op, class T> void apply(cell const* const* args, cell& out) {
    if constexpr (Op::meta.call == form::selection)
        put(out, Op{}(get<bool>(args[0]), get<T>(args[1]), get<T>(args[2])));
    else if constexpr (Op::meta.call == form::counter)
        put<T>(out, Op{}.template operator()<T>(get<std::int64_t>(args[0]), get<std::uint64_t>(args[1])));
    else if constexpr (Op::meta.call == form::sample) put(out, sample<Op>(args));
    else put(out, apply_to_all<Op, T>(args, std::make_index_sequence<Op::meta.nin>{}));
}

// float16 has no loop of its own: its operands are cast, and the op runs in float32.
template <class Op, type_id Loop> constexpr scalar_function loop_of() {
    if constexpr (Op::meta.call == form::cast || Loop == type_id::float16 || !contains(Op::meta.types, Loop))
        return nullptr;
    else return apply<Op, element<Loop>>;
}

using loops = std::array<scalar_function, type_count>;

template <class Op, std::size_t... Loop> constexpr loops loops_of(std::index_sequence<Loop...>) {
    return {loop_of<Op, type_id{Loop}>()...};
}
template <class... Op> constexpr auto loops_of_all(ops::op_list<Op...>) {
    return std::array<loops, sizeof...(Op)>{loops_of<Op>(every_type{})...};
}
constexpr auto functions = loops_of_all(ops::all_ops{});

template <class From, class To> void convert(cell const* const* args, cell& out) {
    put<To>(out, ops::cast{}.template operator()<To>(get<From>(args[0])));
}
template <type_id From, std::size_t... To> constexpr loops casts_from(std::index_sequence<To...>) {
    return {convert<element<From>, element<type_id{To}>>...};
}
template <std::size_t... From> constexpr auto all_casts(std::index_sequence<From...>) {
    return std::array<loops, type_count>{casts_from<type_id{From}>(every_type{})...};
}
constexpr auto casts = all_casts(every_type{});

constexpr auto at(type_id t) { return static_cast<std::size_t>(t); }

}  // namespace

scalar_function find_op(int op, std::vector<type_id> const& args, type_id result) {
    expects(op < ops::op_count, status::not_supported, "op " + std::to_string(op) + " is not in the table");
    auto const& meta = ops::table[op];
    auto const who = std::string(meta.name);
    auto const nargs = meta.call == form::cast ? 1 : meta.call == form::counter ? 2 : meta.nin;
    expects(static_cast<int>(args.size()) == nargs, status::value_error,
            who + ": expected " + std::to_string(nargs) + " arguments, got " + std::to_string(args.size()));
    if (meta.call == form::cast) return casts[at(args[0])][at(result)];

    auto const loop = meta.call == form::counter || meta.call == form::sample ? result : args.back();
    auto const function = functions[static_cast<std::size_t>(op)][at(loop)];
    expects(function != nullptr, status::not_supported, who + ": no loop for dtype " + std::to_string(at(loop)));
    for (std::size_t k = 0; k < args.size(); ++k) {
        auto const expected = meta.call == form::counter               ? (k == 0 ? type_id::int64 : type_id::uint64)
                              : meta.call == form::sample              ? (k == 0 ? type_id::uint64 : meta.parameters)
                              : meta.call == form::selection && k == 0 ? type_id::bool_
                                                                       : loop;
        expects(args[k] == expected, status::value_error,
                who + ": argument " + std::to_string(k) + " expected dtype " + std::to_string(at(expected)) + ", got " +
                    std::to_string(at(args[k])));
    }
    auto const made = ops::result_type(op, loop);
    expects(result == made, status::value_error,
            who + ": expected a result of dtype " + std::to_string(at(made)) + ", got " + std::to_string(at(result)));
    return function;
}

}  // namespace bascule::reference

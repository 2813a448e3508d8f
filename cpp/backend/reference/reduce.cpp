// Reduces one group of elements into one output element. The states are those of ops/aggregate.hpp; the order in which
// they are merged is written here a second time, in the simplest way.
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "backend/reference/parts.hpp"
#include "backend/reference/summation_tree.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::reference {
namespace {

// Complex numbers have half as many lanes and half as long leaves: the tree counts real numbers.
template <class T> constexpr std::size_t reals_in = ops::is_complex_type<T> ? 2 : 1;

// Sums, products, means: the tree of core/plan.hpp over elements widened to the accumulator.
template <class Algebra, class T> auto reduce_pairwise(std::span<T const> x, std::size_t run) {
    using state = typename Algebra::state;
    std::vector<state> widened;
    for (auto const& e : x) widened.push_back(ops::aggregate::accumulator_of<state>(e));
    return tree(std::span<state const>(widened), run, reals_in<state>, Algebra::identity(), Algebra::merge);
}

// Variances and complex products: leaves of leaf_size elements, joined as the halves of the sum's tree are.
template <class Algebra, class T> auto leaves_of_run(std::span<T const> x, std::int64_t position) {
    if (x.size() <= Algebra::leaf_size) return Algebra::leaf(x.data(), static_cast<std::int64_t>(x.size()), position);
    auto const half = x.size() / 2 / Algebra::granule * Algebra::granule;
    return Algebra::merge(leaves_of_run<Algebra>(x.first(half), position),
                          leaves_of_run<Algebra>(x.subspan(half), position + static_cast<std::int64_t>(half)));
}

template <class Algebra, class T> auto reduce_leaves(std::span<T const> x, std::size_t run) {
    auto state = Algebra::identity();
    for (std::size_t i = 0; i<x.size(); i += run> 0 ? run : 1) {
        if (run > 0)
            state = Algebra::merge(state, leaves_of_run<Algebra>(x.subspan(i, run), static_cast<std::int64_t>(i)));
        else Algebra::update(state, x[i], static_cast<std::int64_t>(i));
    }
    return state;
}

template <class Algebra, class T> auto reduce_in_order(std::span<T const> x) {
    auto state = Algebra::identity();
    for (std::size_t i = 0; i < x.size(); ++i) Algebra::update(state, x[i], static_cast<std::int64_t>(i));
    return state;
}

template <class A, class T> auto reduce(std::span<T const> x, std::size_t run) {
    using algebra = typename A::template of<T>;
    if constexpr (requires { algebra::whole_leaves; }) return reduce_leaves<algebra>(x, run);
    else if constexpr (A::meta.ordered) return reduce_pairwise<algebra>(x, run);
    else return reduce_in_order<algebra>(x);
}

// std::vector<bool> is not a sequence of bool.
template <class T> struct sequence {
    std::unique_ptr<T[]> data;
    std::size_t size;
    explicit sequence(std::vector<cell> const& elements) : data(new T[elements.size()]), size(elements.size()) {
        for (std::size_t i = 0; i < size; ++i) std::memcpy(&data[i], elements[i].bytes, sizeof(T));
    }
};

using reduce_function = void (*)(plan_reduction const& r, std::vector<cell> const& elements, std::size_t run,
                                 void* out);

template <class A, class T>
void reduce_into(plan_reduction const& r, std::vector<cell> const& elements, std::size_t run, void* out) {
    expects(!elements.empty() || A::meta.empty_error[0] == 0, status::value_error, A::meta.empty_error);
    sequence<T> const x(elements);
    auto const state = reduce<A>(std::span<T const>(x.data.get(), x.size), run);
    auto const result = A::template of<T>::finish(state, static_cast<std::int64_t>(x.size), r.ddof);
    std::memcpy(out, &result, sizeof result);
}

using reduces = std::array<reduce_function, type_count>;

// float16 is reduced in float32, between casts.
template <class A, type_id Input> constexpr reduce_function reduce_of() {
    if constexpr (Input == type_id::float16 || !contains(A::meta.types, Input)) return nullptr;
    else return reduce_into<A, element<Input>>;
}

template <class A, std::size_t... Input> constexpr reduces reduces_of(std::index_sequence<Input...>) {
    return {reduce_of<A, type_id{Input}>()...};
}
template <class... A> constexpr auto reduces_of_all(ops::op_list<A...>) {
    return std::array<reduces, sizeof...(A)>{reduces_of<A>(std::make_index_sequence<type_count>{})...};
}
constexpr auto functions = reduces_of_all(ops::all_aggregates{});

}  // namespace

void check_reduction(plan_reduction const& r, type_id input) {
    expects(r.aggregate < ops::aggregate_count, status::not_supported,
            "aggregate " + std::to_string(r.aggregate) + " is not in the table");
    auto const who = std::string(ops::aggregate_table[r.aggregate].name);
    expects(functions[r.aggregate][static_cast<std::size_t>(input)] != nullptr, status::not_supported,
            who + ": no loop for dtype " + std::to_string(static_cast<int>(input)));
    auto const made = ops::aggregate_result_type(r.aggregate, input);
    expects(r.out.dtype == made, status::value_error,
            who + ": expected a result of dtype " + std::to_string(static_cast<int>(made)) + ", got " +
                std::to_string(static_cast<int>(r.out.dtype)));
}

void reduce(plan_reduction const& r, type_id input, std::vector<cell> const& elements, std::int64_t run, void* out) {
    functions[r.aggregate][static_cast<std::size_t>(input)](r, elements, static_cast<std::size_t>(run), out);
}

}  // namespace bascule::reference

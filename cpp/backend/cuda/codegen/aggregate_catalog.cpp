#include "backend/cuda/codegen/aggregate_catalog.hpp"

#include <set>
#include <utility>
#include <vector>

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/codegen/type_name.hpp"
#include "backend/cuda/compiler/embedded_headers.hpp"
#include "backend/cuda/driver/failure.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cuda {
namespace {

// They have to be reduced whole, by one thread.
template <class Algebra>
concept has_whole_leaves = requires {
    Algebra::whole_leaves;
};

template <class State> inline constexpr bool is_inexact = ops::is_float_type<State> || ops::is_complex_type<State>;
template <class A> inline constexpr bool is_inexact<ops::aggregate::moments<A>> = true;

template <class State> inline constexpr bool is_indexed = false;
template <class T> inline constexpr bool is_indexed<ops::aggregate::indexed<T>> = true;

template <class A, type_id Input> aggregate_entry entry_of() {
    if constexpr (!contains(A::meta.types, Input)) return {};
    else {
        using algebra = typename A::template of<ops::computed<Input>>;
        std::string const type = type_name<A>();
        return {.type = type,
                .header = header_of(type),
                .meta = &A::meta,
                .state_bytes = sizeof(typename algebra::state),
                .leaf_size = algebra::leaf_size,
                .granule = algebra::granule,
                .merges_stripes = !has_whole_leaves<algebra> || A::meta.uses_ddof,
                .raises = (A::meta.uses_ddof || requires { typename algebra::combine; }) &&
                          is_inexact<typename algebra::state>,
                .decides = requires(typename algebra::state s){algebra::decided(s);
    }
    || is_indexed<typename algebra::state>, .reads_once = !has_whole_leaves<algebra>
};
}  // namespace
}  // namespace bascule::cuda

template <class A, std::size_t... Input> std::vector<aggregate_entry> entries_of(std::index_sequence<Input...>) {
    return {entry_of<A, static_cast<type_id>(Input)>()...};
}

std::vector<std::vector<aggregate_entry>> make_catalog() {
    std::vector<std::vector<aggregate_entry>> all;
    ops::for_each_aggregate([&]<class A>(A) { all.push_back(entries_of<A>(std::make_index_sequence<type_count>{})); });
    return all;
}

std::string name_of(int number) {
    bool const known = number >= 0 && number < ops::aggregate_count;
    return known ? ops::aggregate_table[static_cast<std::size_t>(number)].name : "reduction " + std::to_string(number);
}

}  // namespace

aggregate_entry find_aggregate(int number, type_id input) {
    static std::vector<std::vector<aggregate_entry>> const catalog = make_catalog();
    bool const known = number >= 0 && static_cast<std::size_t>(number) < catalog.size() &&
                       static_cast<int>(input) < type_count;
    aggregate_entry const entry = known ? catalog[static_cast<std::size_t>(number)][static_cast<std::size_t>(input)]
                                        : aggregate_entry{};
    if (!entry.meta) throw failure{status::not_supported, "[cuda] no " + name_of(number) + " of " + dtype_text(input)};
    return entry;
}

// Few different sizes occur on one level of the tree, since all pieces but the last are multiples of the granule.
int tree_depth(aggregate_entry const& a, std::int64_t n) {
    int depth = 0;
    for (std::set<std::int64_t> sizes{n}; *sizes.rbegin() > a.leaf_size; ++depth) {
        std::set<std::int64_t> halves;
        for (std::int64_t size : sizes) {
            std::int64_t const left = size > a.leaf_size ? ops::first_half(size, a.granule) : 0;
            halves.insert(size - left);
            if (left) halves.insert(left);
        }
        sizes = std::move(halves);
    }
    return depth;
}

}  // namespace bascule::cuda

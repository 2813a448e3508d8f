// Sorts rows by their strings: a merge sort of references, whose first eight bytes almost always decide.
#include <thrust/sort.h>

#include "backend/cuda/algorithms/thrust/row_numbers.hpp"
#include "backend/cuda/algorithms/thrust/strings/text.hpp"

namespace bascule::cuda::algorithms {
namespace {

struct prefix_of {
    text_column column;
    BASCULE_HD std::uint64_t operator()(std::int64_t i) const {
        return column.is_null(i) ? 0 : text_order::prefix(column[i]);
    }
};

}  // namespace

void order_by_text(context const& c, sort_key const& key, bool nulls_first, std::uint32_t* order, std::int64_t n) {
    buffer<std::uint64_t> const prefixes(c, n);
    text_column const column(key);
    auto* const p = prefixes.get();
    text_before const less{column, p, key.ascending, nulls_first};
    fill_by_index(c, p, n, prefix_of{column});
    c.queue([=](auto const& policy) { thrust::stable_sort(policy, order, order + n, less); });
}

}  // namespace bascule::cuda::algorithms

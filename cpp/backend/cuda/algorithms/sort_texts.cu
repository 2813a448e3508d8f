// Rows by their texts: a merge sort of references, whose first eight bytes decide almost always.
#include <thrust/sort.h>

#include "backend/cuda/algorithms/row_numbers.hpp"
#include "backend/cuda/algorithms/text.hpp"

namespace bascule::cuda::algorithms {
namespace {

struct write_prefix {
    text_column column;
    std::uint64_t* prefix;
    BASCULE_HD void operator()(std::int64_t i) const {
        prefix[i] = column.is_null(i) ? 0 : text_order::prefix(column[i]);
    }
};

}  // namespace

void order_by_text(context const& c, sort_key const& key, bool nulls_first, std::uint32_t* order, std::int64_t n) {
    buffer<std::uint64_t> const prefixes(c, n);
    text_column const column(key);
    auto* const p = prefixes.get();
    text_before const less{column, p, key.ascending, nulls_first};
    c.queue([=](auto const& policy) {
        thrust::for_each(policy, counting(0), counting(n), write_prefix{column, p});
        thrust::stable_sort(policy, order, order + n, less);
    });
}

}  // namespace bascule::cuda::algorithms

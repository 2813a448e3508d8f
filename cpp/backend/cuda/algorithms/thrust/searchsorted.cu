#include <thrust/binary_search.h>
#include <thrust/iterator/transform_iterator.h>

#include "backend/cuda/algorithms/thrust/execution.hpp"
#include "backend/cuda/algorithms/thrust/order_key.hpp"

namespace bascule::cuda::algorithms {

void searchsorted(context const& c, searchsorted_args const& a) {
    if (a.count == 0) return;
    with_key(a.dtype, [&](auto zero) {
        using K = decltype(zero);
        order_key<K> const key(kind_of(a.dtype));
        auto const data = thrust::make_transform_iterator(static_cast<K const*>(a.data), key);
        auto const values = thrust::make_transform_iterator(static_cast<K const*>(a.values), key);
        std::int64_t const n = a.length, count = a.count;
        auto* const out = a.out;
        bool const right = a.right;
        c.queue([=](auto const& policy) {
            if (right) thrust::upper_bound(policy, data, data + n, values, values + count, out);
            else thrust::lower_bound(policy, data, data + n, values, values + count, out);
        });
    });
}

}  // namespace bascule::cuda::algorithms

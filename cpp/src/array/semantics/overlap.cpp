#include "bascule/array/overlap.hpp"

#include <cstdlib>
#include <numeric>

#include "bascule/array/array.hpp"

namespace bascule::overlap {

bool may_share(layout const& a, layout const& b) {
    auto const x = extent(a.shape, a.strides, a.offset, a.itemsize),
               y = extent(b.shape, b.strides, b.offset, b.itemsize);
    if (x.second <= y.first || y.second <= x.first) return false;
    std::int64_t g = 0;
    for (auto const* l : {&a, &b})
        for (int i = 0; i < l->shape.size(); ++i)
            if (l->shape[i] > 1) g = std::gcd(g, std::abs(l->strides[i]));
    std::int64_t const difference = b.offset - a.offset;
    if (g == 0) return difference < a.itemsize && -difference < b.itemsize;
    // Some element of a starts d bytes after one of b for every d = difference (mod g): they touch if -size_a < d <
    // size_b.
    std::int64_t const d = ((difference % g) + g) % g;
    return d < a.itemsize || g - d < b.itemsize;
}

bool overlaps_itself(layout const& a) {
    dims extents, strides;
    for (int i = 0; i < a.shape.size(); ++i) {
        if (a.shape[i] <= 1) continue;
        int place = strides.size();
        while (place > 0 && strides[place - 1] > std::abs(a.strides[i])) --place;
        strides.insert(place, std::abs(a.strides[i]));
        extents.insert(place, a.shape[i]);
    }
    std::int64_t reach = a.itemsize;
    for (int i = 0; i < strides.size(); ++i) {
        if (strides[i] < reach) return true;
        reach += strides[i] * (extents[i] - 1);
    }
    return false;
}

}  // namespace bascule::overlap

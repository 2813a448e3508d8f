// The tree of a sum as core/plan.hpp states it, written as the recursion it is.
#pragma once
#include <cstdint>
#include <span>

namespace bascule::reference {

// One run, pairwise; at least one element.
template <class T, class Add> T pairwise(std::span<T const> x, Add add) {
    if (x.size() < 8) {
        T sum = x[0];
        for (std::size_t i = 1; i < x.size(); ++i) sum = add(sum, x[i]);
        return sum;
    }
    if (x.size() <= 128) {
        T lane[8];
        auto const full = x.size() - x.size() % 8;
        for (std::size_t i = 0; i < full; ++i) lane[i % 8] = i < 8 ? x[i] : add(lane[i % 8], x[i]);
        T sum = add(add(add(lane[0], lane[1]), add(lane[2], lane[3])), add(add(lane[4], lane[5]), add(lane[6], lane[7])));
        for (auto i = full; i < x.size(); ++i) sum = add(sum, x[i]);
        return sum;
    }
    auto const half = x.size() / 2 / 8 * 8;
    return add(pairwise(x.first(half), add), pairwise(x.subspan(half), add));
}

// All elements of a group: runs of `run` elements summed pairwise and then added in order; run 0: one by one.
template <class T, class Add> T tree(std::span<T const> x, std::size_t run, T start, Add add) {
    T total = start;
    for (std::size_t i = 0; i < x.size(); i += run > 0 ? run : 1)
        total = add(total, run > 0 ? pairwise(x.subspan(i, run), add) : x[i]);
    return total;
}

}  // namespace bascule::reference

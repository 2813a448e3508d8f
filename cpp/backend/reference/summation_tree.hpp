// The tree of a sum as core/plan.hpp states it, written as the recursion it is.
#pragma once
#include <cstdint>
#include <span>

namespace bascule::reference {

// One run, pairwise; at least one element. `reals` is 2 for complex numbers: the tree counts real numbers.
template <class T, class Add> T pairwise(std::span<T const> x, std::size_t reals, Add add) {
    auto const lanes = 8 / reals, leaf = 128 / reals;
    if (x.size() < lanes) {
        T sum = x[0];
        for (std::size_t i = 1; i < x.size(); ++i) sum = add(sum, x[i]);
        return sum;
    }
    if (x.size() <= leaf) {
        T r[8];
        auto const full = x.size() - x.size() % lanes;
        for (std::size_t i = 0; i < full; ++i) r[i % lanes] = i < lanes ? x[i] : add(r[i % lanes], x[i]);
        T sum = add(add(r[0], r[1]), add(r[2], r[3]));
        if (lanes == 8) sum = add(sum, add(add(r[4], r[5]), add(r[6], r[7])));
        for (auto i = full; i < x.size(); ++i) sum = add(sum, x[i]);
        return sum;
    }
    auto const half = x.size() / 2 / lanes * lanes;
    return add(pairwise(x.first(half), reals, add), pairwise(x.subspan(half), reals, add));
}

// All elements of a group: runs of `run` elements summed pairwise and then added in order; run 0: one by one.
template <class T, class Add> T tree(std::span<T const> x, std::size_t run, std::size_t reals, T start, Add add) {
    T total = start;
    for (std::size_t i = 0; i<x.size(); i += run> 0 ? run : 1)
        total = add(total, run > 0 ? pairwise(x.subspan(i, run), reals, add) : x[i]);
    return total;
}

}  // namespace bascule::reference

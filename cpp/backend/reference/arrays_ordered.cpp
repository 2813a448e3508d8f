// searchsorted, bincount, histogram and select_ranks as plain loops.
#include "backend/reference/arrays_ordered.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "backend/reference/failure.hpp"
#include "backend/reference/tables_sort_join.hpp"
#include "bascule/core/element_dispatch.hpp"

namespace bascule::reference {
namespace {

// Whether sorting would move x before an equal of y that came first.
bool is_less(type_id t, char const* x, char const* y) {
    auto const item = static_cast<std::size_t>(itemsize(t));
    std::vector<char> pair(y, y + item);
    pair.insert(pair.end(), x, x + item);
    sort_key const key{.dtype = t, .data = pair.data()};
    std::int64_t order[2];
    argsort_args a;
    a.nkeys = 1;
    a.keys = &key;
    a.length = 2;
    a.out = order;
    argsort(a);
    return order[0] == 1;
}

template <class T> void add(bincount_args const& a, std::int64_t i) {
    T& to = static_cast<T*>(a.out)[a.index[i]];
    T const& v = static_cast<T const*>(a.values)[i * a.step];
    if constexpr (std::is_class_v<T>) {
        to.re += v.re;
        to.im += v.im;
    } else if (a.op == bincount_op::maximum) {
        to = to > v ? to : v;
    } else if (a.op == bincount_op::minimum) {
        to = to < v ? to : v;
    } else {
        to = static_cast<T>(to + v);
    }
}

template <class T, class D> std::int64_t bin_of(histogram_args const& a, std::int64_t i) {
    auto const* const edges = static_cast<T const*>(a.edges);
    T const x = static_cast<T const*>(a.data)[i];
    if (!(x >= edges[0] && x <= edges[a.bins])) return -1;
    auto bin =
        static_cast<std::int64_t>(static_cast<D>(x - edges[0]) / static_cast<D>(a.width) * static_cast<D>(a.bins));
    if (bin >= a.bins) bin = a.bins - 1;
    if (bin > 0 && x < edges[bin]) --bin;
    if (bin < a.bins - 1 && x >= edges[bin + 1]) ++bin;
    return bin;
}

std::int64_t bin_of(histogram_args const& a, std::int64_t i) {
    if (a.dtype == type_id::float64) return bin_of<double, double>(a, i);
    expects(a.dtype == type_id::float32, status::not_supported, "histogram: data are float32 or float64");
    return a.wide ? bin_of<float, double>(a, i) : bin_of<float, float>(a, i);
}

double add_block(histogram_args const& a, double before, double block) {
    if (a.rounding == sum_rounding::both) return static_cast<float>(before) + static_cast<float>(block);
    return a.rounding == sum_rounding::result ? static_cast<float>(before + block) : before + block;
}

void sum_block(histogram_args const& a, std::int64_t begin) {
    std::vector<double> sums(static_cast<std::size_t>(a.bins));
    for (std::int64_t i = begin; i < a.length && i < begin + a.block; ++i)
        if (auto const b = bin_of(a, i); b >= 0)
            sums[static_cast<std::size_t>(b)] += static_cast<double const*>(a.weights)[i];
    for (std::int64_t b = 0; b < a.bins; ++b) {
        double const v = sums[static_cast<std::size_t>(b)];
        double& sum = static_cast<double*>(a.sums)[b];
        sum = add_block(a, sum, v);
    }
}

}  // namespace

void searchsorted(searchsorted_args const& a) {
    auto const item = itemsize(a.dtype);
    for (std::int64_t i = 0; i < a.count; ++i) {
        auto const* const value = static_cast<char const*>(a.values) + i * item;
        std::int64_t place = 0;
        for (; place < a.length; ++place) {
            auto const* const element = static_cast<char const*>(a.data) + place * item;
            if (a.right ? is_less(a.dtype, value, element) : !is_less(a.dtype, element, value)) break;
        }
        a.out[i] = place;
    }
}

void bincount(bincount_args& a) {
    for (std::int64_t i = 0; i < a.length; ++i) {
        if (a.index[i] < 0 || a.index[i] >= a.bins) {
            a.bad_value = a.index[i];
            throw failure{status::index_error,
                          "[reference] bincount: index " + std::to_string(a.bad_value) + " lies outside the bins"};
        }
        if (a.values == nullptr) {
            ++static_cast<std::int64_t*>(a.out)[a.index[i]];
            continue;
        }
        expects(with_element<types::numbers & ~bit(type_id::float16)>(a.dtype, [&]<class T>(T) { add<T>(a, i); }),
                status::not_supported, "[reference] bincount: values of this type are not added");
    }
}

void histogram(histogram_args const& a) {
    for (std::int64_t b = 0; b < a.bins; ++b) {
        if (a.weights != nullptr) static_cast<double*>(a.sums)[b] = 0;
        else a.counts[b] = 0;
    }
    if (a.weights == nullptr) {
        for (std::int64_t i = 0; i < a.length; ++i)
            if (auto const b = bin_of(a, i); b >= 0) ++a.counts[b];
    } else {
        for (std::int64_t begin = 0; begin < a.length; begin += a.block) sum_block(a, begin);
    }
}

void select_ranks(select_ranks_args const& a) {
    auto const item = static_cast<std::size_t>(itemsize(a.dtype));
    std::vector<char> sorted(static_cast<std::size_t>(a.rows * a.length) * item);
    sort_args s;
    s.dtype = a.dtype;
    s.data = a.data;
    s.out = sorted.data();
    s.length = a.length;
    s.rows = a.rows;
    sort_values(s);
    for (std::int64_t k = 0; k < a.rows * a.count; ++k) {
        auto const from = static_cast<std::size_t>(k / a.count * a.length + a.ranks[k % a.count]);
        std::memcpy(static_cast<char*>(a.out) + static_cast<std::size_t>(k) * item, sorted.data() + from * item, item);
    }
}

}  // namespace bascule::reference

#include "backend/reference/tables_group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

#include "backend/reference/failure.hpp"
#include "bascule/core/element_dispatch.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::reference {
namespace {

namespace agg = ops::aggregate;
template <class A> constexpr std::uint16_t number_of = ops::aggregate_number<A>;

// A value of any numeric type: integers in `whole`, floats in `real`.
struct number {
    bool is_null = false, is_real = false;
    __int128 whole = 0;
    double real = 0;
};

template <class T> number make(T v) {
    number n;
    if constexpr (std::is_floating_point_v<T>) {
        n.is_real = true;
        n.real = v;
        n.is_null = v != v;
    } else if constexpr (std::is_arithmetic_v<T>) {
        n.whole = v;
    } else {
        n.whole = v.count;
        n.is_null = v.count == nat;
    }
    return n;
}

number read(group_column const& c, std::int64_t i) {
    number n;
    bool const known =
        with_element<agg::groupable_types>(c.dtype, [&]<class T>(T) { n = make(static_cast<T const*>(c.data)[i]); });
    expects(known, status::not_supported, "this element type has no groups");
    if (c.validity != nullptr) n.is_null = ((c.validity[i / 8] >> (i % 8)) & 1) == 0;
    return n;
}

bool is_null(group_column const& c, std::int64_t i) {
    return c.offsets != nullptr ? c.validity != nullptr && ((c.validity[i / 8] >> (i % 8)) & 1) == 0
                                : read(c, i).is_null;
}

std::string_view text(group_column const& c, std::int64_t i) {
    return {static_cast<char const*>(c.data) + c.offsets[i], static_cast<std::size_t>(c.offsets[i + 1] - c.offsets[i])};
}

int three_way(auto const& a, auto const& b) { return a < b ? -1 : b < a ? 1 : 0; }

int compare(group_column const& c, std::int64_t i, std::int64_t j) {
    bool const a = is_null(c, i), b = is_null(c, j);
    if (a || b) return three_way(a, b);
    if (c.offsets != nullptr) return three_way(text(c, i), text(c, j));
    auto const x = read(c, i), y = read(c, j);
    return x.is_real ? three_way(x.real, y.real) : three_way(x.whole, y.whole);
}

int compare(factorize_args const& a, std::int64_t i, std::int64_t j) {
    for (int k = 0; k < a.nkeys; ++k) {
        if (int const c = compare(a.keys[k], i, j); c != 0) return c;
    }
    return 0;
}

bool in_a_group(factorize_args const& a, std::int64_t i) {
    for (int k = 0; k < a.nkeys && !a.keep_nulls; ++k) {
        if (is_null(a.keys[k], i)) return false;
    }
    return true;
}

// First rows of all groups, in the requested order, and the group of each row.
std::vector<std::int64_t> group_rows(factorize_args const& a, std::vector<std::uint32_t>& codes) {
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < a.length; ++i) {
        if (in_a_group(a, i)) rows.push_back(i);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](auto i, auto j) { return compare(a, i, j) < 0; });
    std::vector<std::int64_t> first;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (r == 0 || compare(a, rows[r - 1], rows[r]) != 0) first.push_back(rows[r]);
        codes[static_cast<std::size_t>(rows[r])] = static_cast<std::uint32_t>(first.size() - 1);
    }
    if (a.order == group_order::sorted) return first;
    auto appearing = first;
    std::sort(appearing.begin(), appearing.end());
    for (auto& c : codes) {
        if (c != null_group)
            c = static_cast<std::uint32_t>(std::lower_bound(appearing.begin(), appearing.end(), first[c]) -
                                           appearing.begin());
    }
    return appearing;
}

using numbers = std::vector<number>;

template <class F> F as(number const& n) { return n.is_real ? static_cast<F>(n.real) : static_cast<F>(n.whole); }

template <class F> F compensated_sum(numbers const& v) {
    F sum = 0, lost = 0;
    for (auto const& n : v) {
        F const y = as<F>(n) - lost, t = sum + y;
        lost = (t - sum) - y;
        if (!std::isfinite(lost)) lost = 0;
        sum = t;
    }
    return sum;
}

template <class F> F variance(numbers const& v, std::int64_t ddof) {
    F mean = 0, squares = 0, n = 0;
    for (auto const& x : v) {
        n += 1;
        F const before = mean;
        mean += (as<F>(x) - before) / n;
        squares += (as<F>(x) - mean) * (as<F>(x) - before);
    }
    return squares / static_cast<F>(static_cast<std::int64_t>(v.size()) - ddof);
}

number less(numbers const& v, bool greatest) {
    number best = v.front();
    for (auto const& n : v) {
        if (best.is_real && best.real != best.real) best = n;
        if (greatest ? as<long double>(n) > as<long double>(best) : as<long double>(n) < as<long double>(best))
            best = n;
    }
    return best;
}

// Integers are exact modulo 2^64, as NumPy's.
number whole(auto const& v, bool product) {
    std::uint64_t total = product ? 1 : 0;
    for (auto const& n : v)
        product ? total *= static_cast<std::uint64_t>(n.whole) : total += static_cast<std::uint64_t>(n.whole);
    number out;
    out.whole = static_cast<std::int64_t>(total);
    return out;
}

template <class F> number real_product(numbers const& v) {
    F product = 1;
    for (auto const& n : v) product *= as<F>(n);
    return make(product);
}

number boolean(numbers const& v, bool all) {
    auto const is_true = [](number const& n) { return as<long double>(n) != 0; };
    return make(static_cast<std::int64_t>(all ? std::all_of(v.begin(), v.end(), is_true)
                                              : std::any_of(v.begin(), v.end(), is_true)));
}

// Aggregates without a formula here: all values are added to one state.
template <class T> number by_its_state(group_request const& r, numbers const& v) {
    number found;
    ops::with_aggregate(r.aggregate, [&]<class A>(A) {
        if constexpr (A::meta.group_types != 0) {
            typename A::template in_groups<T> state;
            for (auto const& x : v) state.add(as<T>(x));
            found = make(state.result(r.ddof));
        }
    });
    return found;
}

number aggregate(group_request const& r, numbers const& v) {
    bool const narrow = r.column.dtype == type_id::float32, real = is_float(r.column.dtype);
    switch (r.aggregate) {
        case number_of<agg::size>:
        case number_of<agg::count>: return make(static_cast<std::int64_t>(v.size()));
        case number_of<agg::sum>:
            return !real ? whole(v, false) : make(narrow ? compensated_sum<float>(v) : compensated_sum<double>(v));
        case number_of<agg::mean>:
            return make(narrow ? compensated_sum<float>(v) / static_cast<float>(v.size())
                               : compensated_sum<double>(v) / static_cast<double>(v.size()));
        case number_of<agg::minimum>: return less(v, false);
        case number_of<agg::maximum>: return less(v, true);
        case number_of<agg::var>: return make(narrow ? variance<float>(v, r.ddof) : variance<double>(v, r.ddof));
        case number_of<agg::std_dev>: return make(std::sqrt(variance<double>(v, r.ddof)));
        case number_of<agg::first>: return v.front();
        case number_of<agg::last>: return v.back();
        case number_of<agg::prod>:
            return !real ? whole(v, true) : narrow ? real_product<float>(v) : real_product<double>(v);
        case number_of<agg::any>: return boolean(v, false);
        case number_of<agg::all>: return boolean(v, true);
        default:
            return narrow ? by_its_state<float>(r, v)
                   : real ? by_its_state<double>(r, v)
                          : by_its_state<std::int64_t>(r, v);
    }
}

std::int64_t needed(group_request const& r) {
    auto const& meta = ops::aggregate_table[r.aggregate];
    if (meta.counts_rows) return 0;
    if (meta.uses_ddof) return std::max<std::int64_t>(r.ddof + 1, 1);
    return std::max<std::int64_t>(r.min_count, meta.identity >= 0 ? 0 : 1);
}

template <class T> void store(void* out, std::int64_t g, number const& n, bool valid) {
    T value{};
    if constexpr (std::is_floating_point_v<T>) value = valid ? as<T>(n) : std::numeric_limits<T>::quiet_NaN();
    else if constexpr (std::is_arithmetic_v<T>) value = valid ? static_cast<T>(n.whole) : T{};
    else value.count = valid ? as<std::int64_t>(n) : nat;
    static_cast<T*>(out)[g] = value;
}

void store_as(type_id t, void* out, std::int64_t g, number const& n, bool valid) {
    with_element<agg::groupable_types>(t, [&]<class T>(T) { store<T>(out, g, n, valid); });
}

// The values of each group.
std::vector<numbers> values_of_groups(std::uint32_t const* codes, std::int64_t length, std::int64_t groups,
                                      group_column const* column) {
    std::vector<numbers> values(static_cast<std::size_t>(groups));
    for (std::int64_t i = 0; i < length; ++i) {
        if (codes[i] == null_group) continue;
        auto const n = column == nullptr ? number{} : read(*column, i);
        if (!n.is_null) values[codes[i]].push_back(n);
    }
    return values;
}

}  // namespace

void group_ranks(group_ranks_args const& a) {
    auto groups = values_of_groups(a.codes, a.length, a.groups, &a.column);
    auto const put = [&](void* out, std::int64_t at, number const& n) { store_as(a.column.dtype, out, at, n, true); };
    auto const before = [](number const& x, number const& y) {
        return x.is_real ? x.real < y.real : x.whole < y.whole;
    };
    for (std::int64_t g = 0; g < a.groups; ++g) {
        auto& v = groups[static_cast<std::size_t>(g)];
        std::erase_if(
            v, [](number const& n) { return n.is_real && n.real != n.real; });  // where a bitmap calls it a value
        std::sort(v.begin(), v.end(), before);
        std::size_t const n = v.size();
        a.counts[g] = static_cast<std::int64_t>(n);
        for (std::int32_t k = 0; k < a.nshares; ++k) {
            auto const rank = n == 0 ? 0 : static_cast<std::size_t>(a.shares[k] * static_cast<double>(n - 1));
            put(a.low, k * a.groups + g, n == 0 ? number{} : v[rank]);
            put(a.high, k * a.groups + g, n == 0 ? number{} : v[std::min(rank + 1, n - 1)]);
        }
        if (a.distinct == nullptr) continue;
        auto const same = [&](number const& x, number const& y) { return !before(x, y) && !before(y, x); };
        a.distinct[g] = std::unique(v.begin(), v.end(), same) - v.begin();
    }
}

void factorize(factorize_args& a) {
    std::vector<std::uint32_t> codes(static_cast<std::size_t>(a.length), null_group);
    auto const first = group_rows(a, codes);
    a.groups = static_cast<std::int64_t>(first.size());
    for (std::int64_t i = 0; i < a.length; ++i) {
        auto const c = codes[static_cast<std::size_t>(i)];
        if (a.codes != nullptr) a.codes[i] = c;
        if (a.wide_codes != nullptr) a.wide_codes[i] = c == null_group ? -1 : static_cast<std::int64_t>(c);
    }
    if (!a.want_first) return;
    a.first = static_cast<std::int64_t*>(a.allocate(a.owner, a.groups * 8));
    std::copy(first.begin(), first.end(), a.first);
}

void aggregate_by_id(aggregate_by_id_args const& a) {
    for (int k = 0; k < a.nrequests; ++k) {
        if (a.requests[k].running)
            throw failure{status::not_supported, "[aggregate_by_id] the reference has no running aggregates"};
    }
    for (int k = 0; k < a.nrequests; ++k) {
        auto const& r = a.requests[k];
        expects(contains(ops::aggregate_table[r.aggregate].group_types, r.column.dtype), status::not_supported,
                "this aggregate has no groups of this element type");
        auto const values =
            values_of_groups(a.codes, a.length, a.groups, r.aggregate == number_of<agg::size> ? nullptr : &r.column);
        auto const type = ops::group_result_type(r.aggregate, r.column.dtype);
        for (std::int64_t g = 0; g < a.groups; ++g) {
            auto const& v = values[static_cast<std::size_t>(g)];
            bool const valid = static_cast<std::int64_t>(v.size()) >= needed(r);
            store_as(type, r.out, g, valid ? aggregate(r, v) : number{}, valid);
            if (r.valid != nullptr) r.valid[g] = valid;
        }
    }
}

}  // namespace bascule::reference

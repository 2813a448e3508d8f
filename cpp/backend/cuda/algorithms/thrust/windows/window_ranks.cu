// Aggregates of moving windows by values in order: all values are sorted once; a window then looks for positions in
// that order among its rows.
#include <thrust/fill.h>

#include "backend/cuda/algorithms/thrust/order_key.hpp"
#include "backend/cuda/algorithms/thrust/windows/windows.hpp"

namespace bascule::cuda::algorithms {
namespace {

using ops::window::is_value;
using ops::window::not_a_number;

struct value_key {
    double const* values;
    order_key<std::uint64_t> key;
    BASCULE_HD std::uint64_t operator()(std::int64_t row) const {
        std::uint64_t bits = 0;
        double const v = values[row];
        __builtin_memcpy(&bits, &v, sizeof bits);
        return is_value(v) ? key(bits) : key.null;
    }
};
struct write_positions {
    std::uint32_t const* order;
    std::uint64_t const* keys;  // in order
    std::uint32_t* place;
    std::int64_t* same_before;  // the row before of the same value, or -1
    BASCULE_HD void operator()(std::int64_t i) const {
        place[order[i]] = static_cast<std::uint32_t>(i);
        same_before[order[i]] = i > 0 && keys[i] == keys[i - 1] ? static_cast<std::int64_t>(order[i - 1]) : -1;
    }
};

struct ordered_rows {
    double const* values;
    std::uint32_t const *order, *place;
    std::int64_t const* same_before;
    BASCULE_HD bool has(std::int64_t row) const { return is_value(values[row]); }
    BASCULE_HD std::int64_t count(rows w) const {
        std::int64_t n = 0;
        for (std::int64_t k = w.start; k < w.end; ++k) n += has(k);
        return n;
    }
    // The place of the window's k-th value, k below their number.
    BASCULE_HD std::uint32_t at(rows w, std::int64_t k, std::int64_t length) const {
        std::int64_t low = 0, high = length - 1;
        while (low < high) {
            std::int64_t const middle = low + (high - low) / 2;
            std::int64_t until = 0;
            for (std::int64_t row = w.start; row < w.end; ++row) until += has(row) && place[row] <= middle;
            if (until > k) high = middle;
            else low = middle + 1;
        }
        return static_cast<std::uint32_t>(low);
    }
    BASCULE_HD std::uint32_t after(rows w, std::uint32_t p) const {
        std::uint32_t next = 0xffffffffu;
        for (std::int64_t row = w.start; row < w.end; ++row)
            if (has(row) && place[row] > p && place[row] < next) next = place[row];
        return next;
    }
    BASCULE_HD double value(std::uint32_t p) const { return values[order[p]]; }
};

struct write_quantile {
    any_span span;
    ordered_rows in;
    window_request r;
    BASCULE_HD void operator()(std::int64_t i) const {
        rows const w = span(i);
        std::int64_t const n = in.count(w);
        r.out[i] = n == 0 || n < r.min_periods                                    ? not_a_number()
                   : r.aggregate == ops::aggregate_number<ops::aggregate::median> ? median(w, n)
                                                                                  : quantile(w, n);
    }
    BASCULE_HD double median(rows w, std::int64_t n) const {
        std::uint32_t const here = in.at(w, (n - 1) / 2, r.length);
        return n % 2 == 1 ? in.value(here) : (in.value(here) + in.value(in.after(w, here))) / 2;
    }
    BASCULE_HD double quantile(rows w, std::int64_t n) const {
        double const at = r.share * static_cast<double>(n - 1);
        auto const k = static_cast<std::int64_t>(at);
        double const part = at - static_cast<double>(k);
        std::uint32_t const here = in.at(w, k, r.length);
        double const low = in.value(here);
        if (n == 1 || part == 0) return low;
        double const high = in.value(in.after(w, here));
        switch (r.interpolation) {
            case window_interpolation::lower: return low;
            case window_interpolation::higher: return high;
            case window_interpolation::midpoint: return (low + high) / 2;
            case window_interpolation::nearest: return part < 0.5 || (part == 0.5 && k % 2 == 0) ? low : high;
            default: return low + (high - low) * part;
        }
    }
};

struct write_distinct {
    any_span span;
    ordered_rows in;
    window_request r;
    BASCULE_HD void operator()(std::int64_t i) const {
        rows const w = span(i);
        std::int64_t n = 0, distinct = 0;
        for (std::int64_t k = w.start; k < w.end; ++k) {
            if (!in.has(k)) continue;
            ++n;
            distinct += in.same_before[k] < w.start;
        }
        r.out[i] = n >= r.min_periods ? static_cast<double>(distinct) : not_a_number();
    }
};

struct find_rows {
    any_span span;
    std::uint32_t* any;
    BASCULE_HD void operator()(std::int64_t i) const {
        if (span(i).end > span(i).start) *any = 1;
    }
};
// The rank of the row that entered last. A window that no row entered has the rank of the window before, as in pandas.
struct write_rank {
    any_span span;
    ordered_rows in;
    window_request r;
    std::uint32_t const* any;
    BASCULE_HD bool entered(std::int64_t i) const {
        rows const now = span(i);
        return now.end > now.start && (i == 0 || now.end != span(i - 1).end);
    }
    BASCULE_HD double rank(rows w) const {
        double const x = in.values[w.end - 1];
        if (!is_value(x)) return not_a_number();
        std::int64_t before = 0, same = 0;
        for (std::int64_t k = w.start; k < w.end; ++k) {
            if (!in.has(k)) continue;
            before += r.ascending ? in.values[k] < x : in.values[k] > x;
            same += in.values[k] == x;
        }
        auto const least = static_cast<double>(before + 1), most = static_cast<double>(before + same);
        return r.ties == window_ties::min ? least : r.ties == window_ties::max ? most : (least + most) / 2;
    }
    BASCULE_HD void operator()(std::int64_t i) const {
        std::int64_t const n = in.count(span(i));
        std::int64_t from = i;
        while (from > 0 && !entered(from)) --from;
        double const found = entered(from) ? rank(span(from)) : 0;
        r.out[i] = n < r.min_periods || *any == 0 ? not_a_number() : r.percent ? found / static_cast<double>(n) : found;
    }
};

}  // namespace

void window_ranks(context const& c, window_request const& r) {
    std::int64_t const n = r.length, windows = r.span.windows;
    if (n >= most_positions) throw unsupported{"2^32 rows or more"};
    any_span const span(r);
    buffer<std::uint32_t> const order(c, n), place(c, n), any(c, 1);
    buffer<std::uint64_t> const keys(c, n);
    buffer<std::int64_t> const same(c, n);
    auto *const o = order.get(), *const found = any.get();
    auto* const k = keys.get();
    value_key const key{r.values, order_key<std::uint64_t>(key_kind::floating)};
    c.queue([=](auto const& policy) { thrust::fill(policy, found, found + 1, 0u); });
    fill_by_index(c, o, n, row_number{});
    fill_by_index(c, k, n, key);
    sort_pairs(c, k, o, n);
    for_each_index(c, n, write_positions{o, k, place.get(), same.get()});
    ordered_rows const in{r.values, o, place.get(), same.get()};
    if (r.aggregate == ops::aggregate_number<ops::aggregate::nunique>)
        return for_each_index(c, windows, write_distinct{span, in, r});
    if (r.aggregate != ops::aggregate_number<ops::aggregate::rank>)
        return for_each_index(c, windows, write_quantile{span, in, r});
    for_each_index(c, windows, find_rows{span, found});
    for_each_index(c, windows, write_rank{span, in, r, found});
}

}  // namespace bascule::cuda::algorithms

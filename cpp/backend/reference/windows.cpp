#include "backend/reference/windows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "backend/reference/failure.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::reference {
namespace {

using i64 = std::int64_t;
using numbers = std::vector<double>;
namespace agg = ops::aggregate;
template <class A> constexpr std::uint16_t number = ops::aggregate_number<A>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct window_rows {
    i64 start, end;
};

window_rows rows_of(window_request const& r, i64 i) {
    auto const& s = r.span;
    i64 const start = s.start ? s.start[i] : std::clamp<i64>(i * s.step + s.low, 0, r.length);
    i64 const end = s.start ? s.end[i] : std::clamp<i64>(i * s.step + s.high, 0, r.length);
    return {start, std::max(start, end)};
}

double mean_of(numbers const& v) {
    long double sum = 0;
    for (double const x : v) sum += x;
    return static_cast<double>(sum / static_cast<long double>(v.size()));
}

// The sum of products of deviations, each to a power.
long double central(numbers const& v, int power) {
    long double sum = 0, mean = 0;
    for (double const x : v) mean += x;
    mean /= static_cast<long double>(v.size());
    for (double const x : v) sum += std::pow(x - mean, static_cast<long double>(power));
    return sum;
}

long double product(numbers const& x, numbers const& y) {
    long double sum = 0;
    double const mx = mean_of(x), my = mean_of(y);
    for (std::size_t i = 0; i < x.size(); ++i) sum += (static_cast<long double>(x[i]) - mx) * (y[i] - my);
    return sum;
}

double shape(numbers const& v, int order) {
    auto const n = static_cast<long double>(v.size());
    long double const m2 = central(v, 2);
    if (n < order || *std::min_element(v.begin(), v.end()) == *std::max_element(v.begin(), v.end())) return nan;
    if (order == 3) return static_cast<double>(n * std::sqrt(n - 1) / (n - 2) * central(v, 3) / std::pow(m2, 1.5L));
    long double const part = n * (n + 1) * (n - 1) * central(v, 4) / (m2 * m2);
    return static_cast<double>((part - 3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3)));
}

double quantile(numbers v, double share, window_interpolation how) {
    std::sort(v.begin(), v.end());
    double const at = share * static_cast<double>(v.size() - 1);
    auto const k = static_cast<std::size_t>(at);
    double const part = at - static_cast<double>(k), low = v[k], high = v[std::min(k + 1, v.size() - 1)];
    if (part == 0) return low;
    switch (how) {
        case window_interpolation::lower: return low;
        case window_interpolation::higher: return high;
        case window_interpolation::midpoint: return (low + high) / 2;
        case window_interpolation::nearest: return part < 0.5 || (part == 0.5 && k % 2 == 0) ? low : high;
        default: return low + (high - low) * part;
    }
}

double rank(window_request const& r, numbers const& v, double x) {
    double less = 0, same = 0;
    for (double const other : v) {
        less += r.ascending ? other < x : other > x;
        same += other == x;
    }
    double const found = r.ties == window_ties::min   ? less + 1
                         : r.ties == window_ties::max ? less + same
                                                      : less + (same + 1) / 2;
    return r.percent ? found / static_cast<double>(v.size()) : found;
}

double of_pairs(window_request const& r, numbers const& x, numbers const& y) {
    auto const n = static_cast<i64>(x.size());
    if (r.aggregate == number<agg::cov>)
        return n > r.ddof ? static_cast<double>(product(x, y) / static_cast<long double>(n - r.ddof)) : nan;
    expects(r.aggregate == number<agg::corr>, status::not_supported, "there is no formula for this aggregate of pairs");
    long double const xx = product(x, x), yy = product(y, y);
    return n > 1 && xx > 0 && yy > 0 ? static_cast<double>(product(x, y) / std::sqrt(xx * yy)) : nan;
}

// Aggregates without a formula here: all values enter, none leaves.
double by_its_state(window_request const& r, numbers const& v) {
    double found = nan;
    ops::with_window_aggregate(r.aggregate, [&]<class A>(A) {
        if constexpr (requires(typename A::in_windows s) { s.enter(0.0); }) {
            typename A::in_windows state;
            for (double const x : v) state.enter(x);
            found = state.result(r.min_periods, r.ddof);
        }
    });
    return found;
}

double of_values(window_request const& r, numbers const& v) {
    auto const n = static_cast<i64>(v.size());
    switch (r.aggregate) {
        case number<agg::sum>: return n == 0 ? 0 : mean_of(v) * static_cast<double>(n);
        case number<agg::nunique>: return static_cast<double>(std::set<double>(v.begin(), v.end()).size());
        default: break;
    }
    if (n == 0) return nan;
    switch (r.aggregate) {
        case number<agg::mean>: return mean_of(v);
        case number<agg::var>:
            return n > r.ddof ? static_cast<double>(central(v, 2) / static_cast<long double>(n - r.ddof)) : nan;
        case number<agg::skew>: return shape(v, 3);
        case number<agg::kurt>: return shape(v, 4);
        case number<agg::minimum>: return *std::min_element(v.begin(), v.end());
        case number<agg::maximum>: return *std::max_element(v.begin(), v.end());
        case number<agg::first>: return v.front();
        case number<agg::last>: return v.back();
        case number<agg::median>: return quantile(v, 0.5, window_interpolation::linear);
        case number<agg::quantile>: return quantile(v, r.share, r.interpolation);
        default: return by_its_state(r, v);
    }
}

// The rank of the row that the last window of any rows to be taken in ended with.
double ranked(window_request const& r, i64 i, numbers const& v) {
    i64 from = i;
    while (from > 0 &&
           (rows_of(r, from).end == rows_of(r, from - 1).end || rows_of(r, from).end == rows_of(r, from).start))
        --from;
    auto const [start, end] = rows_of(r, from);
    if (start == end) {
        bool some = false;
        for (i64 k = 0; k < r.span.windows; ++k) some |= rows_of(r, k).end > rows_of(r, k).start;
        return some ? 0 : nan;
    }
    numbers there;
    for (i64 k = start; k < end; ++k)
        if (std::isfinite(r.values[k])) there.push_back(r.values[k]);
    if (!std::isfinite(r.values[end - 1])) return nan;
    window_request plain = r;
    plain.percent = false;
    double const found = rank(plain, there, r.values[end - 1]);
    return r.percent ? found / static_cast<double>(v.size()) : found;
}

double one_window(window_request const& r, i64 i) {
    auto const [start, end] = rows_of(r, i);
    numbers x, y;
    double there = 0;
    for (i64 k = start; k < end; ++k) {
        there += !std::isnan(r.values[k]);
        if (!std::isfinite(r.values[k]) || (r.others && !std::isfinite(r.others[k]))) continue;
        x.push_back(r.values[k]);
        if (r.others) y.push_back(r.others[k]);
    }
    if (r.aggregate == number<agg::count>) return end - start >= r.min_periods ? there : nan;
    if (static_cast<i64>(x.size()) < r.min_periods) return nan;
    if (r.aggregate == number<agg::rank>) return ranked(r, i, x);
    if (r.others) return x.empty() ? nan : of_pairs(r, x, y);
    return of_values(r, x);
}

double exponential(window_exponential_args const& a, i64 first, i64 row) {
    // Weights of all rows of the segment until this one, from the newest to the oldest.
    double const keep = 1 - 1 / (1 + a.com);
    auto const there = [&](i64 k) { return std::isfinite(a.values[k]) && (!a.others || std::isfinite(a.others[k])); };
    long double weight = 1, sum = 0, squares = 0, total = 0, mean_x = 0, mean_y = 0;
    std::vector<long double> weights;
    std::vector<i64> rows;
    i64 oldest = -1;
    for (i64 k = first; k <= row && oldest < 0; ++k)
        if (there(k)) oldest = k;
    for (i64 k = row; oldest >= 0 && k >= oldest; --k) {
        if (there(k)) {
            weights.push_back(weight * (a.adjust || k == oldest ? 1 : 1 / (1 + a.com)));
            rows.push_back(k);
        }
        if (there(k) || !a.ignore_missing) weight *= std::pow(keep, a.deltas && k > first ? a.deltas[k - 1] : 1.0);
    }
    if (static_cast<i64>(rows.size()) < a.min_periods || rows.empty()) return nan;
    if (!a.adjust && !a.ignore_missing && !a.deltas) {  // gaps: a value after one is weighed against the remaining
                                                        // weight
        weights.clear();
        long double left = 1;
        for (auto it = rows.rbegin(); it != rows.rend(); ++it) {
            if (it != rows.rbegin()) {
                left = std::pow(keep, static_cast<double>(*it - *(it - 1)));
                // With com = 1, pandas' mean gives a new value all of the weight that earlier values have lost.
                long double const share = a.op == exponential_op::mean && a.com == 1 ? 1 - left : 1 / (1 + a.com);
                for (auto& w : weights) w *= left / (left + share);
                weights.push_back(share / (left + share));
            } else weights.push_back(1);
        }
        std::reverse(weights.begin(), weights.end());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        sum += weights[i] * a.values[rows[i]];
        mean_y += weights[i] * (a.others ? a.others[rows[i]] : 0);
        total += weights[i];
        squares += weights[i] * weights[i];
    }
    if (a.op == exponential_op::sum) return static_cast<double>(sum);
    if (a.op == exponential_op::mean) return static_cast<double>(sum / total);
    mean_x = sum / total;
    mean_y /= total;
    long double cov = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        cov += weights[i] * (a.values[rows[i]] - mean_x) * (a.others[rows[i]] - mean_y);
    cov /= total;
    if (a.bias) return static_cast<double>(cov);
    long double const all = total * total, rest = all - squares;
    return rows.size() > 1 && rest > 0 ? static_cast<double>(all / rest * cov) : nan;
}

}  // namespace

void window_aggregate(window_aggregate_args const& a) {
    for (i64 k = 0; k < a.nrequests; ++k) {
        expects(ops::is_window_aggregate(a.requests[k].aggregate), status::not_supported,
                "this aggregate has no windows");
        for (i64 i = 0; i < a.requests[k].span.windows; ++i) a.requests[k].out[i] = one_window(a.requests[k], i);
    }
}

void window_bounds(window_bounds_args const& a) {
    for (i64 g = 0; g < a.nsegments; ++g) {
        i64 const first = a.segments[g], past = a.segments[g + 1];
        for (i64 i = first; i < past; ++i) {
            i64 start = std::clamp(i + a.low, first, past), end = std::clamp(i + a.high, first, past);
            if (a.ticks) {
                long double const sign = a.ticks[past - 1] < a.ticks[first] ? -1 : 1, size = a.size;
                auto const ahead = [&](i64 k) { return (static_cast<long double>(a.ticks[k]) - a.ticks[i]) * sign; };
                long double const low = a.centered ? -size / 2 : -size, high = a.centered ? size / 2 : 0;
                for (start = first; start < i && !(a.left_closed ? ahead(start) >= low : ahead(start) > low);) ++start;
                for (end = first; end < past && (a.right_closed ? ahead(end) <= high : ahead(end) < high);) ++end;
                if (a.right_closed && !a.centered) end = i + 1;
            }
            a.start[i] = start;
            a.end[i] = std::max(start, end);
        }
    }
}

void window_exponential(window_exponential_args const& a) {
    for (i64 g = 0; g < a.nsegments; ++g)
        for (i64 i = a.segments[g]; i < a.segments[g + 1]; ++i) a.out[i] = exponential(a, a.segments[g], i);
}

}  // namespace bascule::reference

// Counts and sums by number. Counts are taken by all threads into tables of their own; sums go one after the other.
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/fp_status.hpp"
#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/scratch.hpp"
#include "backend/cpu/dispatch/bin_kernels.hpp"
#include "bascule/core/element_dispatch.hpp"

namespace bascule::cpu {
namespace {

constexpr std::int64_t none = -1;

// Tables of two threads have no cache line in common.
constexpr std::int64_t apart = 8;
std::size_t length_of_table(std::int64_t entries) noexcept { return static_cast<std::size_t>(entries + apart); }

status bad_index(bincount_args& a, std::int64_t at) noexcept {
    a.bad_value = a.index[at];
    return fail(status::index_error, "[bincount] an index lies outside the bins");
}

// Position of the first index out of range, or none.
std::int64_t count_into(std::int64_t const* index, std::int64_t begin, std::int64_t end, std::int64_t bins,
                        std::int64_t* counts) noexcept {
    for (std::int64_t i = begin; i < end; ++i) {
        if (static_cast<std::uint64_t>(index[i]) >= static_cast<std::uint64_t>(bins)) return i;
        ++counts[index[i]];
    }
    return none;
}

status count(bincount_args& a) {
    auto* const out = static_cast<std::int64_t*>(a.out);
    row_blocks work(a.length, sched::thread_count(), 65536);
    if (work.count * a.bins > 2 * a.length) work.count = 1;  // the tables would cost more than the counting
    if (work.count == 1) {
        auto const bad = count_into(a.index, 0, a.length, a.bins, out);
        return bad == none ? status::ok : bad_index(a, bad);
    }
    std::vector<std::vector<std::int64_t>> each(static_cast<std::size_t>(work.count),
                                                std::vector<std::int64_t>(length_of_table(a.bins)));
    std::atomic<std::int64_t> bad{none};
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        auto const found = count_into(a.index, begin, end, a.bins, each[static_cast<std::size_t>(t)].data());
        if (found != none) bad.store(found);
    });
    if (bad.load() != none) return bad_index(a, bad.load());
    for (auto const& counts : each)
        for (std::int64_t b = 0; b < a.bins; ++b) out[b] += counts[static_cast<std::size_t>(b)];
    return status::ok;
}

// As NumPy's maximum.at and minimum.at: of two equals the second.
template <class T> void keep_extreme(T& to, T v, bool greater) noexcept {
    if (!(greater ? to > v : to < v)) to = v;
}

template <class T> status sum(bincount_args& a) noexcept {
    if (a.fp_flags != nullptr) fp_status::clear();
    auto const* const values = static_cast<T const*>(a.values);
    auto* const out = static_cast<T*>(a.out);
    for (std::int64_t i = 0; i < a.length; ++i) {
        if (static_cast<std::uint64_t>(a.index[i]) >= static_cast<std::uint64_t>(a.bins)) return bad_index(a, i);
        T& to = out[a.index[i]];
        T const& v = values[i * a.step];
        if constexpr (std::is_class_v<T>) to.re += v.re, to.im += v.im;
        else if (a.op != bincount_op::add) keep_extreme(to, v, a.op == bincount_op::maximum);
        else to = static_cast<T>(to + v);
    }
    if (a.fp_flags != nullptr) *a.fp_flags |= fp_status::raised();
    return status::ok;
}

// ---- histograms

// The bin of x in NumPy's arithmetic, T that of the data, D that of the division.
template <class T, class D> class uniform_bins {
public:
    explicit uniform_bins(histogram_args const& a) noexcept
        : edges_(static_cast<T const*>(a.edges)), first_(edges_[0]), last_(edges_[a.bins]),
          width_(static_cast<D>(a.width)), bins_(static_cast<D>(a.bins)), count_(a.bins) {}
    // `count_` for values outside.
    std::int64_t operator()(T x) const noexcept {
        bool const inside = x >= first_ && x <= last_;
        T const y = inside ? x : first_;
        auto i = static_cast<std::int64_t>(static_cast<D>(y - first_) / width_ * bins_);
        i = std::min(i, count_ - 1);
        i -= i > 0 && y < edges_[i] ? 1 : 0;
        i += i != count_ - 1 && y >= edges_[i + 1] ? 1 : 0;
        return inside ? i : count_;
    }

private:
    T const* edges_;
    T first_, last_;
    D width_, bins_;
    std::int64_t count_;
};

// The same bins where they are much wider than the rounding of an edge: a product instead of the quotient is off by one
// bin at most, as NumPy's own guess is, and the edges then say which.
template <class T> class wide_bins {
public:
    static bool fits(histogram_args const& a) noexcept {
        auto const* const edges = static_cast<T const*>(a.edges);
        double const reach =
            std::max(std::abs(static_cast<double>(edges[0])), std::abs(static_cast<double>(edges[a.bins])));
        return a.bins <= most_bins && a.width / static_cast<double>(a.bins) >
                                          16 * static_cast<double>(std::numeric_limits<T>::epsilon()) * reach;
    }
    explicit wide_bins(histogram_args const& a)
        : count_(static_cast<std::int32_t>(a.bins)), low_(static_cast<std::size_t>(a.bins) + 1, -endless),
          high_(low_.size(), endless) {
        auto const* const edges = static_cast<T const*>(a.edges);
        first_ = edges[0], last_ = edges[a.bins];
        scale_ = static_cast<double>(a.bins) / (static_cast<double>(last_) - static_cast<double>(first_));
        // Guesses increase with their values, so a guess is right if it is further inside its bin than the guesses of
        // the edges are off.
        double off = 0;
        for (std::int64_t b = 0; b <= a.bins; ++b)
            off = std::max(off, std::abs((static_cast<double>(edges[b]) - static_cast<double>(first_)) * scale_ -
                                         static_cast<double>(b)));
        margin_ = off + 1e-9;
        for (std::size_t b = 1; b + 1 < low_.size(); ++b) low_[b] = high_[b - 1] = edges[b];
        low_.back() = high_.back() = std::numeric_limits<T>::quiet_NaN();  // values outside stay there, infinities too
    }
    // The bins of n values, `a.bins` for values outside.
    void operator()(T const* x, std::int64_t n, std::int32_t* out) const noexcept {
        bin_limits<T> const limits{first_, last_, scale_, margin_, count_, low_.data(), high_.data()};
        if constexpr (sizeof(T) == 8) kernels_.of_double(limits, x, n, out);
        else kernels_.of_float(limits, x, n, out);
    }

private:
    static constexpr std::int64_t most_bins = std::int64_t{1} << 18;
    static constexpr T endless = std::numeric_limits<T>::infinity();
    std::int32_t count_;
    T first_, last_;
    double scale_, margin_;
    std::vector<T> low_, high_;
    bin_kernels const& kernels_ = active_bin_kernels();
};

constexpr std::int64_t
    ways = 4,
    few_bins = 4096;  // neighbours in one bin wait for each other's store, but in tables of their own do not
constexpr std::int64_t chunk = 512;

// Bins of a chunk of values at a time: f(first, n, bins).
template <class T, class D, class F>
void bins_of(histogram_args const& a, wide_bins<T> const* fast, std::int64_t begin, std::int64_t end,
             F const& f) noexcept {
    auto const* const data = static_cast<T const*>(a.data);
    std::int32_t few[chunk];
    std::int64_t at[chunk];
    uniform_bins<T, D> const exact(a);
    for (std::int64_t i = begin; i < end; i += chunk) {
        std::int64_t const n = std::min(chunk, end - i);
        if (fast != nullptr) {
            (*fast)(data + i, n, few);
            f(i, n, static_cast<std::int32_t const*>(few));
        } else {
            for (std::int64_t k = 0; k < n; ++k) at[k] = exact(data[i + k]);
            f(i, n, static_cast<std::int64_t const*>(at));
        }
    }
}

template <class T> std::unique_ptr<wide_bins<T>> fast_bins(histogram_args const& a) {
    return wide_bins<T>::fits(a) ? std::make_unique<wide_bins<T>>(a) : nullptr;
}

template <class Index>
void count_in_ways(std::int64_t* counts, std::int64_t row, Index const* at, std::int64_t n) noexcept {
    static_assert(ways == 4);
    std::int64_t *const first = counts, *const second = first + row, *const third = second + row,
                        *const fourth = third + row;
    std::int64_t i = 0;
    for (; i + ways <= n; i += ways) ++first[at[i]], ++second[at[i + 1]], ++third[at[i + 2]], ++fourth[at[i + 3]];
    for (; i < n; ++i) ++first[at[i]];
}

template <class T, class D> void count_bins(histogram_args const& a) {
    auto const fast = fast_bins<T>(a);
    std::int64_t const tables = a.bins <= few_bins ? ways : 1, row = a.bins + 1;
    row_blocks work(a.length, (a.bins <= few_bins ? 4 : 1) * sched::thread_count(), 65536);
    if (work.count * row > 2 * a.length) work.count = 1;
    std::vector<std::vector<std::int64_t>> each(static_cast<std::size_t>(work.count),
                                                std::vector<std::int64_t>(length_of_table(tables * row)));
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        auto* const counts = each[static_cast<std::size_t>(t)].data();
        bins_of<T, D>(a, fast.get(), begin, end, [&](std::int64_t, std::int64_t n, auto const* at) {
            if (tables == ways) return count_in_ways(counts, row, at, n);
            for (std::int64_t i = 0; i < n; ++i) ++counts[at[i]];
        });
    });
    std::fill_n(a.counts, a.bins, std::int64_t{0});
    for (auto const& counts : each)
        for (std::int64_t k = 0; k < tables; ++k)
            for (std::int64_t b = 0; b < a.bins; ++b) a.counts[b] += counts[static_cast<std::size_t>(k * row + b)];
}

double add_block(histogram_args const& a, double before, double block) noexcept {
    if (a.rounding == sum_rounding::both) return static_cast<float>(before) + static_cast<float>(block);
    return a.rounding == sum_rounding::result ? static_cast<float>(before + block) : before + block;
}

template <class T, class D> void sum_bins(histogram_args const& a) {
    auto const fast = fast_bins<T>(a);
    auto const* const weights = static_cast<double const*>(a.weights);
    auto* const totals = static_cast<double*>(a.sums);
    std::int64_t const blocks = (a.length + a.block - 1) / a.block,
                       wave = std::min<std::int64_t>(4 * std::int64_t{sched::thread_count()},
                                                     std::max<std::int64_t>(blocks, 1)),
                       row = a.bins + 1 + apart;
    std::vector<double> sums(static_cast<std::size_t>(wave * row));
    std::fill_n(totals, a.bins, 0.0);
    for (std::int64_t from = 0; from < blocks; from += wave) {
        std::int64_t const count = std::min(wave, blocks - from);
        sched::parallel_for(count, true, [&](std::int64_t w) {
            double* const to = sums.data() + w * row;
            std::fill_n(to, row, 0.0);
            std::int64_t const begin = (from + w) * a.block, end = std::min(begin + a.block, a.length);
            bins_of<T, D>(a, fast.get(), begin, end, [&](std::int64_t i, std::int64_t n, auto const* at) {
                for (std::int64_t k = 0; k < n; ++k) to[at[k]] += weights[i + k];
            });
        });
        for (std::int64_t w = 0; w < count; ++w)
            for (std::int64_t b = 0; b < a.bins; ++b) {
                double const v = sums[static_cast<std::size_t>(w * row + b)];
                totals[b] = add_block(a, totals[b], v);
            }
    }
}

template <class T, class D> void fill_bins(histogram_args const& a) {
    if (a.weights != nullptr) sum_bins<T, D>(a);
    else count_bins<T, D>(a);
}

}  // namespace

status bincount(bincount_args& a) noexcept {
    return guarded("[bincount] no memory for the counts", [&] {
        if (a.values == nullptr) return count(a);
        status found = status::not_supported;
        if (with_element<types::numbers & ~bit(type_id::float16)>(a.dtype, [&]<class T>(T) { found = sum<T>(a); }))
            return found;
        return fail(found, "[bincount] values are integers, float32, float64, complex64 or complex128");
    });
}

status histogram(histogram_args const& a) noexcept {
    return guarded("[histogram] no memory for the bins", [&] {
        if (a.dtype == type_id::float64) fill_bins<double, double>(a);
        else if (a.dtype == type_id::float32 && a.wide) fill_bins<float, double>(a);
        else if (a.dtype == type_id::float32) fill_bins<float, float>(a);
        else return fail(status::not_supported, "[histogram] data are float32 or float64");
        return status::ok;
    });
}

}  // namespace bascule::cpu

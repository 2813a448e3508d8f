// Elements by rank without sorting. Where the machine sorts in vectors, it partitions the values in vectors until the
// ranks are found. Else values are counted in bins of equal width over the range of their keys, and only the bins that
// hold a wanted rank are searched.
#include "backend/cpu/sort/comparison_key.hpp"
#include "backend/cpu/sort/each_row.hpp"
#include "backend/cpu/sort/lane_form.hpp"
#include "backend/cpu/sort/radix.hpp"
#include "backend/cpu/sort/simd_select.hpp"
#include "backend/cpu/sort/sort.hpp"

namespace bascule::cpu::sorting {
namespace {

constexpr std::int64_t few_keys = 16384;  // fewer are put in order where they are
constexpr int bin_bits = 14;

struct wanted {
    std::int64_t const* ranks;
    std::int64_t count, before;  // `before`: elements that come before all of these
    std::uint64_t* out;
    std::int64_t rank(std::int64_t k) const noexcept { return ranks[k] - before; }
};

struct key_list {
    std::uint64_t const* keys;
    std::uint64_t operator()(std::int64_t i) const noexcept { return keys[i]; }
};

template <class Key> void select_few(Key const& key, std::int64_t n, wanted const& w) {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) keys[static_cast<std::size_t>(i)] = key(i);
    auto from = keys.begin();
    for (std::int64_t k = 0; k < w.count; ++k) {
        auto const at = keys.begin() + w.rank(k);
        if (at >= from) std::nth_element(from, at, keys.end()), from = at + 1;
        w.out[k] = *at;
    }
}

void select_in(key_list key, std::int64_t n, wanted const& w);

// Ranks that fall into one bin, and how many elements come before it.
struct bin_group {
    std::int64_t first_rank, ranks, before;
};

std::vector<bin_group> group_ranks(std::vector<std::int64_t> const& bins, wanted const& w,
                                   std::vector<std::uint32_t>& group_of_bin) {
    std::vector<bin_group> groups;
    std::int64_t before = 0, k = 0;
    for (std::size_t b = 0; b < bins.size() && k < w.count; before += bins[b++]) {
        std::int64_t const first = k;
        while (k < w.count && w.rank(k) < before + bins[b]) ++k;
        if (k == first) continue;
        group_of_bin[b] = static_cast<std::uint32_t>(groups.size());
        groups.push_back({first, k - first, before});
    }
    return groups;
}

template <class Key>
std::vector<std::int64_t> count_bins(Key const& key, row_blocks const& work, std::uint64_t low, int shift,
                                     std::size_t bins) {
    std::vector<std::vector<std::int64_t>> each(static_cast<std::size_t>(work.count), std::vector<std::int64_t>(bins));
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        auto* const counts = each[static_cast<std::size_t>(t)].data();
        for (std::int64_t i = begin; i < end; ++i) ++counts[(key(i) - low) >> shift];
    });
    for (std::size_t t = 1; t < each.size(); ++t)
        for (std::size_t b = 0; b < bins; ++b) each[0][b] += each[t][b];
    return std::move(each[0]);
}

template <class Key> void select_many(Key const& key, std::int64_t n, wanted const& w) {
    key_bounds const range = bounds(key, n);
    if (range.low == range.high) return static_cast<void>(std::fill_n(w.out, w.count, range.low));
    int const shift = std::max(0, bits_for(range.high - range.low) - bin_bits);
    auto const bins = static_cast<std::size_t>((range.high - range.low) >> shift) + 1;
    row_blocks const work(n);
    std::vector<std::uint32_t> group_of_bin(bins, ~0u);
    auto const groups = group_ranks(count_bins(key, work, range.low, shift, bins), w, group_of_bin);
    auto const others = static_cast<std::uint32_t>(groups.size());
    for (auto& g : group_of_bin) g = std::min(g, others);
    auto const part = [&](std::int64_t i) { return group_of_bin[(key(i) - range.low) >> shift]; };
    std::vector<std::int64_t> start;
    auto at = positions(work, others + 1, part, start);
    scratch<std::uint64_t> found(start[others]);
    if (!found.ready()) throw std::bad_alloc();
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        auto* const next = at[static_cast<std::size_t>(t)].data();
        for (std::int64_t i = begin; i < end; ++i)
            if (auto const g = part(i); g != others) found[next[g]++] = key(i);
    });
    for (std::size_t g = 0; g < groups.size(); ++g)
        select_in({found.data() + start[g]}, start[g + 1] - start[g],
                  {w.ranks + groups[g].first_rank, groups[g].ranks, w.before + groups[g].before,
                   w.out + groups[g].first_rank});
}

template <class Key> void select(Key const& key, std::int64_t n, wanted const& w) {
    if (n <= few_keys) select_few(key, n, w);
    else select_many(key, n, w);
}
void select_in(key_list key, std::int64_t n, wanted const& w) { select(key, n, w); }

// Comparisons do not distinguish zeros of two signs: sets those at ranks that are known to be of zeros.
template <class T> void sign_zeros(T const* data, select_ranks_args const& a) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        auto* const out = static_cast<T*>(a.out);
        if (std::find(out, out + a.count, T{0}) == out + a.count) return;
        std::int64_t below = 0;
        for (std::int64_t i = 0; i < a.length; ++i) below += data[i] < 0 || (data[i] == 0 && std::signbit(data[i]));
        for (std::int64_t k = 0; k < a.count; ++k)
            if (out[k] == 0) out[k] = a.ranks[k] < below ? -T{0} : T{0};
    }
}

// False: the machine's vectors are too narrow, or there are none for the type.
template <class T> bool select_in_lanes(T const* data, select_ranks_args const& a) {
    using form = lane_form<T>;
    if constexpr (form::exists) {
        using lane = typename form::lane;
        auto const* const kernels = form::kernels();
        if (kernels == nullptr) return false;
        simd_selector<lane> const selector(*kernels,
                                           std::get<partition_kernels_of_type<lane>>(active_partition_kernels()));
        std::int64_t const n = a.length;
        scratch<lane> lanes(n + simd_selector<lane>::room);
        if (!lanes.ready()) throw std::bad_alloc();
        auto const ranks = [&](std::int64_t below) {
            auto const count = std::lower_bound(a.ranks, a.ranks + a.count, below) - a.ranks;
            return std::span(a.ranks, static_cast<std::size_t>(count));
        };
        std::int64_t kept = n, base = -1;
        lane const* from = lanes.data();
        if constexpr (form::is_value) {
            from = data;
            base = selector.run_narrowed(data, lanes.data(), n, ranks(n));
        } else {
            std::transform(data, data + n, lanes.data(), form::of);
        }
        if (base < 0) {
            lane least, most;
            if (!form::keeps_null && kernels->range(from, n, least, most)) {
                std::copy_n(from, n, lanes.data());
                from = lanes.data();
                kept = form::without_null(lanes.data(), n);
            }
            selector.run(from, lanes.data(), kept, ranks(kept));
            base = 0;
        }
        for (std::int64_t k = 0; k < a.count; ++k)
            static_cast<T*>(a.out)[k] = a.ranks[k] < kept ? form::back(lanes[a.ranks[k] - base]) : normal<T>::null();
        sign_zeros(data, a);
        return true;
    }
    return false;
}

template <class T> void select_values(select_ranks_args const& a) {
    auto const* const data = static_cast<T const*>(a.data);
    if (select_in_lanes(data, a)) return;
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(a.count));
    auto const key = [data](std::int64_t i) { return ordered_key(data[i]); };
    select(key, a.length, {a.ranks, a.count, 0, keys.data()});
    for (std::int64_t k = 0; k < a.count; ++k)
        static_cast<T*>(a.out)[k] = from_ordered_key<T>(keys[static_cast<std::size_t>(k)]);
}

}  // namespace

status select_ranks(select_ranks_args const& a) noexcept {
    if (a.length > most_rows) return fail(status::not_supported, "[select_ranks] expected fewer than 2^32 values");
    status r = status::ok;
    bool const known = visit_key_type(a.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        r = each_row(a.rows, a.length, "[select_ranks] no memory for the keys", [&](std::int64_t row) {
            select_ranks_args one = a;
            one.data = static_cast<T const*>(a.data) + row * a.length;
            one.out = static_cast<T*>(a.out) + row * a.count;
            select_values<T>(one);
            return status::ok;
        });
    });
    return known ? r : fail(status::not_supported, "[select_ranks] complex values have no order here");
}

}  // namespace bascule::cpu::sorting

// Values alone: split and sorted as bare keys and turned back; few distinct values are counted.
#include <cmath>
#include <cstring>

#include "backend/cpu/dispatch/partition_kernels.hpp"
#include "backend/cpu/sort/each_row.hpp"
#include "backend/cpu/sort/lane_form.hpp"
#include "backend/cpu/sort/radix.hpp"
#include "backend/cpu/sort/short_lines.hpp"
#include "backend/cpu/sort/simd_sort.hpp"
#include "backend/cpu/sort/sort.hpp"

namespace bascule::cpu::sorting {
namespace {

constexpr std::uint64_t countable = std::uint64_t{1} << 16;

template <class T> class value_sorter {
    using form = lane_form<T>;
    using lane = typename form::lane;

public:
    value_sorter(T const* in, T* out, std::int64_t n) noexcept : in_(in), out_(out), n_(n), kernels_(form::kernels()) {}
    void run() {
        if constexpr (form::exists)
            if (kernels_ != nullptr && n_ <= limits().small_sort) return sort_few_lanes();
        find_range();
        if (low_ > high_) std::fill_n(out_, n_, normal<T>::null());  // nothing but null
        else if (n_ <= limits().small_sort) sort_few();
        else if (ascends()) copy();
        else if (high_ - low_ < countable) count_values();
        else sort_many();
        if (failed_.load()) throw std::bad_alloc();
    }

private:
    std::uint64_t key(std::int64_t i) const noexcept {
        T const v = in_[i];
        return normal<T>::is_null(v) ? high_ + 1 : normal<T>::ordered(v);
    }
    T value(std::uint64_t k) const noexcept { return k > high_ ? normal<T>::null() : normal<T>::value(k); }
    std::uint64_t top() const noexcept { return high_ + (nulls_ ? 1 : 0); }

    void sort_few_lanes() {
        scratch<lane> spare(n_);
        if (!spare.ready()) throw std::bad_alloc();
        form::sort_line(*kernels_, in_, out_, n_, reinterpret_cast<lane*>(out_), spare.data());
    }

    void sort_many_lanes() {
        scratch<lane> spare(n_);
        if (!spare.ready()) throw std::bad_alloc();
        auto* const lanes = reinterpret_cast<lane*>(out_);
        // Values that need no conversion are read from the input by the first split.
        bool const as_they_are = form::is_value && !nulls_;
        if (!as_they_are)
            row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) lanes[i] = form::of(in_[i]);
            });
        std::int64_t const kept = nulls_ ? form::without_null(lanes, n_) : n_;
        auto const* const from = as_they_are ? reinterpret_cast<lane const*>(in_) : lanes;
        simd_sorter(*kernels_).run(from, lanes, spare.data(), kept);
        row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            std::int64_t const sorted = std::clamp<std::int64_t>(kept - begin, 0, end - begin);
            form::finish(lanes + begin, sorted, out_ + begin, end - begin);
        });
        form::order_zeros(out_, kept);
    }
    void find_range() {
        row_blocks const work(n_);
        struct part {
            key_bounds range;
            bool nulls = false;
        };
        std::vector<part> each(static_cast<std::size_t>(work.count));
        work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
            part p;
            if constexpr (form::exists && form::is_value)
                if (kernels_ != nullptr) {
                    T least{}, most{};
                    p.nulls = kernels_->range(in_ + begin, end - begin, least, most);
                    if (!(most < least)) p.range = {normal<T>::ordered(least), normal<T>::ordered(most)};
                    // Zeros of both signs are one to comparisons, but not to keys.
                    if constexpr (std::is_floating_point_v<T>) {
                        if (least == 0) p.range.low = normal<T>::ordered(-T{0});
                        if (most == 0) p.range.high = normal<T>::ordered(T{0});
                    }
                    each[static_cast<std::size_t>(t)] = p;
                    return;
                }
            for (std::int64_t i = begin; i < end; ++i) {
                if (normal<T>::is_null(in_[i])) {
                    p.nulls = true;
                    continue;
                }
                std::uint64_t const k = normal<T>::ordered(in_[i]);
                p.range.low = std::min(p.range.low, k);
                p.range.high = std::max(p.range.high, k);
            }
            each[static_cast<std::size_t>(t)] = p;
        });
        for (auto const& p : each) {
            low_ = std::min(low_, p.range.low);
            high_ = std::max(high_, p.range.high);
            nulls_ |= p.nulls;
        }
    }
    bool ascends() const {
        std::atomic<bool> down{false};
        row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = std::max<std::int64_t>(begin, 1); i < end; ++i)
                if (key(i - 1) > key(i)) return down.store(true);
        });
        return !down.load();
    }
    void copy() {
        row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) out_[i] = value(key(i));
        });
    }

    void sort_few() {
        scratch<bare_key> keys(n_), spare(n_);
        if (!keys.ready() || !spare.ready()) throw std::bad_alloc();
        for (std::int64_t i = 0; i < n_; ++i) keys[i].key = key(i);
        bucket_counts counts;
        put(sort_piece(keys.data(), spare.data(), n_, counts), n_, 0);
    }
    void put(bare_key const* keys, std::int64_t n, std::int64_t at) noexcept {
        for (std::int64_t i = 0; i < n; ++i) out_[at + i] = value(keys[i].key);
    }

    void count_values() {
        auto const distinct = static_cast<std::int64_t>(top() - low_) + 1;
        row_blocks const work(n_, sched::thread_count(), distinct);
        std::vector<std::int64_t> start;
        positions(
            work, distinct, [&](std::int64_t i) { return key(i) - low_; }, start);
        row_blocks(distinct, 4 * std::int64_t{sched::thread_count()}, 1)
            .run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
                for (std::int64_t d = begin; d < end; ++d) {
                    auto const from = start[static_cast<std::size_t>(d)], to = start[static_cast<std::size_t>(d) + 1];
                    std::fill_n(out_ + from, to - from, value(low_ + static_cast<std::uint64_t>(d)));
                }
            });
    }

    void sort_many() {
        if constexpr (form::exists)
            if (kernels_ != nullptr) return sort_many_lanes();
        scratch<bare_key> keys(n_);
        if (!keys.ready()) throw std::bad_alloc();
        auto const parts = split([this](std::int64_t i) { return key(i); },
                                 [this](std::int64_t i) { return bare_key{key(i)}; }, n_, low_, top(), keys.data());
        sort_pieces(keys.data(), parts, 0);
    }
    void sort_pieces(bare_key* keys, pieces const& parts, std::int64_t at) {
        sched::parallel_for(parts.count(), true, [&](std::int64_t p) {
            std::int64_t const begin = parts.begin(p), n = parts.size(p);
            if (n >= limits().large_piece || n == 0) return;
            scratch<bare_key> spare(n);
            if (!spare.ready()) return failed_.store(true);
            bucket_counts counts;
            put(sort_piece(keys + begin, spare.data(), n, counts), n, at + begin);
        });
        for (std::int64_t p = 0; p < parts.count(); ++p)
            if (parts.size(p) >= limits().large_piece)
                sort_large(keys + parts.begin(p), parts.size(p), at + parts.begin(p));
    }
    void sort_large(bare_key* keys, std::int64_t n, std::int64_t at) {
        auto const key = [keys](std::int64_t i) { return keys[i].key; };
        key_bounds const b = bounds(key, n);
        if (b.low == b.high)
            return row_blocks(n).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
                put(keys + begin, end - begin, at + begin);
            });
        scratch<bare_key> moved(n);
        if (!moved.ready()) throw std::bad_alloc();
        auto const parts = split(
            key, [keys](std::int64_t i) { return keys[i]; }, n, b.low, b.high, moved.data());
        sort_pieces(moved.data(), parts, at);
    }

    T const* in_;
    T* out_;
    std::int64_t n_;
    sort_kernels<lane> const* kernels_;
    std::uint64_t low_ = ~std::uint64_t{0}, high_ = 0;
    bool nulls_ = false;
    std::atomic<bool> failed_{false};
};

// Whether comparisons order all values as sorting does: there are no NaN and no zeros but 0.0.
template <class T> bool compare_plainly(sort_kernels<T> const& kernels, T const* a, std::int64_t n) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        T least, most;
        if (kernels.range(a, n, least, most)) return false;
        return least > 0 || most < 0 || !std::any_of(a, a + n, [](T v) { return v == 0 && std::signbit(v); });
    }
    return true;
}

template <class T>
void sort_short_lanes(sort_kernels<typename lane_form<T>::lane> const& kernels, sort_args const& a) noexcept {
    using form = lane_form<T>;
    row_blocks(a.rows, 4 * std::int64_t{sched::thread_count()}, std::max<std::int64_t>(1, 16384 / a.length))
        .run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            alignas(64) typename form::lane lanes[short_line], spare[short_line];
            auto const* in = static_cast<T const*>(a.data) + begin * a.length;
            auto* out = static_cast<T*>(a.out) + begin * a.length;
            bool plain = false;
            if constexpr (form::is_value) plain = compare_plainly(kernels, in, (end - begin) * a.length);
            for (std::int64_t r = begin; r < end; ++r, in += a.length, out += a.length) {
                if constexpr (form::is_value)
                    if (plain) {
                        std::memmove(out, in, static_cast<std::size_t>(a.length) * sizeof(T));
                        kernels.sort(out, spare, a.length, false);
                        continue;
                    }
                form::sort_line(kernels, in, out, a.length, lanes, spare);
            }
        });
}

// Rows of a few values, whose types need no other form in vectors; false: these are not such.
template <class T> bool sort_side_by_side(sort_args const& a) noexcept {
    if constexpr (lane_form<T>::exists && lane_form<T>::is_value) {
        auto const sort = std::get<partition_kernels_of_type<T>>(active_partition_kernels()).sort_rows;
        if (sort == nullptr || a.rows < 2 || a.length < 2 || a.length > most_lanes_length) return false;
        row_blocks(a.rows, 4 * std::int64_t{sched::thread_count()}, 32768 / a.length)
            .run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
                sort(static_cast<T const*>(a.data) + begin * a.length, static_cast<T*>(a.out) + begin * a.length,
                     end - begin, a.length);
            });
        return true;
    }
    return false;
}

template <class T> status sort_rows(sort_args const& a) noexcept {
    if (sort_side_by_side<T>(a)) return status::ok;
    if (has_short_lines(a.rows, a.length)) {
        if constexpr (lane_form<T>::exists)
            if (auto const* const k = lane_form<T>::kernels()) return sort_short_lanes<T>(*k, a), status::ok;
        return sort_short_lines<T>(a), status::ok;
    }
    return each_row(a.rows, a.length, "[sort] no memory for the keys", [&](std::int64_t r) {
        std::int64_t const at = r * a.length;
        value_sorter<T>(static_cast<T const*>(a.data) + at, static_cast<T*>(a.out) + at, a.length).run();
        return status::ok;
    });
}

}  // namespace

status sort_values(sort_args const& a) noexcept {
    if (a.length > most_rows) return fail(status::not_supported, "[sort] expected fewer than 2^32 values");
    if (is_complex(a.dtype)) return fail(status::not_supported, "[sort] complex values have no order here");
    if (a.length == 0 || a.rows == 0) return status::ok;
    if (is_partition(a.length, a.kth, a.nkth)) return partition(a);
    status result = status::ok;
    visit_key_type(a.dtype, [&](auto tag) { result = sort_rows<typename decltype(tag)::type>(a); });
    return result;
}

}  // namespace bascule::cpu::sorting

// sort, argsort and select_ranks.
#include <thrust/copy.h>
#include <thrust/transform.h>

#include <algorithm>

#include "backend/cuda/algorithms/thrust/order_key.hpp"
#include "backend/cuda/algorithms/thrust/radix_sort.hpp"
#include "backend/cuda/algorithms/thrust/row_numbers.hpp"
#include "backend/cuda/algorithms/thrust/strings/text.hpp"

namespace bascule::cuda::algorithms {
namespace {

struct row_of {
    std::int64_t length;
    BASCULE_HD std::uint32_t operator()(std::int64_t i) const { return static_cast<std::uint32_t>(i / length); }
};
struct row_of_position {
    std::uint32_t length;
    BASCULE_HD std::uint32_t operator()(std::uint32_t at) const { return at / length; }
};

// Which of null and the others comes behind.
template <class K> struct null_at {
    key_at<K> column;
    BASCULE_HD std::uint8_t operator()(std::uint32_t at) const {
        return column.is_null(at) != column.key.nulls_first ? 1 : 0;
    }
};

template <class W> struct position_in_row {
    std::int64_t length;
    BASCULE_HD W operator()(std::uint32_t at) const { return static_cast<W>(at % length); }
};

// The element of a rank in its row of sorted ones.
template <class K> struct rank_in_row {
    K const* sorted;
    std::int64_t const* ranks;
    std::int64_t length, count;
    BASCULE_HD K operator()(std::int64_t i) const { return sorted[i / count * length + ranks[i % count]]; }
};

template <class U>
void gather(context const& c, void const* from, std::uint32_t const* order, void* to, std::int64_t n) {
    auto* const out = static_cast<U*>(to);
    element_at<U> const read{static_cast<U const*>(from)};
    fill_by_index(c, out, n, of_rows<element_at<U>>{order, read});
}

template <class F> void in_slices_of_rows(std::int64_t rows, std::int64_t length, F&& f) {
    std::int64_t const most = std::max<std::int64_t>(most_positions / length, 1);
    for (std::int64_t first = 0; first < rows; first += most) f(first * length, std::min(most, rows - first) * length);
}

// Rows are sorted together by their keys, then, stably, by their numbers.
template <class K> void sort_rows(context const& c, K* keys, std::int64_t rows, std::int64_t length) {
    if (length < 2) return;
    if (rows == 1) return sort_keys(c, keys, length);
    in_slices_of_rows(rows, length, [&](std::int64_t begin, std::int64_t n) {
        buffer<std::uint32_t> const row(c, n);
        auto* const r = row.get();
        auto* const k = keys + begin;
        fill_by_index(c, r, n, row_of{length});
        sort_pairs(c, k, r, n);
        if constexpr (sizeof(K) == 4) {
            sort_pairs(c, r, k, n);
        } else {
            buffer<std::uint32_t> const order(c, n);
            buffer<K> const sorted(c, n);
            auto* const o = order.get();
            auto* const s = sorted.get();
            fill_by_index(c, o, n, row_number{});
            sort_pairs(c, r, o, n);
            gather<K>(c, k, o, s, n);
            c.queue([=](auto const& policy) { thrust::copy(policy, s, s + n, k); });
        }
    });
}

// A stable sort of the rows by key(row).
template <class K, class Key> void order_by(context const& c, Key key, std::uint32_t* order, std::int64_t n) {
    buffer<K> const keys(c, n);
    auto* const k = keys.get();
    fill_by_index(c, k, n, of_rows<Key>{order, key});
    sort_pairs(c, k, order, n);
}

void carry(context const& c, argsort_args const& a, std::uint32_t const* order) {
    if (a.sorted)
        with_key(a.keys[0].dtype, [&](auto k) { gather<decltype(k)>(c, a.keys[0].data, order, a.sorted, a.length); });
    for (std::int32_t i = 0; i < a.ncarried; ++i) {
        carried_column const& column = a.carried[i];
        with_word(column.bytes, [&](auto u) { gather<decltype(u)>(c, column.data, order, column.out, a.length); });
    }
}

template <class W>
void write_positions(context const& c, std::uint32_t const* order, std::int64_t n, std::int64_t length, void* to,
                     std::int64_t at) {
    W* const out = static_cast<W*>(to) + at;
    fill_by_index(c, out, n, of_rows<position_in_row<W>>{order, {length}});
}

}  // namespace

void order_rows(context const& c, sort_key const* keys, std::int32_t nkeys, std::int64_t n, bool nulls_first,
                std::uint32_t* order) {
    fill_by_index(c, order, n, row_number{});
    for (std::int32_t i = nkeys - 1; i >= 0; --i) {
        sort_key const& key = keys[i];
        if (key.offsets) {
            order_by_text(c, key, nulls_first, order, n);
            continue;
        }
        with_key(key.dtype, [&](auto zero) {
            using K = decltype(zero);
            auto const column = key_column<K>(key, nulls_first);
            order_by<K>(c, column, order, n);
            if (key.validity) order_by<std::uint8_t>(c, null_at<K>{column}, order, n);
        });
    }
}

void sort(context const& c, sort_args const& a) {
    std::int64_t const n = a.rows * a.length;
    if (n == 0) return;
    with_key(a.dtype, [&](auto zero) {
        using K = decltype(zero);
        auto const* const from = static_cast<K const*>(a.data);
        auto* const to = static_cast<K*>(a.out);
        order_key<K> const key(kind_of(a.dtype), true);
        value_of_key<K> const value(kind_of(a.dtype));
        c.queue([=](auto const& policy) { thrust::transform(policy, from, from + n, to, key); });
        sort_rows(c, to, a.rows, a.length);
        c.queue([=](auto const& policy) { thrust::transform(policy, to, to + n, to, value); });
    });
}

void argsort(context const& c, argsort_args const& a) {
    if (a.length == 0 || a.rows == 0) return;
    if (a.length >= most_positions) throw unsupported{"2^32 rows or more"};
    in_slices_of_rows(a.rows, a.length, [&](std::int64_t begin, std::int64_t n) {
        buffer<std::uint32_t> const memory(c, n);
        auto* const order = memory.get();
        if (a.rows == 1) {
            order_rows(c, a.keys, a.nkeys, n, a.nulls_first, order);
            carry(c, a, order);
        } else {
            sort_key part = a.keys[0];
            part.data = static_cast<char const*>(part.data) + begin * itemsize(part.dtype);
            order_rows(c, &part, 1, n, a.nulls_first, order);
            order_by<std::uint32_t>(c, row_of_position{static_cast<std::uint32_t>(a.length)}, order, n);
        }
        if (a.wide) write_positions<std::int64_t>(c, order, n, a.length, a.out, begin);
        else write_positions<std::int32_t>(c, order, n, a.length, a.out, begin);
    });
}

void select_ranks(context const& c, select_ranks_args const& a) {
    if (a.count == 0) return;
    with_key(a.dtype, [&](auto zero) {
        using K = decltype(zero);
        buffer<K> const sorted(c, a.rows * a.length);
        buffer<std::int64_t> const ranks(c, a.count);
        c.upload(ranks.get(), a.ranks, 8 * a.count);
        sort(c, sort_args{.dtype = a.dtype, .data = a.data, .out = sorted.get(), .length = a.length, .rows = a.rows});
        fill_by_index(c, static_cast<K*>(a.out), a.rows * a.count,
                      rank_in_row<K>{sorted.get(), ranks.get(), a.length, a.count});
    });
}

}  // namespace bascule::cuda::algorithms

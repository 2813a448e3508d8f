// argsort, sort and join_pairs as std::stable_sort and std::map over compared values.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>
#include <vector>

#include "backend/reference/failure.hpp"
#include "backend/reference/tables_sort_join.hpp"

namespace bascule::reference {
namespace {

// A value of a key column: null, or one of the three that order as their type does.
struct key_value {
    bool null = false;
    long double number = 0;  // holds every value of 64 bits
    std::string_view text;
};
int compare(key_value const& a, key_value const& b) {
    if (a.number != b.number) return a.number < b.number ? -1 : 1;
    int const c = a.text.compare(b.text);
    return c < 0 ? -1 : c > 0 ? 1 : 0;
}

template <class T> T element_at(void const* data, std::int64_t i) {
    T v;
    std::memcpy(&v, static_cast<char const*>(data) + i * static_cast<std::int64_t>(sizeof v), sizeof v);
    return v;
}
long double half(std::uint16_t bits) {
    int const exponent = bits >> 10 & 31, fraction = bits & 1023;
    long double v = exponent == 0   ? std::ldexp(static_cast<long double>(fraction), -24)
                    : exponent < 31 ? std::ldexp(static_cast<long double>(1024 + fraction), exponent - 25)
                    : fraction == 0 ? HUGE_VALL
                                    : NAN;
    return bits >> 15 != 0 ? -v : v;
}
long double number_at(type_id t, void const* data, std::int64_t i) {
    switch (t) {
        case type_id::bool_:
        case type_id::uint8: return element_at<std::uint8_t>(data, i);
        case type_id::int8: return element_at<std::int8_t>(data, i);
        case type_id::int16: return element_at<std::int16_t>(data, i);
        case type_id::uint16: return element_at<std::uint16_t>(data, i);
        case type_id::int32: return element_at<std::int32_t>(data, i);
        case type_id::uint32: return element_at<std::uint32_t>(data, i);
        case type_id::uint64: return element_at<std::uint64_t>(data, i);
        case type_id::float16: return half(element_at<std::uint16_t>(data, i));
        case type_id::float32: return element_at<float>(data, i);
        case type_id::float64: return element_at<double>(data, i);
        case type_id::int64:
        case type_id::datetime64:
        case type_id::timedelta64: return element_at<std::int64_t>(data, i);
        default: throw failure{status::not_supported, "[reference] complex values have no order here"};
    }
}
key_value fixed_at(type_id t, void const* data, std::uint8_t const* validity, std::int64_t i) {
    key_value v;
    v.number = number_at(t, data, i);
    v.null = (validity != nullptr && (validity[i / 8] >> (i % 8) & 1) == 0) || std::isnan(v.number) ||
             (is_time(t) && element_at<std::int64_t>(data, i) == nat);
    return v;
}
key_value value_at(sort_key const& k, std::int64_t i) {
    if (k.offsets == nullptr) return fixed_at(k.dtype, k.data, k.validity, i);
    key_value v;
    v.null = k.validity != nullptr && (k.validity[i / 8] >> (i % 8) & 1) == 0;
    v.text = {static_cast<char const*>(k.data) + k.offsets[i],
              static_cast<std::size_t>(k.offsets[i + 1] - k.offsets[i])};
    return v;
}

bool comes_before(argsort_args const& a, std::int64_t x, std::int64_t y) {
    for (std::int32_t k = 0; k < a.nkeys; ++k) {
        key_value const p = value_at(a.keys[k], x), q = value_at(a.keys[k], y);
        if (p.null != q.null) return p.null == a.nulls_first;
        if (p.null) continue;
        if (int const c = compare(p, q); c != 0) return (c < 0) == a.keys[k].ascending;
    }
    return false;
}

void put_rows(std::vector<std::int64_t> const& rows, bool wide, void* out) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (wide) static_cast<std::int64_t*>(out)[i] = rows[i];
        else static_cast<std::int32_t*>(out)[i] = static_cast<std::int32_t>(rows[i]);
    }
}

struct by_value {
    bool nulls_first;
    bool operator()(key_value const& a, key_value const& b) const {
        return a.null != b.null ? a.null == nulls_first : !a.null && compare(a, b) < 0;
    }
};
struct key_rows {
    std::vector<std::int64_t> left, right;
};
using rows_of_keys = std::map<key_value, key_rows, by_value>;

key_value join_key(join_pairs_args const& a, join_side const& s, std::int64_t i) {
    key_value v = fixed_at(a.dtype, s.data, s.validity, i);
    v.null |= a.negative_is_null && v.number < 0;
    return v;
}

}  // namespace

void argsort(argsort_args const& a) {
    for (std::int64_t r = 0; r < a.rows; ++r) {
        argsort_args one = a;
        std::vector<sort_key> keys(a.keys, a.keys + a.nkeys);
        if (a.rows > 1)
            keys.at(0).data = static_cast<char const*>(keys.at(0).data) + r * a.length * itemsize(keys.at(0).dtype);
        one.keys = keys.data();
        std::vector<std::int64_t> order(static_cast<std::size_t>(a.length));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t x, std::int64_t y) { return comes_before(one, x, y); });
        put_rows(order, a.wide, static_cast<char*>(a.out) + r * a.length * (a.wide ? 8 : 4));
        auto const move = [&](void* to, void const* from, std::size_t item) {
            for (std::size_t i = 0; to != nullptr && i < order.size(); ++i)
                std::memcpy(static_cast<char*>(to) + i * item,
                            static_cast<char const*>(from) + static_cast<std::size_t>(order[i]) * item, item);
        };
        move(a.sorted, a.keys[0].data, static_cast<std::size_t>(itemsize(a.keys[0].dtype)));
        for (std::int32_t c = 0; c < a.ncarried; ++c)
            move(a.carried[c].out, a.carried[c].data, static_cast<std::size_t>(a.carried[c].bytes));
    }
}

void sort_values(sort_args const& a) {
    auto const item = static_cast<std::size_t>(itemsize(a.dtype));
    std::vector<std::int64_t> order(static_cast<std::size_t>(a.rows * a.length));
    sort_key const key{.dtype = a.dtype, .data = a.data};
    argsort_args by;
    by.nkeys = 1;
    by.keys = &key;
    by.length = a.length;
    by.rows = a.rows;
    by.out = order.data();
    argsort(by);
    std::vector<unsigned char> sorted(order.size() * item);
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const row = static_cast<std::int64_t>(i) / a.length * a.length + order[i];
        std::memcpy(&sorted[i * item], static_cast<char const*>(a.data) + row * static_cast<std::int64_t>(item), item);
    }
    if (!sorted.empty()) std::memcpy(a.out, sorted.data(), sorted.size());
}

void join_pairs(join_pairs_args& a) {
    rows_of_keys keys(by_value{is_time(a.dtype)});
    for (std::int64_t i = 0; i < a.left.length; ++i) keys[join_key(a, a.left, i)].left.push_back(i);
    for (std::int64_t i = 0; i < a.right.length; ++i) keys[join_key(a, a.right, i)].right.push_back(i);
    std::vector<std::int64_t> left, right;
    auto const pair = [&](std::int64_t l, std::int64_t r) { left.push_back(l), right.push_back(r); };
    bool const keep_left = a.how == join_how::left || a.how == join_how::outer,
               keep_right = a.how == join_how::right || a.how == join_how::outer;
    auto const pairs_of = [&](std::vector<std::int64_t> const& ls, std::vector<std::int64_t> const& rs) {
        if (rs.empty() && keep_left)
            for (auto l : ls) pair(l, -1);
        else if (ls.empty() && keep_right)
            for (auto r : rs) pair(-1, r);
        else if (a.how == join_how::right)
            for (auto r : rs)
                for (auto l : ls) pair(l, r);
        else
            for (auto l : ls)
                for (auto r : rs) pair(l, r);
    };
    if (a.sorted || a.how == join_how::outer) {
        for (auto const& [key, rows] : keys) pairs_of(rows.left, rows.right);
    } else if (a.how == join_how::right) {
        for (std::int64_t i = 0; i < a.right.length; ++i) pairs_of(keys[join_key(a, a.right, i)].left, {i});
    } else {
        for (std::int64_t i = 0; i < a.left.length; ++i) pairs_of({i}, keys[join_key(a, a.left, i)].right);
    }
    a.count = static_cast<std::int64_t>(left.size());
    std::int64_t const bytes = std::max<std::int64_t>(a.count, 1) * (a.wide ? 8 : 4);
    a.left_rows = a.allocate(a.owner, bytes);
    a.right_rows = a.allocate(a.owner, bytes);
    if (a.left_rows == nullptr || a.right_rows == nullptr) throw std::bad_alloc();
    put_rows(left, a.wide, a.left_rows);
    put_rows(right, a.wide, a.right_rows);
}

void join_nearest(join_nearest_args const& a) {
    for (std::int64_t i = 0; i < a.left_rows; ++i) {
        a.out[i] = -1;
        if (a.backward) {
            for (std::int64_t r = 0; r < a.bounds[i]; ++r)
                if (a.right[r] == a.left[i]) a.out[i] = r;
        } else {
            for (std::int64_t r = a.right_rows - 1; r >= a.bounds[i]; --r)
                if (a.right[r] == a.left[i]) a.out[i] = r;
        }
    }
}

}  // namespace bascule::reference

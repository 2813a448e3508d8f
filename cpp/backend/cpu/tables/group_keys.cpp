#include "backend/cpu/tables/group_keys.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "bascule/core/element_dispatch.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

constexpr u64 top_bit = u64{1} << 63;

// Order-preserving; every NaN is above all numbers, both zeros are equal.
u64 normal(std::uint64_t v) { return v; }
u64 normal(std::int64_t v) { return static_cast<u64>(v) ^ top_bit; }
u64 normal(double v) {
    if (v != v) return ~u64{0};
    auto const b = std::bit_cast<u64>(v + 0.0);
    return (b & top_bit) != 0 ? ~b : b | top_bit;
}
u64 normal(float16 v) {
    constexpr unsigned sign = 0x8000;
    if ((v.bits & 0x7fffu) > 0x7c00u) return 0xffff;
    unsigned const b = v.bits == sign ? 0 : v.bits;
    return (b & sign) != 0 ? ~b & 0xffffu : b | sign;
}
u64 normal(datetime64 v) { return normal(v.count); }
u64 normal(timedelta64 v) { return normal(v.count); }
template <class T> u64 normal_of(T v) {
    if constexpr (std::is_same_v<T, float>) return normal(static_cast<double>(v));
    else if constexpr (!std::is_arithmetic_v<T> || std::is_same_v<T, double>) return normal(v);
    else if constexpr (std::is_unsigned_v<T>) return normal(static_cast<std::uint64_t>(v));
    else return normal(static_cast<std::int64_t>(v));
}

template <class T> bool marks_null(T v) {
    if constexpr (std::is_floating_point_v<T>) return v != v;
    else if constexpr (std::is_same_v<T, float16>) return (v.bits & 0x7fffu) > 0x7c00u;
    else if constexpr (std::is_same_v<T, datetime64> || std::is_same_v<T, timedelta64>) return v.count == nat;
    else return false;
}

struct key_range {
    u64 least = ~u64{0}, greatest = 0;
    bool has_null = false;
};

template <class T> key_range range_of(T const* data, u8 const* validity, i64 n) {
    row_chunks const chunks(n, chunk_rows);
    scratch<key_range> ranges(chunks.count);
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        key_range r;
        for (i64 i = begin; i < end; ++i) {
            if (validity != nullptr ? !is_valid(validity, i) : marks_null(data[i])) {
                r.has_null = true;
                continue;
            }
            u64 const k = normal_of(data[i]);
            r.least = std::min(r.least, k);
            r.greatest = std::max(r.greatest, k);
        }
        ranges[c] = r;
    });
    key_range all;
    for (i64 c = 0; c < chunks.count; ++c) {
        all.least = std::min(all.least, ranges[c].least);
        all.greatest = std::max(all.greatest, ranges[c].greatest);
        all.has_null |= ranges[c].has_null;
    }
    return all.least > all.greatest ? key_range{0, 0, all.has_null} : all;
}

template <class T> void write_keys(T const* data, u8 const* validity, i64 n, u64 base, u64 null_key, u64* out) {
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) {
            bool const null = validity != nullptr ? !is_valid(validity, i) : marks_null(data[i]);
            out[i] = null ? null_key : normal_of(data[i]) - base;
        }
    });
}

// All 64 bits are in use and nulls must come after: two columns of 32 bits, high half first.
template <class T> void add_float16(T const* data, u8 const* validity, i64 n, column_keys* out) {
    constexpr u64 low = 0xffffffffu;
    for (int h = 0; h < 2; ++h) {
        out[h].owned = scratch<u64>(n);
        out[h].view = {out[h].owned.data(), 0};
        out[h].greatest = low;
        out[h].has_null = true;
    }
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) {
            u64 const k = normal_of(data[i]);
            bool const valid = is_valid(validity, i);
            out[0].owned[i] = valid ? k >> 32 : low + 1;
            out[1].owned[i] = valid ? k & low : low + 1;
        }
    });
}

template <class T> int numbers_to_keys(group_column const& column, column_keys* out) {
    auto const* const data = static_cast<T const*>(column.data);
    auto const range = range_of(data, column.validity, column.length);
    u64 const span = range.greatest - range.least;
    if (range.has_null && span == ~u64{0}) {
        add_float16(data, column.validity, column.length, out);
        return 2;
    }
    out->greatest = span;
    out->has_null = range.has_null;
    constexpr bool counts = std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t> ||
                            std::is_same_v<T, datetime64> || std::is_same_v<T, timedelta64>;
    if (counts && !range.has_null) {  // differences need no change of the sign bit
        out->view = {static_cast<u64 const*>(column.data),
                     std::is_same_v<T, std::uint64_t> ? range.least : range.least ^ top_bit};
        return 1;
    }
    out->owned = scratch<u64>(column.length);
    out->view = {out->owned.data(), 0};
    write_keys(data, column.validity, column.length, range.least, span + 1, out->owned.data());
    return 1;
}

template <class T> key_statistics sample_numbers(group_column const& column, sampled_rows const& sample) {
    constexpr bool whole = !std::is_floating_point_v<T> && !std::is_same_v<T, float16>;
    auto const* const data = static_cast<T const*>(column.data);
    key_statistics s;
    for (i64 j = 0; j < sample.count; ++j) {
        i64 const i = sample.rows[j];
        bool const null = column.validity != nullptr ? !is_valid(column.validity, i) : marks_null(data[i]);
        u64 const k = null ? ~u64{0} : normal_of(data[i]);
        sample.order[j] = k;
        sample.hash[j] = mix(k + null);
        if (!whole || null) continue;
        s.least = std::min(s.least, k);
        s.greatest = std::max(s.greatest, k);
    }
    return s;
}

constexpr type_set key_types = types::boolean | types::integers | types::floats | types::times;

}  // namespace

key_statistics sample_column(group_column const& column, sampled_rows const& sample) {
    if (column.offsets != nullptr) return sample_strings(column, sample);
    key_statistics s;
    if (!with_element<key_types>(column.dtype, [&]<class T>(T) { s = sample_numbers<T>(column, sample); }))
        std::fill_n(sample.order, sample.count, u64{0}), std::fill_n(sample.hash, sample.count, u64{0});
    return s;
}

bool column_to_keys(group_column const& column, key_options const& options, column_keys* out, int* made) {
    *made = 1;
    if (column.offsets != nullptr) {
        string_to_keys(column, options, *out);
        return true;
    }
    return with_element<key_types>(column.dtype, [&]<class T>(T) { *made = numbers_to_keys<T>(column, out); });
}

}  // namespace bascule::cpu::tables::grouping

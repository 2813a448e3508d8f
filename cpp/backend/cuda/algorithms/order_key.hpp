// Every value as an unsigned number of its width in the order of sorting: NumPy's, NaN and NaT behind all others. So a
// radix sort of four widths sorts all types.
#pragma once
#include <string>

#include "backend/cuda/algorithms/execution.hpp"
#include "bascule/core/uint_of_size.hpp"

namespace bascule::cuda::algorithms {

enum class key_kind : std::uint8_t { unsigned_integer, signed_integer, floating, time };

constexpr key_kind kind_of(type_id t) {
    return is_float(t)            ? key_kind::floating
           : is_time(t)           ? key_kind::time
           : is_signed_integer(t) ? key_kind::signed_integer
                                  : key_kind::unsigned_integer;
}

template <class K> struct order_key {
    key_kind kind = key_kind::unsigned_integer;
    bool tells_zeros = false;  // -0.0 comes before 0.0, else they are equal
    bool descending = false;   // null stays where it is
    bool nulls_first = false;

    static constexpr K sign = static_cast<K>(K{1} << (8 * sizeof(K) - 1)), largest = static_cast<K>(~K{0});
    static constexpr K infinity = static_cast<K>(sizeof(K) == 2   ? 0x7c00ull
                                                 : sizeof(K) == 4 ? 0x7f800000ull
                                                                  : 0x7ff0000000000000ull);

    BASCULE_HD bool is_null(K bits) const {
        if (kind == key_kind::floating) return static_cast<K>(bits & ~sign) > infinity;
        return kind == key_kind::time && bits == sign;
    }
    // Of what is not null: neither 0 nor the largest for floats, not the largest for times.
    BASCULE_HD K ascending(K bits) const {
        switch (kind) {
            case key_kind::signed_integer: return static_cast<K>(bits ^ sign);
            case key_kind::time: return static_cast<K>((bits ^ sign) - 1);
            case key_kind::floating:
                if (bits == sign && !tells_zeros) bits = 0;
                return static_cast<K>((bits & sign) != 0 ? ~bits : bits | sign);
            default: return bits;
        }
    }
    BASCULE_HD K operator()(K bits) const {
        if (is_null(bits)) return nulls_first ? K{0} : largest;
        K const k = ascending(bits);
        if (kind != key_kind::time) return descending ? static_cast<K>(~k) : k;
        K const turned = descending ? static_cast<K>(largest - 1 - k) : k;
        return nulls_first ? static_cast<K>(turned + 1) : turned;
    }
};

// The value of an ascending key that tells zeros, nulls last; all NaN are one.
template <class K> struct value_of_key {
    key_kind kind = key_kind::unsigned_integer;

    BASCULE_HD K operator()(K k) const {
        using key = order_key<K>;
        switch (kind) {
            case key_kind::signed_integer: return static_cast<K>(k ^ key::sign);
            case key_kind::time: return static_cast<K>((k + 1) ^ key::sign);
            case key_kind::floating:
                if (k == key::largest) return static_cast<K>(key::infinity | (key::infinity >> 1));
                return static_cast<K>((k & key::sign) != 0 ? k & ~key::sign : ~k);
            default: return k;
        }
    }
};

// f(K{}) for the keys of a type.
template <class F> void with_key(type_id t, F&& f) {
    if (is_complex(t) || !with_word(itemsize(t), f))
        throw unsupported{"type " + std::to_string(static_cast<int>(t)) + " is not sorted as it is"};
}

// Columns as sorting and grouping read them: NaN, NaT and what the bitmap says are null, all alike.
template <class K> struct key_at {
    K const* data;
    std::uint8_t const* validity;
    order_key<K> key;

    BASCULE_HD bool is_null(std::int64_t at) const {
        bool const valid = validity == nullptr || (validity[at >> 3] >> (at & 7) & 1) != 0;
        return !valid || key.is_null(data[at]);
    }
    // Of null the key of what comes at that end: of integers with a bitmap that is a value's too.
    BASCULE_HD K operator()(std::int64_t at) const {
        if (is_null(at)) return key.nulls_first ? K{0} : order_key<K>::largest;
        return key(data[at]);
    }
};
template <class K> key_at<K> key_column(sort_key const& by, bool nulls_first = false) {
    return {static_cast<K const*>(by.data), by.validity, {kind_of(by.dtype), false, !by.ascending, nulls_first}};
}

}  // namespace bascule::cuda::algorithms

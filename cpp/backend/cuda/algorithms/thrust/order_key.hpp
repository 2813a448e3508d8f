// Every value as an unsigned number of its width in the order of sorting: NumPy's, NaN and NaT behind all others. So a
// radix sort of four widths sorts all types.
#pragma once
#include <string>

#include "backend/cuda/algorithms/thrust/execution.hpp"
#include "bascule/core/uint_of_size.hpp"

namespace bascule::cuda::algorithms {

enum class key_kind : std::uint8_t { unsigned_integer, signed_integer, floating, time };

constexpr key_kind kind_of(type_id t) {
    return is_float(t)            ? key_kind::floating
           : is_time(t)           ? key_kind::time
           : is_signed_integer(t) ? key_kind::signed_integer
                                  : key_kind::unsigned_integer;
}

// Constants that the host works out, and no questions: nvcc would copy the loops around them for each answer, and not
// end.
template <class K> class order_key {
public:
    static constexpr K sign = static_cast<K>(K{1} << (8 * sizeof(K) - 1)), largest = static_cast<K>(~K{0});
    static constexpr K infinity = static_cast<K>(sizeof(K) == 2   ? 0x7c00ull
                                                 : sizeof(K) == 4 ? 0x7f800000ull
                                                                  : 0x7ff0000000000000ull);

    // reports_zeros: -0.0 comes before 0.0, else they are equal. descending: null stays where it is.
    explicit order_key(key_kind kind, bool reports_zeros = false, bool descending = false, bool nulls_at_front = false)
        : nulls_first(nulls_at_front), null(nulls_at_front ? K{0} : largest), turn_(descending ? largest : K{0}) {
        if (kind != key_kind::unsigned_integer) flip_ = sign;
        if (kind == key_kind::floating) {
            null_mask_ = negative_flip_ = static_cast<K>(~sign);
            null_above_ = infinity;
            if (!reports_zeros) zero_ = 0;
        }
        if (kind == key_kind::time) {  // whose keys make room for that of null
            null_mask_ = largest, null_flip_ = static_cast<K>(~sign), null_above_ = static_cast<K>(largest - 1);
            shift_ = static_cast<K>((descending ? K{0} : largest) + (nulls_first ? 1 : 0));
        }
    }

    BASCULE_HD bool is_null(K bits) const {
        return static_cast<K>(static_cast<K>(bits ^ null_flip_) & null_mask_) > null_above_;
    }
    BASCULE_HD K operator()(K bits) const {
        if (is_null(bits)) return null;
        K const value = bits == sign ? zero_ : bits;
        K const negative = static_cast<K>(K{0} - static_cast<K>(value >> (8 * sizeof(K) - 1)));
        return static_cast<K>((value ^ flip_ ^ (negative & negative_flip_) ^ turn_) + shift_);
    }

    bool nulls_first;
    K null;  // its key; of integers with a bitmap that is a value's, too

private:
    K null_mask_ = 0, null_flip_ = 0, null_above_ = largest;
    K zero_ = sign;  // the bits by which those of -0.0 are replaced
    K flip_ = 0, negative_flip_ = 0, turn_ = 0, shift_ = 0;
};

// The value of an ascending key that distinguishes zeros, nulls last; all NaN are one.
template <class K> class value_of_key {
public:
    explicit value_of_key(key_kind kind) {
        using key = order_key<K>;
        if (kind != key_kind::unsigned_integer) flip_ = key::sign;
        if (kind == key_kind::time) shift_ = 1;
        if (kind == key_kind::floating) {
            positive_flip_ = static_cast<K>(~key::sign);
            nan_ = static_cast<K>(key::infinity | (key::infinity >> 1));
        }
    }
    BASCULE_HD K operator()(K k) const {
        K const shifted = static_cast<K>(k + shift_);
        K const negative = static_cast<K>(static_cast<K>(shifted >> (8 * sizeof(K) - 1)) - K{1});
        K const value = static_cast<K>(shifted ^ flip_ ^ (negative & positive_flip_));
        return nan_ != 0 && k == order_key<K>::largest ? nan_ : value;
    }

private:
    K flip_ = 0, positive_flip_ = 0, shift_ = 0, nan_ = 0;
};

// f(K{}) for the keys of a type.
template <class F> void with_key(type_id t, F&& f) {
    if (is_complex(t) || !with_word(itemsize(t), f))
        throw unsupported{"type " + std::to_string(static_cast<int>(t)) + " is not sorted as it is"};
}

// Columns as sorting and grouping read them: NaN, NaT and cells that the bitmap marks are null, all alike.
template <class K> struct key_at {
    K const* data;
    std::uint8_t const* validity;
    order_key<K> key;

    BASCULE_HD bool is_null(std::int64_t at) const {
        bool const valid = validity == nullptr || (validity[at >> 3] >> (at & 7) & 1) != 0;
        return !valid || key.is_null(data[at]);
    }
    BASCULE_HD K operator()(std::int64_t at) const { return is_null(at) ? key.null : key(data[at]); }
};
template <class K> key_at<K> key_column(sort_key const& by, bool nulls_first = false) {
    return {static_cast<K const*>(by.data), by.validity,
            order_key<K>(kind_of(by.dtype), false, !by.ascending, nulls_first)};
}

}  // namespace bascule::cuda::algorithms

// How many of contiguous numbers are not zero, whether any or all are, and which is the first of a kind.
#pragma once
#include "backend/cpu/kernels/reduce/byte_sums.hpp"
#include "backend/cpu/kernels/whole_vectors.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class T> struct contiguous_any_all : whole_vectors<T> {
    using typename whole_vectors<T>::mask;
    using whole_vectors<T>::width, whole_vectors<T>::parts, whole_vectors<T>::group;

    static mask nonzero(T const* x, int k) { return whole_vectors<T>::load(x, k) != T(0); }

    static std::int64_t count(T const* x, std::int64_t n) {
        constexpr std::int64_t piece = 120 * group;  // the lane of a byte counts no further
        std::int64_t sum = 0, i = 0;
        while (n - i >= group) {
            std::int64_t const end = n - i < piece ? i + (n - i) / group * group : i + piece;
            mask found[parts] = {};
            for (; i < end; i += group) {
                whole_vectors<T>::fetch_after(x + i);
                for (int k = 0; k < parts; ++k) found[k] += nonzero(x + i, k);
            }
            for (int k = 0; k < parts; ++k) sum += negated_sum(found[k]);
        }
        for (; i < n; ++i) sum += x[i] != T(0);
        return sum;
    }

    static std::int64_t negated_sum(mask found) {
        std::int64_t sum = 0;
        if constexpr (sizeof(T) == 1) {
            byte_sums bytes;
            bytes.add(reinterpret_cast<byte_sums::lanes>(-found));
            return bytes.total();
        }
        for (int j = 0; j < width; ++j) sum -= found[j];
        return sum;
    }

    static bool any(T const* x, std::int64_t n) {
        std::int64_t i = 0;
        for (; n - i >= group; i += group) {
            whole_vectors<T>::fetch_after(x + i);
            mask found = nonzero(x + i, 0);
            for (int k = 1; k < parts; ++k) found |= nonzero(x + i, k);
            if (whole_vectors<T>::some(found)) return true;
        }
        for (; i < n; ++i)
            if (x[i] != T(0)) return true;
        return false;
    }

    static bool all(T const* x, std::int64_t n) {
        std::int64_t i = 0;
        for (; n - i >= group; i += group) {
            whole_vectors<T>::fetch_after(x + i);
            mask found = nonzero(x + i, 0);
            for (int k = 1; k < parts; ++k) found &= nonzero(x + i, k);
            if (whole_vectors<T>::some(~found)) return false;
        }
        for (; i < n; ++i)
            if (x[i] == T(0)) return false;
        return true;
    }
};

// The first of which `is` holds, which takes numbers and vectors of them; n: none is.
template <class T, class Is> std::int64_t first_that(T const* x, std::int64_t n, Is is) {
    using vectors = whole_vectors<T>;
    std::int64_t i = 0;
    for (; n - i >= vectors::group; i += vectors::group) {
        auto found = is(vectors::load(x + i, 0));
        for (int k = 1; k < vectors::parts; ++k) found |= is(vectors::load(x + i, k));
        if (vectors::some(found)) break;
    }
    while (i < n && !is(x[i])) ++i;
    return i;
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

// Parts of a summation tree that end in eight leaves, for processors that prefetch ahead of a loop by themselves. The
// leaves' lengths differ by a vector without a pattern: the last vector is added under a mask, so that no branch
// depends on it, and eight vectors are summed together.
#pragma once
#include "backend/cpu/kernels/lanes.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

#if defined(__AVX512F__)

template <class T> struct whole_lanes;
template <> struct whole_lanes<double> {
    using vector = __m512d;
    static vector load(double const* x) { return _mm512_loadu_pd(x); }
    static vector load_if(__mmask8 which, double const* x) { return _mm512_maskz_loadu_pd(which, x); }
    static void store(double* to, vector x) { _mm512_storeu_pd(to, x); }
    static vector all(double x) { return _mm512_set1_pd(x); }
    static vector add(vector a, vector b) { return _mm512_add_pd(a, b); }
    static vector add_if(__mmask8 which, vector a, vector b) { return _mm512_mask_add_pd(a, which, a, b); }
    static vector multiply(vector a, vector b) { return _mm512_mul_pd(a, b); }
    static vector times_plus(vector a, vector b, vector c) { return _mm512_fmadd_pd(a, b, c); }
    static vector times_minus(vector a, vector b, vector c) { return _mm512_fmsub_pd(a, b, c); }
    static vector times_minus_if(__mmask8 which, vector a, vector b, vector c) {
        return _mm512_maskz_fmsub_pd(which, a, b, c);
    }
    // Of each vector ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)).
    static vector sums(vector const (&x)[8]) {
        return halves(halves(pairs(x[0], x[1]), pairs(x[2], x[3])), halves(pairs(x[4], x[5]), pairs(x[6], x[7])));
    }

private:
    static vector pairs(vector a, vector b) {
        return _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
    }
    static vector halves(vector a, vector b) {
        return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
    }
};
template <> struct whole_lanes<float> {
    using vector = __m256;
    static vector load(float const* x) { return _mm256_loadu_ps(x); }
    static vector load_if(__mmask8 which, float const* x) { return _mm256_maskz_loadu_ps(which, x); }
    static void store(float* to, vector x) { _mm256_storeu_ps(to, x); }
    static vector all(float x) { return _mm256_set1_ps(x); }
    static vector add(vector a, vector b) { return _mm256_add_ps(a, b); }
    static vector add_if(__mmask8 which, vector a, vector b) { return _mm256_mask_add_ps(a, which, a, b); }
    static vector multiply(vector a, vector b) { return _mm256_mul_ps(a, b); }
    static vector times_plus(vector a, vector b, vector c) { return _mm256_fmadd_ps(a, b, c); }
    static vector times_minus(vector a, vector b, vector c) { return _mm256_fmsub_ps(a, b, c); }
    static vector times_minus_if(__mmask8 which, vector a, vector b, vector c) {
        return _mm256_maskz_fmsub_ps(which, a, b, c);
    }
    static vector sums(vector const (&x)[8]) {
        vector const a = fours(x[0], x[1], x[2], x[3]), b = fours(x[4], x[5], x[6], x[7]);
        return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
    }

private:
    static vector fours(vector a, vector b, vector c, vector d) {
        return _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    }
};

template <class T> class eight_leaves {
    using lanes = whole_lanes<T>;
    using vector = typename lanes::vector;
    static constexpr std::int64_t width = 8, longest = ops::tree_leaf<T> / width;  // of a leaf, in vectors

public:
    // Whether n elements are cut three times and make whole vectors.
    static bool make(std::int64_t n) {
        return n % width == 0 && n >= (4 * longest + 4) * width && n <= 8 * longest * width;
    }

    static T sum(T const* x, std::int64_t n) {
        lengths const l(n);
        vector sums[8];
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            std::int64_t const end = l.common * width;
            vector s = lanes::load(x);
#pragma GCC unroll 8
            for (std::int64_t i = width; i < longest / 2 * width; i += width) s = lanes::add(s, lanes::load(x + i));
            for (std::int64_t i = longest / 2 * width; i < end; i += width) s = lanes::add(s, lanes::load(x + i));
            sums[k] = lanes::add_if(l.last(k), s, lanes::load_if(l.last(k), x + end));
            x += l.of(k);
        }
        return joined(sums);
    }

    struct moments {
        T sum, squares, next;
    };
    // Sums of deviations from the mean and of their squares; and, of the elements that come next, their sum, while
    // those are on their way. Half of the processor's units multiply and add, the others add: x - mean is x * 1 - mean.
    template <bool Follows>
    static moments deviations(T const* x, std::int64_t n, T mean, T const* y = nullptr, std::int64_t later = 0) {
        lengths const l(n), m(Follows ? later : n);
        vector const middle = lanes::all(mean);
        vector one = lanes::all(T(1));
        asm("" : "+v"(one));  // unknown to the compiler, which would add
        vector sums[8], squares[8], next[8];
        std::int64_t const end = l.common * width;
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            vector d = lanes::times_minus(lanes::load(x), one, middle), s = d, q = lanes::multiply(d, d);
            vector t = Follows ? lanes::load(y) : d;
#pragma GCC unroll 2
            for (std::int64_t i = width; i < end; i += width) {
                d = lanes::times_minus(lanes::load(x + i), one, middle);
                s = lanes::add(s, d);
                q = lanes::add(q, lanes::multiply(d, d));
                if constexpr (Follows)
                    t = k % 2 ? lanes::times_plus(lanes::load(y + i), one, t) : lanes::add(t, lanes::load(y + i));
            }
            d = lanes::times_minus_if(l.last(k), lanes::load_if(l.last(k), x + end), one, middle);
            sums[k] = lanes::add_if(l.last(k), s, d);
            squares[k] = lanes::add_if(l.last(k), q, lanes::multiply(d, d));
            if constexpr (Follows) next[k] = lanes::add_if(m.last(k), t, lanes::load_if(m.last(k), y + end));
            x += l.of(k), y += m.of(k);
        }
        return {joined(sums), joined(squares), Follows ? joined(next) : T(0)};
    }
    // Whether the leaves of both have as many vectors in common.
    static bool match(std::int64_t n, std::int64_t later) {
        return make(n) && make(later) && lengths(n).common == lengths(later).common;
    }

private:
    // Each cut leaves the odd vector to its later half: the k-th leaf has the longer length if the cuts to it, the
    // first counting most, find one to round up.
    struct lengths {
        std::int64_t common, over;
        explicit lengths(std::int64_t n) : common((n / width - 1) / 8), over(n / width - common * 8) {}
        bool longer(int k) const { return ((k & 1) * 4 + (k & 2) + (k >> 2 & 1)) + over >= 8; }
        std::int64_t of(int k) const { return (common + longer(k)) * width; }
        __mmask8 last(int k) const { return static_cast<__mmask8>(-static_cast<int>(longer(k))); }
    };
    static T joined(vector const (&x)[8]) {
        T s[8];
        __builtin_memcpy(s, &static_cast<vector const&>(lanes::sums(x)), sizeof s);
        return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
};

// Of eight numbers each, as many at a time. The remainder is not added.
template <class T> struct sums_of_eight {
    static constexpr std::int64_t count = 8;
    static std::int64_t reduce(T* sums, T const* x, std::int64_t n) {
        using lanes = whole_lanes<T>;
        std::int64_t i = 0;
        for (; i <= n - count; i += count) {
            typename lanes::vector row[count];
            for (int k = 0; k < count; ++k) row[k] = lanes::load(x + (i + k) * count);
            lanes::store(sums + i, lanes::sums(row));
        }
        return i;
    }
};

#else

template <class T> struct eight_leaves {
    static constexpr bool make(std::int64_t) { return false; }
    static T sum(T const*, std::int64_t) { return T(0); }
};

template <class T> struct sums_of_eight {
    static constexpr std::int64_t count = 8;
    static std::int64_t reduce(T*, T const*, std::int64_t) { return 0; }
};

#endif

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

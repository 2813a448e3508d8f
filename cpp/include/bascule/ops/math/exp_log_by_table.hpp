// exp and logarithms of doubles by tables of sixteen entries: half the arithmetic of exp_log.hpp's, for loops that hold
// a table in registers and look it up by permutation. Loops that would have to load each entry run faster with
// exp_log.hpp.
//
// A function is a struct of
//   first(), second()            its tables
//   finish(x, first, second)     the result where in_range(x), from the table entries
//   place(x)                     the index of the entries, in its low four bits
//   in_range(x)                  where results are normal numbers or, of logarithms, arguments are
//   any(x, first, second)        the result for any argument, from the tables
// All of them take a double, or vectors of doubles and tables with the same operators.
#pragma once
#include "bascule/ops/math/exp_log.hpp"

namespace bascule::ops::math {

inline constexpr int table_entries = 16;

// A table for one double.
struct double_table {
    double const* entries;
    BASCULE_HD double operator[](std::uint64_t at) const { return entries[at & (table_entries - 1)]; }
};
template <class F> BASCULE_HD double fast_by_table(double x) {
    std::uint64_t const at = F::place(x);
    return F::finish(x, double_table{F::first()}[at], double_table{F::second()}[at]);
}
template <class F> BASCULE_HD double by_table(double x) {
    return F::any(x, double_table{F::first()}, double_table{F::second()});
}

BASCULE_HD double choose(bool which, double a, double b) { return which ? a : b; }

// x = (16 n + j) ln2/16 + r, |r| <= ln2/32; e^x = 2^n 2^(j/16) e^r.
struct exp_by_table {
    // 2^(j/16), its bits less j << 48, so that the bits of 16 n + j can be added without clearing j.
    BASCULE_HD static double const* first() {
        static constexpr double powers[table_entries] = {
            0x1.0000000000000p+0, 0x1.fb5586cf9890fp-1, 0x1.f72b83c7d517bp-1, 0x1.f387a6e756238p-1,
            0x1.f06fe0a31b715p-1, 0x1.edea64c123422p-1, 0x1.ebfdad5362a27p-1, 0x1.eab07dd485429p-1,
            0x1.ea09e667f3bcdp-1, 0x1.ea11473eb0187p-1, 0x1.eace5422aa0dbp-1, 0x1.ec49182a3f090p-1,
            0x1.ee89f995ad3adp-1, 0x1.f199bdd85529cp-1, 0x1.f5818dcfba487p-1, 0x1.fa4afa2a490dap-1};
        return powers;
    }
    // The rounding error of 2^(j/16), relative to it.
    BASCULE_HD static double const* second() {
        static constexpr double rests[table_entries] = {
            0x0.0000000000000p+0,   0x1.79aa65d837b6dp-54,  -0x1.01b15eaa59348p-55, 0x1.68efde3a8a894p-54,
            0x1.34d754db0abb6p-55,  0x1.59f48a72a4c6dp-55,  0x1.690cebb7aafb0p-56,  0x1.063e1e21c5409p-54,
            -0x1.3b3efbf5e2228p-54, -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55,  0x1.1affc2b91ce27p-56,
            0x1.c1a7792cb3387p-55,  0x1.36eae30af0cb3p-56,  0x1.4a385a63d07a7p-56,  -0x1.ff7128fd391f0p-55};
        return rests;
    }
    template <class D> BASCULE_HD static D shifted(D x) { return fma(x, D{16 * log2_e}, D{round_shift}); }
    template <class D> BASCULE_HD static auto place(D x) { return bits(shifted(x)); }
    // e^r - 1 and the rest. ln2/16 has 36 bits in its high part; the polynomial is (e^r - 1 - r) / r^2, so well that
    // e^r is good to 2^-56.
    template <class D> BASCULE_HD static D beyond_one(D x, D steps, D rest) {
        D const r = fma(steps, D{-0x1.cf79abc9e3b3ap-44}, fma(steps, D{-0x1.62e42fefa0000p-5}, x)), z = r * r;
        D const tail = pairs(r, z, D{0x1.0000000000005p-1}, D{0x1.555555548f729p-3}, D{0x1.555555545e952p-5},
                             D{0x1.11123abeff637p-7}, D{0x1.6c185e00b0a0fp-10});
        return fma(z, tail, r + rest);
    }
    template <class D> BASCULE_HD static D finish(D x, D power, D rest) {
        D const s = shifted(x), scale = from_bits(bits(power) + (bits(s) << 48));
        return fma(scale, beyond_one(x, s - D{round_shift}, rest), scale);
    }
    // Without a fused multiply-add the product in `finish` must not fall below the normal numbers.
    template <class D> BASCULE_HD static auto in_range(D x) { return abs(x) <= D{has_fma ? 708.0 : 600.0}; }
    template <class D, class Table> BASCULE_HD static D any(D x, Table const& first, Table const& second) {
        D const top = choose(x > D{710.0}, D{710.0}, x), y = choose(top < D{-746.0}, D{-746.0}, top);
        D const s = shifted(y), power = from_bits(bits(first[bits(s)]) + ((bits(s) & 15u) << 48));
        D const near_one = fma(power, beyond_one(y, s - D{round_shift}, second[bits(s)]), power);
        // 2^n in two steps, so that only the last one can overflow or round: n + 4096, half of it and the other half.
        // Results of at most half the least number are set to 0 without rounding, which is slow on the processor.
        auto const n = (bits(s) - (0x4338000000000000u - 65536u)) >> 4, half = n >> 1;
        D const rest = choose(x < D{-745.14}, D{0.0}, from_bits((n - half - 1025u) << 52));
        return choose(x != x, x, near_one * from_bits((half - 1025u) << 52) * rest);
    }
};

// The base of a logarithm: combines the natural logarithm hi + lo, and evaluates (log(1 + r) - r) / r^2 for z = r^2 so
// accurately that log(1 + r) has a relative error of 2^-55.6. A base that multiplies afterwards needs 2^-60.
struct natural_base {
    template <class D> BASCULE_HD static D of(D hi, D lo) { return hi + lo; }
    template <class D> BASCULE_HD static D tail(D r, D z) {
        return pairs(r, z, D{-0x1.fffffffffffdap-2}, D{0x1.5555555555c57p-2}, D{-0x1.00000000922dcp-2},
                     D{0x1.9999997fec80dp-3}, D{-0x1.5555433b73100p-3}, D{0x1.249319235e7f3p-3},
                     D{-0x1.00697845a841bp-3}, D{0x1.c3781fae5323ep-4});
    }
};
struct multiplied_base {
    template <class D> BASCULE_HD static D tail(D r, D z) {
        return pairs(r, z, D{-0x1.0000000000000p-1}, D{0x1.55555555554e2p-2}, D{-0x1.fffffffffffd3p-3},
                     D{0x1.9999999bbc746p-3}, D{-0x1.555555562e9d5p-3}, D{0x1.24922ffb414bdp-3},
                     D{-0x1.ffffe2890acf2p-4}, D{0x1.c805817dffc8ap-4}, D{-0x1.9a5593a2131a2p-4});
    }
};
template <class D> BASCULE_HD D product_with_rest(D hi, D lo, D factor, D factor_lo) {
    D const product = hi * factor, below = fma(lo, factor, hi * factor_lo);
    if constexpr (has_fma) return product + (fma(hi, factor, -product) + below);
    else return product + (two_product(hi, factor).lo + below);
}
struct binary_base : multiplied_base {
    template <class D> BASCULE_HD static D of(D hi, D lo) { return product_with_rest(hi, lo, D{log2_e}, D{log2_e_lo}); }
};
struct decimal_base : multiplied_base {
    template <class D> BASCULE_HD static D of(D hi, D lo) {
        return product_with_rest(hi, lo, D{log10_e}, D{log10_e_lo});
    }
};

// x = 2^k m, m from 0.703 to 1.407 in sixteen intervals; in each m c = 1 + r, so that log x = k ln2 - log c + r - ...
// Around 1 c is 1. Otherwise it is chosen to make |r| small and log c, to 2^-62, a multiple of 2^-42, as the high part
// of ln2 is: their sum is exact.
struct log_intervals {
    static constexpr std::uint64_t lowest = 0x3fe6821000000000u, mantissa = 0xfffffffffffffu, bias = 1021;

    BASCULE_HD static double const* first() {
        static constexpr double inverses[table_entries] = {
            0x1.63e2402ep+0, 0x1.552770c6p+0, 0x1.47989016p+0, 0x1.3b1faa1cp+0, 0x1.2f51c688p+0, 0x1.24867092p+0,
            0x1.1a73bd84p+0, 0x1.10e2dc42p+0, 0x1.05fb4d22p+0, 0x1.00000000p+0, 0x1.e1c1c6d8p-1, 0x1.c6b4dcacp-1,
            0x1.aefddd50p-1, 0x1.9979c3e8p-1, 0x1.86187d70p-1, 0x1.741e15a8p-1};
        return inverses;
    }
    BASCULE_HD static double const* second() {
        static constexpr double logarithms[table_entries] = {
            -0x1.515542b15a000p-2, -0x1.260c6a230e000p-2, -0x1.f90b46ea32000p-3, -0x1.a98ca4043a000p-3,
            -0x1.5b5bfd26b2000p-3, -0x1.1125fa72b2000p-3, -0x1.92c4203b18000p-4, -0x1.05a4388d68000p-4,
            -0x1.7a6bd955f0000p-6, 0x0.0000000000000p+0,  0x1.f2c4e9d878000p-5,  0x1.e6151efd64000p-4,
            0x1.60bd35c902000p-3,  0x1.c99eaf2180000p-3,  0x1.16758174bd000p-2,  0x1.46c60f3e20000p-2};
        return logarithms;
    }
    // k from the bit 52, and the interval of m in the four bits below.
    template <class D> BASCULE_HD static auto biased(D x) { return bits(x) - (lowest - (bias << 52)); }

    template <class D> struct parts { D m, k; };
    template <class D> BASCULE_HD static parts<D> split(D x) {
        auto const b = biased(x);
        return {from_bits((b & mantissa) + lowest),
                from_bits((b >> 52) + (std::uint64_t{0x4338000000000000} - bias)) - D{round_shift}};
    }
    // Whether x is a positive normal number.
    template <class D> BASCULE_HD static auto splits(D x) {
        return biased(x) < 0x7ff0000000000000u - (lowest - (bias << 52));
    }
    // m c - 1, rounded once: c has 32 bits.
    template <class D> BASCULE_HD static D beyond_one(D m, D c) {
        if constexpr (has_fma) {
            return fma(m, c, D{-1.0});
        } else {
            D const high = from_bits(bits(m) & ~std::uint64_t{0xffffffff});
            return (high * c - D{1.0}) + (m - high) * c;
        }
    }
    // k ln2 - log c: both are multiples of 2^-42.
    template <class D> BASCULE_HD static D coarse(D k, D logarithm) { return fma(k, D{ln2_hi}, logarithm); }
    // near + lost = coarse + r, plus the rest of log(1 + r), to the base.
    template <class Base, class D> BASCULE_HD static D sum(D k, D r, D near, D lost) {
        D const z = r * r;
        return Base::of(near, fma(k, D{ln2_lo}, fma(z, Base::tail(r, z), lost)));
    }
    template <class Base, class D> BASCULE_HD static D of_parts(parts<D> a, D inverse, D logarithm) {
        D const r = beyond_one(a.m, inverse), first = coarse(a.k, logarithm), near = first + r;
        return sum<Base>(a.k, r, near, r - (near - first));
    }
    // The logarithm y of x, or its value at and outside the ends of the domain.
    template <class D> BASCULE_HD static D at_ends(D x, D y) {
        D const below_top = choose(x == D{infinity}, x, y), above_zero = choose(x == D{0.0}, D{-infinity}, below_top);
        return choose(x != x, x, choose(x < D{0.0}, D{not_a_number}, above_zero));
    }
};

template <class Base> struct log_to_base_by_table : log_intervals {
    template <class D> BASCULE_HD static auto place(D x) { return biased(x) >> 48; }
    template <class D> BASCULE_HD static D finish(D x, D inverse, D logarithm) {
        return of_parts<Base>(split(x), inverse, logarithm);
    }
    template <class D> BASCULE_HD static auto in_range(D x) { return splits(x); }
    template <class D, class Table> BASCULE_HD static D any(D x, Table const& first, Table const& second) {
        auto const tiny = x < D{0x1p-1000};  // and arguments outside in_range
        D const normal = choose(tiny, x * D{0x1p54}, x);
        parts<D> const a = split(normal);
        auto const at = place(normal);
        return at_ends(x, of_parts<Base, D>({a.m, choose(tiny, a.k - D{54.0}, a.k)}, first[at], second[at]));
    }
};
using log_by_table = log_to_base_by_table<natural_base>;
using log2_by_table = log_to_base_by_table<binary_base>;
using log10_by_table = log_to_base_by_table<decimal_base>;

// log(1 + x): of u = 1 + x, and of its rounding error.
struct log1p_by_table : log_intervals {
    template <class D> BASCULE_HD static auto place(D x) { return biased(D{1.0} + x) >> 48; }
    template <class D> BASCULE_HD static D finish(D x, D inverse, D logarithm) {
        D const u = D{1.0} + x, part = u - D{1.0}, lost = (D{1.0} - (u - part)) + (x - part);
        parts<D> const a = split(u);
        // 2^(1 - k), and 0 for the largest k.
        D const scale = from_bits((std::uint64_t{1024 + bias} - (biased(u) >> 52)) << 52);
        D const lead = beyond_one(a.m, inverse), moved = lost * scale * (D{0.5} * inverse), r = lead + moved;
        D const first = coarse(a.k, logarithm), near = first + r;
        D const y = sum<natural_base>(a.k, r, near, (r - (near - first)) + (moved - (r - lead)));
        return choose(abs(x) < D{0x1p-54}, x, y);  // a zero keeps its sign
    }
    template <class D> BASCULE_HD static auto in_range(D x) { return splits(D{1.0} + x); }
    template <class D, class Table> BASCULE_HD static D any(D x, Table const& first, Table const& second) {
        auto const at = place(x);
        D const u = D{1.0} + x;
        return at_ends(u, finish(x, first[at], second[at]));
    }
};

// The ops' functions: of floats, which need no table, exp_log.hpp's.
namespace of_ops {
BASCULE_HD double exp(double x) { return by_table<exp_by_table>(x); }
BASCULE_HD double log(double x) { return by_table<log_by_table>(x); }
BASCULE_HD double log2(double x) { return by_table<log2_by_table>(x); }
BASCULE_HD double log10(double x) { return by_table<log10_by_table>(x); }
BASCULE_HD double log1p(double x) { return by_table<log1p_by_table>(x); }
BASCULE_HD float exp(float x) { return math::exp(x); }
BASCULE_HD float log(float x) { return math::log(x); }
BASCULE_HD float log2(float x) { return math::log2(x); }
BASCULE_HD float log10(float x) { return math::log10(x); }
BASCULE_HD float log1p(float x) { return math::log1p(x); }
}  // namespace of_ops
namespace fast_of_ops {
BASCULE_HD bool exp_in_range(double x) { return exp_by_table::in_range(x); }
BASCULE_HD bool log_in_range(double x) { return log_by_table::in_range(x); }
BASCULE_HD bool log1p_in_range(double x) { return log1p_by_table::in_range(x); }
BASCULE_HD bool exp_in_range(float x) { return fast::exp_in_range(x); }
BASCULE_HD bool log_in_range(float x) { return fast::log_in_range(x); }
BASCULE_HD bool log1p_in_range(float x) { return fast::log1p_in_range(x); }
BASCULE_HD double exp(double x) { return fast_by_table<exp_by_table>(x); }
BASCULE_HD double log(double x) { return fast_by_table<log_by_table>(x); }
BASCULE_HD double log2(double x) { return fast_by_table<log2_by_table>(x); }
BASCULE_HD double log10(double x) { return fast_by_table<log10_by_table>(x); }
BASCULE_HD double log1p(double x) { return fast_by_table<log1p_by_table>(x); }
BASCULE_HD float exp(float x) { return fast::exp(x); }
BASCULE_HD float log(float x) { return fast::log(x); }
BASCULE_HD float log2(float x) { return fast::log2(x); }
BASCULE_HD float log10(float x) { return fast::log10(x); }
BASCULE_HD float log1p(float x) { return fast::log1p(x); }
}  // namespace fast_of_ops

}  // namespace bascule::ops::math

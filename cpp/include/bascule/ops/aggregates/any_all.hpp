// any, all, count_nonzero. Device-clean.
#pragma once
#include "bascule/ops/aggregates/groups.hpp"
#include "bascule/ops/comparison.hpp"

namespace bascule::ops::aggregate {

template <class T> BASCULE_HD std::int64_t count_of_nonzero(T const* x, std::int64_t n) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n; ++i) count += is_nonzero(x[i]);
    return count;
}

struct any {
    static constexpr aggregate_spec meta{.name = "any",
                                         .types = comparable_types,
                                         .group_types = groupable_types,
                                         .identity = 0,
                                         .doc = "Test whether any array element along a given axis evaluates to True."};
    template <class T> struct of {
        using input = T;
        using state = bool;
        using result = bool;
        static constexpr int leaf_size = 1024;
        static constexpr int granule = 8;
        BASCULE_HD static state identity() { return false; }
        BASCULE_HD static state leaf(T const* x, std::int64_t n, std::int64_t = 0) {
            return count_of_nonzero(x, n) != 0;
        }
        // Whole leaves at a time, until one decides.
        BASCULE_HD static state reduce(T const* x, std::int64_t n, std::int64_t = 0) {
            state s = false;
            for (std::int64_t i = 0; i < n && !s; i += leaf_size)
                s = leaf(x + i, n - i < leaf_size ? n - i : leaf_size);
            return s;
        }
        BASCULE_HD static void update(state& s, T x, std::int64_t) { s = either(s, is_nonzero(x)); }
        BASCULE_HD static state merge(state earlier, state later) { return earlier || later; }
        BASCULE_HD static bool decided(state s) { return s; }  // nothing that follows changes it
        BASCULE_HD static result finish(state s, std::int64_t, double) { return s; }
    };
    template <class T> using in_groups = counted<T, of<bool>, bool>;
};

struct all {
    static constexpr aggregate_spec meta{.name = "all",
                                         .types = comparable_types,
                                         .group_types = groupable_types,
                                         .identity = 1,
                                         .doc = "Test whether all array elements along a given axis evaluate to True."};
    template <class T> struct of {
        using input = T;
        using state = bool;
        using result = bool;
        static constexpr int leaf_size = 1024;
        static constexpr int granule = 8;
        BASCULE_HD static state identity() { return true; }
        BASCULE_HD static state leaf(T const* x, std::int64_t n, std::int64_t = 0) {
            return count_of_nonzero(x, n) == n;
        }
        BASCULE_HD static state reduce(T const* x, std::int64_t n, std::int64_t = 0) {
            state s = true;
            for (std::int64_t i = 0; i < n && s; i += leaf_size) s = leaf(x + i, n - i < leaf_size ? n - i : leaf_size);
            return s;
        }
        BASCULE_HD static void update(state& s, T x, std::int64_t) { s = both(s, is_nonzero(x)); }
        BASCULE_HD static state merge(state earlier, state later) { return earlier && later; }
        BASCULE_HD static bool decided(state s) { return !s; }
        BASCULE_HD static result finish(state s, std::int64_t, double) { return s; }
    };
    template <class T> using in_groups = counted<T, of<bool>, bool>;
};

struct count_nonzero {
    static constexpr aggregate_spec meta{.name = "count_nonzero",
                                         .types = comparable_types,
                                         .identity = 0,
                                         .doc = "Counts the number of non-zero values in the array."};
    template <class T> struct of {
        using input = T;
        using state = std::int64_t;
        using result = std::int64_t;
        static constexpr int leaf_size = 1024;
        static constexpr int granule = 8;
        BASCULE_HD static state identity() { return 0; }
        BASCULE_HD static state leaf(T const* x, std::int64_t n, std::int64_t = 0) { return count_of_nonzero(x, n); }
        BASCULE_HD static state reduce(T const* x, std::int64_t n, std::int64_t = 0) { return count_of_nonzero(x, n); }
        BASCULE_HD static void update(state& s, T x, std::int64_t) { s += is_nonzero(x); }
        BASCULE_HD static state merge(state earlier, state later) { return earlier + later; }
        BASCULE_HD static result finish(state s, std::int64_t, double) { return s; }
    };
};

using boolean_aggregates = op_list<any, all, count_nonzero>;

}  // namespace bascule::ops::aggregate

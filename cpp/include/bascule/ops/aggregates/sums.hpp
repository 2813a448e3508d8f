// sum, prod, mean. Integers reduce in 64 bits and wrap. Of floats, arrays add as NumPy does, bit for bit, groups and
// windows with compensation, as pandas; products of groups are taken in row order. Device-clean.
#pragma once
#include "bascule/ops/aggregates/groups.hpp"
#include "bascule/ops/arithmetic.hpp"
#include "bascule/ops/compensated.hpp"
#include "bascule/ops/pairwise.hpp"
#include "bascule/ops/windows/sums.hpp"

namespace bascule::ops::aggregate {

// NumPy's accumulator: integers and booleans widen to 64 bits.
template <class T>
using widened =
    choose<is_bool_type<T> || is_signed_type<T>, std::int64_t, choose<is_integer_type<T>, std::uint64_t, T>>;
// Averages of integers and booleans are float64.
template <class T> using averaged = choose<is_bool_type<T> || is_integer_type<T>, double, T>;

template <class To, class From> BASCULE_HD constexpr To accumulator_of(From x) {
    if constexpr (same_type<To, From>) return x;
    else return static_cast<To>(x);
}
template <class To, class From> struct load_as {
    From const* x;
    BASCULE_HD To operator()(std::int64_t i) const { return accumulator_of<To>(x[i]); }
};

// The quotient is rounded from float64, in which NumPy divides every sum. NaT stays; a timedelta is truncated, and
// divided by nothing it is NaT.
template <class A> BASCULE_HD A mean_of(A sum, std::int64_t n) {
    if constexpr (is_time_type<A>) return {(sum.count == nat) || n == 0 ? nat : sum.count / n};
    else if constexpr (is_complex_type<A>) {
        auto const mean = divide{}(complex<double>{sum.re, sum.im}, complex<double>{static_cast<double>(n), 0});
        return {static_cast<real_type<A>>(mean.re), static_cast<real_type<A>>(mean.im)};
    } else return static_cast<A>(static_cast<double>(sum) / static_cast<double>(n));
}

template <class T, class A, class Combine> struct tree_algebra {
    using input = T;
    using state = A;
    using combine = Combine;
    static constexpr int leaf_size = tree_leaf<A>;
    static constexpr int granule = tree_lanes<A>;
    BASCULE_HD static state leaf(T const* x, std::int64_t n, state neutral) {
        return tree_reduce<A, Combine, load_as<A, T>>{{x}, neutral}.leaf(0, n);
    }
    BASCULE_HD static state reduce(T const* x, std::int64_t n, state neutral) {
        return pairwise<A, Combine>(load_as<A, T>{x}, n, neutral);
    }
    BASCULE_HD static void update(state& s, T x, std::int64_t) { s = Combine{}(s, accumulator_of<A>(x)); }
    BASCULE_HD static state merge(state earlier, state later) { return Combine{}(earlier, later); }
};

template <class T, class A> struct sum_algebra : tree_algebra<T, A, add> {
    using tree = tree_algebra<T, A, add>;
    BASCULE_HD static A identity() { return A{}; }
    BASCULE_HD static A leaf(T const* x, std::int64_t n, std::int64_t = 0) { return tree::leaf(x, n, A{}); }
    BASCULE_HD static A reduce(T const* x, std::int64_t n, std::int64_t = 0) { return tree::reduce(x, n, A{}); }
};

struct sum {
    static constexpr aggregate_spec meta{.name = "sum",
                                         .types = arithmetic_types,
                                         .group_types = groupable_types,
                                         .identity = 0,
                                         .ordered = true,
                                         .doc = "Sum of array elements over a given axis."};
    template <class T> struct of : sum_algebra<T, widened<T>> {
        using result = widened<T>;
        BASCULE_HD static result finish(widened<T> s, std::int64_t, double) { return s; }
    };
    template <class T>
    using in_groups = counted<T, choose<is_float_type<T>, compensated_algebra<number<T>>, of<number<T>>>>;
    template <class T>
    using running = counted<T, choose<is_float_type<T>, compensated_algebra<number<T>, false>, of<number<T>>>>;
    using in_windows = window::window_sum;
};

// Products of complex numbers in order, from one on, as NumPy's: their zeros have other signs in another order. Runs
// longer than a leaf are cut as in other trees.
template <class T> struct product_in_order {
    using input = T;
    using state = T;
    using combine = multiply;
    static constexpr int leaf_size = 1024;
    static constexpr int granule = tree_lanes<T>;
    static constexpr bool whole_leaves = true;  // a thread reduces one
    BASCULE_HD static state identity() { return {1, 0}; }
    // X is a pointer, or any type that gives element i by x[i].
    template <class X> BASCULE_HD static state leaf(X x, std::int64_t n, std::int64_t position = 0) {
        if (n == 0) return identity();
        state s = first(x[0], position);
        for (std::int64_t i = 1; i < n; ++i) s = multiply{}(s, x[i]);
        return s;
    }
    BASCULE_HD static state first(T x, std::int64_t position) { return position == 0 ? multiply{}(identity(), x) : x; }
    BASCULE_HD static state reduce(T const* x, std::int64_t n, std::int64_t position = 0) {
        return reduce_tree<state>(leaves{x, position}, n, leaf_size, granule);
    }
    BASCULE_HD static void update(state& s, T x, std::int64_t) { s = multiply{}(s, x); }
    BASCULE_HD static state merge(state earlier, state later) {
        bool const nothing = both(both(earlier.re == 1, earlier.im == 0), !sign_is_set(earlier.im));
        return nothing ? later : multiply{}(earlier, later);
    }

private:
    struct leaves {
        T const* x;
        std::int64_t position;
        BASCULE_HD state leaf(std::int64_t start, std::int64_t n) const {
            return product_in_order::leaf(x + start, n, position + start);
        }
        BASCULE_HD state merge(state earlier, state later) const { return product_in_order::merge(earlier, later); }
    };
};

template <class T> struct product_in_tree : tree_algebra<T, widened<T>, multiply> {
    using tree = tree_algebra<T, widened<T>, multiply>;
    BASCULE_HD static widened<T> identity() { return widened<T>(1); }
    BASCULE_HD static widened<T> leaf(T const* x, std::int64_t n, std::int64_t = 0) {
        return tree::leaf(x, n, identity());
    }
    BASCULE_HD static widened<T> reduce(T const* x, std::int64_t n, std::int64_t = 0) {
        return tree::reduce(x, n, identity());
    }
};

struct prod {
    static constexpr aggregate_spec meta{.name = "prod",
                                         .types = types::boolean | types::numbers,
                                         .group_types = groupable_types & ~types::times,
                                         .identity = 1,
                                         .ordered = true,
                                         .doc = "Return the product of array elements over a given axis."};
    template <class T> struct of : choose<is_complex_type<T>, product_in_order<T>, product_in_tree<T>> {
        using result = widened<T>;
        BASCULE_HD static result finish(result s, std::int64_t, double) { return s; }
    };
    template <class T> using in_groups = counted<T, of<T>>;
    template <class T> using running = in_groups<T>;
};

struct mean {
    static constexpr aggregate_spec meta{.name = "mean",
                                         .types = arithmetic_types,
                                         .group_types = groupable_types,
                                         .ordered = true,
                                         .doc = "Compute the arithmetic mean along the specified axis."};
    template <class T> struct of : sum_algebra<T, averaged<T>> {
        using result = averaged<T>;
        BASCULE_HD static result finish(averaged<T> s, std::int64_t n, double) { return mean_of(s, n); }
    };
    template <class T>
    using in_groups = counted<T, compensated_mean<real_number<T>>, choose<is_time_type<T>, T, real_number<T>>>;
    using in_windows = window::window_mean;
};

using sum_aggregates = op_list<sum, prod, mean>;

}  // namespace bascule::ops::aggregate

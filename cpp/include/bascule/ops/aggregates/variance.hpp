// var and std: two passes over each leaf of up to 1,024 elements (its mean, then deviations and their squares), leaves
// merged by Chan, Golub and LeVeque's formula along the tree of first_half with granule 8. Values of groups, which come
// one by one, are added by Welford's recurrence, as in pandas; windows have its inverse, too. Device-clean.
#pragma once
#include "bascule/ops/aggregates/sums.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/windows/moments.hpp"

namespace bascule::ops::aggregate {

// A is the averages' type; deviations of complex numbers are real.
template <class A> struct moments {
    std::int64_t count;
    A mean;
    real_type<A> squares;  // sum of squared deviations from the mean
    A rest;                // rounding error of the mean: far from zero it would spoil the differences between means
};

template <class A> BASCULE_HD real_type<A> square_size(A d) {
    if constexpr (is_complex_type<A>) return d.re * d.re + d.im * d.im;
    else return d * d;
}

// X is a pointer, or any type that gives element i by x[i].
template <class X, class A> struct widened_element {
    X x;
    BASCULE_HD A operator()(std::int64_t i) const { return accumulator_of<A>(x[i]); }
};

template <class X, class A> struct squared_deviation {
    X x;
    A mean;
    BASCULE_HD real_type<A> operator()(std::int64_t i) const {
        return square_size(subtract{}(accumulator_of<A>(x[i]), mean));
    }
};

template <class X, class A> struct deviation {
    X x;
    A mean;
    BASCULE_HD A operator()(std::int64_t i) const { return subtract{}(accumulator_of<A>(x[i]), mean); }
};

template <class T> struct variance_algebra {
    using input = T;
    using average = averaged<T>;
    using real = real_type<average>;
    using state = moments<average>;
    using result = real;
    static constexpr int leaf_size = 1024;
    static constexpr int granule = 8;
    static constexpr bool whole_leaves = true;  // each takes three passes

    BASCULE_HD static state identity() { return {0, average{}, real(0), average{}}; }
    template <class X> BASCULE_HD static state leaf(X x, std::int64_t n, std::int64_t = 0) {
        if (n == 0) return identity();
        average const mean = mean_of(pairwise<average, add>(widened_element<X, average>{x}, n, average{}), n);
        return {n, mean, pairwise<real, add>(squared_deviation<X, average>{x, mean}, n, real(0)),
                mean_of(pairwise<average, add>(deviation<X, average>{x, mean}, n, average{}), n)};
    }
    BASCULE_HD static void update(state& s, T x, std::int64_t) {
        average const value = accumulator_of<average>(x);
        s = merge(s, {1, value, square_size(subtract{}(value, value)), average{}});  // 0, or NaN if there is an
                                                                                     // infinity
    }
    BASCULE_HD static state merge(state a, state b) {
        if (a.count == 0) return b;
        if (b.count == 0) return a;
        real const na = static_cast<real>(a.count), nb = static_cast<real>(b.count), n = na + nb, weight = nb / n;
        average const delta = add{}(subtract{}(b.mean, a.mean), subtract{}(b.rest, a.rest)),
                      step = scaled(delta, weight);
        average const mean = add{}(a.mean, step), lost = add{}(subtract{}(a.mean, mean), step);
        return {a.count + b.count, mean, a.squares + b.squares + square_size(delta) * (na * weight),
                add{}(lost, a.rest)};
    }
    BASCULE_HD static state reduce(T const* x, std::int64_t n, std::int64_t = 0) {
        return reduce_tree<state>(leaves{x}, n, leaf_size, granule);
    }
    BASCULE_HD static real variance(state s, double ddof) {
        double const divisor = static_cast<double>(s.count) - ddof;
        return s.squares / static_cast<real>(divisor > 0 ? divisor : 0);
    }

private:
    struct leaves {
        T const* x;
        BASCULE_HD state leaf(std::int64_t start, std::int64_t n) const { return variance_algebra::leaf(x + start, n); }
        BASCULE_HD state merge(state earlier, state later) const { return variance_algebra::merge(earlier, later); }
    };
    BASCULE_HD static average scaled(average d, real weight) {
        if constexpr (is_complex_type<average>) return {d.re * weight, d.im * weight};
        else return d * weight;
    }
};

// Welford's recurrence.
template <class T, class F> struct welford {
    using input = F;
    using result_type = F;
    F mean = 0, squares = 0;
    std::uint32_t n = 0;
    BASCULE_HD void add(T x) {
        auto const v = static_cast<F>(number_of(x));
        ++n;
        auto const before = mean;
        mean += (v - before) / static_cast<F>(n);
        squares += (v - mean) * (v - before);
    }
    BASCULE_HD void merge(welford const& later) {  // Chan's
        if (later.n == 0) return;
        if (n == 0) return void(*this = later);
        auto const ours = static_cast<F>(n), theirs = static_cast<F>(later.n), apart = later.mean - mean;
        mean += apart * (theirs / (ours + theirs));
        squares += later.squares + apart * apart * (ours * theirs / (ours + theirs));
        n += later.n;
    }
    BASCULE_HD F result(std::int64_t ddof) const {
        return squares / static_cast<F>(static_cast<std::int64_t>(n) - ddof);
    }
};

struct var {
    static constexpr aggregate_spec meta{.name = "var",
                                         .types = types::boolean | types::numbers,
                                         .group_types = groupable_types,
                                         .cost = 3,
                                         .uses_ddof = true,
                                         .ordered = true,
                                         .doc = "Compute the variance along the specified axis."};
    template <class T> struct of : variance_algebra<T> {
        BASCULE_HD static real_type<averaged<T>> finish(moments<averaged<T>> s, std::int64_t, double ddof) {
            return variance_algebra<T>::variance(s, ddof);
        }
    };
    template <class T> using in_groups = welford<T, real_number<T>>;
    using in_windows = window::window_variance;
};

struct std_dev {
    static constexpr aggregate_spec meta{.name = "std",
                                         .types = types::boolean | types::numbers,
                                         .group_types = groupable_types,
                                         .cost = 3,
                                         .uses_ddof = true,
                                         .ordered = true,
                                         .doc = "Compute the standard deviation along the specified axis."};
    template <class T> struct of : variance_algebra<T> {
        BASCULE_HD static real_type<averaged<T>> finish(moments<averaged<T>> s, std::int64_t, double ddof) {
            return math::sqrt(variance_algebra<T>::variance(s, ddof));
        }
    };
    template <class T> struct in_groups : welford<T, double> {  // pandas' is float64 for float32, too
        BASCULE_HD double result(std::int64_t ddof) const { return math::sqrt(welford<T, double>::result(ddof)); }
    };
};

using variance_aggregates = op_list<var, std_dev>;

}  // namespace bascule::ops::aggregate

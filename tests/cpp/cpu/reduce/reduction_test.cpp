// Reductions against a direct scalar model: elements gathered one by one, runs reduced by the recursion that
// core/plan.hpp states, on every instruction set and with one and two threads. Equal bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/engine/run.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/sched/thread_pool.hpp"
#include "support/plan_builder.hpp"

namespace {

using namespace bascule;
using bascule::testing::plan_builder;

constexpr char const* isas[] = {"baseline", "avx2", "avx512"};

// The tree of a sum, as NumPy documents it.
template <class T> T pairwise(T const* x, std::int64_t n) {
    if (n < 8) {
        T s = 0;
        for (std::int64_t i = 0; i < n; ++i) s += x[i];
        return s;
    }
    if (n <= 128) {
        T r[8];
        for (int j = 0; j < 8; ++j) r[j] = x[j];
        std::int64_t i = 8;
        for (; i + 8 <= n; i += 8)
            for (int j = 0; j < 8; ++j) r[j] += x[i + j];
        T s = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
        for (; i < n; ++i) s += x[i];
        return s;
    }
    std::int64_t half = n / 2;
    half -= half % 8;
    return pairwise(x, half) + pairwise(x + half, n - half);
}

struct space {
    std::vector<std::int64_t> shape;
    std::vector<std::uint8_t> reduced;
    int run_dims;
};

std::int64_t product(std::vector<std::int64_t> const& s) {
    std::int64_t n = 1;
    for (auto x : s) n *= x;
    return n;
}

// Flat positions behind each result, in C order.
std::map<std::int64_t, std::vector<std::int64_t>> groups_of(space const& s) {
    std::map<std::int64_t, std::vector<std::int64_t>> groups;
    std::int64_t kept = 1;
    for (std::size_t d = 0; d < s.shape.size(); ++d) kept *= s.reduced[d] ? 1 : s.shape[d];
    for (std::int64_t r = 0; r < kept; ++r) groups[r];
    for (std::int64_t i = 0, n = product(s.shape); i < n; ++i) {
        std::int64_t rest = i, result = 0, step = 1;
        for (std::size_t d = s.shape.size(); d-- > 0; rest /= s.shape[d])
            if (!s.reduced[d]) {
                result += rest % s.shape[d] * step;
                step *= s.shape[d];
            }
        groups[result].push_back(i);
    }
    return groups;
}

bool inner_reduced(space const& s) { return s.shape.empty() || s.reduced.back(); }
std::int64_t run_of(space const& s) {
    std::int64_t run = 1;
    for (int d = 0; d < s.run_dims && d < static_cast<int>(s.shape.size()); ++d)
        run *= s.shape[s.shape.size() - 1 - static_cast<std::size_t>(d)];
    return run;
}

std::vector<std::int64_t> out_strides(space const& s, int item) {
    std::vector<std::int64_t> strides(s.shape.size());
    std::int64_t step = item;
    for (std::size_t d = s.shape.size(); d-- > 0;) {
        strides[d] = s.reduced[d] ? 0 : step;
        step *= s.reduced[d] ? 1 : s.shape[d];
    }
    return strides;
}

std::vector<space> const spaces = {
    {{}, {}, 1},
    {{1}, {1}, 1},
    {{7}, {1}, 1},
    {{9}, {1}, 1},
    {{128}, {1}, 1},
    {{129}, {1}, 1},
    {{1000}, {1}, 1},
    {{1025}, {1}, 1},
    {{32768}, {1}, 1},
    {{32769}, {1}, 1},
    {{200003}, {1}, 1},
    {{200000}, {1}, 1},
    {{50, 300}, {0, 1}, 1},
    {{50, 1000}, {0, 1}, 1},
    {{50, 1024}, {0, 1}, 1},
    {{300, 50}, {0, 1}, 1},
    {{2000, 3}, {0, 1}, 1},
    {{40, 5000}, {1, 1}, 1},
    {{400, 50}, {1, 1}, 1},
    {{400, 50}, {1, 1}, 2},
    {{300, 40}, {1, 0}, 1},
    {{40, 300}, {1, 0}, 1},
    {{7, 3000}, {1, 0}, 1},
    {{5000, 3}, {1, 0}, 1},
    {{3, 20, 30}, {1, 0, 1}, 1},
    {{3, 20, 30}, {0, 1, 0}, 1},
    {{4, 6, 5, 700}, {1, 0, 1, 0}, 1},
    {{6, 5, 4, 300}, {0, 1, 0, 1}, 1},
    {{5, 4, 3, 2}, {1, 0, 0, 1}, 1},
    {{5, 4, 3, 2}, {1, 1, 0, 0}, 1},
    {{20, 30, 40}, {0, 1, 1}, 2},
    {{0}, {1}, 1},
    {{0, 3}, {1, 0}, 1},
    {{3, 0}, {0, 1}, 1},
    {{0, 3}, {0, 1}, 1},
    {{1, 5}, {1, 0}, 1},
    {{100, 1}, {1, 0}, 1},
};

template <class T> std::vector<T> random_values(std::int64_t n, unsigned seed) {
    std::mt19937 g(seed);
    std::vector<T> x(static_cast<std::size_t>(n) + 16);
    for (auto& v : x) {
        int const k = static_cast<int>(g() % 2001) - 1000;
        if constexpr (ops::is_complex_type<T>)
            v = {static_cast<ops::real_type<T>>(k / 7.0),
                 static_cast<ops::real_type<T>>(static_cast<int>(g() % 100) / 3.0)};
        else if constexpr (ops::is_time_type<T>) v = {k};
        else if constexpr (ops::is_bool_type<T>) v = k > 0;
        else if constexpr (ops::is_float_type<T>) v = static_cast<T>(k / 7.0);
        else v = static_cast<T>(k);
    }
    return x;
}

// x + 1 where that exists, so that the prologue is evaluated in registers; else x itself.
template <class A, class T> void check(space const& s, bool prologue, std::vector<T> x) {
    using algebra = typename A::template of<T>;
    using result = typename algebra::result;
    auto const number = ops::aggregate_number<A>;
    std::string const what = std::string(A::meta.name) + " of type " +
                             std::to_string(static_cast<int>(id_of<T>::value)) + ", space " +
                             std::to_string(&s - spaces.data()) + (prologue ? " + 1" : "");
    std::deque<result> wanted;
    T one{};
    if constexpr (ops::is_complex_type<T>) one.re = 1;
    else if constexpr (!ops::is_time_type<T>) one = 1;
    for (auto const& [r, at] : groups_of(s)) {
        // std::vector<bool> has no elements to point at.
        auto elements = std::make_unique<T[]>(at.size() + 1);
        for (std::size_t i = 0; i < at.size(); ++i)
            elements[i] = prologue ? static_cast<T>(ops::add{}(static_cast<T>(x[static_cast<std::size_t>(at[i])]), one))
                                   : static_cast<T>(x[static_cast<std::size_t>(at[i])]);
        auto state = algebra::identity();
        auto const n = static_cast<std::int64_t>(at.size()), run = run_of(s);
        if (inner_reduced(s))
            for (std::int64_t i = 0; i < n; i += run) {
                if constexpr (ops::same_type<A, ops::aggregate::sum> && ops::is_float_type<T>)
                    state += pairwise(elements.get() + i, run);
                else state = algebra::merge(state, algebra::reduce(elements.get() + i, run, i));
            }
        else
            for (std::int64_t i = 0; i < n; ++i) algebra::update(state, elements[static_cast<std::size_t>(i)], i);
        wanted.push_back(algebra::finish(state, n, 1));
    }
    auto memory = std::make_unique<T[]>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) memory[i] = x[i];
    plan_builder b(s.shape);
    int v = b.flat(memory.get(), id_of<T>::value);
    if (prologue) v = b.op("add", id_of<T>::value, {v, b.constant(one)});
    auto got = std::make_unique<result[]>(wanted.size() + 1);
    b.reduced = s.reduced, b.run_dims = s.run_dims;
    b.reduce(number, v, got.get(), id_of<result>::value, out_strides(s, sizeof(result)), 1);
    plan const p = b.get();
    for (char const* isa : isas)
        for (int threads = 1; threads <= 2; ++threads) {
            auto const* kernels = cpu::kernels_of(isa);
            if (!kernels) continue;
            sched::set_thread_count(threads);
            std::memset(static_cast<void*>(got.get()), 0x55, wanted.size() * sizeof(result));
            ASSERT_EQ(cpu::run_plan(p, *kernels), status::ok) << what << cpu::last_error_text();
            for (std::size_t i = 0; i < wanted.size(); ++i)
                ASSERT_EQ(std::memcmp(&got[i], &wanted[i], sizeof(result)), 0)
                    << what << " on " << isa << ", " << threads << " threads, result " << i << " of " << wanted.size();
        }
}

template <class A> void check_all() {
    for (space const& s : spaces)
        for (bool prologue : {false, true}) {
            std::int64_t const n = product(s.shape);
            auto const one_type = [&]<class T>(T) {
                if constexpr (contains(A::meta.types, id_of<T>::value)) {
                    if (A::meta.empty_error[0] && n == 0) return;
                    if (prologue && (ops::is_time_type<T> || !contains(ops::add::meta.types, id_of<T>::value))) return;
                    check<A, T>(s, prologue, random_values<T>(n, 5));
                }
            };
            if (::testing::Test::HasFatalFailure()) return;
            one_type(double{});
            one_type(float{});
            one_type(std::int32_t{});
            if (n > 100000) continue;
            one_type(std::uint8_t{});
            one_type(complex<double>{});
            one_type(datetime64{});
        }
}

TEST(reduction, sums_are_numpys_tree) { check_all<ops::aggregate::sum>(); }
TEST(reduction, products_equal_the_model) { check_all<ops::aggregate::prod>(); }
TEST(reduction, means_equal_the_model) { check_all<ops::aggregate::mean>(); }
TEST(reduction, minima_equal_the_model) { check_all<ops::aggregate::minimum>(); }
TEST(reduction, maxima_equal_the_model) { check_all<ops::aggregate::maximum>(); }
TEST(reduction, positions_of_minima_equal_the_model) { check_all<ops::aggregate::argmin>(); }
TEST(reduction, positions_of_maxima_equal_the_model) { check_all<ops::aggregate::argmax>(); }
TEST(reduction, any_equals_the_model) { check_all<ops::aggregate::any>(); }
TEST(reduction, all_equals_the_model) { check_all<ops::aggregate::all>(); }
TEST(reduction, counts_equal_the_model) { check_all<ops::aggregate::count_nonzero>(); }
TEST(reduction, variances_equal_the_model) { check_all<ops::aggregate::var>(); }
TEST(reduction, standard_deviations_equal_the_model) { check_all<ops::aggregate::std_dev>(); }

// The lengths cut a leaf in every way; the first element is not aligned to a vector.
template <class T> void check_moments(T far, T extreme) {
    using algebra = ops::aggregate::var::of<T>;
    auto x = random_values<T>(3000, 6);
    for (T& v : x) v += far;
    x[1500] = extreme;
    for (char const* isa : isas)
        for (std::int64_t n = 0; n < 2100; n += n < 300 ? 1 : 7) {
            auto const* kernels = cpu::kernels_of(isa);
            if (!kernels) continue;
            auto const wanted = algebra::reduce(x.data() + 1, n);
            auto got = algebra::identity();
            kernels->reduction[ops::aggregate_number<ops::aggregate::var>][static_cast<int>(id_of<T>::value)].reduce(
                &got, x.data() + 1, n, 0);
            ASSERT_EQ(got.count, n);
            for (auto part : {&algebra::state::mean, &algebra::state::squares, &algebra::state::rest})
                ASSERT_EQ(std::memcmp(&(got.*part), &(wanted.*part), sizeof(T)), 0) << n << " elements on " << isa;
        }
}
TEST(reduction, moments_of_any_length_equal_the_model) {
    check_moments<double>(0, 1);
    check_moments<double>(1e9, -1e300);
    check_moments<float>(0, 1);
    check_moments<float>(1e5f, std::numeric_limits<float>::infinity());
}

// Numbers whose sums show every change of order and of rounding; some zeros, of both signs.
template <class T> std::vector<T> uneven_values(std::size_t n, unsigned seed) {
    std::mt19937 g(seed);
    std::normal_distribution<T> normal;
    std::vector<T> x(n);
    for (T& v : x) v = g() % 16 ? normal(g) * std::exp(8 * normal(g)) : g() % 2 ? T(0) : -T(0);
    return x;
}

// Whole vectors in leaves whose lengths differ by one, and a remainder that does not fill one: a run, and rows one
// after another. Lanes that no element belongs to raise nothing.
template <class T> void check_leaves() {
    using variance = ops::aggregate::var::of<T>;
    using state = typename variance::state;
    constexpr int type = static_cast<int>(id_of<T>::value);
    auto const usual = uneven_values<T>(12000, 8);
    std::vector<T> const zeros(12000, -T(0)), large(12000, std::numeric_limits<T>::max() / 20000);
    for (char const* isa : isas)
        for (auto const* x : {&usual, &zeros, &large})
            for (std::int64_t n = 500; n < 6000; n += n < 1100 ? 4 : 52) {
                auto const* kernels = cpu::kernels_of(isa);
                if (!kernels) continue;
                auto const& sums = kernels->reduction[ops::aggregate_number<ops::aggregate::sum>][type];
                auto const& variances = kernels->reduction[ops::aggregate_number<ops::aggregate::var>][type];
                T const* const from = x->data() + 1;
                T sum[2], wanted_sum[2] = {pairwise(from, n), pairwise(from + n, n)};
                state moments[2], wanted[2] = {variance::reduce(from, n), variance::reduce(from + n, n)};
                for (bool const by_rows : {false, true}) {
                    std::feclearexcept(FE_ALL_EXCEPT);
                    for (int r = 0; r < 2 && !by_rows; ++r) {
                        sums.reduce(sum + r, from + r * n, n, 0);
                        variances.reduce(moments + r, from + r * n, n, 0);
                    }
                    if (by_rows) sums.reduce_rows(sum, from, 2, n, 0), variances.reduce_rows(moments, from, 2, n, 0);
                    int const raised = std::fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT);
                    ASSERT_FALSE(x == &zeros && raised) << n << " elements on " << isa;
                    for (int r = 0; r < 2; ++r) {
                        ASSERT_EQ(std::memcmp(&sum[r], &wanted_sum[r], sizeof(T)), 0) << n << " elements on " << isa;
                        ASSERT_EQ(moments[r].count, n);
                        for (auto part : {&state::mean, &state::squares, &state::rest})
                            ASSERT_EQ(std::memcmp(&(moments[r].*part), &(wanted[r].*part), sizeof(T)), 0)
                                << n << " elements on " << isa << ", " << moments[r].*part << wanted[r].*part;
                    }
                }
            }
}
TEST(reduction, leaves_of_whole_vectors_equal_the_model) {
    check_leaves<double>();
    check_leaves<float>();
}

// Rows are reduced several at a time: numbers of rows that are no multiple of any, and elements that are not finite in
// the first row, among those that follow it, and in the last.
template <class A, class T> void check_rows_of_columns(std::int64_t rows, T extreme, std::int64_t at) {
    using algebra = typename A::template of<T>;
    using state = typename algebra::state;
    constexpr std::int64_t columns = 700;
    auto x = uneven_values<T>(static_cast<std::size_t>(rows * columns), 9);
    if (at >= 0) x[static_cast<std::size_t>(at * columns + 600)] = extreme;
    for (char const* isa : isas) {
        auto const* kernels = cpu::kernels_of(isa);
        if (!kernels) continue;
        auto const& k = kernels->reduction[ops::aggregate_number<A>][static_cast<int>(id_of<T>::value)];
        std::vector<state> got(columns), wanted(columns);
        k.init(got.data(), columns), k.init(wanted.data(), columns);
        std::int64_t const half = rows / 2;
        k.columns({got.data(), x.data(), columns * static_cast<std::int64_t>(sizeof(T)), half, columns, 0});
        k.columns({got.data(), x.data() + half * columns, columns * static_cast<std::int64_t>(sizeof(T)), rows - half,
                   columns, half});
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t j = 0; j < columns; ++j)
                algebra::update(wanted[static_cast<std::size_t>(j)], x[static_cast<std::size_t>(r * columns + j)], r);
        std::vector<T> results(columns), wanted_results(columns);
        k.finish({results.data(), sizeof(T), got.data(), columns, rows, 0});
        k.finish({wanted_results.data(), sizeof(T), wanted.data(), columns, rows, 0});
        for (std::size_t j = 0; j < columns; ++j) {
            if (std::isnan(results[j]) && std::isnan(wanted_results[j])) continue;
            ASSERT_EQ(std::memcmp(&results[j], &wanted_results[j], sizeof(T)), 0)
                << A::meta.name << " of column " << j << " of " << rows << " rows on " << isa << ", " << extreme
                << " in row " << at << ": " << results[j] << " for " << wanted_results[j];
        }
    }
}
template <class A, class T> void check_all_rows_of_columns() {
    for (std::int64_t const rows : {1, 2, 5, 9, 16, 23, 70}) {
        check_rows_of_columns<A, T>(rows, 0, -1);
        for (T const extreme : {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                                std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::max()})
            for (std::int64_t const at : {std::int64_t{0}, rows / 2, rows - 1})
                check_rows_of_columns<A, T>(rows, extreme, at);
        if (::testing::Test::HasFatalFailure()) return;
    }
}
TEST(reduction, rows_reduced_together_equal_the_model) {
    check_all_rows_of_columns<ops::aggregate::sum, double>();
    check_all_rows_of_columns<ops::aggregate::sum, float>();
    check_all_rows_of_columns<ops::aggregate::maximum, double>();
    check_all_rows_of_columns<ops::aggregate::minimum, float>();
    check_all_rows_of_columns<ops::aggregate::var, double>();
    check_all_rows_of_columns<ops::aggregate::var, float>();
    check_all_rows_of_columns<ops::aggregate::mean, double>();
}

// Small types are widened, or added up in pieces: lengths around a leaf and a piece, values at both ends of their
// range.
template <class A, class T> void check_reduce() {
    using algebra = typename A::template of<T>;
    using result = typename algebra::result;
    std::mt19937 g(7);
    auto x = std::make_unique<T[]>(70001);
    for (int i = 0; i < 70001; ++i) {
        int const kind = static_cast<int>(g() % 8);
        x[static_cast<std::size_t>(i)] = kind == 0   ? std::numeric_limits<T>::lowest()
                                         : i < 35000 ? std::numeric_limits<T>::max()
                                                     : static_cast<T>(g() % 100);
    }
    for (char const* isa : isas)
        for (std::int64_t const n : {0, 1, 7, 8, 9, 127, 128, 129, 1023, 1024, 1025, 4095, 4096, 4097, 30000, 70000}) {
            auto const* kernels = cpu::kernels_of(isa);
            if (!kernels) continue;
            auto got = algebra::identity();
            kernels->reduction[ops::aggregate_number<A>][static_cast<int>(id_of<T>::value)].reduce(&got, x.get() + 1, n,
                                                                                                   0);
            result const a = algebra::finish(got, n, 0), b = algebra::finish(algebra::reduce(x.get() + 1, n), n, 0);
            ASSERT_EQ(std::memcmp(&a, &b, sizeof a), 0) << A::meta.name << " of " << n << " elements of type "
                                                        << static_cast<int>(id_of<T>::value) << " on " << isa;
        }
}
template <class... T> void check_reduces() {
    (check_reduce<ops::aggregate::sum, T>(), ...);
    (check_reduce<ops::aggregate::mean, T>(), ...);
    (check_reduce<ops::aggregate::var, T>(), ...);
    (check_reduce<ops::aggregate::count_nonzero, T>(), ...);
}
TEST(reduction, reduces_of_narrow_types_equal_the_model) {
    check_reduces<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                  std::int64_t>();
}

// The vectors take the lanes that the algebra names, so zeros of either sign and NaN give the same result.
template <class A, class T> void check_extremum(char const* isa) {
    auto const* kernels = cpu::kernels_of(isa);
    if (!kernels) return;
    using algebra = typename A::template of<T>;
    auto const x = random_values<T>(5000, 13);
    std::mt19937 g(17);
    for (std::int64_t const n : {0, 1, 15, 16, 17, 31, 32, 33, 511, 512, 513, 1024, 4999})
        for (int trial = 0; trial < 60; ++trial) {
            std::vector<T> v(x.begin(), x.begin() + n);
            for (int k = 0; n > 0 && k < trial % 4; ++k)
                v[g() % v.size()] = trial % 8 < 4 ? std::numeric_limits<T>::quiet_NaN()
                                                  : std::numeric_limits<T>::infinity();
            if (trial % 5 == 0)
                for (auto& y : v) y = g() % 2 ? T(0) : -T(0);
            if (trial % 5 == 1)  // the extremum is a zero, of the sign that comes first
                for (auto& y : v) y = g() % 9 ? std::copysign(y, algebra::identity()) : g() % 2 ? T(0) : -T(0);
            if (trial == 59) v.assign(v.size(), -std::numeric_limits<T>::quiet_NaN());
            T got = 0, wanted = algebra::reduce(v.data(), n);
            auto const& k = kernels->reduction[ops::aggregate_number<A>][static_cast<int>(id_of<T>::value)];
            k.reduce(&got, v.data(), n, 0);
            ASSERT_EQ(std::memcmp(&got, &wanted, sizeof got), 0)
                << A::meta.name << " of " << n << " elements on " << isa << ", " << got << " for " << wanted;
            std::vector<T> rows(v), state(2);
            rows.insert(rows.end(), v.begin(), v.end());
            k.reduce_rows(state.data(), rows.data(), 2, n, 0);
            for (T const s : state)
                ASSERT_EQ(std::memcmp(&s, &wanted, sizeof s), 0)
                    << A::meta.name << " of rows of " << n << " on " << isa;
        }
}
TEST(reduction, extrema_of_floats_equal_the_algebra_s) {
    for (char const* isa : isas) {
        check_extremum<ops::aggregate::minimum, double>(isa);
        check_extremum<ops::aggregate::maximum, double>(isa);
        check_extremum<ops::aggregate::minimum, float>(isa);
        check_extremum<ops::aggregate::maximum, float>(isa);
    }
}

// Several rows are reduced together: the same as row after row, on states that rows before may have left a NaN in.
template <class A, class T> void check_extrema_of_columns(char const* isa) {
    auto const* kernels = cpu::kernels_of(isa);
    if (!kernels) return;
    using algebra = typename A::template of<T>;
    auto const& k = kernels->reduction[ops::aggregate_number<A>][static_cast<int>(id_of<T>::value)];
    std::mt19937 g(19);
    for (std::int64_t const rows : {1, 7, 8, 9, 16, 23, 40})
        for (std::int64_t const columns : {1, 3, 4, 7, 8, 9, 16, 17, 33, 100})
            for (int trial = 0; trial < 8; ++trial) {
                std::int64_t const stride = columns + 3;
                auto x = random_values<T>(rows * stride, 23 + static_cast<unsigned>(trial));
                if (trial % 4 == 1)
                    for (auto& y : x) y = g() % 2 ? T(0) : -T(0);
                for (int n = 0; trial % 4 > 1 && n < 3; ++n)
                    x[g() % x.size()] = std::copysign(std::numeric_limits<T>::quiet_NaN(), n % 2 ? T(1) : T(-1));
                std::vector<T> got(static_cast<std::size_t>(columns), algebra::identity());
                if (trial == 3) got[g() % got.size()] = std::numeric_limits<T>::quiet_NaN();
                auto wanted = got;
                for (std::int64_t r = 0; r < rows; ++r)
                    for (std::int64_t j = 0; j < columns; ++j)
                        algebra::update(wanted[static_cast<std::size_t>(j)],
                                        x[static_cast<std::size_t>(r * stride + j)], r);
                k.columns({got.data(), x.data(), stride * std::int64_t{sizeof(T)}, rows, columns, 0});
                ASSERT_EQ(std::memcmp(got.data(), wanted.data(), got.size() * sizeof(T)), 0)
                    << A::meta.name << " of " << rows << " rows of " << columns << " on " << isa;
                std::vector<T> merged(got.size(), algebra::identity()), expected(merged);
                k.merge(merged.data(), got.data(), columns);
                for (std::size_t j = 0; j < got.size(); ++j) expected[j] = algebra::merge(expected[j], got[j]);
                ASSERT_EQ(std::memcmp(merged.data(), expected.data(), got.size() * sizeof(T)), 0)
                    << A::meta.name << " of " << columns << " states on " << isa;
            }
}
TEST(reduction, extrema_of_columns_equal_the_algebra_s) {
    for (char const* isa : isas) {
        check_extrema_of_columns<ops::aggregate::minimum, double>(isa);
        check_extrema_of_columns<ops::aggregate::maximum, double>(isa);
        check_extrema_of_columns<ops::aggregate::minimum, float>(isa);
        check_extrema_of_columns<ops::aggregate::maximum, float>(isa);
    }
}

TEST(reduction, several_reductions_and_a_store_share_a_pass) {
    std::int64_t const n = 100000;
    auto const x = random_values<double>(n, 9);
    std::vector<double> doubled(static_cast<std::size_t>(n));
    double sum = 0, deviation = 0;
    std::int64_t where = 0;
    plan_builder b({n});
    int const v = b.op("multiply", type_id::float64, {b.flat(x.data(), type_id::float64), b.constant(2.0)});
    b.store_flat(v, doubled.data());
    b.reduced = {1};
    b.reduce(ops::find_aggregate("sum"), v, &sum, type_id::float64, {0});
    b.reduce(ops::find_aggregate("std"), v, &deviation, type_id::float64, {0});
    b.reduce(ops::find_aggregate("argmax"), v, &where, type_id::int64, {0});
    plan const p = b.get();
    ASSERT_EQ(cpu_backend()->run(0, &p, nullptr), status::ok);
    EXPECT_EQ(sum, pairwise(doubled.data(), n));
    EXPECT_EQ(where, std::max_element(doubled.begin(), doubled.end()) - doubled.begin());
    double squares = 0;
    for (double y : doubled) squares += (y - sum / static_cast<double>(n)) * (y - sum / static_cast<double>(n));
    EXPECT_NEAR(deviation, std::sqrt(squares / static_cast<double>(n)), 1e-12 * deviation);
}

// A complex sum's tree is cut at multiples of 4 elements, others' at multiples of 8: reductions that share its pass do
// not change its bits.
TEST(reduction, what_shares_a_pass_does_not_show_in_the_bits) {
    std::int64_t const n = 100009;  // half of it is a multiple of 4 and not of 8
    auto const x = random_values<double>(2 * n, 11);
    auto const each = [&](char const* name, int first, int count) {
        double result[4][2] = {};
        plan_builder b({n}, {1});
        int const z = b.flat(x.data(), type_id::complex128), re = b.op("real", type_id::float64, {z});
        struct one {
            char const* aggregate;
            int value;
            type_id type;
        };
        one const all[] = {{"sum", z, type_id::complex128},
                           {"mean", z, type_id::complex128},
                           {name, z, type_id::complex128},
                           {"var", re, type_id::float64}};
        for (int k = first; k < first + count; ++k)
            b.reduce(ops::find_aggregate(all[k].aggregate), all[k].value, result[k], all[k].type, {0});
        plan const p = b.get();
        EXPECT_EQ(cpu_backend()->run(0, &p, nullptr), status::ok);
        return std::vector<double>(result[first], result[first] + 2 * count);
    };
    for (char const* name : {"max", "prod"}) {
        auto const together = each(name, 0, 4);
        for (int k = 0; k < 4; ++k) {
            auto const alone = each(name, k, 1);
            EXPECT_EQ(std::memcmp(alone.data(), together.data() + 2 * k, 16), 0)
                << "reduction " << k << " beside " << name;
        }
    }
}

TEST(reduction, a_constant_is_summed_as_often_as_it_stands) {
    double sum = 0;
    plan_builder b({1000});
    b.reduced = {1};
    b.reduce(ops::find_aggregate("sum"), b.constant(0.5), &sum, type_id::float64, {0});
    plan const p = b.get();
    ASSERT_EQ(cpu_backend()->run(0, &p, nullptr), status::ok);
    EXPECT_EQ(sum, 500.0);
}

}  // namespace

// Linear algebra of the CPU against plain loops and by multiplying back: types, layouts, stacks, threads.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bascule/core/array_algorithms_linear.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace {

using namespace bascule;

status run(algorithm_kind kind, void* args) { return cpu_backend()->algorithm(0, kind, args, nullptr); }

// A stack of matrices in memory of its own; `layout`: rows one behind another, columns, or rows with gaps.
enum layout { rows, columns, gaps };
template <class T> struct stack {
    std::int64_t count, m, n, step, row, column;
    std::vector<T> memory;

    stack(std::int64_t count_, std::int64_t m_, std::int64_t n_, layout l, unsigned seed = 0)
        : count(count_), m(m_), n(n_), step(m_ * n_ * (l == gaps ? 6 : 1)), row(l == rows      ? n_
                                                                                : l == columns ? 1
                                                                                               : 3 * n_),
          column(l == rows      ? 1
                 : l == columns ? m_
                                : 2),
          memory(static_cast<std::size_t>(std::max<std::int64_t>(count_ * step, 1))) {
        std::mt19937 random(seed + 1);
        for (T& v : memory) fill(v, random);
    }
    static void fill(T& v, std::mt19937& random) {
        if constexpr (std::is_integral_v<T>) v = static_cast<T>(random() % 7);
        else if constexpr (std::is_floating_point_v<T>) v = std::normal_distribution<T>()(random);
        else
            v = {std::normal_distribution<typename T::value_type>()(random),
                 std::normal_distribution<typename T::value_type>()(random)};
    }
    T& at(std::int64_t k, std::int64_t i, std::int64_t j) {
        return memory[static_cast<std::size_t>(k * step + i * row + j * column)];
    }
    std::int64_t bytes_between() const { return step * static_cast<std::int64_t>(sizeof(T)); }
    matrix_stack get(std::int64_t const* between) {
        auto const size = static_cast<std::int64_t>(sizeof(T));
        return {memory.data(), between, row * size, column * size};
    }
};

template <class T> type_id id();
template <> type_id id<float>() { return type_id::float32; }
template <> type_id id<double>() { return type_id::float64; }
template <> type_id id<std::complex<float>>() { return type_id::complex64; }
template <> type_id id<std::complex<double>>() { return type_id::complex128; }
template <> type_id id<std::int16_t>() { return type_id::int16; }
template <> type_id id<std::int64_t>() { return type_id::int64; }

template <class T> class products : public testing::Test {};
using product_types =
    testing::Types<float, double, std::complex<float>, std::complex<double>, std::int16_t, std::int64_t>;
TYPED_TEST_SUITE(products, product_types);

template <class T>
void expect_product(std::int64_t count, std::int64_t m, std::int64_t k, std::int64_t n, layout la, layout lb,
                    layout lc) {
    stack<T> a(count, m, k, la), b(count, k, n, lb, 7), c(count, m, n, lc, 9);
    std::int64_t const sa = a.bytes_between(), sb = b.bytes_between(), sc = c.bytes_between();
    matrix_product_args p;
    p.dtype = id<T>(), p.ndim = 1, p.shape = &count, p.m = m, p.k = k, p.n = n;
    p.a = a.get(&sa), p.b = b.get(&sb), p.out = c.get(&sc);
    ASSERT_EQ(run(algorithm_kind::matrix_product, &p), status::ok);
    double const tolerance = sizeof(T) == sizeof(std::complex<float>) || sizeof(T) == 4 ? 1e-4 : 1e-11;
    for (std::int64_t s = 0; s < count; ++s)
        for (std::int64_t i = 0; i<m; i += m> 50 ? 17 : 1)
            for (std::int64_t j = 0; j<n; j += n> 50 ? 13 : 1) {
                T sum{};
                for (std::int64_t q = 0; q < k; ++q) sum = static_cast<T>(sum + a.at(s, i, q) * b.at(s, q, j));
                if constexpr (std::is_integral_v<T>) ASSERT_EQ(c.at(s, i, j), sum);
                else
                    ASSERT_LE(std::abs(c.at(s, i, j) - sum), tolerance * (1 + static_cast<double>(k)))
                        << m << "x" << k << "x" << n << " at " << s << " " << i << " " << j;
            }
}

TYPED_TEST(products, equal_plain_loops_in_every_layout) {
    for (layout la : {rows, columns, gaps})
        for (layout lb : {rows, columns, gaps})
            for (layout lc : {rows, columns, gaps}) {
                expect_product<TypeParam>(3, 4, 5, 6, la, lb, lc);
                expect_product<TypeParam>(1, 1, 9, 7, la, lb, lc);
                expect_product<TypeParam>(2, 7, 9, 1, la, lb, lc);
                expect_product<TypeParam>(1, 1, 40, 1, la, lb, lc);
                expect_product<TypeParam>(2, 3, 0, 2, la, lb, lc);
            }
}

TYPED_TEST(products, large_ones_are_parted) {
    expect_product<TypeParam>(1, 300, 150, 280, rows, columns, rows);
    expect_product<TypeParam>(1, 40000, 5, 6, rows, rows, rows);
    expect_product<TypeParam>(40, 33, 20, 31, gaps, rows, columns);
    expect_product<TypeParam>(1, 3, 200000, 2, columns, rows, rows);
}

TEST(products_of_own_transpose, are_symmetric_to_the_bit) {
    for (std::int64_t n : {5, 130, 400}) {
        stack<double> a(1, n, 37, rows), c(1, n, n, rows);
        matrix_product_args p;
        p.m = p.n = n, p.k = 37;
        p.a = a.get(nullptr), p.b = {p.a.data, nullptr, p.a.column, p.a.row}, p.out = c.get(nullptr);
        ASSERT_EQ(run(algorithm_kind::matrix_product, &p), status::ok);
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < i; ++j) ASSERT_EQ(c.at(0, i, j), c.at(0, j, i)) << i << " " << j;
        double sum = 0;
        for (std::int64_t q = 0; q < 37; ++q) sum += a.at(0, n - 1, q) * a.at(0, 1, q);
        EXPECT_NEAR(c.at(0, n - 1, 1), sum, 1e-12);
    }
}

TEST(products_of_conjugates, conjugate_the_first_operand) {
    using C = std::complex<double>;
    stack<C> a(1, 1, 6, rows), b(1, 6, 1, rows, 3), c(1, 1, 1, rows);
    matrix_product_args p;
    p.dtype = type_id::complex128, p.conjugate_a = true, p.m = p.n = 1, p.k = 6;
    p.a = a.get(nullptr), p.b = b.get(nullptr), p.out = c.get(nullptr);
    ASSERT_EQ(run(algorithm_kind::matrix_product, &p), status::ok);
    C sum{};
    for (int q = 0; q < 6; ++q) sum += std::conj(a.at(0, 0, q)) * b.at(0, q, 0);
    EXPECT_LT(std::abs(c.at(0, 0, 0) - sum), 1e-13);
}

template <class T> class factors : public testing::Test {};
using factor_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(factors, factor_types);

template <class T> double close_to() {
    return sizeof(T) == 4 || sizeof(T) == sizeof(std::complex<float>) ? 2e-3 : 1e-9;
}

TYPED_TEST(factors, solutions_multiply_back) {
    using T = TypeParam;
    for (std::int64_t count : {1, 50})
        for (bool wide : {true, false}) {
            std::int64_t const n = 6, k = 2;
            stack<T> a(count, n, n, gaps), b(count, n, k, rows, 5), x(count, n, k, columns);
            std::int64_t const sa = a.bytes_between(), sb = b.bytes_between(), sx = x.bytes_between();
            matrix_factor_args f;
            f.dtype = id<T>(), f.wide = wide, f.ndim = 1, f.shape = &count, f.m = f.n = n, f.columns = k;
            f.a = a.get(&sa), f.b = b.get(&sb), f.out[0] = x.get(&sx);
            ASSERT_EQ(run(algorithm_kind::matrix_factor, &f), status::ok);
            ASSERT_EQ(f.failed, 0);
            for (std::int64_t s = 0; s < count; ++s)
                for (std::int64_t i = 0; i < n; ++i)
                    for (std::int64_t j = 0; j < k; ++j) {
                        T sum{};
                        for (std::int64_t q = 0; q < n; ++q) sum += a.at(s, i, q) * x.at(s, q, j);
                        ASSERT_LT(std::abs(sum - b.at(s, i, j)), 10 * close_to<T>());
                    }
        }
}

TYPED_TEST(factors, singular_values_multiply_back) {
    using T = TypeParam;
    using R = decltype(std::abs(T{}));
    for (auto [m, n] : {std::pair<std::int64_t, std::int64_t>{7, 4}, {4, 7}, {90, 70}}) {
        std::int64_t const r = std::min(m, n), count = 3;
        stack<T> a(count, m, n, rows), u(count, m, r, rows), vh(count, r, n, rows);
        stack<R> values(count, r, 1, rows);
        std::int64_t const sa = a.bytes_between(), su = u.bytes_between(), sv = vh.bytes_between(),
                           ss = values.bytes_between();
        matrix_factor_args f;
        f.task = matrix_task::singular_values, f.dtype = id<T>(), f.ndim = 1, f.shape = &count, f.m = m, f.n = n;
        f.a = a.get(&sa), f.out[0] = u.get(&su), f.out[1] = values.get(&ss), f.out[2] = vh.get(&sv);
        ASSERT_EQ(run(algorithm_kind::matrix_factor, &f), status::ok);
        ASSERT_EQ(f.failed, 0);
        for (std::int64_t s = 0; s < count; ++s)
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    T sum{};
                    for (std::int64_t q = 0; q < r; ++q) sum += u.at(s, i, q) * values.at(s, q, 0) * vh.at(s, q, j);
                    ASSERT_LT(std::abs(sum - a.at(s, i, j)), close_to<T>());
                }
    }
}

TEST(factors_of_one_matrix, without_an_answer_are_counted_and_not_numbers) {
    std::int64_t const count = 4, n = 3;
    stack<double> a(count, n, n, rows), x(count, n, n, rows);
    for (std::int64_t j = 0; j < n; ++j) a.at(2, 1, j) = 2 * a.at(2, 0, j), a.at(2, 2, j) = 0;
    std::int64_t const between = a.bytes_between();
    matrix_factor_args f;
    f.task = matrix_task::invert, f.ndim = 1, f.shape = &count, f.m = f.n = n;
    f.a = a.get(&between), f.out[0] = x.get(&between);
    ASSERT_EQ(run(algorithm_kind::matrix_factor, &f), status::ok);
    EXPECT_EQ(f.failed, 1);
    EXPECT_TRUE(std::isnan(x.at(2, 1, 1)));
    EXPECT_FALSE(std::isnan(x.at(1, 1, 1)));
}

TEST(sessions, of_both_kinds_wait_for_one_another) {
    auto const work = [](bool single) {
        for (int i = 0; i < 20; ++i) {
            if (single) expect_product<double>(1, 300, 64, 300, rows, rows, rows);
            std::int64_t const n = single ? 8 : 150, count = single ? 40 : 1;
            stack<double> a(count, n, n, rows), x(count, n, n, rows);
            std::int64_t const between = a.bytes_between();
            matrix_factor_args f;
            f.task = matrix_task::invert, f.ndim = 1, f.shape = &count, f.m = f.n = n;
            f.a = a.get(&between), f.out[0] = x.get(&between);
            ASSERT_EQ(run(algorithm_kind::matrix_factor, &f), status::ok);
        }
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(work, t % 2 == 0);
    for (auto& t : threads) t.join();
}

}  // namespace

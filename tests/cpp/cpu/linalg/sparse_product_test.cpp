// sparse_product: the cpu device finds what plain loops find, with the same bits for any number of threads.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "bascule/core/array_algorithms_sparse.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace {

using namespace bascule;
using count = std::int64_t;

template <class V, class I> struct matrix {
    std::vector<V> values;
    std::vector<I> indices, starts{0};
    count columns;

    // Of rows with up to `most` elements, in any order and repeatedly; every third one has none.
    matrix(count rows, count columns, count most, unsigned seed) : columns(columns) {
        std::mt19937 random(seed);
        for (count i = 0; i < rows; ++i) {
            count const n = i % 3 == 1 || columns == 0 ? 0 : std::uniform_int_distribution<count>(0, most)(random);
            for (count e = 0; e < n; ++e) {
                values.push_back(static_cast<V>(std::uniform_int_distribution<int>(-8, 8)(random)));
                indices.push_back(static_cast<I>(std::uniform_int_distribution<count>(0, columns - 1)(random)));
            }
            starts.push_back(static_cast<I>(values.size()));
        }
    }
    compressed_rows rows() const {
        return {values.data(), indices.data(), starts.data(), static_cast<count>(starts.size()) - 1, columns};
    }
};

template <class V, class I> sparse_product_args arguments(matrix<V, I> const& m, count factors, bool transposed) {
    sparse_product_args a;
    a.type = sizeof(V) == 8 ? type_id::float64 : type_id::float32;
    a.index_type = sizeof(I) == 8 ? type_id::int64 : type_id::int32;
    a.matrix = m.rows(), a.count = factors, a.transposed = transposed;
    return a;
}

template <class V> std::vector<V> product(backend const& device, sparse_product_args a) {
    count const rows = a.transposed ? a.matrix.columns : a.matrix.length;
    std::vector<V> found(static_cast<std::size_t>(rows * a.count), V{-1});
    a.result = found.data();
    EXPECT_EQ(device.algorithm(0, algorithm_kind::sparse_product, &a, nullptr), status::ok);
    return found;
}

// Values are small integers, so that sums are exact in any order.
template <class V> void expect_product(sparse_product_args const& a) {
    auto const expected = product<V>(*reference_backend(), a);
    int const before = sched::thread_count();
    for (int threads : {1, 3}) {
        sched::set_thread_count(threads);
        EXPECT_EQ(product<V>(*cpu_backend(), a), expected);
    }
    sched::set_thread_count(before);
}

template <class V, class I> void expect_products(count rows, count columns, count most) {
    matrix<V, I> const m(rows, columns, most, 1);
    for (count factors : {1, 2, 7, 16, 37}) {
        for (bool transposed : {false, true}) {
            std::vector<V> dense(static_cast<std::size_t>((transposed ? rows : columns) * factors), V{1});
            for (std::size_t i = 0; i < dense.size(); ++i) dense[i] = static_cast<V>(static_cast<int>(i * 7 % 11) - 5);
            auto a = arguments(m, factors, transposed);
            a.dense = dense.data();
            expect_product<V>(a);
        }
        matrix<V, I> const other(columns, factors, 4, 3);
        auto a = arguments(m, factors, false);
        a.other = other.rows();
        expect_product<V>(a);
    }
}

TEST(sparse_product, every_type_and_shape) {
    for (auto const& [rows, columns] : {std::pair<count, count>{1, 1}, {0, 3}, {5, 0}, {40, 3}, {7, 50}, {120, 30}}) {
        expect_products<double, std::int32_t>(rows, columns, 6);
        expect_products<double, std::int64_t>(rows, columns, 6);
        expect_products<float, std::int32_t>(rows, columns, 6);
        expect_products<float, std::int64_t>(rows, columns, 6);
    }
}

// Sums of several parts: those of no integers depend on how rows are cut, but not on threads.
TEST(sparse_product, parts_have_the_same_bits_for_any_number_of_threads) {
    matrix<double, std::int32_t> m(200'000, 9, 12, 4);
    for (std::size_t i = 0; i < m.values.size(); ++i) m.values[i] *= 0.1;
    std::vector<double> dense(200'000 * 3);
    for (std::size_t i = 0; i < dense.size(); ++i) dense[i] = 1.0 / static_cast<double>(1 + i % 97);
    for (bool transposed : {false, true}) {
        auto a = arguments(m, 3, transposed);
        a.dense = dense.data();
        int const before = sched::thread_count();
        sched::set_thread_count(1);
        auto const once = product<double>(*cpu_backend(), a);
        sched::set_thread_count(4);
        EXPECT_EQ(product<double>(*cpu_backend(), a), once);
        sched::set_thread_count(before);
    }
}

}  // namespace

// Products of bool, integers and float16: rows of the result are sums of rows of b, several at a time. Those of
// integers whose sums no float could round are floats' products.
#include <atomic>
#include <cmath>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/common/scratch.hpp"
#include "backend/cpu/linalg/linalg.hpp"
#include "backend/cpu/linalg/matrices.hpp"
#include "bascule/core/element_dispatch.hpp"
#include "bascule/ops/float16_conversion.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::linalg {
namespace {

constexpr std::int64_t rows_at_once = 4, columns_at_once = 2048;
constexpr double worth_a_thread = 20000;  // multiplications

// The type of a sum: integers wrap, which only unsigned ones may.
template <class T> struct sum_of { using type = std::make_unsigned_t<T>; };
template <> struct sum_of<bool> { using type = std::uint8_t; };
template <> struct sum_of<float16> { using type = float; };
template <class T> using sum = typename sum_of<T>::type;

template <class T> sum<T> widened(T v) noexcept {
    if constexpr (std::is_same_v<T, float16>) return ops::to_float32(v);
    else return static_cast<sum<T>>(v);
}
template <class T> T narrowed(sum<T> v) noexcept {
    if constexpr (std::is_same_v<T, float16>) return ops::to_float16(v);
    else return static_cast<T>(v);
}

template <class T> void add_product(sum<T>* to, sum<T> a, sum<T> const* b, std::int64_t n) noexcept {
    // A product of 16-bit unsigned integers would be one of ints, whose overflow is not defined.
    if constexpr (std::is_same_v<T, bool>)
        for (std::int64_t j = 0; j < n; ++j) to[j] = static_cast<sum<T>>(to[j] | (a & b[j]));
    else if constexpr (std::is_same_v<T, float16>)
        for (std::int64_t j = 0; j < n; ++j) to[j] += a * b[j];
    else
        for (std::int64_t j = 0; j < n; ++j) to[j] = static_cast<sum<T>>(to[j] + std::uint64_t{a} * b[j]);
}

// Rows [begin, end) of the product; `b` has its rows one behind another.
template <class T>
void multiply_rows(matrix<T> const& a, sum<T> const* b, matrix<T> const& c, std::int64_t begin,
                   std::int64_t end) noexcept {
    sum<T> line[rows_at_once][columns_at_once];
    for (std::int64_t j0 = 0; j0 < c.columns; j0 += columns_at_once) {
        std::int64_t const width = std::min(columns_at_once, c.columns - j0);
        for (std::int64_t i0 = begin; i0 < end; i0 += rows_at_once) {
            std::int64_t const height = std::min(rows_at_once, end - i0);
            for (std::int64_t r = 0; r < height; ++r) std::fill_n(line[r], width, sum<T>{});
            for (std::int64_t p = 0; p < a.columns; ++p)
                for (std::int64_t r = 0; r < height; ++r)
                    add_product<T>(line[r], widened(a.at(i0 + r, p)), b + p * c.columns + j0, width);
            for (std::int64_t r = 0; r < height; ++r)
                for (std::int64_t j = 0; j < width; ++j) c.at(i0 + r, j0 + j) = narrowed<T>(line[r][j]);
        }
    }
}

template <class T> double largest(matrix<T> const& m) noexcept {
    double most = 0;
    for (std::int64_t i = 0; i < m.rows; ++i)
        for (std::int64_t j = 0; j < m.columns; ++j) most = std::max(most, std::abs(static_cast<double>(m.at(i, j))));
    return most;
}

// All partial sums are integers that F holds exactly, so the order of BLAS's sums does not matter.
template <class F, class T> bool by_floats(matrix<T> const& a, matrix<T> const& b, matrix<T> const& c) noexcept {
    scratch<F> memory(a.rows * a.columns + b.rows * b.columns + c.rows * c.columns);
    if (!memory.ready()) return false;
    matrix<F> const x{memory.data(), a.rows, a.columns, a.columns, 1},
        y{x.data + a.rows * a.columns, b.rows, b.columns, b.columns, 1},
        z{y.data + b.rows * b.columns, c.rows, c.columns, c.columns, 1};
    copy_matrix(x, a);
    copy_matrix(y, b);
    constexpr auto size = static_cast<std::int64_t>(sizeof(F));
    matrix_product_args p;
    p.dtype = id_of<F>::value, p.m = c.rows, p.k = a.columns, p.n = c.columns;
    p.a = {x.data, nullptr, x.row * size, size};
    p.b = {y.data, nullptr, y.row * size, size};
    p.out = {z.data, nullptr, z.row * size, size};
    if (product(p) != status::ok) return false;
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < c.columns; ++j) c.at(i, j) = static_cast<T>(static_cast<std::int64_t>(z.at(i, j)));
    return true;
}

template <class T> bool by_exact_floats(matrix<T> const& a, matrix<T> const& b, matrix<T> const& c) noexcept {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        double const most = largest(a) * largest(b) * static_cast<double>(a.columns);
        if (most < 0x1p24) return by_floats<float>(a, b, c);
        if (most < 0x1p53) return by_floats<double>(a, b, c);
    }
    return false;
}

template <class T> bool multiply(matrix_product_args const& p, std::int64_t index, bool parallel) noexcept {
    auto const a = matrix_at<T>(p.a, p.ndim, p.shape, index, p.m, p.k),
               b = matrix_at<T>(p.b, p.ndim, p.shape, index, p.k, p.n),
               c = matrix_at<T>(p.out, p.ndim, p.shape, index, p.m, p.n);
    if (p.m == 1 && p.n == 1) {  // a dot product needs no copy
        sum<T> s{};
        for (std::int64_t i = 0; i < p.k; ++i) {
            sum<T> const y = widened(b.at(i, 0));
            add_product<T>(&s, widened(a.at(0, i)), &y, 1);
        }
        *c.data = narrowed<T>(s);
        return true;
    }
    // BLAS must not be called inside a parallel loop: a session of it begins outside.
    if (parallel && p.n > 1 && p.m > 1 && by_exact_floats(a, b, c)) return true;
    scratch<sum<T>> dense(p.k * p.n);
    if (!dense.ready()) return false;
    for (std::int64_t i = 0; i < p.k; ++i)
        for (std::int64_t j = 0; j < p.n; ++j) dense[i * p.n + j] = widened(b.at(i, j));
    std::int64_t const pieces =
        parallel ? std::max<std::int64_t>(
                       1, std::min<std::int64_t>(p.m / rows_at_once, 4 * std::int64_t{sched::thread_count()}))
                 : 1;
    sched::parallel_for(pieces, parallel, [&](std::int64_t t) {
        multiply_rows(a, dense.data(), c, p.m * t / pieces, p.m * (t + 1) / pieces);
    });
    return true;
}

template <class T> status run_products(matrix_product_args const& p) noexcept {
    std::int64_t const stack = stack_size(p.ndim, p.shape);
    if (p.m == 0 || p.n == 0) return status::ok;
    double const work = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
    bool const inside = work > worth_a_thread && stack < 4 * std::int64_t{sched::thread_count()};
    std::atomic<bool> ok{true};
    sched::parallel_for(stack, !inside && work * static_cast<double>(stack) > worth_a_thread, [&](std::int64_t i) {
        if (!multiply<T>(p, i, inside)) ok = false;
    });
    if (ok) return status::ok;
    set_last_error("[matmul] no memory for a copy of an operand");
    return status::out_of_memory;
}

}  // namespace

status product_without_blas(matrix_product_args const& p) noexcept {
    status found = status::not_supported;
    constexpr type_set products = types::boolean | types::integers | bit(type_id::float16);
    if (with_element<products>(p.dtype, [&]<class T>(T) { found = run_products<T>(p); })) return found;
    set_last_error("[matmul] this type has no products");
    return status::not_supported;
}

}  // namespace bascule::cpu::linalg

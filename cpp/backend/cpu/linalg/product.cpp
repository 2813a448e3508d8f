// Products by BLAS. What BLAS can read is passed as it lies; the rest is copied first.
#include <atomic>
#include <limits>

#include "backend/cpu/linalg/linalg.hpp"
#include "backend/cpu/linalg/matrices.hpp"
#include "backend/cpu/run.hpp"
#include "backend/cpu/tables/scratch.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::linalg {
namespace {

using blas::integer;
using tables::ordering::scratch;

constexpr std::int64_t most = std::numeric_limits<integer>::max();
// Multiplications below which OpenBLAS never starts a thread of its own.
constexpr double always_single = 64.0 * 64.0 * 64.0;
constexpr double single_vector = 9000;
// A stack of products each above this runs one after the other on BLAS's threads, else side by side on ours.
constexpr double large_product = 256.0 * 256.0 * 256.0;
// A product with few rows and columns that sums over this many is parted, into blocks of so many multiplications.
constexpr std::int64_t long_sum = std::int64_t{1} << 17, short_side = 32, block_work = std::int64_t{1} << 18;

// How BLAS sees a matrix whose columns lie one behind another ('N'), or whose rows do ('T').
struct layout {
    char flag = 0;  // 0: it cannot
    integer leading = 1;
};

template <class T> layout layout_of(matrix<T> const& m) noexcept {
    if (m.columns > most || m.rows > most) return {};
    if ((m.row == 1 || m.rows == 1) && (m.column >= m.rows || m.columns == 1) && m.column <= most)
        return {'N', static_cast<integer>(m.columns == 1 ? std::max<std::int64_t>(m.rows, 1) : m.column)};
    if ((m.column == 1 || m.columns == 1) && (m.row >= m.columns || m.rows == 1) && m.row <= most)
        return {'T', static_cast<integer>(m.rows == 1 ? std::max<std::int64_t>(m.columns, 1) : m.row)};
    return {};
}

template <class T> constexpr T one() noexcept {
    if constexpr (blas::is_complex_type<T>) return T{1, 0};
    else return T{1};
}

template <class T> class multiplier {
public:
    multiplier(blas::library const& l, matrix_product_args const& a) noexcept : blas_(l.of<T>()), args_(a) {}

    // False: no memory for a copy.
    bool run(std::int64_t index) const noexcept { return run_part(index, 0, args_.k, result(index)); }

    matrix<T> result(std::int64_t index) const noexcept {
        return matrix_at<T>(args_.out, args_.ndim, args_.shape, index, args_.m, args_.n);
    }

    // The sum over [begin, end) of what is summed, into c.
    bool run_part(std::int64_t index, std::int64_t begin, std::int64_t end, matrix<T> const& c) const noexcept {
        auto const& p = args_;
        auto a = matrix_at<T>(p.a, p.ndim, p.shape, index, p.m, p.k),
             b = matrix_at<T>(p.b, p.ndim, p.shape, index, p.k, p.n);
        a.data += begin * a.column, b.data += begin * b.row;
        std::int64_t const k = a.columns = b.rows = end - begin;
        if (k == 0) return fill(c, T{}), true;
        if (p.m == 1 && p.n == 1 && is_vector(a.column) && is_vector(b.row) && k <= most) return dot(a, b, c), true;
        if (blas::is_complex_type<T> && p.conjugate_a) return conjugated(a, b, c);
        return general(a, b, c);
    }

private:
    using M = matrix<T>;

    static bool is_vector(std::int64_t step) noexcept { return step > 0 && step <= most; }

    void dot(M const& a, M const& b, M const& c) const noexcept {
        auto const n = static_cast<integer>(a.columns), x = static_cast<integer>(a.column),
                   y = static_cast<integer>(b.row);
        if constexpr (blas::is_complex_type<T>)
            (args_.conjugate_a ? blas_.dotc : blas_.dotu)(n, a.data, x, b.data, y, c.data);
        else *c.data = blas_.dot(n, a.data, x, b.data, y);
    }

    bool conjugated(M const& a, M const& b, M const& c) const noexcept {
        scratch<T> copy(a.rows * a.columns);
        if (!copy.ready()) return false;
        M const dense{copy.data(), a.rows, a.columns, a.columns, 1};
        for (std::int64_t i = 0; i < a.rows; ++i)
            for (std::int64_t j = 0; j < a.columns; ++j) dense.at(i, j) = conjugate(a.at(i, j));
        return general(dense, b, c);
    }

    // With copies of what BLAS cannot read or write.
    bool general(M const& a, M const& b, M const& c) const noexcept {
        if (layout_of(a).flag == 0) return with_copy(a, true, [&](M const& dense) { return general(dense, b, c); });
        if (layout_of(b).flag == 0) return with_copy(b, true, [&](M const& dense) { return general(a, dense, c); });
        if (layout_of(c).flag == 0)
            return with_copy(c, false, [&](M const& dense) {
                multiply(a, b, dense);
                copy_matrix(c, dense);
                return true;
            });
        multiply(a, b, c);
        return true;
    }
    template <class F> static bool with_copy(M const& m, bool fill_it, F const& f) noexcept {
        if (m.rows > most || m.columns > most) return false;
        scratch<T> copy(m.rows * m.columns);
        if (!copy.ready()) return false;
        M const dense{copy.data(), m.rows, m.columns, m.columns, 1};
        if (fill_it) copy_matrix(dense, m);
        return f(dense);
    }

    void multiply(M const& a, M const& b, M const& c) const noexcept {
        if (c.columns == 1 && is_vector(b.row) && is_vector(c.row)) return by_vector(a, b, c);
        if (c.rows == 1 && is_vector(a.column) && is_vector(c.column))
            return by_vector(b.transposed(), a.transposed(), c.transposed());
        layout const l = layout_of(c);
        if (l.flag == 'T') return multiply(b.transposed(), a.transposed(), c.transposed());
        if (a.data == b.data && a.rows == b.columns && a.row == b.column && a.column == b.row)
            return by_own_transpose(a, c);
        layout const la = layout_of(a), lb = layout_of(b);
        auto const m = static_cast<integer>(c.rows), n = static_cast<integer>(c.columns),
                   k = static_cast<integer>(a.columns);
        T const alpha = one<T>(), beta{};
        blas_.gemm(&la.flag, &lb.flag, &m, &n, &k, &alpha, a.data, &la.leading, b.data, &lb.leading, &beta, c.data,
                   &l.leading, 1, 1);
    }

    void by_vector(M const& a, M const& x, M const& y) const noexcept {
        layout const l = layout_of(a);
        bool const as_is = l.flag == 'N';
        auto const m = static_cast<integer>(as_is ? a.rows : a.columns),
                   n = static_cast<integer>(as_is ? a.columns : a.rows), incx = static_cast<integer>(x.row),
                   incy = static_cast<integer>(y.row);
        T const alpha = one<T>(), beta{};
        blas_.gemv(&l.flag, &m, &n, &alpha, a.data, &l.leading, x.data, &incx, &beta, y.data, &incy, 1);
    }

    // a times its own transpose has half the work and a symmetric result.
    void by_own_transpose(M const& a, M const& c) const noexcept {
        layout const la = layout_of(a), lc = layout_of(c);
        auto const n = static_cast<integer>(c.rows), k = static_cast<integer>(a.columns);
        T const alpha = one<T>(), beta{};
        blas_.syrk("U", &la.flag, &n, &k, &alpha, a.data, &la.leading, &beta, c.data, &lc.leading, 1, 1);
        constexpr std::int64_t tile = 32;
        for (std::int64_t i0 = 0; i0 < c.rows; i0 += tile)
            for (std::int64_t j0 = 0; j0 <= i0; j0 += tile)
                for (std::int64_t j = j0; j < std::min(j0 + tile, c.rows); ++j)
                    for (std::int64_t i = std::max(i0, j + 1); i < std::min(i0 + tile, c.rows); ++i)
                        c.at(i, j) = c.at(j, i);
    }

    blas::routines<T> const& blas_;
    matrix_product_args const& args_;
};

template <class T> T sum_of_two(T x, T y) noexcept {
    if constexpr (blas::is_complex_type<T>) return T{x.re + y.re, x.im + y.im};
    else return x + y;
}

// One product of a wide matrix by a tall one: BLAS parts it by its small sides and leaves one thread all of the work.
// Here blocks of what is summed run side by side; their size depends on the shapes alone, so threads change no bit.
template <class T>
bool run_long(blas::library const& l, multiplier<T> const& each, matrix_product_args const& p) noexcept {
    std::int64_t const size = p.m * p.n, step = std::max<std::int64_t>(block_work / size, 64),
                       blocks = (p.k + step - 1) / step;
    scratch<T> sums(blocks * size);
    if (!sums.ready()) return false;
    std::atomic<bool> ok{true};
    blas::session const s(l, blas::threading::single);
    sched::parallel_for(blocks, true, [&](std::int64_t t) {
        matrix<T> const part{sums.data() + t * size, p.m, p.n, p.n, 1};
        if (!each.run_part(0, t * step, std::min(p.k, (t + 1) * step), part)) ok = false;
    });
    matrix<T> const c = each.result(0);
    for (std::int64_t i = 0; i < p.m; ++i)
        for (std::int64_t j = 0; j < p.n; ++j) {
            T sum = sums[i * p.n + j];
            for (std::int64_t t = 1; t < blocks; ++t) sum = sum_of_two(sum, sums[t * size + i * p.n + j]);
            c.at(i, j) = sum;
        }
    return ok;
}

template <class T> status run_products(matrix_product_args const& p) noexcept {
    std::int64_t const stack = stack_size(p.ndim, p.shape);
    if (stack == 0 || p.m == 0 || p.n == 0) return status::ok;
    blas::library const* const l = blas::open();
    if (l == nullptr) return status::not_supported;
    multiplier<T> const each(*l, p);
    double const work = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
    bool ok = true;
    if (stack == 1 && p.k >= long_sum && p.m <= short_side && p.n <= short_side) {
        ok = run_long(*l, each, p);
    } else if (stack == 1 && work < (p.m == 1 || p.n == 1 ? single_vector : always_single)) {
        ok = each.run(0);
    } else if (stack == 1 || work > large_product) {
        blas::session const s(*l, blas::threading::own);
        for (std::int64_t i = 0; i < stack && ok; ++i) ok = each.run(i);
    } else {
        blas::session const s(*l, blas::threading::single);
        std::int64_t const pieces = std::min<std::int64_t>(stack, 4 * std::int64_t{sched::thread_count()});
        std::atomic<bool> all{true};
        sched::parallel_for(pieces, work * static_cast<double>(stack) > 20000, [&](std::int64_t t) {
            for (std::int64_t i = stack * t / pieces; i < stack * (t + 1) / pieces; ++i)
                if (!each.run(i)) all = false;
        });
        ok = all;
    }
    if (ok) return status::ok;
    set_last_error("[matmul] no memory for a copy of an operand, or it has more than 2^31 - 1 rows or columns");
    return status::out_of_memory;
}

}  // namespace

status product(matrix_product_args const& p) noexcept {
    switch (p.dtype) {
        case type_id::float32: return run_products<float>(p);
        case type_id::float64: return run_products<double>(p);
        case type_id::complex64: return run_products<complex<float>>(p);
        case type_id::complex128: return run_products<complex<double>>(p);
        default: return plain_product(p);
    }
}

}  // namespace bascule::cpu::linalg

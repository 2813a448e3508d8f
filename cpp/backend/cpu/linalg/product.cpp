// Products by BLAS. Layouts that BLAS can read are passed in place; others are copied first.
#include <atomic>
#include <cmath>
#include <limits>

#include "backend/cpu/common/fp_status.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/common/scratch.hpp"
#include "backend/cpu/linalg/linalg.hpp"
#include "backend/cpu/linalg/matrices.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::linalg {
namespace {

using blas::integer;

constexpr std::int64_t most = std::numeric_limits<integer>::max();
// Up to so many multiplications of matrices, and below so many with a vector, OpenBLAS never starts a thread of its
// own, so that it need not be prevented.
constexpr double always_single = 64.0 * 64.0 * 64.0, always_single_vector = 9000;
// A stack of products each above this runs one after the other, each in parts, else side by side.
constexpr double large_product = 256.0 * 256.0 * 256.0;
// A block of a result that is worth a task has so many rows or columns, or in products with vectors multiplications;
// every block packs its share of both operands again, so there are few.
constexpr std::int64_t least_side = 64;
constexpr double least_vector_work = 65536, more_parts_from = 1e10;
constexpr std::int64_t small_work = 1000000, widest_alongside = 8192;
constexpr double least_stack_work = 20000;

// A product with few rows and columns that sums over this many is parted, into blocks of so many multiplications.
constexpr std::int64_t long_sum = std::int64_t{1} << 17, short_side = 32, block_work = std::int64_t{1} << 18;
// That of vectors, into pieces of so many elements.
constexpr std::int64_t dot_piece = std::int64_t{1} << 15;
// A product of so few multiplications takes less time than BLAS needs to check its arguments: of 3 by 3 matrices 12 ns,
// 75 ns.
constexpr std::int64_t tiny_work = 64;

// How BLAS sees a matrix whose columns are contiguous ('N'), or whose rows are ('T').
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

// The errors in the processor's status while the parts of a product run, on several threads. They include more than
// those of the values, as kernels of BLAS raise some over the padding of their tiles, but never less.
class fp_watch {
public:
    explicit fp_watch(bool asked) noexcept : asked_(asked) {}
    template <class F> void over(F const& f) noexcept {
        if (asked_) fp_status::clear();
        f();
        if (asked_ && (fp_status::raised() & (ops::fp::invalid | ops::fp::over)))
            any_.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

private:
    bool asked_;
    std::atomic<bool> any_{false};
};

template <class T> class multiplier {
public:
    multiplier(blas::library const& l, matrix_product_args const& a, fp_watch& watch, bool parallel) noexcept
        : blas_(l.of<T>()), args_(a), watch_(watch), parallel_(parallel) {}

    // False: no memory for a copy.
    bool run(std::int64_t index) const noexcept { return run_part(index, 0, args_.k, result(index)); }

    // Products [begin, end) of at most tiny_work multiplications, with the order and the roundings of OpenBLAS where
    // that has fused ones.
    void run_tiny(std::int64_t begin, std::int64_t end) const noexcept {
        watch_.over([&] {
            for (std::int64_t index = begin; index < end; ++index) {
                auto const& p = args_;
                auto const a = matrix_at<T>(p.a, p.ndim, p.shape, index, p.m, p.k),
                           b = matrix_at<T>(p.b, p.ndim, p.shape, index, p.k, p.n), c = result(index);
                for (std::int64_t i = 0; i < p.m; ++i)
                    for (std::int64_t j = 0; j < p.n; ++j) {
                        T sum = a.at(i, 0) * b.at(0, j);
                        for (std::int64_t k = 1; k < p.k; ++k) sum = std::fma(a.at(i, k), b.at(k, j), sum);
                        c.at(i, j) = sum;
                    }
            }
        });
    }

    matrix<T> result(std::int64_t index) const noexcept {
        return matrix_at<T>(args_.out, args_.ndim, args_.shape, index, args_.m, args_.n);
    }

    // The sum over [begin, end) of the common dimension, into c.
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
        watch_.over([&] {
            if constexpr (blas::is_complex_type<T>)
                (args_.conjugate_a ? blas_.dotc : blas_.dotu)(n, a.data, x, b.data, y, c.data);
            else *c.data = blas_.dot(n, a.data, x, b.data, y);
        });
    }

    bool conjugated(M const& a, M const& b, M const& c) const noexcept {
        scratch<T> copy(a.rows * a.columns);
        if (!copy.ready()) return false;
        M const dense{copy.data(), a.rows, a.columns, a.columns, 1};
        for (std::int64_t i = 0; i < a.rows; ++i)
            for (std::int64_t j = 0; j < a.columns; ++j) dense.at(i, j) = conjugate(a.at(i, j));
        return general(dense, b, c);
    }

    // With copies of operands that BLAS cannot read or write.
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
        bool const own = a.data == b.data && a.rows == b.columns && a.row == b.column && a.column == b.row;
        double const work = static_cast<double>(c.rows) * static_cast<double>(c.columns) *
                            static_cast<double>(a.columns);
        auto const parts = parts_of(c, work, own);
        sched::parallel_for(parts.rows * parts.columns, parallel_, [&](std::int64_t t) {
            std::int64_t const i = t / parts.columns, j = t % parts.columns;
            if (own && i > j) return;  // the mirror image of another
            auto const rows = cut(c.rows, i, parts.rows), columns = cut(c.columns, j, parts.columns);
            M const block = columns_of(rows_of(c, rows), columns);
            watch_.over([&] {
                if (own && i == j) half_block(rows_of(a, rows), block);
                else one_block(rows_of(a, rows), columns_of(b, columns), block);
            });
        });
        if (own) mirror(c);
    }

    struct range {
        std::int64_t begin, end;
    };
    struct grid {
        std::int64_t rows, columns;
    };
    static range cut(std::int64_t n, std::int64_t i, std::int64_t parts) noexcept {
        return {n * i / parts, n * (i + 1) / parts};
    }
    static M rows_of(M m, range r) noexcept {
        m.data += r.begin * m.row, m.rows = r.end - r.begin;
        return m;
    }
    static M columns_of(M m, range r) noexcept {
        m.data += r.begin * m.column, m.columns = r.end - r.begin;
        return m;
    }

    // The number of blocks of a result: nearly square ones, which pack the least memory more than once.
    grid parts_of(M const& c, double work, bool square) const noexcept {
        if (!parallel_) return {1, 1};
        std::int64_t const threads = sched::thread_count();
        bool const vector = c.rows == 1 || c.columns == 1;
        auto const worth = static_cast<std::int64_t>(vector ? work / least_vector_work : work / always_single);
        std::int64_t const wanted = std::min(worth, work > more_parts_from ? 2 * threads : threads);
        std::int64_t const least = vector ? 1 : least_side;
        grid g{1, 1};
        while (g.rows * g.columns < wanted) {
            std::int64_t const height = c.rows / g.rows, width = c.columns / g.columns;
            if (std::max(height, width) < 2 * least) break;
            ++(height >= width ? g.rows : g.columns);
            if (square) g.rows = g.columns = std::max(g.rows, g.columns);
        }
        return g;
    }

    void one_block(M const& a, M const& b, M const& c) const noexcept {
        if (c.columns == 1 && is_vector(b.row) && is_vector(c.row)) return by_vector(a, b, c);
        if (c.rows == 1 && is_vector(a.column) && is_vector(c.column))
            return by_vector(b.transposed(), a.transposed(), c.transposed());
        if (layout_of(c).flag == 'T') return one_block(b.transposed(), a.transposed(), c.transposed());
        std::int64_t const alongside_rows = a.columns * c.columns, alongside_columns = a.columns * c.rows;
        if (c.rows >= c.columns)
            return in_small_parts(c.rows, alongside_rows, [&](range r) { gemm(rows_of(a, r), b, rows_of(c, r)); });
        in_small_parts(c.columns, alongside_columns, [&](range r) { gemm(a, columns_of(b, r), columns_of(c, r)); });
    }

    // OpenBLAS multiplies small operands without packing them first, in less than 2/3 of the time where one side is
    // long: (32000, 32) by (32, 32) 0.77 ms in parts, 1.37 ms as a whole.
    template <class F> static void in_small_parts(std::int64_t n, std::int64_t others, F const& f) noexcept {
        std::int64_t const step = blas::is_complex_type<T> || others > widest_alongside ? n : small_work / others;
        for (std::int64_t i = 0; i < n; i += step) f(range{i, std::min(n, i + step)});
    }

    void gemm(M const& a, M const& b, M const& c) const noexcept {
        layout const la = layout_of(a), lb = layout_of(b), lc = layout_of(c);
        auto const m = static_cast<integer>(c.rows), n = static_cast<integer>(c.columns),
                   k = static_cast<integer>(a.columns);
        T const alpha = one<T>(), beta{};
        blas_.gemm(&la.flag, &lb.flag, &m, &n, &k, &alpha, a.data, &la.leading, b.data, &lb.leading, &beta, c.data,
                   &lc.leading, 1, 1);
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

    // a times its own transpose, on and above the diagonal of c: half of the work.
    void half_block(M const& a, M const& c) const noexcept {
        layout const la = layout_of(a), lc = layout_of(c);
        auto const n = static_cast<integer>(c.rows), k = static_cast<integer>(a.columns);
        T const alpha = one<T>(), beta{};
        blas_.syrk(lc.flag == 'N' ? "U" : "L", &la.flag, &n, &k, &alpha, a.data, &la.leading, &beta, c.data,
                   &lc.leading, 1, 1);
    }
    static void mirror(M const& c) noexcept {
        constexpr std::int64_t tile = 32;
        for (std::int64_t i0 = 0; i0 < c.rows; i0 += tile)
            for (std::int64_t j0 = 0; j0 <= i0; j0 += tile)
                for (std::int64_t i = i0; i < std::min(i0 + tile, c.rows); ++i)
                    for (std::int64_t j = j0; j < std::min(j0 + tile, i); ++j) c.at(i, j) = c.at(j, i);
    }

    blas::routines<T> const& blas_;
    matrix_product_args const& args_;
    fp_watch& watch_;
    bool parallel_;
};

template <class T> T sum_of_two(T x, T y) noexcept {
    if constexpr (blas::is_complex_type<T>) return T{x.re + y.re, x.im + y.im};
    else return x + y;
}

// One product of a wide matrix by a tall one: BLAS splits it by its small sides and leaves one thread all of the work.
// Here blocks of the common dimension run in parallel; their size depends on the shapes alone, so that the number of
// threads changes no bit.
template <class T> bool run_long(blas::library const& l, matrix_product_args const& p, fp_watch& watch) noexcept {
    multiplier<T> const each(l, p, watch, false);
    std::int64_t const size = p.m * p.n, step = size == 1 ? dot_piece : std::max<std::int64_t>(block_work / size, 64),
                       blocks = (p.k + step - 1) / step;
    scratch<T> sums(blocks * size);
    if (!sums.ready()) return false;
    std::atomic<bool> ok{true};
    sched::parallel_for(blocks, true, [&](std::int64_t t) {
        matrix<T> const part{sums.data() + t * size, p.m, p.n, p.n, 1};
        if (!each.run_part(0, t * step, std::min(p.k, (t + 1) * step), part)) ok = false;
    });
    matrix<T> const c = each.result(0);
    watch.over([&] {
        for (std::int64_t i = 0; i < p.m; ++i)
            for (std::int64_t j = 0; j < p.n; ++j) {
                T sum = sums[i * p.n + j];
                for (std::int64_t t = 1; t < blocks; ++t) sum = sum_of_two(sum, sums[t * size + i * p.n + j]);
                c.at(i, j) = sum;
            }
    });
    return ok;
}

status checked(bool ok) noexcept {
    if (ok) return status::ok;
    set_last_error("[matmul] no memory for a copy of an operand, or it has more than 2^31 - 1 rows or columns");
    return status::out_of_memory;
}

template <class T> status run_products(matrix_product_args const& p, fp_watch& watch) noexcept {
    std::int64_t const stack = stack_size(p.ndim, p.shape);
    if (stack == 0 || p.m == 0 || p.n == 0) return status::ok;
    blas::library const* const l = blas::open();
    if (l == nullptr) return status::not_supported;
    double const work = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
    bool const vector = p.m == 1 || p.n == 1;
    if (stack == 1 && (vector ? work < always_single_vector : work <= always_single))
        return checked(multiplier<T>(*l, p, watch, false).run(0));
    blas::session const s(*l, blas::threading::single);
    bool const dots = p.m == 1 && p.n == 1;
    if (stack == 1 && p.k >= (dots ? 2 * dot_piece : long_sum) && p.m <= short_side && p.n <= short_side)
        return checked(run_long<T>(*l, p, watch));
    bool const side_by_side = stack > 1 && work <= large_product;
    multiplier<T> const each(*l, p, watch, !side_by_side);
    std::int64_t const pieces = side_by_side ? std::min<std::int64_t>(stack, 4 * std::int64_t{sched::thread_count()})
                                             : 1;
    std::atomic<bool> ok{true};
    sched::parallel_for(pieces, work * static_cast<double>(stack) > least_stack_work, [&](std::int64_t t) {
        std::int64_t const begin = stack * t / pieces, end = stack * (t + 1) / pieces;
        if constexpr (!blas::is_complex_type<T>)
            if (!vector && p.k > 0 && work <= tiny_work) return each.run_tiny(begin, end);
        for (std::int64_t i = begin; i < end; ++i)
            if (!each.run(i)) ok = false;
    });
    return checked(ok);
}

template <class T> status run_watched(matrix_product_args const& p) noexcept {
    fp_watch watch(p.fp_flags != nullptr);
    status const s = run_products<T>(p, watch);
    return s == status::ok && watch.any() ? note_fp_errors(p) : s;
}

}  // namespace

status product(matrix_product_args const& p) noexcept {
    switch (p.dtype) {
        case type_id::float32: return run_watched<float>(p);
        case type_id::float64: return run_watched<double>(p);
        case type_id::complex64: return run_watched<complex<float>>(p);
        case type_id::complex128: return run_watched<complex<double>>(p);
        default: break;
    }
    status const s = product_without_blas(p);
    return s == status::ok && p.fp_flags != nullptr ? note_fp_errors(p) : s;
}

}  // namespace bascule::cpu::linalg

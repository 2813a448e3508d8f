// One LAPACK task on every matrix of a stack: matrices side by side on our threads, each on one, or a few large ones
// after the other on LAPACK's own.
#pragma once
#include <atomic>
#include <limits>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/common/scratch.hpp"
#include "backend/cpu/linalg/lapack.hpp"
#include "backend/cpu/linalg/linalg.hpp"
#include "backend/cpu/linalg/matrices.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::linalg {

using blas::integer;
using blas::real;

// Gives out pieces of memory one after the other; without memory it only adds up their sizes.
class arena {
public:
    explicit arena(char* base) noexcept : base_(base) {}
    template <class X> X* take(std::int64_t n) noexcept {
        std::int64_t const at = used_;
        used_ += (std::max<std::int64_t>(n, 1) * static_cast<std::int64_t>(sizeof(X)) + 63) / 64 * 64;
        return base_ == nullptr ? nullptr : reinterpret_cast<X*>(base_ + at);
    }
    std::int64_t used() const noexcept { return used_; }

private:
    char* base_;
    std::int64_t used_ = 0;
};

// The part of a call that tasks use: elements are stored as S and computed with as T.
template <class S, class T> struct factor_call {
    using stored = S;
    using computed = T;
    matrix_factor_args const& args;
    blas::routines<T> const& lapack;

    template <class X>
    matrix<X> operand(matrix_stack const& s, std::int64_t i, std::int64_t rows, std::int64_t columns) const noexcept {
        return matrix_at<X>(s, args.ndim, args.shape, i, rows, columns);
    }
    // Column-major, as LAPACK requires.
    template <class X> static matrix<X> dense(X* p, std::int64_t rows, std::int64_t columns) noexcept {
        return {p, rows, columns, 1, std::max<std::int64_t>(rows, 1)};
    }
    void read(T* to, matrix_stack const& s, std::int64_t i, std::int64_t rows, std::int64_t columns) const noexcept {
        copy_matrix(dense(to, rows, columns), operand<S>(s, i, rows, columns));
    }
    void write(T* from, matrix_stack const& s, std::int64_t i, std::int64_t rows, std::int64_t columns) const noexcept {
        copy_matrix(operand<S>(s, i, rows, columns), dense(from, rows, columns));
    }
    void write_reals(real<T>* from, matrix_stack const& s, std::int64_t i, std::int64_t n) const noexcept {
        copy_matrix(operand<real<S>>(s, i, n, 1), dense(from, n, 1));
    }
    static void set_identity(T* to, std::int64_t rows, std::int64_t columns) noexcept {
        std::fill_n(to, rows * columns, T{});
        for (std::int64_t k = 0; k < std::min(rows, columns); ++k) {
            if constexpr (blas::is_complex_type<T>) to[k * (rows + 1)].re = 1;
            else to[k * (rows + 1)] = 1;
        }
    }
    void spoil(matrix_stack const& s, std::int64_t i, std::int64_t rows, std::int64_t columns) const noexcept {
        using R = real<S>;
        R const nan = std::numeric_limits<R>::quiet_NaN();
        if constexpr (blas::is_complex_type<S>) fill(operand<S>(s, i, rows, columns), S{nan, nan});
        else fill(operand<S>(s, i, rows, columns), nan);
    }
    void spoil_reals(matrix_stack const& s, std::int64_t i, std::int64_t n) const noexcept {
        fill(operand<real<S>>(s, i, n, 1), std::numeric_limits<real<S>>::quiet_NaN());
    }
};

// Space for `lengths` as a query has set them.
template <class T> lapack::work_space<T> take_work(arena& a, lapack::work_space<T> lengths) noexcept {
    lengths.own = a.take<T>(lengths.own_length);
    lengths.reals = a.take<real<T>>(blas::is_complex_type<T> ? lengths.real_length : 1);
    lengths.integers = a.take<integer>(lengths.integer_length);
    return lengths;
}
inline integer as_length(double v) noexcept { return static_cast<integer>(v); }
template <class R> integer as_length(complex<R> v) noexcept { return static_cast<integer>(v.re); }

// Task: a class with `space pack(arena&)` and `bool run(index, space&)`, false where there is no answer.
template <class Task> status run_stack(blas::library const& l, matrix_factor_args& args, Task const& task) noexcept {
    std::int64_t const stack = stack_size(args.ndim, args.shape);
    arena measured(nullptr);
    (void)task.pack(measured);
    bool const side_by_side = stack >= sched::thread_count() && stack > 1;
    std::int64_t const pieces = side_by_side ? std::min<std::int64_t>(stack, 4 * std::int64_t{sched::thread_count()})
                                             : 1;
    std::atomic<std::int64_t> failed{0};
    std::atomic<bool> memory{true};
    blas::session const s(l, side_by_side ? blas::threading::single : blas::threading::own);
    sched::parallel_for(pieces, side_by_side, [&](std::int64_t t) {
        scratch<char> bytes(measured.used());
        if (!bytes.ready()) {
            memory = false;
            return;
        }
        arena memory_of_task(bytes.data());
        auto space = task.pack(memory_of_task);
        for (std::int64_t i = stack * t / pieces; i < stack * (t + 1) / pieces; ++i)
            if (!task.run(i, space)) failed.fetch_add(1, std::memory_order_relaxed);
    });
    args.failed = failed;
    if (memory) return status::ok;
    set_last_error("[linalg] no memory for LAPACK's work space");
    return status::out_of_memory;
}

}  // namespace bascule::cpu::linalg

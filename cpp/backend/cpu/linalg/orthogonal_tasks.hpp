// Tasks by orthogonal transformations: QR, singular values, least squares.
#pragma once
#include <cmath>

#include "backend/cpu/linalg/stack_runner.hpp"

namespace bascule::cpu::linalg {

// geqrf, then orgqr for Q's columns; `raw` keeps the result of geqrf.
template <class Call> struct qr_task {
    using T = typename Call::computed;
    Call call;
    bool raw;
    std::int64_t m = call.args.m, n = call.args.n, r = std::min(m, n), columns = call.args.full ? m : r;
    integer length = query();

    struct space {
        T *a, *q, *tau, *work;
    };
    space pack(arena& s) const noexcept {
        return {s.take<T>(m * n), s.take<T>(raw || !call.args.vectors ? 1 : m * columns), s.take<T>(r),
                s.take<T>(length)};
    }

    bool run(std::int64_t i, space& s) const noexcept {
        auto const& p = call.args;
        call.read(s.a, p.a, i, m, n);
        auto const rows = static_cast<integer>(m), wide = static_cast<integer>(n);
        integer info = 0;
        if (r > 0) call.lapack.geqrf(&rows, &wide, s.a, &rows, s.tau, s.work, &length, &info);
        if (raw) {
            call.write(s.a, p.out[0], i, m, n);
            call.write(s.tau, p.out[1], i, r, 1);
            return info == 0;
        }
        write_triangle(s, i);
        if (p.vectors && info == 0) info = write_columns(s, i);
        return info == 0;
    }

private:
    integer query() const noexcept {
        if (r == 0) return 1;
        auto const rows = static_cast<integer>(m), wide = static_cast<integer>(n), q = static_cast<integer>(columns),
                   k = static_cast<integer>(r), ask = integer{-1};
        integer info = 0;
        T best{}, nothing{};
        call.lapack.geqrf(&rows, &wide, &nothing, &rows, &nothing, &best, &ask, &info);
        integer longest = std::max(wide, as_length(best));
        if (raw || !call.args.vectors) return longest;
        call.lapack.orgqr(&rows, &q, &k, &nothing, &rows, &nothing, &best, &ask, &info);
        return std::max({longest, q, as_length(best)});
    }
    void write_triangle(space const& s, std::int64_t i) const noexcept {
        std::int64_t const rows = call.args.vectors ? columns : r;
        auto const to = call.template operand<typename Call::stored>(call.args.out[1], i, rows, n);
        for (std::int64_t j = 0; j < rows; ++j)
            for (std::int64_t k = 0; k < n; ++k)
                to.at(j, k) = k < j ? typename Call::stored{} : as<typename Call::stored>(s.a[j + k * m]);
    }
    integer write_columns(space& s, std::int64_t i) const noexcept {
        std::copy_n(s.a, m * r, s.q);
        auto const rows = static_cast<integer>(m), q = static_cast<integer>(columns), k = static_cast<integer>(r);
        integer info = 0;
        if (r > 0) call.lapack.orgqr(&rows, &q, &k, s.q, &rows, s.tau, s.work, &length, &info);
        else call.set_identity(s.q, m, columns);
        call.write(s.q, call.args.out[0], i, m, columns);
        return info;
    }
};

template <class Call> struct svd_task {
    using T = typename Call::computed;
    using R = real<T>;
    Call call;
    std::int64_t m = call.args.m, n = call.args.n, r = std::min(m, n);
    char job = !call.args.vectors ? 'N' : call.args.full ? 'A' : 'S';
    std::int64_t left = call.args.full ? m : r, right = call.args.full ? n : r;  // columns of U, rows of V^H
    lapack::work_space<T> lengths = query();

    struct space {
        T *a, *u, *vt;
        R* values;
        lapack::work_space<T> work;
    };
    space pack(arena& s) const noexcept {
        bool const v = call.args.vectors;
        return {s.take<T>(m * n), s.take<T>(v ? m * left : 1), s.take<T>(v ? right * n : 1), s.take<R>(r),
                take_work(s, lengths)};
    }

    bool run(std::int64_t i, space& s) const noexcept {
        auto const& p = call.args;
        call.read(s.a, p.a, i, m, n);
        if (r == 0) {
            if (p.vectors) call.set_identity(s.u, m, left), call.set_identity(s.vt, right, n);
        } else if (lapack::gesdd(call.lapack, job, static_cast<integer>(m), static_cast<integer>(n), s.a, s.values, s.u,
                                 static_cast<integer>(m), s.vt, static_cast<integer>(std::max<std::int64_t>(right, 1)),
                                 s.work) != 0) {
            if (p.vectors) call.spoil(p.out[0], i, m, left), call.spoil(p.out[2], i, right, n);
            return call.spoil_reals(p.out[1], i, r), false;
        }
        call.write_reals(s.values, p.out[1], i, r);
        if (p.vectors) call.write(s.u, p.out[0], i, m, left), call.write(s.vt, p.out[2], i, right, n);
        return true;
    }

private:
    lapack::work_space<T> query() const noexcept {
        if (r == 0) return {nullptr, nullptr, nullptr, 1, 1, 1};
        T best{}, nothing{};
        R number{};
        integer whole = 0;
        auto const few = std::min(m, n), many = std::max(m, n);
        auto const reals = job == 'N' ? 7 * few
                                      : std::max(5 * few * few + 5 * few, 2 * many * few + 2 * few * few + few);
        lapack::gesdd(call.lapack, job, static_cast<integer>(m), static_cast<integer>(n), &nothing, &number, &nothing,
                      static_cast<integer>(m), &nothing, static_cast<integer>(std::max<std::int64_t>(right, 1)),
                      {&best, &number, &whole, -1, 0, 0});
        return {nullptr,
                nullptr,
                nullptr,
                std::max(as_length(best), 1),
                static_cast<integer>(reals),
                static_cast<integer>(8 * few)};
    }
};

template <class Call> struct least_squares_task {
    using T = typename Call::computed;
    using R = real<T>;
    Call call;
    std::int64_t m = call.args.m, n = call.args.n, columns = call.args.columns, r = std::min(m, n),
                 tall = std::max({m, n, std::int64_t{1}});
    lapack::work_space<T> lengths = query();

    struct space {
        T *a, *b;
        R* values;
        lapack::work_space<T> work;
    };
    space pack(arena& s) const noexcept {
        return {s.take<T>(m * n), s.take<T>(tall * columns), s.take<R>(r), take_work(s, lengths)};
    }

    bool run(std::int64_t i, space& s) const noexcept {
        auto const& p = call.args;
        call.read(s.a, p.a, i, m, n);
        auto const right = call.template operand<typename Call::stored>(p.b, i, m, columns);
        copy_matrix(matrix<T>{s.b, m, columns, 1, tall}, right);
        integer rank = 0;
        bool const ok = solve(s, rank) == 0;
        std::int64_t found = rank;
        *call.template operand<std::int64_t>(p.out[2], i, 1, 1).data = ok ? found : -1;
        if (!ok) {
            call.spoil(p.out[0], i, n, columns), call.spoil_reals(p.out[1], i, columns);
            return call.spoil_reals(p.out[3], i, r), false;
        }
        copy_matrix(call.template operand<typename Call::stored>(p.out[0], i, n, columns),
                    matrix<T>{s.b, n, columns, 1, tall});
        write_residuals(s, i, rank);
        call.write_reals(s.values, p.out[3], i, r);
        return true;
    }

private:
    integer solve(space& s, integer& rank) const noexcept {
        if (m == 0) std::fill_n(s.b, tall * columns, T{});  // the shortest answer to no question
        if (r == 0) return 0;
        return lapack::gelsd(call.lapack, static_cast<integer>(m), static_cast<integer>(n),
                             static_cast<integer>(columns), s.a, s.b, static_cast<integer>(tall), s.values,
                             static_cast<R>(call.args.tolerance), &rank, s.work);
    }
    // Squares of the residuals in the rows behind the solution; only where the system has full rank and more rows than
    // columns.
    void write_residuals(space const& s, std::int64_t i, integer rank) const noexcept {
        auto const to = call.template operand<real<typename Call::stored>>(call.args.out[1], i, columns, 1);
        for (std::int64_t c = 0; c < columns; ++c) {
            R sum = rank == n && m > n ? R(0) : std::numeric_limits<R>::quiet_NaN();
            for (std::int64_t j = n; j < m; ++j) {
                T const v = s.b[c * tall + j];
                if constexpr (blas::is_complex_type<T>) sum += v.re * v.re + v.im * v.im;
                else sum += v * v;
            }
            to.at(c, 0) = static_cast<real<typename Call::stored>>(sum);
        }
    }
    lapack::work_space<T> query() const noexcept {
        T best{}, nothing{};
        R number{}, reals{};
        integer whole = 0, rank = 0;
        lapack::gelsd(call.lapack, static_cast<integer>(m), static_cast<integer>(n), static_cast<integer>(columns),
                      &nothing, &nothing, static_cast<integer>(tall), &number, R(-1), &rank,
                      {&best, &reals, &whole, -1, 0, 0});
        return {nullptr, nullptr, nullptr, std::max(as_length(best), 1), as_length(static_cast<double>(reals)), whole};
    }
};

}  // namespace bascule::cpu::linalg

// Tasks on square matrices by elimination: solving, inverses, determinants, Cholesky factors.
#pragma once
#include <cmath>
#include <utility>

#include "backend/cpu/linalg/stack_runner.hpp"
#include "bascule/ops/math/power.hpp"

namespace bascule::cpu::linalg {

// gesv; without a right-hand side the identity is one, and the answer the inverse.
template <class Call> struct solve_task {
    using T = typename Call::computed;
    Call call;
    bool invert;
    std::int64_t n = call.args.n, columns = invert ? n : call.args.columns;

    struct space {
        T *a, *b;
        integer* pivots;
    };
    space pack(arena& m) const noexcept { return {m.take<T>(n * n), m.take<T>(n * columns), m.take<integer>(n)}; }

    bool run(std::int64_t i, space& s) const noexcept {
        auto const& p = call.args;
        call.read(s.a, p.a, i, n, n);
        if (invert) call.set_identity(s.b, n, n);
        else call.read(s.b, p.b, i, n, columns);
        auto const size = static_cast<integer>(n), right = static_cast<integer>(columns);
        integer info = 0;
        if (n > 0 && columns > 0) call.lapack.gesv(&size, &right, s.a, &size, s.pivots, s.b, &size, &info);
        if (info == 0) call.write(s.b, p.out[0], i, n, columns);
        else call.spoil(p.out[0], i, n, columns);
        return info == 0;
    }
};

// getrf of matrices of up to so many rows, for which a library call costs more than its arithmetic: column by column,
// in the order and with the roundings of OpenBLAS where that has fused multiplications.
constexpr std::int64_t few_rows = 4;

template <class T> integer eliminate_few(T* a, std::int64_t n, integer* pivots) noexcept {
    integer info = 0;
    for (std::int64_t j = 0; j < n; ++j) {
        T* const b = a + j * n;
        for (std::int64_t i = 0; i < j; ++i) std::swap(b[i], b[pivots[i] - 1]);
        for (std::int64_t i = 1; i < n; ++i) {
            std::int64_t const known = std::min(i, j);
            T sum = known > 0 ? a[i] * b[0] : T{};
            for (std::int64_t k = 1; k < known; ++k) sum = std::fma(a[i + k * n], b[k], sum);
            b[i] -= sum;
        }
        std::int64_t p = j;
        for (std::int64_t i = j + 1; i < n; ++i)
            if (std::abs(b[i]) > std::abs(b[p])) p = i;
        pivots[j] = static_cast<integer>(p + 1);
        if (b[p] == T{}) {
            if (info == 0) info = static_cast<integer>(j + 1);
            continue;
        }
        for (std::int64_t k = 0; p != j && k <= j; ++k) std::swap(a[j + k * n], a[p + k * n]);
        T const reciprocal = T(1) / b[j];
        for (std::int64_t i = j + 1; i < n; ++i) b[i] *= reciprocal;
    }
    return info;
}

// Sign and logarithm, or the determinant made of both; a singular matrix has an answer.
template <class Call> struct determinant_task {
    using T = typename Call::computed;
    using R = real<T>;
    Call call;
    std::int64_t n = call.args.n;
    bool few = n == 0 || (n <= few_rows && !blas::is_complex_type<T>);

    struct space {
        T* a;
        integer* pivots;
    };
    space pack(arena& m) const noexcept { return {m.take<T>(n * n), m.take<integer>(n)}; }

    bool run(std::int64_t i, space& s) const noexcept {
        auto const& p = call.args;
        call.read(s.a, p.a, i, n, n);
        auto const size = static_cast<integer>(n);
        integer info = 0;
        if (!few) call.lapack.getrf(&size, &size, s.a, &size, s.pivots, &info);
        else if constexpr (!blas::is_complex_type<T>) info = eliminate_few(s.a, n, s.pivots);
        T sign = unit(info == 0 ? 1 : 0);
        R log = info == 0 ? R(0) : -std::numeric_limits<R>::infinity();
        if (info == 0) collect(s, sign, log);
        if (p.vectors) {
            call.write(&sign, p.out[0], i, 1, 1);
            call.write_reals(&log, p.out[1], i, 1);
        } else {
            T whole = scaled(sign, std::exp(log));
            call.write(&whole, p.out[0], i, 1, 1);
        }
        return true;
    }

private:
    static T unit(int v) noexcept {
        if constexpr (blas::is_complex_type<T>) return T{static_cast<R>(v), 0};
        else return static_cast<T>(v);
    }
    static T scaled(T v, R by) noexcept {
        if constexpr (blas::is_complex_type<T>) return T{v.re * by, v.im * by};
        else return v * by;
    }
    void collect(space const& s, T& sign, R& log) const noexcept {
        for (std::int64_t k = 0; k < n; ++k) {
            T const v = s.a[k * (n + 1)];
            R size;
            if constexpr (blas::is_complex_type<T>) {
                size = ops::math::hypot(v.re, v.im);  // glibc's has no version before 2.35
                T const u{v.re / size, v.im / size};
                sign = T{sign.re * u.re - sign.im * u.im, sign.re * u.im + sign.im * u.re};
            } else {
                size = std::abs(v);
                if (v < 0) sign = -sign;
            }
            log += std::log(size);
            if (s.pivots[k] != k + 1) sign = scaled(sign, R(-1));
        }
    }
};

template <class Call> struct cholesky_task {
    using T = typename Call::computed;
    Call call;
    std::int64_t n = call.args.n;

    struct space {
        T* a;
    };
    space pack(arena& m) const noexcept { return {m.take<T>(n * n)}; }

    bool run(std::int64_t i, space& s) const noexcept {
        auto const& p = call.args;
        call.read(s.a, p.a, i, n, n);
        auto const size = static_cast<integer>(n);
        integer info = 0;
        if (n > 0) call.lapack.potrf(p.upper ? "U" : "L", &size, s.a, &size, &info, 1);
        if (info != 0) return call.spoil(p.out[0], i, n, n), false;
        for (std::int64_t c = 0; c < n; ++c)
            for (std::int64_t r = p.upper ? c + 1 : 0; r < (p.upper ? n : c); ++r) s.a[r + c * n] = T{};
        call.write(s.a, p.out[0], i, n, n);
        return true;
    }
};

}  // namespace bascule::cpu::linalg

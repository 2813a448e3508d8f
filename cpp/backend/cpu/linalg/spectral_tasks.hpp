// Eigenvalues and vectors, of Hermitian matrices and of any.
#pragma once
#include "backend/cpu/linalg/stack_runner.hpp"

namespace bascule::cpu::linalg {

template <class Call> struct hermitian_task {
    using T = typename Call::computed;
    using R = real<T>;
    Call call;
    std::int64_t n = call.args.n;
    char job = call.args.vectors ? 'V' : 'N', triangle = call.args.upper ? 'U' : 'L';
    lapack::work_space<T> lengths = query();

    struct space {
        T* a;
        R* values;
        lapack::work_space<T> work;
    };
    space pack(arena& s) const noexcept { return {s.take<T>(n * n), s.take<R>(n), take_work(s, lengths)}; }

    bool run(std::int64_t i, space& s) const noexcept {
        auto const& p = call.args;
        call.read(s.a, p.a, i, n, n);
        if (n > 0 && lapack::syevd(call.lapack, job, triangle, static_cast<integer>(n), s.a, s.values, s.work) != 0) {
            if (p.vectors) call.spoil(p.out[1], i, n, n);
            return call.spoil_reals(p.out[0], i, n), false;
        }
        call.write_reals(s.values, p.out[0], i, n);
        if (p.vectors) call.write(s.a, p.out[1], i, n, n);
        return true;
    }

private:
    lapack::work_space<T> query() const noexcept {
        T best{}, nothing{};
        R reals{}, number{};
        integer whole = 1;
        if (n > 0)
            lapack::syevd(call.lapack, job, triangle, static_cast<integer>(n), &nothing, &number,
                          {&best, &reals, &whole, -1, -1, -1});
        return {nullptr, nullptr, nullptr, std::max(as_length(best), 1), std::max(as_length(double(reals)), 1), whole};
    }
};

template <class Call> struct eigen_task {
    using T = typename Call::computed;
    using R = real<T>;
    using C = complex<R>;  // of the answers
    using stored = complex<real<typename Call::stored>>;
    Call call;
    std::int64_t n = call.args.n;
    char job = call.args.vectors ? 'V' : 'N';
    lapack::work_space<T> lengths = query();

    struct space {
        T *a, *w, *v;
        lapack::work_space<T> work;
    };
    space pack(arena& s) const noexcept {
        return {s.take<T>(n * n), s.take<T>(2 * n), s.take<T>(call.args.vectors ? n * n : 1), take_work(s, lengths)};
    }

    bool run(std::int64_t i, space& s) const noexcept {
        auto const& p = call.args;
        auto const values = call.template operand<stored>(p.out[0], i, n, 1);
        auto const vectors = call.template operand<stored>(p.out[1], i, p.vectors ? n : 0, p.vectors ? n : 0);
        call.read(s.a, p.a, i, n, n);
        if (n > 0 && lapack::geev(call.lapack, job, static_cast<integer>(n), s.a, s.w, s.v, s.work) != 0) {
            auto const nan = std::numeric_limits<real<typename Call::stored>>::quiet_NaN();
            return fill(values, stored{nan, nan}), fill(vectors, stored{nan, nan}), false;
        }
        for (std::int64_t k = 0; k < n; ++k) values.at(k, 0) = as<stored>(value(s, k));
        if (p.vectors) write_vectors(s, vectors);
        return true;
    }

private:
    C value(space const& s, std::int64_t k) const noexcept {
        if constexpr (blas::is_complex_type<T>) return s.w[k];
        else return C{s.w[k], s.w[n + k]};
    }
    // A pair of conjugate values has its vectors as real and imaginary parts in neighbouring columns.
    void write_vectors(space const& s, matrix<stored> const& to) const noexcept {
        for (std::int64_t k = 0; k < n; ++k) {
            bool const pair = !blas::is_complex_type<T> && value(s, k).im != 0;
            for (std::int64_t j = 0; j < n; ++j) {
                T const* const at = s.v + k * n + j;
                if constexpr (blas::is_complex_type<T>) {
                    to.at(j, k) = as<stored>(*at);
                } else {
                    C const v{at[0], pair ? at[n] : R(0)};
                    to.at(j, k) = as<stored>(v);
                    if (pair) to.at(j, k + 1) = as<stored>(conjugate(v));
                }
            }
            if (pair) ++k;
        }
    }
    lapack::work_space<T> query() const noexcept {
        T best{}, nothing[2] = {};
        R number{};
        if (n > 0)
            lapack::geev(call.lapack, job, static_cast<integer>(n), nothing, nothing, nothing,
                         {&best, &number, nullptr, -1, 0, 0});
        return {nullptr, nullptr, nullptr, std::max(as_length(best), 1), static_cast<integer>(2 * n), 1};
    }
};

}  // namespace bascule::cpu::linalg

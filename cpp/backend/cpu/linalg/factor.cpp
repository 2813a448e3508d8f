// From the arguments of matrix_factor to its task and the types it runs in.
#include "backend/cpu/linalg/orthogonal_tasks.hpp"
#include "backend/cpu/linalg/spectral_tasks.hpp"
#include "backend/cpu/linalg/square_tasks.hpp"

namespace bascule::cpu::linalg {
namespace {

constexpr std::int64_t most = std::numeric_limits<integer>::max() - 1;

template <class S, class T> status run_task(blas::library const& l, matrix_factor_args& p) noexcept {
    using call = factor_call<S, T>;
    call const c{p, l.of<T>()};
    switch (p.task) {
        case matrix_task::solve: return run_stack(l, p, solve_task<call>{c, false});
        case matrix_task::invert: return run_stack(l, p, solve_task<call>{c, true});
        case matrix_task::determinant: return run_stack(l, p, determinant_task<call>{c});
        case matrix_task::cholesky: return run_stack(l, p, cholesky_task<call>{c});
        case matrix_task::orthogonal: return run_stack(l, p, qr_task<call>{c, false});
        case matrix_task::reflectors: return run_stack(l, p, qr_task<call>{c, true});
        case matrix_task::eigen_hermitian: return run_stack(l, p, hermitian_task<call>{c});
        case matrix_task::eigen: return run_stack(l, p, eigen_task<call>{c});
        case matrix_task::singular_values: return run_stack(l, p, svd_task<call>{c});
        case matrix_task::least_squares: return run_stack(l, p, least_squares_task<call>{c});
    }
    set_last_error("[linalg] this task does not exist");
    return status::not_supported;
}

}  // namespace

status factor(matrix_factor_args& p) noexcept {
    p.failed = 0;
    if (std::max({p.m, p.n, p.columns}) > most) {
        set_last_error("[linalg] expected fewer than 2^31 rows and columns");
        return status::not_supported;
    }
    if (stack_size(p.ndim, p.shape) == 0) return status::ok;
    blas::library const* const l = blas::open();
    if (l == nullptr) return status::not_supported;
    switch (p.dtype) {
        case type_id::float32: return p.wide ? run_task<float, double>(*l, p) : run_task<float, float>(*l, p);
        case type_id::float64: return run_task<double, double>(*l, p);
        case type_id::complex64:
            return p.wide ? run_task<complex<float>, complex<double>>(*l, p)
                          : run_task<complex<float>, complex<float>>(*l, p);
        case type_id::complex128: return run_task<complex<double>, complex<double>>(*l, p);
        default: break;
    }
    set_last_error("[linalg] expected float32, float64, complex64 or complex128");
    return status::not_supported;
}

}  // namespace bascule::cpu::linalg

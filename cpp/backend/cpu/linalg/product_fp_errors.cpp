// The floating-point errors of a product, from its values. The processor's status is not enough: BLAS's kernels raise
// some over the padding of their tiles.
#include <cmath>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/linalg/linalg.hpp"
#include "backend/cpu/linalg/matrices.hpp"
#include "bascule/ops/float16_conversion.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::cpu::linalg {
namespace {

constexpr unsigned unknown = 1, endless = 2;

template <class T> unsigned kind_of(T v) noexcept {
    if constexpr (blas::is_complex_type<T>) return kind_of(v.re) | kind_of(v.im);
    else if constexpr (std::is_same_v<T, float16>) return kind_of(ops::to_float32(v));
    else return std::isfinite(v) ? 0 : std::isnan(v) ? unknown : endless;
}

template <class T> bool any_non_finite(T const* p, std::int64_t n) noexcept {
    using real = std::conditional_t<std::is_same_v<T, complex<float>>, float,
                                    std::conditional_t<std::is_same_v<T, complex<double>>, double, T>>;
    constexpr auto id = std::is_same_v<real, float>    ? type_id::float32
                        : std::is_same_v<real, double> ? type_id::float64
                                                       : type_id::float16;
    return active_kernels()->non_finite[static_cast<int>(id)](p,
                                                              static_cast<std::size_t>(n) * sizeof(T) / sizeof(real));
}

template <class T> bool any_non_finite(matrix<T> const& a) noexcept {
    if (a.column != 1 && a.row == 1) return any_non_finite(a.transposed());
    if (a.column == 1 && a.row == a.columns && a.rows > 0) return any_non_finite(&a.at(0, 0), a.rows * a.columns);
    for (std::int64_t i = 0; i < a.rows; ++i) {
        if (a.column == 1 && any_non_finite(&a.at(i, 0), a.columns)) return true;
        for (std::int64_t j = 0; a.column != 1 && j < a.columns; ++j)
            if (kind_of(a.at(i, j)) != 0) return true;
    }
    return false;
}

// Of each row.
template <class T> std::vector<unsigned> kinds_of_rows(matrix<T> const& a) {
    std::vector<unsigned> found(static_cast<std::size_t>(a.rows));
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t j = 0; j < a.columns; ++j) found[static_cast<std::size_t>(i)] |= kind_of(a.at(i, j));
    return found;
}

// NaN that no operand brought along is invalid, infinity that none did has overflown.
template <class T> std::uint8_t fp_errors_of(matrix<T> const& a, matrix<T> const& b, matrix<T> const& c) {
    if (!any_non_finite(c)) return ops::fp::none;
    auto const rows = kinds_of_rows(a), columns = kinds_of_rows(b.transposed());
    unsigned found = ops::fp::none;
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < c.columns; ++j) {
            unsigned const kind = kind_of(c.at(i, j)),
                           given = rows[static_cast<std::size_t>(i)] | columns[static_cast<std::size_t>(j)];
            if ((kind & unknown) && !(given & unknown)) found |= ops::fp::invalid;
            if (kind != 0 && given == 0) found |= ops::fp::over;
        }
    return static_cast<std::uint8_t>(found);
}

template <class T> void look(matrix_product_args const& p) {
    for (std::int64_t i = 0; i < stack_size(p.ndim, p.shape); ++i)
        *p.fp_flags |= fp_errors_of(matrix_at<T>(p.a, p.ndim, p.shape, i, p.m, p.k),
                                    matrix_at<T>(p.b, p.ndim, p.shape, i, p.k, p.n),
                                    matrix_at<T>(p.out, p.ndim, p.shape, i, p.m, p.n));
}

}  // namespace

status note_fp_errors(matrix_product_args const& p) noexcept {
    return guarded("[matmul] no memory to look at the operands", [&] {
        switch (p.dtype) {
            case type_id::float16: look<float16>(p); break;
            case type_id::float32: look<float>(p); break;
            case type_id::float64: look<double>(p); break;
            case type_id::complex64: look<complex<float>>(p); break;
            case type_id::complex128: look<complex<double>>(p); break;
            default: break;
        }
        return status::ok;
    });
}

}  // namespace bascule::cpu::linalg

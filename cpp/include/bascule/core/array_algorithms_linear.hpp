// Argument structs of backend::algorithm for linear algebra. Plain data; strides in bytes.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// Matrices of one shape: element (i, j) of matrix (k0, k1, ...) lies at data + sum k_d * stack[d] + i * row + j *
// column.
struct matrix_stack {
    void* data = nullptr;
    std::int64_t const* stack = nullptr;  // one a dimension of the stack; 0 where one matrix serves all
    std::int64_t row = 0, column = 0;
};

// algorithm_kind::matrix_product. out = a b, (m, k) by (k, n), for each matrix of the stack. Floats in BLAS's order of
// sums, float16 in float32 one by one; integers wrap; bool is "any of both". `out` shares no memory with a and b.
// Not for times.
struct matrix_product_args {
    type_id dtype = type_id::float64;
    bool conjugate_a = false;
    std::int32_t ndim = 0;  // of the stack
    std::int64_t const* shape = nullptr;
    std::int64_t m = 0, k = 0, n = 0;
    matrix_stack a, b, out;
    std::uint32_t* fp_flags = nullptr;  // ops::fp::invalid and over, found from the values, or-ed in; may be null
    // In place of fp_flags, of a device that the host need not wait for: a word of its memory.
    std::uint32_t* flags_later = nullptr;
};

// The results to compute of matrices a (m, n), and their outputs. "real" outputs have the real type of `dtype`; vectors
// are matrices of one column. r is min(m, n).
enum class matrix_task : std::uint8_t {
    solve,            // a (n, n), b (n, columns): x (n, columns)
    invert,           // a (n, n): inverse (n, n)
    determinant,      // a (n, n): sign (1), logarithm of the magnitude (real, 1)
    cholesky,         // a (n, n), of which one triangle is read: factor, the other triangle 0
    orthogonal,       // Q (m, r or m if full) and R (r or m, n); without vectors R alone, as out[1]
    reflectors,       // the matrix of LAPACK's geqrf (m, n), and the scales (r)
    eigen_hermitian,  // a (n, n), of which one triangle is read: values (real, n), ascending; vectors (n, n)
    eigen,            // a (n, n): values (complex, n), vectors (complex, n, n)
    singular_values,  // U (m, r or m if full), values (real, r), V^H (r or n, n); without vectors out[1] alone
    least_squares,    // a (m, n), b (m, columns): x (n, columns), residuals (real, columns), rank (int64, 1), values
                      // (real, r)
};

// algorithm_kind::matrix_factor, by LAPACK: getrf, gesv, potrf, geqrf and orgqr, syevd, geev, gesdd, gelsd.
struct matrix_factor_args {
    matrix_task task = matrix_task::solve;
    type_id dtype = type_id::float64;  // of a, b and outputs: float32, float64, complex64, complex128
    bool wide = true;                  // compute in float64 for every dtype
    bool vectors = true;
    bool full = false;
    bool upper = false;  // which triangle: is read, or is the factor
    std::int32_t ndim = 0;
    std::int64_t const* shape = nullptr;  // of the stack
    std::int64_t m = 0, n = 0, columns = 0;
    double tolerance = -1;  // least_squares: values below this part of the largest are 0; negative: the machine's
    matrix_stack a, b, out[4];
    std::int64_t failed = 0;  // how many have no answer (singular, not definite, not converged); theirs is NaN
};

}  // namespace bascule

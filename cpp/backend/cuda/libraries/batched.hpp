// Stacks of small matrices by the libraries' batched functions: one call for all of a stack, where one matrix after the
// other would leave most of the device idle.
#pragma once
#include "backend/cuda/libraries/factor_call.hpp"

namespace bascule::cuda::libraries {

// Rows, up to which it pays: of elimination; and of rotations, which have no more.
inline constexpr std::int64_t largest_eliminated = 128, largest_rotated = 32;

inline bool is_batch(factor_call const& c, std::int64_t rows, std::int64_t largest) {
    return c.stacks.count() > 1 && c.stacks.count() <= std::numeric_limits<int>::max() && rows > 0 && rows <= largest;
}

// Addresses on the device of dense matrices.
class matrix_addresses {
public:
    matrix_addresses(factor_call const& c, dense_matrices const& of);
    void** get() const { return static_cast<void**>(memory_.get()); }

private:
    scratch memory_;
};

// LU factors in place of `a`, with pivots.
class eliminated_together {
public:
    eliminated_together(factor_call& c, dense_matrices const& a);
    void const* pivots() const { return pivots_.get(); }  // of 32 bits
    void solve(dense_matrices const& b, std::int64_t columns) const;

private:
    factor_call& c_;
    dense_matrices const& a_;
    blas_call blas_;
    matrix_addresses addresses_;
    scratch pivots_;
};

void cholesky_together(factor_call& c, dense_matrices const& a, int triangle);
// Vectors, if they are wanted, in place of `a`.
void rotate_hermitian(factor_call& c, dense_matrices const& a, dense_matrices const& values, int job, int triangle);
// `a` is lost. u and vt as gesvd leaves them; of no columns where no vectors are wanted.
void rotate_singular(factor_call& c, dense_matrices const& a, dense_matrices const& values, dense_matrices const& u,
                     dense_matrices const& vt, std::int64_t rows, std::int64_t columns);

}  // namespace bascule::cuda::libraries

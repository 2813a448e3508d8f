// One call of matrix_factor on a device: its operands as dense matrices, a handle of cuSOLVER, and which matrices
// failed.
#pragma once
#include <vector>

#include "backend/cuda/launch/algorithm_kernel.hpp"
#include "backend/cuda/libraries/blas_call.hpp"
#include "backend/cuda/libraries/dense_matrices.hpp"

namespace bascule::cuda::libraries {

// A library's memory for one call of its function.
struct work_space {
    void* device = nullptr;
    void* host = nullptr;
    std::size_t device_bytes = 0, host_bytes = 0;
};

class factor_call {
public:
    // Throws where the library is not there, or not for these types.
    factor_call(device&, matrix_factor_args&, stream_handle);
    ~factor_call();
    factor_call(factor_call const&) = delete;
    factor_call& operator=(factor_call const&) = delete;

    matrix_factor_args& args;
    std::int64_t const m, n, r;      // r = min(m, n)
    type_id const stored, computed;  // of elements
    type_id const real;              // the real type of the computed type
    int const type, type_real;       // of the computed values, as the library numbers types
    cusolver_api const& api;
    matrix_stacks const stacks;
    solver_handle handle = nullptr;
    solver_parameters parameters = nullptr;
    rotation_parameters rotations = nullptr;
    singular_rotation_parameters singular_rotations = nullptr;

    dense_matrices make(type_id t, std::int64_t rows, std::int64_t columns) const { return {stacks, t, rows, columns}; }
    void read(dense_matrices const& to, matrix_stack const& from, std::int64_t rows, std::int64_t columns,
              bool turned = false) const;
    // NaN where the matrix has failed. `turned`: the dense matrix is the conjugate transpose of the written one.
    void write(matrix_stack const& to, dense_matrices const& from, std::int64_t rows, std::int64_t columns,
               matrix_part part = matrix_part::whole, bool turned = false) const;
    void write_values(matrix_stack const& to, type_id stored_as, placed_matrices const& from) const;

    int* info(std::int64_t i) const { return static_cast<int*>(info_.get()) + i; }
    void* infos() const { return info_.get(); }

    // size(&on_device, &on_host), then run(matrix, work) for each.
    template <class Size, class Run> void each(char const* function, Size&& size, Run&& run) {
        std::size_t on_device = 0, on_host = 0;
        must(size(&on_device, &on_host), solver_no_memory, function);
        scratch const memory(stacks.on(), static_cast<std::int64_t>(on_device), stacks.stream());
        std::vector<std::uint64_t> host(on_host / 8 + 1);
        work_space const w{memory.get(), on_host ? host.data() : nullptr, on_device, on_host};
        for (std::int64_t i = 0; i < stacks.count(); ++i) {
            must(run(i, w), solver_no_memory, function);
            // Queued work may still use the host's part.
            if (on_host) stacks.on().synchronize(stacks.stream());
        }
    }

    // A kernel with one item for each of `items`, of words from 2 on.
    algorithm_kernel kernel(std::int64_t const& items) const;
    // Matrices of which one of these values is NaN have failed.
    void fail_where_unknown(dense_matrices const& values, type_id t, std::int64_t count, std::int64_t step) const;
    // Waits: how many have no answer.
    void count_failures();

private:
    scratch info_;
};

void solve_task(factor_call&, bool invert);
void determinant_task(factor_call&);
void cholesky_task(factor_call&);
void orthogonal_task(factor_call&);
void reflectors_task(factor_call&);
void singular_values_task(factor_call&);
void least_squares_task(factor_call&);
void hermitian_task(factor_call&);
void eigen_task(factor_call&);

}  // namespace bascule::cuda::libraries

// Products by cuBLAS: matrices by columns, each with its own distance from column to column.
#pragma once
#include "backend/cuda/device/device.hpp"
#include "backend/cuda/libraries/toolkit.hpp"

namespace bascule::cuda::libraries {

// cudaDataType of an element, -1 where the libraries have none for it.
constexpr int library_type(type_id t) {
    switch (t) {
        case type_id::float16: return real_16;
        case type_id::float32: return real_32;
        case type_id::float64: return real_64;
        case type_id::complex64: return complex_32;
        case type_id::complex128: return complex_64;
        default: return -1;
    }
}

// The place of a type among the functions that are there for each: S, D, C and Z.
constexpr int among_types(int type) { return type == real_32 ? 0 : type == real_64 ? 1 : type == complex_32 ? 2 : 3; }

// A stack of matrices as one operand; strides in elements.
struct blas_operand {
    void* data = nullptr;
    int op = as_it_is;
    std::int64_t leading = 1, stack = 0;
};

// NVIDIA's recommendation for its largest cards; from the pool, so that the library allocates none itself.
inline constexpr std::int64_t most_workspace = 32 << 20;

// A handle, its stream and its workspace, for the time of one call.
class blas_call {
public:
    // Throws where the library is not there.
    blas_call(device&, stream_handle, char const* what, std::int64_t work = most_workspace);
    ~blas_call();
    blas_call(blas_call const&) = delete;
    blas_call& operator=(blas_call const&) = delete;

    // c = scale * a b + keep * c for `count` matrices, c (m, n).
    void multiply(type_id, std::int64_t m, std::int64_t n, std::int64_t k, double scale, blas_operand const& a,
                  blas_operand const& b, double keep, blas_operand const& c, std::int64_t count) const;

    cublas_api const& api() const { return api_; }
    blas_handle handle() const { return handle_; }

private:
    device& device_;
    cublas_api const& api_;
    scratch workspace_;
    blas_handle handle_;
};

}  // namespace bascule::cuda::libraries

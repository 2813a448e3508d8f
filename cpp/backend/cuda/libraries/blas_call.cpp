#include "backend/cuda/libraries/blas_call.hpp"

#include "backend/cuda/libraries/handles.hpp"

namespace bascule::cuda::libraries {
namespace {

handle_store<blas_handle>& handles() {
    static auto* const all = new handle_store<blas_handle>;
    return *all;
}

blas_handle take(device& d, cublas_api const& api) {
    return handles().take(&d, [&] {
        blas_handle h = nullptr;
        must(created(d, [&] { return api.create(&h); }), blas_no_memory, "cublasCreate");
        return h;
    });
}

// One and zero as the library requires them: in the type that it computes in.
union factor_of_product {
    float single[2];
    double wide[2];
};
factor_of_product as_factor(type_id t, double v) {
    factor_of_product f{};
    if (t == type_id::float64 || t == type_id::complex128) f.wide[0] = v, f.wide[1] = 0;
    else f.single[0] = static_cast<float>(v), f.single[1] = 0;
    return f;
}

}  // namespace

void make_product_handle(device& d) {
    if (cublas().api) handles().give_back(&d, take(d, *cublas().api));
}

blas_call::blas_call(device& d, stream_handle stream, char const* what, std::int64_t work)
    : device_(d), api_(needed(cublas(), what)), workspace_(d, work, stream), handle_(take(d, api_)) {
    try {
        must(api_.set_stream(handle_, stream), blas_no_memory, "cublasSetStream");
        must(api_.set_workspace(handle_, workspace_.get(), static_cast<std::size_t>(work)), blas_no_memory,
             "cublasSetWorkspace");
    } catch (...) {
        handles().give_back(&device_, handle_);
        throw;
    }
}

blas_call::~blas_call() { handles().give_back(&device_, handle_); }

void blas_call::multiply(type_id t, std::int64_t m, std::int64_t n, std::int64_t k, double scale, blas_operand const& a,
                         blas_operand const& b, double keep, blas_operand const& c, std::int64_t count) const {
    int const type = library_type(t), compute = type == real_64 || type == complex_64 ? compute_64 : compute_32;
    factor_of_product const alpha = as_factor(t, scale), beta = as_factor(t, keep);
    must(api_.gemm(handle_, a.op, b.op, m, n, k, &alpha, a.data, type, a.leading, a.stack, b.data, type, b.leading,
                   b.stack, &beta, c.data, type, c.leading, c.stack, count, compute, default_algorithm),
         blas_no_memory, "cublasGemmStridedBatchedEx");
}

}  // namespace bascule::cuda::libraries

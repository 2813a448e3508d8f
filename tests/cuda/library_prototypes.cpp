// Compiled, never run: the hand-written declarations of cuBLAS, cuSOLVER, cuFFT and cuSPARSE agree with NVIDIA's
// headers.
#include <cublas_v2.h>
#include <cufftXt.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <type_traits>

#include "backend/cuda/libraries/entry_points.hpp"

namespace bascule::cuda::libraries {
namespace {

// Passed alike: pointers of any kind, numbers and enumerations of one size.
template <class Ours, class Theirs> constexpr bool alike() {
    if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>)
        return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
    else return std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs> && sizeof(Ours) == sizeof(Theirs);
}
template <class Ours, class Theirs> struct same_call : std::false_type {};
template <class R, class... A, class Q, class... B>
requires(sizeof...(A) == sizeof...(B)) struct same_call<R (*)(A...), Q (*)(B...)>
    : std::bool_constant<alike<R, Q>() && (alike<A, B>() && ...)> {
};

#define SAME(TABLE, MEMBER, FUNCTION)                                                                                  \
    static_assert(same_call<std::remove_extent_t<decltype(TABLE::MEMBER)>, decltype(&FUNCTION)>::value, #FUNCTION)

SAME(cublas_api, property, cublasGetProperty);
SAME(cublas_api, create, cublasCreate_v2);
SAME(cublas_api, destroy, cublasDestroy_v2);
SAME(cublas_api, set_stream, cublasSetStream_v2);
SAME(cublas_api, set_workspace, cublasSetWorkspace_v2);
SAME(cublas_api, gemm, cublasGemmStridedBatchedEx_64);
SAME(cublas_api, getrf_batched, cublasSgetrfBatched);
SAME(cublas_api, getrs_batched, cublasSgetrsBatched);
SAME(cublas_api, getrf_batched, cublasDgetrfBatched);
SAME(cublas_api, getrs_batched, cublasDgetrsBatched);
SAME(cublas_api, getrf_batched, cublasCgetrfBatched);
SAME(cublas_api, getrs_batched, cublasCgetrsBatched);
SAME(cublas_api, getrf_batched, cublasZgetrfBatched);
SAME(cublas_api, getrs_batched, cublasZgetrsBatched);

SAME(cusolver_api, property, cusolverGetProperty);
SAME(cusolver_api, create, cusolverDnCreate);
SAME(cusolver_api, destroy, cusolverDnDestroy);
SAME(cusolver_api, set_stream, cusolverDnSetStream);
SAME(cusolver_api, create_parameters, cusolverDnCreateParams);
SAME(cusolver_api, destroy_parameters, cusolverDnDestroyParams);
SAME(cusolver_api, potrf_size, cusolverDnXpotrf_bufferSize);
SAME(cusolver_api, potrf, cusolverDnXpotrf);
SAME(cusolver_api, getrf_size, cusolverDnXgetrf_bufferSize);
SAME(cusolver_api, getrf, cusolverDnXgetrf);
SAME(cusolver_api, getrs, cusolverDnXgetrs);
SAME(cusolver_api, geqrf_size, cusolverDnXgeqrf_bufferSize);
SAME(cusolver_api, geqrf, cusolverDnXgeqrf);
SAME(cusolver_api, syevd_size, cusolverDnXsyevd_bufferSize);
SAME(cusolver_api, syevd, cusolverDnXsyevd);
SAME(cusolver_api, gesvd_size, cusolverDnXgesvd_bufferSize);
SAME(cusolver_api, gesvd, cusolverDnXgesvd);
SAME(cusolver_api, orgqr_size, cusolverDnSorgqr_bufferSize);
SAME(cusolver_api, orgqr_size, cusolverDnDorgqr_bufferSize);
SAME(cusolver_api, orgqr_size, cusolverDnCungqr_bufferSize);
SAME(cusolver_api, orgqr_size, cusolverDnZungqr_bufferSize);
SAME(cusolver_api, orgqr, cusolverDnSorgqr);
SAME(cusolver_api, orgqr, cusolverDnDorgqr);
SAME(cusolver_api, orgqr, cusolverDnCungqr);
SAME(cusolver_api, orgqr, cusolverDnZungqr);
SAME(cusolver_api, create_rotations, cusolverDnCreateSyevjInfo);
SAME(cusolver_api, create_singular_rotations, cusolverDnCreateGesvdjInfo);
SAME(cusolver_api, potrf_batched, cusolverDnSpotrfBatched);
SAME(cusolver_api, syevj_batched_size, cusolverDnSsyevjBatched_bufferSize);
SAME(cusolver_api, syevj_batched, cusolverDnSsyevjBatched);
SAME(cusolver_api, gesvdj_batched_size, cusolverDnSgesvdjBatched_bufferSize);
SAME(cusolver_api, gesvdj_batched, cusolverDnSgesvdjBatched);
SAME(cusolver_api, potrf_batched, cusolverDnDpotrfBatched);
SAME(cusolver_api, syevj_batched_size, cusolverDnDsyevjBatched_bufferSize);
SAME(cusolver_api, syevj_batched, cusolverDnDsyevjBatched);
SAME(cusolver_api, gesvdj_batched_size, cusolverDnDgesvdjBatched_bufferSize);
SAME(cusolver_api, gesvdj_batched, cusolverDnDgesvdjBatched);
SAME(cusolver_api, potrf_batched, cusolverDnCpotrfBatched);
SAME(cusolver_api, syevj_batched_size, cusolverDnCheevjBatched_bufferSize);
SAME(cusolver_api, syevj_batched, cusolverDnCheevjBatched);
SAME(cusolver_api, gesvdj_batched_size, cusolverDnCgesvdjBatched_bufferSize);
SAME(cusolver_api, gesvdj_batched, cusolverDnCgesvdjBatched);
SAME(cusolver_api, potrf_batched, cusolverDnZpotrfBatched);
SAME(cusolver_api, syevj_batched_size, cusolverDnZheevjBatched_bufferSize);
SAME(cusolver_api, syevj_batched, cusolverDnZheevjBatched);
SAME(cusolver_api, gesvdj_batched_size, cusolverDnZgesvdjBatched_bufferSize);
SAME(cusolver_api, gesvdj_batched, cusolverDnZgesvdjBatched);
#if CUSOLVER_VERSION >= 11701
SAME(cusolver_api, geev_size, cusolverDnXgeev_bufferSize);
SAME(cusolver_api, geev, cusolverDnXgeev);
#endif

SAME(cufft_api, property, cufftGetProperty);
SAME(cufft_api, create, cufftCreate);
SAME(cufft_api, destroy, cufftDestroy);
SAME(cufft_api, set_stream, cufftSetStream);
SAME(cufft_api, set_auto_allocation, cufftSetAutoAllocation);
SAME(cufft_api, set_work_area, cufftSetWorkArea);
SAME(cufft_api, make_plan, cufftXtMakePlanMany);
SAME(cufft_api, execute, cufftXtExec);

SAME(cusparse_api, property, cusparseGetProperty);
SAME(cusparse_api, create, cusparseCreate);
SAME(cusparse_api, destroy, cusparseDestroy);
SAME(cusparse_api, set_stream, cusparseSetStream);
SAME(cusparse_api, create_rows, cusparseCreateCsr);
SAME(cusparse_api, destroy_sparse, cusparseDestroySpMat);
SAME(cusparse_api, create_dense, cusparseCreateDnMat);
SAME(cusparse_api, destroy_dense, cusparseDestroyDnMat);
SAME(cusparse_api, product_size, cusparseSpMM_bufferSize);
SAME(cusparse_api, product, cusparseSpMM);

static_assert(real_16 == CUDA_R_16F && real_32 == CUDA_R_32F && real_64 == CUDA_R_64F && complex_32 == CUDA_C_32F &&
              complex_64 == CUDA_C_64F);
static_assert(as_it_is == CUBLAS_OP_N && transposed == CUBLAS_OP_T && conjugate_transposed == CUBLAS_OP_C);
static_assert(lower_triangle == CUBLAS_FILL_MODE_LOWER && upper_triangle == CUBLAS_FILL_MODE_UPPER);
static_assert(compute_32 == CUBLAS_COMPUTE_32F && compute_64 == CUBLAS_COMPUTE_64F &&
              default_algorithm == CUBLAS_GEMM_DEFAULT);
static_assert(without_vectors == CUSOLVER_EIG_MODE_NOVECTOR && with_vectors == CUSOLVER_EIG_MODE_VECTOR);
static_assert(major_version == MAJOR_VERSION && minor_version == MINOR_VERSION);
static_assert(blas_no_memory == CUBLAS_STATUS_ALLOC_FAILED && solver_no_memory == CUSOLVER_STATUS_ALLOC_FAILED &&
              fourier_no_memory == CUFFT_ALLOC_FAILED);
static_assert(sparse_no_memory == CUSPARSE_STATUS_ALLOC_FAILED && as_it_is == CUSPARSE_OPERATION_NON_TRANSPOSE);
static_assert(index_32 == CUSPARSE_INDEX_32I && index_64 == CUSPARSE_INDEX_64I &&
              from_nought == CUSPARSE_INDEX_BASE_ZERO);
static_assert(row_by_row == CUSPARSE_ORDER_ROW && same_in_every_run == CUSPARSE_SPMM_CSR_ALG3);
static_assert(forward == CUFFT_FORWARD && backward == CUFFT_INVERSE);

}  // namespace
}  // namespace bascule::cuda::libraries

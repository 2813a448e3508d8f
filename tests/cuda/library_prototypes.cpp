// Compiled, never run: the hand-written declarations of cuBLAS, cuSOLVER and cuFFT agree with NVIDIA's headers.
#include <cublas_v2.h>
#include <cufftXt.h>
#include <cusolverDn.h>

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
static_assert(forward == CUFFT_FORWARD && backward == CUFFT_INVERSE);

}  // namespace
}  // namespace bascule::cuda::libraries

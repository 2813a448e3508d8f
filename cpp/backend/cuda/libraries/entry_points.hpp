// The functions of cuBLAS, cuSOLVER, cuFFT and cuSPARSE that the device calls, declared by hand from their
// documentation: no header of NVIDIA's is needed to build this. Numbers of enumerations are the documented ones;
// statuses are 0 for success. tests/cuda/library_prototypes.cpp compares all of it with the toolkit's headers where
// there are some.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bascule::cuda::libraries {

struct opaque_blas;
struct opaque_solver;
struct opaque_parameters;
struct opaque_sparse;
struct opaque_sparse_matrix;
struct opaque_dense_matrix;
struct opaque_rotations;
struct opaque_singular_rotations;
using blas_handle = opaque_blas*;
using solver_handle = opaque_solver*;
using solver_parameters = opaque_parameters*;
using sparse_handle = opaque_sparse*;
using sparse_matrix = opaque_sparse_matrix*;
using dense_matrix = opaque_dense_matrix*;
using rotation_parameters = opaque_rotations*;
using singular_rotation_parameters = opaque_singular_rotations*;
using fourier_plan = int;
using stream_of_library = void*;
using size_type = std::size_t;
using wide_int = long long;

// cudaDataType
inline constexpr int real_16 = 2, real_32 = 0, real_64 = 1, complex_32 = 4, complex_64 = 5;
// cublasOperation_t, cublasFillMode_t, cublasComputeType_t, cublasGemmAlgo_t
inline constexpr int as_it_is = 0, transposed = 1, conjugate_transposed = 2;
inline constexpr int lower_triangle = 0, upper_triangle = 1;
inline constexpr int compute_32 = 68, compute_64 = 70, default_algorithm = -1;
// cusolverEigMode_t
inline constexpr int without_vectors = 0, with_vectors = 1;
// cusparseIndexType_t, cusparseIndexBase_t, cusparseOrder_t, cusparseSpMMAlg_t: the one of equal results in every run
inline constexpr int index_32 = 2, index_64 = 3, from_nought = 0, row_by_row = 2, same_in_every_run = 12;
// libraryPropertyType
inline constexpr int major_version = 0, minor_version = 1;
// Statuses that say: no memory.
inline constexpr int blas_no_memory = 3, solver_no_memory = 2, fourier_no_memory = 2, sparse_no_memory = 2;
inline constexpr int forward = -1, backward = 1;

struct cublas_api {
    int (*property)(int which, int* value);
    int (*create)(blas_handle*);
    int (*destroy)(blas_handle);
    int (*set_stream)(blas_handle, stream_of_library);
    int (*set_workspace)(blas_handle, void*, size_type bytes);
    int (*gemm)(blas_handle, int op_a, int op_b, std::int64_t m, std::int64_t n, std::int64_t k, void const* alpha,
                void const* a, int type_a, std::int64_t lda, wide_int stride_a, void const* b, int type_b,
                std::int64_t ldb, wide_int stride_b, void const* beta, void* c, int type_c, std::int64_t ldc,
                wide_int stride_c, std::int64_t count, int compute, int algorithm);
    // Stacks of small square matrices, named by arrays of addresses on the device: one function a type, S, D, C and Z.
    // The last info is the host's and reports invalid arguments only.
    int (*getrf_batched[4])(blas_handle, int n, void* const* a, int lda, int* pivots, int* info, int count);
    int (*getrs_batched[4])(blas_handle, int op, int n, int columns, void const* const* a, int lda, int const* pivots,
                            void* const* b, int ldb, int* info, int count);

    template <class Visit> void each(Visit&& visit) {
        visit(property, "cublasGetProperty");
        visit(create, "cublasCreate_v2");
        visit(destroy, "cublasDestroy_v2");
        visit(set_stream, "cublasSetStream_v2");
        visit(set_workspace, "cublasSetWorkspace_v2");
        visit(gemm, "cublasGemmStridedBatchedEx_64");
        visit(getrf_batched[0], "cublasSgetrfBatched");
        visit(getrf_batched[1], "cublasDgetrfBatched");
        visit(getrf_batched[2], "cublasCgetrfBatched");
        visit(getrf_batched[3], "cublasZgetrfBatched");
        visit(getrs_batched[0], "cublasSgetrsBatched");
        visit(getrs_batched[1], "cublasDgetrsBatched");
        visit(getrs_batched[2], "cublasCgetrsBatched");
        visit(getrs_batched[3], "cublasZgetrsBatched");
    }
};

struct cusolver_api {
    using handle = solver_handle;
    using parameters = solver_parameters;

    int (*property)(int which, int* value);
    int (*create)(handle*);
    int (*destroy)(handle);
    int (*set_stream)(handle, stream_of_library);
    int (*create_parameters)(parameters*);
    int (*destroy_parameters)(parameters);
    int (*potrf_size)(handle, parameters, int triangle, std::int64_t n, int type, void const* a, std::int64_t lda,
                      int compute, size_type* on_device, size_type* on_host);
    int (*potrf)(handle, parameters, int triangle, std::int64_t n, int type, void* a, std::int64_t lda, int compute,
                 void* work, size_type bytes, void* host_work, size_type host_bytes, int* info);
    int (*getrf_size)(handle, parameters, std::int64_t m, std::int64_t n, int type, void const* a, std::int64_t lda,
                      int compute, size_type* on_device, size_type* on_host);
    int (*getrf)(handle, parameters, std::int64_t m, std::int64_t n, int type, void* a, std::int64_t lda,
                 std::int64_t* pivots, int compute, void* work, size_type bytes, void* host_work, size_type host_bytes,
                 int* info);
    int (*getrs)(handle, parameters, int op, std::int64_t n, std::int64_t columns, int type, void const* a,
                 std::int64_t lda, std::int64_t const* pivots, int type_b, void* b, std::int64_t ldb, int* info);
    int (*geqrf_size)(handle, parameters, std::int64_t m, std::int64_t n, int type, void const* a, std::int64_t lda,
                      int type_tau, void const* tau, int compute, size_type* on_device, size_type* on_host);
    int (*geqrf)(handle, parameters, std::int64_t m, std::int64_t n, int type, void* a, std::int64_t lda, int type_tau,
                 void* tau, int compute, void* work, size_type bytes, void* host_work, size_type host_bytes, int* info);
    int (*syevd_size)(handle, parameters, int vectors, int triangle, std::int64_t n, int type, void const* a,
                      std::int64_t lda, int type_w, void const* w, int compute, size_type* on_device,
                      size_type* on_host);
    int (*syevd)(handle, parameters, int vectors, int triangle, std::int64_t n, int type, void* a, std::int64_t lda,
                 int type_w, void* w, int compute, void* work, size_type bytes, void* host_work, size_type host_bytes,
                 int* info);
    int (*gesvd_size)(handle, parameters, signed char job_u, signed char job_vt, std::int64_t m, std::int64_t n,
                      int type, void const* a, std::int64_t lda, int type_s, void const* s, int type_u, void const* u,
                      std::int64_t ldu, int type_vt, void const* vt, std::int64_t ldvt, int compute,
                      size_type* on_device, size_type* on_host);
    int (*gesvd)(handle, parameters, signed char job_u, signed char job_vt, std::int64_t m, std::int64_t n, int type,
                 void* a, std::int64_t lda, int type_s, void* s, int type_u, void* u, std::int64_t ldu, int type_vt,
                 void* vt, std::int64_t ldvt, int compute, void* work, size_type bytes, void* host_work,
                 size_type host_bytes, int* info);
    // Columns of Q from Householder's reflectors: one function a type, S, D, C and Z.
    int (*orgqr_size[4])(handle, int m, int n, int k, void const* a, int lda, void const* tau, int* length);
    int (*orgqr[4])(handle, int m, int n, int k, void* a, int lda, void const* tau, void* work, int length, int* info);
    // Stacks of small matrices: Cholesky's by addresses, the others, of Jacobi's rotations, contiguous.
    int (*potrf_batched[4])(handle, int triangle, int n, void** a, int lda, int* info, int count);
    int (*create_rotations)(rotation_parameters*);
    int (*syevj_batched_size[4])(handle, int vectors, int triangle, int n, void const* a, int lda, void const* w,
                                 int* length, rotation_parameters, int count);
    int (*syevj_batched[4])(handle, int vectors, int triangle, int n, void* a, int lda, void* w, void* work, int length,
                            int* info, rotation_parameters, int count);
    int (*create_singular_rotations)(singular_rotation_parameters*);
    int (*gesvdj_batched_size[4])(handle, int vectors, int m, int n, void const* a, int lda, void const* s,
                                  void const* u, int ldu, void const* v, int ldv, int* length,
                                  singular_rotation_parameters, int count);
    int (*gesvdj_batched[4])(handle, int vectors, int m, int n, void* a, int lda, void* s, void* u, int ldu, void* v,
                             int ldv, void* work, int length, int* info, singular_rotation_parameters, int count);
    // Null in versions before 11.7.1, of CUDA 12.6: there are no eigenvalues of matrices that are not Hermitian.
    int (*geev_size)(handle, parameters, int left, int right, std::int64_t n, int type, void const* a, std::int64_t lda,
                     int type_w, void const* w, int type_left, void const* vl, std::int64_t ldvl, int type_right,
                     void const* vr, std::int64_t ldvr, int compute, size_type* on_device, size_type* on_host);
    int (*geev)(handle, parameters, int left, int right, std::int64_t n, int type, void* a, std::int64_t lda,
                int type_w, void* w, int type_left, void* vl, std::int64_t ldvl, int type_right, void* vr,
                std::int64_t ldvr, int compute, void* work, size_type bytes, void* host_work, size_type host_bytes,
                int* info);

    template <class Visit> void each(Visit&& visit) {
        visit(property, "cusolverGetProperty");
        visit(create, "cusolverDnCreate");
        visit(destroy, "cusolverDnDestroy");
        visit(set_stream, "cusolverDnSetStream");
        visit(create_parameters, "cusolverDnCreateParams");
        visit(destroy_parameters, "cusolverDnDestroyParams");
        visit(potrf_size, "cusolverDnXpotrf_bufferSize");
        visit(potrf, "cusolverDnXpotrf");
        visit(getrf_size, "cusolverDnXgetrf_bufferSize");
        visit(getrf, "cusolverDnXgetrf");
        visit(getrs, "cusolverDnXgetrs");
        visit(geqrf_size, "cusolverDnXgeqrf_bufferSize");
        visit(geqrf, "cusolverDnXgeqrf");
        visit(syevd_size, "cusolverDnXsyevd_bufferSize");
        visit(syevd, "cusolverDnXsyevd");
        visit(gesvd_size, "cusolverDnXgesvd_bufferSize");
        visit(gesvd, "cusolverDnXgesvd");
        visit(orgqr_size[0], "cusolverDnSorgqr_bufferSize");
        visit(orgqr_size[1], "cusolverDnDorgqr_bufferSize");
        visit(orgqr_size[2], "cusolverDnCungqr_bufferSize");
        visit(orgqr_size[3], "cusolverDnZungqr_bufferSize");
        visit(orgqr[0], "cusolverDnSorgqr");
        visit(orgqr[1], "cusolverDnDorgqr");
        visit(orgqr[2], "cusolverDnCungqr");
        visit(orgqr[3], "cusolverDnZungqr");
        visit(potrf_batched[0], "cusolverDnSpotrfBatched");
        visit(potrf_batched[1], "cusolverDnDpotrfBatched");
        visit(potrf_batched[2], "cusolverDnCpotrfBatched");
        visit(potrf_batched[3], "cusolverDnZpotrfBatched");
        visit(create_rotations, "cusolverDnCreateSyevjInfo");
        visit(syevj_batched_size[0], "cusolverDnSsyevjBatched_bufferSize");
        visit(syevj_batched_size[1], "cusolverDnDsyevjBatched_bufferSize");
        visit(syevj_batched_size[2], "cusolverDnCheevjBatched_bufferSize");
        visit(syevj_batched_size[3], "cusolverDnZheevjBatched_bufferSize");
        visit(syevj_batched[0], "cusolverDnSsyevjBatched");
        visit(syevj_batched[1], "cusolverDnDsyevjBatched");
        visit(syevj_batched[2], "cusolverDnCheevjBatched");
        visit(syevj_batched[3], "cusolverDnZheevjBatched");
        visit(create_singular_rotations, "cusolverDnCreateGesvdjInfo");
        visit(gesvdj_batched_size[0], "cusolverDnSgesvdjBatched_bufferSize");
        visit(gesvdj_batched_size[1], "cusolverDnDgesvdjBatched_bufferSize");
        visit(gesvdj_batched_size[2], "cusolverDnCgesvdjBatched_bufferSize");
        visit(gesvdj_batched_size[3], "cusolverDnZgesvdjBatched_bufferSize");
        visit(gesvdj_batched[0], "cusolverDnSgesvdjBatched");
        visit(gesvdj_batched[1], "cusolverDnDgesvdjBatched");
        visit(gesvdj_batched[2], "cusolverDnCgesvdjBatched");
        visit(gesvdj_batched[3], "cusolverDnZgesvdjBatched");
    }
    template <class Visit> void each_of_newer_versions(Visit&& visit) {
        visit(geev_size, "cusolverDnXgeev_bufferSize");
        visit(geev, "cusolverDnXgeev");
    }
};

struct cufft_api {
    int (*property)(int which, int* value);
    int (*create)(fourier_plan*);
    int (*destroy)(fourier_plan);
    int (*set_stream)(fourier_plan, stream_of_library);
    int (*set_auto_allocation)(fourier_plan, int);
    int (*set_work_area)(fourier_plan, void*);
    int (*make_plan)(fourier_plan, int rank, wide_int* n, wide_int* in_extents, wide_int in_stride,
                     wide_int in_distance, int type_in, wide_int* out_extents, wide_int out_stride,
                     wide_int out_distance, int type_out, wide_int batch, size_type* work_bytes, int compute);
    int (*execute)(fourier_plan, void* in, void* out, int direction);

    template <class Visit> void each(Visit&& visit) {
        visit(property, "cufftGetProperty");
        visit(create, "cufftCreate");
        visit(destroy, "cufftDestroy");
        visit(set_stream, "cufftSetStream");
        visit(set_auto_allocation, "cufftSetAutoAllocation");
        visit(set_work_area, "cufftSetWorkArea");
        visit(make_plan, "cufftXtMakePlanMany");
        visit(execute, "cufftXtExec");
    }
};

struct cusparse_api {
    int (*property)(int which, int* value);
    int (*create)(sparse_handle*);
    int (*destroy)(sparse_handle);
    int (*set_stream)(sparse_handle, stream_of_library);
    int (*create_rows)(sparse_matrix*, std::int64_t rows, std::int64_t columns, std::int64_t elements, void* starts,
                       void* indices, void* values, int type_of_starts, int type_of_indices, int base, int type);
    int (*destroy_sparse)(sparse_matrix);
    int (*create_dense)(dense_matrix*, std::int64_t rows, std::int64_t columns, std::int64_t leading, void* values,
                        int type, int order);
    int (*destroy_dense)(dense_matrix);
    int (*product_size)(sparse_handle, int op_a, int op_b, void const* alpha, sparse_matrix a, dense_matrix b,
                        void const* beta, dense_matrix c, int compute, int algorithm, size_type* bytes);
    int (*product)(sparse_handle, int op_a, int op_b, void const* alpha, sparse_matrix a, dense_matrix b,
                   void const* beta, dense_matrix c, int compute, int algorithm, void* work);

    template <class Visit> void each(Visit&& visit) {
        visit(property, "cusparseGetProperty");
        visit(create, "cusparseCreate");
        visit(destroy, "cusparseDestroy");
        visit(set_stream, "cusparseSetStream");
        visit(create_rows, "cusparseCreateCsr");
        visit(destroy_sparse, "cusparseDestroySpMat");
        visit(create_dense, "cusparseCreateDnMat");
        visit(destroy_dense, "cusparseDestroyDnMat");
        visit(product_size, "cusparseSpMM_bufferSize");
        visit(product, "cusparseSpMM");
    }
};

}  // namespace bascule::cuda::libraries

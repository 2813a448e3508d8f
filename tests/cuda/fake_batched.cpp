// The batched functions of cuBLAS and cuSOLVER for machines without a GPU: one matrix after the other, by LAPACK.
// Arrays of addresses are the device's, so the matrices are known, and checked, when the work runs.
#include "fake_libraries.hpp"

#include <algorithm>

namespace bascule::fake {
namespace {

constexpr int not_initialized = 1, blas_invalid = 7, blas_failed = 13, solver_invalid = 3, solver_failed = 6;
using size = std::size_t;

library_handle const& handle_of(void* h) { return *static_cast<library_handle*>(h); }

checked begin(char const* name, void* h, int batch) {
    checked c(name);
    c.that(handle_of(h).usable(), "a handle of another thread or device").that(batch >= 0, "a negative count");
    return c;
}
void* behind(int type, void* p, std::int64_t i, std::int64_t elements) {
    return p ? static_cast<char*>(p) + static_cast<size>(i * elements) * size_of_type(type) : nullptr;
}
int answer(int code, int failed) { return code ? failed : 0; }

int getrf_batched(char const* name, int type, void* h, int n, void* const* a, int lda, int* pivots, int* info,
                  int batch) {
    checked c = begin(name, h, batch);
    auto const all = static_cast<size>(batch);
    c.that(n >= 0 && lda >= std::max(n, 1), "lda is too small")
        .bytes("addresses", a, 8 * all, 8)
        .bytes("pivots", pivots, 4 * all * static_cast<size>(n), 4)
        .bytes("info", info, 4 * all, 4);
    if (!c.good()) return blas_invalid;
    return answer(submit_as(name, handle_of(h).stream,
                            [=] {
                                std::vector<std::int64_t> found(static_cast<size>(n));
                                for (int i = 0; i < batch; ++i) {
                                    info[i] = getrf(type, n, n, a[i], lda, found.data());
                                    for (int k = 0; k < n; ++k)
                                        pivots[i * n + k] = static_cast<int>(found[static_cast<size>(k)]);
                                }
                            }),
                  blas_failed);
}
int getrs_batched(char const* name, int type, void* h, int op, int n, int columns, void const* const* a, int lda,
                  int const* pivots, void* const* b, int ldb, int* info, int batch) {
    checked c = begin(name, h, batch);
    auto const all = static_cast<size>(batch);
    c.that(op >= 0 && op <= 2, "no such operation")
        .that(n >= 0 && lda >= std::max(n, 1) && ldb >= std::max(n, 1), "a leading dimension is too small")
        .that(info && !lies_in_context(info, 4), "info is the host's")
        .bytes("addresses of a", a, 8 * all, 8)
        .bytes("addresses of b", b, 8 * all, 8)
        .bytes("pivots", pivots, 4 * all * static_cast<size>(n), 4);
    if (!c.good()) return blas_invalid;
    *info = 0;
    return answer(submit_as(name, handle_of(h).stream,
                            [=] {
                                for (int i = 0; i < batch; ++i) {
                                    std::vector<std::int64_t> const given(pivots + i * n, pivots + (i + 1) * n);
                                    getrs(type, "NTC"[op], n, columns, a[i], lda, given.data(), b[i], ldb);
                                }
                            }),
                  blas_failed);
}
int potrf_batched(char const* name, int type, void* h, int triangle, int n, void** a, int lda, int* info, int batch) {
    checked c = begin(name, h, batch);
    auto const all = static_cast<size>(batch);
    c.that(triangle == 0 || triangle == 1, "no such triangle")
        .that(n >= 0 && lda >= std::max(n, 1), "lda is too small")
        .bytes("addresses", a, 8 * all, 8)
        .bytes("info", info, 4 * all, 4);
    if (!c.good()) return solver_invalid;
    return answer(submit_as(name, handle_of(h).stream,
                            [=] {
                                for (int i = 0; i < batch; ++i)
                                    info[i] = potrf(type, triangle ? 'U' : 'L', n, a[i], lda);
                            }),
                  solver_failed);
}

struct rotations {
    std::uint64_t mark = library_handle::alive;
};
int make_rotations(char const* name, void** out) {
    if (enter_call(name)) return not_initialized;
    *out = new rotations;
    return 0;
}
int length_of(int n, int batch) { return n * batch + 5; }

checked syevj_arguments(char const* name, int type, void* h, int job, int triangle, int n, void const* a, int lda,
                        void const* w, void* given, int batch) {
    checked c = begin(name, h, batch);
    c.that(given && static_cast<rotations*>(given)->mark == library_handle::alive, "parameters are none")
        .that((job == 0 || job == 1) && (triangle == 0 || triangle == 1), "no such job or triangle")
        .that(n >= 0 && n <= 32, "more than 32 rows")
        .matrix("a", type, a, n, n, lda, static_cast<std::int64_t>(lda) * n, batch)
        .vector("w", real_type_of(type), w, static_cast<std::int64_t>(n) * batch);
    return c;
}
int syevj_size(char const* name, int type, void* h, int job, int triangle, int n, void const* a, int lda, void const* w,
               int* length, void* given, int batch) {
    if (enter_call(name)) return not_initialized;
    *length = length_of(n, batch);
    return syevj_arguments(name, type, h, job, triangle, n, a, lda, w, given, batch).good() ? 0 : solver_invalid;
}
int syevj(char const* name, int type, void* h, int job, int triangle, int n, void* a, int lda, void* w, void* work,
          int length, int* info, void* given, int batch) {
    checked c = syevj_arguments(name, type, h, job, triangle, n, a, lda, w, given, batch);
    size const bytes = static_cast<size>(length) * size_of_type(type);
    c.that(length >= length_of(n, batch), "the work space is smaller than asked for")
        .bytes("the work space", work, bytes, 8)
        .bytes("info", info, 4 * static_cast<size>(batch), 4);
    if (!c.good()) return solver_invalid;
    return answer(submit_as(name, handle_of(h).stream,
                            [=] {
                                use(work, bytes);
                                for (int i = 0; i < batch; ++i)
                                    info[i] = syevd(type, job ? 'V' : 'N', triangle ? 'U' : 'L', n,
                                                    behind(type, a, i, static_cast<std::int64_t>(lda) * n), lda,
                                                    behind(real_type_of(type), w, i, n));
                            }),
                  solver_failed);
}

struct singular_stack {
    int type, job, m, n;
    void* a;
    int lda;
    void *s, *u;
    int ldu;
    void* v;
    int ldv, batch;
};
checked gesvdj_arguments(char const* name, void* h, singular_stack const& x, void* given) {
    checked c = begin(name, h, x.batch);
    std::int64_t const m = x.m, n = x.n, r = std::min(m, n);
    c.that(given && static_cast<rotations*>(given)->mark == library_handle::alive, "parameters are none")
        .that(x.job == 0 || x.job == 1, "no such job")
        .that(m >= 0 && m <= 32 && n >= 0 && n <= 32, "more than 32 rows or columns")
        .that(m >= n, "fewer rows than columns are not emulated")
        .that(x.ldu >= m && x.ldv >= n, "a leading dimension is too small")
        .matrix("a", x.type, x.a, m, n, x.lda, x.lda * n, x.batch)
        .vector("s", real_type_of(x.type), x.s, r * x.batch);
    if (x.job)
        c.matrix("u", x.type, x.u, m, m, x.ldu, x.ldu * m, x.batch)
            .matrix("v", x.type, x.v, n, n, x.ldv, x.ldv * n, x.batch);
    return c;
}
int gesvdj_size(char const* name, void* h, singular_stack const& x, int* length, void* given) {
    if (enter_call(name)) return not_initialized;
    *length = length_of(x.m + x.n, x.batch);
    return gesvdj_arguments(name, h, x, given).good() ? 0 : solver_invalid;
}
int gesvdj(char const* name, void* h, singular_stack const& x, void* work, int length, int* info, void* given) {
    checked c = gesvdj_arguments(name, h, x, given);
    size const bytes = static_cast<size>(length) * size_of_type(x.type);
    c.that(length >= length_of(x.m + x.n, x.batch), "the work space is smaller than asked for")
        .bytes("the work space", work, bytes, 8)
        .bytes("info", info, 4 * static_cast<size>(x.batch), 4);
    if (!c.good()) return solver_invalid;
    return answer(submit_as(name, handle_of(h).stream,
                            [=] {
                                use(work, bytes);
                                for (std::int64_t i = 0; i < x.batch; ++i) {
                                    auto* const v = behind(x.type, x.v, i, static_cast<std::int64_t>(x.ldv) * x.n);
                                    info[i] = gesvd({x.type, x.job ? 'A' : 'N', x.m, x.n,
                                                     behind(x.type, x.a, i, static_cast<std::int64_t>(x.lda) * x.n),
                                                     x.lda, behind(real_type_of(x.type), x.s, i, x.n),
                                                     behind(x.type, x.u, i, static_cast<std::int64_t>(x.ldu) * x.m),
                                                     x.ldu, v, x.ldv});
                                    if (!x.job) continue;
                                    auto const vt =
                                        gather(x.type, v, x.n, x.n, x.ldv);  // V, and not its conjugate transpose
                                    std::vector<number> turned(vt.size());
                                    for (int row = 0; row < x.n; ++row)
                                        for (int column = 0; column < x.n; ++column)
                                            turned[static_cast<size>(column + row * x.n)] =
                                                std::conj(vt[static_cast<size>(row + column * x.n)]);
                                    scatter(x.type, v, x.n, x.n, x.ldv, turned);
                                }
                            }),
                  solver_failed);
}

}  // namespace
}  // namespace bascule::fake

using namespace bascule::fake;

#define BATCHED(LETTER, TYPE, EIGEN)                                                                                   \
    EXPORTED int cublas##LETTER##getrfBatched(void* h, int n, void* const* a, int lda, int* pivots, int* info,         \
                                              int batch) {                                                             \
        return getrf_batched("cublas" #LETTER "getrfBatched", TYPE, h, n, a, lda, pivots, info, batch);                \
    }                                                                                                                  \
    EXPORTED int cublas##LETTER##getrsBatched(void* h, int op, int n, int columns, void const* const* a, int lda,      \
                                              int const* pivots, void* const* b, int ldb, int* info, int batch) {      \
        return getrs_batched("cublas" #LETTER "getrsBatched", TYPE, h, op, n, columns, a, lda, pivots, b, ldb, info,   \
                             batch);                                                                                   \
    }                                                                                                                  \
    EXPORTED int cusolverDn##LETTER##potrfBatched(void* h, int triangle, int n, void** a, int lda, int* info,          \
                                                  int batch) {                                                         \
        return potrf_batched("cusolverDn" #LETTER "potrfBatched", TYPE, h, triangle, n, a, lda, info, batch);          \
    }                                                                                                                  \
    EXPORTED int cusolverDn##LETTER##EIGEN##Batched_bufferSize(void* h, int job, int triangle, int n, void const* a,   \
                                                               int lda, void const* w, int* length, void* given,       \
                                                               int batch) {                                            \
        return syevj_size("cusolverDn" #LETTER #EIGEN "Batched_bufferSize", TYPE, h, job, triangle, n, a, lda, w,      \
                          length, given, batch);                                                                       \
    }                                                                                                                  \
    EXPORTED int cusolverDn##LETTER##EIGEN##Batched(void* h, int job, int triangle, int n, void* a, int lda, void* w,  \
                                                    void* work, int length, int* info, void* given, int batch) {       \
        return syevj("cusolverDn" #LETTER #EIGEN "Batched", TYPE, h, job, triangle, n, a, lda, w, work, length, info,  \
                     given, batch);                                                                                    \
    }                                                                                                                  \
    EXPORTED int cusolverDn##LETTER##gesvdjBatched_bufferSize(void* h, int job, int m, int n, void const* a, int lda,  \
                                                              void const* s, void const* u, int ldu, void const* v,    \
                                                              int ldv, int* length, void* given, int batch) {          \
        singular_stack const x{TYPE,                                                                                   \
                               job,                                                                                    \
                               m,                                                                                      \
                               n,                                                                                      \
                               const_cast<void*>(a),                                                                   \
                               lda,                                                                                    \
                               const_cast<void*>(s),                                                                   \
                               const_cast<void*>(u),                                                                   \
                               ldu,                                                                                    \
                               const_cast<void*>(v),                                                                   \
                               ldv,                                                                                    \
                               batch};                                                                                 \
        return gesvdj_size("cusolverDn" #LETTER "gesvdjBatched_bufferSize", h, x, length, given);                      \
    }                                                                                                                  \
    EXPORTED int cusolverDn##LETTER##gesvdjBatched(void* h, int job, int m, int n, void* a, int lda, void* s, void* u, \
                                                   int ldu, void* v, int ldv, void* work, int length, int* info,       \
                                                   void* given, int batch) {                                           \
        return gesvdj("cusolverDn" #LETTER "gesvdjBatched", h, {TYPE, job, m, n, a, lda, s, u, ldu, v, ldv, batch},    \
                      work, length, info, given);                                                                      \
    }
BATCHED(S, real_32, syevj)
BATCHED(D, real_64, syevj)
BATCHED(C, complex_32, heevj)
BATCHED(Z, complex_64, heevj)

EXPORTED int cusolverDnCreateSyevjInfo(void** out) { return make_rotations("cusolverDnCreateSyevjInfo", out); }
EXPORTED int cusolverDnCreateGesvdjInfo(void** out) { return make_rotations("cusolverDnCreateGesvdjInfo", out); }

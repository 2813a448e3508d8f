// cuSOLVER for machines without a GPU: LAPACK on copies of the matrices, in complex double precision; of real matrices
// that is real, but for eigenvalues, which have their own.
#include "fake_libraries.hpp"

#include <algorithm>
#include <cstring>

namespace bascule::fake {
namespace {

constexpr int not_initialized = 1, invalid_value = 3, execution_failed = 6;
using size = std::size_t;

struct parameters {
    std::uint64_t mark = library_handle::alive;
};
// The workspace of the functions: a small size that depends on the extents on the device, on the host for some.
size on_device_bytes(int type, std::int64_t n) { return (static_cast<size>(n) + 7) * size_of_type(type); }
constexpr size host_bytes = 40;

struct call {
    char const* name;
    library_handle const& h;
    checked check;
    int* info = nullptr;

    call(char const* function, void* handle, void* given, int type, int compute)
        : name(function), h(*static_cast<library_handle*>(handle)), check(function) {
        check.that(h.usable(), "a handle of another thread or device")
            .that(!given || static_cast<parameters*>(given)->mark == library_handle::alive, "parameters are none")
            .that(type == compute && size_of_type(type) > 2, "a type that it does not compute in");
    }
    call& work(void* p, size bytes, size needed, void* host = nullptr, size host_given = 0, size host_needed = 0) {
        check.that(bytes >= needed, "the work space is smaller than asked for").bytes("the work space", p, bytes, 8);
        check.that(host_given >= host_needed && (!host_needed || host), "too little work space on the host");
        return *this;
    }
    call& reports(int* p) {
        info = p;
        check.bytes("info", p, 4, 4);
        return *this;
    }
    // body() gives LAPACK's info.
    int run(void* p, size bytes, std::function<int()> body, void* host = nullptr, size host_n = 0) {
        if (!check.good()) return invalid_value;
        return submit_as(name, h.stream,
                         [=, out = info] {
                             use(p, bytes);
                             if (host) std::memset(host, 0x5a, host_n);
                             *out = body();
                         })
                   ? execution_failed
                   : 0;
    }
};

int as_int(std::int64_t n) { return static_cast<int>(n); }
int size_of(size* on_device, size* on_host, int type, std::int64_t n, bool host) {
    *on_device = on_device_bytes(type, n), *on_host = host ? host_bytes : 0;
    return 0;
}
int asked(char const* name, void* handle, checked c, std::function<int()> found) {
    if (enter_call(name)) return not_initialized;
    c.that(static_cast<library_handle*>(handle)->usable(), "a handle of another thread or device");
    return c.good() ? found() : invalid_value;
}

using count = int const*;
using length = std::size_t;
using Z = number;

}  // namespace

int potrf(int type, char triangle, int n, void* p, std::int64_t leading) {
    auto a = gather(type, p, n, n, leading);
    int info = 0;
    lapack<void(char const*, count, Z*, count, int*, length)>("zpotrf_")(&triangle, &n, a.data(), &n, &info, 1);
    scatter(type, p, n, n, leading, a);
    return info;
}
int getrf(int type, int m, int n, void* p, std::int64_t leading, std::int64_t* pivots) {
    auto a = gather(type, p, m, n, leading);
    std::vector<int> found(static_cast<size>(std::min(m, n)));
    int info = 0;
    if (is_complex_type(type)) {
        lapack<void(count, count, Z*, count, int*, int*)>("zgetrf_")(&m, &n, a.data(), &m, found.data(), &info);
    } else {  // infinities are others among complex numbers
        std::vector<double> reals;
        for (Z const& v : a) reals.push_back(v.real());
        lapack<void(count, count, double*, count, int*, int*)>("dgetrf_")(&m, &n, reals.data(), &m, found.data(),
                                                                          &info);
        std::copy(reals.begin(), reals.end(), a.begin());
    }
    scatter(type, p, m, n, leading, a);
    std::copy(found.begin(), found.end(), pivots);
    return info;
}
int getrs(int type, char op, int n, int columns, void const* p, std::int64_t leading, std::int64_t const* pivots,
          void* q, std::int64_t leading_b) {
    auto a = gather(type, p, n, n, leading), b = gather(type, q, n, columns, leading_b);
    std::vector<int> const given(pivots, pivots + n);
    int info = 0;
    lapack<void(char const*, count, count, Z const*, count, int const*, Z*, count, int*, length)>("zgetrs_")(
        &op, &n, &columns, a.data(), &n, given.data(), b.data(), &n, &info, 1);
    scatter(type, q, n, columns, leading_b, b);
    return info;
}
int geqrf(int type, int m, int n, void* p, std::int64_t leading, void* tau) {
    auto a = gather(type, p, m, n, leading);
    std::vector<Z> scales(static_cast<size>(std::min(m, n))), work(static_cast<size>(64 * n + 64));
    int info = 0, const_length = as_int(static_cast<std::int64_t>(work.size()));
    lapack<void(count, count, Z*, count, Z*, Z*, count, int*)>("zgeqrf_")(&m, &n, a.data(), &m, scales.data(),
                                                                          work.data(), &const_length, &info);
    scatter(type, p, m, n, leading, a);
    scatter(type, tau, as_int(static_cast<std::int64_t>(scales.size())), 1,
            as_int(static_cast<std::int64_t>(scales.size())), scales);
    return info;
}
int orgqr(int type, int m, int n, int k, void* p, int leading, void const* tau) {
    auto a = gather(type, p, m, n, leading);
    auto const scales = gather(type, tau, k, 1, k);
    std::vector<Z> work(static_cast<size>(64 * n + 64));
    int info = 0, work_length = as_int(static_cast<std::int64_t>(work.size()));
    lapack<void(count, count, count, Z*, count, Z const*, Z*, count, int*)>("zungqr_")(
        &m, &n, &k, a.data(), &m, scales.data(), work.data(), &work_length, &info);
    scatter(type, p, m, n, leading, a);
    return info;
}
int syevd(int type, char job, char triangle, int n, void* p, std::int64_t leading, void* w) {
    auto a = gather(type, p, n, n, leading);
    for (int k = 0; k < n; ++k) a[static_cast<size>(k) * static_cast<size>(n + 1)].imag(0);
    std::vector<double> values(static_cast<size>(n)), reals(static_cast<size>(1 + 5 * n + 2 * n * n));
    std::vector<Z> work(static_cast<size>(2 * n + n * n + 1));
    std::vector<int> whole(static_cast<size>(3 + 5 * n));
    int info = 0, lw = as_int(static_cast<std::int64_t>(work.size())),
        lr = as_int(static_cast<std::int64_t>(reals.size())), li = as_int(static_cast<std::int64_t>(whole.size()));
    lapack<void(char const*, char const*, count, Z*, count, double*, Z*, count, double*, count, int*, count, int*,
                length, length)>("zheevd_")(&job, &triangle, &n, a.data(), &n, values.data(), work.data(), &lw,
                                            reals.data(), &lr, whole.data(), &li, &info, 1, 1);
    scatter(type, p, n, n, leading, a);
    for (int k = 0; k < n; ++k) store(real_type_of(type), w, k, values[static_cast<size>(k)]);
    return info;
}
int gesvd(singular_call const& c) {
    auto a = gather(c.type, c.a, c.m, c.n, c.lda);
    for (Z const& v : a)
        if (v != v) {  // LAPACK's may not end
            for (int k = 0; k < c.n; ++k) store(real_type_of(c.type), c.s, k, v);
            return 0;
        }
    int const left = c.job == 'A' ? c.m : c.job == 'S' ? c.n : 0, right = c.job == 'N' ? 0 : c.n;
    std::vector<Z> u(static_cast<size>(c.m) * static_cast<size>(left) + 1),
        vt(static_cast<size>(right) * static_cast<size>(c.n) + 1),
        work(static_cast<size>(c.n) * static_cast<size>(c.n + 64) * 2 + static_cast<size>(64 * c.m + 64));
    std::vector<double> values(static_cast<size>(c.n)),
        reals(static_cast<size>(c.n) * static_cast<size>(5 * c.n + 2 * c.m + 10) + 1);
    std::vector<int> whole(static_cast<size>(8 * c.n));
    int info = 0, lw = as_int(static_cast<std::int64_t>(work.size()));
    lapack<void(char const*, count, count, Z*, count, double*, Z*, count, Z*, count, Z*, count, double*, int*, int*,
                length)>("zgesdd_")(&c.job, &c.m, &c.n, a.data(), &c.m, values.data(), u.data(), &c.m, vt.data(), &c.n,
                                    work.data(), &lw, reals.data(), whole.data(), &info, 1);
    scatter(c.type, c.u, c.m, left, c.ldu, u);
    scatter(c.type, c.vt, right, c.n, c.ldvt, vt);
    for (int k = 0; k < c.n; ++k) store(real_type_of(c.type), c.s, k, values[static_cast<size>(k)]);
    std::fill(a.begin(), a.end(), Z(NAN, NAN));
    scatter(c.type, c.a, c.m, c.n, c.lda, a);  // it is lost
    return info;
}
int geev(int type, char job, int n, void* p, std::int64_t leading, void* w, void* v, std::int64_t leading_v) {
    auto a = gather(type, p, n, n, leading);
    auto const all = static_cast<size>(n) * static_cast<size>(n);
    int const answer = type == real_32 ? complex_32 : type == real_64 ? complex_64 : type;
    int info = 0, one = 1, lw = 64 * n + 64;
    std::vector<Z> values(static_cast<size>(n)), vectors(all + 1);
    if (is_complex_type(type)) {
        std::vector<Z> work(static_cast<size>(lw));
        std::vector<double> reals(static_cast<size>(2 * n));
        lapack<void(char const*, char const*, count, Z*, count, Z*, Z*, count, Z*, count, Z*, count, double*, int*,
                    length, length)>("zgeev_")("N", &job, &n, a.data(), &n, values.data(), nullptr, &one,
                                               vectors.data(), &n, work.data(), &lw, reals.data(), &info, 1, 1);
    } else {
        std::vector<double> given, re(static_cast<size>(n)), im(static_cast<size>(n)), right(all + 1),
            work(static_cast<size>(lw));
        for (Z const& x : a) given.push_back(x.real());
        lapack<void(char const*, char const*, count, double*, count, double*, double*, double*, count, double*, count,
                    double*, count, int*, length, length)>("dgeev_")("N", &job, &n, given.data(), &n, re.data(),
                                                                     im.data(), nullptr, &one, right.data(), &n,
                                                                     work.data(), &lw, &info, 1, 1);
        for (size k = 0; k < values.size(); ++k) values[k] = {re[k], im[k]};
        for (size k = 0; k < all; ++k) vectors[k] = right[k];
    }
    if (job == 'V') scatter(type, v, n, n, leading_v, vectors);
    for (int k = 0; k < n; ++k) store(answer, w, k, values[static_cast<size>(k)]);
    return info;
}

}  // namespace bascule::fake

using namespace bascule::fake;
using wide = std::int64_t;

EXPORTED int cusolverGetProperty(int which, int* value) {
    *value = which == 0 ? 12 + versions_ahead() : 0;
    return enter_call("cusolverGetProperty") ? not_initialized : 0;
}
EXPORTED int cusolverDnCreate(void** out) {
    if (enter_call("cusolverDnCreate") || !current_context() || is_capturing()) return not_initialized;
    *out = new library_handle;
    return 0;
}
EXPORTED int cusolverDnDestroy(void* handle) {
    delete static_cast<library_handle*>(handle);
    return enter_call("cusolverDnDestroy") ? not_initialized : 0;
}
EXPORTED int cusolverDnSetStream(void* handle, void* stream) {
    if (enter_call("cusolverDnSetStream")) return not_initialized;
    return static_cast<library_handle*>(handle)->set_stream(stream) ? invalid_value : 0;
}
EXPORTED int cusolverDnCreateParams(void** out) {
    if (enter_call("cusolverDnCreateParams")) return not_initialized;
    *out = new parameters;
    return 0;
}
EXPORTED int cusolverDnDestroyParams(void* p) {
    delete static_cast<parameters*>(p);
    return enter_call("cusolverDnDestroyParams") ? not_initialized : 0;
}

EXPORTED int cusolverDnXpotrf_bufferSize(void* h, void*, int, wide n, int type, void const* a, wide lda, int, size* d,
                                         size* on_host) {
    constexpr auto name = "cusolverDnXpotrf_bufferSize";
    return asked(name, h, checked(name).matrix("a", type, a, n, n, lda),
                 [&] { return size_of(d, on_host, type, n, false); });
}
EXPORTED int cusolverDnXpotrf(void* h, void* given, int triangle, wide n, int type, void* a, wide lda, int compute,
                              void* w, size bytes, void*, size, int* info) {
    call c("cusolverDnXpotrf", h, given, type, compute);
    c.work(w, bytes, on_device_bytes(type, n))
        .reports(info)
        .check.that(triangle == 0 || triangle == 1, "no such triangle")
        .matrix("a", type, a, n, n, lda);
    return c.run(w, bytes, [=] { return potrf(type, triangle ? 'U' : 'L', as_int(n), a, lda); });
}
EXPORTED int cusolverDnXgetrf_bufferSize(void* h, void*, wide m, wide n, int type, void const* a, wide lda, int,
                                         size* d, size* on_host) {
    constexpr auto name = "cusolverDnXgetrf_bufferSize";
    return asked(name, h, checked(name).matrix("a", type, a, m, n, lda),
                 [&] { return size_of(d, on_host, type, n, false); });
}
EXPORTED int cusolverDnXgetrf(void* h, void* given, wide m, wide n, int type, void* a, wide lda, wide* pivots,
                              int compute, void* w, size bytes, void*, size, int* info) {
    call c("cusolverDnXgetrf", h, given, type, compute);
    c.work(w, bytes, on_device_bytes(type, n))
        .reports(info)
        .check.matrix("a", type, a, m, n, lda)
        .bytes("pivots", pivots, 8 * static_cast<size>(std::min(m, n)), 8);
    return c.run(w, bytes, [=] { return getrf(type, as_int(m), as_int(n), a, lda, pivots); });
}
EXPORTED int cusolverDnXgetrs(void* h, void* given, int op, wide n, wide columns, int type, void const* a, wide lda,
                              wide const* pivots, int type_b, void* b, wide ldb, int* info) {
    call c("cusolverDnXgetrs", h, given, type, type_b);
    c.reports(info)
        .check.that(op >= 0 && op <= 2, "no such operation")
        .matrix("a", type, a, n, n, lda)
        .matrix("b", type, b, n, columns, ldb)
        .bytes("pivots", pivots, 8 * static_cast<size>(n), 8);
    return c.run(nullptr, 0,
                 [=] { return getrs(type, "NTC"[op], as_int(n), as_int(columns), a, lda, pivots, b, ldb); });
}
EXPORTED int cusolverDnXgeqrf_bufferSize(void* h, void*, wide m, wide n, int type, void const* a, wide lda,
                                         int type_tau, void const* tau, int, size* d, size* on_host) {
    constexpr auto name = "cusolverDnXgeqrf_bufferSize";
    return asked(name, h, checked(name).matrix("a", type, a, m, n, lda).vector("tau", type_tau, tau, std::min(m, n)),
                 [&] { return size_of(d, on_host, type, n, false); });
}
EXPORTED int cusolverDnXgeqrf(void* h, void* given, wide m, wide n, int type, void* a, wide lda, int type_tau,
                              void* tau, int compute, void* w, size bytes, void*, size, int* info) {
    call c("cusolverDnXgeqrf", h, given, type, compute);
    c.work(w, bytes, on_device_bytes(type, n))
        .reports(info)
        .check.that(type == type_tau, "types differ")
        .matrix("a", type, a, m, n, lda)
        .vector("tau", type, tau, std::min(m, n));
    return c.run(w, bytes, [=] { return geqrf(type, as_int(m), as_int(n), a, lda, tau); });
}
EXPORTED int cusolverDnXsyevd_bufferSize(void* h, void*, int, int, wide n, int type, void const* a, wide lda,
                                         int type_w, void const* w, int, size* d, size* on_host) {
    constexpr auto name = "cusolverDnXsyevd_bufferSize";
    return asked(name, h, checked(name).matrix("a", type, a, n, n, lda).vector("w", type_w, w, n),
                 [&] { return size_of(d, on_host, type, n, true); });
}
EXPORTED int cusolverDnXsyevd(void* h, void* given, int vectors, int triangle, wide n, int type, void* a, wide lda,
                              int type_w, void* values, int compute, void* w, size bytes, void* host, size host_n,
                              int* info) {
    call c("cusolverDnXsyevd", h, given, type, compute);
    c.work(w, bytes, on_device_bytes(type, n), host, host_n, host_bytes)
        .reports(info)
        .check.that(type_w == real_type_of(type), "values have another type")
        .matrix("a", type, a, n, n, lda)
        .vector("w", type_w, values, n);
    return c.run(
        w, bytes, [=] { return syevd(type, vectors ? 'V' : 'N', triangle ? 'U' : 'L', as_int(n), a, lda, values); },
        host, host_n);
}
EXPORTED int cusolverDnXgesvd_bufferSize(void* h, void*, signed char, signed char, wide m, wide n, int type,
                                         void const* a, wide lda, int type_s, void const* s, int, void const*, wide,
                                         int, void const*, wide, int, size* d, size* on_host) {
    constexpr auto name = "cusolverDnXgesvd_bufferSize";
    return asked(
        name, h,
        checked(name).that(m >= n, "fewer rows than columns").matrix("a", type, a, m, n, lda).vector("s", type_s, s, n),
        [&] { return size_of(d, on_host, type, m + n, false); });
}
EXPORTED int cusolverDnXgesvd(void* h, void* given, signed char job_u, signed char job_vt, wide m, wide n, int type,
                              void* a, wide lda, int type_s, void* s, int type_u, void* u, wide ldu, int type_vt,
                              void* vt, wide ldvt, int compute, void* w, size bytes, void*, size, int* info) {
    call c("cusolverDnXgesvd", h, given, type, compute);
    wide const left = job_u == 'A' ? m : job_u == 'S' ? n : 0, right = job_vt == 'N' ? 0 : n;
    c.work(w, bytes, on_device_bytes(type, m + n))
        .reports(info)
        .check.that(m >= n, "fewer rows than columns")
        .that(job_u == job_vt && (job_u == 'A' || job_u == 'S' || job_u == 'N'), "jobs that are not emulated")
        .that(type_s == real_type_of(type) && type_u == type && type_vt == type, "another type")
        .that(ldvt >= std::max<wide>(right, 1), "ldvt is too small")
        .matrix("a", type, a, m, n, lda)
        .vector("s", type_s, s, n)
        .matrix("u", type, u, m, left, ldu)
        .matrix("vt", type, vt, right, n, std::max(ldvt, right));
    singular_call const one{type, static_cast<char>(job_u), as_int(m), as_int(n), a, lda, s, u, ldu, vt, ldvt};
    return c.run(w, bytes, [=] { return gesvd(one); });
}
EXPORTED int cusolverDnXgeev_bufferSize(void* h, void*, int, int, wide n, int type, void const* a, wide lda, int type_w,
                                        void const* w, int, void const*, wide, int, void const*, wide, int, size* d,
                                        size* on_host) {
    constexpr auto name = "cusolverDnXgeev_bufferSize";
    return asked(name, h, checked(name).matrix("a", type, a, n, n, lda).vector("w", type_w, w, n),
                 [&] { return size_of(d, on_host, type, n, true); });
}
EXPORTED int cusolverDnXgeev(void* h, void* given, int left, int right, wide n, int type, void* a, wide lda, int type_w,
                             void* values, int type_left, void*, wide ldvl, int type_right, void* v, wide ldv,
                             int compute, void* w, size bytes, void* host, size host_n, int* info) {
    call c("cusolverDnXgeev", h, given, type, compute);
    c.work(w, bytes, on_device_bytes(type, n), host, host_n, host_bytes)
        .reports(info)
        .check.that(left == 0, "left vectors are not supported")
        .that(is_complex_type(type_w) && size_of_type(type_w) == (is_complex_type(type) ? 1 : 2) * size_of_type(type),
              "values have another type")
        .that(type_left == type && type_right == type, "vectors have another type")
        .that(ldvl >= 1 && ldv >= std::max<wide>(n, 1), "a leading dimension is too small")
        .matrix("a", type, a, n, n, lda)
        .vector("w", type_w, values, n)
        .matrix("v", type, v, n, right ? n : 0, ldv);
    return c.run(
        w, bytes, [=] { return geev(type, right ? 'V' : 'N', as_int(n), a, lda, values, v, ldv); }, host, host_n);
}

#define FORM_Q(NAME, TYPE)                                                                                             \
    EXPORTED int NAME##_bufferSize(void* h, int m, int n, int k, void const* a, int lda, void const* tau,              \
                                   int* length) {                                                                      \
        *length = n + 3;                                                                                               \
        return asked(#NAME "_bufferSize", h,                                                                           \
                     checked(#NAME "_bufferSize")                                                                      \
                         .that(m >= n && n >= k, "m >= n >= k does not hold")                                          \
                         .matrix("a", TYPE, a, m, n, lda)                                                              \
                         .vector("tau", TYPE, tau, k),                                                                 \
                     [] { return 0; });                                                                                \
    }                                                                                                                  \
    EXPORTED int NAME(void* h, int m, int n, int k, void* a, int lda, void const* tau, void* w, int length,            \
                      int* info) {                                                                                     \
        call c(#NAME, h, nullptr, TYPE, TYPE);                                                                         \
        size const bytes = static_cast<size>(length) * size_of_type(TYPE);                                             \
        c.work(w, bytes, static_cast<size>(n + 3) * size_of_type(TYPE))                                                \
            .reports(info)                                                                                             \
            .check.that(m >= n && n >= k, "m >= n >= k does not hold")                                                 \
            .matrix("a", TYPE, a, m, n, lda)                                                                           \
            .vector("tau", TYPE, tau, k);                                                                              \
        return c.run(w, bytes, [=] { return orgqr(TYPE, m, n, k, a, lda, tau); });                                     \
    }
FORM_Q(cusolverDnSorgqr, real_32)
FORM_Q(cusolverDnDorgqr, real_64)
FORM_Q(cusolverDnCungqr, complex_32)
FORM_Q(cusolverDnZungqr, complex_64)

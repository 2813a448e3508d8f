// cuBLAS for machines without a GPU: products one by one, in double precision.
#include "fake_libraries.hpp"

#include <algorithm>

namespace bascule::fake {
namespace {

constexpr int not_initialized = 1, invalid_value = 7, execution_failed = 13;

struct product {
    int op_a, op_b;
    std::int64_t m, n, k;
    number alpha, beta;
    void const *a, *b;
    void* c;
    int type;
    std::int64_t lda, ldb, ldc;
};

number conjugate_if(bool yes, number v) { return yes ? std::conj(v) : v; }

// The matrix after the operation (rows, columns), row by row.
std::vector<number> operand(product const& p, void const* x, int op, std::int64_t rows, std::int64_t columns,
                            std::int64_t leading) {
    std::vector<number> all;
    all.reserve(static_cast<std::size_t>(rows * columns));
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            all.push_back(conjugate_if(op == 2, load(p.type, x, op == 0 ? i + j * leading : j + i * leading)));
    return all;
}

number times(number a, number b) {  // without the standard's special rules for infinities
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

void multiply(product const& p) {
    bool const is_complex = is_complex_type(p.type);
    std::vector<number> const a = operand(p, p.a, p.op_a, p.m, p.k, p.lda),
                              b = operand(p, p.b, p.op_b, p.k, p.n, p.ldb);
    std::vector<number> row(static_cast<std::size_t>(p.n));
    for (std::int64_t i = 0; i < p.m; ++i) {
        std::fill(row.begin(), row.end(), number{});
        for (std::int64_t l = 0; l < p.k; ++l) {
            number const x = a[static_cast<std::size_t>(i * p.k + l)];
            number const* const y = b.data() + l * p.n;
            for (std::int64_t j = 0; j < p.n; ++j)
                row[static_cast<std::size_t>(j)] += is_complex ? times(x, y[j]) : number(x.real() * y[j].real());
        }
        for (std::int64_t j = 0; j < p.n; ++j) {
            std::int64_t const at = i + j * p.ldc;
            number v = p.alpha.real() * row[static_cast<std::size_t>(j)];
            if (p.beta != number{}) v += p.beta.real() * load(p.type, p.c, at);
            store(p.type, p.c, at, v);
        }
    }
}

}  // namespace
}  // namespace bascule::fake

using namespace bascule::fake;

EXPORTED int cublasGetProperty(int which, int* value) {
    *value = which == 0 ? 13 + versions_ahead() : 0;
    return enter_call("cublasGetProperty") ? not_initialized : 0;
}
EXPORTED int cublasCreate_v2(void** out) {
    if (enter_call("cublasCreate_v2") || !current_context() || is_capturing()) return not_initialized;
    *out = new library_handle;
    return 0;
}
EXPORTED int cublasDestroy_v2(void* handle) {
    delete static_cast<library_handle*>(handle);
    return enter_call("cublasDestroy_v2") ? not_initialized : 0;
}
EXPORTED int cublasSetStream_v2(void* handle, void* stream) {
    if (enter_call("cublasSetStream_v2")) return not_initialized;
    return static_cast<library_handle*>(handle)->set_stream(stream) ? invalid_value : 0;
}
EXPORTED int cublasSetWorkspace_v2(void* handle, void* p, std::size_t bytes) {
    if (enter_call("cublasSetWorkspace_v2")) return not_initialized;
    auto& h = *static_cast<library_handle*>(handle);
    checked c("cublasSetWorkspace");
    c.that(h.usable(), "a handle of another thread or device").bytes("the workspace", p, bytes, 16);
    if (!c.good()) return invalid_value;
    h.workspace = p, h.workspace_bytes = bytes;
    return 0;
}
EXPORTED int cublasGemmStridedBatchedEx_64(void* handle, int op_a, int op_b, std::int64_t m, std::int64_t n,
                                           std::int64_t k, void const* alpha, void const* a, int type_a,
                                           std::int64_t lda, long long stride_a, void const* b, int type_b,
                                           std::int64_t ldb, long long stride_b, void const* beta, void* c, int type_c,
                                           std::int64_t ldc, long long stride_c, std::int64_t count, int compute,
                                           int algorithm) {
    constexpr int compute_32 = 68, compute_64 = 70;
    auto const& h = *static_cast<library_handle*>(handle);
    bool const wide = type_a == real_64 || type_a == complex_64;
    checked check("cublasGemmStridedBatchedEx");
    check.that(h.usable(), "a handle of another thread or device")
        .that(h.workspace != nullptr, "no workspace since the stream was chosen")
        .that(type_a == type_b && type_a == type_c, "types differ")
        .that(compute == (wide ? compute_64 : compute_32) && algorithm == -1, "another type of computing, or algorithm")
        .that(op_a >= 0 && op_a <= 2 && op_b >= 0 && op_b <= 2, "an operation that does not exist")
        .that(m >= 0 && n >= 0 && k >= 0 && count >= 0, "a negative extent")
        .that(count <= 1 || stride_c >= ldc * (n - 1) + m, "results overlap")
        .matrix("a", type_a, a, op_a == 0 ? m : k, op_a == 0 ? k : m, lda, stride_a, count)
        .matrix("b", type_b, b, op_b == 0 ? k : n, op_b == 0 ? n : k, ldb, stride_b, count)
        .matrix("c", type_c, c, m, n, ldc, stride_c, count);
    if (!check.good()) return invalid_value;
    int const scale = wide ? complex_64 : complex_32, real = wide ? real_64 : real_32;
    int const scale_type = is_complex_type(type_a) ? scale : real;
    product p{op_a, op_b,   m,   n,   k,  load(scale_type, alpha, 0), load(scale_type, beta, 0), a, b,
              c,    type_a, lda, ldb, ldc};
    std::int64_t const size = static_cast<std::int64_t>(size_of_type(type_a));
    int const code =
        submit_as("cublasGemmStridedBatchedEx_64", h.stream, [=, w = h.workspace, bytes = h.workspace_bytes] {
            use(w, bytes);
            for (std::int64_t i = 0; i < count; ++i) {
                product one = p;
                one.a = static_cast<char const*>(p.a) + i * stride_a * size;
                one.b = static_cast<char const*>(p.b) + i * stride_b * size;
                one.c = static_cast<char*>(p.c) + i * stride_c * size;
                multiply(one);
            }
        });
    return code ? execution_failed : 0;
}

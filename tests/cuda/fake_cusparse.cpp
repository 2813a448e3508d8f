// cuSPARSE for machines without a GPU: products of compressed rows with dense matrices, row by row.
#include "fake_libraries.hpp"

namespace bascule::fake {
namespace {

constexpr int not_initialized = 1, invalid_value = 3, execution_failed = 6;
constexpr int index_32 = 2, index_64 = 3, row_by_row = 2, same_in_every_run = 12;

struct sparse_rows {
    std::int64_t rows, columns, elements;
    void *starts, *indices, *values;
    int index, type;
};
struct dense_rows {
    std::int64_t rows, columns, leading;
    void* values;
    int type;
};

std::int64_t index_at(int type, void const* p, std::int64_t k) {
    return type == index_64 ? static_cast<std::int64_t const*>(p)[k] : static_cast<std::int32_t const*>(p)[k];
}
std::size_t index_bytes(int type) { return type == index_64 ? 8 : 4; }

void multiply(sparse_rows const& a, dense_rows const& b, dense_rows const& c) {
    for (std::int64_t row = 0; row < a.rows; ++row)
        for (std::int64_t j = 0; j < c.columns; ++j) {
            double sum = 0;
            for (std::int64_t e = index_at(a.index, a.starts, row); e < index_at(a.index, a.starts, row + 1); ++e)
                sum += load(a.type, a.values, e).real() *
                       load(b.type, b.values, index_at(a.index, a.indices, e) * b.leading + j).real();
            store(c.type, c.values, row * c.leading + j, sum);
        }
}

// Both calls have the same arguments but for the last.
bool are_right(char const* function, library_handle const& h, int op_a, int op_b, void const* alpha,
               sparse_rows const& a, dense_rows const& b, void const* beta, dense_rows const& c, int compute,
               int algorithm) {
    auto const of_dense = [](dense_rows const& m) {
        return size_of_type(m.type) * static_cast<std::size_t>(m.rows * m.leading);
    };
    std::size_t const index = index_bytes(a.index), size = size_of_type(a.type);
    checked check(function);
    check.that(h.usable(), "a handle of another thread or device")
        .that(op_a == 0 && op_b == 0, "the algorithm takes matrices as they are")
        .that(a.type == b.type && a.type == c.type && a.type == compute, "types differ")
        .that(algorithm == same_in_every_run, "an algorithm whose sums differ from run to run")
        .that(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns, "shapes do not fit together")
        .that(load(compute, alpha, 0) == number(1) && load(compute, beta, 0) == number(0), "other factors")
        .bytes("starts", a.starts, index * static_cast<std::size_t>(a.rows + 1), index)
        .bytes("indices", a.indices, index * static_cast<std::size_t>(a.elements), index)
        .bytes("values", a.values, size * static_cast<std::size_t>(a.elements), size)
        .bytes("b", b.values, of_dense(b), size)
        .bytes("c", c.values, of_dense(c), size);
    return check.good();
}

std::size_t work_bytes(sparse_rows const& a) { return 16 * static_cast<std::size_t>(a.rows + 1); }

}  // namespace
}  // namespace bascule::fake

using namespace bascule::fake;

EXPORTED int cusparseGetProperty(int which, int* value) {
    *value = which == 0 ? 12 + versions_ahead() : which == 1 ? 6 : 0;
    return enter_call("cusparseGetProperty") ? not_initialized : 0;
}
EXPORTED int cusparseCreate(void** out) {
    if (enter_call("cusparseCreate") || !current_context() || is_capturing()) return not_initialized;
    *out = new library_handle;
    return 0;
}
EXPORTED int cusparseDestroy(void* handle) {
    delete static_cast<library_handle*>(handle);
    return enter_call("cusparseDestroy") ? not_initialized : 0;
}
EXPORTED int cusparseSetStream(void* handle, void* stream) {
    if (enter_call("cusparseSetStream")) return not_initialized;
    return static_cast<library_handle*>(handle)->set_stream(stream) ? invalid_value : 0;
}
EXPORTED int cusparseCreateCsr(void** out, std::int64_t rows, std::int64_t columns, std::int64_t elements, void* starts,
                               void* indices, void* values, int type_of_starts, int type_of_indices, int base,
                               int type) {
    if (enter_call("cusparseCreateCsr")) return not_initialized;
    checked check("cusparseCreateCsr");
    check
        .that(type_of_starts == type_of_indices && (type_of_starts == index_32 || type_of_starts == index_64),
              "a type of indices that does not exist")
        .that(base == 0 && rows >= 0 && columns >= 0 && elements >= 0, "another base, or a negative extent");
    if (!check.good()) return invalid_value;
    *out = new sparse_rows{rows, columns, elements, starts, indices, values, type_of_indices, type};
    return 0;
}
EXPORTED int cusparseDestroySpMat(void* matrix) {
    delete static_cast<sparse_rows*>(matrix);
    return enter_call("cusparseDestroySpMat") ? not_initialized : 0;
}
EXPORTED int cusparseCreateDnMat(void** out, std::int64_t rows, std::int64_t columns, std::int64_t leading,
                                 void* values, int type, int order) {
    if (enter_call("cusparseCreateDnMat")) return not_initialized;
    checked check("cusparseCreateDnMat");
    check.that(order == row_by_row && rows >= 0 && columns >= 0 && leading >= columns,
               "another order, or extents that do not fit");
    if (!check.good()) return invalid_value;
    *out = new dense_rows{rows, columns, leading, values, type};
    return 0;
}
EXPORTED int cusparseDestroyDnMat(void* matrix) {
    delete static_cast<dense_rows*>(matrix);
    return enter_call("cusparseDestroyDnMat") ? not_initialized : 0;
}
EXPORTED int cusparseSpMM_bufferSize(void* handle, int op_a, int op_b, void const* alpha, void* a, void* b,
                                     void const* beta, void* c, int compute, int algorithm, std::size_t* bytes) {
    if (enter_call("cusparseSpMM_bufferSize")) return not_initialized;
    auto const& rows = *static_cast<sparse_rows*>(a);
    if (!are_right("cusparseSpMM_bufferSize", *static_cast<library_handle*>(handle), op_a, op_b, alpha, rows,
                   *static_cast<dense_rows*>(b), beta, *static_cast<dense_rows*>(c), compute, algorithm))
        return invalid_value;
    *bytes = work_bytes(rows);
    return 0;
}
EXPORTED int cusparseSpMM(void* handle, int op_a, int op_b, void const* alpha, void* a, void* b, void const* beta,
                          void* c, int compute, int algorithm, void* work) {
    auto const& h = *static_cast<library_handle*>(handle);
    sparse_rows const rows = *static_cast<sparse_rows*>(a);
    dense_rows const factor = *static_cast<dense_rows*>(b), result = *static_cast<dense_rows*>(c);
    bool const good = are_right("cusparseSpMM", h, op_a, op_b, alpha, rows, factor, beta, result, compute, algorithm) &&
                      checked("cusparseSpMM").bytes("the work area", work, work_bytes(rows), 16).good();
    if (!good) return invalid_value;
    int const code = submit_as("cusparseSpMM", h.stream, [=] {
        use(work, work_bytes(rows));
        multiply(rows, factor, result);
    });
    return code ? execution_failed : 0;
}

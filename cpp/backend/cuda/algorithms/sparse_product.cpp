#include "backend/cuda/algorithms/sparse_product.hpp"

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/launch/algorithm_kernel.hpp"
#include "backend/cuda/libraries/handles.hpp"
#include "backend/cuda/libraries/toolkit.hpp"

namespace bascule::cuda {
namespace libraries {
namespace {

handle_store<sparse_handle>& handles() {
    static auto* const all = new handle_store<sparse_handle>;
    return *all;
}

sparse_handle take(device& d, cusparse_api const& api) {
    return handles().take(&d, [&] {
        sparse_handle h = nullptr;
        must(created(d, [&] { return api.create(&h); }), sparse_no_memory, "cusparseCreate");
        return h;
    });
}

// A handle and its stream, for the time of one call.
class sparse_call {
public:
    sparse_call(device& d, stream_handle stream)
        : device_(d), api_(needed(cusparse(), "sparse products")), handle_(take(d, api_)) {
        try {
            must(api_.set_stream(handle_, stream), sparse_no_memory, "cusparseSetStream");
        } catch (...) {
            handles().give_back(&device_, handle_);
            throw;
        }
    }
    ~sparse_call() {
        if (of_rows_) api_.destroy_sparse(of_rows_);
        for (dense_matrix m : {factor_, result_})
            if (m) api_.destroy_dense(m);
        handles().give_back(&device_, handle_);
    }
    sparse_call(sparse_call const&) = delete;
    sparse_call& operator=(sparse_call const&) = delete;

    void multiply(sparse_product_args const& a, stream_handle stream) {
        bool const wide = a.type == type_id::float64;
        int const type = wide ? real_64 : real_32, index = a.index_type == type_id::int32 ? index_32 : index_64;
        compressed_rows const& m = a.matrix;
        must(api_.create_rows(&of_rows_, m.length, m.columns, m.elements, changeable(m.starts), changeable(m.indices),
                              changeable(m.values), index, index, from_nought, type),
             sparse_no_memory, "cusparseCreateCsr");
        describe(factor_, m.columns, a.count, changeable(a.dense), type);
        describe(result_, m.length, a.count, a.result, type);
        double const one = 1, nought = 0;
        float const single_one = 1, single_nought = 0;
        void const* const alpha = wide ? static_cast<void const*>(&one) : &single_one;
        void const* const beta = wide ? static_cast<void const*>(&nought) : &single_nought;
        size_type bytes = 0;
        must(api_.product_size(handle_, as_it_is, as_it_is, alpha, of_rows_, factor_, beta, result_, type,
                               same_in_every_run, &bytes),
             sparse_no_memory, "cusparseSpMM_bufferSize");
        scratch const work(device_, static_cast<std::int64_t>(bytes), stream);
        must(api_.product(handle_, as_it_is, as_it_is, alpha, of_rows_, factor_, beta, result_, type, same_in_every_run,
                          work.get()),
             sparse_no_memory, "cusparseSpMM");
    }

private:
    // Descriptions are not of constants: those came with a later version, and the library does not write.
    static void* changeable(void const* p) { return const_cast<void*>(p); }
    void describe(dense_matrix& to, std::int64_t rows, std::int64_t columns, void* values, int type) {
        must(api_.create_dense(&to, rows, columns, columns, values, type, row_by_row), sparse_no_memory,
             "cusparseCreateDnMat");
    }

    device& device_;
    cusparse_api const& api_;
    sparse_handle handle_;
    sparse_matrix of_rows_ = nullptr;
    dense_matrix factor_ = nullptr, result_ = nullptr;
};

}  // namespace

void make_sparse_handle(device& d) {
    if (cusparse().api) handles().give_back(&d, take(d, *cusparse().api));
}

}  // namespace libraries

namespace {

void by_kernel(device& d, sparse_product_args const& a, stream_handle stream) {
    std::int64_t const shape[] = {a.matrix.length, a.count};
    algorithm_kernel kernel(d, stream, 2, shape);
    kernel.needs("backend/cuda/kernels/sparse.cuh");
    for (void const* p :
         {a.matrix.values, a.matrix.indices, a.matrix.starts, a.dense, const_cast<void const*>(a.result)})
        kernel.pointer(p);
    kernel.add("product", "sparse_product<" + element_text(a.type) + ", " + element_text(a.index_type) + ">");
    kernel.launch("product", kernel.items());
}

}  // namespace

void sparse_product(device& d, sparse_product_args const& a, stream_handle stream) {
    bool const known = (a.type == type_id::float64 || a.type == type_id::float32) &&
                       (a.index_type == type_id::int32 || a.index_type == type_id::int64);
    expects(known, status::not_supported, "sparse_product: expected values of float64 or float32");
    expects(!a.transposed && a.dense, status::not_supported,
            "sparse_product: expected compressed rows and a dense matrix; compress the rows of a transpose first");
    if (a.matrix.length == 0 || a.count == 0) return;
    if (a.matrix.elements > 0 && libraries::cusparse().api) libraries::sparse_call(d, stream).multiply(a, stream);
    else by_kernel(d, a, stream);
}

}  // namespace bascule::cuda

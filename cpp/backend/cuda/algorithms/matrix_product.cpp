#include "backend/cuda/algorithms/matrix_product.hpp"

#include <optional>

#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/launch/algorithm_kernel.hpp"
#include "backend/cuda/libraries/product.hpp"

namespace bascule::cuda {
namespace {

constexpr std::int64_t tile = 64;

void add_operand(algorithm_kernel& kernel, matrix_stack const& a) { kernel.operand(a.data, a.stack); }

}  // namespace

void matrix_product(device& d, matrix_product_args const& a, stream_handle stream) {
    algorithm_kernel kernel(d, stream, a.ndim, a.shape);
    if (kernel.items() == 0 || a.m == 0 || a.n == 0) return;
    kernel.needs("backend/cuda/kernels/product.cuh");
    for (matrix_stack const* m : {&a.a, &a.b, &a.out}) add_operand(kernel, *m);
    for (matrix_stack const* m : {&a.a, &a.b, &a.out}) kernel.word(m->row), kernel.word(m->column);
    kernel.word(a.m), kernel.word(a.k), kernel.word(a.n);
    std::optional<scratch> own;
    void* flags = a.flags_later;
    if (a.fp_flags && !flags) {
        own.emplace(d, 4, stream);
        flags = own->get();
        d.fill(flags, 0, 4, stream);
    }
    kernel.pointer(flags);
    if (a.k > 0 && libraries::multiplies(a.dtype)) {
        libraries::multiply(d, a, stream);
        kernel.add("errors", "product_errors<" + kernel.rank() + ", " + element_text(a.dtype) + ">");
        if (flags) kernel.launch("errors", kernel.items() * a.m * a.n);
    } else {
        char const* const conjugate = a.conjugate_a && is_complex(a.dtype) ? "true" : "false";
        kernel.add("product",
                   "matrix_product<" + kernel.rank() + ", " + element_text(a.dtype) + ", " + conjugate + ">");
        std::int64_t const tiles = (a.m + tile - 1) / tile * ((a.n + tile - 1) / tile) * kernel.items();
        kernel.launch("product", tiles * block_threads);
    }
    if (a.fp_flags && !a.flags_later) *a.fp_flags |= read_back<std::uint32_t>(d, flags, stream);
}

}  // namespace bascule::cuda

#include "backend/cuda/run_scan.hpp"

#include <optional>

#include "backend/cuda/algorithm_kernel.hpp"
#include "backend/cuda/failure.hpp"
#include "backend/cuda/op_catalog.hpp"
#include "bascule/ops/fp_errors.hpp"

namespace bascule::cuda {
namespace {

char const* look_of(scan_args const& a) {
    if (!a.check || !a.fp_flags) return "look::away";
    return a.check & ops::fp::under ? "look::at_underflow" : "look::at_errors";
}

}  // namespace

void run_scan(device& d, scan_args const& a, stream_handle stream) {
    catalog_entry const* op = find_op(a.op);
    bool const runs = op && op->meta->call == ops::form::elementwise && op->meta->nin == 2 &&
                      contains(op->meta->types, a.in.dtype) && op_result(a.op, a.in.dtype) == a.in.dtype &&
                      a.out.dtype == a.in.dtype;
    if (!runs)
        throw failure{status::not_supported,
                      "[cuda] scan: no " + op_text(a.op) + " from " + dtype_text(a.in.dtype) + " to itself"};
    algorithm_kernel kernel(d, stream, a.ndim, a.shape);
    if (kernel.items() == 0) return;
    kernel.needs("backend/cuda/kernels/scan.cuh");
    kernel.needs(op->header);
    kernel.operand(a.in.base, a.in.strides);
    kernel.operand(a.out.base, a.out.strides);
    // Errors are noted in words of the device that the caller gave, which it reads when it waits, or in this call's
    // own.
    std::optional<scratch> own;
    void* words = a.fp_flags;
    if (a.check && words && d.memory_type(words) != memory_type_device) {
        own.emplace(d, 4, stream);
        words = own->get();
        d.fill(words, 0, 4, stream);
    }
    kernel.pointer(words);
    kernel.word(a.check);
    kernel.set_items(kernel.items() / (a.ndim ? a.shape[a.ndim - 1] : 1));
    kernel.add("rows", "scan_rows<" + kernel.rank() + ", " + op->type + ", " + element_text(a.in.dtype) + ", " +
                           look_of(a) + ">");
    kernel.launch("rows", kernel.items());
    if (own) *a.fp_flags |= read_back<std::uint32_t>(d, own->get(), stream);
}

}  // namespace bascule::cuda

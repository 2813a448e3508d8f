#include "backend/cuda/run_scan.hpp"

#include <optional>

#include "backend/cuda/algorithm_kernel.hpp"
#include "backend/cuda/failure.hpp"
#include "backend/cuda/op_catalog.hpp"
#include "bascule/ops/fp_errors.hpp"

namespace bascule::cuda {
namespace {

// Where errors are noted: words of the device that the caller gave, which it reads when it waits, or this call's own.
class noted_errors {
public:
    noted_errors(device& d, scan_args const& a, stream_handle stream) : d_(d), a_(a), stream_(stream) {
        if (!a.check || !a.fp_flags || d.memory_type(a.fp_flags) == memory_type_device) return;
        own_.emplace(d, 4, stream);
        d.fill(own_->get(), 0, 4, stream);
    }
    void* words() const { return own_ ? own_->get() : a_.fp_flags; }
    char const* look() const {
        if (!a_.check || !a_.fp_flags) return "look::away";
        return a_.check & ops::fp::under ? "look::at_underflow" : "look::at_errors";
    }
    void collect() {
        if (own_) *a_.fp_flags |= read_back<std::uint32_t>(d_, own_->get(), stream_);
    }

private:
    device& d_;
    scan_args const& a_;
    stream_handle stream_;
    std::optional<scratch> own_;
};

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
    noted_errors errors(d, a, stream);
    kernel.pointer(errors.words());
    kernel.word(a.check);
    kernel.set_items(kernel.items() / (a.ndim ? a.shape[a.ndim - 1] : 1));
    kernel.add("rows", "scan_rows<" + kernel.rank() + ", " + op->type + ", " + element_text(a.in.dtype) + ", " +
                           errors.look() + ">");
    kernel.launch("rows", kernel.items());
    errors.collect();
}

}  // namespace bascule::cuda

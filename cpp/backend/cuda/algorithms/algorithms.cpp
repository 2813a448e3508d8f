#include "backend/cuda/algorithms/algorithms.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "backend/cuda/algorithms/algorithm_library.hpp"
#include "backend/cuda/algorithms/matrix_product.hpp"
#include "backend/cuda/algorithms/sparse_product.hpp"
#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/engine/run_scan.hpp"
#include "backend/cuda/launch/algorithm_kernel.hpp"
#include "backend/cuda/libraries/factor.hpp"
#include "backend/cuda/libraries/fourier.hpp"
#include "bascule/core/algorithm_table.hpp"

namespace bascule::cuda {
namespace {

std::string unit_text(std::int32_t itemsize) {
    bool const known = itemsize == 1 || itemsize == 2 || itemsize == 4 || itemsize == 8 || itemsize == 16;
    if (!known)
        throw failure{status::not_supported,
                      "[cuda] elements have 1, 2, 4, 8 or 16 bytes, not " + std::to_string(itemsize)};
    return "unit_of<" + std::to_string(itemsize) + ">::type";
}

// ---- gather, scatter
// The item is reported by number; its first illegal index is looked up again from here.
[[noreturn]] void report_bad_index(device& d, gather_args& a, std::int64_t item, stream_handle stream) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(a.ndim));
    for (int i = a.ndim - 1; i >= 0; item /= a.shape[i--]) at[static_cast<std::size_t>(i)] = item % a.shape[i];
    for (int k = 0; k < a.nindex; ++k) {
        auto const* p = static_cast<char const*>(a.index[k].base);
        for (int i = 0; i < a.ndim; ++i) p += at[static_cast<std::size_t>(i)] * a.index[k].strides[i];
        a.bad_value = read_back<std::int64_t>(d, p, stream);
        a.bad_axis = a.index_axis[k];
        a.bad_size = a.index_size[k];
        if (a.bad_value < -a.bad_size || a.bad_value >= a.bad_size) break;
    }
    throw failure{status::index_error, "[cuda] index " + std::to_string(a.bad_value) + " is out of bounds for axis " +
                                           std::to_string(a.bad_axis) + " with size " + std::to_string(a.bad_size)};
}

struct offset_range {
    std::int64_t least = 0, greatest = 0;
    void reach(std::int64_t extent, std::int64_t stride) { (stride < 0 ? least : greatest) += (extent - 1) * stride; }
};
offset_range targets_of(gather_args const& a) {
    offset_range range;
    for (int i = 0; i < a.ndim; ++i) range.reach(a.shape[i], a.base_strides[i]);
    for (int k = 0; k < a.nindex; ++k) range.reach(a.index_size[k], a.index_step[k]);
    return range;
}

void index_kernels(algorithm_kernel& kernel, gather_args const& a) {
    std::string const types = "<" + kernel.rank() + ", " + std::to_string(a.nindex),
                      unit = ", " + unit_text(a.itemsize) + ">";
    kernel.needs("backend/cuda/kernels/indexed.cuh");
    kernel.operand(a.base, a.base_strides);
    kernel.operand(a.other.base, a.other.strides);
    for (int k = 0; k < a.nindex; ++k) kernel.operand(a.index[k].base, a.index[k].strides);
    for (int k = 0; k < a.nindex; ++k) kernel.word(a.index_step[k]), kernel.word(a.index_size[k]);
    kernel.add("check", "check_indices" + types + ">");
    kernel.add("describe", "describe_bad_index" + types + ">");
    kernel.add("move_in", "gather" + types + unit);
    kernel.add("claim", "claim_targets" + types + unit);
    kernel.add("move_out", "scatter" + types + unit);
}

// Where the words of the first bad index are kept: the caller's, or this call's own.
class found_words {
public:
    found_words(device& d, gather_args const& a, stream_handle stream) : callers_(a.found_later) {
        if (!callers_) own_.emplace(d, 8, stream);
    }
    void* get() const { return callers_ ? callers_ : own_->get(); }

private:
    std::int64_t* callers_;
    std::optional<scratch> own_;
};

void add_axes(algorithm_kernel& kernel, gather_args const& a) {
    for (int k = 0; k < a.nindex; ++k) kernel.word(a.index_axis[k]);
}

// Everything is checked before anything is written.
void check_indices(algorithm_kernel& kernel, gather_args& a, void* first_bad) {
    kernel.fill(first_bad, 0xff, 8);
    kernel.launch("check", kernel.items());
    if (a.found_later) return kernel.launch("describe", 1);
    auto const item = read_back<std::int64_t>(kernel.on(), first_bad, kernel.stream());
    if (item >= 0) report_bad_index(kernel.on(), a, item, kernel.stream());
}

void gather(device& d, gather_args& a, stream_handle stream) {
    algorithm_kernel kernel(d, stream, a.ndim, a.shape);
    if (kernel.items() == 0) return;
    index_kernels(kernel, a);
    found_words const first_bad(d, a, stream);
    kernel.pointer(first_bad.get());
    kernel.word(0), kernel.word(0), kernel.word(0);
    add_axes(kernel, a);
    check_indices(kernel, a, first_bad.get());
    kernel.launch("move_in", kernel.items());
}

// A claim for each target, or a table of pairs where the items need less.
struct claim_memory {
    std::int64_t bytes, mask;
};
claim_memory memory_of_claims(std::int64_t targets, std::int64_t items) {
    auto const pairs = static_cast<std::int64_t>(std::bit_ceil(2 * static_cast<std::uint64_t>(items)));
    if (targets / 2 <= pairs) return {8 * targets, 0};
    return {16 * pairs, pairs - 1};
}

void scatter(device& d, gather_args& a, stream_handle stream) {
    algorithm_kernel kernel(d, stream, a.ndim, a.shape);
    if (kernel.items() == 0) return;
    index_kernels(kernel, a);
    offset_range const range = targets_of(a);
    claim_memory const memory =
        memory_of_claims((std::max(range.greatest, range.least) - range.least) / a.itemsize + 1, kernel.items());
    found_words const first_bad(d, a, stream);
    scratch const claims(d, memory.bytes, stream);
    kernel.pointer(first_bad.get());
    kernel.pointer(claims.get());
    kernel.word(range.least);
    kernel.word(memory.mask);
    add_axes(kernel, a);
    check_indices(kernel, a, first_bad.get());
    kernel.fill(claims.get(), 0, memory.bytes);
    kernel.launch("claim", kernel.items());
    kernel.launch("move_out", kernel.items());
}

// ---- nonzero, compress
// Counts the true items, which is waited for, or, where there is somewhere to put them, puts them by kernel "put".
std::int64_t select(algorithm_kernel& kernel, std::int64_t* offsets, void* out, std::int64_t out_stride,
                    std::int64_t count) {
    std::int64_t const chunks = count_of_chunk_offsets(kernel.items()) - 1;
    static_assert(items_of_chunk == 8 * block_threads, "chunk_items of select.cuh");
    kernel.needs("backend/cuda/kernels/select.cuh");
    kernel.pointer(offsets);
    kernel.pointer(out);
    kernel.word(out_stride);
    kernel.add("count", "count_selected<" + kernel.rank() + ">");
    kernel.add("place", "place_chunks<" + kernel.rank() + ">");
    if (out) return kernel.launch("put", chunks * block_threads), count;
    kernel.launch("count", chunks * block_threads);
    kernel.launch("place", 1);
    return read_back<std::int64_t>(kernel.on(), offsets + chunks, kernel.stream());
}

void nonzero(device& d, nonzero_args& a, stream_handle stream) {
    algorithm_kernel kernel(d, stream, a.ndim, a.shape);
    if (kernel.items() == 0) return void(a.count = 0);
    kernel.operand(a.mask.base, a.mask.strides);
    kernel.operand(a.mask.base, a.mask.strides);
    kernel.add("put", "put_coordinates<" + kernel.rank() + ">");
    a.count = select(kernel, a.chunk_offsets, a.out, a.out_stride, a.count);
}

// The axes of mask and data; neighbours over which both go on without a gap are one, so that a kernel divides less.
struct joined_axes {
    std::vector<std::int64_t> shape, mask, data;
    explicit joined_axes(compress_args const& a) {
        for (int i = 0; i < a.ndim; ++i) {
            std::int64_t const n = a.shape[i], of_mask = a.mask.strides[i], of_data = a.data.strides[i];
            if (shape.empty() || mask.back() != n * of_mask || data.back() != n * of_data) {
                shape.push_back(n), mask.push_back(of_mask), data.push_back(of_data);
                continue;
            }
            shape.back() *= n, mask.back() = of_mask, data.back() = of_data;
        }
    }
};

void compress(device& d, compress_args& a, stream_handle stream) {
    joined_axes const axes(a);
    algorithm_kernel kernel(d, stream, static_cast<int>(axes.shape.size()), axes.shape.data());
    if (kernel.items() == 0) return void(a.count = 0);
    kernel.operand(a.mask.base, axes.mask.data());
    kernel.operand(a.data.base, axes.data.data());
    kernel.add("put", "put_elements<" + kernel.rank() + ", " + unit_text(a.itemsize) + ">");
    a.count = select(kernel, a.chunk_offsets, a.out, 0, a.count);
}

using function = void (*)(device&, void* args, stream_handle);
template <algorithm_kind kind, auto algorithm> void call(device& d, void* args, stream_handle stream) {
    algorithm(d, arguments<kind>(args), stream);
}
template <algorithm_kind kind, auto algorithm> constexpr algorithm_row<function> row = {kind, call<kind, algorithm>};

// The algorithms that run by kernels of plans and by NVIDIA's libraries. The others are in the algorithm library.
using kinds = algorithm_kind;
constexpr algorithm_table<function> table = {
    row<kinds::gather, gather>,
    row<kinds::scatter, scatter>,
    row<kinds::nonzero, nonzero>,
    row<kinds::compress, compress>,
    row<kinds::scan, cuda::run_scan>,
    row<kinds::matrix_product, cuda::matrix_product>,
    row<kinds::sparse_product, cuda::sparse_product>,
    row<kinds::matrix_factor, libraries::factor>,
    row<kinds::fourier_transform, libraries::transform>,
};

}  // namespace

void run_algorithm(device& d, algorithm_kind kind, void* args, stream_handle stream) {
    function const f = table.find(kind);
    return f ? f(d, args, stream) : run_library_algorithm(d, kind, args, stream);
}

bool supports_algorithm(algorithm_kind kind, type_id t) {
    if (kind == algorithm_kind::matrix_product) return !is_time(t);
    if (kind == algorithm_kind::sparse_product) return t == type_id::float64 || t == type_id::float32;
    // Where NVIDIA's library is missing, the call names the package to install.
    if (kind == algorithm_kind::matrix_factor || kind == algorithm_kind::fourier_transform)
        return is_float(t) || is_complex(t);
    return table.find(kind) || library_runs(kind);
}

}  // namespace bascule::cuda

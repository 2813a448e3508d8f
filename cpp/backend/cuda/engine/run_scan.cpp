#include "backend/cuda/engine/run_scan.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "backend/cuda/codegen/iteration_space.hpp"
#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/launch/algorithm_kernel.hpp"
#include "bascule/ops/fp_errors.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cuda {
namespace {

char const* look_of(scan_args const& a) {
    if (!a.check || !a.fp_flags) return "look::away";
    return a.check & ops::fp::under ? "look::at_underflow" : "look::at_errors";
}

// Whether pieces of a row may be reduced by themselves: (a op b) op c is a op (b op c), but for rounding.
bool joins_pieces(std::uint16_t op, ops::spec const& meta) {
    using enum ops::primitive;
    constexpr ops::primitive known[] = {add,         multiply,   maximum,     minimum,     fmax,       fmin,
                                        bitwise_and, bitwise_or, bitwise_xor, logical_and, logical_or, logical_xor};
    if (std::find(std::begin(known), std::end(known), meta.computes) != std::end(known)) return true;
    return op == ops::number<ops::logaddexp> || op == ops::number<ops::logaddexp2> || op == ops::number<ops::gcd>;
}

// The rows and their elements: `outer` dimensions first, the row last.
struct scan_space {
    extents shape, in, out;
    char* from;
    char* to;

    int outer() const { return static_cast<int>(shape.size()) - 1; }
    std::int64_t length() const { return shape.back(); }
    std::int64_t rows() const {
        return std::accumulate(shape.begin(), shape.end() - 1, std::int64_t{1}, std::multiplies<>());
    }
    // Neighbours in a row are nearer than those in any other dimension, or a block would find too few rows.
    bool along() const { return rows() < 8 || std::abs(in.back()) <= std::abs(in[shape.size() - 2]); }
};

// Dimensions in the order of memory, contiguous ones merged.
scan_space space_of(scan_args const& a) {
    std::vector<int> order;
    for (int d = 0; d + 1 < a.ndim; ++d)
        if (a.shape[d] != 1) order.push_back(d);
    std::stable_sort(order.begin(), order.end(),
                     [&](int x, int y) { return std::abs(a.in.strides[x]) > std::abs(a.in.strides[y]); });
    scan_space s{{}, {}, {}, static_cast<char*>(a.in.base), static_cast<char*>(a.out.base)};
    for (int const d : order) {
        std::int64_t const n = a.shape[d], in = a.in.strides[d], out = a.out.strides[d];
        bool const behind = !s.shape.empty() && s.in.back() == in * n && s.out.back() == out * n;
        if (behind) s.shape.back() *= n, s.in.back() = in, s.out.back() = out;
        else s.shape.push_back(n), s.in.push_back(in), s.out.push_back(out);
    }
    int const last = a.ndim - 1;
    s.shape.push_back(a.ndim ? a.shape[last] : 1);
    s.in.push_back(a.ndim ? a.in.strides[last] : 0), s.out.push_back(a.ndim ? a.out.strides[last] : 0);
    return s;
}

class scan_run {
public:
    scan_run(device& d, scan_args const& a, catalog_entry const& op, void* flags, stream_handle stream)
        : d_(d), args_(a), op_(op), flags_(flags), stream_(stream), item_(itemsize(a.in.dtype)),
          chunk_(item_ > 8 ? 8 : 16) {}

    // A row that is short, or one of so many that they fill any card by themselves, is scanned in order, as by NumPy.
    void run(scan_space const& s) const {
        constexpr std::int64_t short_row = 64, many_rows = 1 << 17;
        bool const in_order = s.length() <= short_row || s.rows() >= many_rows || !joins_pieces(args_.op, *op_.meta);
        if (in_order) run_in_order(s);
        else run_tiles(s);
    }

private:
    algorithm_kernel kernel_of(scan_space const& s) const {
        algorithm_kernel kernel(d_, stream_, static_cast<std::int32_t>(s.shape.size()), s.shape.data());
        kernel.needs("backend/cuda/kernels/scan.cuh");
        kernel.needs(op_.header);
        kernel.operand(s.from, s.in.data());
        kernel.operand(s.to, s.out.data());
        kernel.pointer(flags_);
        kernel.word(args_.check);
        return kernel;
    }
    std::string types(algorithm_kernel const& kernel) const {
        return "<" + kernel.rank() + ", " + op_.type + ", " + element_text(args_.in.dtype) + ", " + look_of(args_);
    }
    void run_in_order(scan_space const& s) const {
        algorithm_kernel kernel = kernel_of(s);
        kernel.set_items(s.rows());
        kernel.add("rows", "scan_rows" + types(kernel) + ">");
        kernel.launch("rows", kernel.items());
    }
    void run_tiles(scan_space const& s) const;

    device& d_;
    scan_args const& args_;
    catalog_entry const& op_;
    void* flags_;
    stream_handle stream_;
    std::int64_t item_, chunk_;  // as kernels/scan.cuh has it
};

// Rows of few tiles are walked through where there are many of them. In others each tile looks back at the entries of
// those before it, of which there is one a tile, and one for 32 of the level below.
void scan_run::run_tiles(scan_space const& s) const {
    constexpr std::int64_t lanes = 32, slots = block_threads / lanes, many_rows = 1 << 10, few_tiles = 32;
    std::int64_t const rows = s.rows(), tiles = (s.length() + lanes * chunk_ - 1) / (lanes * chunk_);
    bool const walks = tiles == 1 || (rows > many_rows && tiles <= few_tiles);
    algorithm_kernel kernel = kernel_of(s);
    kernel.set_items(rows);
    kernel.word(tiles);
    std::string const call = "_tiles" + types(kernel) + (s.along() ? ", true>" : ", false>");
    kernel.add("scan", (walks ? "walk" : "scan") + call);
    if (walks) return kernel.launch("scan", rows * lanes);
    std::int64_t entries = 0;
    for (std::int64_t n = tiles; n > 0; n /= lanes) entries += n;
    std::int64_t const bytes = 8 * (1 + rows * entries * (item_ > 8 ? 3 : 2));
    scratch const known(d_, bytes, stream_);
    kernel.pointer(known.get());
    kernel.pointer(static_cast<std::int64_t const*>(known.get()) + 1);
    kernel.fill(known.get(), 0, bytes);
    std::int64_t const blocks = s.along() ? (tiles + slots - 1) / slots * rows : (rows + slots - 1) / slots * tiles;
    kernel.launch("scan", blocks * block_threads);
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
    scan_space const space = space_of(a);
    if (space.rows() * space.length() == 0) return;
    // Errors go to words of the device from the caller, which are read when it waits, or to words of this call's own.
    std::optional<scratch> own;
    void* words = a.fp_flags;
    if (a.check && words && d.memory_type(words) != memory_type_device) {
        own.emplace(d, 4, stream);
        words = own->get();
        d.fill(words, 0, 4, stream);
    }
    scan_run(d, a, *op, words, stream).run(space);
    if (own) *a.fp_flags |= read_back<std::uint32_t>(d, own->get(), stream);
}

}  // namespace bascule::cuda

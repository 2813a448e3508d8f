#include "backend/cuda/libraries/product.hpp"

#include <algorithm>
#include <optional>

#include "backend/cuda/libraries/blas_call.hpp"
#include "backend/cuda/libraries/dense_matrices.hpp"

namespace bascule::cuda::libraries {
namespace {

// The library takes matrices by columns. For a matrix transposed (T) or as it is (N): the leading dimension in
// elements, 0 where the library cannot take it so.
std::int64_t leading_as_it_is(placed_matrices const& m) {
    std::int64_t const size = itemsize(m.dtype), least = std::max<std::int64_t>(m.rows, 1);
    if (m.rows != 1 && m.row != size) return 0;
    if (m.columns == 1) return least;
    return m.column % size == 0 && m.column / size >= least ? m.column / size : 0;
}

bool whole_elements(placed_matrices const& m) {
    std::int64_t const size = itemsize(m.dtype);
    bool const stacked = std::all_of(m.stack.begin(), m.stack.end(), [&](std::int64_t s) { return s % size == 0; });
    return stacked && reinterpret_cast<std::uintptr_t>(m.data) % static_cast<std::uintptr_t>(size) == 0;
}

// An operand as the library takes it, and its copy if one was needed.
struct taken {
    placed_matrices from;
    int op = as_it_is;
    std::int64_t leading = 0;
    std::optional<scratch> own;
};

class product_call {
public:
    product_call(device& d, matrix_product_args const& a, stream_handle stream)
        : device_(d), stream_(stream), args_(a), whole_(d, stream, a.ndim, a.shape) {}

    void run() {
        placed_matrices out = whole_.placed(args_.out, args_.dtype, args_.m, args_.n);
        placed_matrices a = whole_.placed(args_.a, args_.dtype, args_.m, args_.k),
                        b = whole_.placed(args_.b, args_.dtype, args_.k, args_.n);
        // Where the rows of the result are contiguous, its transpose is computed, as the product of the transposed
        // operands in reverse order.
        bool const by_columns = whole_elements(out) && leading_as_it_is(out) > 0;
        bool const by_rows = whole_elements(out) && leading_as_it_is(out.turned()) > 0;
        std::optional<scratch> own;
        placed_matrices to = out;
        if (!by_columns && !by_rows) {
            own.emplace(device_, whole_.count() * out.rows * out.columns * itemsize(out.dtype), stream_);
            to = whole_.dense(own->get(), out.dtype, out.rows, out.columns);
        }
        taken x, y;
        if (by_rows) {
            to = to.turned();
            take(x, b.turned(), false);
            take(y, a.turned(), args_.conjugate_a);
        } else {
            take(x, a, args_.conjugate_a);
            take(y, b, false);
        }
        multiply_stack(x, y, to);
        if (own) whole_.copy(out, to);
    }

private:
    void take(taken& t, placed_matrices const& m, bool conjugate) {
        conjugate = conjugate && is_complex(m.dtype);
        t.from = m;
        bool const whole = whole_elements(m);
        if (std::int64_t const l = leading_as_it_is(m); whole && !conjugate && l > 0) return void(t.leading = l);
        if (std::int64_t const l = leading_as_it_is(m.turned()); whole && l > 0) {
            t.leading = l, t.op = conjugate ? conjugate_transposed : transposed;
            return;
        }
        copy(t, conjugate);
    }

    // Where one matrix serves several of the stack it is copied once.
    void copy(taken& t, bool conjugate) {
        std::vector<std::int64_t> shape(args_.shape, args_.shape + args_.ndim);
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (t.from.stack[d] == 0) shape[d] = 1;
        matrix_stacks const few(device_, stream_, args_.ndim, shape.data());
        t.own.emplace(device_, few.count() * t.from.rows * t.from.columns * itemsize(t.from.dtype), stream_);
        placed_matrices dense = few.dense(t.own->get(), t.from.dtype, t.from.rows, t.from.columns);
        few.copy(dense, t.from, matrix_part::whole, conjugate);
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (t.from.stack[d] == 0) dense.stack[d] = 0;
        t.from = std::move(dense);
        t.leading = std::max<std::int64_t>(t.from.rows, 1);
    }

    // A dimension of the stack: its extent, and the steps of both operands and the result.
    struct level {
        std::int64_t extent, step[3];
    };
    // Neighbours that are as one are one.
    std::vector<level> levels(taken const& x, taken const& y, placed_matrices const& to) const {
        std::vector<level> all;
        for (int d = 0; d < args_.ndim; ++d) {
            auto const k = static_cast<std::size_t>(d);
            level const next{args_.shape[d], {x.from.stack[k], y.from.stack[k], to.stack[k]}};
            if (next.extent == 1) continue;
            bool joined = !all.empty();
            for (int i = 0; i < 3 && joined; ++i) joined = all.back().step[i] == next.extent * next.step[i];
            if (!joined) all.push_back(next);
            else all.back() = {all.back().extent * next.extent, {next.step[0], next.step[1], next.step[2]}};
        }
        return all;
    }

    // The longest dimension is one call; there is a call for each index of the others.
    void multiply_stack(taken const& x, taken const& y, placed_matrices const& to) {
        std::vector<level> outer = levels(x, y, to);
        level inner{1, {0, 0, 0}};
        auto const fits = [](level const& l) { return l.step[0] >= 0 && l.step[1] >= 0 && l.step[2] > 0; };
        auto best = outer.end();
        for (auto l = outer.begin(); l != outer.end(); ++l)
            if (fits(*l) && (best == outer.end() || l->extent > best->extent)) best = l;
        if (best != outer.end()) inner = *best, outer.erase(best);
        std::int64_t const size = itemsize(args_.dtype), calls = product_of(outer);
        bool const small = static_cast<double>(args_.m) * static_cast<double>(args_.n) * static_cast<double>(args_.k) *
                               static_cast<double>(inner.extent) <
                           (1 << 20);
        constexpr std::int64_t little_workspace = 1 << 16;
        blas_call const blas(device_, stream_, "products of matrices", small ? little_workspace : most_workspace);
        for (std::int64_t call = 0; call < calls; ++call) {
            std::int64_t at[3] = {}, rest = call;
            for (auto l = outer.rbegin(); l != outer.rend(); rest /= l++->extent)
                for (int i = 0; i < 3; ++i) at[i] += rest % l->extent * l->step[i];
            auto const operand = [&](void* p, int i, int op, std::int64_t leading) {
                return blas_operand{static_cast<char*>(p) + at[i], op, leading, inner.step[i] / size};
            };
            blas.multiply(args_.dtype, to.rows, to.columns, args_.k, 1, operand(x.from.data, 0, x.op, x.leading),
                          operand(y.from.data, 1, y.op, y.leading), 0,
                          operand(to.data, 2, as_it_is, leading_as_it_is(to)), inner.extent);
        }
    }
    static std::int64_t product_of(std::vector<level> const& all) {
        std::int64_t n = 1;
        for (level const& l : all) n *= l.extent;
        return n;
    }

    device& device_;
    stream_handle stream_;
    matrix_product_args const& args_;
    matrix_stacks whole_;
};

}  // namespace

bool multiplies(type_id t) { return library_type(t) >= 0 && cublas().api; }

void multiply(device& d, matrix_product_args const& a, stream_handle stream) { product_call(d, a, stream).run(); }

}  // namespace bascule::cuda::libraries

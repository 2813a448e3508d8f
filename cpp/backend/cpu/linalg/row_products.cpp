// column_spread and row_products: blocks of rows that stay in the cache, whose states are merged in order.
#include <algorithm>
#include <limits>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/dispatch/column_kernels.hpp"
#include "backend/cpu/linalg/blas.hpp"
#include "backend/cpu/linalg/linalg.hpp"

namespace bascule::cpu::linalg {
namespace {

using chunked::i64;
using chunked::row_chunks;
using chunked::scratch;

column_kernels<double> const& kernels_of(double) { return active_column_kernels().of_double; }
column_kernels<float> const& kernels_of(float) { return active_column_kernels().of_float; }

// f(T{}) for the type of the rows.
template <class F> status for_type(type_id t, char const* no_memory, F const& f) {
    return guarded(no_memory, [&] {
        if (t == type_id::float64) f(double{});
        else if (t == type_id::float32) f(float{});
        else return fail(status::not_supported, "[rows] expected rows of float64 or float32");
        return status::ok;
    });
}

// ---- counts, means and squared deviations

// One array of numbers for each, of so many columns.
struct spread {
    i64 columns;
    double *counts, *means, *squares;

    // Chan's formula.
    void merge(spread const& o) const {
        for (i64 c = 0; c < columns; ++c) {
            double const n = counts[c] + o.counts[c], share = n > 0 ? o.counts[c] / n : 0,
                         apart = o.means[c] - means[c];
            squares[c] += o.squares[c] + counts[c] * share * apart * apart;
            means[c] += apart * share;
            counts[c] = n;
        }
    }
};

template <class T> class spread_of_rows {
public:
    explicit spread_of_rows(column_spread_args const& a)
        : a_(a), rows_(static_cast<T const*>(a.rows)), k_(kernels_of(T{})),
          block_(std::max<i64>(16, 32768 / (static_cast<i64>(sizeof(T)) * std::max<i64>(a.columns, 1)))) {}

    void run() const {
        row_chunks const pieces(a_.length, 16 * block_);
        i64 const size = 3 * a_.columns;
        scratch<double> states(pieces.count * size);
        states.fill_bytes(0);
        chunked::for_each_chunk(pieces, [&](i64 p, i64 begin, i64 end) {
            scratch<double> state(size);
            spread const all = at(states.data() + p * size), one = at(state.data());
            for (i64 row = begin; row < end; row += block_) {
                of_block(row, std::min(block_, end - row), one);
                all.merge(one);
            }
        });
        spread const result{a_.columns, a_.counts, a_.means, a_.squares};
        for (double* to : {a_.counts, a_.means, a_.squares}) std::fill_n(to, a_.columns, 0.0);
        for (i64 p = 0; p < pieces.count; ++p) result.merge(at(states.data() + p * size));
    }

private:
    spread at(double* state) const { return {a_.columns, state, state + a_.columns, state + 2 * a_.columns}; }
    // The sum of deviations is what rounding of the mean left.
    void of_block(i64 row, i64 count, spread const& to) const {
        i64 const d = a_.columns;
        T const* const from = rows_ + row * d;
        scratch<double> rest(d);
        k_.sums(from, count, d, to.counts, to.means);
        for (i64 c = 0; c < d; ++c) to.means[c] /= std::max(to.counts[c], 1.0);
        k_.deviations(from, count, d, to.means, rest.data(), to.squares);
        for (i64 c = 0; c < d; ++c) {
            double const left = rest[c] / std::max(to.counts[c], 1.0);
            to.squares[c] -= rest[c] * left;
            to.means[c] += left;
        }
    }

    column_spread_args const& a_;
    T const* rows_;
    column_kernels<T> const& k_;
    i64 block_;
};

// ---- products of columns

// Of rows less a shift: behind their columns is one of ones, so that the products have the sums.
template <class T> class products_of_rows {
public:
    products_of_rows(row_products_args const& a, blas::library const& l)
        : a_(a), gemm_(l.d.gemm), syrk_(l.d.syrk), k_(kernels_of(T{})), width_(a.columns + a.ntargets),
          stride_(width_ + 1), block_(std::clamp<i64>(262144 / (8 * stride_), 256, 1024)) {}

    void run() const {
        row_chunks const pieces(a_.length, std::max(4 * block_, 4 * stride_));
        i64 const size = width_ + stride_ * stride_;  // means and products
        scratch<double> states(pieces.count * size);
        chunked::for_each_chunk(pieces,
                                [&](i64 p, i64 begin, i64 end) { of_piece(begin, end, states.data() + p * size); });
        std::fill_n(a_.means, width_, 0.0), std::fill_n(a_.products, width_ * width_, 0.0);
        double rows = 0;
        for (i64 p = 0; p < pieces.count; ++p) {
            double const n = static_cast<double>(pieces.end(p) - pieces.begin(p));
            merge(rows, states.data() + p * size, n);
            rows += n;
        }
        for (i64 i = 0; i < width_; ++i)
            for (i64 j = 0; j < i; ++j) a_.products[i * width_ + j] = a_.products[j * width_ + i];
    }

private:
    // The products are those of the upper triangle, in C's order.
    void of_piece(i64 begin, i64 end, double* state) const {
        double *const shift = state, *const products = state + width_;
        std::fill_n(shift, width_, 0.0);
        if (a_.centred) set_means(begin, std::min(end, begin + block_), shift);
        scratch<double> block(block_ * stride_);
        for (i64 row = begin; row < end; row += block_) {
            i64 const count = std::min(block_, end - row);
            k_.centre(rows() + row * a_.columns, count, a_.columns, shift, block.data(), stride_);
            if (a_.ntargets > 0)
                k_.centre(targets() + row * a_.ntargets, count, a_.ntargets, shift + a_.columns,
                          block.data() + a_.columns, stride_);
            for (i64 r = 0; r < count; ++r) block[r * stride_ + width_] = 1;
            multiply(block.data(), count, row == begin ? 0.0 : 1.0, products);
        }
        if (!a_.centred) return;
        double const n = static_cast<double>(end - begin);
        for (i64 i = 0; i < width_; ++i)
            for (i64 j = i; j < width_; ++j) products[i * stride_ + j] -= sum(products, i) * (sum(products, j) / n);
        for (i64 i = 0; i < width_; ++i) shift[i] += sum(products, i) / n;
    }
    double sum(double const* products, i64 column) const { return products[column * stride_ + width_]; }

    void set_means(i64 begin, i64 end, double* to) const {
        scratch<double> known(width_);
        k_.sums(rows() + begin * a_.columns, end - begin, a_.columns, known.data(), to);
        if (a_.ntargets > 0)
            k_.sums(targets() + begin * a_.ntargets, end - begin, a_.ntargets, known.data() + a_.columns,
                    to + a_.columns);
        for (i64 c = 0; c < width_; ++c) to[c] /= static_cast<double>(end - begin);
    }

    // C's upper triangle is Fortran's lower one. A product is faster than half of one for few columns.
    void multiply(double const* block, i64 count, double keep, double* to) const {
        auto const m = static_cast<blas::integer>(stride_), k = static_cast<blas::integer>(count);
        double const one = 1;
        if (stride_ < 64) gemm_("N", "T", &m, &m, &k, &one, block, &m, block, &m, &keep, to, &m, 1, 1);
        else syrk_("L", "N", &m, &k, &one, block, &m, &keep, to, &m, 1, 1);
    }

    // Adds the products of the differences of both means, too.
    void merge(double rows, double const* state, double n) const {
        double const *const means = state, *const products = state + width_, share = n / (rows + n);
        for (i64 i = 0; i < width_; ++i) {
            double const apart = (means[i] - a_.means[i]) * (rows * share);
            for (i64 j = i; j < width_; ++j)
                a_.products[i * width_ + j] += products[i * stride_ + j] + apart * (means[j] - a_.means[j]);
        }
        for (i64 i = 0; i < width_; ++i) a_.means[i] += (means[i] - a_.means[i]) * share;
    }

    T const* rows() const { return static_cast<T const*>(a_.rows); }
    T const* targets() const { return static_cast<T const*>(a_.targets); }

    row_products_args const& a_;
    decltype(blas::routines<double>::gemm) gemm_;
    decltype(blas::routines<double>::syrk) syrk_;
    column_kernels<T> const& k_;
    i64 width_, stride_, block_;
};

}  // namespace

status column_spread(column_spread_args const& a) noexcept {
    return for_type(a.type, "[column_spread] no memory for the states",
                    [&]<class T>(T) { spread_of_rows<T>(a).run(); });
}

status row_products(row_products_args const& a) noexcept {
    if (a.columns + a.ntargets >= std::numeric_limits<blas::integer>::max())
        return fail(status::value_error, "[row_products] there are too many columns");
    blas::library const* const l = blas::open();
    if (l == nullptr) return status::not_supported;
    blas::session const single(*l, blas::threading::single);
    return for_type(a.type, "[row_products] no memory for the products",
                    [&]<class T>(T) { products_of_rows<T>(a, *l).run(); });
}

}  // namespace bascule::cpu::linalg

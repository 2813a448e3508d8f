// Rows against queries in float32: approximate distances with a known bound of their error, by which most rows are
// excluded before any is compared exactly.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/linalg/blas.hpp"

namespace bascule::cpu::linalg {

using chunked::i64;
using chunked::scratch;

// A product of so many queries and rows stays in the L2 cache.
inline constexpr i64 query_block = 64, row_block = 1024;
// Compared with the limit together: most have no row below it.
inline constexpr i64 group = 16;
inline constexpr double narrow_unit = 0x1p-24, unit = 0x1p-53;  // relative errors of rounding
inline constexpr double least_narrow = 0x1p-140;                // below it numbers of float32 have an absolute error

// The mean of rows.
inline std::vector<double> middle_of(double const* rows, i64 length, i64 columns) {
    std::vector<double> sums(static_cast<std::size_t>(columns));
    for (i64 i = 0; i < length; ++i)
        for (i64 c = 0; c < columns; ++c) sums[static_cast<std::size_t>(c)] += rows[i * columns + c];
    for (double& s : sums) s /= static_cast<double>(length);
    return sums;
}

// The rows of a matrix less the middle: in float32 and scaled, once the scale is known, and their lengths.
class narrow_matrix {
public:
    narrow_matrix(double const* from, i64 rows, i64 columns, std::vector<double> const& middle)
        : from_(from), rows_(rows), columns_(columns), middle_(middle), values_(rows * columns), squares_(rows),
          lengths_(rows) {
        each_row([&](i64 i) {
            double sum = 0;
            for (i64 c = 0; c < columns_; ++c) sum += at(i, c) * at(i, c);
            lengths_[i] = std::sqrt(sum);
        });
    }
    double longest() const { return *std::max_element(lengths_.data(), lengths_.data() + rows_); }
    void scale(double by) {
        each_row([&](i64 i) {
            for (i64 c = 0; c < columns_; ++c) values_[i * columns_ + c] = static_cast<float>(at(i, c) * by);
            lengths_[i] *= by;
            squares_[i] = static_cast<float>(lengths_[i] * lengths_[i]);
        });
    }
    float const* row(i64 i) const { return values_.data() + i * columns_; }
    float const* squares(i64 i) const { return squares_.data() + i; }
    double length(i64 i) const { return lengths_[i]; }

private:
    double at(i64 i, i64 c) const { return from_[i * columns_ + c] - middle_[static_cast<std::size_t>(c)]; }
    template <class F> void each_row(F const& f) {
        chunked::for_each_chunk({rows_, 4096}, [&](i64, i64 begin, i64 end) {
            for (i64 i = begin; i < end; ++i) f(i);
        });
    }

    double const* from_;
    i64 rows_, columns_;
    std::vector<double> const& middle_;
    scratch<float> values_, squares_;
    scratch<double> lengths_;
};

// Not inlined: among the variables of a search the sum would be kept in memory.
[[gnu::noinline]] inline double exact_square(double const* a, double const* b, i64 columns) {
    double sum = 0;
    for (i64 c = 0; c < columns; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

// The matrices of rows and of queries, and their products. Distances are squared and scaled, less the query's square.
class narrow_search {
public:
    narrow_search(double const* rows, i64 length, double const* queries, i64 nqueries, i64 columns,
                  blas::library const& l)
        : columns_(columns), gemm_(l.s.gemm), middle_(middle_of(rows, length, columns)),
          rows_(rows, length, columns, middle_), queries_(queries, nqueries, columns, middle_) {
        double const longest = std::max(rows_.longest(), queries_.longest());
        scale_ = longest > 0 && std::isfinite(longest) ? std::ldexp(1.0, -std::ilogb(longest)) : 1;
        rows_.scale(scale_), queries_.scale(scale_);
        longest_ = rows_.longest();
    }

    // A row that has no more is at no more than this squared distance from the query.
    float certain_limit(i64 query, double square) const {
        double const length = queries_.length(query);
        return std::nextafter(static_cast<float>(square * scale_ * scale_ - length * length - error_of(query)),
                              -std::numeric_limits<float>::infinity());
    }
    // The most that a row may have which is at this squared distance from the query.
    float limit(i64 query, double square) const {
        double const length = queries_.length(query);
        return std::nextafter(static_cast<float>(square * scale_ * scale_ - length * length + error_of(query)),
                              std::numeric_limits<float>::infinity());
    }
    // Of the first `count` rows from `row` on, so that `wanted` of them, which is no more, have no more.
    float first_limit(i64 query, float const* products, i64 row, i64 count, i64 wanted) const {
        std::vector<float> heap;
        float const infinity = std::numeric_limits<float>::infinity();
        float most = infinity;
        bool ordered = true;
        select(products, row, count, most, [&](i64 at) {
            float const distance = rows_.squares(at)[0] + products[at - row];
            ordered &= distance == distance;
            if (static_cast<i64>(heap.size()) == wanted) std::pop_heap(heap.begin(), heap.end()), heap.pop_back();
            heap.push_back(distance);
            std::push_heap(heap.begin(), heap.end());
            if (static_cast<i64>(heap.size()) == wanted) most = heap.front();
        });
        // Both the distance of the last one of these and that of any other may be in error.
        return ordered ? std::nextafter(static_cast<float>(most + 2 * error_of(query)), infinity) : infinity;
    }
    // -2 times the products of up to query_block queries and row_block rows: those of a query lie together.
    void multiply(i64 query, i64 n, i64 row, i64 count, float* out) const {
        auto const m = static_cast<blas::integer>(count), k = static_cast<blas::integer>(columns_),
                   width = static_cast<blas::integer>(n);
        float const scale = -2, nought = 0;
        gemm_("T", "N", &m, &width, &k, &scale, rows_.row(row), &k, queries_.row(query), &k, &nought, out, &m, 1, 1);
    }
    // add(row), or add(row, what it has), for each of `count` rows from `row` on whose distance may be within `limit`,
    // which add may lower.
    template <class F> void select(float const* products, i64 row, i64 count, float const& limit, F const& add) const {
        float const* const squares = rows_.squares(row);
        auto const each = [&](i64 begin, i64 end) {
            for (i64 k = begin; k < end; ++k)
                if (float const x = squares[k] + products[k]; !(x > limit)) {
                    if constexpr (std::is_invocable_v<F, i64, float>) add(row + k, x);
                    else add(row + k);
                }
        };
        i64 j = 0;
        for (; j + group <= count; j += group) {
            four_masks hits = {};  // not a number is one, too
            float const now = limit;
            for (i64 k = j; k < j + group; k += 4) hits |= ~(at(squares + k) + at(products + k) > now);
            if ((hits[0] | hits[1] | hits[2] | hits[3]) != 0) each(j, j + group);
        }
        each(j, count);
    }

private:
    typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
    typedef int four_masks __attribute__((vector_size(16)));
    static four at(float const* x) { return *reinterpret_cast<four const*>(x); }

    // Approximate distances differ from the exact ones by no more: values are rounded once, sums of products once a
    // column, squares and differences once more, in float32; and exact sums and their differences in float64.
    double error_of(i64 query) const {
        double const q = queries_.length(query), both = q + longest_, terms = static_cast<double>(columns_) + 8;
        return terms * (2 * narrow_unit * (2 * q + longest_) * longest_ + 2 * unit * both * both + least_narrow);
    }

    i64 columns_;
    decltype(blas::routines<float>::gemm) gemm_;
    std::vector<double> middle_;
    narrow_matrix rows_, queries_;
    double scale_ = 1, longest_ = 0;  // of the rows
};

}  // namespace bascule::cpu::linalg

// nearest: products in float32 give distances with a known bound of their error. Rows that the bound does not exclude
// are compared by their exact distances.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/linalg/blas.hpp"
#include "backend/cpu/linalg/linalg.hpp"

namespace bascule::cpu::linalg {
namespace {

using chunked::i64;
using chunked::scratch;

// A product of so many queries and rows stays in the L2 cache.
constexpr i64 query_block = 64, row_block = 1024;
constexpr i64 buffered = 128;  // rows of a query that wait for their exact distances
// Compared with the limit together: most have no row below it.
constexpr i64 group = 16;
constexpr double narrow_unit = 0x1p-24, unit = 0x1p-53;  // relative errors of rounding
constexpr double least_narrow = 0x1p-140;                // below it numbers of float32 have an absolute error

std::vector<double> middle_of(nearest_args const& a) {
    std::vector<double> sums(static_cast<std::size_t>(a.columns));
    for (i64 i = 0; i < a.length; ++i)
        for (i64 c = 0; c < a.columns; ++c) sums[static_cast<std::size_t>(c)] += a.rows[i * a.columns + c];
    for (double& s : sums) s /= static_cast<double>(a.length);
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

// A row and its exact squared distance; the order of the result.
struct found {
    double square;
    i64 row;
    bool operator<(found const& o) const { return square < o.square || (square == o.square && row < o.row); }
};

// The nearest rows of one query so far.
class best_rows {
public:
    // Of a query with this length; approximate distances, in a scale of their own, have at most this error.
    best_rows(nearest_args const& a, i64 query, double scale, double length, double error)
        : a_(&a), query_(a.queries + query * a.columns), scale_(scale), square_(length * length), error_(error) {}
    void add(i64 row) {
        waiting_.push_back(row);
        if (static_cast<i64>(waiting_.size()) >= std::max(buffered, a_->count)) settle();
    }
    // Compares the rows that wait with those that were found.
    void settle() {
        for (i64 const row : waiting_) {
            found const one{exact(row), row};
            if (static_cast<i64>(heap_.size()) < a_->count) {
                heap_.push_back(one);
                std::push_heap(heap_.begin(), heap_.end());
            } else if (one < heap_.front()) {
                std::pop_heap(heap_.begin(), heap_.end());
                heap_.back() = one;
                std::push_heap(heap_.begin(), heap_.end());
            }
        }
        waiting_.clear();
        if (static_cast<i64>(heap_.size()) == a_->count)
            limit = std::nextafter(static_cast<float>(heap_.front().square * scale_ * scale_ - square_ + error_),
                                   std::numeric_limits<float>::infinity());
    }
    void merge(best_rows const& other) { heap_.insert(heap_.end(), other.heap_.begin(), other.heap_.end()); }
    void write(i64 query) {
        std::sort(heap_.begin(), heap_.end());
        for (i64 k = 0; k < a_->count; ++k) {
            auto const& one = heap_[static_cast<std::size_t>(k)];
            a_->indices[query * a_->count + k] = one.row;
            if (a_->distances != nullptr) a_->distances[query * a_->count + k] = std::sqrt(one.square);
        }
    }

    // A row with a greater approximate distance, squared and less the query's square, is none of them.
    float limit = std::numeric_limits<float>::infinity();

private:
    double exact(i64 row) const {
        double const* const other = a_->rows + row * a_->columns;
        double sum = 0;
        for (i64 c = 0; c < a_->columns; ++c) sum += (query_[c] - other[c]) * (query_[c] - other[c]);
        return sum;
    }

    nearest_args const* a_;
    double const* query_;
    double scale_, square_, error_;
    std::vector<found> heap_;  // the farthest first
    std::vector<i64> waiting_;
};

class search {
public:
    search(nearest_args const& a, blas::library const& l)
        : a_(a), gemm_(l.s.gemm), middle_(middle_of(a)), rows_(a.rows, a.length, a.columns, middle_),
          queries_(a.queries, a.nqueries, a.columns, middle_) {
        double const longest = std::max(rows_.longest(), queries_.longest());
        scale_ = longest > 0 && std::isfinite(longest) ? std::ldexp(1.0, -std::ilogb(longest)) : 1;
        rows_.scale(scale_), queries_.scale(scale_);
        longest_ = rows_.longest();
    }

    // Few queries are searched in parts of the rows at once.
    void run() {
        i64 const blocks = (a_.nqueries + query_block - 1) / query_block, threads = sched::thread_count();
        i64 const wanted = std::max<i64>(1, 2 * threads / blocks);
        i64 const most = std::max<i64>(1, a_.length / (8 * row_block));
        i64 const parts = std::min(wanted, most), step = (a_.length + parts - 1) / parts;
        std::vector<std::vector<best_rows>> best(static_cast<std::size_t>(blocks * parts));
        chunked::for_each_task(blocks * parts, [&](i64 task) {
            i64 const block = task / parts, part = task % parts;
            best[static_cast<std::size_t>(task)] =
                of_block(block * query_block, part * step, std::min(a_.length, (part + 1) * step));
        });
        for (i64 q = 0; q < a_.nqueries; ++q) {
            auto const first = static_cast<std::size_t>(q / query_block * parts),
                       k = static_cast<std::size_t>(q % query_block);
            for (i64 p = 1; p < parts; ++p) best[first][k].merge(best[first + static_cast<std::size_t>(p)][k]);
            best[first][k].write(q);
        }
    }

private:
    // Approximate distances differ from the exact ones by no more: values are rounded once, sums of products once a
    // column, squares and differences once more, in float32; and exact sums and their differences in float64.
    double error_of(i64 query) const {
        double const q = queries_.length(query), both = q + longest_, terms = static_cast<double>(a_.columns) + 8;
        return terms * (2 * narrow_unit * (2 * q + longest_) * longest_ + 2 * unit * both * both + least_narrow);
    }

    std::vector<best_rows> of_block(i64 query, i64 begin, i64 end) const {
        i64 const n = std::min(query_block, a_.nqueries - query);
        std::vector<best_rows> best;
        for (i64 q = query; q < query + n; ++q) best.emplace_back(a_, q, scale_, queries_.length(q), error_of(q));
        scratch<float> products(query_block * row_block);
        for (i64 row = begin; row < end; row += row_block) {
            i64 const count = std::min(row_block, end - row);
            multiply(query, n, row, count, products.data());
            for (i64 q = 0; q < n; ++q)
                select(best[static_cast<std::size_t>(q)], products.data() + q * count, row, count);
        }
        for (auto& b : best) b.settle();
        return best;
    }

    // -2 times the products: those of a query lie together.
    void multiply(i64 query, i64 n, i64 row, i64 count, float* out) const {
        auto const m = static_cast<blas::integer>(count), k = static_cast<blas::integer>(a_.columns),
                   width = static_cast<blas::integer>(n);
        float const scale = -2, nought = 0;
        gemm_("T", "N", &m, &width, &k, &scale, rows_.row(row), &k, queries_.row(query), &k, &nought, out, &m, 1, 1);
    }

    void select(best_rows& best, float const* products, i64 row, i64 count) const {
        float const* const squares = rows_.squares(row);
        i64 j = 0;
        for (; j + group <= count; j += group) {
            int hits = 0;  // not a number is one, too
            for (i64 k = j; k < j + group; ++k) hits += !(squares[k] + products[k] > best.limit);
            if (hits != 0) select_each(best, products, squares, row, j, j + group);
        }
        select_each(best, products, squares, row, j, count);
    }
    static void select_each(best_rows& best, float const* products, float const* squares, i64 row, i64 begin, i64 end) {
        for (i64 k = begin; k < end; ++k)
            if (!(squares[k] + products[k] > best.limit)) best.add(row + k);
    }

    nearest_args const& a_;
    decltype(blas::routines<float>::gemm) gemm_;
    std::vector<double> middle_;
    narrow_matrix rows_, queries_;
    double scale_ = 1, longest_ = 0;  // of the rows
};

}  // namespace

status nearest(nearest_args const& a) noexcept {
    if (a.nqueries == 0) return status::ok;
    if (a.columns > std::numeric_limits<blas::integer>::max() || a.count < 1 || a.count > a.length)
        return fail(status::value_error, "[nearest] expected 1 to as many neighbours as there are rows");
    blas::library const* const l = blas::open();
    if (l == nullptr) return status::not_supported;
    blas::session const single(*l, blas::threading::single);
    return guarded("[nearest] no memory for the distances", [&] {
        search(a, *l).run();
        return status::ok;
    });
}

}  // namespace bascule::cpu::linalg

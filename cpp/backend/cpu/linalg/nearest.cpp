// nearest and within_radius: products in float32 give distances with a known bound of their error. Rows that the bound
// does not exclude are compared by their exact distances.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/linalg/linalg.hpp"
#include "backend/cpu/linalg/narrow_rows.hpp"

namespace bascule::cpu::linalg {
namespace {

constexpr i64 buffered = 128;  // rows of a query that wait for their exact distances

// A row and its exact squared distance; the order of the result.
struct found {
    double square;
    i64 row;
    bool operator<(found const& o) const { return square < o.square || (square == o.square && row < o.row); }
};

// The nearest rows of one query so far.
class best_rows {
public:
    best_rows(nearest_args const& a, narrow_search const& s, i64 query) : a_(&a), search_(&s), query_(query) {}
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
        if (static_cast<i64>(heap_.size()) == a_->count) limit = search_->limit(query_, heap_.front().square);
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
        return exact_square(a_->queries + query_ * a_->columns, a_->rows + row * a_->columns, a_->columns);
    }

    nearest_args const* a_;
    narrow_search const* search_;
    i64 query_;
    std::vector<found> heap_;  // the farthest first
    std::vector<i64> waiting_;
};

class nearest_search {
public:
    nearest_search(nearest_args const& a, blas::library const& l)
        : a_(a), search_(a.rows, a.length, a.queries, a.nqueries, a.columns, l) {}

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
    std::vector<best_rows> of_block(i64 query, i64 begin, i64 end) const {
        i64 const n = std::min(query_block, a_.nqueries - query);
        std::vector<best_rows> best;
        for (i64 q = query; q < query + n; ++q) best.emplace_back(a_, search_, q);
        scratch<float> products(query_block * row_block);
        for (i64 row = begin; row < end; row += row_block) {
            i64 const count = std::min(row_block, end - row);
            search_.multiply(query, n, row, count, products.data());
            for (i64 q = 0; q < n; ++q) {
                best_rows& of = best[static_cast<std::size_t>(q)];
                if (row == begin && count >= a_.count)
                    of.limit = search_.first_limit(query + q, products.data() + q * count, row, count, a_.count);
                search_.select(products.data() + q * count, row, count, of.limit, [&](i64 found) { of.add(found); });
            }
        }
        for (auto& b : best) b.settle();
        return best;
    }

    nearest_args const& a_;
    narrow_search search_;
};

// The rows within a radius of each query.
class radius_search {
public:
    radius_search(within_radius_args const& a, blas::library const& l)
        : a_(a), search_(a.rows, a.length, a.queries, a.nqueries, a.columns, l),
          found_(static_cast<std::size_t>(a.nqueries)) {}

    void run() {
        i64 const blocks = (a_.nqueries + query_block - 1) / query_block;
        chunked::for_each_task(blocks, [&](i64 block) {
            scratch<float> products(query_block * row_block);
            i64 const query = block * query_block, n = std::min(query_block, a_.nqueries - query);
            for (i64 row = 0; row < a_.length; row += row_block) {
                i64 const count = std::min(row_block, a_.length - row);
                search_.multiply(query, n, row, count, products.data());
                for (i64 q = 0; q < n; ++q) {
                    double const square = a_.radius * a_.radius;
                    float const limit = search_.limit(query + q, square),
                                certain = search_.certain_limit(query + q, square);
                    search_.select(products.data() + q * count, row, count, limit,
                                   [&](i64 at, float has) { take(query + q, at, has <= certain); });
                }
            }
        });
        a_.offsets[0] = 0;
        for (i64 q = 0; q < a_.nqueries; ++q) a_.offsets[q + 1] = a_.offsets[q] + count_of(q);
        i64 const all = a_.offsets[a_.nqueries];
        auto* const indices = static_cast<i64*>(memory(all * static_cast<i64>(sizeof(i64))));
        auto* const distances = a_.with_distances ? static_cast<double*>(memory(all * static_cast<i64>(sizeof(double))))
                                                  : nullptr;
        chunked::for_each_task(blocks, [&](i64 block) {
            for (i64 q = block * query_block; q < std::min(a_.nqueries, (block + 1) * query_block); ++q) {
                auto const& of = found_[static_cast<std::size_t>(q)];
                std::copy(of.rows.begin(), of.rows.end(), indices + a_.offsets[q]);
                if (distances != nullptr)
                    std::transform(of.squares.begin(), of.squares.end(), distances + a_.offsets[q],
                                   [](double square) { return std::sqrt(square); });
            }
        });
    }

private:
    struct rows_of_query {
        std::vector<i64> rows;
        std::vector<double> squares;
    };

    i64 count_of(i64 query) const { return static_cast<i64>(found_[static_cast<std::size_t>(query)].rows.size()); }
    void* memory(i64 bytes) const {
        void* const p = a_.allocate(a_.owner, bytes);
        if (p == nullptr && bytes > 0) throw std::bad_alloc();
        return p;
    }
    void take(i64 query, i64 row, bool certain) {
        double square = 0;
        if (!certain || a_.with_distances) {
            square = exact_square(a_.queries + query * a_.columns, a_.rows + row * a_.columns, a_.columns);
            if (!(square <= a_.radius * a_.radius)) return;
        }
        auto& of = found_[static_cast<std::size_t>(query)];
        of.rows.push_back(row);
        if (a_.with_distances) of.squares.push_back(square);
    }

    within_radius_args const& a_;
    narrow_search search_;
    std::vector<rows_of_query> found_;
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
        nearest_search(a, *l).run();
        return status::ok;
    });
}

status within_radius(within_radius_args const& a) noexcept {
    if (a.nqueries == 0 || a.length == 0) {
        std::fill_n(a.offsets, a.nqueries + 1, i64{0});
        return status::ok;
    }
    if (a.columns > std::numeric_limits<blas::integer>::max())
        return fail(status::value_error, "[within_radius] there are too many columns");
    blas::library const* const l = blas::open();
    if (l == nullptr) return status::not_supported;
    blas::session const single(*l, blas::threading::single);
    return guarded("[within_radius] no memory for the distances", [&] {
        radius_search(a, *l).run();
        return status::ok;
    });
}

}  // namespace bascule::cpu::linalg

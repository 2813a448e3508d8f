// sparse_product: rows of the result on all threads; those of a transpose as sums of parts.
#include <algorithm>
#include <utility>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/dispatch/sparse_kernels.hpp"
#include "backend/cpu/linalg/linalg.hpp"

namespace bascule::cpu::linalg {
namespace {

using chunked::i64;
using chunked::scratch;

constexpr i64 task_work = 1 << 16;  // products of a task
constexpr i64 most_parts = 8;       // of a transpose, each with a result of its own
constexpr i64 most_sums = 1 << 15;  // of each, so that it stays in the cache
constexpr i64 least_columns = 8;    // of a piece of the result of a transpose

template <class V, class I> struct rows_of {
    V const* values;
    I const *indices, *starts;
    explicit rows_of(compressed_rows const& m)
        : values(static_cast<V const*>(m.values)), indices(static_cast<I const*>(m.indices)),
          starts(static_cast<I const*>(m.starts)) {}
    i64 begin(i64 row) const { return static_cast<i64>(starts[row]); }
    i64 end(i64 row) const { return static_cast<i64>(starts[row + 1]); }
    i64 column(i64 at) const { return static_cast<i64>(indices[at]); }
};

template <class V, class I> sparse_kernels<V, I> const& kernels_of() {
    sparse_kernels_of_types const& all = active_sparse_kernels();
    if constexpr (sizeof(V) == 8 && sizeof(I) == 4) return all.of_double;
    else if constexpr (sizeof(V) == 8) return all.of_double_wide;
    else if constexpr (sizeof(I) == 4) return all.of_float;
    else return all.of_float_wide;
}

template <class V, class I> class product_of_sparse {
public:
    explicit product_of_sparse(sparse_product_args const& a)
        : a_(a), kernels_(kernels_of<V, I>()), m_(a.matrix), n_(a.matrix.length), k_(a.count),
          dense_(static_cast<V const*>(a.dense)), to_(static_cast<V*>(a.result)) {}

    void run() const {
        if (a_.transposed) return transposed();
        auto const parts = cuts(n_, std::max<i64>(1, work() / task_work));
        if (a_.dense != nullptr)
            chunked::for_each_task(parts, [&](i64 p) { by_dense(cut(p, parts), cut(p + 1, parts)); });
        else chunked::for_each_task(parts, [&](i64 p) { by_sparse(cut(p, parts), cut(p + 1, parts)); });
    }

private:
    i64 elements() const { return m_.end(n_ - 1) - m_.begin(0); }
    i64 work() const { return n_ == 0 ? 0 : (elements() + n_) * k_; }
    static i64 cuts(i64 rows, i64 wanted) { return std::clamp<i64>(rows, 1, wanted); }
    // The first row of a part: rows are cut where their elements, and the rows themselves, are as many.
    i64 cut(i64 part, i64 parts) const {
        if (part == 0 || part == parts) return part == 0 ? 0 : n_;
        i64 const first = m_.begin(0), all = elements() + n_, wanted = all / parts * part + all % parts * part / parts;
        i64 low = 0, high = n_;
        while (low < high) {
            i64 const middle = (low + high) / 2;
            if (m_.begin(middle) - first + middle < wanted) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    void by_dense(i64 begin, i64 end) const {
        if (k_ == 1) {
            for (i64 row = begin; row < end; ++row) {
                V sum = 0;
                for (i64 e = m_.begin(row), last = m_.end(row); e < last; ++e)
                    sum += m_.values[e] * dense_[m_.column(e)];
                to_[row] = sum;
            }
            return;
        }
        for (i64 row = begin; row < end; ++row) {
            V* const to = to_ + row * k_;
            std::fill_n(to, k_, V{0});
            i64 const first = m_.begin(row);
            kernels_.gather(m_.values + first, m_.indices + first, m_.end(row) - first, dense_, k_, to);
        }
    }

    void by_sparse(i64 begin, i64 end) const {
        rows_of<V, I> const other(a_.other);
        for (i64 row = begin; row < end; ++row) {
            V* const to = to_ + row * k_;
            std::fill_n(to, k_, V{0});
            for (i64 e = m_.begin(row); e < m_.end(row); ++e) {
                V const value = m_.values[e];
                i64 const from = m_.column(e);
                for (i64 o = other.begin(from); o < other.end(from); ++o)
                    to[other.column(o)] += value * other.values[o];
            }
        }
    }

    // Adds rows of the transpose's product, of some columns, to a result.
    void scatter(i64 begin, i64 end, i64 column, i64 count, V* to) const {
        if (k_ == 1) {
            for (i64 row = begin; row < end; ++row) {
                V const x = dense_[row];
                for (i64 e = m_.begin(row), last = m_.end(row); e < last; ++e) to[m_.column(e)] += m_.values[e] * x;
            }
            return;
        }
        for (i64 row = begin; row < end; ++row) {
            i64 const first = m_.begin(row), elements = m_.end(row) - first;
            kernels_.scatter(m_.values + first, m_.indices + first, elements, dense_ + row * k_ + column, count,
                             to + column, k_);
        }
    }
    // Rows are cut into parts with results of their own where these are small; else columns of the result are cut, each
    // of which has the same sums in any cut.
    void transposed() const {
        i64 const size = a_.matrix.columns * k_;
        std::fill_n(to_, size, V{0});
        if (n_ == 0) return;
        i64 const parts =
            size > most_sums ? 1 : cuts(n_, std::clamp<i64>(work() / (4 * std::max(task_work, size)), 1, most_parts));
        if (parts == 1) {
            i64 const most = work() < 2 * task_work ? 1 : std::min<i64>(sched::thread_count(), k_ / least_columns);
            i64 const pieces = std::max<i64>(1, most);
            return chunked::for_each_task(pieces, [&](i64 p) {
                i64 const first = k_ * p / pieces;
                scatter(0, n_, first, k_ * (p + 1) / pieces - first, to_);
            });
        }
        scratch<V> others((parts - 1) * size);
        others.fill_bytes(0);
        chunked::for_each_task(parts, [&](i64 p) {
            scatter(cut(p, parts), cut(p + 1, parts), 0, k_, p == 0 ? to_ : others.data() + (p - 1) * size);
        });
        for (i64 p = 1; p < parts; ++p)
            for (i64 i = 0; i < size; ++i) to_[i] += others[(p - 1) * size + i];
    }

    sparse_product_args const& a_;
    sparse_kernels<V, I> const& kernels_;
    rows_of<V, I> m_;
    i64 n_, k_;
    V const* dense_;
    V* to_;
};

template <class V> void of_indices(sparse_product_args const& a) {
    if (a.index_type == type_id::int32) product_of_sparse<V, std::int32_t>(a).run();
    else product_of_sparse<V, std::int64_t>(a).run();
}

}  // namespace

status sparse_product(sparse_product_args const& a) noexcept {
    bool const known = (a.type == type_id::float64 || a.type == type_id::float32) &&
                       (a.index_type == type_id::int32 || a.index_type == type_id::int64);
    if (!known) return fail(status::not_supported, "[sparse_product] expected values of float64 or float32");
    return guarded("[sparse_product] no memory for the sums", [&] {
        if (a.type == type_id::float64) of_indices<double>(a);
        else of_indices<float>(a);
        return status::ok;
    });
}

}  // namespace bascule::cpu::linalg

// Einstein's notation on few elements: all sums of products in one nest of loops, in the order of the labels.
#include <algorithm>

#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/last_error.hpp"

namespace bascule::cpu {
namespace {

template <class T> struct nest {
    contract_args const& l;
    T const* from[contract_args::most_operands];
    T* to;

    // As the only one of a sum, which begins at +0.
    T product(std::int64_t const* at) const {
        T p = from[0][at[0]];
        for (int k = 1; k < l.operands; ++k) p = static_cast<T>(p * from[k][at[k]]);
        return static_cast<T>(T{} + p);
    }

    // Sums over the last label.
    void sum_run(std::int64_t const* start, int label) const {
        std::int64_t const n = l.size[label];
        T const *x = from[0] + start[0], *y = l.operands > 1 ? from[1] + start[1] : nullptr;
        std::int64_t const sx = l.step[0][label], sy = l.step[1][label];
        T total = to[start[l.operands]];
        if (l.operands == 1) {
            for (std::int64_t i = 0; i < n; ++i) total = static_cast<T>(total + x[i * sx]);
        } else if (l.operands == 2) {
            for (std::int64_t i = 0; i < n; ++i) total = static_cast<T>(total + static_cast<T>(x[i * sx] * y[i * sy]));
        } else {
            T const* z = from[2] + start[2];
            std::int64_t const sz = l.step[2][label];
            for (std::int64_t i = 0; i < n; ++i)
                total = static_cast<T>(total + static_cast<T>(static_cast<T>(x[i * sx] * y[i * sy]) * z[i * sz]));
        }
        to[start[l.operands]] = total;
    }

    // Products of any number of operands, an element of the output each.
    void write_run(std::int64_t const* start, int label) const {
        std::int64_t at[contract_args::most_operands + 1];
        std::copy(start, start + l.operands + 1, at);
        for (std::int64_t i = 0; i < l.size[label]; ++i) {
            to[at[l.operands]] = product(at);
            for (int k = 0; k <= l.operands; ++k) at[k] += l.step[k][label];
        }
    }

    // Whether the output's last label steps through one operand's elements while the other one's element stays the
    // same.
    bool goes_by_rows() const {
        if (l.operands != 2 || l.kept == 0) return false;
        if (l.kept == l.labels) return true;
        int const row = l.kept - 1;
        auto const x = l.step[0][row], y = l.step[1][row];
        return l.size[row] >= 4 && ((x == 0 && y == 1) || (x == 1 && y == 0));
    }

    // Adds the products of two operands to a contiguous row of the output.
    void add_row(std::int64_t const* start, int label) const {
        std::int64_t const n = l.size[label], sx = l.step[0][label], sy = l.step[1][label];
        T const *x = from[0] + start[0], *y = from[1] + start[1];
        T* const r = to + start[2];
        if (sx == 0 && sy == 1) {
            T const v = *x;
            for (std::int64_t i = 0; i < n; ++i) r[i] = static_cast<T>(r[i] + static_cast<T>(v * y[i]));
        } else if (sx == 1 && sy == 0) {
            T const v = *y;
            for (std::int64_t i = 0; i < n; ++i) r[i] = static_cast<T>(r[i] + static_cast<T>(x[i] * v));
        } else {
            for (std::int64_t i = 0; i < n; ++i) r[i] = static_cast<T>(r[i] + static_cast<T>(x[i * sx] * y[i * sy]));
        }
    }

    // The labels in `order`, the last one by `inner`.
    template <class F> void walk(int const* order, int count, std::int64_t const* start, F const& inner) const {
        if (count == 1) return inner(start, order[0]);
        int const label = order[0];
        std::int64_t at[contract_args::most_operands + 1];
        std::copy(start, start + l.operands + 1, at);
        for (std::int64_t i = 0; i < l.size[label]; ++i) {
            walk(order + 1, count - 1, at, inner);
            for (int k = 0; k <= l.operands; ++k) at[k] += l.step[k][label];
        }
    }

    void run() const {
        std::int64_t const start[contract_args::most_operands + 1] = {};
        if (l.labels == 0) {
            to[0] = product(start);
            return;
        }
        int order[contract_args::most_labels];
        int n = 0;
        int const row = l.kept - 1;
        bool const by_rows = goes_by_rows();
        for (int k = 0; k < l.labels; ++k)
            if (!(by_rows && k == row)) order[n++] = k;
        if (by_rows) order[n++] = row;
        if (by_rows) walk(order, n, start, [this](auto const* at, int label) { add_row(at, label); });
        else if (l.kept == l.labels) walk(order, n, start, [this](auto const* at, int label) { write_run(at, label); });
        else walk(order, n, start, [this](auto const* at, int label) { sum_run(at, label); });
    }
};

template <class T> status run(contract_args const& a) noexcept {
    nest<T> n{a, {}, static_cast<T*>(a.to)};
    for (int k = 0; k < a.operands; ++k) n.from[k] = static_cast<T const*>(a.from[k]);
    std::fill_n(n.to, a.elements, T{});
    n.run();
    return status::ok;
}

}  // namespace

status contract(contract_args const& a) noexcept {
    switch (a.dtype) {
        case type_id::float64: return run<double>(a);
        case type_id::float32: return run<float>(a);
        case type_id::int64: return run<std::uint64_t>(a);
        default: break;
    }
    set_last_error("[contract] elements are float64, float32 or int64");
    return status::not_supported;
}

}  // namespace bascule::cpu

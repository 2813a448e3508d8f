// Running aggregates along the last dimension, one by one in order: a thread a row. Words, for R dimensions: 0 number of
// rows; 1 extents (R), the last of them a row's length; the input and the output, each a base and R strides; then where
// floating-point errors are noted and which are asked for.
#pragma once
#include "backend/cuda/kernels/fp_errors.cuh"
#include "backend/cuda/kernels/indexed.cuh"
#include "bascule/ops/extrema.hpp"

namespace bascule::cuda {

template <class Op>
inline constexpr bool is_extremum = ops::same_type<Op, ops::minimum> || ops::same_type<Op, ops::maximum> ||
                                    ops::same_type<Op, ops::fmin> || ops::same_type<Op, ops::fmax>;

// What is looked for at each step: nothing, errors, or underflow too.
enum class look { away, at_errors, at_underflow };

// float16 is computed in float32 and rounded at every step. Of two zeros NumPy's extrema of this type, and of no other,
// keep the first.
template <class Op, class T, look Look> struct joining {
    std::uint32_t found = 0;

    __device__ T operator()(T a, T b) {
        if constexpr (ops::same_type<T, float16>) {
            float const x = ops::to_float32(a), y = ops::to_float32(b);
            if (is_extremum<Op> && x == y) return a;
            float const exact = static_cast<float>(Op{}(x, y));
            T const r = ops::to_float16(exact);
            if constexpr (Look != look::away) found |= fp_errors_of<Op>(ops::to_float32(r), x, y);
            if constexpr (Look == look::at_underflow) found |= cast_underflows(r, exact) ? ops::fp::under : ops::fp::none;
            return r;
        } else {
            T const r = static_cast<T>(Op{}(a, b));
            if constexpr (Look != look::away) found |= fp_errors_of<Op>(r, a, b);
            if constexpr (Look == look::at_underflow) found |= underflow_of<Op>(r, a, b);
            return r;
        }
    }
};

template <int R, class P> struct scan_words {
    static constexpr int in = operand_words<R>(0), out = operand_words<R>(1), flags = operand_words<R>(2), check = flags + 1;
    P const& p;
    __device__ std::int64_t length() const { return static_cast<std::int64_t>(p[R]); }
    __device__ std::uint64_t from(coordinates<R> const& row) const { return p[in] + row.offset(p, in); }
    __device__ std::uint64_t to(coordinates<R> const& row) const { return p[out] + row.offset(p, out); }
    template <class Join> __device__ void report_of(Join const& join) const {
        if (join.found) report(p[flags], 0, join.found & static_cast<std::uint32_t>(p[check]));
    }
};

// Some elements are loaded at once, so that they are not waited for one by one
template <int R, class Op, class T, look Look, class P> __device__ inline void scan_rows(P const& p) {
    constexpr int batch = 8;
    using words = scan_words<R, P>;
    words const w{p};
    std::int64_t const length = w.length();
    joining<Op, T, Look> join;
    each_item(p[0], [&](std::uint64_t row) {
        coordinates<R> const here(p, row * p[R]);
        std::uint64_t from = w.from(here), to = w.to(here);
        T running{};
        for (std::int64_t first = 0; first < length; first += batch) {
            int const count = length - first < batch ? static_cast<int>(length - first) : batch;
            T next[batch];
#pragma unroll
            for (int k = 0; k < batch; ++k)
                if (k < count) next[k] = load_element<T>(from + k * p[words::in + R]);
#pragma unroll
            for (int k = 0; k < batch; ++k)
                if (k < count) {
                    running = first + k == 0 ? next[k] : join(running, next[k]);
                    *at<T>(to + k * p[words::out + R], 0) = running;
                }
            from += batch * p[words::in + R];
            to += batch * p[words::out + R];
        }
    });
    w.report_of(join);
}

}  // namespace bascule::cuda

// Running aggregates along the last dimension, one by one in order: a thread a row. Words, for R dimensions: 0 number
// of rows; 1 extents (R), the last of them a row's length; the input and the output, each a base and R strides.
#pragma once
#include "backend/cuda/kernels/indexed.cuh"
#include "bascule/ops/extrema.hpp"
#include "bascule/ops/float16_conversion.hpp"

namespace bascule::cuda {

template <class Op>
inline constexpr bool is_extremum = ops::same_type<Op, ops::minimum> || ops::same_type<Op, ops::maximum> ||
                                    ops::same_type<Op, ops::fmin> || ops::same_type<Op, ops::fmax>;

// float16 is computed in float32 and rounded at every step. Of two zeros NumPy's extrema of this type, and of no other,
// keep the first.
template <class Op, class T> __device__ inline T joined(T a, T b) {
    if constexpr (ops::same_type<T, float16>) {
        float const x = ops::to_float32(a), y = ops::to_float32(b);
        return is_extremum<Op> && x == y ? a : ops::to_float16(static_cast<float>(Op{}(x, y)));
    } else {
        return static_cast<T>(Op{}(a, b));
    }
}

template <int R, class Op, class T, class P> __device__ inline void scan_rows(P const& p) {
    constexpr int in = operand_words<R>(0), out = operand_words<R>(1);
    std::int64_t const length = static_cast<std::int64_t>(p[R]);
    each_item(p[0], [&](std::uint64_t row) {
        coordinates<R> here(p, row * p[R]);
        std::uint64_t from = p[in] + here.offset(p, in), to = p[out] + here.offset(p, out);
        T running{};
        for (std::int64_t i = 0; i < length; ++i, from += p[in + R], to += p[out + R]) {
            T const next = load_element<T>(from);
            running = i == 0 ? next : joined<Op>(running, next);
            *at<T>(to, 0) = running;
        }
    });
}

}  // namespace bascule::cuda

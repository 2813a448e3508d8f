// Argument structs of backend::algorithm for arrays whose results come from few elements each: values between samples,
// sliding products, sums of products by labels, bits. Plain data.
#pragma once
#include "bascule/core/backend.hpp"

namespace bascule {

// algorithm_kind::interpolate. out[i] lies at x[i] on the line between the samples around it; all is float64, dense.
// Left of the first sample is `left`, right of the last one `right`; NaN stays. Where the slope from one end gives NaN,
// the one from the other end is taken, and where the ends are equal, their value.
struct interpolate_args {
    void const* x = nullptr;
    std::int64_t count = 0;
    void const *xp = nullptr, *fp = nullptr;
    std::int64_t samples = 0;                  // at least two
    bool has_left = false, has_right = false;  // else those of the first and the last sample
    double left = 0, right = 0;
    void* out = nullptr;
    bool ascends = false;  // found: where the positions do not, nothing was computed
};

// algorithm_kind::convolve. out[i] is the sum of line[i - before + k] * taps[k] over those k, in order, that lie within
// the line. float64, float32, and 64 or 32 bits that wrap around.
struct convolve_args {
    type_id dtype = type_id::float64;
    void const* line = nullptr;
    std::int64_t length = 0;
    void const* taps = nullptr;
    std::int64_t count = 0;  // of the taps, at most most_taps and the line's length
    std::int64_t before = 0;
    bool turned = false;  // the last tap first
    void* out = nullptr;
    std::int64_t positions = 0;
    static constexpr std::int64_t most_taps = 64;
};

// algorithm_kind::contract. The output's element at its labels is the sum over all other labels of the product of the
// operands, one after the other in the order of the labels, of which the output's come first. Steps are in elements.
// float64, float32, and uint64, which wraps around.
struct contract_args {
    static constexpr int most_operands = 3, most_labels = 12;
    type_id dtype = type_id::float64;
    int labels = 0, kept = 0, operands = 0;
    std::int64_t size[most_labels] = {};
    std::int64_t step[most_operands + 1][most_labels] = {};  // of operands, then of the output
    void const* from[most_operands] = {};
    void* to = nullptr;         // dense
    std::int64_t elements = 0;  // of the output
};

// pack_bits: each bit is whether an element of one byte is not zero, eight to a byte; the last byte is filled with
// zeros. unpack_bits is the inverse, into a byte for each bit.
struct pack_bits_args {
    void const* from = nullptr;
    std::int64_t count = 0;     // elements of `from`
    bool lowest_first = false;  // which bit belongs to the first of eight elements
    void* to = nullptr;
};

}  // namespace bascule

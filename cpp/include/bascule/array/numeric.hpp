// Numerical functions of samples: slopes, differences, values between samples, sliding products, sums of products,
// bits. Compositions of ops are as lazy as they are; the rest runs at the call.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "bascule/array/array.hpp"

namespace bascule {

// Central differences along an axis, one-sided at its ends, of float64 or float32; at least two samples. Empty: the
// ends of a line raise floating-point errors, which are reported as those of scalars.
std::optional<array> gradient(array const& f, double step, int axis);
// Each element along an axis less the one before it.
array diff(array const& a, int axis);
// n >= 2 numbers of float64 from `first` on, so far apart that `last` is the last one, or (`endpoint` false) would be
// the next. Empty: the step is zero or infinite.
std::optional<array> linspace(device where, double first, double last, std::int64_t n, bool endpoint);
// first, first + step, ... of float64, with NumPy's roundings.
array arange(device where, double first, double step, std::int64_t n);

// Frequencies of a transform of n samples, in steps of `unit`, the negative ones behind.
array fft_frequencies(device where, std::int64_t n, double unit);

// The fractional and the integral parts of floats.
std::pair<array, array> fractional_and_whole(array const& x);

// Lines between samples at x, all of float64; at least two samples. Empty: their positions do not ascend, or the device
// has no algorithm for it.
std::optional<array> interpolate(array const& x, array const& xp, array const& fp, std::optional<double> left,
                                 std::optional<double> right);

// Sums of line[i - before + k] * taps[k] for i = 0, ..., positions - 1; see convolve_args. Empty: none for these.
std::optional<array> convolve(array const& line, array const& taps, std::int64_t before, std::int64_t positions,
                              bool turned);

// Sums of products of operands of one type, whose axes have labels; the output keeps the first `kept` of them. Empty:
// there is more work than one nest of loops is good for, or extents of a label differ.
std::optional<array> contract(std::span<array const> operands, std::span<std::string_view const> labels, int count,
                              int kept);

// The flattened array's elements, of one byte each, as bits, and bytes' bits as uint8. Empty: the device cannot.
std::optional<array> pack_bits(array const& a, bool lowest_first);
std::optional<array> unpack_bits(array const& a, bool lowest_first);

}  // namespace bascule

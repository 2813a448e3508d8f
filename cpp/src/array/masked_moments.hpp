// mean, var and std over the elements that a mask selects.
#pragma once
#include "bascule/array/array.hpp"

namespace bascule {

bool is_moment(char const* aggregate);
// `mask` is bool and broadcasts against the input; where it selects nothing the result is NaN.
array masked_moment(char const* aggregate, array const& input, array const& mask, std::uint64_t axes, bool keepdims,
                    double ddof);

}  // namespace bascule

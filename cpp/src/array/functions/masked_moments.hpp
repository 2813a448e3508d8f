// mean, var and std in NumPy's steps, by sums: over the elements that a mask selects, of float16, whose squares and
// their sum may overflow, and of complex numbers in a real type.
#pragma once
#include <optional>

#include "bascule/array/array.hpp"

namespace bascule {

bool is_moment(char const* aggregate);
bool overflows_on_the_way(char const* aggregate, type_id t);
// Of complex numbers NumPy adds up the whole squares in the real type `as`, and only their mean loses its imaginary
// part.
bool sums_real_squares(char const* aggregate, type_id t, type_id as);
// `mask`, if any, is bool and broadcasts against the input; where nothing is selected the result is NaN. Sums are taken
// in `type`, if any.
array moment_by_steps(char const* aggregate, array const& input, array const* mask, std::uint64_t axes, bool keepdims,
                      double ddof, std::optional<type_id> type = {});

}  // namespace bascule

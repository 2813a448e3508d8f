// Reductions: an aggregation of the table over some axes, lazily behind the chain that feeds it (design rule 8).
#pragma once
#include <optional>

#include "bascule/array/elementwise.hpp"

namespace bascule {

struct aggregation_options {
    std::uint64_t axes = ~std::uint64_t{0};  // one bit an axis; bits beyond the rank are ignored
    bool keepdims = false;
    std::optional<type_id> type;  // to reduce in and to return
    array const* out = nullptr;
    argument const* initial = nullptr;
    array const* where = nullptr;  // bool, broadcast against the input
    double ddof = 0;
};

// Throws value_error for an empty reduction without identity, type_error for a type the aggregation does not know.
array reduce_with(std::uint16_t aggregate, array const& a, aggregation_options const& options = {});

// Throws value_error for a mask of more axes than the input, or one that would repeat it.
void check_mask(array const& input, array const& mask);

// The shape of the result; one bit an axis that is reduced.
dims reduced_shape(dims const& shape, std::uint64_t reduced, bool keepdims);
bool all_finite(array const& a);
// The least and the greatest of integers, of which there are some, as int64.
struct number_range {
    std::int64_t least, most;
};
number_range range_of(array const& a);

// Complex products can overflow at a factor, and which parts become NaN then depends on the order of the products.
// NumPy multiplies one after the other; runs of up to 1024 factors are multiplied so in any case.
bool may_leave_the_finite(std::uint16_t aggregate, type_id t, std::int64_t factors);

}  // namespace bascule

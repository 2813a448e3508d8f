// The error of a conversion whose elements no array can hold.
#pragma once
#include "bascule/core/error.hpp"

namespace bascule::python {

struct refused_dtype : type_error {
    using type_error::type_error;
};

}  // namespace bascule::python

// The filters of Python's warnings: a lazy operation warns under those of its call, whenever it is computed.
#pragma once
#include <cstddef>

#include "array_object.hpp"

namespace bascule::python::warning_filters {

struct filters {
    PyObject* list = nullptr;  // a copy, which nobody changes
    std::size_t number = 0;
    bool raises = false, ignores = false;  // RuntimeWarning, at least one; every one
};

// Those that hold now. The GIL is held.
filters const& now() noexcept;

// Filters that held earlier, in force again until the end of the scope.
class of_a_while {
public:
    explicit of_a_while(std::size_t number) noexcept;
    ~of_a_while();
    of_a_while(of_a_while const&) = delete;
    of_a_while& operator=(of_a_while const&) = delete;

private:
    PyObject* before_ = nullptr;
};

}  // namespace bascule::python::warning_filters

// Calls on small arrays in the host's memory, done at once: no node, no plan, no thread. What is not that common
// declines, and the general form answers.
#pragma once
#include "array_object.hpp"

namespace bascule::python {

// So few elements are computed at the call (rule 3).
bool is_small_count(std::int64_t n);
// In the host's memory, there, few, one behind the other, and each byte what it seems.
bool is_plain_small(array const& a);

// Extents or axes given one by one or as a tuple; empty: not plain integers.
std::optional<dims> plain_integers(std::span<PyObject* const> args);

// a[positions] of one axis and positions of int64; null without an error: another case, or a position out of bounds.
PyObject* small_gather(array const& a, array const& positions);

bool add_small_calls(PyObject* module);
bool add_small_einsum(PyObject* module);

}  // namespace bascule::python

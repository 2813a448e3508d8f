// Calls on small arrays in the host's memory, done at once: no node, no plan, no thread. What is not that common
// declines, and the general form answers.
#pragma once
#include "functions.hpp"

namespace bascule::python {

// Positional arguments, and behind them those that `names` has names for; null without an error where the Python
// function of the same name is to answer.
using quick_form = PyObject* (*)(std::span<PyObject* const> args, PyObject* names);
quick_form reduction_function(std::string_view name);  // sum, max and the like; null: no such

// The first element of what lies in memory.
template <class T> T* begin_of(array const& a) { return reinterpret_cast<T*>(a.memory()->data() + a.offset); }

// The op into an array, in the cases that quick_result answers; false: nothing was done.
bool quick_into_done(std::uint16_t op, std::span<PyObject* const> operands, PyObject* out);

bool holds_times(PyObject* o);  // an array of dates or durations
// The op of two operands of which one or both hold such, and elements in another unit; null as above.
PyObject* small_time_result(std::uint16_t op, PyObject* left, PyObject* right);
PyObject* small_time_cast(array const& a, dtype to);

// where(condition, x, y), which are plain; a @ b of vectors or matrices. Null as above.
PyObject* small_where(std::span<PyObject* const> operands);
enum class error_policy : std::uint8_t { report, ignore, decline };  // of what a product raises
PyObject* product_of_small(PyObject* a, PyObject* b, error_policy policy);
// a.take(positions) along an axis, or of all elements one behind the other (None); null as above.
PyObject* take_of(PyObject* a, PyObject* positions, PyObject* axis);

// a[positions] of a list or an array of integers; null as above.
PyObject* rows_at(PyObject* a, PyObject* positions);

using small_operand = operand_array;

bool add_small_views(PyObject* module);
bool add_small_writes(PyObject* module);

// Gives the result, or null without an error where the general form is to answer: None for Python.
template <PyObject* (*Function)(std::span<PyObject* const>), Py_ssize_t Count>
PyObject* small_entry(PyObject*, PyObject* const* args, Py_ssize_t n) noexcept {
    return guarded([&]() -> PyObject* {
        if (n != Count) throw type_error("wrong number of arguments");
        PyObject* const r = Function({args, static_cast<std::size_t>(n)});
        return r || PyErr_Occurred() ? r : Py_NewRef(Py_None);
    });
}

template <PyObject* (*Function)(std::span<PyObject* const>), Py_ssize_t Count>
PyMethodDef small_definition(char const* name) {
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(small_entry<Function, Count>)),
            METH_FASTCALL, nullptr};
}

}  // namespace bascule::python

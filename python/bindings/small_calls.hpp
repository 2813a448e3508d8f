// Calls on small arrays in the host's memory, done at once: no node, no plan, no thread. What is not that common
// declines, and the general form answers.
#pragma once
#include "array_object.hpp"

namespace bascule::python {

// Positional arguments, and behind them those that `names` has names for; null without an error where the Python
// function of the same name is to answer.
using quick_form = PyObject* (*)(std::span<PyObject* const> args, PyObject* names);
quick_form fold_function(std::string_view name);  // sum, max and the like; null: no such

// So few elements are computed at the call (rule 3).
bool is_small_count(std::int64_t n);
// In the host's memory, there, few, one behind the other, and each byte what it seems.
bool is_plain_small(array const& a);
// The same where a loop over it costs as much as one over so many elements.
bool is_plain_small(array const& a, std::int64_t work);
// The first element of what lies in memory.
template <class T> T* begin_of(array const& a) { return reinterpret_cast<T*>(a.memory()->data() + a.offset); }

// A plain integer of Python that 64 bits hold; empty: another object.
std::optional<std::int64_t> integer_from(PyObject* o);
// A float of Python's or a plain integer, of no more than 40 bits so that quotients tell how many there are; empty:
// another object.
std::optional<double> plain_number(PyObject* o);
// Extents or axes given one by one or as a tuple; empty: not plain integers.
std::optional<dims> plain_integers(std::span<PyObject* const> args);

// Of the axes from the first to the one before `to`.
inline std::int64_t product_of(dims const& shape, int from, int to) {
    std::int64_t n = 1;
    for (int d = from; d < to; ++d) n *= shape[d];
    return n;
}
inline bool in_host_memory_by_default() { return default_device().api->host_memory; }

// Work besides reading at few places: none in memory that caches hold, more and more beyond them.
inline std::int64_t work_of_reaching(array const& a) { return 1 + a.size() / 256; }
// a[key] of small arrays, by int64 positions or a list of integers, truths, or positions along each axis; null as
// above.
PyObject* small_select(array const& a, PyObject* key);
// a[key] = value, which is an element of a's type, or an array of a's type and of the shape of a[key].
bool small_put(array const& a, PyObject* key, plan_constant const* element, array const* value);
// The op into an array, in the cases that quick_result answers; false: nothing was done.
bool quick_into_done(std::uint16_t op, std::span<PyObject* const> operands, PyObject* out);
// Arrays beside each other along a new axis: (arrays, axis, how many axes they have or -1).
PyObject* small_stack(std::span<PyObject* const> args);

bool holds_times(PyObject* o);  // an array of dates or durations
// The op of two operands of which one or both hold such, and elements in another unit; null as above.
PyObject* small_time_result(std::uint16_t op, PyObject* left, PyObject* right);
PyObject* small_time_cast(array const& a, dtype to);
// a.astype(to) of a small array, but for times; null as above.
PyObject* quick_cast_result(array const& a, dtype to);

// (shape, value, dtype): filled with 0 or 1, with a float or an integer as float64 or int64, or with nothing (None); of
// any size.
PyObject* small_filled(std::span<PyObject* const> args);
// (sequence): lists or tuples of floats, of integers or of truths, or a list of such of one length.
PyObject* small_array(std::span<PyObject* const> args);
// where(condition, x, y), which are plain; a @ b of vectors or matrices. Null as above.
PyObject* small_where(std::span<PyObject* const> operands);
enum class error_policy : std::uint8_t { report, ignore, decline };  // of what a product raises
PyObject* product_of_small(PyObject* a, PyObject* b, error_policy policy);
// The same, or one number of Python's or NumPy's as an array without axes.
PyObject* array_of_numbers(PyObject* given);
// A type that is named, where it is one that arrays have.
std::optional<dtype> known_dtype(PyObject* named);
// a.take(positions) along an axis, or of all elements one behind the other: by an integer, a list of such or an array
// of int64.
PyObject* small_take(PyObject* a, PyObject* positions, std::optional<std::int64_t> axis);
// Positions of the largest, or smallest, elements of a very small array along an axis; null as above.
PyObject* small_positions(array const& a, std::int64_t axis, bool largest);

// An array among the arguments, or one made of a list or tuple of numbers on the default device.
class small_operand {
public:
    small_operand() = default;
    ~small_operand() { Py_XDECREF(made_); }
    small_operand(small_operand const&) = delete;
    small_operand& operator=(small_operand const&) = delete;

    // False: neither.
    bool take(PyObject* o) { return hold(o, is_array(o) ? nullptr : small_array({&o, 1})); }
    // Or one number, which becomes an array without axes.
    bool take_any(PyObject* o) { return hold(o, is_array(o) ? nullptr : array_of_numbers(o)); }
    // False: not at once, or there is something to tell.
    bool cast(dtype to) {
        PyObject* const other = quick_cast_result(value(), to);
        return other && hold(other, other);
    }
    [[nodiscard]] array const& value() const { return value_of(object); }

    PyObject* object = nullptr;

private:
    bool hold(PyObject* o, PyObject* made) {
        object = is_array(o) ? o : made;
        Py_XSETREF(made_, made);
        if (!object && PyErr_Occurred()) throw python_error{};
        return object != nullptr;
    }

    PyObject* made_ = nullptr;
};

bool add_quick_function_type(PyObject* module);
bool add_small_bits(PyObject* module);
bool add_small_calculus(PyObject* module);
bool add_small_calls(PyObject* module);
bool add_small_draws(PyObject* module);
bool add_small_edits(PyObject* module);
bool add_small_einsum(PyObject* module);
bool add_small_moves(PyObject* module);
bool add_small_parts(PyObject* module);
bool add_small_runs(PyObject* module);
bool add_small_searches(PyObject* module);
bool add_small_sliding(PyObject* module);
bool add_small_takes(PyObject* module);
bool add_small_triangles(PyObject* module);
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

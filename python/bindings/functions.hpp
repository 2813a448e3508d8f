// The function table: of every function that is no ufunc and has C++ code its name, its signature and that code. One
// parser reads the arguments of all of them.
#pragma once
#include <deque>
#include <vector>

#include "array_object.hpp"

namespace bascule::python {

// One for each parameter, in the order of the signature; a missing argument is its default.
using bound_arguments = std::span<PyObject* const>;

// `call` gives null without an error where the Python function of the same name is to answer.
struct function_row {
    char const* name;
    char const* signature;  // the parameters, as Python writes them
    PyObject* (*call)(bound_arguments);
    bool method_first = false;  // methods of this name of other libraries' objects take precedence
    char const* doc = "";       // of a function of the core; others have the docstring of their Python function
    std::size_t types = 0;      // of parameters, as many as the signature has; 0: the code reads the arguments itself
};
constexpr function_row core_row(char const* name, char const* signature, PyObject* (*call)(bound_arguments),
                                char const* doc) {
    return {name, signature, call, false, doc};
}

// Rows whose Python function, under `@_core.function`, has the docstring and answers uncommon calls.
std::span<function_row const> creation_functions();
std::span<function_row const> selection_functions();
std::span<function_row const> shaping_functions();
std::span<function_row const> numeric_functions();
// Rows that are functions of bascule._core: a result of None means that the call is not supported there.
std::span<function_row const> core_functions();
std::span<function_row const> view_functions();
std::span<function_row const> product_functions();
std::span<function_row const> functions_of_rows();

bool add_functions(PyObject* module);

// The parameters that a signature declares, to bind a call's arguments to.
class signature {
public:
    explicit signature(char const* text);
    static constexpr int most = 16;

    // Returns false where the arguments do not fit. `rest` keeps the arguments of *name.
    bool bind(PyObject* const* args, Py_ssize_t n, PyObject* names, PyObject** to, reference& rest) const;
    [[nodiscard]] std::size_t size() const { return parameters_.size(); }

private:
    struct parameter {
        PyObject *name, *fallback;  // null: it must be given
        bool by_position, by_name, takes_rest;
    };
    std::vector<parameter> parameters_;
    Py_ssize_t positional_ = 0;
};

// ---- readers of arguments for the rows of the table

// An exact str of these characters.
inline bool is_text(PyObject* o, char const* text) {
    return PyUnicode_CheckExact(o) && PyUnicode_CompareWithASCIIString(o, text) == 0;
}
// In the host's memory and ready, few elements, contiguous, and booleans only 0 or 1.
bool is_plain_small(array const& a);
// Indices that sort along an axis by a kind of sort; null without an error where the general form is to answer.
PyObject* small_argsort(PyObject* of, int axis, PyObject* kind);
inline bool in_host_memory_by_default() { return default_device().api->host_memory; }

// One of Python's or NumPy's numbers, or an array without axes that holds one; false: something else.
bool read_number(PyObject* o, type_id& t, plan_constant& v);
// A plain integer of Python that 64 bits hold; empty: another object.
std::optional<std::int64_t> integer_from(PyObject* o);
// The position of an axis of so many, counted from either end; empty: it is out of range.
constexpr std::optional<int> position_of(std::int64_t axis, int ndim) {
    if (axis < -ndim || axis >= ndim) return {};
    return static_cast<int>(axis < 0 ? axis + ndim : axis);
}
// The same of an object; empty for another than a plain integer, too.
std::optional<int> plain_axis(PyObject* o, int ndim);
// A float of Python's or a plain integer, of no more than 40 bits so that a quotient gives the exact number of
// elements; empty: another object.
std::optional<double> plain_number(PyObject* o);
// Extents or axes given one by one, or as a tuple or list; empty: not plain integers.
std::optional<dims> plain_integers(std::span<PyObject* const> args);
// A type that is named, where it is one that arrays have.
std::optional<dtype> known_dtype(PyObject* named);

// A short list or tuple of numbers, or of such of one length, or of arrays of one shape and type, as an array on the
// default device; null without an error: something else.
PyObject* array_of_list(PyObject* given);
// The same, or one number of Python's or NumPy's as an array without axes.
PyObject* array_of_numbers(PyObject* given);
// a.astype(to) of a small array, but for times; null as above.
PyObject* fast_cast_result(array const& a, dtype to);

// An array among the arguments, or one made of numbers.
class operand_array {
public:
    operand_array() = default;
    ~operand_array() { Py_XDECREF(made_); }
    operand_array(operand_array const&) = delete;
    operand_array& operator=(operand_array const&) = delete;

    // An array, or a list or tuple of numbers; false: neither.
    bool take(PyObject* o) { return hold(o, is_array(o) ? nullptr : array_of_list(o)); }
    // Or one number, which becomes an array without axes.
    bool take_any(PyObject* o) { return hold(o, is_array(o) ? nullptr : array_of_numbers(o)); }
    // An array of the type of another and on its device, or numbers that become elements of that type as they are.
    bool take_like(PyObject* o, array const& other);
    // False: not at once, or there is something to report.
    bool cast(dtype to) {
        if (value().type == to) return true;
        PyObject* const other = fast_cast_result(value(), to);
        return other && hold(other, other);
    }
    [[nodiscard]] array const& value() const { return value_of(object); }
    [[nodiscard]] bool is_made() const { return made_ != nullptr; }  // of numbers

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

// The arrays of a list or tuple, of which lists of numbers become such; false: something else is among them.
class operand_list {
public:
    bool take(PyObject* sequence);
    // All of their common type; false: some are dates or durations.
    bool unify();
    [[nodiscard]] std::vector<array> values() const;

private:
    std::span<PyObject* const> arrays_;  // where nothing else is among them
    std::deque<operand_array> held_;
};

// to_python of f(), which raises no floating-point errors and may take long where it reads so many elements; of nothing
// null.
template <class F> PyObject* unchecked_result_of(std::int64_t elements, F&& f) {
    std::optional<array> r = [&] {
        without_gil const released(is_long_work(elements));
        return f();
    }();
    return r ? to_python(std::move(*r)) : nullptr;
}
// The same of code that may raise them.
template <class F> PyObject* result_of(std::int64_t elements, F&& f) {
    checked_call const scope(checked_call::gil{is_long_work(elements)});
    return unchecked_result_of(elements, f);
}
// As calls give it: a value where there is no axis.
inline PyObject* value_or_array(array r) {
    r.scalar = r.ndim() == 0;
    return scalar_or_array(std::move(r));
}
// Null passes.
inline PyObject* value_or_array(PyObject* r) {
    if (!r || value_of(r).ndim() != 0) return r;
    value_of(r).scalar = true;
    return scalar_or_array(r);
}
// That of f(), as above.
template <class F> PyObject* value_or_array(std::int64_t elements, F&& f) {
    return value_or_array(result_of(elements, f));
}
PyObject* tuple_of(std::vector<array> all);

// ---- common calls that methods, operators and rows share; null without an error where the general form is to answer

// Positional arguments, and behind them those that `names` has names for.
using fast_form = PyObject* (*)(std::span<PyObject* const> args, PyObject* names);
fast_form reduction_function(std::string_view name);  // sum, max and the like; null: no such

// The op into an array, in the cases that fast_result answers; false: nothing was done.
bool fast_into_done(std::uint16_t op, std::span<PyObject* const> operands, PyObject* out);

// The op of two operands of which one or both hold dates or durations, and elements in another unit.
PyObject* small_time_result(std::uint16_t op, PyObject* left, PyObject* right);
PyObject* small_time_cast(array const& a, dtype to);

// where(condition, x, y), which are plain; a @ b of vectors or matrices.
PyObject* small_where(std::span<PyObject* const> operands);
enum class error_policy : std::uint8_t { report, ignore, decline };  // for errors of a product
PyObject* product_of_small(PyObject* a, PyObject* b, error_policy policy);
// a.take(positions) along an axis, or of all elements one behind the other (None).
PyObject* take_of(PyObject* a, PyObject* positions, PyObject* axis);
// The positions of the nonzero elements, an array for each axis.
PyObject* nonzero_of(PyObject* a);
// a[positions] of a list or an array of integers.
PyObject* rows_at(PyObject* a, PyObject* positions);

}  // namespace bascule::python

// The hot Python types, as raw CPython heap types, and the conversions they share with the rest of the bindings.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bascule/array/elementwise.hpp"
#include "bascule/array/errstate.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/core/error.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::python {

struct array_object {
    PyObject_HEAD array value;
    PyObject* weak_references;
    PyObject* base;  // the array that this one is a view of; null: none
};

extern PyTypeObject* array_type;  // bascule.ndarray
extern PyTypeObject* ufunc_type;  // bascule.ufunc

// The numbers of ops and aggregates by their names.
constexpr std::uint16_t number_of(char const* name) { return static_cast<std::uint16_t>(ops::find(name)); }
constexpr std::uint16_t aggregate_of(char const* name) { return static_cast<std::uint16_t>(ops::find_aggregate(name)); }

// The error of a conversion whose elements no array can hold.
struct refused_dtype : type_error {
    using type_error::type_error;
};

bool add_array_type(PyObject* module);
bool give_class(PyTypeObject* arrays);  // sets the metaclass, which isinstance() calls
void count_numpys_arrays(bool yes);     // whether NumPy's arrays answer it as ours
bool add_ufunc_type(PyObject* module);

inline bool is_array(PyObject* o) { return Py_TYPE(o) == array_type; }
inline array& value_of(PyObject* o) { return reinterpret_cast<array_object*>(o)->value; }
PyObject* view_to_python(array a, PyObject* of);  // to_python with a base, where `a` shares the memory of `of`
PyObject* new_array();                            // without a value yet; throws python_error
PyObject* new_view(PyObject* of);                 // of the same memory, without a shape yet; throws python_error
PyObject* to_python(array a);  // a new reference; null with an error set never happens for lack of memory alone

// ---- scalars (rule 16; scalars.cpp)
// A value on a device is an array without axes with a flag; so are scalars of the Array API's namespace.
bool is_numpy_scalar(PyObject* o);
inline bool is_kept_scalar(PyObject* o) { return is_array(o) && value_of(o).scalar; }
PyObject* numpy_scalar(plan_constant const& v, dtype t);  // throws python_error
// The result of a call: NumPy's own scalar for a flagged array whose memory is the host's. Drops `r`; null passes.
PyObject* scalar_or_array(PyObject* r);
PyObject* scalar_or_array(array a);
// The same of an operation on `a` and `b`: flagged arrays give flagged arrays.
inline PyObject* scalar_or_array(PyObject* r, PyObject* a, PyObject* b) {
    return is_kept_scalar(a) || is_kept_scalar(b) ? r : scalar_or_array(r);
}

void drop_array(PyObject* o) noexcept;  // its tp_dealloc

// Turns the C++ exception in flight into a Python one; returns null so that callers can `return raise_current();`.
PyObject* raise_current() noexcept;

// ---- floating-point errors (errors.cpp) Operations made in this scope are checked as np.errstate says.
class checked_call : errstate::scope {
public:
    explicit checked_call(bool scalars = false) noexcept;
    // For operations in a scope of without_gil(released): values that need Python are read in the constructor.
    struct gil {
        bool released;
    };
    explicit checked_call(gil g) noexcept;
};
std::uint8_t enabled_fp_errors() noexcept;  // ops::fp bits
void watch_errors();
std::uint16_t number_of_sentence(std::string_view text);  // of a warning of our own, for errstate::kind::sentence
// config.fp_warnings: lazy operations warn at the call where warnings are recorded, never there, or always.
enum class warning_time : std::uint8_t { automatic, late, at_once };
extern warning_time warnings_come;
// Reports the floating-point errors found, as np.errstate says; false with an error set.
bool report_fp_errors() noexcept;
inline PyObject* with_fp_errors_reported(PyObject* result) noexcept {
    if (!errstate::current.found || !result || report_fp_errors()) return result;
    Py_DECREF(result);
    return nullptr;
}

// Runs f() -> PyObject* and turns exceptions into Python errors.
template <class F> PyObject* guarded(F&& f) noexcept {
    try {
        return with_fp_errors_reported(f());
    } catch (...) { return raise_current(); }
}

// ---- calls with elements that no array can hold (numpys_calls.cpp) The error that is set becomes NumPy's answer to
// the whole call, or stays: of a call from within the package or on a device, and another error. `kind` is "function",
// "method" (with itself first), "operator", "in place" or "assignment".
PyObject* by_numpy(char const* kind, PyObject* what, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept;
PyObject* by_numpy(char const* kind, char const* name, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept;
inline PyObject* or_by_numpy(PyObject* r, char const* kind, char const* name, PyObject* a, PyObject* b) noexcept {
    if (r) return r;
    PyObject* const operands[] = {a, b};
    return by_numpy(kind, name, operands, 2, nullptr);
}
PyObject* method_by_numpy(char const* name, PyObject* self, PyObject* const* args, Py_ssize_t n,
                          PyObject* names) noexcept;
void set_refusal(char const* text) noexcept;  // the error of refused_dtype
bool add_refusal(PyObject* module);
void set_take_over(PyObject* callable);  // (kind, what, args, keywords, error) -> result, or NotImplemented

// ---- such calls once more (remembered_calls.cpp) Whether NumPy ran a function before with arguments of the same
// kinds: then it has run again.
bool run_remembered(PyObject* what, PyObject* const* args, Py_ssize_t n, PyObject* names, PyObject*& result) noexcept;
void note_numpys_call(PyObject* theirs, PyObject* counted);  // the call that take_over answers is to be remembered
void remember_call(PyObject* what, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept;
void forget_calls();
// builtins.__import__ that calls `hook` for modules of these names (a tuple of strings), else `usual`
// (import_filter.cpp).
PyObject* import_filter(PyObject* names, PyObject* hook, PyObject* usual);
void set_package_folder(PyObject* path);  // calls from files below it are not NumPy's

// Drops a new reference at the end of its scope.
struct reference {
    PyObject* p;
    ~reference() { Py_XDECREF(p); }
};

// An error that is already set in Python travels through C++ as this.
struct python_error {};

// The object's bool(); throws its exceptions.
inline bool boolean_of(PyObject* o) {
    int const boolean = PyObject_IsTrue(o);
    if (boolean < 0) throw python_error{};
    return boolean == 1;
}

// Gives the GIL up while kernels may run for long. Handlers of signals run meanwhile all the same, now and then.
class without_gil {
public:
    explicit without_gil(bool yes);
    ~without_gil();
    without_gil(without_gil const&) = delete;
    without_gil& operator=(without_gil const&) = delete;

private:
    friend bool handler_raised() noexcept;
    PyThreadState* state_;
    without_gil* outer_ = nullptr;
    std::chrono::steady_clock::time_point looked_;  // for signals
};
void watch_signals();  // Ctrl-C ends an evaluation between kernels
inline bool is_long_work(std::int64_t elements) { return elements >= 4096; }
void evaluate_released(array const& a);  // evaluates without the GIL

// ---- conversions
enum class accept : std::uint8_t { operators, everything };  // operators decline types they do not know

// One argument of an operation, with the reference that keeps it alive.
struct held_argument {
    array held;
    argument arg;

    // Keeps the present value, even if other code changes the Python object meanwhile.
    void own() {
        if (arg.a && arg.a != &held) held = *arg.a, arg.a = &held;
    }
};
// The value of one of NumPy's own numbers; false: it is none, or a time.
bool numpy_number(PyObject* o, type_id& t, plan_constant& to);
// The same of NumPy's dates and durations, with their unit.
bool numpy_time_value(PyObject* o, dtype& t, plan_constant& to);
// False (no error set) when `o` is of a type an operator should decline; throws python_error or bascule errors.
bool to_argument(PyObject* o, held_argument& out, accept what, device like);
// The same for an operand of an op with others: where the op computes with floats, Python integers beyond 64 bits are
// floats.
bool to_operand(PyObject* o, held_argument& out, accept what, PyObject* alongside, device like, std::uint16_t op);

// The op on operands that are small arrays with axes or Python's numbers, in the common cases
// (bascule/array/eager.hpp); null without an error where it is to be called the general way.
PyObject* fast_result(std::uint16_t op, std::span<PyObject* const> operands);
// The same where NumPy's ufunc dispatches (NEP 13), by the arguments of __array_ufunc__.
PyObject* fast_override(PyObject* self, std::span<PyObject* const> args);
// The same of operands without axes: values, and Python's numbers (scalars.cpp).
PyObject* scalar_result(std::uint16_t op, std::span<PyObject* const> operands);
// `values`: there are such, and else Python's and NumPy's numbers only; otherwise no operand was read.
PyObject* scalar_result(std::uint16_t op, std::span<PyObject* const> operands, bool& values);
PyObject* scalar_power(PyObject* a, PyObject* b);
// a op= b of small arrays, as above; false: nothing was done.
bool fast_in_place_done(std::uint16_t op, PyObject* a, PyObject* b);
// A value without axes that is in memory now, as a Python float, int or bool; null without an error otherwise.
PyObject* plain_value(PyObject* o) noexcept;
// bool() of such a value; empty: it is none.
std::optional<bool> plain_boolean(PyObject* o) noexcept;
// The offset in bytes of the element that Python's integers and integer values select; empty: the key is another one,
// or invalid.
std::optional<std::int64_t> element_offset(array const& a, PyObject* key);
// v as an element of type t, where NumPy converts it without a word.
bool plain_element(PyObject* v, type_id t, plan_constant& to);
PyObject* iterate(PyObject* self) noexcept;  // iter(a)
bool add_iterator_types(PyObject* module);
PyObject* fast_reduction_result(std::uint16_t aggregate, PyObject* self);  // of all elements
PyObject* matrix_multiply(PyObject* a, PyObject* b) noexcept;              // a @ b

// Raises NumPy's errors for a Python scalar before it is written as a value of `t`.
void check_python_scalar(argument const& v, type_id t);

// A comparison with a Python integer that the array's type cannot hold has one answer for all elements; empty: it fits.
std::optional<array> compare_far_integer(std::uint16_t op, PyObject* a, PyObject* b);

// Units, NaT and the mixed signatures of datetime64 and timedelta64 are resolved by bascule.datetimes, which registers
// a callable (name, inputs, keywords) here; calls that need no resolving use the ordinary loops.
bool needs_time_rules(std::uint16_t op, std::span<argument const> args);
PyObject* by_time_rules(char const* name, std::span<PyObject* const> inputs, PyObject* keywords);
bool has_no_loop();  // whether the error that is set says that a ufunc has none for the types; it is dropped then
void set_time_rules(PyObject* callable);
// ufunc, positional arguments, keywords -> result, of calls that name their loop (ufunc_type.cpp).
void set_signature_rules(PyObject* callable);

// The `where` argument of a call, kept alive by `hold`; null for True, which selects everything.
array const* mask_from(PyObject* o, held_argument& hold, device like);

array array_from_numpy(PyObject* numpy_array, bool share, device where);
// The same of an operand or an output. Numbers in the other byte order are refused in the host's memory, where NumPy
// computes with them, since its result may have that order.
array operand_from_numpy(PyObject* numpy_array, bool share, device where);
bool is_numpy_array(PyObject* o);
bool is_derived(PyObject* o);     // of a class derived from NumPy's arrays that computes otherwise
bool has_first_say(PyObject* o);  // whether its operators come before those of arrays
// NumPy's operator of a ufunc's name between two objects, one of which is derived or none that arrays hold.
PyObject* numpys_operator(char const* name, PyObject* a, PyObject* b);
void drop_owner(void* python_object);  // drops a reference with the GIL, soon, from any thread
PyObject* numpy_module();
// NumPy's mark of an argument that is not given, borrowed.
inline PyObject* no_value() {
    static PyObject* const held = PyObject_GetAttrString(numpy_module(), "_NoValue");
    return held;
}
PyObject* numpy_dtype(dtype t);  // new reference
dtype dtype_from(PyObject* o);   // numpy dtype, type object or string
type_id loop_from(PyObject* o);  // the loop that a ufunc's dtype= names: a unit of time is refused
PyObject* item_to_python(plan_constant v, dtype t);

dims dims_from(PyObject* o);  // an integer or a sequence of integers
PyObject* to_tuple(dims const& d);
std::uint64_t axes_from(PyObject* axis, int ndim);  // None: all
int axis_from(PyObject* axis, int ndim);
device default_device();
device device_of(PyObject* name);          // None: the default one
std::string text_of(PyObject* text);       // throws python_error
array const& array_argument(PyObject* o);  // throws type_error if it is not an array
void set_default_device(device d);

std::vector<index_entry> index_from(PyObject* key, device where);
PyObject* get_item(PyObject* self, PyObject* key);
// Warns where complex numbers become real ones.
void warn_of_lost_imaginary_part(type_id from, type_id to);
int set_item(PyObject* self, PyObject* key, PyObject* v);

PyObject* new_ufunc(std::uint16_t op);
PyObject* new_composite_ufunc(PyObject* target, PyObject* name, int nin, int nout);

std::span<PyMethodDef const> reduction_methods();
// One table of all methods, which ends with an empty entry and lives as long as the type.
PyMethodDef* all_methods();
// The Python function behind a fast method or a @ b, for all but its common calls; false: there is no such method.
void set_general_product(PyObject* function);
bool set_general_form(std::string_view name, PyObject* function);

}  // namespace bascule::python

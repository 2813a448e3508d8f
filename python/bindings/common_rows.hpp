// Rows for the common calls of functions. Each parameter of a row's code has a type, which reads one argument. The code
// runs where all arguments are of their types; else the Python function of the same name answers.
#pragma once
#include <algorithm>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "bascule/ops/spec.hpp"
#include "functions.hpp"

namespace bascule::python {

// ---- types of parameters; `read` returns false for an object of another type

// Types that convert are read after all others, so that calls that do not fit for another reason convert nothing.
struct converting {
    static constexpr bool converts = true;
};
struct comparing {
    static constexpr bool converts = false;
};

struct any : comparing {
    PyObject* object = nullptr;
    bool read(PyObject* o) { return object = o, true; }
};

struct none : comparing {
    static bool read(PyObject* o) { return o == Py_None; }
};
struct not_given : comparing {  // np._NoValue
    static bool read(PyObject* o) { return o == no_value(); }
};
template <bool Value> struct only : comparing {
    static bool read(PyObject* o) { return o == (Value ? Py_True : Py_False); }
};
template <std::int64_t... Values> struct only_integer : comparing {
    static bool read(PyObject* o) {
        auto const given = integer_from(o);
        return ((given == Values) || ...);
    }
};
template <std::size_t N> struct characters {
    char text[N];
    consteval characters(char const (&given)[N]) { std::copy_n(given, N, text); }
};
template <characters Text> struct word : comparing {
    static bool read(PyObject* o) { return is_text(o, Text.text); }
};
// The first of two words (false) or the second.
template <characters First, characters Second> struct either : comparing {
    bool second = false;
    bool read(PyObject* o) { return is_text(o, First.text) || (second = is_text(o, Second.text)); }
};

struct boolean : comparing {
    bool value = false;
    bool read(PyObject* o) { return value = o == Py_True, PyBool_Check(o); }
};
struct integer : comparing {
    std::int64_t value = 0;
    bool read(PyObject* o) {
        auto const given = integer_from(o);
        value = given.value_or(0);
        return given.has_value();
    }
};
struct count : integer {
    bool read(PyObject* o) { return integer::read(o) && value >= 0; }
};
// See plain_number.
struct number : comparing {
    double value = 0;
    bool whole = true;  // an integer of Python's
    bool read(PyObject* o) {
        auto const given = plain_number(o);
        value = given.value_or(0), whole = PyLong_CheckExact(o);
        return given.has_value();
    }
};
struct integers : comparing {  // see plain_integers
    dims values;
    integers() {}  // `= default` would set all of the values to zero first
    bool read(PyObject* o) {
        auto given = plain_integers({&o, 1});
        if (given) values = std::move(*given);
        return given.has_value();
    }
};
// None, or of a type.
template <class T> struct or_none : T {
    bool given = false;
    bool read(PyObject* o) { return (given = o != Py_None) ? T::read(o) : true; }
};

// A dtype that arrays have.
struct type_name : converting {
    dtype type{};
    bool read(PyObject* o) {
        auto const known = known_dtype(o);
        if (known) type = *known;
        return known.has_value();
    }
};

// An array of which all of the conditions hold.
template <auto... Conditions> struct array_that : comparing {
    PyObject* object = nullptr;
    bool read(PyObject* o) { return object = o, is_array(o) && (Conditions(value()) && ...); }
    // Code that releases the GIL copies it: other code may give the object another value meanwhile.
    [[nodiscard]] array const& value() const { return value_of(object); }
};
// The same, or a list or tuple of numbers that gives such an array.
template <auto... Conditions> struct sequence_that : operand_array, converting {
    bool read(PyObject* o) { return take(o) && (Conditions(value()) && ...); }
};
// The same, or one number.
template <auto... Conditions> struct numbers_that : operand_array, converting {
    bool read(PyObject* o) { return take_any(o) && (Conditions(value()) && ...); }
};
// Of float64, or integers of Python's as such.
template <auto... Conditions> struct floats_that : operand_array, converting {
    bool read(PyObject* o) {
        auto const one = plain_number(o);
        reference const alone{one ? PyFloat_FromDouble(*one) : nullptr};
        if (!take_any(one ? alone.p : o)) return false;
        bool const whole = !is_array(o) && value().type.id == type_id::int64 && value().ndim() > 0;
        if (whole && !cast(make_dtype(type_id::float64))) return false;
        return value().type.id == type_id::float64 && (Conditions(value()) && ...);
    }
};
// A list or tuple of arrays, or of numbers, on one device; see operand_list.
struct arrays : operand_list, converting {
    std::vector<array> all;
    bool read(PyObject* o) { return take(o) && hold(); }

protected:
    bool hold() {
        all = values();
        return std::all_of(all.begin(), all.end(), [&](array const& a) { return a.where() == all[0].where(); });
    }
};

// ---- conditions on arrays

inline bool has_axes(array const& a) { return a.ndim() > 0; }
inline bool has_elements(array const& a) { return a.size() > 0; }
inline bool is_line(array const& a) { return a.ndim() == 1; }
inline bool is_matrix(array const& a) { return a.ndim() > 1; }
inline bool is_dense(array const& a) { return is_c_contiguous(a.shape, a.strides, a.itemsize()); }
inline bool is_in_host(array const& a) { return a.where().api->host_memory; }
inline bool is_writeable(array const& a) { return a.writeable && a.memory()->writeable; }
template <type_id... Types> bool is_of(array const& a) { return ((a.type.id == Types) || ...); }
template <auto Condition> bool is_not(array const& a) { return !Condition(a); }
inline bool is_of_time(array const& a) { return is_time(a.type.id); }
inline bool is_of_complex(array const& a) { return is_complex(a.type.id); }
inline bool is_of_integers(array const& a) { return is_integer(a.type.id); }
inline bool is_of_signed_integers(array const& a) { return is_signed_integer(a.type.id); }

// Without an axis the first, as of the array in one axis.
inline std::optional<int> position_of(or_none<integer> const& axis, int ndim) {
    return axis.given ? position_of(axis.value, ndim) : 0;
}

// ---- rows

template <auto Code> struct common_call;
template <class... P, PyObject* (*Code)(P...)> struct common_call<Code> {
    static constexpr std::size_t types = sizeof...(P);
    static PyObject* call(bound_arguments args) { return run(args, std::index_sequence_for<P...>{}); }

private:
    template <std::size_t... I> static PyObject* run(bound_arguments args, std::index_sequence<I...>) {
        std::tuple<std::remove_cvref_t<P>...> given;
        bool const fits = ((std::remove_cvref_t<P>::converts || std::get<I>(given).read(args[I])) && ...) &&
                          ((!std::remove_cvref_t<P>::converts || std::get<I>(given).read(args[I])) && ...);
        return fits ? Code(std::get<I>(given)...) : nullptr;
    }
};

// `Code` has a parameter for each of the signature. It returns null without an error where the values, of their types
// all, are not those of a common call.
template <auto Code>
constexpr function_row common_row(char const* name, char const* signature, bool method_first = false) {
    return {name, signature, common_call<Code>::call, method_first, "", common_call<Code>::types};
}

}  // namespace bascule::python

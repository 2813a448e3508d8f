// Rows of functions that the package itself calls: arguments and results are converted by the types of a C++ function,
// and an argument of another type is an error.
#pragma once
#include <optional>
#include <tuple>
#include <utility>

#include "functions.hpp"

namespace bascule::python {

template <class T> struct argument_of;  // value(): the function's argument; elements(): how many it reads

struct few_elements {
    [[nodiscard]] static std::int64_t elements() { return 0; }
};

template <> struct argument_of<array const&> {
    array held;  // keeps the value while other code runs
    explicit argument_of(PyObject* o) : held(array_argument(o)) {}
    array const& value() { return held; }
    [[nodiscard]] std::int64_t elements() const { return held.size(); }
};
template <> struct argument_of<array const*> {  // None: null
    std::optional<argument_of<array const&>> held;
    explicit argument_of(PyObject* o) {
        if (o != Py_None) held.emplace(o);
    }
    array const* value() { return held ? &held->held : nullptr; }
    [[nodiscard]] std::int64_t elements() const { return held ? held->elements() : 0; }
};
template <> struct argument_of<std::span<array const>> {
    std::vector<array> held;
    explicit argument_of(PyObject* o) {
        reference const all{PySequence_Fast(o, "expected a sequence of arrays")};
        if (!all.p) throw python_error{};
        for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(all.p); ++k)
            held.push_back(argument_of<array const&>(PySequence_Fast_GET_ITEM(all.p, k)).held);
        if (held.empty()) throw value_error("expected at least one array");
    }
    std::span<array const> value() { return held; }
    [[nodiscard]] std::int64_t elements() const { return held[0].size(); }
};
template <> struct argument_of<std::span<std::int64_t const>> : few_elements {
    std::vector<std::int64_t> many;
    explicit argument_of(PyObject* o) {
        reference const all{PySequence_Fast(o, "expected a sequence of integers")};
        if (!all.p) throw python_error{};
        for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(all.p); ++k)
            many.push_back(PyLong_AsLongLong(PySequence_Fast_GET_ITEM(all.p, k)));
        if (PyErr_Occurred()) throw python_error{};
    }
    std::span<std::int64_t const> value() { return many; }
};
template <> struct argument_of<dims const&> : few_elements {
    dims held;
    explicit argument_of(PyObject* o) : held(dims_from(o)) {}
    dims const& value() { return held; }
};
template <class T>
requires(std::is_integral_v<T> || std::is_enum_v<T>) struct argument_of<T> : few_elements {
    T held;
    explicit argument_of(PyObject* o) {
        if constexpr (std::is_same_v<T, bool>) held = boolean_of(o);
        else if constexpr (std::is_same_v<T, std::uint64_t>) held = PyLong_AsUnsignedLongLong(o);
        else held = static_cast<T>(PyLong_AsLongLong(o));
        if (PyErr_Occurred()) throw python_error{};
    }
    T value() { return held; }
};
template <> struct argument_of<double> : few_elements {
    double held;
    explicit argument_of(PyObject* o) : held(PyFloat_AsDouble(o)) {
        if (PyErr_Occurred()) throw python_error{};
    }
    double value() { return held; }
};

inline PyObject* returned(array a) { return to_python(std::move(a)); }
inline PyObject* returned(std::vector<array> all) { return tuple_of(std::move(all)); }

template <auto F> struct adapted;
template <class R, class... A, R (*F)(A...)> struct adapted<F> {
    static PyObject* call(bound_arguments args) { return run(args, std::index_sequence_for<A...>{}); }

private:
    template <std::size_t... I> static PyObject* run(bound_arguments args, std::index_sequence<I...>) {
        std::tuple<argument_of<A>...> given{argument_of<A>(args[I])...};
        bool const is_long = is_long_work((std::get<I>(given).elements() + ... + 0));
        auto const f = [&] {
            without_gil const released(is_long);
            return F(std::get<I>(given).value()...);
        };
        if constexpr (std::is_void_v<R>) return f(), Py_NewRef(Py_None);
        else return returned(f());
    }
};

template <auto F> constexpr function_row row_of(char const* name, char const* signature, char const* doc) {
    return core_row(name, signature, adapted<F>::call, doc);
}

}  // namespace bascule::python

// The reductions as methods of ndarray: sum, prod, min, max, any, all, mean, var, std, argmin, argmax.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "bascule/array/numpy_rules.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/array/reduce.hpp"
#include "functions.hpp"
#include "initial.hpp"

namespace bascule::python {
namespace {

struct method {
    char const *name, *aggregate;
};
// NumPy's signatures, which Python reads from the docstrings.
#define BASCULE_SIGNATURE(name, parameters, doc) name "($self, /, " parameters ")\n--\n\n" doc
constexpr char const* docs[] = {
    BASCULE_SIGNATURE("sum", "axis=None, dtype=None, out=None, **kwargs", "Sum of the elements."),
    BASCULE_SIGNATURE("prod", "axis=None, dtype=None, out=None, **kwargs", "Product of the elements."),
    BASCULE_SIGNATURE("min", "axis=None, out=None, **kwargs", "Smallest element."),
    BASCULE_SIGNATURE("max", "axis=None, out=None, **kwargs", "Largest element."),
    BASCULE_SIGNATURE("any", "axis=None, out=None, keepdims=False, *, where=True", "Whether any element is true."),
    BASCULE_SIGNATURE("all", "axis=None, out=None, keepdims=False, *, where=True", "Whether all elements are true."),
    BASCULE_SIGNATURE("mean", "axis=None, dtype=None, out=None, **kwargs", "Mean of the elements."),
    BASCULE_SIGNATURE("var", "axis=None, dtype=None, out=None, ddof=0, **kwargs", "Variance of the elements."),
    BASCULE_SIGNATURE("std", "axis=None, dtype=None, out=None, ddof=0, **kwargs", "Standard deviation."),
    BASCULE_SIGNATURE("argmin", "axis=None, out=None, *, keepdims=False", "Position of the smallest element."),
    BASCULE_SIGNATURE("argmax", "axis=None, out=None, *, keepdims=False", "Position of the largest element.")};
#undef BASCULE_SIGNATURE
constexpr method methods[] = {{"sum", "sum"}, {"prod", "prod"},     {"min", "min"},      {"max", "max"},
                              {"any", "any"}, {"all", "all"},       {"mean", "mean"},    {"var", "var"},
                              {"std", "std"}, {"argmin", "argmin"}, {"argmax", "argmax"}};

constexpr auto numbers = [] {
    std::array<std::uint16_t, std::size(methods)> n{};
    for (std::size_t i = 0; i < n.size(); ++i) n[i] = aggregate_of(methods[i].aggregate);
    return n;
}();

// Positional order of the arguments, as NumPy's methods have it.
enum parameter { axis, dtype_, out, keepdims, initial, where, ddof, correction, parameter_count };
constexpr char const* parameter_names[] = {"axis",    "dtype", "out",  "keepdims",
                                           "initial", "where", "ddof", "correction"};

std::span<parameter const> positions(std::string_view name) {
    static constexpr parameter with_type[] = {axis, dtype_, out, keepdims, initial, where},
                               plain[] = {axis, out, keepdims, initial, where},
                               moments[] = {axis, dtype_, out, ddof, keepdims}, boolean[] = {axis, out, keepdims};
    if (name == "sum" || name == "prod") return with_type;
    if (name == "mean") return std::span(with_type).first(4);
    if (name == "var" || name == "std") return moments;
    if (name == "min" || name == "max") return plain;
    return boolean;
}

bool knows(std::string_view name, parameter p) {
    for (auto q : positions(name))
        if (q == p) return true;
    bool const argument_index = name == "argmin" || name == "argmax";
    if (p == where) return !argument_index;
    return p == correction && (name == "var" || name == "std");
}

// Elements behind one result, at most.
std::int64_t reduced_elements(array const& a, std::uint64_t axes) {
    std::int64_t n = 1;
    for (int d = 0; d < a.ndim(); ++d)
        if (axes >> d & 1) n *= a.shape[d];
    return n;
}

// A mean, var or std that NumPy's steps decide: where the result goes to another type, is counted in integers, or has
// too few elements, for which there are warnings. New reference; Py_NotImplemented where `only_few` and there are
// enough.
PyObject* moment_in_steps(char const* name, PyObject* self, PyObject* const* given, bool only_few) {
    reference const options{PyDict_New()};
    for (int p = 0; options.p && p < parameter_count; ++p)
        if (given[p] && PyDict_SetItemString(options.p, parameter_names[p], given[p]) < 0) return nullptr;
    if (!options.p || (only_few && PyDict_SetItemString(options.p, "only_few", Py_True) < 0)) return nullptr;
    reference const rules{PyImport_ImportModule("bascule.lib.reductions")};
    return rules.p ? PyObject_CallMethod(rules.p, "_moment_in_steps", "sOO", name, self, options.p) : nullptr;
}

// Whether an average's result has another type than the sum that NumPy computes for it.
bool adds_up_another_type(array const& a, std::uint16_t aggregate, aggregation_options const& o) {
    if (is_time(a.type.id)) return false;
    if (o.type && (is_integer(*o.type) || is_boolean(*o.type))) return true;
    static constexpr auto mean = aggregate_of("mean");
    // Distances from the mean are of the type that the elements and dtype= have in common.
    promoted const both[] = {{a.type.id, weak_kind::strong}, {o.type.value_or(a.type.id), weak_kind::strong}};
    if (o.type && aggregate != mean && common_type(both) != *o.type) return true;
    if (!o.out) return false;
    type_id const t = ops::aggregate_result_type(aggregate, o.type.value_or(a.type.id));
    return o.out->type.id != t || (aggregate == mean && (t == type_id::float16 || is_complex(t)));
}

// They are reduced as complex numbers, or as the type that dtype= names; some results go to `out` unchanged.
void report_real_results(std::string_view name, array const& a, aggregation_options const& o) {
    type_id const t = o.type.value_or(a.type.id);
    warn_of_lost_imaginary_part(a.type.id, t);
    if (!o.out || !(knows(name, initial) || name == "mean")) return;
    if (is_complex(t)) warn_of_lost_imaginary_part(t, o.out->type.id);
    else if (o.type) warn_of_lost_imaginary_part(o.out->type.id, t);  // NumPy's loop reads the value it wrote there
}

// The type that a sum, a product or an extremum is computed in, and that initial= is made.
dtype start_type(std::uint16_t aggregate, array const& a, aggregation_options const& o) {
    if (is_time(a.type.id)) return a.type;
    if (o.type) return make_dtype(*o.type);
    type_id const t = o.out && !is_time(o.out->type.id) ? promote(o.out->type.id, a.type.id) : a.type.id;
    return make_dtype(o.out ? t : ops::aggregate_result_type(aggregate, t));
}

bool sums_durations(std::string_view name, type_id t) {
    return t == type_id::timedelta64 && (name == "sum" || name == "mean");
}

// NumPy adds durations one after the other, and refuses where a step does not fit.
bool refuse_overflow(PyObject* self, PyObject* axes, PyObject* start, PyObject* mask) {
    reference const rules{PyImport_ImportModule("bascule._array.time_overflow")};
    reference const done{rules.p
                             ? PyObject_CallMethod(rules.p, "check_sum", "sOOOO", "add", self, axes ? axes : Py_None,
                                                   start ? start : Py_None, mask ? mask : Py_True)
                             : nullptr};
    return done.p == nullptr;
}

PyObject* refuse_times(char const* name, PyObject* self) {
    reference const rules{PyImport_ImportModule("bascule.lib.reductions")};
    return rules.p ? PyObject_CallMethod(rules.p, "_refuse_times", "sO", name, self) : nullptr;
}

PyObject* reduction_call(int which, PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) {
    auto const& m = methods[which];
    PyObject* given[parameter_count] = {};
    auto const order = positions(m.name);
    if (n > static_cast<Py_ssize_t>(order.size()))
        throw type_error(std::string(m.name) + "() takes at most " + std::to_string(order.size()) + " arguments (" +
                         std::to_string(n) + " given)");
    for (Py_ssize_t k = 0; k < n; ++k) given[order[static_cast<std::size_t>(k)]] = args[k];
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k) {
        PyObject* name = PyTuple_GET_ITEM(names, k);
        int p = 0;
        while (p < parameter_count && PyUnicode_CompareWithASCIIString(name, parameter_names[p]) != 0) ++p;
        if (p == parameter_count || !knows(m.name, static_cast<parameter>(p)))
            throw type_error(std::string(m.name) + "() got an unexpected keyword argument '" + PyUnicode_AsUTF8(name) +
                             "'");
        given[p] = args[n + k];
    }
    for (auto& g : given)
        if (g == no_value()) g = nullptr;
    array const& a = value_of(self);
    aggregation_options o;
    held_argument start, mask;
    if (!knows(m.name, initial) && !knows(m.name, where) && given[axis] && PyTuple_Check(given[axis]))
        throw type_error("'tuple' object cannot be interpreted as an integer");  // argmin, argmax
    o.axes = axes_from(given[axis], a.ndim());
    bool const averages = knows(m.name, ddof) || std::string_view(m.name) == "mean";
    if (averages && !given[where] && a.ndim() == 0 && given[axis] && PyIndex_Check(given[axis]))
        axis_from(given[axis], 0);
    auto present = [&](parameter p) { return given[p] && given[p] != Py_None; };
    if (present(dtype_)) o.type = loop_from(given[dtype_]);
    if (is_time(a.type.id) && knows(m.name, dtype_)) {
        if (!sums_durations(m.name, a.type.id)) return refuse_times(m.name, self);
        o.type.reset();  // which NumPy's loops of durations ignore
        if (times_that_overflow_raise && refuse_overflow(self, given[axis], given[initial], given[where]))
            return nullptr;
    }
    if (present(keepdims)) o.keepdims = boolean_of(given[keepdims]);
    if (present(ddof)) o.ddof = PyFloat_AsDouble(given[ddof]);
    if (present(correction)) {
        if (o.ddof != 0) throw value_error("ddof and correction can't be provided simultaneously.");
        o.ddof = PyFloat_AsDouble(given[correction]);
    }
    if (PyErr_Occurred()) throw python_error{};
    if (present(where)) o.where = mask_from(given[where], mask, a.where());
    PyObject* target = nullptr;
    array over_numpys;
    if (present(out)) {
        target = PyTuple_Check(given[out]) && PyTuple_GET_SIZE(given[out]) == 1 ? PyTuple_GET_ITEM(given[out], 0)
                                                                                : given[out];
        bool const numpys = is_numpy_array(target) && a.where().api->host_memory;
        if (!is_array(target) && !numpys) throw type_error("output must be an array");
        if (numpys) over_numpys = operand_from_numpy(target, true, a.where());
        o.out = numpys ? &over_numpys : &value_of(target);
    }
    if (present(initial))
        read_initial(given[initial], start_type(numbers[static_cast<std::size_t>(which)], a, o), a.where(), start),
            o.initial = &start.arg;
    bool const other = averages && adds_up_another_type(a, numbers[static_cast<std::size_t>(which)], o);
    bool const few = averages && (o.where || static_cast<double>(reduced_elements(a, o.axes)) <= o.ddof);
    if (other || few) {
        if (target) given[out] = target;
        reference r{moment_in_steps(m.name, self, given, !other)};
        if (r.p != Py_NotImplemented) return std::exchange(r.p, nullptr);
    }
    checked_call const scope;
    if (o.type || o.out) report_real_results(m.name, a, o);
    std::optional<errstate::naming> whole_name;  // of sums and products with the cast before them
    if (o.type && knows(m.name, dtype_) && knows(m.name, initial))
        whole_name.emplace(errstate::kind::reduce, errstate::no_aggregate);
    array r = reduce_with(numbers[static_cast<std::size_t>(which)], a, o);
    return target ? Py_NewRef(target) : scalar_or_array(std::move(r));
}

// Only the calling frame refers to an array it made for the call, as in (x - y).sum(): the result is computed before
// the array is dropped, but the array itself is not stored. Frames that only borrow a reference are not detected here;
// their arrays stay pending as before.
class arguments_end {
public:
    explicit arguments_end(PyObject* self) {
        if (Py_REFCNT(self) != 1) return;
        itself_.emplace(value_of(self));
        PyObject* const base = reinterpret_cast<array_object*>(self)->base;
        if (base && is_array(base) && Py_REFCNT(base) == 1) base_.emplace(value_of(base));
    }

private:
    std::optional<spent_array> itself_, base_;
};

template <int Which> PyObject* reduce(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    return guarded([&]() -> PyObject* {
        if (n == 0 && !names)
            if (PyObject* const r = fast_reduction_result(numbers[Which], self)) return r;
        arguments_end const spent(self);
        return reduction_call(Which, self, args, n, names);
    });
}

template <int Which> PyObject* entry(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
    PyObject* const r = reduce<Which>(self, args, n, names);
    return r ? r : method_by_numpy(methods[Which].name, self, args, n, names);
}

template <int Which> PyMethodDef definition() {
    return {methods[Which].name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(entry<Which>)),
            METH_FASTCALL | METH_KEYWORDS, docs[Which]};
}

// The functions of the same names: (a, then the method's arguments).
template <int Which> PyObject* function_entry(std::span<PyObject* const> args, PyObject* names) {
    auto const named = static_cast<std::size_t>(names ? PyTuple_GET_SIZE(names) : 0);
    std::string_view const name = methods[Which].name;
    if (args.size() <= named || !is_array(args[0]) || args.size() - named > 1 + positions(name).size()) return nullptr;
    if (std::any_of(args.begin() + 1, args.end(), [](PyObject* o) { return PyList_Check(o); })) return nullptr;
    for (std::size_t k = 0; k < named; ++k) {
        PyObject* const keyword = PyTuple_GET_ITEM(names, k);
        bool known = false;
        for (int p = 0; p < parameter_count; ++p)
            known = known || (PyUnicode_CompareWithASCIIString(keyword, parameter_names[p]) == 0 &&
                              knows(name, static_cast<parameter>(p)));
        if (!known) return nullptr;
    }
    return reduce<Which>(args[0], args.data() + 1, static_cast<Py_ssize_t>(args.size() - named - 1), names);
}

template <std::size_t... Which> fast_form form_of(std::string_view name, std::index_sequence<Which...>) {
    fast_form found = nullptr;
    ((name == methods[Which].name ? static_cast<void>(found = function_entry<Which>) : static_cast<void>(0)), ...);
    return found;
}

}  // namespace

fast_form reduction_function(std::string_view name) {
    return form_of(name, std::make_index_sequence<std::size(methods)>());
}

std::span<PyMethodDef const> reduction_methods() {
    static PyMethodDef const definitions[] = {definition<0>(), definition<1>(), definition<2>(), definition<3>(),
                                              definition<4>(), definition<5>(), definition<6>(), definition<7>(),
                                              definition<8>(), definition<9>(), definition<10>()};
    return definitions;
}

}  // namespace bascule::python

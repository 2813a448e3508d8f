// bascule.ndarray: life, attributes, number protocol, buffer.
#include <cmath>
#include <cstring>
#include <vector>

#include "array_object.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/late_report.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/array/reduce.hpp"
#include "structmember.h"

namespace bascule::python {

PyTypeObject* array_type = nullptr;

namespace {

array& self_value(PyObject* self) { return value_of(self); }

PyObject* tp_new(PyTypeObject*, PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError, "bascule.ndarray is made by bascule.array, asarray, empty, zeros and the like");
    return nullptr;
}

// ---- operators

// The result of an operator on arrays without axes is a scalar, as in NumPy (rule 16).
PyObject* result(array r, PyObject* a, PyObject* b) {
    r.scalar = r.ndim() == 0;
    return scalar_or_array(to_python(std::move(r)), a, b);
}

constexpr std::uint16_t op_add = number_of("add"), op_subtract = number_of("subtract"),
                        op_multiply = number_of("multiply"), op_divide = number_of("divide"),
                        op_floor_divide = number_of("floor_divide"), op_remainder = number_of("remainder"),
                        op_negative = number_of("negative"), op_positive = number_of("positive"),
                        op_absolute = number_of("absolute"), op_invert = number_of("invert"),
                        op_and = number_of("bitwise_and"), op_or = number_of("bitwise_or"),
                        op_xor = number_of("bitwise_xor"), op_left = number_of("left_shift"),
                        op_right = number_of("right_shift"), op_power = number_of("power"),
                        op_square = number_of("square"), op_sqrt = number_of("sqrt"),
                        op_reciprocal = number_of("reciprocal"), op_equal = number_of("equal"),
                        op_not_equal = number_of("not_equal"), op_less = number_of("less"),
                        op_less_equal = number_of("less_equal"), op_greater = number_of("greater"),
                        op_greater_equal = number_of("greater_equal");

// NumPy's operators on scalars have names of their own, where they compute in the type of one of the two; others, and
// booleans, are computed as arrays are.
bool are_scalars(std::span<argument const> args) {
    for (auto const& a : args)
        if (a.a && !a.a->scalar) return false;
    if (args.size() != 2) return true;
    type_id const types[] = {args[0].a ? args[0].a->type.id : args[0].type,
                             args[1].a ? args[1].a->type.id : args[1].type};
    if (args[0].a && args[1].a) {
        if (types[0] == type_id::bool_) return false;
        type_id const common = promote(types[0], types[1]);
        return common == types[0] || common == types[1];
    }
    argument const& number = args[args[0].a ? 1 : 0];
    type_id const typed = types[args[0].a ? 0 : 1];
    if (typed == type_id::bool_) return false;
    return number.weak == weak_kind::complex_   ? is_complex(typed)
           : number.weak == weak_kind::floating ? !is_integer(typed)
                                                : true;
}

// NumPy's operators on integer scalars report overflow; the loops on arrays do not. Products of 64-bit numbers fit.
__extension__ typedef __int128 exact_integer;

exact_integer exact(argument const& x, type_id t) {
    plan_constant const v = x.a ? cast_constant(item(*x.a), x.a->type.id, t) : cast_constant(x.value, x.type, t);
    if (is_unsigned_integer(t)) return static_cast<exact_integer>(cast_constant(v, t, type_id::uint64).u64);
    return static_cast<exact_integer>(cast_constant(v, t, type_id::int64).i64);
}

constexpr bool can_overflow(std::uint16_t op) { return op == op_add || op == op_subtract || op == op_multiply; }

// Products of two uint64 may have 128 bits and no room for a sign: such a product is out of every type's range.
exact_integer exact_result(std::uint16_t op, exact_integer a, exact_integer b) {
    if (op != op_multiply) return op == op_add ? a + b : a - b;
    exact_integer product = 0;
    return __builtin_mul_overflow(a, b, &product) ? static_cast<exact_integer>(1) << 126 : product;
}

void note_overflow(std::uint16_t op, exact_integer value, type_id t) {
    int const bits = 8 * itemsize(t) - (is_unsigned_integer(t) ? 0 : 1);
    exact_integer const end = static_cast<exact_integer>(1) << bits;
    if (value < end && value >= (is_unsigned_integer(t) ? 0 : -end)) return;
    auto f = errstate::here(errstate::kind::ufunc, op);
    f.fp_errors = ops::fp::over;
    errstate::report(f);
}

bool watches_integers(std::span<argument const> args, type_id t) {
    if (!is_integer(t) || !(errstate::current.check & ops::fp::over) || !errstate::current.scalars) return false;
    for (auto const& a : args)
        if (a.a && !a.a->where().api->host_memory) return false;  // the host does not wait for a device here
    return true;
}

constexpr bool divides(std::uint16_t op) { return op == op_floor_divide || op == op_remainder; }

double half_value(argument const& x) {
    plan_constant const v = x.a ? cast_constant(item(*x.a), x.a->type.id, type_id::float16)
                                : cast_constant(x.value, x.type, type_id::float16);
    return cast_constant(v, type_id::float16, type_id::float64).f64[0];
}

// The same on a device, without waiting for it.
void note_division_of_float16_there(std::uint16_t op, std::span<argument const> args, device where) {
    dtype const t = make_dtype(type_id::float16);
    auto const half = [&](auto& x) {
        return x.a ? astype(*x.a, t) : full(where, t, {}, cast_constant(x.value, x.type, t.id));
    };
    array const a = half(args[0]), b = half(args[1]);
    array const wrong = apply(op_less, apply(op_absolute, b), apply(op_absolute, a));  // of a zero b: a is a number
    array const by_zero = apply(number_of("logical_and"), apply(number_of("logical_not"), b), wrong);
    array const more = op == op_remainder ? apply(number_of("isfinite"), a) : apply(number_of("signbit"), b);
    array const found = apply(number_of("logical_and"), by_zero, more);
    int const bits = errstate::current.check & (op == op_remainder ? ops::fp::divide : ops::fp::invalid);
    condition const c{&found, static_cast<std::uint8_t>(bits)};
    report_where({&c, 1}, errstate::here(errstate::kind::ufunc, op));
}

// NumPy's operators on float16 scalars report errors of quotient and remainder, except // of a zero without sign.
void note_division_of_float16(std::uint16_t op, std::span<argument const> args) {
    if (!(errstate::current.check & (ops::fp::divide | ops::fp::invalid)) || !errstate::current.scalars) return;
    for (auto const& x : args)
        if (x.a && !x.a->where().api->host_memory) return note_division_of_float16_there(op, args, x.a->where());
    double const a = half_value(args[0]), b = half_value(args[1]);
    if (b != 0 || a == 0 || a != a) return;
    auto f = errstate::here(errstate::kind::ufunc, op);
    if (op == op_remainder && !std::isinf(a)) f.fp_errors = ops::fp::divide;
    if (op == op_floor_divide && std::signbit(b)) f.fp_errors = ops::fp::invalid;
    f.fp_errors &= errstate::current.check;
    errstate::report(f);
}

template <std::uint16_t const* Op> PyObject* binary(PyObject* a, PyObject* b) noexcept {
    PyObject* const made = guarded([&]() -> PyObject* {
        PyObject* const inputs[] = {a, b};
        if (PyObject* const r = fast_result(*Op, inputs)) return scalar_or_array(r, a, b);
        if (is_derived(a) || is_derived(b)) return numpys_operator(ops::table[*Op].name, a, b);
        held_argument x, y;
        device const like = (is_array(a) ? value_of(a) : value_of(b)).where();
        bool const known = to_operand(a, x, accept::operators, b, like, *Op) &&
                           to_operand(b, y, accept::operators, a, like, *Op);
        argument const args[] = {x.arg, y.arg};
        if (needs_time_rules(*Op, args)) return by_time_rules(ops::table[*Op].name, inputs, nullptr);
        if (!known) Py_RETURN_NOTIMPLEMENTED;
        checked_call const scope(are_scalars(args));
        array r = apply(*Op, args);
        if constexpr (can_overflow(*Op))
            if (watches_integers(args, r.type.id))
                note_overflow(*Op, exact_result(*Op, exact(x.arg, r.type.id), exact(y.arg, r.type.id)), r.type.id);
        if constexpr (divides(*Op))
            if (r.type.id == type_id::float16) note_division_of_float16(*Op, args);
        return result(std::move(r), a, b);
    });
    return or_by_numpy(made, "operator", ops::table[*Op].name, a, b);
}

template <std::uint16_t const* Op> PyObject* unary(PyObject* a) noexcept {
    return guarded([&] {
        if (PyObject* const r = fast_result(*Op, {&a, 1})) return scalar_or_array(r, a, a);
        array const& x = value_of(a);
        checked_call const scope(x.scalar);
        array r = apply(*Op, x);
        if constexpr (*Op == op_negative || *Op == op_absolute) {
            argument const args[] = {{&x}};
            if (watches_integers(args, r.type.id)) {
                exact_integer const p = exact(args[0], r.type.id);
                note_overflow(*Op, *Op == op_negative || p < 0 ? -p : p, r.type.id);
            }
        }
        return result(std::move(r), a, a);
    });
}

// a op= b writes into a; a scalar declines, so that the name is bound to a new value instead (rule 16).
template <std::uint16_t const* Op> PyObject* in_place(PyObject* a, PyObject* b) noexcept {
    PyObject* const made = guarded([&]() -> PyObject* {
        array& target = value_of(a);
        if (target.scalar) Py_RETURN_NOTIMPLEMENTED;
        if (fast_in_place_done(*Op, a, b)) return Py_NewRef(a);
        held_argument y;
        bool const known = to_operand(b, y, accept::operators, a, target.where(), *Op);
        argument const args[] = {{&target}, y.arg};
        PyObject* const inputs[] = {a, b};
        if (needs_time_rules(*Op, args)) {
            reference const keywords{Py_BuildValue("{s:O}", "out", a)};
            return by_time_rules(ops::table[*Op].name, inputs, keywords.p);
        }
        if (!known) Py_RETURN_NOTIMPLEMENTED;
        call_options o;
        o.out = &target;
        checked_call const scope;
        apply(*Op, args, o);
        return Py_NewRef(a);
    });
    return or_by_numpy(made, "in place", ops::table[*Op].name, a, b);
}

// NumPy's special cases for a scalar exponent, replaced by the equivalent product or root.
std::uint16_t power_short_cut(argument const& base, argument const& exponent) {
    if (exponent.a || !base.a) return op_power;
    double const e = exponent.weak == weak_kind::floating ? exponent.value.f64[0]
                     : exponent.weak == weak_kind::integer && exponent.type == type_id::int64
                         ? static_cast<double>(exponent.value.i64)
                         : 0;
    type_id const t = base.a->type.id;
    bool const inexact = is_float(t) || is_complex(t);
    if (!inexact && exponent.weak != weak_kind::integer) return op_power;
    if (e == 2) return op_square;
    if (!inexact && !is_integer(t)) return op_power;
    if (e == 1) return op_positive;
    if (inexact && e == -1) return op_reciprocal;
    return inexact && e == 0.5 ? op_sqrt : op_power;
}

PyObject* power_into(PyObject* a, PyObject* b, array const* out) {
    held_argument x, y;
    device const like = (is_array(a) ? value_of(a) : value_of(b)).where();
    if (!to_operand(a, x, accept::operators, b, like, op_power) ||
        !to_operand(b, y, accept::operators, a, like, op_power))
        Py_RETURN_NOTIMPLEMENTED;
    call_options o;
    o.out = out;
    argument const args[] = {x.arg, y.arg};
    bool const scalars = are_scalars(args);
    auto op = power_short_cut(x.arg, y.arg);
    bool const other_value = op == op_sqrt;                                   // of -0 and -inf
    bool const other_type = op == op_square && is_boolean(x.arg.a->type.id);  // int8
    if (scalars && (other_value || other_type)) op = op_power;
    checked_call const scope(scalars);
    std::optional<errstate::naming> whole_name;  // NumPy's scalars know no short cuts
    if (scalars) whole_name.emplace(errstate::kind::scalar, op_power);
    array r = apply(op, std::span(args, op == op_power ? 2 : 1), o);
    return result(std::move(r), a, b);
}

PyObject* nb_power(PyObject* a, PyObject* b, PyObject* modulus) noexcept {
    if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
    PyObject* const made = guarded([&] {
        if (is_derived(a) || is_derived(b)) return numpys_operator("power", a, b);
        PyObject* const r = scalar_power(a, b);
        return r || PyErr_Occurred() ? scalar_or_array(r, a, b) : power_into(a, b, nullptr);
    });
    return or_by_numpy(made, "operator", "power", a, b);
}

PyObject* nb_inplace_power(PyObject* a, PyObject* b, PyObject*) noexcept {
    PyObject* const made = guarded([&]() -> PyObject* {
        if (value_of(a).scalar) Py_RETURN_NOTIMPLEMENTED;
        reference const r{power_into(a, b, &value_of(a))};
        return r.p == Py_NotImplemented ? Py_NewRef(r.p) : Py_NewRef(a);
    });
    return or_by_numpy(made, "in place", "power", a, b);
}

// Both results of floor_divide and remainder; their errors are reported under one name.
PyObject* nb_divmod(PyObject* a, PyObject* b) noexcept {
    PyObject* const made = guarded([&]() -> PyObject* {
        if (is_derived(a) || is_derived(b)) return numpys_operator("divmod", a, b);
        held_argument x, y;
        device const like = (is_array(a) ? value_of(a) : value_of(b)).where();
        bool const known = to_operand(a, x, accept::operators, b, like, op_floor_divide) &&
                           to_operand(b, y, accept::operators, a, like, op_floor_divide);
        argument const args[] = {x.arg, y.arg};
        PyObject* const inputs[] = {a, b};
        if (needs_time_rules(op_floor_divide, args)) return by_time_rules("divmod", inputs, nullptr);
        if (!known) Py_RETURN_NOTIMPLEMENTED;
        bool const scalars = are_scalars(args);
        checked_call const scope(scalars);
        errstate::naming const both(scalars ? errstate::kind::scalar : errstate::kind::ufunc, errstate::divmod_call);
        reference const quotient{result(apply(op_floor_divide, args), a, b)};
        reference const rest{quotient.p ? result(apply(op_remainder, args), a, b) : nullptr};
        return rest.p ? PyTuple_Pack(2, quotient.p, rest.p) : nullptr;
    });
    return or_by_numpy(made, "operator", "divmod", a, b);
}

// The result of == and != where there is no loop for the types: all false or all true, as in NumPy.
PyObject* never_equal(PyObject* a, PyObject* b, argument const& y, int how) {
    array const& x = value_of(a);
    dims const none{};
    dims const* shapes[] = {&x.shape, y.a ? &y.a->shape : &none};
    plan_constant v{};
    v.bytes[0] = how == Py_NE;
    return result(copy(full(x.where(), make_dtype(type_id::bool_), broadcast_shapes(shapes), v)), a, b);
}

PyObject* compare(PyObject* a, PyObject* b, int how) noexcept {
    static constexpr std::uint16_t table[] = {op_less,      op_less_equal, op_equal,
                                              op_not_equal, op_greater,    op_greater_equal};
    PyObject* const made = guarded([&]() -> PyObject* {
        PyObject* const inputs[] = {a, b};
        if (PyObject* const r = fast_result(table[how], inputs)) return scalar_or_array(r, a, b);
        if (is_derived(b)) return numpys_operator(ops::table[table[how]].name, a, b);
        held_argument y;
        array const& x = value_of(a);
        if (auto r = compare_far_integer(table[how], a, b)) return scalar_or_array(to_python(std::move(*r)), a, b);
        bool const known = to_operand(b, y, accept::operators, a, x.where(), table[how]);
        argument const args[] = {{&x}, y.arg};
        bool const asks_equal = how == Py_EQ || how == Py_NE;
        if (needs_time_rules(table[how], args)) {
            PyObject* r = nullptr;
            try {
                r = by_time_rules(ops::table[table[how]].name, inputs, nullptr);
            } catch (python_error const&) {  // handled below
            }
            if (!r && asks_equal && has_no_loop()) return never_equal(a, b, y.arg, how);
            return r;
        }
        if (!known && asks_equal && (b == Py_None || PyUnicode_Check(b) || PyBytes_Check(b)))
            return never_equal(a, b, argument{}, how);
        if (!known && (!asks_equal || !x.where().api->host_memory || has_first_say(b))) Py_RETURN_NOTIMPLEMENTED;
        if (!known) return numpys_operator(ops::table[table[how]].name, a, b);
        checked_call const scope(are_scalars(args));
        return result(apply(table[how], args), a, b);
    });
    return or_by_numpy(made, "operator", ops::table[table[how]].name, a, b);
}

// ---- values

plan_constant only_item(array const& a) {
    if (a.size() != 1) throw type_error("only 0-dimensional arrays can be converted to Python scalars");
    evaluate_released(a);
    return item(a);
}

// A complex scalar gives its real part, of which NumPy's own scalar warns; a complex array gives none.
PyObject* to_number(PyObject* self, PyTypeObject& type, PyObject* (*convert)(PyObject*)) noexcept {
    if (PyObject* const plain = plain_value(self); plain && Py_IS_TYPE(plain, &type)) return plain;
    else Py_XDECREF(plain);
    return guarded([&]() -> PyObject* {
        array const& a = value_of(self);
        if (a.ndim() != 0) throw type_error("only 0-dimensional arrays can be converted to Python scalars");
        reference const v{item_to_python(only_item(a), a.type)};
        if (!v.p || !a.scalar || !is_complex(a.type.id)) return v.p ? convert(v.p) : nullptr;
        reference const d{numpy_dtype(a.type)};
        reference const scalar{PyObject_CallMethod(d.p, "type", "O", v.p)};
        return scalar.p ? convert(scalar.p) : nullptr;
    });
}
PyObject* to_float(PyObject* self) noexcept { return to_number(self, PyFloat_Type, PyNumber_Float); }
PyObject* to_int(PyObject* self) noexcept { return to_number(self, PyLong_Type, PyNumber_Long); }

PyObject* to_index(PyObject* self) noexcept {
    if (PyObject* const plain = plain_value(self); plain && PyLong_CheckExact(plain)) return plain;
    else Py_XDECREF(plain);
    return guarded([&]() -> PyObject* {
        array const& a = value_of(self);
        if (a.ndim() != 0 || !is_integer(a.type.id))
            throw type_error("only integer scalar arrays can be converted to a scalar index");
        return item_to_python(only_item(a), a.type);
    });
}

int to_bool(PyObject* self) noexcept {
    if (auto const plain = plain_boolean(self)) return static_cast<int>(*plain);
    reference const v{guarded([&]() -> PyObject* {
        array const& a = value_of(self);
        if (a.size() == 0)
            throw value_error("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
                              "array is not empty.");
        if (a.size() != 1)
            throw value_error(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()");
        return item_to_python(only_item(a), a.type);
    })};
    return v.p ? PyObject_IsTrue(v.p) : -1;
}

Py_hash_t hash(PyObject* self) noexcept {
    array const& a = value_of(self);
    if (!a.scalar) {
        PyErr_SetString(PyExc_TypeError, "unhashable type: 'bascule.ndarray'");
        return -1;
    }
    reference const v{guarded([&] { return item_to_python(only_item(a), a.type); })};
    return v.p ? PyObject_Hash(v.p) : -1;
}

Py_ssize_t length(PyObject* self) noexcept {
    array const& a = value_of(self);
    if (a.ndim() > 0) return a.shape[0];
    PyErr_SetString(PyExc_TypeError, "len() of unsized object");
    return -1;
}

PyObject* get_first(PyObject* self, Py_ssize_t i) noexcept {
    reference const key{PyLong_FromSsize_t(i)};
    return key.p ? get_item(self, key.p) : nullptr;
}

// ---- attributes

PyObject* get_shape(PyObject* self, void*) { return to_tuple(self_value(self).shape); }
PyObject* get_strides(PyObject* self, void*) { return to_tuple(self_value(self).strides); }
PyObject* get_ndim(PyObject* self, void*) { return PyLong_FromLong(self_value(self).ndim()); }
PyObject* get_size(PyObject* self, void*) { return PyLong_FromLongLong(self_value(self).size()); }
PyObject* get_itemsize(PyObject* self, void*) { return PyLong_FromLongLong(self_value(self).itemsize()); }
PyObject* get_nbytes(PyObject* self, void*) {
    return PyLong_FromLongLong(self_value(self).size() * self_value(self).itemsize());
}
PyObject* get_dtype(PyObject* self, void*) {
    return guarded([&] { return numpy_dtype(self_value(self).type); });
}
PyObject* get_device(PyObject* self, void*) { return PyUnicode_FromString(self_value(self).where().name().c_str()); }
PyObject* get_transposed(PyObject* self, void*) {
    return guarded([&] {
        array const& a = self_value(self);
        int axes[max_dims];
        for (int i = 0; i < a.ndim(); ++i) axes[i] = a.ndim() - 1 - i;
        return view_to_python(transpose(a, std::span<int const>(axes, static_cast<std::size_t>(a.ndim()))), self);
    });
}

PyObject* get_base(PyObject* self, void*) {
    PyObject* const base = reinterpret_cast<array_object*>(self)->base;
    return Py_NewRef(base ? base : Py_None);
}

// Setting shape, strides or dtype changes the view of the array's memory; bascule.array_attributes has the rules.
int set_layout(PyObject* self, PyObject* value, void* name) {
    auto const* attribute = static_cast<char const*>(name);
    if (!value) {
        PyErr_Format(PyExc_AttributeError, "Cannot delete array %s", attribute);
        return -1;
    }
    reference const rules{PyImport_ImportModule("bascule._array.attributes")};
    if (!rules.p) return -1;
    reference const done{PyObject_CallMethod(rules.p, "set_layout", "OsO", self, attribute, value)};
    return done.p ? 0 : -1;
}
char shape_name[] = "shape", strides_name[] = "strides", dtype_name[] = "dtype";

PyGetSetDef getset[] = {
    {"shape", get_shape, set_layout, "Extents, outermost axis first.", shape_name},
    {"strides", get_strides, set_layout, "Bytes to step along each axis.", strides_name},
    {"base", get_base, nullptr, "The array this one is a view of, or None.", nullptr},
    {"ndim", get_ndim, nullptr, "Number of axes.", nullptr},
    {"size", get_size, nullptr, "Number of elements.", nullptr},
    {"itemsize", get_itemsize, nullptr, "Bytes of one element.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of all elements.", nullptr},
    {"dtype", get_dtype, set_layout, "Element type: a numpy.dtype.", dtype_name},
    {"device", get_device, nullptr, "Name of the device it lies on.", nullptr},
    {"T", get_transposed, nullptr, "The array with its axes reversed.", nullptr},
    {},
};

// ---- buffer protocol (rule 15: shared memory is never deferred on)

constexpr char const* buffer_formats[] = {"?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "f", "d", "Zf", "Zd"};

struct exported {
    storage_ref memory;
    dims shape, strides;
};

// Null when `a` can be shown as `flags` ask.
char const* why_no_buffer(array const& a, int flags) {
    if (is_time(a.type.id)) return "datetime64 and timedelta64 have no buffer format";
    if (!a.where().api->host_memory) return "the array lies on a device: use .get() or to_device('cpu')";
    auto const asks = [flags](int f) { return (flags & f) == f; };
    if (asks(PyBUF_WRITABLE) && !(a.writeable && a.memory()->writeable)) return "the array is read-only";
    bool const c = is_c_contiguous(a.shape, a.strides, a.itemsize()),
               f = is_f_contiguous(a.shape, a.strides, a.itemsize());
    if (asks(PyBUF_ANY_CONTIGUOUS) && !c && !f) return "the array is not contiguous";
    if (asks(PyBUF_F_CONTIGUOUS) && !f) return "the array is not Fortran contiguous";
    if ((asks(PyBUF_C_CONTIGUOUS) || !asks(PyBUF_STRIDES)) && !c) return "the array is not C-contiguous";
    return nullptr;
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
    view->obj = nullptr;
    array const& a = value_of(self);
    if (char const* why = why_no_buffer(a, flags)) {
        PyErr_SetString(PyExc_BufferError, why);
        return -1;
    }
    reference const ok{guarded([&]() -> PyObject* {
        evaluate_released(a);
        begin_export(a);
        return Py_NewRef(Py_None);
    })};
    if (!ok.p) return -1;
    auto* e = new exported{a.memory_ref(), a.shape, a.strides};
    view->buf = a.memory()->data() + a.offset;
    view->len = a.size() * a.itemsize();
    view->itemsize = a.itemsize();
    view->readonly = !(a.writeable && a.memory()->writeable);
    view->ndim = (flags & PyBUF_ND) ? a.ndim() : 1;  // plain bytes have no axes of their own
    view->format = (flags & PyBUF_FORMAT) ? const_cast<char*>(buffer_formats[static_cast<int>(a.type.id)]) : nullptr;
    static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
    view->shape = (flags & PyBUF_ND) ? reinterpret_cast<Py_ssize_t*>(e->shape.data()) : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? reinterpret_cast<Py_ssize_t*>(e->strides.data())
                                                             : nullptr;
    view->suboffsets = nullptr;
    view->internal = e;
    view->obj = Py_NewRef(self);
    return 0;
}

void release_buffer(PyObject*, Py_buffer* view) noexcept {
    auto* e = static_cast<exported*>(view->internal);
    e->memory->exports.fetch_sub(1, std::memory_order_relaxed);
    delete e;
}

// CPython needs the offset of a member of a type that is not standard-layout: GCC lays such types out plainly.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
constexpr Py_ssize_t weak_references_offset = offsetof(array_object, weak_references);
#pragma GCC diagnostic pop

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, weak_references_offset, READONLY, nullptr},
    {},
};

template <class F> void* slot(F* f) { return reinterpret_cast<void*>(f); }

PyType_Slot slots[] = {
    {Py_tp_new, slot(tp_new)},
    {Py_tp_dealloc, slot(drop_array)},
    {Py_tp_richcompare, slot(compare)},
    {Py_tp_hash, slot(hash)},
    {Py_tp_iter, slot(iterate)},
    {Py_tp_getset, getset},
    {Py_tp_members, members},
    {Py_tp_methods, all_methods()},
    {Py_nb_add, slot(binary<&op_add>)},
    {Py_nb_subtract, slot(binary<&op_subtract>)},
    {Py_nb_multiply, slot(binary<&op_multiply>)},
    {Py_nb_true_divide, slot(binary<&op_divide>)},
    {Py_nb_floor_divide, slot(binary<&op_floor_divide>)},
    {Py_nb_remainder, slot(binary<&op_remainder>)},
    {Py_nb_divmod, slot(nb_divmod)},
    {Py_nb_power, slot(nb_power)},
    {Py_nb_matrix_multiply, slot(matrix_multiply)},
    {Py_nb_and, slot(binary<&op_and>)},
    {Py_nb_or, slot(binary<&op_or>)},
    {Py_nb_xor, slot(binary<&op_xor>)},
    {Py_nb_lshift, slot(binary<&op_left>)},
    {Py_nb_rshift, slot(binary<&op_right>)},
    {Py_nb_negative, slot(unary<&op_negative>)},
    {Py_nb_positive, slot(unary<&op_positive>)},
    {Py_nb_absolute, slot(unary<&op_absolute>)},
    {Py_nb_invert, slot(unary<&op_invert>)},
    {Py_nb_inplace_add, slot(in_place<&op_add>)},
    {Py_nb_inplace_subtract, slot(in_place<&op_subtract>)},
    {Py_nb_inplace_multiply, slot(in_place<&op_multiply>)},
    {Py_nb_inplace_true_divide, slot(in_place<&op_divide>)},
    {Py_nb_inplace_floor_divide, slot(in_place<&op_floor_divide>)},
    {Py_nb_inplace_remainder, slot(in_place<&op_remainder>)},
    {Py_nb_inplace_power, slot(nb_inplace_power)},
    {Py_nb_inplace_and, slot(in_place<&op_and>)},
    {Py_nb_inplace_or, slot(in_place<&op_or>)},
    {Py_nb_inplace_xor, slot(in_place<&op_xor>)},
    {Py_nb_inplace_lshift, slot(in_place<&op_left>)},
    {Py_nb_inplace_rshift, slot(in_place<&op_right>)},
    {Py_nb_bool, slot(to_bool)},
    {Py_nb_float, slot(to_float)},
    {Py_nb_int, slot(to_int)},
    {Py_nb_index, slot(to_index)},
    {Py_mp_length, slot(length)},
    {Py_mp_subscript, slot(get_item)},
    {Py_mp_ass_subscript, slot(set_item)},
    {Py_sq_item, slot(get_first)},
    {Py_sq_length, slot(length)},
    {Py_bf_getbuffer, slot(get_buffer)},
    {Py_bf_releasebuffer, slot(release_buffer)},
    {0, nullptr},
};

PyType_Spec spec = {"bascule.ndarray", sizeof(array_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_SEQUENCE, slots};

}  // namespace

bool add_array_type(PyObject* module) {
    array_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return array_type && give_class(array_type) && add_iterator_types(module) &&
           PyModule_AddObjectRef(module, "ndarray", reinterpret_cast<PyObject*>(array_type)) == 0;
}

}  // namespace bascule::python

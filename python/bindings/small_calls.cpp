#include "small_calls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "bascule/array/eager.hpp"
#include "bascule/array/fold.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/words.hpp"
#include "op_numbers.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

bool is_plain_floats(PyObject* o) {
    return is_array(o) && value_of(o).type.id == type_id::float64 && value_of(o).ndim() > 0 &&
           is_plain_small(value_of(o));
}

plan_constant constant_of(double v) {
    plan_constant c{};
    c.f64[0] = v;
    return c;
}

plan_constant constant_of(std::int64_t v) {
    plan_constant c{};
    c.i64 = v;
    return c;
}

plan_constant const& one(type_id t) {
    static std::array<std::optional<plan_constant>, type_count> known;
    auto& c = known[static_cast<std::size_t>(t)];
    if (!c) c = cast_constant(constant_of(std::int64_t{1}), type_id::int64, t);
    return *c;
}

// Zero or one of any type but times.
std::optional<plan_constant> zero_or_one(PyObject* value, type_id t) {
    if (is_time(t)) return {};
    auto const v = integer_from(value);
    if (!v || (*v != 0 && *v != 1)) return {};
    return *v == 0 ? plan_constant{} : one(t);
}

// Zero or one of any type but times, a float as float64, an integer as int64.
std::optional<plan_constant> plain_constant(PyObject* value, type_id t) {
    if (auto const c = zero_or_one(value, t)) return c;
    if (t == type_id::float64 && PyFloat_CheckExact(value)) return constant_of(PyFloat_AS_DOUBLE(value));
    auto const v = t == type_id::int64 ? integer_from(value) : std::nullopt;
    return v ? std::optional(constant_of(*v)) : std::nullopt;
}

PyObject* filled(device where, dims const& shape, dtype t, std::optional<plan_constant> const& value) {
    return to_python(value ? full(where, t, shape, *value) : empty(where, t, shape));
}

}  // namespace

PyObject* small_filled(arguments args) {
    auto const shape = plain_integers(args.first(1));
    PyObject *const value = args[1], *const type = args[2];
    bool const known = PyFloat_CheckExact(value) || PyLong_CheckExact(value) || value == Py_None;
    if (!shape || !in_host_memory_by_default() || !known) return nullptr;
    std::int64_t n = 1;
    for (auto extent : *shape)
        if (extent < 0 || __builtin_mul_overflow(n, extent, &n)) return nullptr;
    if (n == 0) return nullptr;
    device const where = default_device();
    bool const is_default = type == Py_None || type == reinterpret_cast<PyObject*>(&PyFloat_Type);
    dtype const t = is_default ? make_dtype(type_id::float64) : dtype_from(type);
    if (value == Py_None) return filled(where, *shape, t, {});
    auto const c = plain_constant(value, t.id);
    return c ? filled(where, *shape, t, c) : nullptr;
}

namespace {

// (a, value): of the shape and type of an array in C order, filled with a number, or with nothing (None).
PyObject* small_like(arguments args) {
    if (!is_array(args[0])) return nullptr;
    array const& a = value_of(args[0]);
    bool const common = a.where().api->host_memory && a.size() > 0 && !is_time(a.type.id);
    if (!common || !is_c_contiguous(a.shape, a.strides, a.itemsize())) return nullptr;
    if (args[1] == Py_None) return filled(a.where(), a.shape, a.type, {});
    auto const c = plain_constant(args[1], a.type.id);
    return c ? filled(a.where(), a.shape, a.type, c) : nullptr;
}

}  // namespace

std::optional<double> plain_number(PyObject* o) {
    if (PyFloat_CheckExact(o)) return PyFloat_AS_DOUBLE(o);
    auto const v = integer_from(o);
    constexpr std::int64_t far = std::int64_t{1} << 40;
    if (!v || *v > far || *v < -far) return {};
    return static_cast<double>(*v);
}

namespace {

PyObject* number_without_axes(PyObject* number) {
    plan_constant v{};
    type_id t = type_id::float64;
    if (!in_host_memory_by_default()) return nullptr;
    if (PyFloat_CheckExact(number)) {
        v.f64[0] = PyFloat_AS_DOUBLE(number);
    } else if (auto const whole = integer_from(number)) {
        t = type_id::int64, v.i64 = *whole;
    } else if (PyBool_Check(number)) {
        t = type_id::bool_, v.bytes[0] = number == Py_True;
    } else if (PyComplex_CheckExact(number)) {
        t = type_id::complex128, v.f64[0] = PyComplex_RealAsDouble(number), v.f64[1] = PyComplex_ImagAsDouble(number);
    } else if (is_array(number) || !numpy_number(number, t, v)) {
        return nullptr;
    }
    array a;
    eager::set_scalar(a, default_device(), make_dtype(t), v);
    a.scalar = false;
    return to_python(std::move(a));
}

}  // namespace

PyObject* array_of_numbers(PyObject* given) {
    PyObject* const r = small_array({&given, 1});
    return r || PyErr_Occurred() ? r : number_without_axes(given);
}

namespace {

// (start, stop, step) of Python's numbers; stop None: start is the stop.
PyObject* small_arange(arguments args) {
    if (!in_host_memory_by_default()) return nullptr;
    bool const whole = std::none_of(args.begin(), args.end(), [](PyObject* o) { return PyFloat_CheckExact(o); });
    auto const first = args[1] == Py_None ? std::optional(0.0) : plain_number(args[0]),
               stop = plain_number(args[1] == Py_None ? args[0] : args[1]), step = plain_number(args[2]);
    if (!first || !stop || !step || *step == 0) return nullptr;
    double const count = std::ceil((*stop - *first) / *step);
    if (!(count >= 1 && count < 0x1p53) || !is_small_count(static_cast<std::int64_t>(count))) return nullptr;
    auto const n = static_cast<std::int64_t>(count);
    array a = empty(default_device(), make_dtype(whole ? type_id::int64 : type_id::float64), dims{n});
    if (whole) {
        auto const from = static_cast<std::int64_t>(*first), by = static_cast<std::int64_t>(*step);
        for (std::int64_t i = 0; i < n; ++i) begin_of<std::int64_t>(a)[i] = from + i * by;
    } else {
        double const second = *first + *step, by = second - *first;  // as NumPy steps
        for (std::int64_t i = 0; i < n; ++i) begin_of<double>(a)[i] = *first + static_cast<double>(i) * by;
        if (n > 1) begin_of<double>(a)[1] = second;
    }
    return to_python(std::move(a));
}

// (start, stop, how many, whether stop is the last one): floats at equal distances, with NumPy's roundings.
PyObject* small_linspace(arguments args) {
    auto const first = plain_number(args[0]), last = plain_number(args[1]);
    auto const n = integer_from(args[2]);
    bool const ends = args[3] == Py_True;
    if (!first || !last || !n || *n < 2 || !is_small_count(*n) || !in_host_memory_by_default()) return nullptr;
    double const parts = static_cast<double>(*n - ends), delta = *last - *first, step = delta / parts;
    if (!PyBool_Check(args[3]) || !std::isfinite(delta) || (asked_conditions() & ops::fp::under)) return nullptr;
    array a = empty(default_device(), make_dtype(type_id::float64), dims{*n});
    auto* const to = begin_of<double>(a);
    for (std::int64_t i = 0; i < *n; ++i) {
        auto const k = static_cast<double>(i);
        to[i] = (step == 0 ? k / parts * delta : k * step) + *first;
    }
    if (ends) to[*n - 1] = *last;
    return to_python(std::move(a));
}

// Numbers of one of Python's types to consecutive places; false: not all are.
bool write_numbers(arguments items, PyTypeObject* type, std::byte* to) {
    for (PyObject* o : items) {
        if (Py_TYPE(o) != type) return false;
        if (type == &PyFloat_Type) {
            double const v = PyFloat_AS_DOUBLE(o);
            std::memcpy(to, &v, 8), to += 8;
        } else if (type == &PyLong_Type) {
            int overflow = 0;
            std::int64_t const v = PyLong_AsLongLongAndOverflow(o, &overflow);
            if (overflow) return false;
            std::memcpy(to, &v, 8), to += 8;
        } else {
            *to++ = static_cast<std::byte>(o == Py_True);
        }
    }
    return true;
}

bool is_sequence(PyObject* o) { return PyList_CheckExact(o) || PyTuple_CheckExact(o); }
arguments items_of(PyObject* o) {
    return {PySequence_Fast_ITEMS(o), static_cast<std::size_t>(PySequence_Fast_GET_SIZE(o))};
}

// Numbers of Python's and values of float64 or int64 among each other; false: something else is among them.
bool add_mixed(arguments items, std::vector<double>& floats, std::vector<std::int64_t>& whole) {
    for (PyObject* o : items) {
        plan_constant v{};
        type_id t = is_array(o) ? value_of(o).type.id : type_id::int64;
        bool const numpys = !is_array(o) && numpy_number(o, t, v);
        if (t != type_id::float64 && t != type_id::int64) return false;
        if (numpys) {
            if (t == type_id::int64) whole.push_back(v.i64);
            floats.push_back(t == type_id::int64 ? static_cast<double>(v.i64) : v.f64[0]);
            continue;
        }
        PyObject* const number = is_array(o) ? plain_value(o) : Py_NewRef(o);
        reference const held{number};
        int overflow = 0;
        if (number && PyLong_CheckExact(number)) {
            whole.push_back(PyLong_AsLongLongAndOverflow(number, &overflow));
            floats.push_back(static_cast<double>(whole.back()));
        } else if (number && PyFloat_CheckExact(number)) {
            floats.push_back(PyFloat_AS_DOUBLE(number));
        } else {
            return false;
        }
        if (overflow) return false;
    }
    return true;
}

PyObject* mixed_array(arguments outer, bool nested, std::size_t length) {
    std::vector<double> floats;
    std::vector<std::int64_t> whole;
    if (!nested && !add_mixed(outer, floats, whole)) return nullptr;
    for (PyObject* row : outer) {
        if (!nested) break;
        if (!is_sequence(row) || items_of(row).size() != length || !add_mixed(items_of(row), floats, whole))
            return nullptr;
    }
    bool const all_whole = whole.size() == floats.size();
    auto const n = static_cast<std::int64_t>(outer.size()), m = static_cast<std::int64_t>(length);
    array a = empty(default_device(), make_dtype(all_whole ? type_id::int64 : type_id::float64),
                    nested ? dims{n, m} : dims{n});
    if (all_whole) std::copy(whole.begin(), whole.end(), begin_of<std::int64_t>(a));
    else std::copy(floats.begin(), floats.end(), begin_of<double>(a));
    return to_python(std::move(a));
}

// Arrays of one shape and type; on the device that new ones lie on.
PyObject* stacked(PyObject* arrays) {
    reference const axis{PyLong_FromLong(0)}, any{PyLong_FromLong(-1)};
    PyObject* const args[] = {arrays, axis.p, any.p};
    return small_stack(args);
}

}  // namespace

PyObject* small_array(arguments args) {
    if (!is_sequence(args[0]) || !in_host_memory_by_default()) return nullptr;
    auto const outer = items_of(args[0]);
    if (outer.empty()) return nullptr;
    bool const nested = is_sequence(outer[0]);
    auto const inner = nested ? items_of(outer[0]) : outer;
    auto const length = static_cast<std::int64_t>(inner.size()), rows = static_cast<std::int64_t>(outer.size());
    if (inner.empty() || !is_small_count(length) || !is_small_count(nested ? rows * length : length)) return nullptr;
    PyTypeObject* const type = Py_TYPE(inner[0]);
    if (type == array_type && !nested && value_of(inner[0]).ndim() > 0) return stacked(args[0]);
    if (type != &PyFloat_Type && type != &PyLong_Type && type != &PyBool_Type)
        return type == array_type || is_numpy_scalar(inner[0]) ? mixed_array(outer, nested, inner.size()) : nullptr;
    auto const id = type == &PyFloat_Type ? type_id::float64 : type == &PyLong_Type ? type_id::int64 : type_id::bool_;
    array a = empty(default_device(), make_dtype(id), nested ? dims{rows, length} : dims{length});
    std::byte* to = a.memory()->data();
    if (!nested)
        return write_numbers(outer, type, to) ? to_python(std::move(a)) : mixed_array(outer, nested, inner.size());
    for (PyObject* row : outer) {
        if (!is_sequence(row) || items_of(row).size() != inner.size()) return nullptr;
        if (!write_numbers(items_of(row), type, to)) return mixed_array(outer, nested, inner.size());
        to += length * a.itemsize();
    }
    return to_python(std::move(a));
}

namespace {

// Samples in order, finite or infinite, and what stands for those beyond the ends.
struct samples {
    double const *xp, *fp;
    std::int64_t n;
    double left, right;
};

// The samples' line at x, with NumPy's roundings.
double value_at(double x, samples const& s) {
    double const *const xp = s.xp, *const fp = s.fp;
    if (x != x) return x;
    if (x < xp[0]) return s.left;
    if (x >= xp[s.n - 1]) return x > xp[s.n - 1] ? s.right : fp[s.n - 1];
    std::int64_t j = 0;  // the last one that is not above x
    for (std::int64_t left = s.n, half = 0; left > 1; left -= half) {
        half = left / 2;
        j += xp[j + half] <= x ? half : 0;
    }
    if (x == xp[j]) return fp[j];
    double const slope = (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]);
    double r = slope * (x - xp[j]) + fp[j];
    if (r == r) return r;
    r = slope * (x - xp[j + 1]) + fp[j + 1];
    return r != r && fp[j] == fp[j + 1] ? fp[j] : r;
}

// Numbers as floats: a small array of float64, or what such is made of.
class floats {
public:
    // False: something else.
    bool take(PyObject* o) {
        if (is_plain_floats(o)) {
            from_ = &value_of(o);
            begin = begin_of<double>(*from_), size = from_->size();
            return true;
        }
        if (is_array(o) || !is_sequence(o)) return false;
        made_.reserve(items_of(o).size());
        for (PyObject* item : items_of(o)) {
            auto const v = plain_number(item);
            if (!v) return false;
            made_.push_back(*v);
        }
        begin = made_.data(), size = static_cast<std::int64_t>(made_.size());
        return is_small_count(size);
    }
    [[nodiscard]] int ndim() const { return from_ ? from_->ndim() : 1; }
    [[nodiscard]] dims shape() const { return from_ ? from_->shape : dims{size}; }
    [[nodiscard]] device where() const { return from_ ? from_->where() : default_device(); }

    double const* begin = nullptr;
    std::int64_t size = 0;

private:
    array const* from_ = nullptr;
    std::vector<double> made_;
};

bool ascends(double const* p, std::int64_t n) {
    bool yes = true;
    for (std::int64_t i = 1; i < n; ++i) yes &= p[i - 1] <= p[i];
    return yes;
}

// (x, xp, fp, left, right): floats or integers between samples whose positions ascend; None: those at the ends.
PyObject* small_interp(arguments args) {
    graph_lock lock;
    floats xp, fp, x;
    if (!xp.take(args[1]) || !fp.take(args[2])) return nullptr;
    if (xp.ndim() != 1 || fp.ndim() != 1 || fp.size != xp.size || xp.size < 2 || !ascends(xp.begin, xp.size))
        return nullptr;
    device const where = xp.where();
    if (!where.api->host_memory || !(fp.where() == where)) return nullptr;
    auto const left = args[3] == Py_None ? std::optional(fp.begin[0]) : plain_number(args[3]),
               right = args[4] == Py_None ? std::optional(fp.begin[fp.size - 1]) : plain_number(args[4]);
    if (!left || !right) return nullptr;
    samples const s{xp.begin, fp.begin, xp.size, *left, *right};
    if (auto const one = plain_number(args[0])) {
        return numpy_scalar(constant_of(value_at(*one, s)), make_dtype(type_id::float64));
    }
    if (!x.take(args[0]) || !(x.where() == where)) return nullptr;
    array r = empty(where, make_dtype(type_id::float64), x.shape());
    for (std::int64_t i = 0; i < x.size; ++i) begin_of<double>(r)[i] = value_at(x.begin[i], s);
    return to_python(std::move(r));
}

// (a, repeats): the elements in C order, each so often.
PyObject* small_repeat(arguments args) {
    auto const times = integer_from(args[1]);
    if (!is_array(args[0]) || !times) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    std::int64_t const k = *times;
    std::int64_t n = 0;
    if (k < 1 || !is_plain_small(a) || __builtin_mul_overflow(a.size(), k, &n) || !is_small_count(n)) return nullptr;
    array r = empty(a.where(), a.type, dims{n});
    bool const done = with_word(a.itemsize(), [&]<class T>(T) {
        T *to = begin_of<T>(r), *from = begin_of<T>(a);
        for (std::int64_t i = 0; i < a.size(); ++i, to += k) std::fill_n(to, k, from[i]);
    });
    return done ? to_python(std::move(r)) : nullptr;
}

// (a), of any size
PyObject* count_nonzero(arguments args) {
    static constexpr auto number = aggregate_of("count_nonzero");
    if (!is_array(args[0])) return nullptr;
    if (PyObject* const r = quick_fold_result(number, args[0])) return r;
    return scalar_or_array(fold(number, value_of(args[0])));
}

// (v): the matrix with this diagonal.
PyObject* small_diagonal(arguments args) {
    if (!is_array(args[0])) return nullptr;
    graph_lock lock;
    array const& v = value_of(args[0]);
    if (v.ndim() != 1 || !is_plain_small(v) || is_time(v.type.id)) return nullptr;
    auto const n = v.size();
    constexpr std::int64_t most = std::int64_t{1} << 16;  // zeros are soon written
    if (n * n > most) return nullptr;
    array r = empty(v.where(), v.type, dims{n, n});
    std::memset(begin_of<std::byte>(r), 0, static_cast<std::size_t>(n * n * v.itemsize()));
    bool const done = with_word(v.itemsize(), [&]<class T>(T) {
        for (std::int64_t i = 0; i < n; ++i) begin_of<T>(r)[i * (n + 1)] = begin_of<T>(v)[i];
    });
    return done ? to_python(std::move(r)) : nullptr;
}

}  // namespace

bool is_small_count(std::int64_t n) {
    static graph_settings const& of_process = settings();
    return n > 0 && n < of_process.eager_below.load(std::memory_order_relaxed);
}

bool is_plain_small(array const& a) { return is_plain_small(a, a.size()); }

bool is_plain_small(array const& a, std::int64_t work) {
    auto const* const s = a.memory();
    if (!a.where().api->host_memory || a.size() == 0 || !is_small_count(work) || !s->ready() || s->running)
        return false;
    if (s->odd_truths && is_boolean(a.type.id)) return false;
    return is_c_contiguous(a.shape, a.strides, a.itemsize());
}

std::optional<std::int64_t> integer_from(PyObject* o) {
    int overflow = 0;
    if (!PyLong_CheckExact(o)) return {};
    std::int64_t const v = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow ? std::optional<std::int64_t>() : v;
}

std::optional<dims> plain_integers(std::span<PyObject* const> args) {
    if (args.size() == 1 && PyTuple_CheckExact(args[0]))
        args = {&PyTuple_GET_ITEM(args[0], 0), static_cast<std::size_t>(PyTuple_GET_SIZE(args[0]))};
    if (args.size() > max_dims) return {};
    dims d;
    for (PyObject* o : args) {
        auto const v = integer_from(o);
        if (!v) return {};
        d.push_back(*v);
    }
    return d;
}

namespace {

// (x, like): numbers, or a list or tuple of them, as an array beside `like`, an array or anything else.
PyObject* small_numbers(arguments args) {
    if (is_array(args[1]) && !(value_of(args[1]).where() == default_device())) return nullptr;
    return array_of_numbers(args[0]);
}

}  // namespace

bool add_small_calls(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_filled, 3>("small_filled"),
        small_definition<small_like, 2>("small_like"),
        small_definition<small_arange, 3>("small_arange"),
        small_definition<small_array, 1>("small_array"),
        small_definition<small_numbers, 2>("small_numbers"),
        small_definition<small_interp, 5>("small_interp"),
        small_definition<small_repeat, 2>("small_repeat"),
        small_definition<count_nonzero, 1>("count_nonzero"),
        small_definition<small_diagonal, 1>("small_diagonal"),
        small_definition<small_linspace, 4>("small_linspace"),
        {},
    };
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python

// Python's numbers, and lists of them, converted for C++.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/joins.hpp"
#include "bascule/array/promote.hpp"
#include "functions.hpp"

namespace bascule::python {

bool is_plain_small(array const& a) {
    return a.where().api->host_memory && eager::is_small(a.size()) && eager::is_contiguous_ready(a);
}

std::optional<std::int64_t> integer_from(PyObject* o) {
    int overflow = 0;
    if (!PyLong_CheckExact(o)) return {};
    std::int64_t const v = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow ? std::optional<std::int64_t>() : v;
}

std::optional<int> plain_axis(PyObject* o, int ndim) {
    auto const axis = integer_from(o);
    return axis ? position_of(*axis, ndim) : std::nullopt;
}

std::optional<double> plain_number(PyObject* o) {
    if (PyFloat_CheckExact(o)) return PyFloat_AS_DOUBLE(o);
    auto const v = integer_from(o);
    constexpr std::int64_t far = std::int64_t{1} << 40;
    if (!v || *v > far || *v < -far) return {};
    return static_cast<double>(*v);
}

std::optional<dims> plain_integers(std::span<PyObject* const> args) {
    if (args.size() == 1 && PyTuple_CheckExact(args[0]))
        args = {&PyTuple_GET_ITEM(args[0], 0), static_cast<std::size_t>(PyTuple_GET_SIZE(args[0]))};
    else if (args.size() == 1 && PyList_CheckExact(args[0]))
        args = {PySequence_Fast_ITEMS(args[0]), static_cast<std::size_t>(PyList_GET_SIZE(args[0]))};
    if (args.size() > max_dims) return {};
    dims d;
    for (PyObject* o : args) {
        auto const v = integer_from(o);
        if (!v) return {};
        d.push_back(*v);
    }
    return d;
}

bool read_number(PyObject* o, type_id& t, plan_constant& v) {
    if (PyFloat_CheckExact(o)) return t = type_id::float64, v.f64[0] = PyFloat_AS_DOUBLE(o), true;
    if (auto const whole = integer_from(o)) return t = type_id::int64, v.i64 = *whole, true;
    if (PyBool_Check(o)) return t = type_id::bool_, v.bytes[0] = o == Py_True, true;
    if (!is_array(o)) return numpy_number(o, t, v);
    array const& a = value_of(o);
    t = a.type.id;
    return a.ndim() == 0 && eager::read(a, a.offset, v);
}

namespace {

using items = std::span<PyObject* const>;

bool is_sequence(PyObject* o) { return PyList_CheckExact(o) || PyTuple_CheckExact(o); }
items items_of(PyObject* o) {
    return {PySequence_Fast_ITEMS(o), static_cast<std::size_t>(PySequence_Fast_GET_SIZE(o))};
}

// Numbers of one type, or integers and floats among each other, which are floats then.
class numbers {
public:
    explicit numbers(std::size_t count) {
        constexpr std::size_t few = 64;
        if (count > few) many_ = std::make_unique_for_overwrite<std::uint64_t[]>(count);
        values_ = many_ ? many_.get() : few_;
    }
    // False: another type is among them.
    bool add(items of) {
        for (PyObject* o : of) {
            type_id t{};
            plan_constant v{};
            if (!read_number(o, t, v)) return false;
            if (count_ == 0) type_ = t;
            if (t != type_ && !mix(t)) return false;
            if (t != type_) v.f64[0] = static_cast<double>(v.i64);
            put(v);
        }
        return true;
    }
    [[nodiscard]] array as_array(dims const& shape) const {
        dtype const t = make_dtype(type_);
        return from_host(default_device(), values_, t, shape, contiguous_strides(shape, t.itemsize));
    }
    // Python's and NumPy's numbers may be mixed in these types only.
    [[nodiscard]] bool is_common() const {
        return type_ == type_id::float64 || type_ == type_id::int64 || type_ == type_id::bool_;
    }

private:
    // Whether type_ is, or becomes, the common type of the numbers so far and one of type t.
    bool mix(type_id t) {
        if (type_ == type_id::float64 && t == type_id::int64) return true;
        if (type_ != type_id::int64 || t != type_id::float64) return false;
        for (std::size_t k = 0; k < count_; ++k)
            values_[k] = std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<std::int64_t>(values_[k])));
        type_ = type_id::float64;
        return true;
    }
    void put(plan_constant const& v) {
        auto const bytes = static_cast<std::size_t>(itemsize(type_));
        if (bytes <= sizeof *values_)
            std::memcpy(reinterpret_cast<std::byte*>(values_) + bytes * count_, v.bytes, bytes);
        ++count_;
    }

    type_id type_ = type_id::float64;
    std::size_t count_ = 0;
    std::uint64_t few_[64], *values_;
    std::unique_ptr<std::uint64_t[]> many_;
};

// Arrays with axes, of one shape and type; on the default device.
PyObject* stacked(PyObject* sequence) {
    operand_list parts;
    if (!parts.take(sequence)) return nullptr;
    auto const all = parts.values();
    for (auto const& a : all)
        if (!(a.type == all[0].type) || !(a.shape == all[0].shape) || !(a.where() == default_device()) ||
            !is_plain_small(a))
            return nullptr;
    return to_python(stack(all, 0));
}

}  // namespace

PyObject* array_of_list(PyObject* given) {
    if (!is_sequence(given) || !in_host_memory_by_default()) return nullptr;
    auto const outer = items_of(given);
    if (outer.empty()) return nullptr;
    bool const nested = is_sequence(outer[0]);
    auto const inner = nested ? items_of(outer[0]) : outer;
    auto const length = static_cast<std::int64_t>(inner.size()), rows = static_cast<std::int64_t>(outer.size());
    if (inner.empty() || !eager::is_small(length) || !eager::is_small(nested ? rows * length : length)) return nullptr;
    if (is_array(inner[0]) && !nested && value_of(inner[0]).ndim() > 0) return stacked(given);
    numbers all(nested ? outer.size() * inner.size() : inner.size());
    if (!nested) return all.add(outer) && all.is_common() ? to_python(all.as_array({length})) : nullptr;
    for (PyObject* row : outer)
        if (!is_sequence(row) || items_of(row).size() != inner.size() || !all.add(items_of(row))) return nullptr;
    return all.is_common() ? to_python(all.as_array({rows, length})) : nullptr;
}

PyObject* array_of_numbers(PyObject* given) {
    PyObject* const r = array_of_list(given);
    if (r || PyErr_Occurred() || is_array(given) || !in_host_memory_by_default()) return r;
    plan_constant v{};
    type_id t{};
    if (PyComplex_CheckExact(given)) {
        t = type_id::complex128, v.f64[0] = PyComplex_RealAsDouble(given), v.f64[1] = PyComplex_ImagAsDouble(given);
    } else if (!read_number(given, t, v)) {
        return nullptr;
    }
    array a;
    eager::set_scalar(a, default_device(), make_dtype(t), v);
    a.scalar = false;
    return to_python(std::move(a));
}

namespace {

// Reads a number as assignments to arrays do: a float is not an element of an integer type.
bool read_element(PyObject* o, type_id t, plan_constant& v) {
    bool const fits = PyLong_CheckExact(o) || PyBool_Check(o) ||
                      (PyFloat_CheckExact(o) && (is_float(t) || is_complex(t)));
    return fits && plain_element(o, t, v);
}

PyObject* array_of_elements(PyObject* given, array const& like) {
    bool const several = is_sequence(given);
    auto const all = several ? items_of(given) : items(&given, 1);
    auto const count = static_cast<std::int64_t>(all.size());
    if (is_time(like.type.id) || count == 0 || !eager::is_small(count)) return nullptr;
    auto const item = static_cast<std::size_t>(like.itemsize());
    std::vector<std::byte> bytes(item * all.size());
    plan_constant v{};
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!read_element(all[k], like.type.id, v)) return nullptr;
        std::memcpy(bytes.data() + item * k, v.bytes, item);
    }
    dims const shape = several ? dims{count} : dims{};
    return to_python(
        from_host(like.where(), bytes.data(), like.type, shape, contiguous_strides(shape, like.itemsize())));
}

}  // namespace

bool operand_array::take_like(PyObject* o, array const& other) {
    if (!hold(o, is_array(o) ? nullptr : array_of_elements(o, other))) return false;
    return value().type == other.type && value().where() == other.where();
}

bool operand_list::take(PyObject* sequence) {
    if (!is_sequence(sequence) || PySequence_Fast_GET_SIZE(sequence) == 0) return false;
    auto const all = items_of(sequence);
    if (std::all_of(all.begin(), all.end(), is_array)) return arrays_ = all, true;
    for (PyObject* o : all)
        if (!held_.emplace_back().take(o)) return false;
    return true;
}

bool operand_list::unify() {
    auto const like_first = [&](PyObject* o) { return value_of(o).type == value_of(arrays_[0]).type; };
    if (!arrays_.empty() && std::all_of(arrays_.begin(), arrays_.end(), like_first)) return true;
    for (PyObject* o : std::exchange(arrays_, {})) held_.emplace_back().take(o);
    dtype common = held_[0].value().type;
    bool same = true, all_known = true;
    for (auto const& o : held_) {
        dtype const t = o.value().type;
        same = same && t == common;
        all_known = all_known && !is_time(t.id);
        if (!same && all_known) common = make_dtype(promote(common.id, t.id));
    }
    if (same) return true;
    if (!all_known) return false;
    for (auto& o : held_)
        if (!(o.value().type == common) && !o.cast(common)) return false;
    return true;
}

std::vector<array> operand_list::values() const {
    std::vector<array> all;
    all.reserve(arrays_.size() + held_.size());
    for (PyObject* o : arrays_) all.push_back(value_of(o));
    for (auto const& o : held_) all.push_back(o.value());
    return all;
}

PyObject* tuple_of(std::vector<array> all) {
    reference tuple{PyTuple_New(static_cast<Py_ssize_t>(all.size()))};
    if (!tuple.p) throw python_error{};
    for (std::size_t k = 0; k < all.size(); ++k) {
        PyObject* const one = to_python(std::move(all[k]));
        if (!one) throw python_error{};
        PyTuple_SET_ITEM(tuple.p, static_cast<Py_ssize_t>(k), one);
    }
    return std::exchange(tuple.p, nullptr);
}

}  // namespace bascule::python

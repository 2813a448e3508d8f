// Rows of the function table that the package itself calls: array/*.hpp, mostly one to one, and views that need no
// Python. Arguments and results are converted by the types of the functions.
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "bascule/array/eager.hpp"
#include "bascule/array/fourier.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/joins.hpp"
#include "bascule/array/linalg.hpp"
#include "bascule/array/numeric.hpp"
#include "bascule/array/ordered.hpp"
#include "bascule/array/random.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/array/ufunc_methods.hpp"
#include "bascule/core/blas_library.hpp"
#include "bascule/table/groups.hpp"
#include "core_rows.hpp"

namespace bascule::python {

namespace {

PyObject* returned(table::distinct_rows d) { return tuple_of({std::move(d.first), std::move(d.number)}); }
std::uint64_t word_from(PyObject* o) {
    std::uint64_t const v = PyLong_AsUnsignedLongLong(o);
    if (PyErr_Occurred()) throw python_error{};
    return v;
}

// The op of this name and form; nothing if there is none.
std::optional<std::uint16_t> find_op(PyObject* given, ops::form call) {
    static auto const numbers = [] {
        std::unordered_map<std::string_view, int> made;
        for (int i = ops::op_count - 1; i >= 0; --i) made[ops::table[i].name] = i;
        return made;
    }();
    auto const name = text_of(given);
    auto const found = numbers.find(name);
    int const number = found != numbers.end() ? found->second : ops::find(name.c_str());  // by another name
    if (number < 0 || ops::table[number].call != call) return {};
    return static_cast<std::uint16_t>(number);
}
std::uint16_t op_of(PyObject* given, ops::form call) {
    auto const number = find_op(given, call);
    if (!number) throw value_error("no such op: " + text_of(given));
    return *number;
}

// ---- elements and their order

PyObject* factorize_columns(bound_arguments args) {
    argument_of<std::span<array const>> columns(args[0]);
    bool const want_inverse = argument_of<bool>(args[1]).held;
    return returned([&] {
        without_gil const released(is_long_work(columns.elements()));
        return table::distinct(columns.value(), want_inverse);
    }());
}

PyObject* count_nonzero(bound_arguments args) {
    static constexpr auto number = aggregate_of("count_nonzero");
    if (!is_array(args[0])) return nullptr;
    if (PyObject* const r = fast_reduction_result(number, args[0])) return r;
    return scalar_or_array(reduce_with(number, value_of(args[0])));
}

// Over its diagonal, where the array has two axes.
PyObject* diagonal_view(bound_arguments args) {
    if (!is_array(args[0]) || value_of(args[0]).ndim() != 2) return nullptr;
    PyObject* const r = new_view(args[0]);
    array const& a = value_of(args[0]);
    array& v = value_of(r);
    v.shape.push_back(std::min(a.shape[0], a.shape[1])), v.strides.push_back(a.strides[0] + a.strides[1]);
    v.writeable = false;
    return r;
}

// The array itself if it has axes and is in C or Fortran order, else a copy.
PyObject* in_order(bound_arguments args) {
    if (!is_array(args[0]) || value_of(args[0]).ndim() == 0) return nullptr;
    array const& a = value_of(args[0]);
    bool const fortran = args[1] == Py_True;
    bool const there = fortran ? is_f_contiguous(a.shape, a.strides, a.itemsize())
                               : is_c_contiguous(a.shape, a.strides, a.itemsize());
    return there ? Py_NewRef(args[0]) : to_python(bascule::copy(a, fortran ? 'F' : 'C'));
}

PyObject* bytes_of(bound_arguments args) {
    if (!is_array(args[0])) return nullptr;
    array const a = value_of(args[0]);
    reference bytes{PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(a.size() * a.itemsize()))};
    if (!bytes.p) throw python_error{};
    without_gil const released(is_long_work(a.size()));
    to_host(a, PyBytes_AS_STRING(bytes.p));
    return std::exchange(bytes.p, nullptr);
}

// Numbers, or a list or tuple of them, as an array on the device of `like`.
PyObject* numbers_for(bound_arguments args) {
    if (is_array(args[1]) && !(value_of(args[1]).where() == default_device())) return nullptr;
    return array_of_numbers(args[0]);
}
PyObject* numbers_in_list(bound_arguments args) { return array_of_list(args[0]); }

// ---- methods of ufuncs

// Reductions of ever longer parts, where nothing else is given; axis None is the only one.
PyObject* plain_accumulate(bound_arguments args) {
    auto const op = integer_from(args[0]);
    if (!op || ops::table[*op].nin != 2 || !is_array(args[1])) return nullptr;
    array const a = value_of(args[1]);
    auto const axis = args[2] == Py_None && a.ndim() == 1 ? std::optional(0) : plain_axis(args[2], a.ndim());
    if (!axis || is_time(a.type.id) || a.size() == 0) return nullptr;
    return result_of(a.size(), [&] { return accumulate(static_cast<std::uint16_t>(*op), a, *axis, {}, nullptr); });
}

// Reductions of the parts of an array of one axis that begin at positions within it.
PyObject* plain_reduceat(bound_arguments args) {
    auto const op = integer_from(args[0]);
    operand_array given;
    if (!op || ops::table[*op].nin != 2 || !is_array(args[1]) || !given.take(args[2])) return nullptr;
    array const a = value_of(args[1]), starts = given.value();
    if (a.ndim() != 1 || is_time(a.type.id) || starts.type.id != type_id::int64 || starts.ndim() != 1) return nullptr;
    std::vector<std::int64_t> first(static_cast<std::size_t>(starts.size()));
    to_host(starts, first.data());
    for (auto const k : first)
        if (k < 0 || k >= a.size()) return nullptr;
    if (first.empty()) return nullptr;
    return result_of(a.size(), [&] { return reduceat(static_cast<std::uint16_t>(*op), a, first, 0, {}, nullptr); });
}

// A number of Python's that is a float32.
bool is_float32(PyObject* o) {
    auto const x = plain_number(o);
    return x && static_cast<double>(static_cast<float>(*x)) == *x;
}

// True, or None where the general form is to answer.
PyObject* combined_at(bound_arguments args) {
    static constexpr std::uint16_t known[] = {number_of("add"), number_of("subtract"), number_of("maximum"),
                                              number_of("minimum")};
    auto const op = integer_from(args[0]);
    if (!op || std::find(std::begin(known), std::end(known), *op) == std::end(known) || !is_array(args[1]))
        return nullptr;
    array const a = value_of(args[1]);
    type_id const t = a.type.id;
    bool const dense = a.size() > 0 && a.ndim() > 0 && is_c_contiguous(a.shape, a.strides, a.itemsize());
    bool const sums = *op == known[0] || *op == known[1];
    bool const adds = is_integer(t) || t == type_id::float64 || (sums && t == type_id::float32);
    if (!dense || !adds || !a.writeable || !a.memory()->writeable) return nullptr;
    if (!sums && !eager::is_small(a.size())) return nullptr;  // all of it is read
    PyObject* const indices = args[2];
    bool const several = PyTuple_CheckExact(indices);
    std::vector<array> positions;
    for (Py_ssize_t k = 0; k < (several ? PyTuple_GET_SIZE(indices) : 1); ++k) {
        operand_array one;
        if (!one.take(several ? PyTuple_GET_ITEM(indices, k) : indices)) return nullptr;
        array const& p = positions.emplace_back(one.value());
        if (p.type.id != type_id::int64 || p.memory() == a.memory() || !(p.where() == a.where())) return nullptr;
        if (!(positions[0].shape == p.shape) || p.size() == 0) return nullptr;
    }
    operand_array given;
    if (static_cast<int>(positions.size()) != a.ndim() || !given.take_like(args[3], a)) return nullptr;
    array const values = given.value();
    // Values that are Python floats are summed in float64 and rounded once, which is the same if they are float32
    // numbers.
    if (t == type_id::float32 && !is_array(args[3]) && !is_float32(args[3])) return nullptr;
    bool const alone = !is_array(args[3]) && values.ndim() == 0;
    if (!alone && !(values.shape == positions[0].shape)) return nullptr;
    auto const number = static_cast<std::uint16_t>(*op);
    bool const is_long = is_long_work(positions[0].size());
    checked_call const scope(checked_call::gil{is_long});
    errstate::naming const all_is_part(errstate::kind::ufunc, a.ndim() == 1 ? number : errstate::no_aggregate);
    bool const done = [&] {
        without_gil const released(is_long);
        return combine_at(number, a, positions, values);
    }();
    return done ? Py_NewRef(Py_True) : nullptr;
}

// ---- linear algebra

// (labels in all, labels of the output, each operand's labels, operands)
PyObject* contracted(bound_arguments args) {
    int const all = argument_of<int>(args[0]).held, kept = argument_of<int>(args[1]).held;
    if (!PyTuple_CheckExact(args[2])) throw type_error("[contract] the labels of each operand come in a tuple");
    std::vector<std::string_view> labels;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(args[2]); ++k) {
        PyObject* const of = PyTuple_GET_ITEM(args[2], k);
        if (!PyBytes_CheckExact(of)) return nullptr;
        labels.emplace_back(PyBytes_AS_STRING(of), static_cast<std::size_t>(PyBytes_GET_SIZE(of)));
    }
    argument_of<std::span<array const>> operands(args[3]);
    if (operands.held.size() != labels.size()) return nullptr;
    auto r = contract(operands.value(), labels, all, kept);
    return r ? value_or_array(std::move(*r)) : nullptr;
}

// A product takes about as long as its number of multiplications says.
bool is_long_product(array const& a, array const& b) {
    std::int64_t const last = b.ndim() > 1 ? b.shape[b.ndim() - 1] : 1;
    return is_long_work(a.size() * std::max<std::int64_t>(last, 1)) || !a.memory()->ready() || !b.memory()->ready();
}

PyObject* matrix_product(bound_arguments args) {
    enum { form, a, b, type, to, dot };
    array const x = argument_of<array const&>(args[a]).held, y = argument_of<array const&>(args[b]).held;
    std::optional<type_id> loop;
    if (args[type] != Py_None) loop = dtype_from(args[type]).id;
    argument_of<array const*> target(args[to]);
    auto const which = static_cast<product_form>(PyLong_AsLong(args[form]));
    bool const long_work = is_long_product(x, y);
    checked_call const scope(checked_call::gil{long_work});
    std::optional<errstate::naming> whole_name;
    if (args[dot] == Py_True) whole_name.emplace(errstate::kind::ufunc, errstate::dot_call);
    array r = [&] {
        without_gil const guard(long_work);
        return product(which, x, y, loop, target.value());
    }();
    if (args[to] != Py_None) return Py_NewRef(args[to]);
    r.scalar = r.ndim() == 0;
    return to_python(std::move(r));
}

PyObject* matrix_factor(bound_arguments args) {
    enum { task, a, b, wide, vectors, full, upper, tolerance };
    argument_of<array const&> x(args[a]);
    argument_of<array const*> y(args[b]);
    auto const boolean = [&](int k) { return argument_of<bool>(args[static_cast<std::size_t>(k)]).held; };
    auto const number = argument_of<int>(args[task]).held;
    if (number < 0) throw value_error("[factor] no such task");
    factor_request const q{
        static_cast<matrix_task>(number),         boolean(wide), boolean(vectors), boolean(full), boolean(upper),
        argument_of<double>(args[tolerance]).held};
    factorization_result r = [&] {
        without_gil const guard(true);
        return factor(q, x.value(), y.value());
    }();
    reference const all{tuple_of(std::move(r.out))}, list{PySequence_List(all.p)},
        failed{PyLong_FromLongLong(r.failed)};
    return list.p && failed.p ? PyTuple_Pack(2, list.p, failed.p) : nullptr;
}

PyObject* fourier_transform(bound_arguments args) {
    enum { kind, a, rank, n };
    argument_of<array const&> x(args[a]);
    auto const number = argument_of<int>(args[kind]).held;
    if (number < 0) throw value_error("[fourier] no such transform");
    auto const axes = argument_of<int>(args[rank]).held;
    auto const length = argument_of<std::int64_t>(args[n]).held;
    return to_python([&] {
        without_gil const guard(true);
        return fourier(x.value(), static_cast<fourier_kind>(number), axes, length);
    }());
}

PyObject* use_blas_library(bound_arguments args) {
    set_blas_library(text_of(args[0]));
    return Py_NewRef(Py_None);
}

// ---- random values

PyObject* filled_by_counter(bound_arguments args) {
    enum { op, shape, type, key, first, where };
    return to_python(counter_fill(device_of(args[where]), dtype_from(args[type]), dims_from(args[shape]),
                                  op_of(args[op], ops::form::counter), word_from(args[key]), word_from(args[first])));
}

PyObject* sampled(bound_arguments args) {
    enum { op, shape, key, first, where_, parameters };
    auto const where = device_of(args[where_]);
    auto const n = static_cast<std::size_t>(PyTuple_GET_SIZE(args[parameters]));
    std::vector<held_argument> held(n);
    std::vector<argument> all;
    for (std::size_t k = 0; k < n; ++k) {
        PyObject* const one = PyTuple_GET_ITEM(args[parameters], static_cast<Py_ssize_t>(k));
        if (!to_argument(one, held[k], accept::everything, where))
            throw type_error("[sample] parameters are numbers or arrays");
        all.push_back(held[k].arg);
    }
    return to_python(sample(where, dims_from(args[shape]), op_of(args[op], ops::form::sample), word_from(args[key]),
                            word_from(args[first]), all));
}

// Few values of float64 on the default device, at once.
PyObject* few_random(bound_arguments args) {
    enum { op, count, key, first, shift, scale };
    auto const n = integer_from(args[count]);
    if (!n || !eager::is_small(*n)) return nullptr;
    if (!PyFloat_CheckExact(args[shift]) || !PyFloat_CheckExact(args[scale])) return nullptr;
    auto const of = in_host_memory_by_default() ? find_op(args[op], ops::form::counter) : std::nullopt;
    if (!of) return nullptr;
    return to_python(counter_line(default_device(), *n, *of, word_from(args[key]), word_from(args[first]),
                                  PyFloat_AS_DOUBLE(args[shift]), PyFloat_AS_DOUBLE(args[scale])));
}

PyObject* few_in_order(bound_arguments args) {
    auto const n = integer_from(args[0]);
    if (!n || !eager::is_small(*n) || !in_host_memory_by_default()) return nullptr;
    return to_python(random_order(default_device(), *n, word_from(args[1]), word_from(args[2])));
}

}  // namespace

std::span<function_row const> core_functions() {
    static constexpr function_row rows[] = {
        row_of<sort>("sort", "a, axis", "A sorted copy along an axis, in the layout of the input."),
        row_of<argsort>("argsort", "a, axis", "The positions that sort along an axis, equal elements in order."),
        row_of<partition>("partition", "a, axis, kth", "A copy along an axis with the kth elements at their places."),
        row_of<argpartition>("argpartition", "a, axis, kth", "The positions that partition along an axis."),
        row_of<argsort_by>("argsort_by", "keys",
                           "The positions that sort by several keys, the last the most important."),
        row_of<searchsorted>(
            "searchsorted", "sorted, values, right",
            "The positions at which values keep a sorted array sorted, behind equal ones or before them."),
        row_of<select_ranks>("select_ranks", "a, ranks", "The elements of given ranks in each row of the last axis."),
        row_of<static_cast<array (*)(array const&, std::int64_t)>(bincount)>(
            "bincount", "index, bins", "How often each number below a bound occurs."),
        row_of<scatter_add>("scatter_add", "to, index, values",
                            "Add values at positions, several at one position too."),
        row_of<histogram>("histogram", "a, edges, width, wide, weights, rounding",
                          "Counts, or sums of weights, between edges that are evenly spaced or sorted."),
        row_of<static_cast<array (*)(array const&, array const&, int)>(take)>(
            "take", "a, positions, axis", "The elements at positions along an axis."),
        row_of<nonzero>("nonzero", "a", "The positions of the elements that are not zero, one array an axis."),
        row_of<concatenate>("concatenate", "parts, axis", "Arrays of one type, one behind the other along an axis."),
        row_of<roll>("roll", "a, shift, axis", "A copy with the elements moved along an axis, the last of them first."),
        row_of<repeat>("repeat", "a, times, axis", "A copy with each element along an axis repeated."),
        row_of<tile>("tile", "a, times", "A copy of the whole array repeated along each of its axes."),
        row_of<diagonal_matrix>("diagonal_matrix", "diagonal, k", "The matrix with a diagonal, and zeros elsewhere."),
        core_row("factorize", "columns, want_inverse", factorize_columns, "Rows of columns numbered by their values."),
        core_row("count_nonzero", "a", count_nonzero, "How many elements are not zero."),
        core_row("diagonal_view", "a", diagonal_view, "The read-only main diagonal of a matrix."),
        core_row("in_order", "a, fortran", in_order, "The array, or a copy of it, in C or Fortran order."),
        core_row("bytes_of", "a", bytes_of, "The bytes of the elements in C order."),
        core_row("numbers_for", "x, like", numbers_for,
                 "A number or a short list of numbers as an array of the type that it has beside another."),
        core_row("numbers_in_list", "x", numbers_in_list, "A short list or tuple of numbers as an array."),
        core_row("plain_accumulate", "op, a, axis", plain_accumulate, "The running results of an op along an axis."),
        core_row("plain_reduceat", "op, a, starts", plain_reduceat,
                 "The results of an op over segments that begin at positions."),
        core_row("combine_at", "op, a, indices, values", combined_at,
                 "Combine values with the elements at positions, one after the other."),
        core_row("contract", "labels, kept, labels_of, operands", contracted, "A sum of products over labelled axes."),
        core_row("product", "form, a, b, dtype=None, out=None, dot=False", matrix_product,
                 "A product of matrices or vectors by form: matmul, matvec, vecmat or vecdot."),
        core_row("factor", "task, a, b=None, wide=True, vectors=True, full=False, upper=False, tolerance=-1.0",
                 matrix_factor,
                 "A decomposition or solution of stacks of matrices by LAPACK, and the numbers of those that failed."),
        core_row(
            "fourier", "kind, a, rank, n=0", fourier_transform,
            "A transform along the last axes, not scaled, by a device that has its own: 0 forward, 1 backward, 2 of "
            "real values, 3 back to n of them."),
        core_row("set_blas_library", "path", use_blas_library, "Say where the library of BLAS and LAPACK lies."),
        core_row("counter_fill", "op, shape, dtype, key, first, device", filled_by_counter,
                 "Elements that a key and their position decide, of one distribution."),
        core_row("sample", "op, shape, key, first, device, *parameters", sampled,
                 "Elements that a key, their position and parameters decide, of one distribution."),
        core_row("few_random", "op, count, key, first, shift, scale", few_random,
                 "A few numbers of one distribution, computed at the call."),
        core_row("few_in_order", "count, key, first", few_in_order,
                 "A random order of a few positions, computed at the call."),
    };
    return rows;
}

namespace {

// ---- views, and values written where a mask holds

// Whether it has axes and is computed: a pending array cannot be viewed as another type yet.
bool is_there(PyObject* o) { return is_array(o) && value_of(o).ndim() > 0 && value_of(o).memory()->ready(); }

PyObject* view_as(PyObject* of, dtype t, std::int64_t offset) {
    PyObject* const r = new_view(of);
    array const& a = value_of(of);
    array& v = value_of(r);
    v.shape = a.shape, v.strides = a.strides, v.offset += offset, v.type = t;
    return r;
}

type_id part_type(array const& z) { return z.type.id == type_id::complex64 ? type_id::float32 : type_id::float64; }

// The real or imaginary part of a complex scalar, as a scalar.
PyObject* part_of_scalar(array const& z, bool imaginary) {
    plan_constant v{}, part{};
    if (!is_complex(z.type.id) || !eager::read(z, z.offset, v)) return nullptr;
    type_id const t = part_type(z);
    auto const bytes = static_cast<std::size_t>(itemsize(t));
    std::memcpy(part.bytes, v.bytes + (imaginary ? bytes : 0), bytes);
    PyObject* const r = new_array();
    eager::set_scalar(value_of(r), z.where(), make_dtype(t), part);
    return r;
}

// (a): real parts, of complex numbers as a view; (a) again: imaginary parts of complex numbers.
template <bool Imaginary> PyObject* small_part(bound_arguments args) {
    if (is_array(args[0]) && value_of(args[0]).scalar) return part_of_scalar(value_of(args[0]), Imaginary);
    if (!is_there(args[0])) return nullptr;
    array const& a = value_of(args[0]);
    if (!is_complex(a.type.id)) return Imaginary ? nullptr : Py_NewRef(args[0]);
    type_id const t = part_type(a);
    return view_as(args[0], make_dtype(t), Imaginary ? itemsize(t) : 0);
}

// (a, axis): backwards along one axis, or along all (None).
PyObject* small_flip(bound_arguments args) {
    if (!is_array(args[0]) || value_of(args[0]).size() == 0) return nullptr;
    array const& a = value_of(args[0]);
    int const n = a.ndim();
    std::int64_t axis = -1;  // all
    if (args[1] != Py_None) {
        auto const given = integer_from(args[1]);
        axis = given && *given < 0 ? *given + n : given.value_or(-1);
        if (axis < 0 || axis >= n) return nullptr;
    }
    if (n == 0) return nullptr;
    dims strides = a.strides;
    std::int64_t offset = a.offset;
    for (int d = 0; d < n; ++d) {
        if (axis >= 0 && d != axis) continue;
        offset += (a.shape[d] - 1) * a.strides[d], strides[d] = -a.strides[d];
    }
    return view_to_python(bascule::view(a, a.shape, strides, offset), args[0]);
}

// The arguments of place and putmask: booleans, and values of a's type.
struct written {
    operand_array where, values;

    [[nodiscard]] bool take(PyObject* to, PyObject* keys, PyObject* given) {
        if (!is_array(to) || !where.take_any(keys)) return false;
        array const& a = value_of(to);
        return a.writeable && a.memory()->writeable && eager::is_small(a.size()) && a.where().api->host_memory &&
               values.take_like(given, a) && values.value().size() > 0;
    }
    // Booleans of a's shape.
    [[nodiscard]] bool selects(array const& a) const {
        return is_boolean(where.value().type.id) && where.value().shape == a.shape;
    }
};

// (a, mask, values): np.place, which assigns the next value at each true element of the mask. Returns True, as the
// functions below.
PyObject* small_place(bound_arguments args) {
    static constexpr auto sum = aggregate_of("sum");
    written w;
    if (!w.take(args[0], args[1], args[2]) || !w.selects(value_of(args[0]))) return nullptr;
    array const &a = value_of(args[0]), &mask = w.where.value(), &values = w.values.value();
    plan_constant count{}, v{};
    if (values.size() == 1 && eager::read(values, values.offset, v) && eager::fill_selected(a, mask, false, v))
        return Py_NewRef(Py_True);
    if (values.ndim() != 1 || !eager::reduce(sum, mask, ops::fp::none, count).done || count.i64 == 0) return nullptr;
    if (values.size() < count.i64) return nullptr;
    array const first = view(values, {count.i64}, values.strides, values.offset);
    return eager::assign_selected(a, mask, false, first) ? Py_NewRef(Py_True) : nullptr;
}

// (a, mask, values): np.putmask, which assigns one value, or the element of `values` at the same position, where the
// mask is true.
PyObject* small_putmask(bound_arguments args) {
    written w;
    if (!w.take(args[0], args[1], args[2]) || !w.selects(value_of(args[0]))) return nullptr;
    array const &a = value_of(args[0]), &values = w.values.value();
    if (is_time(a.type.id) || (values.size() != 1 && !(values.shape == a.shape))) return nullptr;
    array const one = values.size() == 1 ? view(values, {}, {}, values.offset) : values;
    argument const chosen[] = {{&w.where.value()}, {&one}, {&a}};
    call_options o;
    o.out = &a, o.type = a.type.id;
    checked_call const scope;
    apply_by_rules(number_of("where"), chosen, o);
    return Py_NewRef(Py_True);
}

}  // namespace

std::optional<dtype> known_dtype(PyObject* named) {
    try {
        return dtype_from(named);
    } catch (...) {
        // The general form reports errors of the name. An interruption is not one of them.
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) throw;
        PyErr_Clear();
        return {};
    }
}

std::span<function_row const> view_functions() {
    static constexpr function_row rows[] = {
        core_row("small_real", "a", small_part<false>, "A view of the real parts."),
        core_row("small_imag", "a", small_part<true>, "A view of the imaginary parts."),
        core_row("small_flip", "a, axis", small_flip, "A view with an axis reversed."),
        core_row("small_place", "a, mask, values", small_place,
                 "Write the n-th value at the n-th place where a mask holds."),
        core_row("small_putmask", "a, mask, values", small_putmask,
                 "Write values where a mask holds, repeating them along the array."),
    };
    return rows;
}

}  // namespace bascule::python

// Einstein's notation on few elements: all sums of products in one nest of loops, in the order of the labels.
#include <algorithm>
#include <cstring>

#include "bascule/array/graph.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

constexpr int most_operands = 3, most_labels = 12;
// Products of numbers, at most: beyond that a product of matrices is worth its preparation.
constexpr std::int64_t most_work = 1 << 14;

// The labels of the output come first, then those that are summed. Steps are in elements.
struct loops {
    int labels = 0, kept = 0, operands = 0;
    std::int64_t size[most_labels] = {}, step[most_operands + 1][most_labels] = {};  // of operands, then of the output
};

template <class T> struct nest {
    loops const& l;
    T const* from[most_operands];
    T* to;

    T product(std::int64_t const* at) const {
        T p = from[0][at[0]];
        for (int k = 1; k < l.operands; ++k) p = static_cast<T>(p * from[k][at[k]]);
        return p;
    }

    // Sums over the last label.
    void sum_run(std::int64_t const* start, int label) const {
        std::int64_t const n = l.size[label];
        T const *x = from[0] + start[0], *y = l.operands > 1 ? from[1] + start[1] : nullptr;
        std::int64_t const sx = l.step[0][label], sy = l.step[1][label];
        T total = to[start[l.operands]];
        if (l.operands == 1) {
            for (std::int64_t i = 0; i < n; ++i) total = static_cast<T>(total + x[i * sx]);
        } else if (l.operands == 2) {
            for (std::int64_t i = 0; i < n; ++i) total = static_cast<T>(total + static_cast<T>(x[i * sx] * y[i * sy]));
        } else {
            T const* z = from[2] + start[2];
            std::int64_t const sz = l.step[2][label];
            for (std::int64_t i = 0; i < n; ++i)
                total = static_cast<T>(total + static_cast<T>(static_cast<T>(x[i * sx] * y[i * sy]) * z[i * sz]));
        }
        to[start[l.operands]] = total;
    }

    // Products of any number of operands, an element of the output each.
    void write_run(std::int64_t const* start, int label) const {
        std::int64_t at[most_operands + 1];
        std::copy(start, start + l.operands + 1, at);
        for (std::int64_t i = 0; i < l.size[label]; ++i) {
            to[at[l.operands]] = product(at);
            for (int k = 0; k <= l.operands; ++k) at[k] += l.step[k][label];
        }
    }

    // Whether the output's last label steps through one operand's elements beside a number of the other.
    bool goes_by_rows() const {
        if (l.operands != 2 || l.kept == 0) return false;
        if (l.kept == l.labels) return true;
        int const row = l.kept - 1;
        auto const x = l.step[0][row], y = l.step[1][row];
        return l.size[row] >= 4 && ((x == 0 && y == 1) || (x == 1 && y == 0));
    }

    // Adds to a row of the output, whose elements lie one behind the other, the products of two operands.
    void add_row(std::int64_t const* start, int label) const {
        std::int64_t const n = l.size[label], sx = l.step[0][label], sy = l.step[1][label];
        T const *x = from[0] + start[0], *y = from[1] + start[1];
        T* const r = to + start[2];
        if (sx == 0 && sy == 1) {
            T const v = *x;
            for (std::int64_t i = 0; i < n; ++i) r[i] = static_cast<T>(r[i] + static_cast<T>(v * y[i]));
        } else if (sx == 1 && sy == 0) {
            T const v = *y;
            for (std::int64_t i = 0; i < n; ++i) r[i] = static_cast<T>(r[i] + static_cast<T>(x[i] * v));
        } else {
            for (std::int64_t i = 0; i < n; ++i) r[i] = static_cast<T>(r[i] + static_cast<T>(x[i * sx] * y[i * sy]));
        }
    }

    // The labels in `order`, the last one by `inner`.
    template <class F> void walk(int const* order, int count, std::int64_t const* start, F const& inner) const {
        if (count == 1) return inner(start, order[0]);
        int const label = order[0];
        std::int64_t at[most_operands + 1];
        std::copy(start, start + l.operands + 1, at);
        for (std::int64_t i = 0; i < l.size[label]; ++i) {
            walk(order + 1, count - 1, at, inner);
            for (int k = 0; k <= l.operands; ++k) at[k] += l.step[k][label];
        }
    }

    void run() const {
        std::int64_t const start[most_operands + 1] = {};
        if (l.labels == 0) {
            to[0] = product(start);
            return;
        }
        int order[most_labels];
        int n = 0;
        int const row = l.kept - 1;
        bool const by_rows = goes_by_rows();
        for (int k = 0; k < l.labels; ++k)
            if (!(by_rows && k == row)) order[n++] = k;
        if (by_rows) order[n++] = row;
        if (by_rows) walk(order, n, start, [this](auto const* at, int label) { add_row(at, label); });
        else if (l.kept == l.labels) walk(order, n, start, [this](auto const* at, int label) { write_run(at, label); });
        else walk(order, n, start, [this](auto const* at, int label) { sum_run(at, label); });
    }
};

// What the labels, a byte for each axis, make of an array; false: extents differ, or lengthen one another.
bool add_operand(loops& l, int k, array const& a, PyObject* labels) {
    if (!PyBytes_CheckExact(labels) || PyBytes_GET_SIZE(labels) != a.ndim()) return false;
    for (int d = 0; d < a.ndim(); ++d) {
        int const label = PyBytes_AS_STRING(labels)[d];
        if (label < 0 || label >= l.labels || a.strides[d] % a.itemsize() != 0) return false;
        if (l.size[label] == 0) l.size[label] = a.shape[d];
        if (l.size[label] != a.shape[d] || a.shape[d] == 0) return false;
        l.step[k][label] += a.strides[d] / a.itemsize();
    }
    return true;
}

template <class T> void run(loops const& l, PyObject* const* arrays, array const& r) {
    nest<T> n{l, {}, reinterpret_cast<T*>(r.memory()->data())};
    for (int k = 0; k < l.operands; ++k) {
        array const& a = value_of(arrays[k]);
        n.from[k] = reinterpret_cast<T const*>(a.memory()->data() + a.offset);
    }
    std::fill_n(n.to, r.size(), l.kept < l.labels ? T{} : -T{});  // -0 is what leaves every product as it is
    n.run();
}

// (labels in all, labels of the output, (a's labels, ...), (a, ...)) or None: more than this is for.
PyObject* small_einsum(PyObject*, PyObject* const* args, Py_ssize_t n) noexcept {
    return guarded([&]() -> PyObject* {
        if (n != 4 || !PyTuple_CheckExact(args[2]) || !PyTuple_CheckExact(args[3]))
            throw type_error("small_einsum() takes two counts and two tuples");
        loops l;
        auto const labels = PyLong_AsLong(args[0]), kept = PyLong_AsLong(args[1]);
        if (PyErr_Occurred()) throw python_error{};
        auto const count = PyTuple_GET_SIZE(args[3]);
        if (labels < 0 || labels > most_labels || kept < 0 || kept > labels || count == 0) Py_RETURN_NONE;
        l.labels = static_cast<int>(labels), l.kept = static_cast<int>(kept);
        if (count > most_operands || count != PyTuple_GET_SIZE(args[2])) Py_RETURN_NONE;
        l.operands = static_cast<int>(count);
        PyObject* const* const arrays = &PyTuple_GET_ITEM(args[3], 0);
        graph_lock lock;
        for (int k = 0; k < l.operands; ++k) {
            if (!is_array(arrays[k])) Py_RETURN_NONE;
            array const &a = value_of(arrays[k]), &first = value_of(arrays[0]);
            storage const* const s = a.memory();
            if (!a.where().api->host_memory || !(a.where() == first.where()) || !(a.type == first.type)) Py_RETURN_NONE;
            if (!s->ready() || s->running || a.offset % a.itemsize() != 0 || s->foreign()) Py_RETURN_NONE;
            if (!add_operand(l, k, a, PyTuple_GET_ITEM(args[2], k))) Py_RETURN_NONE;
        }
        std::int64_t work = 1;
        for (int k = 0; k < l.labels; ++k)
            if (__builtin_mul_overflow(work, l.size[k], &work) || work > most_work) Py_RETURN_NONE;
        dims shape;
        for (int k = 0; k < l.kept; ++k) shape.push_back(l.size[k]);
        array const& first = value_of(arrays[0]);
        type_id const t = first.type.id;
        if (t != type_id::float64 && t != type_id::float32 && t != type_id::int64) Py_RETURN_NONE;
        array r = empty(first.where(), first.type, shape);
        if (!r.memory()->ready()) r.memory()->set_ready(r.memory()->allocate());
        for (int k = 0; k < l.kept; ++k) l.step[l.operands][k] = r.strides[k] / r.itemsize();
        if (t == type_id::float64) run<double>(l, arrays, r);
        else if (t == type_id::float32) run<float>(l, arrays, r);
        else run<std::uint64_t>(l, arrays, r);  // which wrap around
        r.scalar = r.ndim() == 0;
        return scalar_or_array(std::move(r));
    });
}

}  // namespace

bool add_small_einsum(PyObject* module) {
    static PyMethodDef functions[] = {
        {"small_einsum", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(small_einsum)), METH_FASTCALL,
         nullptr},
        {},
    };
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python

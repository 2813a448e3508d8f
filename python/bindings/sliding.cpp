// Convolution and correlation of short lines at once: sums of products, tap by tap, for several positions side by side.
#include <algorithm>

#include "bascule/array/graph.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

constexpr std::int64_t most_taps = 64, most_products = std::int64_t{1} << 19;

// Sums over taps[first], ..., taps[last - 1] of `line`, whose position k meets taps[first + k].
template <class T> T sum_at(T const* line, T const* taps, std::int64_t count) noexcept {
    T sum = static_cast<T>(line[0] * taps[0]);
    for (std::int64_t k = 1; k < count; ++k) sum = static_cast<T>(sum + static_cast<T>(line[k] * taps[k]));
    return sum;
}

// What every x86-64 has; the products and sums of a position are those of sum_at, in its order.
template <class T> struct register_of;
template <> struct register_of<double> { typedef double type __attribute__((vector_size(16), aligned(8), may_alias)); };
template <> struct register_of<float> { typedef float type __attribute__((vector_size(16), aligned(4), may_alias)); };
template <> struct register_of<std::uint64_t> {
    typedef std::uint64_t type __attribute__((vector_size(16), aligned(8), may_alias));
};
template <> struct register_of<std::uint32_t> {
    typedef std::uint32_t type __attribute__((vector_size(16), aligned(4), may_alias));
};

template <class T> void sums_inside(T const* line, T const* taps, std::int64_t m, T* out, std::int64_t n) noexcept {
    using V = typename register_of<T>::type;
    constexpr std::int64_t lanes = 16 / sizeof(T), block = 8 * lanes;
    std::int64_t i = 0;
    for (; i + block <= n; i += block) {
        V sums[8];
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) sums[r] = *reinterpret_cast<V const*>(line + i + r * lanes) * taps[0];
        for (std::int64_t k = 1; k < m; ++k) {
#pragma GCC unroll 8
            for (int r = 0; r < 8; ++r) sums[r] += *reinterpret_cast<V const*>(line + i + k + r * lanes) * taps[k];
        }
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) *reinterpret_cast<V*>(out + i + r * lanes) = sums[r];
    }
    for (; i < n; ++i) out[i] = sum_at(line + i, taps, m);
}

// out[i] sums what of line[i - before], ... lies in the line of `size` values times the taps it meets.
template <class T>
void slide(T const* line, std::int64_t size, T const* taps, std::int64_t m, std::int64_t before, T* out,
           std::int64_t n) noexcept {
    auto const at_edge = [&](std::int64_t i) {
        std::int64_t const first = std::max<std::int64_t>(before - i, 0), end = std::min(m, size + before - i);
        out[i] = sum_at(line + i - before + first, taps + first, end - first);
    };
    std::int64_t const begin = std::min(before, n), inside = std::min(n, size - m + 1 + before);
    for (std::int64_t i = 0; i < begin; ++i) at_edge(i);
    if (inside > begin) sums_inside(line + begin - before, taps, m, out + begin, inside - begin);
    for (std::int64_t i = std::max(begin, inside); i < n; ++i) at_edge(i);
}

bool is_plain_line(array const& a) {
    auto const* const s = a.memory();
    return a.ndim() == 1 && a.size() > 0 && a.where().api->host_memory && s->ready() && !s->running &&
           is_c_contiguous(a.shape, a.strides, a.itemsize());
}

struct sliding {
    array line, taps, out;
    std::int64_t before;
    bool turned;

    template <class T> void run() const noexcept {
        auto const begin_of = [](array const& a) { return reinterpret_cast<T*>(a.memory()->data() + a.offset); };
        auto const m = taps.size();
        T ordered[most_taps];
        std::copy_n(begin_of(taps), m, ordered);
        if (turned) std::reverse(ordered, ordered + m);
        slide<T>(begin_of(line), line.size(), ordered, m, before, begin_of(out), out.size());
    }
    void run_any() const noexcept {
        switch (line.type.id) {
            case type_id::float64: return run<double>();
            case type_id::float32: return run<float>();
            case type_id::int64: return run<std::uint64_t>();
            default: return run<std::uint32_t>();
        }
    }
};

// (a, v, mode, turned): sums of a[k + i] * v[i], or turned of a[k - i] * v[i], for the positions k of a mode, of two
// lines of one type; `v` has few taps.
PyObject* small_sliding(arguments args) {
    if (!is_array(args[0]) || !is_array(args[1]) || !PyUnicode_CheckExact(args[2])) return nullptr;
    array const *a = &value_of(args[0]), *v = &value_of(args[1]);
    bool const turned = args[3] == Py_True;
    if (turned && v->size() > a->size()) std::swap(a, v);
    auto const id = a->type.id;
    bool const known = id == type_id::float64 || id == type_id::float32 || id == type_id::int64 || id == type_id::int32;
    if (!known || v->type.id != id || !(a->where() == v->where())) return nullptr;
    {
        graph_lock lock;
        if (!is_plain_line(*a) || !is_plain_line(*v)) return nullptr;
    }
    std::int64_t const size = a->size(), m = v->size();
    if (m > most_taps || m > size || size > most_products / m) return nullptr;
    bool const full = PyUnicode_CompareWithASCIIString(args[2], "full") == 0;
    bool const same = PyUnicode_CompareWithASCIIString(args[2], "same") == 0;
    if (!full && !same && PyUnicode_CompareWithASCIIString(args[2], "valid") != 0) return nullptr;
    std::int64_t const before = full ? m - 1 : same ? m / 2 : 0, n = full ? size + m - 1 : same ? size : size - m + 1;
    sliding const s{*a, *v, empty(a->where(), a->type, dims{n}), before, turned};
    storage* const read[] = {a->memory(), v->memory()};
    graph::memory_in_use const used(read);
    {
        without_gil const guard(is_long_work(size * m / 8));
        s.run_any();
    }
    return to_python(s.out);
}

}  // namespace

bool add_small_sliding(PyObject* module) {
    static PyMethodDef functions[] = {small_definition<small_sliding, 4>("small_sliding"), {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python

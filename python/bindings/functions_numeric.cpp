// Rows of the function table: slopes and lines between samples, sliding products, bits, parts of numbers.
#include <cmath>

#include "bascule/array/eager.hpp"
#include "bascule/array/numeric.hpp"
#include "functions.hpp"

namespace bascule::python {
namespace {

// Numbers as an array of float64; false: something else.
bool take_floats(operand_array& to, PyObject* o) {
    if (!to.take_any(o)) return false;
    if (to.value().type.id == type_id::float64) return true;
    return !is_array(o) && to.value().type.id == type_id::int64 && to.value().ndim() > 0 &&
           to.cast(make_dtype(type_id::float64));
}

PyObject* interp(bound_arguments args) {
    enum { x_, xp_, fp_, left_, right_, period };
    operand_array at, positions, samples;
    if (args[period] != Py_None) return nullptr;
    if (!take_floats(positions, args[xp_]) || !take_floats(samples, args[fp_])) return nullptr;
    array const xp = positions.value(), fp = samples.value();
    if (xp.ndim() != 1 || fp.ndim() != 1 || fp.size() != xp.size() || xp.size() < 2) return nullptr;
    auto const left = plain_number(args[left_]), right = plain_number(args[right_]);
    if ((!left && args[left_] != Py_None) || (!right && args[right_] != Py_None)) return nullptr;
    auto const whole = integer_from(args[x_]);
    array x;
    if (whole) {
        auto const one = plain_number(args[x_]);
        if (!one) return nullptr;
        plan_constant v{};
        v.f64[0] = *one;
        x = full(xp.where(), make_dtype(type_id::float64), {}, v);
    } else {
        if (!take_floats(at, args[x_])) return nullptr;
        x = at.value();
    }
    if (!(x.where() == xp.where()) || !(fp.where() == xp.where())) return nullptr;
    auto r = [&] {
        without_gil const released(is_long_work(x.size() + xp.size()));
        return interpolate(x, xp, fp, left, right);
    }();
    return r ? value_or_array(std::move(*r)) : nullptr;
}

// (f, distances of the samples, axis, edge_order): floats, or int64 as float64, at equal distances
PyObject* slopes(bound_arguments args) {
    operand_array given;
    Py_ssize_t const distances = PyTuple_GET_SIZE(args[1]);
    auto const step = distances == 0 ? std::optional(1.0) : plain_number(PyTuple_GET_ITEM(args[1], 0));
    if (distances > 1 || !step || integer_from(args[3]) != 1 || !given.take(args[0])) return nullptr;
    bool const floats = given.value().type.id == type_id::float64 || given.value().type.id == type_id::float32;
    if (!floats && given.value().type.id != type_id::int64) return nullptr;
    array const f = floats ? given.value() : astype(given.value(), make_dtype(type_id::float64));
    bool const all = args[2] == Py_None;
    auto const axis = all ? std::optional(0) : plain_axis(args[2], f.ndim());
    if (!axis || f.ndim() == 0 || f.size() == 0) return nullptr;
    int const first = *axis, end = all ? f.ndim() : first + 1;
    for (int d = first; d < end; ++d)
        if (f.shape[d] < 2) return nullptr;
    std::vector<array> found;
    {
        bool const is_long = is_long_work(f.size());
        checked_call const scope(checked_call::gil{is_long});
        without_gil const released(is_long);
        for (int d = first; d < end; ++d) {
            auto one = gradient(f, *step, d);
            if (!one) return nullptr;
            found.push_back(std::move(*one));
        }
    }
    return found.size() == 1 ? to_python(std::move(found[0])) : tuple_of(std::move(found));
}

// (a, n, axis, prepend, append)
PyObject* differences(bound_arguments args) {
    if (!is_array(args[0]) || integer_from(args[1]) != 1 || args[3] != no_value() || args[4] != no_value())
        return nullptr;
    array const a = value_of(args[0]);
    auto const axis = plain_axis(args[2], a.ndim());
    if (!axis || a.shape[*axis] == 0 || is_boolean(a.type.id) || is_time(a.type.id)) return nullptr;
    return result_of(a.size(), [&] { return diff(a, *axis); });
}

// (a, v, mode): `Turned` for convolution
template <bool Turned> PyObject* sliding(bound_arguments args) {
    operand_array first, second;
    if (!first.take(args[0]) || !second.take(args[1])) return nullptr;
    array line = first.value(), taps = second.value();
    bool const full = is_text(args[2], "full"), same = is_text(args[2], "same");
    if (line.ndim() != 1 || taps.ndim() != 1 || !(full || same || is_text(args[2], "valid"))) return nullptr;
    if (!(line.type == taps.type) || !(line.where() == taps.where())) return nullptr;
    if (Turned && taps.size() > line.size()) std::swap(line, taps);
    std::int64_t const n = line.size(), m = taps.size(),
                       before = full   ? m - 1
                                : same ? m / 2
                                       : 0,
                       positions = full   ? n + m - 1
                                   : same ? n
                                          : n - m + 1;
    auto r = [&] {
        without_gil const released(is_long_work(n * std::min<std::int64_t>(m, 64) / 8));
        return convolve(line, taps, before, positions, Turned);
    }();
    return r ? to_python(std::move(*r)) : nullptr;
}

// Whether the first bit is the lowest; empty: neither order, or one to complain about.
std::optional<bool> order_of(PyObject* o) {
    if (is_text(o, "big")) return false;
    return is_text(o, "little") ? std::optional(true) : std::nullopt;
}

PyObject* bits_of(PyObject* given, std::optional<bool> lowest_first, bool packs) {
    if (!is_array(given) || !lowest_first) return nullptr;
    array const a = value_of(given);
    bool const whole = is_boolean(a.type.id) || is_integer(a.type.id);
    if (packs ? !whole || a.itemsize() != 1 : a.type.id != type_id::uint8) return nullptr;
    auto r = [&] {
        without_gil const released(is_long_work(a.size()));
        return packs ? pack_bits(a, *lowest_first) : unpack_bits(a, *lowest_first);
    }();
    return r ? to_python(std::move(*r)) : nullptr;
}

PyObject* packbits(bound_arguments args) {
    return args[1] == Py_None ? bits_of(args[0], order_of(args[2]), true) : nullptr;
}
PyObject* unpackbits(bound_arguments args) {
    return args[1] == Py_None && args[2] == Py_None ? bits_of(args[0], order_of(args[3]), false) : nullptr;
}

// ufuncs of two results, and those whose loop takes another type: (inputs, out, where, casting, order, dtype, subok,
// signature), of which only the inputs may be given.
bool is_plain_call(bound_arguments options, bool pair) {
    PyObject* const out = options[0];
    bool const no_out = pair ? PyTuple_CheckExact(out) && PyTuple_GET_SIZE(out) == 2 &&
                                   PyTuple_GET_ITEM(out, 0) == Py_None && PyTuple_GET_ITEM(out, 1) == Py_None
                             : out == Py_None;
    return no_out && options[1] == Py_True && is_text(options[2], "same_kind") && is_text(options[3], "K") &&
           options[4] == Py_None && options[6] == Py_None;
}

bool is_floats(PyObject* o) {
    if (!is_array(o) || value_of(o).ndim() == 0) return false;
    type_id const t = value_of(o).type.id;
    return t == type_id::float64 || t == type_id::float32;
}

PyObject* frexp_parts(bound_arguments args) {
    static constexpr auto mantissa = number_of("frexp_mantissa"), exponent = number_of("frexp_exponent");
    if (!is_floats(args[0]) || !is_plain_call(args.subspan(1), true)) return nullptr;
    array const x = value_of(args[0]);
    checked_call const scope;
    return tuple_of({apply(mantissa, x), apply(exponent, x)});
}

PyObject* modf_parts(bound_arguments args) {
    if (!is_floats(args[0]) || !is_plain_call(args.subspan(1), true)) return nullptr;
    array const x = value_of(args[0]);
    auto [rest, whole] = fractional_and_whole(x);
    return tuple_of({std::move(rest), std::move(whole)});
}

PyObject* scaled(bound_arguments args) {
    static constexpr auto ldexp = number_of("ldexp");
    if (!is_floats(args[0]) || !is_plain_call(args.subspan(2), false)) return nullptr;
    array const x = value_of(args[0]);
    checked_call const scope;
    if (auto const one = integer_from(args[1])) {
        if (*one != static_cast<std::int32_t>(*one)) return nullptr;
        argument by;
        by.value.f64[0] = static_cast<double>(*one), by.type = type_id::float64, by.weak = weak_kind::floating;
        return to_python(apply(ldexp, x, by));
    }
    if (!is_array(args[1])) return nullptr;
    array const& by = value_of(args[1]);
    if (!is_integer(by.type.id) || is_unsigned_integer(by.type.id) || !(by.where() == x.where())) return nullptr;
    return to_python(apply(ldexp, x, astype(by, x.type)));
}

PyObject* root_of_squares(bound_arguments args) {
    enum { x_, order, axis, keepdims };
    operand_array given;
    if (args[axis] != Py_None || args[keepdims] != Py_False || !given.take(args[x_])) return nullptr;
    bool const of_vector = integer_from(args[order]) == 2,
               of_matrix = is_text(args[order], "fro") || is_text(args[order], "f");
    if (args[order] != Py_None && !(of_vector && given.value().ndim() == 1) &&
        !(of_matrix && given.value().ndim() == 2))
        return nullptr;
    type_id const t = given.value().type.id;
    if ((is_boolean(t) || is_integer(t)) && !given.cast(make_dtype(type_id::float64))) return nullptr;
    if (!is_floats(given.object) || !is_plain_small(given.value())) return nullptr;
    array const line = reshape_view_or_copy(given.value(), {given.value().size()});
    array squares;
    auto const outcome = eager::matmul(line, line, enabled_fp_errors(), squares);
    if (!outcome.done || outcome.fp_errors) return nullptr;
    array r = apply(ops::number<ops::sqrt>, squares);
    r.scalar = true;
    return scalar_or_array(std::move(r));
}

PyObject* frequencies(bound_arguments args) {
    auto const n = integer_from(args[0]);
    auto const d = plain_number(args[1]);
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (args[2] != Py_None || !n || *n < 1 || *n > most || !d || !in_host_memory_by_default()) return nullptr;
    double const total = static_cast<double>(*n) * *d, unit = 1.0 / total;
    if (total == 0 || !std::isfinite(unit)) return nullptr;
    return result_of(*n, [&] { return fft_frequencies(default_device(), *n, unit); });
}

}  // namespace

std::span<function_row const> numeric_functions() {
    static constexpr char const* pair = "x, /, out=(None, None), *, where=True, casting='same_kind', order='K', "
                                        "dtype=None, subok=True, signature=None";
    static constexpr function_row rows[] = {
        {"interp", "x, xp, fp, left=None, right=None, period=None", interp},
        {"gradient", "f, *varargs, axis=None, edge_order=1", slopes},
        {"diff", "a, n=1, axis=-1, prepend=np._NoValue, append=np._NoValue", differences},
        {"correlate", "a, v, mode='valid'", sliding<false>},
        {"convolve", "a, v, mode='full'", sliding<true>},
        {"packbits", "a, /, axis=None, bitorder='big'", packbits},
        {"unpackbits", "a, /, axis=None, count=None, bitorder='big'", unpackbits},
        {"frexp", pair, frexp_parts},
        {"modf", pair, modf_parts},
        {"ldexp",
         "x1, x2, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None",
         scaled},
        {"norm", "x, ord=None, axis=None, keepdims=False", root_of_squares},
        {"fftfreq", "n, d=1.0, device=None", frequencies},
    };
    return rows;
}

}  // namespace bascule::python

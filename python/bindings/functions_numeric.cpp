// Rows of the function table: slopes and lines between samples, sliding products, bits, parts of numbers.
#include <algorithm>
#include <cmath>

#include "bascule/array/eager.hpp"
#include "bascule/array/numeric.hpp"
#include "common_rows.hpp"

namespace bascule::python {
namespace {

using samples = floats_that<is_line>;

PyObject* interp(floats_that<> const& at, samples const& positions, samples const& values, or_none<number> const& left,
                 or_none<number> const& right, none) {
    array const x = at.value(), xp = positions.value(), fp = values.value();
    // Whether all samples ascend is not looked at for few values among many of them, nor does NumPy, which computes
    // these.
    constexpr std::int64_t few = 2048, many = 8192;
    bool const of_few = x.size() <= few && xp.size() > std::max(many, 8 * x.size());
    if (of_few || fp.size() != xp.size() || xp.size() < 2 || !(x.where() == xp.where()) || !(fp.where() == xp.where()))
        return nullptr;
    auto const given = [](or_none<number> const& v) { return v.given ? std::optional(v.value) : std::nullopt; };
    PyObject* const r =
        unchecked_result_of(x.size() + xp.size(), [&] { return interpolate(x, xp, fp, given(left), given(right)); });
    return value_or_array(r);
}

// The distance of samples, which may be given once.
struct equal_distance : comparing {
    number step;
    bool read(PyObject* rest) {
        step.value = 1;
        Py_ssize_t const n = PyTuple_GET_SIZE(rest);
        return n == 0 || (n == 1 && step.read(PyTuple_GET_ITEM(rest, 0)));
    }
};

using with_slopes = sequence_that<is_of<type_id::float64, type_id::float32, type_id::int64>, has_axes, has_elements>;

PyObject* slopes(with_slopes const& given, equal_distance const& distance, or_none<integer> const& along,
                 only_integer<1>) {
    bool const whole = given.value().type.id == type_id::int64;
    array const f = whole ? astype(given.value(), make_dtype(type_id::float64)) : given.value();
    auto const axis = position_of(along, f.ndim());
    int const first = axis.value_or(0), end = along.given ? first + 1 : f.ndim();
    if (!axis || std::any_of(f.shape.begin() + first, f.shape.begin() + end, [](auto n) { return n < 2; }))
        return nullptr;
    std::vector<array> found;
    {
        bool const is_long = is_long_work(f.size());
        checked_call const scope(checked_call::gil{is_long});
        without_gil const released(is_long);
        for (int d = first; d < end; ++d) {
            auto one = gradient(f, distance.step.value, d);
            if (!one) return nullptr;
            found.push_back(std::move(*one));
        }
    }
    return found.size() == 1 ? to_python(std::move(found[0])) : tuple_of(std::move(found));
}

bool has_differences(array const& a) { return !is_boolean(a.type.id) && !is_time(a.type.id); }

PyObject* differences(array_that<has_differences> const& given, only_integer<1>, integer along, not_given, not_given) {
    array const a = given.value();
    auto const axis = position_of({along, true}, a.ndim());
    bool const common = axis && a.shape[*axis] > 0;
    return common ? result_of(a.size(), [&] { return diff(a, *axis); }) : nullptr;
}

struct sliding_mode : comparing {
    bool full = false, same = false;
    bool read(PyObject* o) {
        full = is_text(o, "full"), same = is_text(o, "same");
        return full || same || is_text(o, "valid");
    }
};

// `Turned` for convolution
template <bool Turned>
PyObject* sliding(sequence_that<is_line> const& first, sequence_that<is_line> const& second, sliding_mode mode) {
    array line = first.value(), taps = second.value();
    if (!(line.type == taps.type) || !(line.where() == taps.where())) return nullptr;
    if (Turned && taps.size() > line.size()) std::swap(line, taps);
    std::int64_t const n = line.size(), m = taps.size(),
                       before = mode.full   ? m - 1
                                : mode.same ? m / 2
                                            : 0,
                       positions = mode.full   ? n + m - 1
                                   : mode.same ? n
                                               : n - m + 1;
    return unchecked_result_of(n * std::min<std::int64_t>(m, 64) / 8,
                               [&] { return convolve(line, taps, before, positions, Turned); });
}

using bit_order = either<"big", "little">;
bool is_of_bytes(array const& a) { return a.itemsize() == 1 && (is_boolean(a.type.id) || is_integer(a.type.id)); }

PyObject* packbits(array_that<is_of_bytes> const& bytes, none, bit_order order) {
    array const a = bytes.value();
    return unchecked_result_of(a.size(), [&] { return pack_bits(a, order.second); });
}
PyObject* unpackbits(array_that<is_of<type_id::uint8>> const& bytes, none, none, bit_order order) {
    array const a = bytes.value();
    return unchecked_result_of(a.size(), [&] { return unpack_bits(a, order.second); });
}

using floats = array_that<is_of<type_id::float64, type_id::float32>, has_axes>;

// The output of a ufunc of two results, of which none is given.
struct no_outputs : comparing {
    static bool read(PyObject* o) {
        return PyTuple_CheckExact(o) && PyTuple_GET_SIZE(o) == 2 && PyTuple_GET_ITEM(o, 0) == Py_None &&
               PyTuple_GET_ITEM(o, 1) == Py_None;
    }
};
using same_kind = word<"same_kind">;

PyObject* frexp_parts(floats const& given, no_outputs, only<true>, same_kind, word<"K">, none, any, none) {
    static constexpr auto mantissa = number_of("frexp_mantissa"), exponent = number_of("frexp_exponent");
    array const x = given.value();
    checked_call const scope;
    return tuple_of({apply(mantissa, x), apply(exponent, x)});
}

PyObject* modf_parts(floats const& given, no_outputs, only<true>, same_kind, word<"K">, none, any, none) {
    auto [rest, whole] = fractional_and_whole(given.value());
    return tuple_of({std::move(rest), std::move(whole)});
}

// A number of 32 bits, or an array of signed integers.
struct exponent : comparing {
    integer one;
    array_that<is_of_signed_integers> many;
    bool is_one = false;
    bool read(PyObject* o) {
        is_one = one.read(o);
        return is_one ? one.value == static_cast<std::int32_t>(one.value) : many.read(o);
    }
};

PyObject* scaled(floats const& given, exponent const& power, none, only<true>, same_kind, word<"K">, none, any, none) {
    static constexpr auto ldexp = number_of("ldexp");
    array const x = given.value();
    checked_call const scope;
    if (!power.is_one) {
        array const& many = power.many.value();
        return many.where() == x.where() ? to_python(apply(ldexp, x, astype(many, x.type))) : nullptr;
    }
    argument by;
    by.value.f64[0] = static_cast<double>(power.one.value), by.type = type_id::float64, by.weak = weak_kind::floating;
    return to_python(apply(ldexp, x, by));
}

bool has_roots(array const& a) {
    type_id const t = a.type.id;
    return is_boolean(t) || is_integer(t) || t == type_id::float64 || t == type_id::float32;
}

// Whether an order of norm() is that of all elements' root of squares.
bool is_of_all(PyObject* order, array const& x) {
    if (order == Py_None) return true;
    return x.ndim() == 2 ? is_text(order, "fro") || is_text(order, "f") : x.ndim() == 1 && integer_from(order) == 2;
}

PyObject* root_of_squares(sequence_that<has_roots, has_axes, is_plain_small>& given, any order, none, only<false>) {
    type_id const t = given.value().type.id;
    bool const whole = is_boolean(t) || is_integer(t);
    if (!is_of_all(order.object, given.value()) || (whole && !given.cast(make_dtype(type_id::float64)))) return nullptr;
    array const& x = given.value();
    array const line = reshape_view_or_copy(x, {x.size()});
    array squares;
    auto const outcome = eager::matmul(line, line, enabled_fp_errors(), squares);
    bool const silent = outcome.done && !outcome.fp_errors;
    return silent ? value_or_array(apply(ops::number<ops::sqrt>, squares)) : nullptr;
}

PyObject* frequencies(integer n, number d, none) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    double const total = static_cast<double>(n.value) * d.value, unit = 1.0 / total;
    if (n.value < 1 || n.value > most || total == 0 || !std::isfinite(unit) || !in_host_memory_by_default())
        return nullptr;
    return result_of(n.value, [&] { return fft_frequencies(default_device(), n.value, unit); });
}

}  // namespace

std::span<function_row const> numeric_functions() {
    static constexpr char const* pair = "x, /, out=(None, None), *, where=True, casting='same_kind', order='K', "
                                        "dtype=None, subok=True, signature=None";
    static constexpr function_row rows[] = {
        common_row<interp>("interp", "x, xp, fp, left=None, right=None, period=None"),
        common_row<slopes>("gradient", "f, *varargs, axis=None, edge_order=1"),
        common_row<differences>("diff", "a, n=1, axis=-1, prepend=np._NoValue, append=np._NoValue"),
        common_row<sliding<false>>("correlate", "a, v, mode='valid'"),
        common_row<sliding<true>>("convolve", "a, v, mode='full'"),
        common_row<packbits>("packbits", "a, /, axis=None, bitorder='big'"),
        common_row<unpackbits>("unpackbits", "a, /, axis=None, count=None, bitorder='big'"),
        common_row<frexp_parts>("frexp", pair),
        common_row<modf_parts>("modf", pair),
        common_row<scaled>("ldexp", "x1, x2, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, "
                                    "subok=True, signature=None"),
        common_row<root_of_squares>("norm", "x, ord=None, axis=None, keepdims=False"),
        common_row<frequencies>("fftfreq", "n, d=1.0, device=None"),
    };
    return rows;
}

}  // namespace bascule::python

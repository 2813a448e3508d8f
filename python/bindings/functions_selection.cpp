// Rows of the function table: elements by position and by condition, insertion points, counts.
#include <algorithm>
#include <utility>

#include "bascule/array/eager.hpp"
#include "bascule/array/ordered.hpp"
#include "bascule/array/reduce.hpp"
#include "functions.hpp"

namespace bascule::python {
namespace {

PyObject* take(bound_arguments args) {
    bool const raises = is_text(args[4], "raise");
    return raises && args[3] == Py_None ? take_of(args[0], args[1], args[2]) : nullptr;
}

PyObject* nonzero(bound_arguments args) { return nonzero_of(args[0]); }

// (a, ind, v, mode)
PyObject* put(bound_arguments args) {
    operand_array positions, values;
    bool const raises = is_text(args[3], "raise");
    if (!is_array(args[0]) || !raises || !positions.take_any(args[1])) return nullptr;
    array const a = value_of(args[0]), p = positions.value();
    if (!a.writeable || !a.memory()->writeable || !is_integer(p.type.id) || a.size() == 0) return nullptr;
    if (!values.take_like(args[2], a) || p.size() == 0) return nullptr;
    array const v = values.value();
    if (v.size() != p.size() && v.size() != 1) return nullptr;
    bool const is_long = is_long_work(p.size());
    checked_call const scope(checked_call::gil{is_long});
    bool const done = [&] {
        without_gil const released(is_long);
        return bascule::put(a, p, v);
    }();
    return done ? Py_NewRef(Py_None) : nullptr;
}

PyObject* searchsorted(bound_arguments args) {
    operand_array sorted, wanted;
    PyObject* const side = args[2];
    bool const right = is_text(side, "right");
    bool const left = is_text(side, "left");
    if (args[3] != Py_None || !(left || right) || !sorted.take(args[0]) || !wanted.take_any(args[1])) return nullptr;
    array const a = sorted.value();
    array v = wanted.value();
    bool const widens = a.type.id == type_id::float64 && v.type.id == type_id::int64 && !is_array(args[1]);
    if (a.ndim() != 1 || is_complex(a.type.id) || !(v.where() == a.where())) return nullptr;
    if (!(v.type == a.type) && !widens) return nullptr;
    if (widens) v = astype(v, a.type);
    return value_or_array(a.size() + v.size(), [&] { return bascule::searchsorted(a, v, right); });
}

PyObject* digitize(bound_arguments args) {
    operand_array among, edges;
    if (!PyBool_Check(args[2]) || !among.take_any(args[0]) || !edges.take(args[1])) return nullptr;
    array const x = among.value(), bins = edges.value();
    auto const is_real = [](type_id t) { return is_integer(t) || t == type_id::float64 || t == type_id::float32; };
    if (!is_real(x.type.id) || !is_real(bins.type.id) || !(x.where() == bins.where())) return nullptr;
    if (bins.ndim() != 1 || bins.size() == 0) return nullptr;
    bool const right = args[2] == Py_True;
    return value_or_array(x.size() + bins.size(), [&] { return bascule::digitize(x, bins, right); });
}

PyObject* argsort(bound_arguments args) {
    enum { a, axis, kind, order, stable, descending };
    bool const plain = is_array(args[a]) && value_of(args[a]).ndim() > 0 && args[order] == Py_None &&
                       args[stable] == Py_None && args[descending] == no_value();
    auto const along = plain ? plain_axis(args[axis], value_of(args[a]).ndim()) : std::nullopt;
    return along ? small_argsort(args[a], *along, args[kind]) : nullptr;
}

// (keys, axis): of lines of one length, which are no complex numbers
PyObject* lexsort(bound_arguments args) {
    operand_list keys;
    auto const axis = integer_from(args[1]);
    if (!axis || (*axis != 0 && *axis != -1) || is_array(args[0]) || !keys.take(args[0])) return nullptr;
    auto all = keys.values();
    for (auto const& k : all)
        if (k.ndim() != 1 || is_complex(k.type.id) || !(k.shape == all[0].shape) || !(k.where() == all[0].where()))
            return nullptr;
    std::reverse(all.begin(), all.end());
    return result_of(all[0].size(), [&] { return argsort_by(all); });
}

// (numbers, arrays, out, mode)
PyObject* choose(bound_arguments args) {
    bool const raises = is_text(args[3], "raise");
    operand_array numbers;
    operand_list choices;
    if (!raises || args[2] != Py_None || !numbers.take(args[0]) || !choices.take(args[1])) return nullptr;
    array const at = numbers.value();
    auto const all = choices.values();
    auto const fits = [&](array const& c) { return c.type == all[0].type && c.where() == at.where(); };
    if (at.type.id != type_id::int64 || at.size() == 0 || !std::all_of(all.begin(), all.end(), fits)) return nullptr;
    return value_or_array(at.size(), [&] { return bascule::choose(at, all); });
}

PyObject* bincount(bound_arguments args) {
    operand_array given, factors;
    auto const least = integer_from(args[2]);
    bool const weighs = args[1] != Py_None;
    if (!least || *least < 0 || !given.take(args[0]) || (weighs && !factors.take(args[1]))) return nullptr;
    array const a = given.value(), w = weighs ? factors.value() : array();
    if (a.type.id != type_id::int64 || a.ndim() != 1 || a.size() == 0) return nullptr;
    if (weighs && !(w.type.id == type_id::float64 && w.shape == a.shape && w.where() == a.where())) return nullptr;
    return result_of(a.size(), [&] { return count_numbers(a, weighs ? &w : nullptr, *least); });
}

PyObject* where(bound_arguments args) { return args[1] == Py_None || args[2] == Py_None ? nullptr : small_where(args); }

// The type of a number of Python's or NumPy's; empty: something else.
std::optional<type_id> type_of_number(PyObject* o) {
    plan_constant v{};
    type_id t{};
    if (is_array(o) || PyBool_Check(o) || !read_number(o, t, v)) return {};
    return t;
}

// One that Python's numbers have as arrays.
bool is_plain_type(type_id t) { return t == type_id::float64 || t == type_id::int64; }

PyObject* dot(bound_arguments args) {
    static constexpr auto multiply = number_of("multiply");
    if (args[2] != Py_None) return nullptr;
    args = args.first(2);
    auto const x = type_of_number(args[0]), y = type_of_number(args[1]);
    if (x || y) {
        auto const is_plain = [](PyObject* o, std::optional<type_id> number) {
            return (number || is_array(o)) && is_plain_type(number ? *number : value_of(o).type.id);
        };
        bool const plain = is_plain(args[0], x) && is_plain(args[1], y);
        return plain ? scalar_or_array(fast_result(multiply, args), args[0], args[1]) : nullptr;
    }
    return product_of_small(args[0], args[1], error_policy::report);
}

}  // namespace

PyObject* nonzero_of(PyObject* of) {
    operand_array given;
    if (!given.take(of) || given.value().ndim() == 0) return nullptr;
    array const a = given.value();
    std::vector<array> all = [&] {
        without_gil const released(is_long_work(a.size()));
        return bascule::nonzero(a);
    }();
    return tuple_of(std::move(all));
}

PyObject* take_of(PyObject* from, PyObject* indices, PyObject* along) {
    operand_array given, positions;
    if (!given.take(from) || given.value().ndim() == 0 || !positions.take_any(indices)) return nullptr;
    bool const all = along == Py_None;
    auto const axis = all ? std::optional(0) : plain_axis(along, given.value().ndim());
    array a = given.value();
    array const p = positions.value();
    if (!axis || !is_integer(p.type.id) || (a.shape[*axis] == 0 && p.size() > 0)) return nullptr;
    if (!(p.where() == a.where()) && is_array(indices)) return nullptr;
    return value_or_array(a.size() + p.size(), [&] {
        if (all && a.ndim() > 1) a = reshape_view_or_copy(a, {a.size()});
        return bascule::take(a, p, *axis);
    });
}

PyObject* rows_at(PyObject* from, PyObject* indices) {
    operand_array positions;
    array const& a = value_of(from);
    if (!positions.take(indices)) return nullptr;
    array const& p = positions.value();
    bool const plain = p.type.id == type_id::int64 && p.where() == a.where() && is_plain_small(a) && is_plain_small(p);
    return plain ? to_python(bascule::take(a, p, 0)) : nullptr;
}

std::span<function_row const> selection_functions() {
    static constexpr function_row rows[] = {
        {"take", "a, indices, axis=None, out=None, mode='raise'", take, true},
        {"where", "condition, x=None, y=None, /", where},
        {"nonzero", "a", nonzero},
        {"put", "a, ind, v, mode='raise'", put},
        {"choose", "a, choices, out=None, mode='raise'", choose, true},
        {"searchsorted", "a, v, side='left', sorter=None", searchsorted, true},
        {"digitize", "x, bins, right=False", digitize},
        {"argsort", "a, axis=-1, kind=None, order=None, *, stable=None, descending=np._NoValue", argsort, true},
        {"lexsort", "keys, axis=-1", lexsort},
        {"bincount", "x, /, weights=None, minlength=0", bincount},
        {"dot", "a, b, out=None", dot},
    };
    return rows;
}

}  // namespace bascule::python

// Rows of the function table: elements by position and by condition, insertion points, counts.
#include "bascule/array/ordered.hpp"
#include "bascule/array/reduce.hpp"
#include "common_rows.hpp"

namespace bascule::python {
namespace {

using raises = word<"raise">;

PyObject* taken(sequence_that<has_axes> const& given, numbers_that<is_of_integers> const& at,
                or_none<integer> const& along) {
    array a = given.value();
    array const p = at.value();
    auto const axis = position_of(along, a.ndim());
    bool const near = p.where() == a.where() || at.is_made();
    if (!axis || !near || (a.shape[*axis] == 0 && p.size() > 0)) return nullptr;
    return value_or_array(a.size() + p.size(), [&] {
        if (!along.given && a.ndim() > 1) a = reshape_view_or_copy(a, {a.size()});
        return bascule::take(a, p, *axis);
    });
}

PyObject* take(sequence_that<has_axes> const& given, numbers_that<is_of_integers> const& at,
               or_none<integer> const& along, none, raises) {
    return taken(given, at, along);
}

PyObject* few_rows(array_that<is_plain_small> const& from,
                   sequence_that<is_of<type_id::int64>, is_plain_small> const& at) {
    array const &a = from.value(), &p = at.value();
    return p.where() == a.where() ? to_python(bascule::take(a, p, 0)) : nullptr;
}

PyObject* nonzero(sequence_that<has_axes> const& given) {
    array const a = given.value();
    std::vector<array> all = [&] {
        without_gil const released(is_long_work(a.size()));
        return bascule::nonzero(a);
    }();
    return tuple_of(std::move(all));
}

PyObject* put(array_that<is_writeable, has_elements> const& to, numbers_that<is_of_integers, has_elements> const& at,
              any elements, raises) {
    operand_array values;
    array const a = to.value(), p = at.value();
    auto const fits = [&](array const& v) { return v.size() == p.size() || v.size() == 1; };
    if (!values.take_like(elements.object, a) || !fits(values.value())) return nullptr;
    array const v = values.value();
    bool const is_long = is_long_work(p.size());
    checked_call const scope(checked_call::gil{is_long});
    bool const done = [&] {
        without_gil const released(is_long);
        return bascule::put(a, p, v);
    }();
    return done ? Py_NewRef(Py_None) : nullptr;
}

PyObject* searchsorted(sequence_that<is_line, is_not<is_of_complex>> const& sorted, numbers_that<> const& wanted,
                       either<"left", "right"> side, none) {
    array const a = sorted.value();
    array v = wanted.value();
    bool const widens = a.type.id == type_id::float64 && v.type.id == type_id::int64 && wanted.is_made();
    if (!(v.where() == a.where()) || !(v.type == a.type || widens)) return nullptr;
    if (widens) v = astype(v, a.type);
    return value_or_array(a.size() + v.size(), [&] { return bascule::searchsorted(a, v, side.second); });
}

bool is_real(array const& a) { return is_integer(a.type.id) || is_of<type_id::float64, type_id::float32>(a); }

PyObject* digitize(numbers_that<is_real> const& among, sequence_that<is_real, is_line, has_elements> const& edges,
                   boolean right) {
    array const x = among.value(), bins = edges.value();
    auto const found = [&] { return bascule::digitize(x, bins, right.value); };
    return x.where() == bins.where() ? value_or_array(x.size() + bins.size(), found) : nullptr;
}

PyObject* argsort(array_that<has_axes> const& a, integer along, any kind, none, none, not_given) {
    auto const axis = position_of({along, true}, a.value().ndim());
    return axis ? small_argsort(a.object, *axis, kind.object) : nullptr;
}

// Lines of one length on one device, which are no complex numbers.
struct sort_keys : converting {
    arrays given;
    bool read(PyObject* o) {
        auto const fits = [&](array const& k) {
            return is_line(k) && !is_of_complex(k) && k.shape == given.all[0].shape;
        };
        return given.read(o) && std::all_of(given.all.begin(), given.all.end(), fits);
    }
};

PyObject* lexsort(sort_keys& keys, only_integer<0, -1>) {
    auto& all = keys.given.all;
    std::reverse(all.begin(), all.end());
    return result_of(all[0].size(), [&] { return argsort_by(all); });
}

PyObject* choose(sequence_that<is_of<type_id::int64>, has_elements> const& numbers, arrays const& choices, none,
                 raises) {
    array const at = numbers.value();
    auto const& all = choices.all;
    auto const fits = [&](array const& c) { return c.type == all[0].type && c.where() == at.where(); };
    bool const common = std::all_of(all.begin(), all.end(), fits);
    return common ? value_or_array(at.size(), [&] { return bascule::choose(at, all); }) : nullptr;
}

PyObject* bincount(sequence_that<is_of<type_id::int64>, is_line, has_elements> const& numbers,
                   or_none<sequence_that<is_of<type_id::float64>>> const& weights, count least) {
    array const a = numbers.value(), w = weights.given ? weights.value() : array();
    bool const fits = !weights.given || (w.shape == a.shape && w.where() == a.where());
    auto const counted = [&] { return count_numbers(a, weights.given ? &w : nullptr, least.value); };
    return fits ? result_of(a.size(), counted) : nullptr;
}

struct operand : comparing {
    PyObject* object = nullptr;
    bool read(PyObject* o) { return object = o, o != Py_None; }
};

PyObject* where(any condition, operand x, operand y) {
    PyObject* const operands[] = {condition.object, x.object, y.object};
    return small_where(operands);
}

// The type of a number of Python's or NumPy's; empty: something else.
std::optional<type_id> type_of_number(PyObject* o) {
    plan_constant v{};
    type_id t{};
    if (is_array(o) || PyBool_Check(o) || !read_number(o, t, v)) return {};
    return t;
}

// One that Python's numbers have as arrays.
bool is_plain_type(type_id t) { return t == type_id::float64 || t == type_id::int64; }

PyObject* dot(any a, any b, none) {
    static constexpr auto multiply = number_of("multiply");
    PyObject* const operands[] = {a.object, b.object};
    auto const x = type_of_number(a.object), y = type_of_number(b.object);
    if (!x && !y) return product_of_small(a.object, b.object, error_policy::report);
    auto const is_plain = [](PyObject* o, std::optional<type_id> number) {
        return (number || is_array(o)) && is_plain_type(number ? *number : value_of(o).type.id);
    };
    bool const plain = is_plain(a.object, x) && is_plain(b.object, y);
    return plain ? scalar_or_array(fast_result(multiply, operands), a.object, b.object) : nullptr;
}

}  // namespace

PyObject* nonzero_of(PyObject* a) { return common_call<nonzero>::call({&a, 1}); }

PyObject* take_of(PyObject* from, PyObject* indices, PyObject* along) {
    PyObject* const args[] = {from, indices, along};
    return common_call<taken>::call(args);
}

PyObject* rows_at(PyObject* from, PyObject* indices) {
    PyObject* const args[] = {from, indices};
    return common_call<few_rows>::call(args);
}

std::span<function_row const> selection_functions() {
    static constexpr function_row rows[] = {
        common_row<take>("take", "a, indices, axis=None, out=None, mode='raise'", true),
        common_row<where>("where", "condition, x=None, y=None, /"),
        common_row<nonzero>("nonzero", "a"),
        common_row<put>("put", "a, ind, v, mode='raise'"),
        common_row<choose>("choose", "a, choices, out=None, mode='raise'", true),
        common_row<searchsorted>("searchsorted", "a, v, side='left', sorter=None", true),
        common_row<digitize>("digitize", "x, bins, right=False"),
        common_row<argsort>("argsort", "a, axis=-1, kind=None, order=None, *, stable=None, descending=np._NoValue",
                            true),
        common_row<lexsort>("lexsort", "keys, axis=-1"),
        common_row<bincount>("bincount", "x, /, weights=None, minlength=0"),
        common_row<dot>("dot", "a, b, out=None"),
    };
    return rows;
}

}  // namespace bascule::python

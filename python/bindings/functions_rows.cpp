// Rows of the function table that compute with the rows of matrices, for learning.
#include <optional>

#include "bascule/array/graph.hpp"
#include "bascule/array/rows.hpp"
#include "functions.hpp"

namespace bascule::python {
namespace {

// An array, or None.
class optional_array {
public:
    explicit optional_array(PyObject* o) {
        if (o != Py_None) held_.emplace(array_argument(o));
    }
    [[nodiscard]] array const* get() const { return held_ ? &*held_ : nullptr; }

private:
    std::optional<array> held_;
};

std::int64_t integer_of(PyObject* o) {
    auto const n = integer_from(o);
    if (!n) throw type_error("expected an integer");
    return *n;
}

// f() without the GIL where there is much to read.
template <class F> auto computed(array const& rows, F&& f) {
    without_gil const released(is_long_work(rows.size()));
    return f();
}

PyObject* nearest_rows(bound_arguments args) {
    array const rows = array_argument(args[0]), queries = array_argument(args[1]);
    auto const count = integer_of(args[2]);
    auto const found = [&] {
        without_gil const guard(true);
        return nearest(rows, queries, count);
    }();
    return tuple_of({found.first, found.second});
}

PyObject* rows_within_radius(bound_arguments args) {
    array const rows = array_argument(args[0]), queries = array_argument(args[1]);
    auto const radius = plain_number(args[2]);
    if (!radius) throw type_error("expected a radius");
    bool const distances = args[3] == Py_True;
    auto found = computed(rows, [&] { return within_radius(rows, queries, *radius, distances); });
    if (!found.distances) return tuple_of({found.offsets, found.indices});
    return tuple_of({found.offsets, found.indices, *found.distances});
}

PyObject* rows_at_centers(bound_arguments args) {
    enum { rows, centers, shift, squares };
    array const from = array_argument(args[rows]), to = array_argument(args[centers]);
    optional_array const less(args[shift]);
    bool const with_squares = args[squares] == Py_True;
    auto found = computed(from, [&] { return nearest_centers({from, less.get(), nullptr}, to, with_squares); });
    if (!found.squares) return tuple_of({found.labels});
    return tuple_of({found.labels, *found.squares});
}

// The state is a tuple of the arrays in the order of center_state, or None.
std::optional<center_state> state_from(PyObject* given) {
    if (given == Py_None) return {};
    if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) != 6) throw type_error("expected a state of rows and centers");
    auto const at = [&](Py_ssize_t k) { return array_argument(PyTuple_GET_ITEM(given, k)); };
    return center_state{at(0), at(1), at(2), at(3), at(4), at(5)};
}

PyObject* centers_of_next_iteration(bound_arguments args) {
    enum { rows, centers, shift, weights, before, moved, squares };
    array const from = array_argument(args[rows]), to = array_argument(args[centers]);
    optional_array const less(args[shift]), heavy(args[weights]), way(args[moved]);
    auto const state = state_from(args[before]);
    bool const with_squares = args[squares] == Py_True;
    auto found = computed(from, [&] {
        return next_centers({from, less.get(), heavy.get()}, to, state ? &*state : nullptr, way.get(), with_squares);
    });
    center_state const& s = *found.state;
    reference const all{tuple_of({s.labels, s.sums, s.totals, s.members, s.upper, s.lower})},
        changed{PyLong_FromLongLong(found.changed)};
    reference const of_rows{found.squares ? to_python(std::move(*found.squares)) : Py_NewRef(Py_None)};
    return all.p && changed.p && of_rows.p ? PyTuple_Pack(3, all.p, changed.p, of_rows.p) : nullptr;
}

PyObject* distances_of_centers(bound_arguments args) {
    array const rows = array_argument(args[0]), centers = array_argument(args[1]);
    return to_python(computed(rows, [&] { return center_distances(rows, centers); }));
}

PyObject* closer_to_centers(bound_arguments args) {
    enum { rows, centers, shift, weights, closest };
    array const from = array_argument(args[rows]), to = array_argument(args[centers]);
    optional_array const less(args[shift]), heavy(args[weights]), most(args[closest]);
    auto found = computed(from, [&] { return closer_distances({from, less.get(), heavy.get()}, to, most.get()); });
    return tuple_of({found.first, found.second});
}

PyObject* spreads_of_columns(bound_arguments args) {
    array const rows = array_argument(args[0]);
    auto found = computed(rows, [&] { return column_spread(rows); });
    return tuple_of({found.counts, found.means, found.squares});
}

PyObject* products_of_rows(bound_arguments args) {
    array const rows = array_argument(args[0]);
    optional_array const targets(args[1]);
    bool const centred = args[2] == Py_True;
    auto found = computed(rows, [&] { return row_products(rows, targets.get(), centred); });
    return tuple_of({found.first, found.second});
}

PyObject* product_of_sparse(bound_arguments args) {
    enum { values, indices, starts, columns, dense, transposed };
    array const of[] = {array_argument(args[values]), array_argument(args[indices]), array_argument(args[starts])};
    array const factor = array_argument(args[dense]);
    sparse_rows const rows{of[0], of[1], of[2], integer_of(args[columns])};
    bool const turned = args[transposed] == Py_True;
    return to_python(computed(of[0], [&] { return sparse_product(rows, factor, turned); }));
}

PyObject* product_of_two_sparse(bound_arguments args) {
    enum { values, indices, starts, other_values, other_indices, other_starts, other_columns };
    array const of[] = {array_argument(args[values]), array_argument(args[indices]), array_argument(args[starts])};
    array const with[] = {array_argument(args[other_values]), array_argument(args[other_indices]),
                          array_argument(args[other_starts])};
    sparse_rows const rows{of[0], of[1], of[2], with[2].shape.size() == 1 ? with[2].shape[0] - 1 : -1},
        other{with[0], with[1], with[2], integer_of(args[other_columns])};
    return to_python(computed(of[0], [&] { return sparse_product(rows, other); }));
}

}  // namespace

std::span<function_row const> functions_of_rows() {
    static constexpr function_row rows[] = {
        core_row("nearest", "rows, queries, count", nearest_rows,
                 "The rows nearest to each query, and their distances, both in ascending order."),
        core_row("within_radius", "rows, queries, radius, distances=False", rows_within_radius,
                 "The rows within a radius of each query: where those of a query begin, all of them, and distances."),
        core_row("nearest_centers", "rows, centers, shift=None, squares=False", rows_at_centers,
                 "Of rows less a shift the nearest centers, and the squared distances from them."),
        core_row(
            "next_centers", "rows, centers, shift=None, weights=None, before=None, moved=None, squares=False",
            centers_of_next_iteration,
            "The state of an iteration of k-means (labels, sums, totals, members and bounds), from that before and "
            "how far centers have moved since; how many labels have changed; and squared distances."),
        core_row("center_distances", "rows, centers", distances_of_centers, "The distances of rows from centers."),
        core_row("closer_distances", "rows, centers, shift=None, weights=None, closest=None", closer_to_centers,
                 "Squared distances of centers from rows less a shift, no more than the closest, and weighted sums."),
        core_row("column_spread", "rows", spreads_of_columns,
                 "Of the numbers in each column the count, the mean and the sum of squared deviations."),
        core_row("row_products", "rows, targets=None, centred=True", products_of_rows,
                 "The means and products of columns, of rows that have the columns of two matrices."),
        core_row("sparse_product", "values, indices, starts, columns, dense, transposed=False", product_of_sparse,
                 "The product of a matrix of compressed rows, or of its transpose, with a dense one."),
        core_row("sparse_pair_product",
                 "values, indices, starts, other_values, other_indices, other_starts, other_columns",
                 product_of_two_sparse, "The dense product of two matrices of compressed rows."),
    };
    return rows;
}

}  // namespace bascule::python

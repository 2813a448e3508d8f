#include "bascule/array/rows.hpp"

#include <string>
#include <vector>

#include "bascule/array/arguments.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/core/array_algorithms_rows.hpp"
#include "bascule/core/array_algorithms_sparse.hpp"
#include "dense.hpp"

namespace bascule {
namespace {

// The arrays that an algorithm reads, in C order and on one device; its arguments get their addresses when it runs.
class inputs {
public:
    explicit inputs(char const* who) : who_(who) {}
    void check(array const& given, type_id type, dims const& shape) const {
        if (given.type.id != type || given.shape != shape)
            throw value_error(std::string("[") + who_ + "] types or shapes of the arrays do not fit together");
    }
    template <class T> void add(array const& given, type_id type, dims const& shape, T const*& to) {
        check(given, type, shape);
        if (!held_.empty()) arguments::same_device(held_.front().of, given, who_);
        held_.push_back({in_c_order(given), &to, [](void* slot, std::byte const* address) {
                             *static_cast<T const**>(slot) = reinterpret_cast<T const*>(address);
                         }});
    }
    void add(array const* given, dims const& shape, double const*& to) {
        if (given) add(*given, type_id::float64, shape, to);
    }
    template <class Args> void run(array const& result, algorithm_kind kind, Args& args) const {
        std::vector<storage*> read;
        for (auto const& one : held_) read.push_back(one.of.memory());
        graph::memory_in_use const used(read);
        for (auto const& one : held_) one.set(one.slot, address(one.of));
        run_algorithm(result, kind, args);
    }

private:
    struct input {
        array of;
        void* slot;
        void (*set)(void* slot, std::byte const* address);
    };
    char const* who_;
    std::vector<input> held_;
};

// The rows and centers of an algorithm.
void set(center_rows& a, inputs& in, weighted_rows const& of, array const& centers) {
    if (of.rows.ndim() != 2 || centers.ndim() != 2) throw value_error("[centers] expected two matrices of float64");
    a.length = of.rows.shape[0], a.columns = of.rows.shape[1], a.count = centers.shape[0];
    in.add(&of.rows, of.rows.shape, a.rows);
    in.add(&centers, {a.count, a.columns}, a.centers);
    in.add(of.shift, {a.columns}, a.shift);
    in.add(of.weights, {a.length}, a.weights);
}

// A matrix by its compressed rows.
void set(compressed_rows& a, inputs& in, sparse_rows const& of, type_id type, type_id index_type) {
    if (of.values.ndim() != 1 || of.starts.ndim() != 1 || of.starts.shape[0] < 1)
        throw value_error("[sparse_product] expected a matrix as three vectors");
    a.length = of.starts.shape[0] - 1, a.columns = of.columns, a.elements = of.values.shape[0];
    in.add(of.values, type, of.values.shape, a.values);
    in.add(of.indices, index_type, of.values.shape, a.indices);
    in.add(of.starts, index_type, of.starts.shape, a.starts);
}

array doubles(array const& like, dims shape) {
    return empty(like.where(), make_dtype(type_id::float64), std::move(shape));
}

}  // namespace

std::pair<array, array> nearest(array const& rows, array const& queries, std::int64_t count) {
    bool const matrices = rows.ndim() == 2 && queries.ndim() == 2 && rows.type.id == type_id::float64 &&
                          queries.type.id == type_id::float64 && rows.shape[1] == queries.shape[1];
    if (!matrices) throw value_error("[nearest] expected two matrices of float64 with as many columns");
    if (count < 1 || count > rows.shape[0])
        throw value_error("[nearest] expected 1 to " + std::to_string(rows.shape[0]) + " neighbours, got " +
                          std::to_string(count));
    inputs in("nearest");
    nearest_args a;
    in.add(&rows, rows.shape, a.rows), in.add(&queries, queries.shape, a.queries);
    a.length = rows.shape[0], a.columns = rows.shape[1], a.nqueries = queries.shape[0], a.count = count;
    array const indices = empty(rows.where(), make_dtype(type_id::int64), {a.nqueries, count});
    array const distances = doubles(rows, indices.shape);
    a.indices = reinterpret_cast<std::int64_t*>(address(indices));
    a.distances = reinterpret_cast<double*>(address(distances));
    in.run(indices, algorithm_kind::nearest, a);
    return {indices, distances};
}

rows_within within_radius(array const& rows, array const& queries, double radius, bool distances) {
    if (rows.ndim() != 2 || queries.ndim() != 2) throw value_error("[within_radius] expected two matrices of float64");
    inputs in("within_radius");
    within_radius_args a;
    a.length = rows.shape[0], a.columns = rows.shape[1], a.nqueries = queries.shape[0], a.radius = radius;
    in.add(&rows, rows.shape, a.rows), in.add(&queries, {a.nqueries, a.columns}, a.queries);
    dtype const integers = make_dtype(type_id::int64);
    struct results {
        array offsets;
        std::optional<array> indices, distances;
    } found{empty(rows.where(), integers, {a.nqueries + 1}), {}, {}};
    a.offsets = reinterpret_cast<std::int64_t*>(address(found.offsets));
    a.with_distances = distances, a.owner = &found;
    a.allocate = [](void* owner, std::int64_t bytes) -> void* {
        auto& r = *static_cast<results*>(owner);
        auto& to = r.indices ? r.distances : r.indices;
        dtype const type = make_dtype(r.indices ? type_id::float64 : type_id::int64);
        return address(to.emplace(empty(r.offsets.where(), type, {bytes / 8})));
    };
    in.run(found.offsets, algorithm_kind::within_radius, a);
    if (!found.indices) found.indices = empty(rows.where(), integers, {0});
    if (distances && !found.distances) found.distances = doubles(rows, {0});
    return {found.offsets, *found.indices, found.distances};
}

nearest_center nearest_centers(weighted_rows const& rows, array const& centers, bool squares) {
    inputs in("nearest_centers");
    nearest_centers_args a;
    set(a, in, rows, centers);
    nearest_center r{empty(rows.rows.where(), make_dtype(type_id::int32), {a.length}), {}, {}};
    a.labels = reinterpret_cast<std::int32_t*>(address(r.labels));
    if (squares) a.squares = reinterpret_cast<double*>(address(r.squares.emplace(doubles(centers, {a.length}))));
    in.run(r.labels, algorithm_kind::nearest_centers, a);
    return r;
}

nearest_center next_centers(weighted_rows const& rows, array const& centers, center_state const* before,
                            array const* moved, bool squares) {
    inputs in("next_centers");
    nearest_centers_args a;
    set(a, in, rows, centers);
    device const where = centers.where();
    dtype const integers = make_dtype(type_id::int32), counts = make_dtype(type_id::int64);
    nearest_center r{empty(where, integers, {a.length}), {}, {}};
    center_state const s = before ? *before
                                  : center_state{r.labels,
                                                 doubles(centers, centers.shape),
                                                 doubles(centers, {a.count}),
                                                 empty(where, counts, {a.count}),
                                                 doubles(centers, {a.length}),
                                                 doubles(centers, {a.length})};
    if (before) {
        in.add(s.labels, type_id::int32, {a.length}, a.before);
        in.add(moved, {a.count}, a.moved);
        for (array const* of : {&s.upper, &s.lower}) in.check(*of, type_id::float64, {a.length});
        in.check(s.sums, type_id::float64, centers.shape), in.check(s.totals, type_id::float64, {a.count});
        in.check(s.members, type_id::int64, {a.count});
    }
    a.labels = reinterpret_cast<std::int32_t*>(address(r.labels));
    a.sums = reinterpret_cast<double*>(address(s.sums));
    a.totals = reinterpret_cast<double*>(address(s.totals));
    a.members = reinterpret_cast<std::int64_t*>(address(s.members));
    a.upper = reinterpret_cast<double*>(address(s.upper));
    a.lower = reinterpret_cast<double*>(address(s.lower));
    if (squares) a.squares = reinterpret_cast<double*>(address(r.squares.emplace(doubles(centers, {a.length}))));
    in.run(r.labels, algorithm_kind::nearest_centers, a);
    r.changed = a.changed;
    r.state = {r.labels, s.sums, s.totals, s.members, s.upper, s.lower};
    return r;
}

array center_distances(array const& rows, array const& centers) {
    inputs in("center_distances");
    center_distances_args a;
    set(a, in, {rows}, centers);
    array const r = doubles(rows, {a.length, a.count});
    a.distances = reinterpret_cast<double*>(address(r));
    a.row_step = a.count, a.center_step = 1, a.roots = true;
    in.run(r, algorithm_kind::center_distances, a);
    return r;
}

std::pair<array, array> closer_distances(weighted_rows const& rows, array const& centers, array const* closest) {
    inputs in("closer_distances");
    center_distances_args a;
    set(a, in, rows, centers);
    in.add(closest, {a.length}, a.closest);
    std::pair r{doubles(centers, {a.count, a.length}), doubles(centers, {a.count})};
    a.distances = reinterpret_cast<double*>(address(r.first));
    a.row_step = 1, a.center_step = a.length;
    a.sums = reinterpret_cast<double*>(address(r.second));
    in.run(r.first, algorithm_kind::center_distances, a);
    return r;
}

spread_of_columns column_spread(array const& rows) {
    if (rows.ndim() != 2) throw value_error("[column_spread] expected a matrix");
    inputs in("column_spread");
    column_spread_args a;
    in.add(rows, rows.type.id, rows.shape, a.rows), a.type = rows.type.id;
    a.length = rows.shape[0], a.columns = rows.shape[1];
    spread_of_columns r{doubles(rows, {a.columns}), doubles(rows, {a.columns}), doubles(rows, {a.columns})};
    a.counts = reinterpret_cast<double*>(address(r.counts));
    a.means = reinterpret_cast<double*>(address(r.means));
    a.squares = reinterpret_cast<double*>(address(r.squares));
    in.run(r.counts, algorithm_kind::column_spread, a);
    return r;
}

std::pair<array, array> row_products(array const& rows, array const* targets, bool centred) {
    if (rows.ndim() != 2 || (targets && targets->ndim() != 2)) throw value_error("[row_products] expected matrices");
    inputs in("row_products");
    row_products_args a;
    in.add(rows, rows.type.id, rows.shape, a.rows), a.type = rows.type.id, a.centred = centred;
    a.length = rows.shape[0], a.columns = rows.shape[1];
    if (targets) {
        a.ntargets = targets->shape[1];
        in.add(*targets, rows.type.id, {a.length, a.ntargets}, a.targets);
    }
    std::int64_t const all = a.columns + a.ntargets;
    std::pair r{doubles(rows, {all}), doubles(rows, {all, all})};
    a.means = reinterpret_cast<double*>(address(r.first));
    a.products = reinterpret_cast<double*>(address(r.second));
    in.run(r.first, algorithm_kind::row_products, a);
    return r;
}

array sparse_product(sparse_rows const& rows, array const& dense, bool transposed) {
    if (dense.ndim() != 2) throw value_error("[sparse_product] expected a matrix as the factor");
    inputs in("sparse_product");
    sparse_product_args a;
    a.type = rows.values.type.id, a.index_type = rows.indices.type.id, a.transposed = transposed;
    set(a.matrix, in, rows, a.type, a.index_type);
    a.count = dense.shape[1];
    std::int64_t const inner = transposed ? a.matrix.length : rows.columns;
    in.add(dense, a.type, {inner, a.count}, a.dense);
    array const r = empty(dense.where(), dense.type, {transposed ? rows.columns : a.matrix.length, a.count});
    a.result = address(r);
    if (r.size() > 0) in.run(r, algorithm_kind::sparse_product, a);
    return r;
}

array sparse_product(sparse_rows const& rows, sparse_rows const& other) {
    inputs in("sparse_product");
    sparse_product_args a;
    a.type = rows.values.type.id, a.index_type = rows.indices.type.id;
    set(a.matrix, in, rows, a.type, a.index_type);
    set(a.other, in, other, a.type, a.index_type);
    if (a.other.length != rows.columns)
        throw value_error("[sparse_product] shapes of the matrices do not fit together");
    a.count = other.columns;
    array const r = empty(rows.values.where(), rows.values.type, {a.matrix.length, a.count});
    a.result = address(r);
    if (r.size() > 0) in.run(r, algorithm_kind::sparse_product, a);
    return r;
}

}  // namespace bascule

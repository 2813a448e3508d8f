#include "backend/reference/arrays_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "backend/reference/failure.hpp"

namespace bascule::reference {
namespace {

// Of a row, less the shift if there is one, from another.
double squared_distance(double const* x, double const* y, std::int64_t columns, double const* shift = nullptr) {
    double sum = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
        double const apart = x[c] - (shift ? shift[c] : 0) - y[c];
        sum += apart * apart;
    }
    return sum;
}

double shifted(center_rows const& a, std::int64_t row, std::int64_t column) {
    return a.rows[row * a.columns + column] - (a.shift ? a.shift[column] : 0);
}
double square(center_rows const& a, std::int64_t row, std::int64_t center) {
    return squared_distance(a.rows + row * a.columns, a.centers + center * a.columns, a.columns, a.shift);
}
std::int32_t first_nearest(center_rows const& a, std::int64_t row) {
    std::int64_t best = 0;
    for (std::int64_t k = 1; k < a.count; ++k)
        if (square(a, row, k) < square(a, row, best)) best = k;
    return static_cast<std::int32_t>(best);
}

double from_another(center_rows const& a, std::int64_t row, std::int64_t label) {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t k = 0; k < a.count; ++k)
        if (k != label) least = std::min(least, std::sqrt(square(a, row, k)));
    return least;
}
double element(void const* rows, type_id t, std::int64_t i) {
    return t == type_id::float32 ? static_cast<float const*>(rows)[i] : static_cast<double const*>(rows)[i];
}
// Of a row of both matrices.
double element(row_products_args const& a, std::int64_t row, std::int64_t column) {
    if (column < a.columns) return element(a.rows, a.type, row * a.columns + column);
    return element(a.targets, a.type, row * a.ntargets + column - a.columns);
}

}  // namespace

void nearest(nearest_args const& a) {
    expects(a.count >= 1 && a.count <= a.length, status::value_error, "nearest: more neighbours than rows");
    for (std::int64_t q = 0; q < a.nqueries; ++q) {
        std::vector<std::pair<double, std::int64_t>> all;
        for (std::int64_t i = 0; i < a.length; ++i) {
            double const sum = squared_distance(a.queries + q * a.columns, a.rows + i * a.columns, a.columns);
            all.emplace_back(sum, i);
        }
        std::sort(all.begin(), all.end());
        for (std::int64_t k = 0; k < a.count; ++k) {
            a.indices[q * a.count + k] = all[std::size_t(k)].second;
            if (a.distances) a.distances[q * a.count + k] = std::sqrt(all[std::size_t(k)].first);
        }
    }
}

void within_radius(within_radius_args const& a) {
    std::vector<std::int64_t> indices;
    std::vector<double> distances;
    a.offsets[0] = 0;
    for (std::int64_t q = 0; q < a.nqueries; ++q) {
        for (std::int64_t i = 0; i < a.length; ++i) {
            double const sum = squared_distance(a.queries + q * a.columns, a.rows + i * a.columns, a.columns);
            if (sum <= a.radius * a.radius) indices.push_back(i), distances.push_back(std::sqrt(sum));
        }
        a.offsets[q + 1] = static_cast<std::int64_t>(indices.size());
    }
    if (indices.empty()) return;
    auto const bytes = static_cast<std::int64_t>(8 * indices.size());
    std::copy(indices.begin(), indices.end(), static_cast<std::int64_t*>(a.allocate(a.owner, bytes)));
    if (a.with_distances)
        std::copy(distances.begin(), distances.end(), static_cast<double*>(a.allocate(a.owner, bytes)));
}

void nearest_centers(nearest_centers_args& a) {
    expects(a.count >= 1, status::value_error, "nearest_centers: no centers");
    std::int64_t const d = a.columns;
    if (a.sums) {
        std::fill_n(a.sums, a.count * d, 0.0), std::fill_n(a.totals, a.count, 0.0);
        std::fill_n(a.members, a.count, std::int64_t{0});
    }
    a.changed = 0;
    for (std::int64_t i = 0; i < a.length; ++i) {
        std::int32_t const label = first_nearest(a, i);
        double const w = a.weights ? a.weights[i] : 1;
        a.changed += !a.before || a.before[i] != label;
        a.labels[i] = label;
        if (a.squares) a.squares[i] = square(a, i, label);
        if (a.upper) a.upper[i] = std::sqrt(square(a, i, label)), a.lower[i] = from_another(a, i, label);
        if (!a.sums) continue;
        for (std::int64_t c = 0; c < d; ++c) a.sums[label * d + c] += w * shifted(a, i, c);
        a.totals[label] += w, a.members[label] += w != 0;
    }
}

void center_distances(center_distances_args const& a) {
    if (a.sums) std::fill_n(a.sums, a.count, 0.0);
    for (std::int64_t i = 0; i < a.length; ++i)
        for (std::int64_t k = 0; k < a.count; ++k) {
            double distance = square(a, i, k);
            if (a.closest) distance = std::min(distance, a.closest[i]);
            if (a.sums) a.sums[k] += (a.weights ? a.weights[i] : 1) * distance;
            a.distances[i * a.row_step + k * a.center_step] = a.roots ? std::sqrt(distance) : distance;
        }
}

void column_spread(column_spread_args const& a) {
    for (std::int64_t c = 0; c < a.columns; ++c) {
        double n = 0, sum = 0, squares = 0;
        auto const each = [&](auto const& f) {
            for (std::int64_t i = 0; i < a.length; ++i)
                if (double const x = element(a.rows, a.type, i * a.columns + c); x == x) f(x);
        };
        each([&](double x) { n += 1, sum += x; });
        double const mean = n > 0 ? sum / n : 0;
        each([&](double x) { squares += (x - mean) * (x - mean); });
        a.counts[c] = n, a.means[c] = mean, a.squares[c] = squares;
    }
}

void row_products(row_products_args const& a) {
    std::int64_t const all = a.columns + a.ntargets;
    for (std::int64_t c = 0; c < all; ++c) {
        a.means[c] = 0;
        for (std::int64_t i = 0; a.centred && i < a.length; ++i)
            a.means[c] += element(a, i, c) / static_cast<double>(a.length);
    }
    for (std::int64_t c = 0; c < all; ++c)
        for (std::int64_t d = 0; d < all; ++d) {
            double sum = 0;
            for (std::int64_t i = 0; i < a.length; ++i)
                sum += (element(a, i, c) - a.means[c]) * (element(a, i, d) - a.means[d]);
            a.products[c * all + d] = sum;
        }
}

namespace {

template <class V, class I> double sparse_element(compressed_rows const& m, std::int64_t row, std::int64_t column) {
    auto const *const starts = static_cast<I const*>(m.starts), *const indices = static_cast<I const*>(m.indices);
    double sum = 0;
    for (I e = starts[row]; e < starts[row + 1]; ++e)
        if (indices[e] == column) sum += static_cast<double>(static_cast<V const*>(m.values)[e]);
    return sum;
}

template <class V, class I> void product_of_sparse(sparse_product_args const& a) {
    std::int64_t const rows = a.transposed ? a.matrix.columns : a.matrix.length,
                       inner = a.transposed ? a.matrix.length : a.matrix.columns;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t c = 0; c < a.count; ++c) {
            double sum = 0;
            for (std::int64_t j = 0; j < inner; ++j) {
                double const left = a.transposed ? sparse_element<V, I>(a.matrix, j, i)
                                                 : sparse_element<V, I>(a.matrix, i, j);
                sum += left * (a.dense != nullptr ? static_cast<double>(static_cast<V const*>(a.dense)[j * a.count + c])
                                                  : sparse_element<V, I>(a.other, j, c));
            }
            static_cast<V*>(a.result)[i * a.count + c] = static_cast<V>(sum);
        }
}

}  // namespace

void sparse_product(sparse_product_args const& a) {
    bool const narrow = a.index_type == type_id::int32;
    if (a.type == type_id::float64)
        narrow ? product_of_sparse<double, std::int32_t>(a) : product_of_sparse<double, std::int64_t>(a);
    else narrow ? product_of_sparse<float, std::int32_t>(a) : product_of_sparse<float, std::int64_t>(a);
}

}  // namespace bascule::reference

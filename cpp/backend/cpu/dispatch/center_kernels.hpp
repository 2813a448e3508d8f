// Rows against centers, compiled for every instruction set: rows lie in the lanes of vectors, so any number of centers
// and of columns fills them.
#pragma once
#include <cstdint>

namespace bascule::cpu {

struct center_kernels {
    static constexpr std::int64_t lanes = 16;  // rows of a tile

    // tile[c * lanes + r] = rows[r * columns + c] - shift[c]; from row `count` on the tile is zero. No shift: null.
    void (*load)(double const* rows, std::int64_t count, std::int64_t columns, double const* shift,
                 double* tile) noexcept;
    // out[k * lanes + r]: the sum of products of row r and center k, in the order of columns.
    void (*products)(double const* tile, std::int64_t columns, double const* centers, std::int64_t count,
                     double* out) noexcept;
    // out[r]: the sum of squares of row r, as it is among the products of a row that is a center itself.
    void (*norms)(double const* tile, std::int64_t columns, double* out) noexcept;
    // The first center of the least reduced distance, norms[k] - 2 * products[k * lanes + r].
    void (*nearest)(double const* products, double const* norms, std::int64_t count, std::int64_t* labels) noexcept;
    // And this distance, and the least one of the other centers.
    void (*two_nearest)(double const* products, double const* norms, std::int64_t count, std::int64_t* labels,
                        double* least, double* second) noexcept;
    // out[r]: the squared distance of row r from the center with its label.
    void (*squares)(double const* tile, std::int64_t columns, double const* centers, std::int64_t const* labels,
                    double* out) noexcept;
    // to[c] += weight * (row[c] - shift[c])
    void (*add)(double const* row, double const* shift, std::int64_t columns, double weight, double* to) noexcept;
};
center_kernels const& active_center_kernels() noexcept;
center_kernels const* center_kernels_of(char const* isa) noexcept;

}  // namespace bascule::cpu

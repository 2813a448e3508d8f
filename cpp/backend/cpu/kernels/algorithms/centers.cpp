// Rows against centers. Products and sums are contracted here: distances are compared, and their rounding is part of
// the result in any library.
#include "backend/cpu/dispatch/center_kernels.hpp"
#include "backend/cpu/kernels/lanes.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

using i64 = std::int64_t;
using vector = eight_lanes<double>::vector;
using unaligned = eight_lanes<double>::unaligned;
typedef i64 numbers __attribute__((vector_size(eight_lanes<double>::size)));
constexpr i64 lanes = center_kernels::lanes;
constexpr int width = eight_lanes<double>::size / 8, parts = static_cast<int>(lanes) / width;
// Sums in registers at once: of AVX-512's 32 registers most, of others half.
constexpr int together = width == 8 ? 8 : 2, side = width == 8 ? parts : 4;

vector at(double const* p) { return *reinterpret_cast<unaligned const*>(p); }
void put(double* p, vector v) { *reinterpret_cast<unaligned*>(p) = v; }

void load(double const* rows, i64 count, i64 columns, double const* shift, double* tile) noexcept {
    if (count < lanes)
        for (i64 i = 0; i < columns * lanes; ++i) tile[i] = 0;
    if (count == lanes)
        for (i64 c = 0; c < columns; ++c) {
            double const less = shift ? shift[c] : 0;
            double const* const from = rows + c;
            double* const to = tile + c * lanes;
            for (i64 r = 0; r < lanes; ++r) to[r] = from[r * columns] - less;
        }
    else
        for (i64 c = 0; c < columns; ++c)
            for (i64 r = 0; r < count; ++r) tile[c * lanes + r] = rows[r * columns + c] - (shift ? shift[c] : 0);
}

// Of C centers, `side` vectors of rows at a time.
template <int C> void products_of(double const* tile, i64 columns, double const* centers, double* out) {
    for (int begin = 0; begin < parts; begin += side) {
        vector sums[C][side] = {};
        for (i64 c = 0; c < columns; ++c) {
            vector x[side];
            for (int p = 0; p < side; ++p) x[p] = at(tile + c * lanes + (begin + p) * width);
            for (int k = 0; k < C; ++k) {
                double const value = centers[k * columns + c];
                for (int p = 0; p < side; ++p) sums[k][p] += x[p] * value;
            }
        }
        for (int k = 0; k < C; ++k)
            for (int p = 0; p < side; ++p) put(out + k * lanes + (begin + p) * width, sums[k][p]);
    }
}

void products(double const* tile, i64 columns, double const* centers, i64 count, double* out) noexcept {
    i64 k = 0;
    for (; k + together <= count; k += together)
        products_of<together>(tile, columns, centers + k * columns, out + k * lanes);
    if constexpr (together > 4)
        for (; k + 4 <= count; k += 4) products_of<4>(tile, columns, centers + k * columns, out + k * lanes);
    if constexpr (together > 2)
        for (; k + 2 <= count; k += 2) products_of<2>(tile, columns, centers + k * columns, out + k * lanes);
    for (; k < count; ++k) products_of<1>(tile, columns, centers + k * columns, out + k * lanes);
}

void norms(double const* tile, i64 columns, double* out) noexcept {
    vector sums[parts] = {};
    for (i64 c = 0; c < columns; ++c)
        for (int p = 0; p < parts; ++p) {
            vector const x = at(tile + c * lanes + p * width);
            sums[p] += x * x;
        }
    for (int p = 0; p < parts; ++p) put(out + p * width, sums[p]);
}

void nearest(double const* products, double const* norms, i64 count, i64* labels) noexcept {
    for (int p = 0; p < parts; ++p) {
        vector least = norms[0] - 2 * at(products + p * width);
        numbers found = {};
        for (i64 k = 1; k < count; ++k) {
            vector const distance = norms[k] - 2 * at(products + k * lanes + p * width);
            auto const closer = distance < least;
            least = closer ? distance : least;
            found = closer ? numbers{} + k : found;
        }
        for (int r = 0; r < width; ++r) labels[p * width + r] = found[r];
    }
}

void two_nearest(double const* products, double const* norms, i64 count, i64* labels, double* least,
                 double* second) noexcept {
    for (int p = 0; p < parts; ++p) {
        vector low = norms[0] - 2 * at(products + p * width), next = vector{} + __builtin_inf();
        numbers found = {};
        for (i64 k = 1; k < count; ++k) {
            vector const distance = norms[k] - 2 * at(products + k * lanes + p * width);
            auto const closer = distance < low;
            vector const other = closer ? low : distance;
            next = other < next ? other : next;
            low = closer ? distance : low;
            found = closer ? numbers{} + k : found;
        }
        put(least + p * width, low), put(second + p * width, next);
        for (int r = 0; r < width; ++r) labels[p * width + r] = found[r];
    }
}

void squares(double const* tile, i64 columns, double const* centers, i64 const* labels, double* out) noexcept {
    double sums[lanes] = {};
    for (i64 c = 0; c < columns; ++c)
        for (i64 r = 0; r < lanes; ++r) {
            double const apart = tile[c * lanes + r] - centers[labels[r] * columns + c];
            sums[r] += apart * apart;
        }
    for (i64 r = 0; r < lanes; ++r) out[r] = sums[r];
}

void add(double const* row, double const* shift, i64 columns, double weight, double* to) noexcept {
    if (shift)
        for (i64 c = 0; c < columns; ++c) to[c] += weight * (row[c] - shift[c]);
    else
        for (i64 c = 0; c < columns; ++c) to[c] += weight * row[c];
}

}  // namespace

center_kernels const& comparing_centers() noexcept {
    static constexpr center_kernels kernels{load, products, norms, nearest, two_nearest, squares, add};
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

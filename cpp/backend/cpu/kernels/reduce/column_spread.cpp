// Sums of columns: as many rows as fill whole vectors are taken together, so that a lane is one column.
#include <numeric>

#include "backend/cpu/dispatch/column_kernels.hpp"
#include "backend/cpu/kernels/lanes.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

using i64 = std::int64_t;
using vector = eight_lanes<double>::vector;
constexpr int vector_size = eight_lanes<double>::size, width = vector_size / 8;
typedef float half_vector __attribute__((vector_size(vector_size / 2)));
typedef double unaligned_doubles __attribute__((vector_size(vector_size), aligned(8), may_alias));
typedef float unaligned_floats __attribute__((vector_size(vector_size / 2), aligned(4), may_alias));

vector at(double const* x) { return *reinterpret_cast<unaligned_doubles const*>(x); }
vector at(float const* x) {
    return __builtin_convertvector(half_vector(*reinterpret_cast<unaligned_floats const*>(x)), vector);
}

// Each adds an element, or a vector of them, to its sums.
struct known_sums {
    static constexpr int results = 2;
    template <class V> static void add(V x, V, V* to) {
        V const nought = {}, one = nought + 1;
        to[0] += x == x ? one : nought, to[1] += x == x ? x : nought;
    }
};
struct known_deviations {
    static constexpr int results = 2;
    template <class V> static void add(V x, V mean, V* to) {
        V const nought = {}, apart = x == x ? x - mean : nought;
        to[0] += apart, to[1] += apart * apart;
    }
};

// The sums of `rows` rows of W vectors, `step` elements apart; a sum's vectors lie together.
template <class Op, int W, class T>
void sum_strip(T const* from, i64 rows, i64 step, double const* means, double* out) {
    vector sums[W][Op::results] = {}, mean[W];
    for (int w = 0; w < W; ++w) mean[w] = at(means + w * width);
    for (i64 r = 0; r < rows; ++r)
        for (int w = 0; w < W; ++w) Op::add(at(from + r * step + w * width), mean[w], sums[w]);
    for (int k = 0; k < Op::results; ++k)
        for (int w = 0; w < W; ++w) *reinterpret_cast<unaligned_doubles*>(out + (k * W + w) * width) = sums[w][k];
}

template <class Op, class T>
void sum_columns(T const* rows, i64 count, i64 columns, double const* mean, double* const* out) {
    constexpr int most = 4;  // vectors of a strip
    for (int k = 0; k < Op::results; ++k)
        for (i64 c = 0; c < columns; ++c) out[k][c] = 0;
    i64 const together = width / std::gcd(columns, i64{width}), length = together * columns, whole = count / together;
    for (i64 begin = 0, column = 0; begin < length;) {
        int const vectors = length - begin >= most * width ? most : 1;
        double means[most * width] = {}, sums[Op::results * most * width];
        i64 at_column = column;
        for (int i = 0; i < vectors * width; ++i) {
            if (mean) means[i] = mean[at_column];
            at_column = at_column + 1 == columns ? 0 : at_column + 1;
        }
        if (vectors == most) sum_strip<Op, most>(rows + begin, whole, length, means, sums);
        else sum_strip<Op, 1>(rows + begin, whole, length, means, sums);
        for (int i = 0; i < vectors * width; ++i) {
            for (int k = 0; k < Op::results; ++k) out[k][column] += sums[k * vectors * width + i];
            column = column + 1 == columns ? 0 : column + 1;
        }
        begin += vectors * width;
    }
    for (i64 r = whole * together; r < count; ++r)
        for (i64 c = 0; c < columns; ++c) {
            double one[Op::results] = {};
            Op::add(static_cast<double>(rows[r * columns + c]), mean ? mean[c] : 0.0, one);
            for (int k = 0; k < Op::results; ++k) out[k][c] += one[k];
        }
}

template <class T>
void centre(T const* rows, i64 count, i64 columns, double const* shift, double* out, i64 step) noexcept {
    for (i64 r = 0; r < count; ++r)
        for (i64 c = 0; c < columns; ++c) out[r * step + c] = static_cast<double>(rows[r * columns + c]) - shift[c];
}

template <class T> constexpr column_kernels<T> kernels_of() {
    return {[](T const* rows, i64 count, i64 columns, double* known, double* out) noexcept {
                double* const to[] = {known, out};
                sum_columns<known_sums>(rows, count, columns, nullptr, to);
            },
            [](T const* rows, i64 count, i64 columns, double const* mean, double* out, double* squares) noexcept {
                double* const to[] = {out, squares};
                sum_columns<known_deviations>(rows, count, columns, mean, to);
            },
            centre<T>};
}

}  // namespace

column_kernels_of_types const& spreads_of_columns() noexcept {
    static constexpr column_kernels_of_types kernels{kernels_of<double>(), kernels_of<float>()};
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

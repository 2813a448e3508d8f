// Matrices in memory: where those of a stack begin, and dense copies of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "backend/cpu/linalg/blas.hpp"
#include "bascule/core/array_algorithms_linear.hpp"

namespace bascule::cpu::linalg {

// One matrix; strides in elements where T is known, so they must be multiples of its size (placed() sees to it).
template <class T> struct matrix {
    T* data;
    std::int64_t rows, columns, row, column;

    T& at(std::int64_t i, std::int64_t j) const noexcept { return data[i * row + j * column]; }
    matrix transposed() const noexcept { return {data, columns, rows, column, row}; }
};

// Byte offset of matrix number `index` in C order of the stack's dimensions.
inline std::int64_t place(matrix_stack const& s, std::int32_t ndim, std::int64_t const* shape,
                          std::int64_t index) noexcept {
    std::int64_t offset = 0;
    for (std::int32_t d = ndim; d-- > 0;) {
        offset += (index % shape[d]) * s.stack[d];
        index /= shape[d];
    }
    return offset;
}

inline std::int64_t stack_size(std::int32_t ndim, std::int64_t const* shape) noexcept {
    std::int64_t n = 1;
    for (std::int32_t d = 0; d < ndim; ++d) n *= shape[d];
    return n;
}

template <class T>
matrix<T> matrix_at(matrix_stack const& s, std::int32_t ndim, std::int64_t const* shape, std::int64_t index,
                    std::int64_t rows, std::int64_t columns) noexcept {
    constexpr std::int64_t size = sizeof(T);
    auto* const p = static_cast<char*>(s.data) + place(s, ndim, shape, index);
    return {reinterpret_cast<T*>(p), rows, columns, s.row / size, s.column / size};
}

// The value in another precision of the same kind.
template <class To, class From> To as(From v) noexcept {
    if constexpr (blas::is_complex_type<From>) {
        using R = blas::real<To>;
        return To{static_cast<R>(v.re), static_cast<R>(v.im)};
    } else {
        return static_cast<To>(v);
    }
}
template <class T> T conjugate(T v) noexcept {
    if constexpr (blas::is_complex_type<T>) return T{v.re, -v.im};
    else return v;
}

// to = from, element by element; in tiles, because one of the two is often walked across its rows.
template <class To, class From> void copy_matrix(matrix<To> to, matrix<From> from) noexcept {
    using source = std::remove_const_t<From>;
    constexpr std::int64_t tile = 16;
    if (std::abs(to.row) < std::abs(to.column)) to = to.transposed(), from = from.transposed();
    for (std::int64_t i0 = 0; i0 < to.rows; i0 += tile)
        for (std::int64_t j0 = 0; j0 < to.columns; j0 += tile) {
            std::int64_t const i1 = std::min(i0 + tile, to.rows), j1 = std::min(j0 + tile, to.columns);
            for (std::int64_t i = i0; i < i1; ++i)
                for (std::int64_t j = j0; j < j1; ++j) to.at(i, j) = as<To, source>(from.at(i, j));
        }
}

template <class T> void fill(matrix<T> to, T value) noexcept {
    for (std::int64_t i = 0; i < to.rows; ++i)
        for (std::int64_t j = 0; j < to.columns; ++j) to.at(i, j) = value;
}

}  // namespace bascule::cpu::linalg

// Squares of items transposed in registers: as many rows as a vector has items.
#pragma once
#include <cstdint>
#include <type_traits>

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

#if defined(__AVX512F__)
inline constexpr int square_row_bytes = 64;
#elif defined(__AVX__)
inline constexpr int square_row_bytes = 32;
#else
inline constexpr int square_row_bytes = 16;
#endif

// The attribute needs sizes that depend on no template.
template <class T> struct square;
template <> struct square<std::uint64_t> {
    typedef std::uint64_t vector __attribute__((vector_size(square_row_bytes)));
    typedef std::uint64_t unaligned __attribute__((vector_size(square_row_bytes), aligned(8), may_alias));
};
template <> struct square<std::uint32_t> {
    typedef std::uint32_t vector __attribute__((vector_size(square_row_bytes)));
    typedef std::uint32_t unaligned __attribute__((vector_size(square_row_bytes), aligned(4), may_alias));
};
// Narrow items in the shortest vectors: longer ones would be more than there are registers.
template <> struct square<std::uint16_t> {
    typedef std::uint16_t vector __attribute__((vector_size(16)));
    typedef std::uint16_t unaligned __attribute__((vector_size(16), aligned(2), may_alias));
};
template <> struct square<std::uint8_t> {
    typedef std::uint8_t vector __attribute__((vector_size(16)));
    typedef std::uint8_t unaligned __attribute__((vector_size(16), aligned(1), may_alias));
};
template <class T> inline constexpr bool has_square = std::is_integral_v<T>;
template <class T> inline constexpr int square_side = static_cast<int>(sizeof(typename square<T>::vector) / sizeof(T));

// Row by row, each item of the first rows is followed by that of the row half a square further down; as often as the
// side can be halved, this transposes the square.
template <class T, int Rows> struct turned {
    using V = typename square<T>::vector;
    static constexpr int side = square_side<T>;
    static constexpr V alternating(int from) {
        V at{};
        for (int k = 0; k < side; ++k) at[k] = static_cast<T>(from + k / 2 + (k % 2) * side);
        return at;
    }
    static inline __attribute__((always_inline)) void once(V (&row)[side]) {
        V next[side];
#pragma GCC unroll 16
        for (int i = 0; i < side / 2; ++i) {
            next[2 * i] = __builtin_shuffle(row[i], row[i + side / 2], alternating(0));
            next[2 * i + 1] = __builtin_shuffle(row[i], row[i + side / 2], alternating(side / 2));
        }
#pragma GCC unroll 16
        for (int i = 0; i < side; ++i) row[i] = next[i];
        if constexpr (Rows > 2) turned<T, Rows / 2>::once(row);
    }
};

// to[i][k] = from[k][i]; rows are so many bytes apart.
template <class T> inline void turn_square(char* to, std::int64_t to_row, char const* from, std::int64_t from_row) {
    constexpr int side = square_side<T>;
    typename square<T>::vector row[side];
#pragma GCC unroll 16
    for (int k = 0; k < side; ++k)
        row[k] = *reinterpret_cast<typename square<T>::unaligned const*>(from + k * from_row);
    turned<T, side>::once(row);
#pragma GCC unroll 16
    for (int k = 0; k < side; ++k) *reinterpret_cast<typename square<T>::unaligned*>(to + k * to_row) = row[k];
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

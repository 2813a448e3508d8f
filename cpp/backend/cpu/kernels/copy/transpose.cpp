// Items of many rows transposed into lines.
#include "backend/cpu/kernels/copy/transpose.hpp"
#include "backend/cpu/dispatch/transpose_kernels.hpp"
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

struct two_words {
    std::uint64_t first, second;
};

constexpr int line_bytes = 64;
template <class T> inline constexpr int line = line_bytes / static_cast<int>(sizeof(T));

template <bool Past> inline void put_line(char* to, char const* from) {
#ifdef __SSE2__
    if constexpr (Past) {
#if defined(__AVX512F__)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_load_si512(from));
#else
        for (int i = 0; i < line_bytes; i += 16)
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                             _mm_load_si128(reinterpret_cast<__m128i const*>(from + i)));
#endif
        return;
    }
#endif
    __builtin_memcpy(to, from, line_bytes);
}

// Prefetches the source of the next line of the same rows, as far as it begins with these.
template <class T> inline void fetch_next(char const* from, transpose_line const& a) {
    for (int k = 0; k < line<T>; ++k) __builtin_prefetch(from + (line<T> + k) * a.from_column);
}

template <class T, bool Past> void turn(transpose_line const& a) noexcept {
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    std::int64_t i = 0;
    if constexpr (has_square<T>) {
        constexpr int side = square_side<T>;
        constexpr std::int64_t row_bytes = side * size;
        for (; i + side <= a.rows; i += side) {
            char const* const from = a.from + i * size;
            if (i * size % line_bytes == 0) fetch_next<T>(from, a);
            alignas(line_bytes) char lines[side][line_bytes];
            for (int k = 0; k < line<T>; k += side)
                turn_square<T>(&lines[0][0] + k * size, line_bytes, from + k * a.from_column, a.from_column);
            for (int r = 0; r < side; ++r) put_line<Past>(a.to + (i + r) * a.to_row, lines[r]);
        }
        static_assert(line_bytes % row_bytes == 0);
    }
    for (; i < a.rows; ++i) {
        char const* const from = a.from + i * size;
        if (i * size % line_bytes == 0) fetch_next<T>(from, a);
        alignas(line_bytes) T items[line<T>];
        for (int k = 0; k < line<T>; ++k) items[k] = *reinterpret_cast<T const*>(from + k * a.from_column);
        put_line<Past>(a.to + i * a.to_row, reinterpret_cast<char const*>(items));
    }
}

template <class T> constexpr void add(transpose_kernels& k) {
    k.stored[size_class(sizeof(T))] = turn<T, false>;
    k.streamed[size_class(sizeof(T))] = turn<T, true>;
}

}  // namespace

transpose_kernels const& transposing() noexcept {
    static constexpr transpose_kernels kernels = [] {
        transpose_kernels k{};
        add<std::uint8_t>(k);
        add<std::uint16_t>(k);
        add<std::uint32_t>(k);
        add<std::uint64_t>(k);
        add<two_words>(k);
        return k;
    }();
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

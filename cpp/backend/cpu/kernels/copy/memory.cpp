// Moving items: strided copies, fills and ramps.
#include "backend/cpu/kernels/copy/strides.hpp"
#include "backend/cpu/kernels/copy/transpose.hpp"
#include "backend/cpu/kernels/loops.hpp"
#include "backend/cpu/kernels/parts.hpp"
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <int Size> struct item_of;
template <> struct item_of<1> { using type = std::uint8_t; };
template <> struct item_of<2> { using type = std::uint16_t; };
template <> struct item_of<4> { using type = std::uint32_t; };
template <> struct item_of<8> { using type = std::uint64_t; };
template <> struct item_of<16> { using type = complex<std::uint64_t>; };

template <class T> void copy_contiguous(T* to, T const* from, std::int64_t n) {
    __builtin_memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
}

// Items may have any address: those of a buffer that begins in the middle of one.
template <class T> T item_at(void const* from) {
    T v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
template <class T> void put_item(void* to, T v) { __builtin_memcpy(to, &v, sizeof v); }

template <class T> void copy_fixed(T* to, T value, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) put_item(to + i, value);
}

template <class T> void copy_reversed(T* to, T const* from, std::int64_t n) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) put_item(to + i, item_at<T>(from - i));
}

template <class T>
void copy_strided(char* to, char const* from, std::int64_t n, std::int64_t to_step, std::int64_t from_step) {
    for (std::int64_t i = 0; i < n; ++i) put_item(to + i * to_step, item_at<T>(from + i * from_step));
}

template <class T>
void copy_row(char* to, char const* from, std::int64_t n, std::int64_t to_step, std::int64_t from_step) {
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    auto* const t = reinterpret_cast<T*>(to);
    auto const* const f = reinterpret_cast<T const*>(from);
    if (to_step == size) {
        if (from_step == size) return copy_contiguous(t, f, n);
        if (from_step == 0) return copy_fixed(t, item_at<T>(f), n);
        if (from_step == -size) return copy_reversed(t, f, n);
        if (load_apart(t, f, n, from_step)) return;
    } else if (from_step == size && store_apart(t, f, n, to_step)) {
        return;
    }
    copy_strided<T>(to, from, n, to_step, from_step);
}

// Prefetching an invalid address is harmless, so the end of memory need not be checked.
inline void fetch(char const* from, std::int64_t bytes) {
    constexpr std::int64_t line = 64;
    for (std::int64_t b = 0; b < bytes; b += line) __builtin_prefetch(from + b);
}

constexpr std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

// Reading down columns: in squares, so that a cache line serves all its rows before it is dropped.
constexpr std::int64_t side = 32;

template <class T> void copy_square(patch const& p, std::int64_t r, std::int64_t c) {
    std::int64_t const rows = p.rows - r < side ? p.rows - r : side,
                       columns = p.columns - c < side ? p.columns - c : side;
    char* const to = p.to + r * p.to_row + c * p.to_column;
    char const* const from = p.from + r * p.from_row + c * p.from_column;
    std::int64_t done = 0, across = 0;
    if constexpr (has_square<T>)
        if (p.from_row == sizeof(T) && p.to_column == sizeof(T)) {
            constexpr std::int64_t step = square_side<T>;
            done = rows / step * step, across = columns / step * step;
            for (std::int64_t k = 0; k < across; k += step) {
                for (std::int64_t ahead = 0; ahead < step; ++ahead)
                    fetch(from + (c + k + side < p.columns ? k + side + ahead : k) * p.from_column,
                          done * static_cast<std::int64_t>(sizeof(T)));
                for (std::int64_t i = 0; i < done; i += step)
                    turn_square<T>(to + i * p.to_row + k * p.to_column, p.to_row,
                                   from + i * p.from_row + k * p.from_column, p.from_column);
            }
        }
    for (std::int64_t i = 0; i < rows; ++i) {
        std::int64_t const first = i < done ? across : 0;
        copy_strided<T>(to + i * p.to_row + first * p.to_column, from + i * p.from_row + first * p.from_column,
                        columns - first, p.to_column, p.from_column);
    }
}

template <class T> void copy_transposed(patch const& p) {
    for (std::int64_t r = 0; r < p.rows; r += side)
        for (std::int64_t c = 0; c < p.columns; c += side) copy_square<T>(p, r, c);
}

// One item of each row, repeated for each column: an operand that is constant along rows.
template <int Columns, class T> void repeat_items(patch const& p) {
    auto* const to = reinterpret_cast<T*>(p.to);
    for (std::int64_t r = 0; r < p.rows; ++r) {
        T const x = *reinterpret_cast<T const*>(p.from + r * p.from_row);
        for (int i = 0; i < Columns; ++i) to[r * Columns + i] = x;
    }
}

// Rows of a few items, for which a call each costs more than the copy. False: they are not.
template <class T> bool copy_short_rows(patch const& p) {
    constexpr std::int64_t few = 16;
    auto const bytes = p.columns * static_cast<std::int64_t>(sizeof(T));
    if (p.from_column == 0 && p.to_column == sizeof(T) && p.to_row == bytes) {
        switch (p.columns) {
            case 2: return repeat_items<2, T>(p), true;
            case 3: return repeat_items<3, T>(p), true;
            case 4: return repeat_items<4, T>(p), true;
            default: return false;
        }
    }
    if (p.columns > few || p.rows < 4 || p.from_column != sizeof(T) || p.to_column != sizeof(T)) return false;
    if (p.to_row == bytes && p.from_row == bytes) {
        __builtin_memcpy(p.to, p.from, static_cast<std::size_t>(p.rows * bytes));
        return true;
    }
    if (p.to_row == bytes && p.from_row == 0) {  // one row again and again, in ever longer pieces
        std::int64_t const all = p.rows * bytes;
        __builtin_memcpy(p.to, p.from, static_cast<std::size_t>(bytes));
        for (std::int64_t done = bytes; done < all; done *= 2)
            __builtin_memcpy(p.to + done, p.to, static_cast<std::size_t>(all - done < done ? all - done : done));
        return true;
    }
    for (std::int64_t r = 0; r < p.rows; ++r) {
        auto* const to = reinterpret_cast<T*>(p.to + r * p.to_row);
        auto const* const from = reinterpret_cast<T const*>(p.from + r * p.from_row);
        for (std::int64_t i = 0; i < p.columns; ++i) to[i] = from[i];
    }
    return true;
}

// Items of foreign arrays may have any address.
template <class T> bool is_misaligned(patch const& p) {
    auto const all = reinterpret_cast<std::intptr_t>(p.to) | reinterpret_cast<std::intptr_t>(p.from) | p.to_row |
                     p.to_column | p.from_row | p.from_column;
    return (all & static_cast<std::intptr_t>(alignof(T) - 1)) != 0;
}
template <class T> void copy_anywhere(patch const& p) {
    for (std::int64_t r = 0; r < p.rows; ++r)
        for (std::int64_t i = 0; i < p.columns; ++i)
            __builtin_memcpy(p.to + r * p.to_row + i * p.to_column, p.from + r * p.from_row + i * p.from_column,
                             sizeof(T));
}

template <class T> void copy_patch(patch const& p) {
    if (is_misaligned<T>(p)) return copy_anywhere<T>(p);
    if (copy_short_rows<T>(p)) return;
    if (p.rows > 16 && p.columns > 16 && magnitude(p.from_column) > magnitude(p.from_row) &&
        magnitude(p.from_column) >= 64)
        return copy_transposed<T>(p);
    for (std::int64_t r = 0; r < p.rows; ++r)
        copy_row<T>(p.to + r * p.to_row, p.from + r * p.from_row, p.columns, p.to_column, p.from_column);
}

template <class T> void fill_block(void* d, void const* a, void const*, void const*, std::size_t n) {
    copy_fixed(static_cast<T*>(d), *static_cast<T const*>(a), static_cast<std::int64_t>(n));
}

// Ordinary stores read every line before they write it; these do not.
void stream_bytes(void* to_, void const* from_, std::size_t bytes) {
    auto* to = static_cast<char*>(to_);
    auto const* from = static_cast<char const*>(from_);
#ifdef __SSE2__
    constexpr std::size_t line = 64;
    std::size_t head = -reinterpret_cast<std::uintptr_t>(to) & (line - 1);
    if (head > bytes) head = bytes;
    __builtin_memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    for (; bytes >= line; to += line, from += line, bytes -= line) {
#if defined(__AVX512F__)
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#else
        for (std::size_t i = 0; i < line; i += 16)
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                             _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i)));
#endif
    }
#endif
    __builtin_memcpy(to, from, bytes);
}

void write_ramp(std::int64_t* d, std::int64_t start, std::int64_t step, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) d[i] = start + static_cast<std::int64_t>(i) * step;
}

template <int Size> void add_size(kernel_table& t) {
    using T = typename item_of<Size>::type;
    t.copy[size_class(Size)] = copy_patch<T>;
    t.fill[size_class(Size)] = fill_block<T>;
}

}  // namespace

void fill_memory(kernel_table& t) {
    add_size<1>(t);
    add_size<2>(t);
    add_size<4>(t);
    add_size<8>(t);
    add_size<16>(t);
    t.stream = stream_bytes;
    t.ramp = write_ramp;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

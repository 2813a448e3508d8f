// An iteration space with several operands, walked in C order as runs along its last dimension, from any position to
// any.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "bascule/core/plan.hpp"

namespace bascule::cpu {

// Pieces of work: large enough that handing them out costs nothing, few enough that their counts fit on the stack.
inline constexpr std::int64_t piece_size = std::int64_t{1} << 15, most_pieces = 512;
struct pieces {
    std::int64_t size, count, total;
    explicit pieces(std::int64_t n) noexcept
        : size(std::max(piece_size, (n + most_pieces - 1) / most_pieces)), count((n + size - 1) / size), total(n) {}
    std::int64_t begin(std::int64_t piece) const noexcept { return piece * size; }
    std::int64_t end(std::int64_t piece) const noexcept { return std::min(begin(piece) + size, total); }
};

template <int Operands> struct run_space {
    int ndim = 0, operands = 0;
    std::int64_t shape[max_dims];
    std::int64_t strides[Operands][max_dims];

    run_space(std::int32_t n, std::int64_t const* extents) noexcept : ndim(n) { std::copy_n(extents, n, shape); }
    void add(std::int64_t const* s) noexcept { std::copy_n(s, ndim, strides[operands++]); }

    std::int64_t size() const noexcept {
        std::int64_t n = 1;
        for (int d = 0; d < ndim; ++d) n *= shape[d];
        return n;
    }
    std::int64_t run_stride(int k) const noexcept { return ndim == 0 ? 0 : strides[k][ndim - 1]; }

    // Orders the dimensions as one operand has them in memory, where the result does not depend on the order.
    void order_by(int operand) noexcept {
        for (int d = 1; d < ndim; ++d)
            for (int e = d; e > 0 && std::abs(strides[operand][e - 1]) < std::abs(strides[operand][e]); --e) {
                std::swap(shape[e - 1], shape[e]);
                for (int k = 0; k < operands; ++k) std::swap(strides[k][e - 1], strides[k][e]);
            }
    }
    // Leaves out dimensions of one element and joins neighbours that are one dimension to every operand. C order stays.
    void simplify() noexcept {
        int kept = 0;
        for (int d = 0; d < ndim; ++d) {
            if (shape[d] == 1) continue;
            if (kept > 0 && continues(kept - 1, d)) {
                shape[kept - 1] *= shape[d];
                --kept;
            } else {
                shape[kept] = shape[d];
            }
            for (int k = 0; k < operands; ++k) strides[k][kept] = strides[k][d];
            ++kept;
        }
        ndim = kept;
    }
    // For results that depend only on the operands' elements: a broadcast dimension repeats them.
    void drop_broadcast() noexcept {
        int kept = 0;
        for (int d = 0; d < ndim; ++d) {
            bool moves = false;
            for (int k = 0; k < operands; ++k) moves |= strides[k][d] != 0;
            if (!moves) continue;
            shape[kept] = shape[d];
            for (int k = 0; k < operands; ++k) strides[k][kept] = strides[k][d];
            ++kept;
        }
        ndim = kept;
    }

    // f(offsets, n, index): the operands' byte offsets at the start of a run of n positions, and where it starts.
    template <class F> void for_each_run(std::int64_t begin, std::int64_t end, F&& f) const {
        if (begin >= end) return;
        std::int64_t index[max_dims] = {}, offset[Operands] = {};
        start_at(begin, index, offset);
        std::int64_t const length = ndim == 0 ? 1 : shape[ndim - 1];
        for (;;) {
            std::int64_t const n = std::min(end - begin, length - index[ndim == 0 ? 0 : ndim - 1]);
            f(static_cast<std::int64_t const*>(offset), n, static_cast<std::int64_t const*>(index));
            begin += n;
            if (begin >= end) return;
            next_run(index, offset);
        }
    }

private:
    bool continues(int before, int d) const noexcept {
        for (int k = 0; k < operands; ++k)
            if (strides[k][before] != strides[k][d] * shape[d]) return false;
        return true;
    }
    void start_at(std::int64_t position, std::int64_t* index, std::int64_t* offset) const noexcept {
        for (int d = ndim; d-- > 0; position /= shape[d]) index[d] = position % shape[d];
        for (int k = 0; k < operands; ++k)
            for (int d = 0; d < ndim; ++d) offset[k] += index[d] * strides[k][d];
    }
    void next_run(std::int64_t* index, std::int64_t* offset) const noexcept {
        int d = ndim - 1;
        move(index, offset, d, -index[d]);
        while (--d >= 0) {
            if (index[d] + 1 < shape[d]) return move(index, offset, d, 1);
            move(index, offset, d, -index[d]);
        }
    }
    void move(std::int64_t* index, std::int64_t* offset, int d, std::int64_t by) const noexcept {
        index[d] += by;
        for (int k = 0; k < operands; ++k) offset[k] += by * strides[k][d];
    }
};

// An item of a size known to the compiler; other sizes are copied byte by byte of a length known at run time.
template <int Bytes> struct item { unsigned char bytes[Bytes]; };
template <class F> void with_item_size(std::int32_t size, F&& f) {
    switch (size) {
        case 1: return f(std::integral_constant<int, 1>{});
        case 2: return f(std::integral_constant<int, 2>{});
        case 4: return f(std::integral_constant<int, 4>{});
        case 8: return f(std::integral_constant<int, 8>{});
        case 16: return f(std::integral_constant<int, 16>{});
        default: return f(std::integral_constant<int, 0>{});
    }
}
template <int Bytes> inline void copy_item(char* to, char const* from, std::int32_t size) {
    __builtin_memcpy(to, from, Bytes > 0 ? static_cast<std::size_t>(Bytes) : static_cast<std::size_t>(size));
}

}  // namespace bascule::cpu

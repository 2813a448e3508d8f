// Element-wise plans: a thread has `Items` neighbouring items of a row, loads and stores them 128 bits at a time where they
// lie next to each other and on such a border, and computes them one after the other.
#pragma once
#include "backend/cuda/kernels/element.cuh"

namespace bascule::cuda {

// Items are found by comparing: in an unrolled loop nothing of that is left, in another the pack stays in registers.
template <class T, int Items> struct pack {
    T of[Items];
    __device__ T get(int k) const {
        T found = of[0];
#pragma unroll
        for (int i = 1; i < Items; ++i)
            if (i == k) found = of[i];
        return found;
    }
    __device__ void set(int k, T x) {
#pragma unroll
        for (int i = 0; i < Items; ++i)
            if (i == k) of[i] = x;
    }
};

template <int Bytes> struct memory_word;
template <> struct memory_word<1> { using type = std::uint8_t; };
template <> struct memory_word<2> { using type = std::uint16_t; };
template <> struct memory_word<4> { using type = std::uint32_t; };
template <> struct memory_word<8> { using type = std::uint64_t; };
struct alignas(16) two_words {
    std::uint64_t low, high;
};
template <> struct memory_word<16> { using type = two_words; };

// The widest words a pack is made of.
template <class T, int Items> inline constexpr int word_bytes = sizeof(T) * Items < 16 ? sizeof(T) * Items : 16;
template <class T, int Items> struct pack_words {
    static constexpr int bytes = word_bytes<T, Items>, count = static_cast<int>(sizeof(T)) * Items / bytes;
    using word = typename memory_word<bytes>::type;
    word of[count];
};

// The compiler splits a store of two words again.
template <class Word> __device__ inline void store_word(std::uint64_t address, Word w) { *at<Word>(address, 0) = w; }
__device__ inline void store_word(std::uint64_t address, two_words w) {
#ifdef BASCULE_CUDA_EMULATION
    *at<two_words>(address, 0) = w;
#else
    asm volatile("st.global.v2.b64 [%0], {%1, %2};" ::"l"(address), "l"(w.low), "l"(w.high) : "memory");
#endif
}

// Of the items from `address` on, `count` are in the row: what lies behind them is not touched, and the last of them is
// loaded in its stead. The item after one lies `stride` bytes on.
template <class T, int Items> __device__ inline pack<T, Items> load_strided(std::uint64_t address, std::int64_t stride, int count) {
    pack<T, Items> items;
#pragma unroll
    for (int k = 0; k < Items; ++k) items.of[k] = *at<T>(address, (k < count ? k : count - 1) * stride);
    return items;
}

template <class T, int Items> __device__ inline pack<T, Items> load_items(std::uint64_t address, int count) {
    using words = pack_words<T, Items>;
    if (count < Items || address % words::bytes != 0) return load_strided<T, Items>(address, sizeof(T), count);
    words w;
#pragma unroll
    for (int i = 0; i < words::count; ++i) w.of[i] = *at<typename words::word>(address, i * words::bytes);
    return __builtin_bit_cast(pack<T, Items>, w);
}

template <class T, int Items>
__device__ inline void store_strided(std::uint64_t address, std::int64_t stride, int count, pack<T, Items> const& items) {
#pragma unroll
    for (int k = 0; k < Items; ++k)
        if (k < count) *at<T>(address, k * stride) = items.of[k];
}

template <class T, int Items> __device__ inline void store_items(std::uint64_t address, int count, pack<T, Items> const& items) {
    using words = pack_words<T, Items>;
    if (count < Items || address % words::bytes != 0) return store_strided(address, sizeof(T), count, items);
    words const w = __builtin_bit_cast(words, items);
#pragma unroll
    for (int i = 0; i < words::count; ++i) store_word(address + i * words::bytes, w.of[i]);
}

}  // namespace bascule::cuda

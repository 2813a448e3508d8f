// Element-wise plans: a thread has `Items` neighbouring items of a row, loads and stores them 128 bits at a time where
// they are contiguous and aligned to that, and computes them one after the other.
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

// The type of one memory access: 128 bits are two words of 64 or four of 32.
template <int Bytes, bool Wide> struct memory_word;
template <bool Wide> struct memory_word<1, Wide> { using type = std::uint8_t; };
template <bool Wide> struct memory_word<2, Wide> { using type = std::uint16_t; };
template <bool Wide> struct memory_word<4, Wide> { using type = std::uint32_t; };
template <bool Wide> struct memory_word<8, Wide> { using type = std::uint64_t; };
struct alignas(16) two_words {
    std::uint64_t low, high;
};
struct alignas(16) four_words {
    std::uint32_t of[4];
};
template <> struct memory_word<16, true> { using type = two_words; };
template <> struct memory_word<16, false> { using type = four_words; };

// Loads and stores are written in PTX with the global address space: through a pointer made of an integer the compiler
// would use generic addressing, which is slower. __cvta_global_to_generic is no alternative, because NVRTC 13.0 does
// not terminate on some plans that use it. `volatile` keeps the accesses in order; there is no memory clobber, because
// it would make the compiler copy the tables of formulas to the stack.
#ifdef BASCULE_CUDA_EMULATION
template <class Word> __device__ inline void load_word(std::uint64_t address, Word& w) { w = *at<Word>(address, 0); }
template <class Word> __device__ inline void store_word(std::uint64_t address, Word w) { *at<Word>(address, 0) = w; }
#else
__device__ inline void load_word(std::uint64_t address, std::uint8_t& w) {
    std::uint16_t wide;
    asm volatile("ld.global.u8 %0, [%1];" : "=h"(wide) : "l"(address));
    w = static_cast<std::uint8_t>(wide);
}
__device__ inline void load_word(std::uint64_t address, std::uint16_t& w) {
    asm volatile("ld.global.u16 %0, [%1];" : "=h"(w) : "l"(address));
}
__device__ inline void load_word(std::uint64_t address, std::uint32_t& w) {
    asm volatile("ld.global.b32 %0, [%1];" : "=r"(w) : "l"(address));
}
__device__ inline void load_word(std::uint64_t address, std::uint64_t& w) {
    asm volatile("ld.global.b64 %0, [%1];" : "=l"(w) : "l"(address));
}
__device__ inline void load_word(std::uint64_t address, two_words& w) {
    asm volatile("ld.global.v2.b64 {%0, %1}, [%2];" : "=l"(w.low), "=l"(w.high) : "l"(address));
}
__device__ inline void load_word(std::uint64_t address, four_words& w) {
    asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w.of[0]), "=r"(w.of[1]), "=r"(w.of[2]), "=r"(w.of[3])
                 : "l"(address));
}
__device__ inline void store_word(std::uint64_t address, std::uint8_t w) {
    asm volatile("st.global.u8 [%0], %1;" ::"l"(address), "h"(static_cast<std::uint16_t>(w)));
}
__device__ inline void store_word(std::uint64_t address, std::uint16_t w) {
    asm volatile("st.global.u16 [%0], %1;" ::"l"(address), "h"(w));
}
__device__ inline void store_word(std::uint64_t address, std::uint32_t w) {
    asm volatile("st.global.b32 [%0], %1;" ::"l"(address), "r"(w));
}
__device__ inline void store_word(std::uint64_t address, std::uint64_t w) {
    asm volatile("st.global.b64 [%0], %1;" ::"l"(address), "l"(w));
}
__device__ inline void store_word(std::uint64_t address, two_words w) {
    asm volatile("st.global.v2.b64 [%0], {%1, %2};" ::"l"(address), "l"(w.low), "l"(w.high));
}
__device__ inline void store_word(std::uint64_t address, four_words w) {
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(w.of[0]), "r"(w.of[1]), "r"(w.of[2]),
                 "r"(w.of[3]));
}
#endif

// Elements by words of at most `Most` bytes.
template <class T, int Items, int Most> struct pack_words {
    static constexpr int all = static_cast<int>(sizeof(T)) * Items, bytes = all < Most ? all : Most,
                         count = all / bytes;
    using word = typename memory_word<bytes, (sizeof(T) >= 8)>::type;
    word of[count];
};
template <class T, int Items, int Most> __device__ inline pack<T, Items> load_pack(std::uint64_t address) {
    using words = pack_words<T, Items, Most>;
    words w;
#pragma unroll
    for (int i = 0; i < words::count; ++i) load_word(address + i * words::bytes, w.of[i]);
    return __builtin_bit_cast(pack<T, Items>, w);
}
template <class T, int Items, int Most>
__device__ inline void store_pack(std::uint64_t address, pack<T, Items> const& items) {
    using words = pack_words<T, Items, Most>;
    words const w = __builtin_bit_cast(words, items);
#pragma unroll
    for (int i = 0; i < words::count; ++i) store_word(address + i * words::bytes, w.of[i]);
}

// One element. A complex number is aligned only to its parts.
template <class T> __device__ inline T load_one(std::uint64_t address) {
    return load_pack<T, 1, alignof(T)>(address).of[0];
}

// The first `count` of the items from `address` on are in the row: memory behind them is not accessed, and the last of
// them is loaded in place of the others. Items are `stride` bytes apart.
template <class T, int Items>
__device__ inline pack<T, Items> load_strided(std::uint64_t address, std::int64_t stride, int count) {
    pack<T, Items> items;
#pragma unroll
    for (int k = 0; k < Items; ++k)
        items.of[k] = load_one<T>(address + static_cast<std::uint64_t>((k < count ? k : count - 1) * stride));
    return items;
}

template <class T, int Items> __device__ inline pack<T, Items> load_items(std::uint64_t address, int count) {
    if (count < Items || address % pack_words<T, Items, 16>::bytes != 0)
        return load_strided<T, Items>(address, sizeof(T), count);
    return load_pack<T, Items, 16>(address);
}

template <class T, int Items>
__device__ inline void store_strided(std::uint64_t address, std::int64_t stride, int count,
                                     pack<T, Items> const& items) {
#pragma unroll
    for (int k = 0; k < Items; ++k)
        if (k < count)
            store_pack<T, 1, alignof(T)>(address + static_cast<std::uint64_t>(k * stride), pack<T, 1>{items.of[k]});
}

template <class T, int Items>
__device__ inline void store_items(std::uint64_t address, int count, pack<T, Items> const& items) {
    if (count < Items || address % pack_words<T, Items, 16>::bytes != 0)
        return store_strided(address, sizeof(T), count, items);
    store_pack<T, Items, 16>(address, items);
}

}  // namespace bascule::cuda

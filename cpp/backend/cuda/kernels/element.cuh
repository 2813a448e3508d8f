// The parts of every generated kernel: parameters, typed memory, the grid-stride loop. NVRTC, nvcc and the emulation on
// the host share this source.
#pragma once
#include "bascule/core/dtype.hpp"

namespace bascule::cuda {

inline constexpr int block_threads = 256;  // of all kernels here

// Parameters are 64-bit words; the kernel's source knows the meaning of each.
template <int N> struct words {
    std::uint64_t w[N];
    __device__ std::uint64_t operator[](int i) const { return w[i]; }
};

template <class T> __device__ inline T* at(std::uint64_t base, std::int64_t byte_offset) {
    return reinterpret_cast<T*>(base + static_cast<std::uint64_t>(byte_offset));
}

// An element as stored in memory: of a boolean any byte that is not 0 is true.
template <class T> struct stored_element { using type = T; };
template <> struct stored_element<bool> { using type = std::uint8_t; };
template <class T> __device__ inline T load_element(std::uint64_t address) {
    return static_cast<T>(*at<typename stored_element<T>::type>(address, 0));
}

// A constant from the word, or the two words, that hold its bytes.
template <class T> __device__ inline T from_words(std::uint64_t low, std::uint64_t high) {
    struct pair {
        std::uint64_t low, high;
    };
    if constexpr (sizeof(T) == 16) return __builtin_bit_cast(T, pair{low, high});
    else if constexpr (sizeof(T) == 8) return __builtin_bit_cast(T, low);
    else if constexpr (sizeof(T) == 4) return __builtin_bit_cast(T, static_cast<std::uint32_t>(low));
    else if constexpr (sizeof(T) == 2) return __builtin_bit_cast(T, static_cast<std::uint16_t>(low));
    else return static_cast<T>(static_cast<std::uint8_t>(low));
}

// n / d of numbers below 2^31, by multiplying: `divisor` is the word that the host made of d.
__device__ inline std::uint32_t quotient(std::uint32_t n, std::uint64_t divisor) {
    return static_cast<std::uint32_t>((divisor & 0xffffffffu) * n >> (divisor >> 32));
}

template <class Index> __device__ inline Index first_item() {
    return static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
}
template <class Index> __device__ inline Index item_step() { return static_cast<Index>(gridDim.x) * blockDim.x; }

}  // namespace bascule::cuda

// CUDA C++ as plain C++: the definitions a kernel's source needs to be compiled by a host compiler and run on the CPU.
// The scheduler behind it is cuda_emulation.cpp; a kernel reaches it through a table of functions only, so its source
// sees no library header that NVRTC does not have.
//
// Each CUDA thread of a block is a fiber; one thread of the operating system runs them, several blocks in turn. It
// switches between fibers and blocks at barriers and warp collectives. Not emulated: waiting for blocks that have not
// started, textures, inline PTX, the memory model.
#pragma once
#include <cstddef>
#include <cstdint>

#define BASCULE_CUDA_EMULATION 1
#define __global__
#define __device__
#define __host__
// Variables that outlive a block are in a section of their own: only shared memory may be in .bss.
#define BASCULE_DEVICE_VARIABLE __attribute__((section(".data.bascule")))
#define __constant__ BASCULE_DEVICE_VARIABLE
#define __forceinline__ inline __attribute__((always_inline))
#define __shared__ static  // filled again for each block, and exchanged when another block takes its turn
// `extern __shared__ T name[];`, whose size is an argument of the launch.
#define BASCULE_DYNAMIC_SHARED(T, name)                                                                                \
    T* const name = reinterpret_cast<T*>(bascule::emulation::current->dynamic_shared)
#define __launch_bounds__(...)

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};
inline constexpr int warpSize = 32;

namespace bascule::emulation {

enum class warp_op : unsigned { barrier, shuffle, ballot };

// The state that the scheduler shares with kernels. The indices are those of the running fiber.
struct runtime {
    uint3 thread, block;
    dim3 block_size, grid_size;
    char* dynamic_shared;
    int (*block_barrier)(int predicate, void const* where);
    std::uint64_t (*warp_collective)(warp_op, unsigned mask, std::uint64_t value, unsigned source_lane);
};
// How a launch is described to the scheduler; `body` runs one thread.
struct launch {
    dim3 grid, block;
    void (*body)(void* context);
    void* context;
    char* shared = nullptr;  // the kernel's static shared memory
    std::size_t shared_bytes = 0, dynamic_shared_bytes = 0;
};

// The runtime is set when the kernel is loaded. `nobody` is its initial value so that `current` is not zero: a zero
// would put it in .bss, which is for shared memory only.
inline runtime nobody;
inline runtime* current = &nobody;

inline unsigned lane() {
    dim3 const b = current->block_size;
    uint3 const t = current->thread;
    return (t.x + b.x * (t.y + b.y * t.z)) & 31u;
}
template <class T> std::uint64_t to_bits(T v) {
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return bits;
}
template <class T> T from_bits(std::uint64_t bits) {
    T v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}
template <class T> T shuffle(unsigned mask, T v, unsigned source) {
    return from_bits<T>(current->warp_collective(warp_op::shuffle, mask, to_bits(v), source));
}

// Calls kernel K with arguments stored one after the other, each by address; sizes of the arguments, less than zero for
// pointers, 0 at the end.
template <std::size_t... I> struct positions {};
template <std::size_t N, std::size_t... I> struct make_positions : make_positions<N - 1, N - 1, I...> {};
template <std::size_t... I> struct make_positions<0, I...> { using type = positions<I...>; };

template <class A> inline constexpr int size_of_parameter = static_cast<int>(sizeof(A));
template <class A> inline constexpr int size_of_parameter<A*> = -static_cast<int>(sizeof(A*));

template <auto K> struct kernel;
template <class... A, void (*K)(A...)> struct kernel<K> {
    static constexpr int sizes[] = {size_of_parameter<A>..., 0};
    template <std::size_t... I> static void call(void** p, positions<I...>) { K(*static_cast<A*>(p[I])...); }
    static void body(void* context) {
        call(static_cast<void**>(context), typename make_positions<sizeof...(A)>::type{});
    }
};

}  // namespace bascule::emulation

#define threadIdx (bascule::emulation::current->thread)
#define blockIdx (bascule::emulation::current->block)
#define blockDim (bascule::emulation::current->block_size)
#define gridDim (bascule::emulation::current->grid_size)

// ---- barriers
// Which barrier it is, the line of its call says: a compiler may make several calls of one.
inline int bascule_emulated_barrier(int predicate, int line) {
    return bascule::emulation::current->block_barrier(predicate, reinterpret_cast<void const*>(std::uintptr_t(line)));
}
inline void __syncthreads(int line = __builtin_LINE()) { bascule_emulated_barrier(0, line); }
inline int __syncthreads_count(int p, int line = __builtin_LINE()) { return bascule_emulated_barrier(p != 0, line); }
inline int __syncthreads_and(int p, int line = __builtin_LINE()) { return bascule_emulated_barrier(p == 0, line) == 0; }
inline int __syncthreads_or(int p, int line = __builtin_LINE()) { return bascule_emulated_barrier(p != 0, line) != 0; }

// ---- warps
inline void __syncwarp(unsigned mask = ~0u) {
    bascule::emulation::current->warp_collective(bascule::emulation::warp_op::barrier, mask, 0, 0);
}
template <class T> T __shfl_sync(unsigned mask, T v, int source, int width = 32) {
    unsigned const base = bascule::emulation::lane() & ~static_cast<unsigned>(width - 1);
    return bascule::emulation::shuffle(mask, v,
                                       base + (static_cast<unsigned>(source) & static_cast<unsigned>(width - 1)));
}
template <class T> T __shfl_up_sync(unsigned mask, T v, unsigned d, int width = 32) {
    unsigned const lane = bascule::emulation::lane();
    return bascule::emulation::shuffle(mask, v, (lane & static_cast<unsigned>(width - 1)) < d ? lane : lane - d);
}
template <class T> T __shfl_down_sync(unsigned mask, T v, unsigned d, int width = 32) {
    unsigned const lane = bascule::emulation::lane();
    return bascule::emulation::shuffle(
        mask, v, (lane & static_cast<unsigned>(width - 1)) + d >= static_cast<unsigned>(width) ? lane : lane + d);
}
template <class T> T __shfl_xor_sync(unsigned mask, T v, int x, int = 32) {
    return bascule::emulation::shuffle(mask, v, bascule::emulation::lane() ^ static_cast<unsigned>(x));
}
inline unsigned __ballot_sync(unsigned mask, int p) {
    return static_cast<unsigned>(
        bascule::emulation::current->warp_collective(bascule::emulation::warp_op::ballot, mask, p != 0, 0));
}
inline int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
inline int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, p) == mask; }

// f(value of the lane) for every lane of the mask, in order.
template <class T, class F> void bascule_emulated_lanes(unsigned mask, T v, F f) {
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1) f(lane, bascule::emulation::shuffle(mask, v, lane));
}
template <class T, class F> T bascule_emulated_reduction(unsigned mask, T v, F f) {
    bool any = false;
    T all{};
    bascule_emulated_lanes(mask, v, [&](unsigned, T x) { all = any ? f(all, x) : x, any = true; });
    return all;
}
template <class T> unsigned __match_any_sync(unsigned mask, T v) {
    unsigned same = 0;
    bascule_emulated_lanes(mask, v, [&](unsigned lane, T x) { same |= (x == v ? 1u : 0u) << lane; });
    return same;
}
template <class T> unsigned __match_all_sync(unsigned mask, T v, int* all) {
    *all = __match_any_sync(mask, v) == mask;
    return __all_sync(mask, *all) ? mask : 0;
}
#define BASCULE_EMULATED_REDUCE(name, expression)                                                                      \
    template <class T> T __reduce_##name##_sync(unsigned mask, T v) {                                                  \
        return bascule_emulated_reduction(mask, v, [](T a, T b) { return static_cast<T>(expression); });               \
    }
BASCULE_EMULATED_REDUCE(add, a + b)
BASCULE_EMULATED_REDUCE(min, a < b ? a : b)
BASCULE_EMULATED_REDUCE(max, a < b ? b : a)
BASCULE_EMULATED_REDUCE(and, a& b)
BASCULE_EMULATED_REDUCE(or, a | b)
BASCULE_EMULATED_REDUCE(xor, a ^ b)

// ---- atomics and integer functions
// The value is converted to the type that is pointed to.
template <class T> struct bascule_emulated_value { using type = T; };
template <class T> using bascule_value = typename bascule_emulated_value<T>::type;
template <class T, class F> T bascule_emulated_update(T* p, F next) {
    T seen;
    __atomic_load(p, &seen, __ATOMIC_RELAXED);
    for (;;) {
        T wanted = next(seen);
        if (__atomic_compare_exchange(p, &seen, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return seen;
    }
}
template <class T> T atomicAdd(T* p, bascule_value<T> v) {
    return bascule_emulated_update(p, [v](T x) { return static_cast<T>(x + v); });
}
template <class T> T atomicMax(T* p, bascule_value<T> v) {
    return bascule_emulated_update(p, [v](T x) { return x < v ? v : x; });
}
template <class T> T atomicMin(T* p, bascule_value<T> v) {
    return bascule_emulated_update(p, [v](T x) { return v < x ? v : x; });
}
template <class T> T atomicOr(T* p, bascule_value<T> v) {
    return bascule_emulated_update(p, [v](T x) { return static_cast<T>(x | v); });
}
template <class T> T atomicExch(T* p, bascule_value<T> v) {
    return bascule_emulated_update(p, [v](T) { return v; });
}
template <class T> T atomicCAS(T* p, bascule_value<T> expected, bascule_value<T> v) {
    __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
template <class T> T atomicAnd(T* p, bascule_value<T> v) {
    return bascule_emulated_update(p, [v](T x) { return static_cast<T>(x & v); });
}
template <class T> T atomicXor(T* p, bascule_value<T> v) {
    return bascule_emulated_update(p, [v](T x) { return static_cast<T>(x ^ v); });
}
template <class T> T atomicSub(T* p, bascule_value<T> v) {
    return bascule_emulated_update(p, [v](T x) { return static_cast<T>(x - v); });
}
// Loads and stores that say which caches they use.
#define BASCULE_EMULATED_LOAD(name)                                                                                    \
    template <class T> T name(T const* p) { return *static_cast<T const volatile*>(p); }
BASCULE_EMULATED_LOAD(__ldg)
BASCULE_EMULATED_LOAD(__ldca)
BASCULE_EMULATED_LOAD(__ldcg)
BASCULE_EMULATED_LOAD(__ldcs)
BASCULE_EMULATED_LOAD(__ldcv)
#define BASCULE_EMULATED_STORE(name)                                                                                   \
    template <class T> void name(T* p, T v) { *static_cast<T volatile*>(p) = v; }
BASCULE_EMULATED_STORE(__stcg)
BASCULE_EMULATED_STORE(__stcs)
BASCULE_EMULATED_STORE(__stwt)
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}

// The symbols by which a compiled kernel is found, under its name or under one for an expression.
#define BASCULE_EMULATED_AS(label, ...)                                                                                \
    extern "C" int const* bascule_sizes_##label() { return bascule::emulation::kernel<__VA_ARGS__>::sizes; }           \
    extern "C" void bascule_body_##label(void* p) { bascule::emulation::kernel<__VA_ARGS__>::body(p); }
#define BASCULE_EMULATED_KERNEL(name) BASCULE_EMULATED_AS(name, name)
// Only static shared memory is in the .bss section of a kernel's library.
#define BASCULE_EMULATED_UNIT                                                                                          \
    extern "C" __attribute__((visibility("hidden"))) char __bss_start[], _end[];                                       \
    extern "C" void bascule_bind(bascule::emulation::runtime* r, char** shared, char** end) {                          \
        bascule::emulation::current = r, *shared = __bss_start, *end = _end;                                           \
    }

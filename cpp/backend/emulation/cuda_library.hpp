// NVRTC's built-in functions for user programs, for a host compiler: mathematics, vectors, printf, conversions.
// Compiled behind cuda_emulation.hpp.
#pragma once
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __align__(n) __attribute__((aligned(n)))
#define __noinline__ __attribute__((noinline))
#define __managed__ BASCULE_DEVICE_VARIABLE

// ---- vectors
#define BASCULE_VECTORS(T, name)                                                                                       \
    struct name##1 {                                                                                                   \
        T x;                                                                                                           \
    };                                                                                                                 \
    struct alignas(2 * sizeof(T)) name##2 {                                                                            \
        T x, y;                                                                                                        \
    };                                                                                                                 \
    BASCULE_THREE(T, name)                                                                                             \
    struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) name##4 {                                                  \
        T x, y, z, w;                                                                                                  \
    };                                                                                                                 \
    inline name##1 make_##name##1(T x) { return {x}; }                                                                 \
    inline name##2 make_##name##2(T x, T y) { return {x, y}; }                                                         \
    inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                                 \
    inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define BASCULE_THREE(T, name)                                                                                         \
    struct name##3 {                                                                                                   \
        T x, y, z;                                                                                                     \
    };
BASCULE_VECTORS(signed char, char)
BASCULE_VECTORS(unsigned char, uchar)
BASCULE_VECTORS(short, short)
BASCULE_VECTORS(unsigned short, ushort)
BASCULE_VECTORS(int, int)
BASCULE_VECTORS(long, long)
BASCULE_VECTORS(unsigned long, ulong)
BASCULE_VECTORS(long long, longlong)
BASCULE_VECTORS(unsigned long long, ulonglong)
BASCULE_VECTORS(float, float)
BASCULE_VECTORS(double, double)
#undef BASCULE_THREE
#define BASCULE_THREE(T, name)  // the language's own
BASCULE_VECTORS(unsigned, uint)
#undef BASCULE_THREE
#undef BASCULE_VECTORS

// ---- functions of two numbers of one kind each
template <class A, class B> constexpr auto min(A a, B b) -> decltype(a + b) { return b < a ? b : a; }
template <class A, class B> constexpr auto max(A a, B b) -> decltype(a + b) { return a < b ? b : a; }
inline unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double sinpi(double x) { return sin(3.14159265358979323846 * fmod(x, 2.0)); }
inline double cospi(double x) { return cos(3.14159265358979323846 * fmod(x, 2.0)); }
inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
inline float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
inline float fdividef(float a, float b) { return a / b; }
inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// The fast forms are the exact ones here.
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return powf(10.0f, x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline void __sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }

// Rounding to the nearest, which the host does by default.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __drcp_rn(double a) { return 1.0 / a; }
inline double __dsqrt_rn(double a) { return sqrt(a); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

// ---- numbers as others
inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline int __float2int_rn(float x) { return static_cast<int>(rintf(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }
inline int __float2int_rd(float x) { return static_cast<int>(floorf(x)); }
inline int __float2int_ru(float x) { return static_cast<int>(ceilf(x)); }
inline int __double2int_rn(double x) { return static_cast<int>(rint(x)); }
inline int __double2int_rz(double x) { return static_cast<int>(x); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

// ---- integers
inline int __mul24(int a, int b) { return a * b; }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __brev(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; ++i) r = r << 1 | (x >> i & 1u);
    return r;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
    return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (n & 31u) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (n & 31u));
}
inline unsigned atomicInc(unsigned* p, unsigned most) {
    return bascule_emulated_update(p, [most](unsigned x) { return x >= most ? 0u : x + 1u; });
}
inline unsigned atomicDec(unsigned* p, unsigned most) {
    return bascule_emulated_update(p, [most](unsigned x) { return x == 0u || x > most ? most : x - 1u; });
}
inline void __threadfence_system() { __threadfence(); }

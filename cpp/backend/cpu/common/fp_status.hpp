// The floating-point errors in the processor's status register, as ops::fp bits: NumPy reads it too. They are exact for
// kernels that compute nothing but the operation itself.
#pragma once
#include <cstdint>

#include "bascule/ops/spec.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bascule::cpu::fp_status {

#if defined(__x86_64__)
inline constexpr std::uint32_t invalid_flag = 1, divide_flag = 4, over_flag = 8, under_flag = 16;
inline std::uint32_t flags() noexcept { return _mm_getcsr(); }
inline void set_flags(std::uint32_t f) noexcept { _mm_setcsr(f); }
#elif defined(__aarch64__)
inline constexpr std::uint32_t invalid_flag = 1, divide_flag = 2, over_flag = 4, under_flag = 8;
inline std::uint32_t flags() noexcept {
    std::uint64_t f;
    __asm__ __volatile__("mrs %0, fpsr" : "=r"(f));
    return static_cast<std::uint32_t>(f);
}
inline void set_flags(std::uint32_t f) noexcept { __asm__ __volatile__("msr fpsr, %0" : : "r"(std::uint64_t{f})); }
#endif

inline constexpr std::uint32_t all_flags = invalid_flag | divide_flag | over_flag | under_flag;

// Since the last clear.
inline std::uint8_t raised() noexcept {
    std::uint32_t const f = flags();
    if (!(f & all_flags)) return ops::fp::none;
    return static_cast<std::uint8_t>((f & invalid_flag ? ops::fp::invalid : 0) |
                                     (f & divide_flag ? ops::fp::divide : 0) | (f & over_flag ? ops::fp::over : 0) |
                                     (f & under_flag ? ops::fp::under : 0));
}
// Writing the register costs far more than reading it, and it is mostly clear.
inline void clear() noexcept {
    std::uint32_t const f = flags();
    if (f & all_flags) set_flags(f & ~all_flags);
}

}  // namespace bascule::cpu::fp_status

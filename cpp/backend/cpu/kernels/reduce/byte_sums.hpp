// Sums of bytes, eight of them at once in each lane of 64 bits, which is wide enough for any array.
#pragma once
#include "backend/cpu/kernels/lanes.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

class byte_sums {
public:
    typedef std::uint64_t lanes __attribute__((vector_size(vector_bytes)));

    void add(lanes bytes) noexcept { sums_ += sums_of_eight(bytes); }
    std::int64_t total() const noexcept {
        std::uint64_t sum = 0;
        for (int k = 0; k < vector_bytes / 8; ++k) sum += sums_[k];
        return static_cast<std::int64_t>(sum);
    }

private:
    static lanes sums_of_eight(lanes x) noexcept {
#if defined(__AVX512BW__)
        return (lanes)_mm512_sad_epu8((__m512i)x, __m512i{});
#elif defined(__AVX2__)
        return (lanes)_mm256_sad_epu8((__m256i)x, __m256i{});
#elif defined(__SSE2__)
        if constexpr (vector_bytes == 16) return (lanes)_mm_sad_epu8((__m128i)x, __m128i{});
#endif
        constexpr std::uint64_t pairs = 0x00ff00ff00ff00ff, to_the_top = 0x0001000100010001;
        return ((x & pairs) + (x >> 8 & pairs)) * to_the_top >> 48;
    }

    lanes sums_ = {};
};

// Signed ones are counted from the least.
template <class T> std::int64_t sum_of_bytes(T const* x, std::int64_t n) noexcept {
    static_assert(sizeof(T) == 1);
    typedef byte_sums::lanes unaligned __attribute__((aligned(1), may_alias));
    constexpr bool is_signed = T(-1) < T(0);
    constexpr std::uint64_t least = is_signed ? 0x8080808080808080 : 0;
    constexpr std::int64_t group = 4 * vector_bytes;
    byte_sums sums[4];
    std::int64_t i = 0;
    for (; n - i >= group; i += group) {
        fetch_between(x + i + 8 * group, x + i + 9 * group);
        for (int k = 0; k < 4; ++k) sums[k].add(*reinterpret_cast<unaligned const*>(x + i + k * vector_bytes) ^ least);
    }
    std::int64_t sum = is_signed ? -128 * i : 0;
    for (byte_sums const& s : sums) sum += s.total();
    for (; i < n; ++i) sum += x[i];
    return sum;
}

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

// Numbers of any type in whole vector registers, a few of them at a time.
#pragma once
#include "backend/cpu/kernels/lanes.hpp"
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class T> struct whole_vectors {
    typedef T vector __attribute__((vector_size(vector_bytes)));
    typedef T unaligned __attribute__((vector_size(vector_bytes), aligned(1), may_alias));
    using mask = decltype(vector{} != vector{});  // -1 in the lanes where it holds
    static constexpr int width = vector_bytes / static_cast<int>(sizeof(T)), parts = 4, group = parts * width;

    static vector load(T const* x, int k) { return *reinterpret_cast<unaligned const*>(x + k * width); }
    static void fetch_after(T const* x) { fetch_between(x + 8 * group, x + 9 * group); }
    static bool some(mask const& m) {
#if defined(__AVX512F__)
        auto const bits = reinterpret_cast<__m512i const&>(m);
        return _mm512_test_epi64_mask(bits, bits) != 0;
#elif defined(__AVX__)
        auto const bits = reinterpret_cast<__m256i const&>(m);
        return !_mm256_testz_si256(bits, bits);
#else
        std::uint64_t word[vector_bytes / 8], found = 0;
        __builtin_memcpy(word, &m, sizeof word);
        for (std::uint64_t const w : word) found |= w;
        return found != 0;
#endif
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

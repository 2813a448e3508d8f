// Items of several arrays one after the other.
#include "backend/cpu/interleaved.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Memory that others made may lie at any address.
template <class T> struct anywhere { typedef T type __attribute__((aligned(1), may_alias)); };
template <class T> using item = typename anywhere<T>::type;

template <class T, int Count> void interleave(char* to_, char const* const* from, std::int64_t n) noexcept {
    auto* const to = reinterpret_cast<item<T>*>(to_);
    item<T> const* x[Count];
    for (int k = 0; k < Count; ++k) x[k] = reinterpret_cast<item<T> const*>(from[k]);
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        for (int k = 0; k < Count; ++k) to[Count * i + k] = x[k][i];
}

template <class T> constexpr void add_size(interleave_kernels& k) {
    auto* const of = k.of[size_class(sizeof(T))];
    of[2] = interleave<T, 2>, of[3] = interleave<T, 3>, of[4] = interleave<T, 4>;
    if constexpr (sizeof(T) == 1) of[8] = interleave<T, 8>;
}

}  // namespace

interleave_kernels const& interleaving() noexcept {
    static constexpr interleave_kernels kernels = [] {
        interleave_kernels k{};
        add_size<std::uint8_t>(k);
        add_size<std::uint16_t>(k);
        add_size<std::uint32_t>(k);
        add_size<std::uint64_t>(k);
        return k;
    }();
    return kernels;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

namespace {

// Between bounds that are numbers one comparison each is enough: NaN is neither below nor above.
template <class T> void clip_between(T* d, T const* a, T low, T high, std::size_t n) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
        T const raised = a[i] <= low ? low : a[i];
        d[i] = raised >= high ? high : raised;
    }
}

// Clipping as two loops of extrema, which vectorise where their composition does not. The output must not overwrite a
// bound that is still needed.
template <class T, int V> void clip_loop(void* d, void const* a, void const* low, void const* high, std::size_t n) {
    if constexpr (V == ss) {
        T const least = *static_cast<T const*>(low), most = *static_cast<T const*>(high);
        if (least == least && most == most)
            return clip_between(static_cast<T*>(d), static_cast<T const*>(a), least, most, n);
    }
    if (d == high) return ternary_loop<ops::clip, T, T, V>::run(d, a, low, high, n);
    binary_loop<ops::maximum, T, (V & 1) != 0 ? vs : vv>::run(d, a, low, nullptr, n);
    binary_loop<ops::minimum, T, (V & 2) != 0 ? vs : vv>::run(d, d, high, nullptr, n);
}
template <type_id Id> void add_clip(kernel_table& t) {
    using T = element<Id>;
    auto& to = t.op[ops::number<ops::clip>][static_cast<int>(Id)];
    to[vv] = clip_loop<T, vv>, to[vs] = clip_loop<T, vs>, to[sv] = clip_loop<T, sv>, to[ss] = clip_loop<T, ss>;
}

}  // namespace

void fill_select(kernel_table& t) {
    add_family(t, ops::select_ops{});
    add_clip<type_id::float32>(t);
    add_clip<type_id::float64>(t);
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

#include "bascule/ops/cast.hpp"
#include "backend/cpu/kernels/loops.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class To, class From> struct cast_loop {
    static void run(void* d_, void const* a_, void const*, void const*, std::size_t n) {
        auto* d = static_cast<stored_t<To>*>(d_);
        auto const* a = static_cast<stored_t<From> const*>(a_);
        // Forwards is right for d == a too: where the result is wider they are apart (registers are as wide as the
        // widest type, and outputs that lie on an input have its layout).
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) d[i] = ops::cast{}.template operator()<To>(load<From>(a, i));
    }
};

template <type_id From, int... To> void add_from(kernel_table& t) {
    ((t.cast[static_cast<int>(From)][To] = cast_loop<element<static_cast<type_id>(To)>, element<From>>::run), ...);
}
template <int... From> void add_all(kernel_table& t) {
    (add_from<static_cast<type_id>(From), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(t), ...);
}

}  // namespace

void fill_cast(kernel_table& t) { add_all<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>(t); }

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

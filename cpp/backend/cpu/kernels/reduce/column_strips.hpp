// Moments of columns, some vectors of them together: within one column each operation depends on that of the row
// before, and a processor does not look far enough ahead to fill that time with other columns.
#pragma once
#include "backend/cpu/kernels/whole_vectors.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <class R> struct column_strips : whole_vectors<R> {
    using typename whole_vectors<R>::vector, typename whole_vectors<R>::unaligned;
    using whole_vectors<R>::width;
#if defined(__AVX512F__)
    static constexpr int vectors = 4;
    // Half of the floating-point units of AMD's processors multiply and add, the others only add, and most of the work
    // here is additions: some of them are written as x * 1 - y, which has the same bits.
    static vector subtract(vector x, vector one, vector y) {
        if constexpr (sizeof(R) == 8)
            return reinterpret_cast<vector>(_mm512_fmsub_pd(
                reinterpret_cast<__m512d>(x), reinterpret_cast<__m512d>(one), reinterpret_cast<__m512d>(y)));
        else
            return reinterpret_cast<vector>(_mm512_fmsub_ps(reinterpret_cast<__m512>(x), reinterpret_cast<__m512>(one),
                                                            reinterpret_cast<__m512>(y)));
    }
    static void hide(vector& v) { asm("" : "+v"(v)); }
#else
    static constexpr int vectors = 2;
    static vector subtract(vector x, vector, vector y) { return x - y; }
    static void hide(vector&) {}
#endif

    // As reduction::update_finite, of as many columns as make whole strips: their number.
    template <bool Adds, int Rows>
    static std::int64_t update(R const* const (&x)[Rows], R const (&weight)[Rows], R const (&spread)[Rows],
                               std::int64_t n, R* mean, R* squares, R* rest, R* sums) {
        constexpr std::int64_t columns = std::int64_t{vectors} * width;
        vector one = vector{} + R(1);
        hide(one);  // the compiler would subtract
        std::int64_t j = 0;
        for (; j + columns <= n; j += columns) {
            vector m[vectors], q[vectors], lost[vectors], sum[vectors];
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) {
                m[v] = at(mean + j, v), q[v] = at(squares + j, v), lost[v] = at(rest + j, v);
                if constexpr (Adds) sum[v] = at(sums + j, v);
            }
#pragma GCC unroll 4
            for (int k = 0; k < Rows; ++k)
#pragma GCC unroll 4
                for (int v = 0; v < vectors; ++v) {
                    vector const element = at(x[k] + j, v);
                    vector const delta = subtract(element, one, m[v]) - lost[v], step = delta * weight[k],
                                 next = m[v] + step;
                    lost[v] = (subtract(m[v], one, next) + step) + lost[v];
                    q[v] = q[v] + delta * delta * spread[k];
                    m[v] = next;
                    if constexpr (Adds) sum[v] = sum[v] + element;
                }
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) {
                at(mean + j, v) = m[v], at(squares + j, v) = q[v], at(rest + j, v) = lost[v];
                if constexpr (Adds) at(sums + j, v) = sum[v];
            }
        }
        return j;
    }

private:
    static unaligned const& at(R const* x, int v) { return *reinterpret_cast<unaligned const*>(x + v * width); }
    static unaligned& at(R* x, int v) { return *reinterpret_cast<unaligned*>(x + v * width); }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

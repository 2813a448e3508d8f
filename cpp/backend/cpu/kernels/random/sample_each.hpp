// Samples whose parameters differ from element to element.
#pragma once
#include "backend/cpu/kernels/random/sample_lanes.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// Up to samples_at_once elements, each with parameters of its own, by the method that serves most.
template <class Op, class R, class P, class... Second> class mixed_lanes {
    using rule = ops::distribution_rule<Op>;
    using M = typename rule::mixed;

public:
    void run(R* d, std::uint64_t const* seeds, int n, P const* b, Second const*... c) {
        l_.count = n;
        for (int i = 0; i < n; ++i) l_.seed[i] = seeds[i], l_.place[i] = i, b_[i] = b[i];
        (copy(c, n), ...);
        make_attempt_words<M>(l_, 0);
        alignas(64) R found[samples_at_once];
        try_all<true, true>(found);
        // The result may overwrite the parameters: from here on they are read from the copies.
        for (int i = 0; i < n; ++i) d[i] = found[i];
        settle_others(d);
        keep(true);
        std::uint32_t attempt = has_fast<M> ? 0 : 1;
        for (; l_.count > scalar_from && attempt < ops::distributions::most_attempts; ++attempt) {
            if (attempt == 0) {
                try_all<false, true>(found);
            } else {
                make_attempt_words<M>(l_, attempt);
                try_all<false, false>(found);
            }
            for (int i = 0; i < l_.count; ++i) d[l_.place[i]] = found[i];
            keep(false);
        }
        for (int i = 0; i < l_.count; ++i) d[l_.place[i]] = alone(i);
    }

private:
    static constexpr int scalar_from = 3;
    static constexpr bool two = sizeof...(Second) == 1;

    void copy(P const* c, int n) {
        for (int i = 0; i < n; ++i) c_[i] = c[i];
    }
    __attribute__((always_inline)) M method(int i) const {
        if constexpr (two) return M(b_[i], c_[i]);
        else return M(b_[i]);
    }
    __attribute__((always_inline)) bool mixes(int i) const {
        if constexpr (two) return rule::mixes(b_[i], c_[i]);
        else return rule::mixes(b_[i]);
    }
    R alone(int i) const {
        if constexpr (two) return sample_alone_with<Op>(l_.seed[i], b_[i], c_[i]);
        else return sample_alone_with<Op>(l_.seed[i], b_[i]);
    }
    template <bool Quickly, bool First> void try_all(R* found) {
#pragma GCC ivdep
        for (int i = 0; i < l_.count; ++i) {
            R value;
            bool accepted;
            if constexpr (Quickly) accepted = try_quickly(method(i), lane_words<M>(l_, i, First), value);
            else accepted = method(i).attempt(lane_words<M>(l_, i, First), value);
            l_.rejected[i] = accepted ? 0 : 1;
            found[i] = value;
        }
    }
    // Those that the method does not serve.
    void settle_others(R* d) {
        for (int i = 0; i < l_.count; ++i)
            if (!mixes(i)) d[i] = alone(i), l_.rejected[i] = 0;
    }
    void keep(bool with_words) {
        int kept = 0;
        for (int i = 0; i < l_.count; ++i) {
            b_[kept] = b_[i];
            if constexpr (two) c_[kept] = c_[i];
            kept += static_cast<int>(l_.rejected[i]);
        }
        keep_rejected(l_, with_words);
    }

    sample_lanes l_;
    alignas(64) P b_[samples_at_once], c_[two ? samples_at_once : 1];
};

// The same by inversion: partial sums of all elements side by side, until each has passed its uniform number.
template <class Op, class R, class... P> class step_lanes {
    using rule = ops::distribution_rule<Op>;

public:
    static void run(R* d, std::uint64_t const* seeds, int n, P const*... parameters) {
        alignas(64) double u[samples_at_once], p[samples_at_once], sum[samples_at_once], a[samples_at_once],
            b[samples_at_once];
        alignas(64) std::int64_t steps[samples_at_once];
#pragma GCC ivdep
        for (int i = 0; i < n; ++i) {
            auto const s = rule::steps_of(parameters[i]...);
            u[i] = ops::distributions::unit(seeds[i]);
            p[i] = sum[i] = s.first, a[i] = s.a, b[i] = s.b, steps[i] = 0;
        }
        int k = 0;
        for (std::int64_t active = 1; active != 0 && k < ops::distributions::most_steps;) {
            double const next = ++k, inverse = 1.0 / next;
            active = 0;
#pragma GCC ivdep
            for (int i = 0; i < n; ++i) {
                std::int64_t const on = u[i] >= sum[i] ? 1 : 0;
                steps[i] += on, active |= on;
                p[i] = rule::steps::after(p[i], next, inverse, a[i], b[i]);
                sum[i] += p[i];
            }
        }
        for (int i = 0; i < n; ++i) {
            bool const settled = rule::has_steps(parameters[i]...) && steps[i] < k;
            d[i] = settled ? rule::steps_of(parameters[i]...).value(static_cast<int>(steps[i]))
                           : sample_alone_with<Op>(seeds[i], parameters[i]...);
        }
    }
};

// Elements with parameters of their own: attempts by the method that serves most, as a vector; the rest one by one.
template <class Op, class R, class... P> class sample_each {
    using rule = ops::distribution_rule<Op>;

public:
    static void run(R* d, std::uint64_t const* seeds, std::size_t n, P const*... parameters) {
        for (std::size_t i = 0; i < n; i += samples_at_once)
            piece(d + i, seeds + i, static_cast<int>(n - i < samples_at_once ? n - i : samples_at_once),
                  (parameters + i)...);
    }
    // A parameter that all elements share is repeated for a piece.
    template <class T> struct repeated {
        T value[samples_at_once];
        explicit repeated(T v) {
            for (T& x : value) x = v;
        }
    };
    static void piece(R* d, std::uint64_t const* seeds, int n, P const*... parameters) {
        if constexpr (requires { typename rule::mixed; }) {
            if (n >= worth_vectors) {
                if (2 * mixing(n, parameters...) > n) return mixed_lanes<Op, R, P...>().run(d, seeds, n, parameters...);
                if constexpr (requires { typename rule::steps; })
                    return step_lanes<Op, R, P...>::run(d, seeds, n, parameters...);
            }
        }
        for (int i = 0; i < n; ++i) d[i] = sample_alone_with<Op>(seeds[i], parameters[i]...);
    }

private:
    static constexpr int worth_vectors = 16;

    static int mixing(int n, P const*... parameters) {
        int many = 0;
        for (int i = 0; i < n; ++i) many += rule::mixes(parameters[i]...);
        return many;
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

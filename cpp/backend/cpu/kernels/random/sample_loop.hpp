// Samples over a block of elements. Attempts run as vectors, the cheap test first; rejected elements are gathered and
// tried again. The result of an element depends on its own bits and parameters, never on its neighbours.
#pragma once
#include "backend/cpu/kernels/random/inversion_table.hpp"
#include "backend/cpu/kernels/random/sample_each.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

// All elements with one method.
template <class M, class R> class sample_with_one {
public:
    sample_with_one(M const& m, R* d) : m_(m), d_(d) {}

    // Elements `begin` to `begin + n`, at most samples_at_once.
    void run(std::uint64_t const* seeds, int n) {
        l_.count = n, tried_ = 0;
        for (int i = 0; i < n; ++i) l_.seed[i] = seeds[i], l_.place[i] = i;  // the result may overwrite the seeds
        make_attempt_words<M>(l_, 0);
        first_round(n);
        if constexpr (has_fast<M>) {
            keep_rejected(l_, true);
            round(true);
        }
        keep_rejected(l_, false);
        for (std::uint32_t attempt = 1; l_.count > scalar_from; ++attempt) {
            if (attempt == ops::distributions::most_attempts) return;
            make_attempt_words<M>(l_, attempt);
            round(false);
            keep_rejected(l_, false);
            tried_ = attempt;
        }
        for (int i = 0; i < l_.count; ++i) d_[l_.place[i]] = sample_alone<R>(m_, l_.seed[i], tried_ + 1);
    }
    void move_on(int n) { d_ += n; }

private:
    static constexpr int scalar_from = 3;  // as many lanes are worth a vector

    void first_round(int n) {
        M const m = m_;
        R* const d = d_;
#pragma GCC ivdep
        for (int i = 0; i < n; ++i) {
            R value;
            l_.rejected[i] = try_quickly(m, lane_words<M>(l_, i, true), value) ? 0 : 1;
            d[i] = value;
        }
    }
    void round(bool first_words) {
        M const m = m_;
        alignas(64) R found[samples_at_once];
#pragma GCC ivdep
        for (int i = 0; i < l_.count; ++i) {
            R value;
            l_.rejected[i] = m.attempt(lane_words<M>(l_, i, first_words), value) ? 0 : 1;
            found[i] = value;
        }
        for (int i = 0; i < l_.count; ++i) d_[l_.place[i]] = found[i];
    }

    M const& m_;
    R* d_;
    sample_lanes l_;
    std::uint32_t tried_ = 0;
};

// The upper halves of seeds * width; false where a lower half is so small that the draw may have to be rejected.
inline bool bounded_words(std::uint64_t const* seeds, std::uint64_t width, int n, std::uint64_t* found) {
    words const w = all_words(width);
    signed_words suspect{};
    int i = 0;
    for (; i + words_count <= n; i += words_count) {
        words const a = load_words(seeds + i);
        if (width >> 32 == 0) {
            words const low = low_product(a, w), high = low_product(a >> 32, w) + (low >> 32);
            suspect |= ((high << 32) | (low & 0xffffffffu)) < w;
            store_words(found + i, high >> 32);
        } else {
            suspect |= a * w < w;
            store_words(found + i, high_product(a, w));
        }
    }
    std::int64_t any = 0;
    for (int k = 0; k < words_count; ++k) any |= suspect[k];
    for (; i < n; ++i) {
        any |= seeds[i] * width < width;
        found[i] = ops::distributions::upper_product(seeds[i], width);
    }
    return any == 0;
}

template <class R> struct sample_all {
    R* d;
    std::uint64_t const* seeds;
    std::size_t n;

    template <class M> void operator()(M const& m) const {
        if constexpr (requires { m.steps; }) return by_table(m);
        else {
            sample_with_one<M, R> pieces(m, d);
            for (std::size_t i = 0; i < n; i += samples_at_once) {
                int const many = static_cast<int>(n - i < samples_at_once ? n - i : samples_at_once);
                pieces.run(seeds + i, many);
                pieces.move_on(many);
            }
        }
    }
    void operator()(ops::distributions::constant<R> const& m) const {
        for (std::size_t i = 0; i < n; ++i) d[i] = m.value;
    }
    // Rejected is less than one in 2**64 / width: mostly no element of a piece.
    void operator()(ops::distributions::bounded_method const& m) const {
        sample_with_one<ops::distributions::bounded_method, R> pieces(m, d);
        alignas(64) std::uint64_t found[samples_at_once];
        for (std::size_t i = 0; i < n; i += samples_at_once) {
            int const many = static_cast<int>(n - i < samples_at_once ? n - i : samples_at_once);
            if (bounded_words(seeds + i, m.width, many, found))
                __builtin_memcpy(d + i, found, 8u * static_cast<unsigned>(many));
            else pieces.run(seeds + i, many);
            pieces.move_on(many);
        }
    }

private:
    template <class M> void by_table(M const& m) const {
        if (n < worth_a_table) {
            for (std::size_t i = 0; i < n; ++i) d[i] = sample_alone<R>(m, seeds[i], 0);
            return;
        }
        inversion_table const table(m.steps);
        for (std::size_t i = 0; i < n; ++i) {
            int const k = table.find(ops::distributions::unit(seeds[i]));
            d[i] = table.settles(k) ? m.steps.value(k) : sample_alone<R>(m, seeds[i], 0);
        }
    }
    static constexpr std::size_t worth_a_table = 64;
};

// f(first element, how many) for each piece.
template <class F> void in_pieces(std::size_t n, F const& f) {
    for (std::size_t i = 0; i < n; i += samples_at_once)
        f(i, static_cast<int>(n - i < samples_at_once ? n - i : samples_at_once));
}

// Which inputs are one value: of two, the seed (sv) or the parameter (vs); of three, parameters as in any kernel.
template <class Op, int V> struct sample_loop {
    using R = typename ops::distribution_rule<Op>::result;
    using P = element<Op::meta.parameters>;

    static void run(void* d_, void const* a_, void const* b_, void const* c_, std::size_t n) {
        auto* const d = static_cast<R*>(d_);
        auto const* const seeds = static_cast<std::uint64_t const*>(a_);
        auto const *const b = static_cast<P const*>(b_), *const c = static_cast<P const*>(c_);
        if constexpr (Op::meta.nin == 2) with_one(d, seeds, b, n);
        else with_two(d, seeds, b, c, n);
    }

private:
    static void with_one(R* d, std::uint64_t const* seeds, P const* b, std::size_t n) {
        using each = sample_each<Op, R, P>;
        if constexpr (V == vs) {
            ops::distribution_rule<Op>::with_method(*b, sample_all<R>{d, seeds, n});
        } else if constexpr (V == vv) {
            each::run(d, seeds, n, b);
        } else {
            typename each::template repeated<std::uint64_t> const shared(*seeds);
            in_pieces(n, [&](std::size_t i, int many) { each::piece(d + i, shared.value, many, b + i); });
        }
    }
    static void with_two(R* d, std::uint64_t const* seeds, P const* b, P const* c, std::size_t n) {
        using each = sample_each<Op, R, P, P>;
        if constexpr (V == ss) {
            ops::distribution_rule<Op>::with_method(*b, *c, sample_all<R>{d, seeds, n});
        } else if constexpr (V == vv) {
            each::run(d, seeds, n, b, c);
        } else {
            typename each::template repeated<P> const shared(V == vs ? *b : *c);
            in_pieces(n, [&](std::size_t i, int many) {
                each::piece(d + i, seeds + i, many, V == vs ? shared.value : b + i, V == vs ? c + i : shared.value);
            });
        }
    }
};

}  // namespace
}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

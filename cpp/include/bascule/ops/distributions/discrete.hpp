// Poisson, binomial and hypergeometric draws. Device-clean.
#pragma once
#include "bascule/ops/distributions/streams.hpp"

namespace bascule::ops::distributions {

// ---- logarithms of probabilities, after Loader 2000: without cancellation however large the numbers are

// log k! - k log k + k; for k from 10 on Stirling's series. Below, a choice among constants: vectors have no tables.
BASCULE_HD double stirling_rest(double k) {
    double const n = k >= 10 ? k : 10.0, r = 1 / n, rr = r * r;
    double const series = 0.91893853320467274 + 0.5 * math::log(n) +
                          r * (1.0 / 12 - rr * (1.0 / 360 - rr * (1.0 / 1260 - rr * (1.0 / 1680))));
    double rest = k >= 10 ? series : 2.0268062840554952;
    rest = k == 8 ? 1.9690705693065629 : rest;
    rest = k == 7 ? 1.9037903176782212 : rest;
    rest = k == 6 ? 1.828694396641771 : rest;
    rest = k == 5 ? 1.7403021806115442 : rest;
    rest = k == 4 ? 1.6328763858683832 : rest;
    rest = k == 3 ? 1.4959226032237258 : rest;
    rest = k == 2 ? 1.3068528194400546 : rest;
    rest = k == 1 ? 1.0 : rest;
    return k == 0 ? 0.0 : rest;
}

BASCULE_HD double log_factorial(double k) {
    double const n = k >= 10 ? k : 10.0, r = 1 / n, rr = r * r;
    double const series = 0.91893853320467274 + (n + 0.5) * math::log(n) - n +
                          r * (1.0 / 12 - rr * (1.0 / 360 - rr * (1.0 / 1260 - rr * (1.0 / 1680))));
    double value = k >= 10 ? series : 12.801827480081469;
    value = k == 8 ? 10.604602902745251 : value;
    value = k == 7 ? 8.5251613610654147 : value;
    value = k == 6 ? 6.5792512120101012 : value;
    value = k == 5 ? 4.7874917427820458 : value;
    value = k == 4 ? 3.1780538303479458 : value;
    value = k == 3 ? 1.791759469228055 : value;
    value = k == 2 ? 0.69314718055994529 : value;
    return k <= 1 ? 0.0 : value;
}

// x log(x / m) + m - x; of no x nearly m, without a branch.
BASCULE_HD double deviance(double x, double m) {
    constexpr double least = -0x1.fffffffffffffp-1;
    double const quotient = (x - m) / m, t = quotient > least ? quotient : least;
    return m * ((1 + t) * math::log1p(t) - t);
}

// ---- inversion: the number of partial sums that a uniform number reaches
template <class Steps> struct inversion {
    static constexpr int words = 1;
    static constexpr bool from_seed = true;
    Steps steps;

    BASCULE_HD bool attempt(stream_words const& w, std::int64_t& out) const {
        double const u = unit(w.a);
        double p = steps.first, sum = p;
        int k = 0;
        while (u >= sum && k < steps.last) {
            p = steps.next(p, ++k);
            sum += p;
        }
        out = steps.value(k);
        return u < sum || k == steps.end;
    }
};
inline constexpr int most_steps = 128;  // the probability beyond them is less than 2**-64 for a mean below 10

// Probabilities from each other: `after` gives that of k, whose reciprocal is `inverse`, from the one before.
struct poisson_steps {
    double first, a, b = 0;
    static constexpr int last = most_steps, end = -1;
    BASCULE_HD explicit poisson_steps(double mean) : first(math::exp(-mean)), a(mean) {}
    BASCULE_HD static double after(double p, double, double inverse, double a, double) { return p * (a * inverse); }
    BASCULE_HD double next(double p, int k) const { return after(p, k, 1.0 / k, a, b); }
    BASCULE_HD std::int64_t value(int k) const { return k; }
};

// Hormann's transformed rejection with a squeeze.
struct poisson_method {
    static constexpr int words = 2;
    static constexpr bool from_seed = false;
    double lam, a, b, inverse_alpha, v_r;

    BASCULE_HD explicit poisson_method(double mean) : lam(mean) {
        b = 0.931 + 2.53 * math::sqrt(mean);
        a = -0.059 + 0.02483 * b;
        inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        v_r = 0.9277 - 3.6224 / (b - 2);
    }
    BASCULE_HD bool fast_path(stream_words const& w, std::int64_t& out) const {
        double const u = inside(w.a) - 0.5, us = 0.5 - math::abs(u);
        bool const accepted = (us >= 0.07) & (inside(w.b) <= v_r);
        out = whole(math::floor((2 * a / us + b) * u + lam + 0.43), accepted);
        return accepted;
    }
    BASCULE_HD bool attempt(stream_words const& w, std::int64_t& out) const {
        double const u = inside(w.a) - 0.5, us = 0.5 - math::abs(u), v = inside(w.b);
        double const k = math::floor((2 * a / us + b) * u + lam + 0.43);
        bool const squeezed = (us >= 0.07) & (v <= v_r), impossible = (k < 0) | ((us < 0.013) & (v > us));
        double const n = k >= 0 ? k : 0.0, log_p = -deviance(n, lam) - stirling_rest(n);
        bool const below = math::log(v * inverse_alpha / (a / (us * us) + b)) <= log_p;
        bool const accepted = squeezed | (!impossible & below);
        out = whole(k, accepted);
        return accepted;
    }
};

inline constexpr double few = 10;  // means below this are sampled by inversion

struct poisson_rule {
    using result = std::int64_t;
    using mixed = poisson_method;
    BASCULE_HD static bool mixes(double lam) { return (lam >= few) & (lam < 0x1.fp62); }
    using steps = poisson_steps;
    BASCULE_HD static bool has_steps(double lam) { return (lam >= 0) & (lam < few); }
    BASCULE_HD static steps steps_of(double lam) { return poisson_steps(lam); }
    template <class F> BASCULE_HD static auto with_method(double lam, F const& f) {
        if (!(lam > 0 && lam < 0x1p63)) return f(constant<std::int64_t>{0});
        if (lam < few) return f(inversion<poisson_steps>{steps_of(lam)});
        return f(poisson_method(lam));
    }
};

// ---- binomial: n trials of probability p, of which the one that is at most a half is sampled

struct binomial_steps {
    double first, a, b;  // the trials, the odds
    int last, end;
    bool flipped;
    BASCULE_HD binomial_steps(double trials, double p, bool flip)
        : first(math::exp(trials * math::log1p(-p))), a(trials), b(p / (1 - p)),
          last(trials < most_steps ? static_cast<int>(trials) : most_steps),
          end(trials <= most_steps ? static_cast<int>(trials) : -1), flipped(flip) {}
    BASCULE_HD static double after(double p, double k, double inverse, double a, double b) {
        return p * (b * ((a - (k - 1)) * inverse));
    }
    BASCULE_HD double next(double p, int k) const { return after(p, k, 1.0 / k, a, b); }
    BASCULE_HD std::int64_t value(int k) const { return flipped ? whole_or_most(a - k) : k; }
};

struct binomial_method {
    static constexpr int words = 2;
    static constexpr bool from_seed = false;
    double n, mean, rest_mean, a, b, center, alpha, v_r, log_mode;
    double origin, sense;  // the answer is origin + sense * k: numbers, for a vector of choices knows no bool

    BASCULE_HD binomial_method(double trials, double probability) : n(trials) {
        bool const flipped = probability > 0.5;
        origin = flipped ? n : 0.0, sense = flipped ? -1.0 : 1.0;
        double const p = flipped ? 1 - probability : probability, q = 1 - p;
        double const spread = math::sqrt(n * p * q);
        mean = n * p, rest_mean = n * q;
        b = 1.15 + 2.53 * spread;
        a = -0.0873 + 0.0248 * b + 0.01 * p;
        center = mean + 0.5;
        alpha = (2.83 + 5.1 / b) * spread;
        v_r = 0.92 - 4.2 / b;
        log_mode = log_weight(math::floor((n + 1) * p));
    }
    BASCULE_HD bool fast_path(stream_words const& w, std::int64_t& out) const {
        double const u = inside(w.a) - 0.5, us = 0.5 - math::abs(u);
        bool const accepted = (us >= 0.07) & (inside(w.b) <= v_r);
        out = turned(math::floor((2 * a / us + b) * u + center), accepted);
        return accepted;
    }
    BASCULE_HD bool attempt(stream_words const& w, std::int64_t& out) const {
        double const u = inside(w.a) - 0.5, us = 0.5 - math::abs(u), v = inside(w.b);
        double const k = math::floor((2 * a / us + b) * u + center);
        bool const squeezed = (us >= 0.07) & (v <= v_r), possible = (k >= 0) & (k <= n);
        bool const below = math::log(v * alpha / (a / (us * us) + b)) <= log_weight(possible ? k : 0.0) - log_mode;
        bool const accepted = squeezed | (possible & below);
        out = turned(k, accepted);
        return accepted;
    }

private:
    // The logarithm of the probability of k, without the terms that do not depend on k.
    BASCULE_HD double log_weight(double k) const {
        return -stirling_rest(k) - stirling_rest(n - k) - deviance(k, mean) - deviance(n - k, rest_mean);
    }
    BASCULE_HD std::int64_t turned(double k, bool wanted) const {
        double const x = origin + sense * k;
        return whole(x < 0x1.fffffffffffffp62 ? x : 0x1.fffffffffffffp62, wanted);
    }
};

struct binomial_rule {
    using result = std::int64_t;
    using mixed = binomial_method;
    BASCULE_HD static double lesser(double p) { return p > 0.5 ? 1 - p : p; }
    BASCULE_HD static bool mixes(double n, double p) {
        return (n * lesser(p) >= few) & (p >= 0) & (p <= 1) & (n <= 0x1p63);
    }
    using steps = binomial_steps;
    BASCULE_HD static bool has_steps(double n, double p) {
        return (n >= 0) & (n <= 0x1p63) & (n == math::floor(n)) & (p >= 0) & (p <= 1) & (n * lesser(p) < few);
    }
    BASCULE_HD static steps steps_of(double n, double p) { return binomial_steps(n, lesser(p), p > 0.5); }
    template <class F> BASCULE_HD static auto with_method(double n, double p, F const& f) {
        if (!(n > 0 && n <= 0x1p63 && p > 0 && p <= 1)) return f(constant<std::int64_t>{0});
        if (p == 1) return f(constant<std::int64_t>{whole_or_most(n)});
        if (n * lesser(p) < few) return f(inversion<binomial_steps>{steps_of(n, p)});
        return f(binomial_method(n, p));
    }
};

// ---- hypergeometric: the number of good items in a sample. The rarer kind is counted, in the smaller of the sample
// and its complement.

struct hypergeometric_case {
    double good, bad, sample;
    BASCULE_HD hypergeometric_case(std::uint64_t both, std::uint64_t taken)
        : good(static_cast<double>(static_cast<std::int64_t>(both & 0xffffffffu))),
          bad(static_cast<double>(static_cast<std::int64_t>(both >> 32))),
          sample(static_cast<double>(static_cast<std::int64_t>(taken))) {}
    BASCULE_HD double total() const { return good + bad; }
    BASCULE_HD double rare() const { return good < bad ? good : bad; }
    BASCULE_HD double common() const { return good < bad ? bad : good; }
    BASCULE_HD double sampled() const { return sample <= total() - sample ? sample : total() - sample; }
    // The number of good items in the sample, from the number k of rarer items in the part that was sampled.
    BASCULE_HD std::int64_t answer(double k, bool wanted = true) const {
        double const among_sampled = good > bad ? sampled() - k : k;
        return whole(sample <= total() - sample ? among_sampled : good - among_sampled, wanted);
    }
};

// Few sampled: never more than the common kind, so that the probability of no rare one is not zero.
struct hypergeometric_steps {
    hypergeometric_case urn;
    double first = 1;
    int last, end;
    BASCULE_HD explicit hypergeometric_steps(hypergeometric_case u)
        : urn(u), last(static_cast<int>(u.sampled())), end(last) {
        for (int i = 0; i < last; ++i) first *= (urn.common() - i) / (urn.total() - i);
    }
    BASCULE_HD double next(double p, int k) const {
        double const sampled = urn.sampled(), before = k - 1;
        return p * ((urn.rare() - before) * (sampled - before) / (k * (urn.common() - sampled + k)));
    }
    BASCULE_HD std::int64_t value(int k) const { return urn.answer(k); }
};

// Stadlober's ratio of uniforms, with squeezes.
struct hypergeometric_method {
    static constexpr int words = 2;
    static constexpr bool from_seed = false;
    hypergeometric_case urn;
    double center, width, log_mode, bound;

    BASCULE_HD explicit hypergeometric_method(hypergeometric_case u) : urn(u) {
        double const total = urn.total(), sampled = urn.sampled(), p = urn.rare() / total, q = urn.common() / total;
        double const deviation = math::sqrt((total - sampled) * sampled * p * q / (total - 1) + 0.5);
        center = sampled * p + 0.5;
        width = 1.7155277699214135 * deviation + 0.8989161620588988;
        log_mode = log_weight(math::floor((sampled + 1) * (urn.rare() + 1) / (total + 2)));
        double const most = (sampled < urn.rare() ? sampled : urn.rare()) + 1;
        double const far = math::floor(center + 16 * deviation);
        bound = most < far ? most : far;
    }
    BASCULE_HD bool attempt(stream_words const& w, std::int64_t& out) const {
        double const u = inside(w.a), x = center + width * (inside(w.b) - 0.5) / u;
        bool const possible = (x >= 0) & (x < bound);
        double const k = possible ? math::floor(x) : 0.0, t = log_weight(k) - log_mode;
        bool const surely = u * (4 - u) - 3 <= t, never = u * (u - t) >= 1;
        bool const accepted = possible & (surely | (!never & (2 * math::log(u) <= t)));
        out = urn.answer(k, accepted);
        return accepted;
    }

private:
    BASCULE_HD double log_weight(double k) const {
        double const sampled = urn.sampled();
        return -(log_factorial(k) + log_factorial(urn.rare() - k) + log_factorial(sampled - k) +
                 log_factorial(urn.common() - sampled + k));
    }
};

struct hypergeometric_rule {
    using result = std::int64_t;
    template <class F> BASCULE_HD static auto with_method(std::uint64_t both, std::uint64_t taken, F const& f) {
        hypergeometric_case const urn(both, taken);
        if (!(urn.sample >= 0 && urn.sample <= urn.total())) return f(constant<std::int64_t>{0});
        if (urn.sampled() < few) return f(inversion<hypergeometric_steps>{hypergeometric_steps(urn)});
        return f(hypergeometric_method(urn));
    }
};

}  // namespace bascule::ops::distributions

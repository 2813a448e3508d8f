// Bounded integers, and geometric, logarithmic and Zipf draws. Device-clean.
#pragma once
#include "bascule/ops/distributions/streams.hpp"

namespace bascule::ops::distributions {

BASCULE_HD std::uint64_t upper_product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t const low_a = a & 0xffffffffu, high_a = a >> 32, low_b = b & 0xffffffffu, high_b = b >> 32;
    std::uint64_t const cross = high_a * low_b + ((low_a * low_b) >> 32);
    std::uint64_t const middle = low_a * high_b + (cross & 0xffffffffu);
    return high_a * high_b + (cross >> 32) + (middle >> 32);
}

// Lemire: the upper half of bits * width, rejected where the lower half is below 2**64 modulo width.
struct bounded_method {
    static constexpr int words = 1;
    static constexpr bool from_seed = true;
    std::uint64_t width;
    BASCULE_HD explicit bounded_method(std::uint64_t w) : width(w) {}
    // Without the modulus, which is less than width.
    BASCULE_HD bool fast_path(stream_words const& w, std::uint64_t& out) const {
        out = upper_product(w.a, width);
        return w.a * width >= width;
    }
    BASCULE_HD bool attempt(stream_words const& w, std::uint64_t& out) const {
        out = upper_product(w.a, width);
        return w.a * width >= width || w.a * width >= (0 - width) % width;
    }
};

struct all_bits {
    static constexpr int words = 1;
    static constexpr bool from_seed = true;
    BASCULE_HD bool attempt(stream_words const& w, std::uint64_t& out) const {
        out = w.a;
        return true;
    }
};

struct bounded_rule {
    using result = std::uint64_t;
    using mixed = bounded_method;
    BASCULE_HD static bool mixes(std::uint64_t width) { return width != 0; }
    template <class F> BASCULE_HD static auto with_method(std::uint64_t width, F const& f) {
        if (width == 0) return f(all_bits{});
        return f(bounded_method(width));
    }
};

struct geometric_method {
    static constexpr int words = 1;
    static constexpr bool from_seed = true;
    double rate;
    BASCULE_HD explicit geometric_method(double p) : rate(-math::log1p(-p)) {}
    BASCULE_HD bool attempt(stream_words const& w, std::int64_t& out) const {
        double const x = math::ceil(exponential(w.a) / rate);
        out = x >= 1 ? whole_or_most(x) : 1;
        return true;
    }
};

struct geometric_rule {
    using result = std::int64_t;
    using mixed = geometric_method;
    BASCULE_HD static bool mixes(double p) { return (p > 0) & (p < 1); }
    template <class F> BASCULE_HD static auto with_method(double p, F const& f) {
        if (!(p > 0 && p < 1)) return f(constant<std::int64_t>{p == 1 ? 1 : 0});
        return f(geometric_method(p));
    }
};

// Kemp: a geometric number whose parameter is itself random.
struct logseries_method {
    static constexpr int words = 2;
    static constexpr bool from_seed = false;
    double p, rate;
    BASCULE_HD explicit logseries_method(double probability) : p(probability), rate(math::log1p(-probability)) {}
    BASCULE_HD bool attempt(stream_words const& w, std::int64_t& out) const {
        double const v = inside(w.b), e = rate * inside(w.a), q = -math::expm1(e);
        bool const one = (v >= p) | (v >= q), several = (v < p) & (v <= q * q);
        double const x = math::floor(1 + math::log(v) / math::log1p(-math::exp(e)));
        bool const counts = (x >= 1) & (x < 0x1p63);
        out = several ? whole(x, counts) : one ? 1 : 2;
        return !several | counts;
    }
};

struct logseries_rule {
    using result = std::int64_t;
    using mixed = logseries_method;
    BASCULE_HD static bool mixes(double p) { return (p > 0) & (p < 1); }
    template <class F> BASCULE_HD static auto with_method(double p, F const& f) {
        if (!(p > 0 && p < 1)) return f(constant<std::int64_t>{p == 0 ? 1 : 0});
        return f(logseries_method(p));
    }
};

// Devroye: the integer part of a Pareto number no greater than 2**63, rejected against the Zipf probabilities.
struct zipf_method {
    static constexpr int words = 2;
    static constexpr bool from_seed = false;
    double less_one, b, least;
    BASCULE_HD explicit zipf_method(double a) : less_one(a - 1) {
        b = math::exp(less_one * 0.69314718055994531);
        least = math::exp(less_one * -43.668272375276551);
    }
    BASCULE_HD bool attempt(stream_words const& w, std::int64_t& out) const {
        double const u = inside(w.a), mixed = u * least + (1 - u);
        double const x = math::floor(math::exp(-math::log(mixed) / less_one)), grown = less_one * math::log1p(1 / x);
        bool const possible = (x >= 1) & (x < 0x1p63);
        double const more = math::expm1(grown);
        bool const below = unit(w.b) * x * more / (b - 1) <= (1 + more) / b;
        bool const accepted = possible & below;
        out = whole(x, accepted);
        return accepted;
    }
};

struct zipf_rule {
    using result = std::int64_t;
    using mixed = zipf_method;
    static constexpr double always_one = 1025;
    BASCULE_HD static bool mixes(double a) { return (a > 1) & (a < always_one); }
    template <class F> BASCULE_HD static auto with_method(double a, F const& f) {
        if (!(a > 1 && a < always_one)) return f(constant<std::int64_t>{a >= always_one ? 1 : 0});
        return f(zipf_method(a));
    }
};

}  // namespace bascule::ops::distributions

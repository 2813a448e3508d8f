// Gamma, Weibull and von Mises draws. Device-clean.
#pragma once
#include "bascule/ops/distributions/streams.hpp"

namespace bascule::ops::distributions {

// Marsaglia and Tsang: the cube of a shifted normal number, seldom rejected. Below a shape of one a variate of shape
// + 1 is multiplied by a power of a uniform number.
template <bool Boosted, bool Logarithm> struct gamma_method {
    static constexpr int words = Boosted ? 3 : 2;
    static constexpr bool from_seed = false;
    double d, c, power;

    BASCULE_HD explicit gamma_method(double shape) {
        bool const boosted = shape < 1;
        d = (boosted ? shape + 1 : shape) - 1.0 / 3;
        c = 1 / math::sqrt(9 * d);
        power = boosted ? 1 / shape : 0.0;
    }
    BASCULE_HD bool fast_path(stream_words const& w, double& out) const {
        double const x = normal(w.a, w.b >> 32), t = 1 + c * x, v = t * t * t;
        out = variate(w, v);
        return (t > 0) & squeezed(w, x);
    }
    BASCULE_HD bool attempt(stream_words const& w, double& out) const {
        double const x = normal(w.a, w.b >> 32), t = 1 + c * x, v = t * t * t;
        bool const rejected = math::log(second_uniform(w)) >= 0.5 * (x * x) + (d - d * v + d * math::log(v));
        out = variate(w, v);
        return (t > 0) & (squeezed(w, x) | !rejected);
    }

private:
    BASCULE_HD static double second_uniform(stream_words const& w) { return inside_half(w.b & 0xffffffffu); }
    BASCULE_HD static bool squeezed(stream_words const& w, double x) {
        return second_uniform(w) < 1 - 0.0331 * ((x * x) * (x * x));
    }
    BASCULE_HD double variate(stream_words const& w, double v) const {
        double const boost = Boosted ? math::log(above_zero(w.c)) * power : 0.0;
        if constexpr (Logarithm) return math::log(d) + math::log(v) + boost;
        else return Boosted ? d * v * math::exp(boost) : d * v;
    }
};

template <bool Logarithm> struct gamma_rule {
    using result = double;
    // One method for shapes of all kinds, so that a vector may mix them.
    using mixed = gamma_method<true, Logarithm>;
    BASCULE_HD static bool mixes(double shape) { return shape > 0; }

    template <class F> BASCULE_HD static auto with_method(double shape, F const& f) {
        if (!(shape > 0)) return f(constant<double>{shape == 0 ? nothing() : math::not_a_number});
        if (shape < 1) return f(gamma_method<true, Logarithm>(shape));
        return f(gamma_method<false, Logarithm>(shape));
    }

private:
    BASCULE_HD static double nothing() { return Logarithm ? -math::infinity : 0.0; }
};

struct weibull_method {
    static constexpr int words = 1;
    static constexpr bool from_seed = true;
    double a;
    BASCULE_HD explicit weibull_method(double shape) : a(shape) {}
    BASCULE_HD bool attempt(stream_words const& w, double& out) const {
        out = math::exp(math::log(exponential(w.a)) / a);
        return true;
    }
};

struct weibull_rule {
    using result = double;
    using mixed = weibull_method;
    BASCULE_HD static bool mixes(double a) { return a > 0; }
    template <class F> BASCULE_HD static auto with_method(double a, F const& f) {
        if (!(a > 0)) return f(constant<double>{a == 0 ? 0.0 : math::not_a_number});
        return f(weibull_method(a));
    }
};

// Best and Fisher: a wrapped Cauchy number, rejected against the von Mises density.
struct vonmises_method {
    static constexpr int words = 2;
    static constexpr bool from_seed = false;
    double kappa, s;

    BASCULE_HD explicit vonmises_method(double concentration) : kappa(concentration) {
        // For small kappa the formula loses its digits, and the first terms of its series are enough.
        double const r = 1 + math::sqrt(1 + 4 * kappa * kappa), rho = (r - math::sqrt(2 * r)) / (2 * kappa);
        s = kappa < 1e-5 ? 1 / kappa + kappa : (1 + rho * rho) / (2 * rho);
    }
    BASCULE_HD bool attempt(stream_words const& w, double& out) const {
        double const z = math::fast::cos(two_pi / 2 * unit(w.a)), v = inside(w.b);
        double const cosine = (1 + s * z) / (s + z), y = kappa * (s - cosine);
        bool const accepted = (y * (2 - y) - v >= 0) | (math::log(y / v) + 1 - y >= 0);
        double const angle = math::arccos(cosine > 1 ? 1.0 : cosine < -1 ? -1.0 : cosine);
        out = (w.a & 1) != 0 ? -angle : angle;  // a bit that the uniform number left over
        return accepted;
    }
};

struct uniform_angle {
    static constexpr int words = 1;
    static constexpr bool from_seed = true;
    BASCULE_HD bool attempt(stream_words const& w, double& out) const {
        out = two_pi * unit(w.a) - two_pi / 2;
        return true;
    }
};

struct narrow_angle {  // a normal number, wrapped
    static constexpr int words = 2;
    static constexpr bool from_seed = false;
    double sigma;
    BASCULE_HD bool attempt(stream_words const& w, double& out) const {
        out = sigma * normal(w.a, w.b >> 32);
        return true;
    }
};

struct vonmises_rule {
    using result = double;
    using mixed = vonmises_method;
    BASCULE_HD static bool mixes(double kappa) { return (kappa >= 1e-8) & (kappa <= 1e6); }
    template <class F> BASCULE_HD static auto with_method(double kappa, F const& f) {
        if (!(kappa >= 0)) return f(constant<double>{math::not_a_number});
        if (kappa < 1e-8) return f(uniform_angle{});
        if (kappa > 1e6) return f(narrow_angle{math::sqrt(1 / kappa)});
        return f(vonmises_method(kappa));
    }
};

}  // namespace bascule::ops::distributions

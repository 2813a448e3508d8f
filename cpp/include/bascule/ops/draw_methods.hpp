// The formulas of the draws in ops/draws.hpp, a rule each:
//   using result                  what is drawn
//   with_method(p..., f)          f(the method for these parameters), whatever they are
//   using mixed; mixes(p...)      where one method serves most parameters, for vectors of elements with different ones
//   using steps; has_steps(p...), steps_of(p...)    the same of inversion
// Device-clean.
#pragma once
#include "bascule/ops/draws.hpp"
#include "bascule/ops/draws/continuous.hpp"
#include "bascule/ops/draws/counts.hpp"
#include "bascule/ops/draws/integers.hpp"

namespace bascule::ops {

template <class Op> struct draw_rule_of;
template <> struct draw_rule_of<bounded_integer> { using type = draws::bounded_rule; };
template <> struct draw_rule_of<random_gamma> { using type = draws::gamma_rule<false>; };
template <> struct draw_rule_of<random_log_gamma> { using type = draws::gamma_rule<true>; };
template <> struct draw_rule_of<random_weibull> { using type = draws::weibull_rule; };
template <> struct draw_rule_of<random_vonmises> { using type = draws::vonmises_rule; };
template <> struct draw_rule_of<random_geometric> { using type = draws::geometric_rule; };
template <> struct draw_rule_of<random_logseries> { using type = draws::logseries_rule; };
template <> struct draw_rule_of<random_zipf> { using type = draws::zipf_rule; };
template <> struct draw_rule_of<random_poisson> { using type = draws::poisson_rule; };
template <> struct draw_rule_of<random_binomial> { using type = draws::binomial_rule; };
template <> struct draw_rule_of<random_hypergeometric> { using type = draws::hypergeometric_rule; };
template <class Op> using draw_rule = typename draw_rule_of<Op>::type;

template <class R> struct draw_from {
    std::uint64_t seed;
    template <class M> BASCULE_HD R operator()(M const& m) const { return draws::first_accepted<R>(m, seed); }
};

// The element whose random bits are `seed`.
template <class Op, class... P> BASCULE_HD auto drawn(std::uint64_t seed, P... parameters) {
    using rule = draw_rule<Op>;
    return rule::with_method(parameters..., draw_from<typename rule::result>{seed});
}

}  // namespace bascule::ops

// The formulas of the draws in ops/distributions.hpp, a rule each:
//   using result                  the type of a sample
//   with_method(p..., f)          f(the method for these parameters), whatever they are
//   using mixed; mixes(p...)      where one method serves most parameters, for vectors of elements with different ones
//   using steps; has_steps(p...), steps_of(p...)    the same of inversion
// Device-clean.
#pragma once
#include "bascule/ops/distributions.hpp"
#include "bascule/ops/distributions/continuous.hpp"
#include "bascule/ops/distributions/discrete.hpp"
#include "bascule/ops/distributions/integers.hpp"

namespace bascule::ops {

template <class Op> struct distribution_rule_of;
template <> struct distribution_rule_of<bounded_integer> { using type = distributions::bounded_rule; };
template <> struct distribution_rule_of<random_gamma> { using type = distributions::gamma_rule<false>; };
template <> struct distribution_rule_of<random_log_gamma> { using type = distributions::gamma_rule<true>; };
template <> struct distribution_rule_of<random_weibull> { using type = distributions::weibull_rule; };
template <> struct distribution_rule_of<random_vonmises> { using type = distributions::vonmises_rule; };
template <> struct distribution_rule_of<random_geometric> { using type = distributions::geometric_rule; };
template <> struct distribution_rule_of<random_logseries> { using type = distributions::logseries_rule; };
template <> struct distribution_rule_of<random_zipf> { using type = distributions::zipf_rule; };
template <> struct distribution_rule_of<random_poisson> { using type = distributions::poisson_rule; };
template <> struct distribution_rule_of<random_binomial> { using type = distributions::binomial_rule; };
template <> struct distribution_rule_of<random_hypergeometric> { using type = distributions::hypergeometric_rule; };
template <class Op> using distribution_rule = typename distribution_rule_of<Op>::type;

template <class R> struct sample_from {
    std::uint64_t seed;
    template <class M> BASCULE_HD R operator()(M const& m) const { return distributions::first_accepted<R>(m, seed); }
};

// The element whose random bits are `seed`.
template <class Op, class... P> BASCULE_HD auto sampled(std::uint64_t seed, P... parameters) {
    using rule = distribution_rule<Op>;
    return rule::with_method(parameters..., sample_from<typename rule::result>{seed});
}

}  // namespace bascule::ops

// Distributions that reject, search or need more than one random word: each element is sampled from the stream that its
// own 64 random bits begin (ops/distribution_rules.hpp), so that it depends on those bits and its parameters alone.
// Device-clean; this header holds the rows of the op table, the formulas are included where they run.
#pragma once
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

struct bounded_integer {
    static constexpr spec meta{.name = "bounded_integer",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::uint64),
                               .parameters = type_id::uint64,
                               .cost = 4,
                               .has_ufunc = false,
                               .doc = "Draw an integer below a bound, every one with the same probability; 0: 2**64.",
                               .source = "Lemire 2019, doi:10.1145/3230636"};
};

struct random_gamma {
    static constexpr spec meta{.name = "random_gamma",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::float64),
                               .cost = 40,
                               .has_ufunc = false,
                               .doc = "Draw from the gamma distribution with scale 1.",
                               .source = "Marsaglia and Tsang 2000, doi:10.1145/358407.358414"};
};

// Below a shape of one the variates underflow long before their logarithms do.
struct random_log_gamma {
    static constexpr spec meta{.name = "random_log_gamma",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::float64),
                               .cost = 50,
                               .has_ufunc = false,
                               .doc = "Draw the logarithm of a gamma variate with scale 1.",
                               .source = "Marsaglia and Tsang 2000, doi:10.1145/358407.358414"};
};

struct random_weibull {
    static constexpr spec meta{.name = "random_weibull",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::float64),
                               .cost = 20,
                               .has_ufunc = false,
                               .doc = "Draw from the Weibull distribution with scale 1.",
                               .source = "inversion"};
};

struct random_vonmises {
    static constexpr spec meta{.name = "random_vonmises",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::float64),
                               .cost = 60,
                               .has_ufunc = false,
                               .doc = "Draw an angle from the von Mises distribution around zero.",
                               .source = "Best and Fisher 1979, doi:10.2307/2346732"};
};

struct random_geometric {
    static constexpr spec meta{.name = "random_geometric",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::int64),
                               .cost = 15,
                               .has_ufunc = false,
                               .doc = "Draw the number of trials up to the first success.",
                               .source = "inversion"};
};

struct random_logseries {
    static constexpr spec meta{.name = "random_logseries",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::int64),
                               .cost = 40,
                               .has_ufunc = false,
                               .doc = "Draw from the logarithmic series distribution.",
                               .source = "Kemp 1981, Applied Statistics 30(3), algorithm LK"};
};

struct random_zipf {
    static constexpr spec meta{.name = "random_zipf",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::int64),
                               .cost = 80,
                               .has_ufunc = false,
                               .doc = "Draw from the Zipf distribution.",
                               .source = "Devroye 1986, Non-Uniform Random Variate Generation, X.6.1"};
};

struct random_poisson {
    static constexpr spec meta{.name = "random_poisson",
                               .nin = 2,
                               .call = form::sample,
                               .types = bit(type_id::int64),
                               .cost = 40,
                               .has_ufunc = false,
                               .doc = "Draw from the Poisson distribution.",
                               .source = "Hormann 1993, PTRS, doi:10.1016/0167-6687(93)90997-4; below 10 inversion"};
};

// The number of trials counts as float64.
struct random_binomial {
    static constexpr spec meta{.name = "random_binomial",
                               .nin = 3,
                               .call = form::sample,
                               .types = bit(type_id::int64),
                               .cost = 50,
                               .has_ufunc = false,
                               .doc = "Draw the number of successes in n trials of probability p.",
                               .source = "Hormann 1993, BTRS, doi:10.1080/00949659308811496; inversion where few"};
};

// Parameters: good + 2**32 * bad, sample.
struct random_hypergeometric {
    static constexpr spec meta{.name = "random_hypergeometric",
                               .nin = 3,
                               .call = form::sample,
                               .types = bit(type_id::int64),
                               .parameters = type_id::uint64,
                               .cost = 80,
                               .has_ufunc = false,
                               .doc = "Draw the number of good ones in a sample without replacement.",
                               .source = "Stadlober 1990, J. Comput. Appl. Math. 31, HRUA; few: one by one"};
};

using distribution_ops =
    op_list<bounded_integer, random_gamma, random_log_gamma, random_weibull, random_vonmises, random_geometric,
            random_logseries, random_zipf, random_poisson, random_binomial, random_hypergeometric>;

}  // namespace bascule::ops

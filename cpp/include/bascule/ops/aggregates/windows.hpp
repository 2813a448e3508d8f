// Aggregates whose sums only moving windows keep: arrays and groups have them as expressions of other aggregates, or by
// rank. Device-clean.
#pragma once
#include "bascule/ops/aggregates/list.hpp"
#include "bascule/ops/windows/moments.hpp"
#include "bascule/ops/windows/order.hpp"

namespace bascule::ops::aggregate {

struct skew {
    static constexpr aggregate_spec meta{.name = "skew", .doc = "Skewness without bias."};
    using in_windows = window::window_shape<3>;
};

struct kurt {
    static constexpr aggregate_spec meta{.name = "kurt", .doc = "Excess kurtosis without bias."};
    using in_windows = window::window_shape<4>;
};

struct cov {
    static constexpr aggregate_spec meta{.name = "cov", .uses_ddof = true, .doc = "Covariance of two columns."};
    using in_windows = window::window_covariance;
};

struct corr {
    static constexpr aggregate_spec meta{.name = "corr", .doc = "Pearson's correlation of two columns."};
    using in_windows = window::window_correlation;
};

struct median {
    static constexpr aggregate_spec meta{.name = "median", .doc = "Median."};
    using in_windows = window::ranked;
};

struct quantile {
    static constexpr aggregate_spec meta{.name = "quantile", .doc = "Quantile."};
    using in_windows = window::ranked;
};

struct rank {
    static constexpr aggregate_spec meta{.name = "rank", .doc = "Rank of the last value."};
    using in_windows = window::ranked;
};

struct nunique {
    static constexpr aggregate_spec meta{.name = "nunique", .doc = "Number of distinct values."};
    using in_windows = window::ranked;
};

using window_aggregates = op_list<skew, kurt, cov, corr, median, quantile, rank, nunique>;

}  // namespace bascule::ops::aggregate

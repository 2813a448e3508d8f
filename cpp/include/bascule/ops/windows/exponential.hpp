// Exponentially weighted moments, one value after another. Device-clean.
#pragma once
#include "bascule/ops/windows/sums.hpp"

namespace bascule::ops::window {

struct exponential_rule {
    double keep;   // factor by which one row reduces the weights before it
    double enter;  // weight of a new value
    bool adjust, ignore_missing;
    BASCULE_HD exponential_rule(double com, bool adjusted, bool ignore)
        : keep(1 - 1 / (1 + com)), enter(adjusted ? 1 : 1 / (1 + com)), adjust(adjusted), ignore_missing(ignore) {}
};

struct exponential_mean {
    double mean = not_a_number(), weight = 1;
    std::int64_t values = 0;
    // `kept`: the factor by which the rows since the last value reduced the weights. `rest`: without adjustment, a new
    // value gets all of the weight that earlier values have lost.
    BASCULE_HD void enter(double x, exponential_rule const& r, double kept, bool rest) {
        bool const there = is_value(x);
        values += there;
        if (mean != mean) {
            if (there) mean = x;
            return;
        }
        if (!there && r.ignore_missing) return;
        weight *= kept;
        if (!there) return;
        if (mean != x) {
            double const share = rest && !r.adjust ? 1 - weight : r.enter;
            mean = (weight * mean + share * x) / (weight + share);
        }
        weight = r.adjust ? weight + r.enter : 1;
    }
};

struct exponential_sum {
    double sum = not_a_number();
    std::int64_t values = 0;
    BASCULE_HD void enter(double x, exponential_rule const& r) {
        bool const there = is_value(x);
        values += there;
        if (sum != sum) {
            if (there) sum = x;
            return;
        }
        if (!there && r.ignore_missing) return;
        sum *= r.keep;
        if (there) sum += x;
    }
};

struct exponential_comoment {
    double mean_x = not_a_number(), mean_y = not_a_number(), cov = 0, sum = 1, squares = 1, weight = 1;
    std::int64_t values = 0;
    BASCULE_HD void enter(double x, double y, exponential_rule const& r) {
        bool const there = is_value(x) && is_value(y);
        values += there;
        if (mean_x != mean_x) {
            if (there) mean_x = x, mean_y = y;
            return;
        }
        if (!there && r.ignore_missing) return;
        sum *= r.keep;
        squares *= r.keep * r.keep;
        weight *= r.keep;
        if (!there) return;
        double const old_x = mean_x, old_y = mean_y, all = weight + r.enter;
        if (mean_x != x) mean_x = (weight * old_x + r.enter * x) / all;
        if (mean_y != y) mean_y = (weight * old_y + r.enter * y) / all;
        cov = (weight * (cov + (old_x - mean_x) * (old_y - mean_y)) + r.enter * ((x - mean_x) * (y - mean_y))) / all;
        sum += r.enter;
        squares += r.enter * r.enter;
        weight = all;
        if (r.adjust) return;
        sum /= weight;
        squares /= weight * weight;
        weight = 1;
    }
    BASCULE_HD double result(std::int64_t least, bool bias) const {
        if (values < least) return not_a_number();
        if (bias) return cov;
        double const all = sum * sum, rest = all - squares;
        return rest > 0 ? all / rest * cov : not_a_number();
    }
};

}  // namespace bascule::ops::window

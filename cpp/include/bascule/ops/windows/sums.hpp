// Aggregates of a moving window: values enter and leave one by one. result(least, ddof) is NaN where there are fewer
// than `least` values. Device-clean.
#pragma once
#include "bascule/ops/compensated.hpp"
#include "bascule/ops/element_traits.hpp"

namespace bascule::ops::window {

BASCULE_HD double not_a_number() { return constants<double>::nan(); }
BASCULE_HD bool is_value(double x) { return x - x == 0; }  // neither NaN nor infinite

// The number of equal values at the end of those that entered: where all are, the aggregate is exactly theirs.
struct same_values {
    double last = 0;
    std::int64_t count = 0;
    BASCULE_HD void enter(double x) {
        count = x == last ? count + 1 : 1;
        last = x;
    }
};

// Kahan's sum; values that leave have a compensation of their own.
struct compensated_sum {
    double sum = 0, lost_entering = 0, lost_leaving = 0;
    BASCULE_HD void enter(double x) { add(x, lost_entering); }
    BASCULE_HD void leave(double x) { add(-x, lost_leaving); }

private:
    BASCULE_HD void add(double x, double& lost) {
        auto const next = add_compensated(x, sum, lost);
        sum = next.sum, lost = next.lost;
    }
};

// Values that are not NaN. Infinities count here, and `least` is a number of rows, as in pandas.
struct window_count {
    std::int64_t rows = 0, values = 0;
    BASCULE_HD void enter(double x) { ++rows, values += x == x; }
    BASCULE_HD void leave(double x) { --rows, values -= x == x; }
    BASCULE_HD double result(std::int64_t least, std::int64_t) const {
        return rows < least ? not_a_number() : static_cast<double>(values);
    }
};

struct window_sum {
    compensated_sum total;
    same_values same;
    std::int64_t values = 0;
    BASCULE_HD void enter(double x) {
        if (!is_value(x)) return;
        ++values;
        total.enter(x);
        same.enter(x);
    }
    BASCULE_HD void leave(double x) {
        if (!is_value(x)) return;
        --values;
        total.leave(x);
    }
    BASCULE_HD double result(std::int64_t least, std::int64_t) const {
        if (values < least) return not_a_number();
        if (values == 0) return 0;
        return same.count >= values ? same.last * static_cast<double>(values) : total.sum;
    }
};

// The mean of values of one sign has that sign, despite rounding errors of values that have left.
struct window_mean {
    compensated_sum total;
    same_values same;
    std::int64_t values = 0, negative = 0;
    BASCULE_HD void enter(double x) {
        if (!is_value(x)) return;
        ++values;
        negative += sign_is_set(x);
        total.enter(x);
        same.enter(x);
    }
    BASCULE_HD void leave(double x) {
        if (!is_value(x)) return;
        --values;
        negative -= sign_is_set(x);
        total.leave(x);
    }
    BASCULE_HD double result(std::int64_t least, std::int64_t) const {
        if (values < least || values == 0) return not_a_number();
        if (same.count >= values) return same.last;
        double const mean = total.sum / static_cast<double>(values);
        if ((negative == 0 && mean < 0) || (negative == values && mean > 0)) return 0;
        return mean;
    }
};

}  // namespace bascule::ops::window

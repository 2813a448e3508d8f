// Central moments of a moving window by Welford's and Terriberry's updates, and their inverses for values that leave.
// They are taken of differences to a value of the window, so that a common offset costs no digits. Where the remaining
// moment is small compared with an earlier one, its digits are lost: `worn` says that the window has to be computed
// again. Device-clean.
#pragma once
#include "bascule/ops/math.hpp"
#include "bascule/ops/windows/sums.hpp"

namespace bascule::ops::window {

struct window_variance {
    double origin = 0, mean = 0, squares = 0, lost = 0, most = 0;
    same_values same;
    std::int64_t values = 0;
    BASCULE_HD void enter(double x) {
        if (!is_value(x)) return;
        if (values++ == 0) origin = x;
        same.enter(x);
        move(x - origin, 1);
        if (squares > most) most = squares;
    }
    BASCULE_HD void leave(double x) {
        if (!is_value(x)) return;
        if (--values == 0) *this = window_variance{};
        else move(x - origin, -1);
    }
    BASCULE_HD bool worn() const { return squares < most * 1e-3 && same.count < values; }
    BASCULE_HD double result(std::int64_t least, std::int64_t ddof) const {
        if (values < least || values <= ddof || values == 0) return not_a_number();
        if (values == 1 || same.count >= values) return 0;
        bool const rounded_off = squares < 0 && squares - squares == 0;  // what has overflowed is shown, as pandas does
        return rounded_off ? 0 : squares / static_cast<double>(values - ddof);
    }

private:
    BASCULE_HD void move(double x, int sign) {
        double const before = mean - lost, y = x - lost, delta = y - mean;
        lost = delta + mean - y;
        mean += sign * delta / static_cast<double>(values);
        squares += sign * (x - before) * (x - mean);
    }
};

// Up to the third or the fourth moment.
template <int order> struct window_shape {
    double origin = 0, mean = 0, m2 = 0, m3 = 0, m4 = 0, most = 0;
    same_values same;
    std::int64_t values = 0;
    BASCULE_HD void enter(double x) {
        if (!is_value(x)) return;
        same.enter(x);
        if (values++ == 0) origin = x;
        auto const n = static_cast<double>(values);
        double const delta = x - origin - mean, part = delta / n, term = delta * part * (n - 1);
        mean += part;
        if constexpr (order == 4) m4 += term * part * part * (n * n - 3 * n + 3) + 6 * part * part * m2 - 4 * part * m3;
        m3 += term * part * (n - 2) - 3 * part * m2;
        m2 += term;
        if (m2 > most) most = m2;
    }
    BASCULE_HD void leave(double x) {
        if (!is_value(x)) return;
        auto const n = static_cast<double>(values);
        if (--values == 0) {
            *this = window_shape{};
            return;
        }
        double const value = x - origin, old = (n * mean - value) / (n - 1), delta = value - old, part = delta / n,
                     term = delta * part * (n - 1);
        m2 -= term;
        m3 -= term * part * (n - 2) - 3 * part * m2;
        if constexpr (order == 4) m4 -= term * part * part * (n * n - 3 * n + 3) + 6 * part * part * m2 - 4 * part * m3;
        mean = old;
    }
    BASCULE_HD bool worn() const { return (m2 < most * 1e-2 || m2 - m2 != 0) && same.count < values; }
    BASCULE_HD double result(std::int64_t least, std::int64_t) const {
        auto const n = static_cast<double>(values);
        if (values < least || values < order || same.count >= values || !(m2 > 0)) return not_a_number();
        if constexpr (order == 3) return n * math::sqrt(n - 1) / (n - 2) * (m3 / (m2 * math::sqrt(m2)));
        else {
            double const excess = n * (n + 1) * (n - 1) * m4 / (m2 * m2);
            return (excess - 3 * (n - 1) * (n - 1)) / ((n - 2) * (n - 3));
        }
    }
};

// Of pairs: the sum of products of deviations, and for the correlation those of each side.
struct window_comoment {
    double origin_x = 0, origin_y = 0, mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, most_x = 0, most_y = 0;
    same_values same_x, same_y;
    std::int64_t values = 0;
    BASCULE_HD void enter(double x, double y) {
        if (!is_value(x) || !is_value(y)) return;
        if (values++ == 0) origin_x = x, origin_y = y;
        same_x.enter(x);
        same_y.enter(y);
        move(x - origin_x, y - origin_y, 1);
        if (xx > most_x) most_x = xx;
        if (yy > most_y) most_y = yy;
    }
    BASCULE_HD void leave(double x, double y) {
        if (!is_value(x) || !is_value(y)) return;
        if (--values == 0) *this = window_comoment{};
        else move(x - origin_x, y - origin_y, -1);
    }
    BASCULE_HD bool worn() const {
        return (xx < most_x * 1e-2 && same_x.count < values) || (yy < most_y * 1e-2 && same_y.count < values);
    }
    BASCULE_HD bool constant() const { return same_x.count >= values || same_y.count >= values; }
    BASCULE_HD double covariance(std::int64_t least, std::int64_t ddof) const {
        if (values < least || values <= ddof || values == 0) return not_a_number();
        return constant() ? 0 : xy / static_cast<double>(values - ddof);
    }
    BASCULE_HD double correlation(std::int64_t least) const {
        if (values < least || values < 2 || constant() || !(xx > 0 && yy > 0)) return not_a_number();
        double const r = xy / (math::sqrt(xx) * math::sqrt(yy));
        return r > 1 ? 1 : r < -1 ? -1 : r;
    }

private:
    BASCULE_HD void move(double x, double y, int sign) {
        auto const n = static_cast<double>(values);
        double const dx = x - mean_x, dy = y - mean_y;
        mean_x += sign * dx / n;
        mean_y += sign * dy / n;
        xy += sign * dx * (y - mean_y);
        xx += sign * dx * (x - mean_x);
        yy += sign * dy * (y - mean_y);
    }
};
struct window_covariance : window_comoment {
    BASCULE_HD double result(std::int64_t least, std::int64_t ddof) const { return covariance(least, ddof); }
};
struct window_correlation : window_comoment {
    BASCULE_HD double result(std::int64_t least, std::int64_t) const { return correlation(least); }
};

}  // namespace bascule::ops::window

// Values between samples: a binary search without branches, then NumPy's line with NumPy's roundings.
#include "backend/cpu/algorithms/algorithms.hpp"
#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/common/scratch.hpp"

namespace bascule::cpu {
namespace {

bool ascend(double const* p, std::int64_t n) noexcept {
    bool yes = true;
    for (std::int64_t i = 1; i < n; ++i) yes &= p[i - 1] <= p[i];
    return yes;
}

struct line {
    double const *xp, *fp;
    std::int64_t samples;
    double left, right;
};

double value_at(double x, line const& s) noexcept {
    double const *const xp = s.xp, *const fp = s.fp;
    if (x != x) return x;
    if (x < xp[0]) return s.left;
    if (x >= xp[s.samples - 1]) return x > xp[s.samples - 1] ? s.right : fp[s.samples - 1];
    std::int64_t j = 0;  // the last one that is not above x
    for (std::int64_t left = s.samples, half = 0; left > 1; left -= half) {
        half = left / 2;
        j += xp[j + half] <= x ? half : 0;
    }
    if (x == xp[j]) return fp[j];
    double const slope = (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]);
    double r = slope * (x - xp[j]) + fp[j];
    if (r == r) return r;
    r = slope * (x - xp[j + 1]) + fp[j + 1];
    return r != r && fp[j] == fp[j + 1] ? fp[j] : r;
}

}  // namespace

status interpolate(interpolate_args& a) noexcept {
    auto const *const xp = static_cast<double const*>(a.xp), *const fp = static_cast<double const*>(a.fp);
    a.ascends = ascend(xp, a.samples);
    if (!a.ascends) return status::ok;
    line const of{xp, fp, a.samples, a.has_left ? a.left : fp[0], a.has_right ? a.right : fp[a.samples - 1]};
    auto const* const x = static_cast<double const*>(a.x);
    auto* const out = static_cast<double*>(a.out);
    row_blocks const work(a.count, 4 * std::int64_t{sched::thread_count()}, 4096);
    work.run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) out[i] = value_at(x[i], of);
    });
    return status::ok;
}

}  // namespace bascule::cpu

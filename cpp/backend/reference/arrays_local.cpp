// interpolate, convolve, contract and bits as plain loops.
#include "backend/reference/arrays_local.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "backend/reference/failure.hpp"

namespace bascule::reference {
namespace {

template <class F> void with_type(type_id t, char const* who, F&& f) {
    switch (t) {
        case type_id::float64: return f(double{});
        case type_id::float32: return f(float{});
        case type_id::int64: return f(std::uint64_t{});
        case type_id::int32: return f(std::uint32_t{});
        default: throw failure{status::not_supported, std::string(who) + ": such elements are not known"};
    }
}

struct line {
    double const *xp, *fp;
    std::int64_t samples;
    double left, right;
};

double value_at(line const& a, double x) {
    if (x != x) return x;
    auto const last = a.samples - 1;
    if (x < a.xp[0]) return a.left;
    if (x > a.xp[last]) return a.right;
    std::int64_t j = last;
    while (a.xp[j] > x) --j;
    if (j == last || a.xp[j] == x) return a.fp[j];
    double const slope = (a.fp[j + 1] - a.fp[j]) / (a.xp[j + 1] - a.xp[j]);
    double const from_left = slope * (x - a.xp[j]) + a.fp[j];
    if (from_left == from_left) return from_left;
    double const from_right = slope * (x - a.xp[j + 1]) + a.fp[j + 1];
    return from_right != from_right && a.fp[j] == a.fp[j + 1] ? a.fp[j] : from_right;
}

// The sum of products at one place of the output, or of all from label `label` on.
template <class T> T total(contract_args const& a, int label, std::int64_t const* at) {
    if (label == a.labels) {
        T p = static_cast<T const*>(a.from[0])[at[0]];
        for (int k = 1; k < a.operands; ++k) p = static_cast<T>(p * static_cast<T const*>(a.from[k])[at[k]]);
        return p;
    }
    T sum{};
    std::int64_t here[contract_args::most_operands];
    std::copy(at, at + a.operands, here);
    for (std::int64_t i = 0; i < a.size[label]; ++i) {
        sum = static_cast<T>(sum + total<T>(a, label + 1, here));
        for (int k = 0; k < a.operands; ++k) here[k] += a.step[k][label];
    }
    return sum;
}

template <class T> void fill(contract_args const& a, int label, std::int64_t const* at) {
    if (label == a.kept) {
        static_cast<T*>(a.to)[at[a.operands]] = static_cast<T>(T{} + total<T>(a, label, at));
        return;
    }
    std::int64_t here[contract_args::most_operands + 1];
    std::copy(at, at + a.operands + 1, here);
    for (std::int64_t i = 0; i < a.size[label]; ++i) {
        fill<T>(a, label + 1, here);
        for (int k = 0; k <= a.operands; ++k) here[k] += a.step[k][label];
    }
}

}  // namespace

void interpolate(interpolate_args& a) {
    auto const *const xp = static_cast<double const*>(a.xp), *const fp = static_cast<double const*>(a.fp);
    auto const last = a.samples - 1;
    a.ascends = true;
    for (std::int64_t i = 0; i < last; ++i) a.ascends = a.ascends && xp[i] <= xp[i + 1];
    line const of{xp, fp, a.samples, a.has_left ? a.left : fp[0], a.has_right ? a.right : fp[last]};
    for (std::int64_t i = 0; a.ascends && i < a.count; ++i)
        static_cast<double*>(a.out)[i] = value_at(of, static_cast<double const*>(a.x)[i]);
}

void convolve(convolve_args const& a) {
    with_type(a.dtype, "convolve", [&]<class T>(T) {
        auto const* const line = static_cast<T const*>(a.line);
        auto const* const taps = static_cast<T const*>(a.taps);
        for (std::int64_t i = 0; i < a.positions; ++i) {
            T sum{};
            for (std::int64_t k = 0; k < a.count; ++k) {
                auto const at = i - a.before + k;
                if (at >= 0 && at < a.length)
                    sum = static_cast<T>(sum + static_cast<T>(line[at] * taps[a.turned ? a.count - 1 - k : k]));
            }
            static_cast<T*>(a.out)[i] = sum;
        }
    });
}

void contract(contract_args const& a) {
    std::int64_t const start[contract_args::most_operands + 1] = {};
    with_type(a.dtype, "contract", [&]<class T>(T) { fill<T>(a, 0, start); });
}

void pack_bits(pack_bits_args const& a) {
    auto const* const from = static_cast<std::uint8_t const*>(a.from);
    auto* const to = static_cast<std::uint8_t*>(a.to);
    std::fill_n(to, (a.count + 7) / 8, std::uint8_t{0});
    for (std::int64_t i = 0; i < a.count; ++i) {
        auto const bit = a.lowest_first ? i % 8 : 7 - i % 8;
        if (from[i]) to[i / 8] = static_cast<std::uint8_t>(to[i / 8] | 1 << bit);
    }
}

void unpack_bits(pack_bits_args const& a) {
    auto const* const from = static_cast<std::uint8_t const*>(a.from);
    auto* const to = static_cast<std::uint8_t*>(a.to);
    for (std::int64_t i = 0; i < 8 * a.count; ++i) to[i] = from[i / 8] >> (a.lowest_first ? i % 8 : 7 - i % 8) & 1;
}

}  // namespace bascule::reference

// Random shapes, memory layouts and element values, drawn to hit the edges.
#pragma once
#include <algorithm>
#include <numeric>
#include <random>

#include "support/program.hpp"

namespace bascule::testing {

class dice {
public:
    explicit dice(std::uint64_t seed) : bits_(seed) {}
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(bits_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool one_in(int n) { return between(1, n) == 1; }
    double real(double low, double high) { return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53; }
    template <class C> auto const& pick(C const& from) {
        return from[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(std::size(from)) - 1))];
    }
    template <class C> void shuffle(C& c) { std::shuffle(c.begin(), c.end(), bits_); }
    std::uint64_t bits() { return bits_(); }

private:
    std::mt19937_64 bits_;
};

// 0 to 5 dimensions and about `most` elements at most; extents 0 and 1 are frequent.
inline extents random_shape(dice& d, std::int64_t most) {
    extents shape(static_cast<std::size_t>(d.between(0, 5)));
    std::int64_t left = most;
    for (auto& extent : shape) {
        extent = d.one_in(6) ? 1
                 : d.one_in(40)
                     ? 0
                     : d.between(1, std::max<std::int64_t>(1, d.one_in(3) ? left : std::min<std::int64_t>(left, 9)));
        left /= std::max<std::int64_t>(1, extent);
    }
    d.shuffle(shape);
    return shape;
}

// Dimensions in any memory order; each contiguous, strided by 2 or 3, part of a wider array, or reversed.
inline layout random_layout(dice& d, extents const& shape, std::int64_t itemsize) {
    layout l{extents(shape.size()), 0, 0};
    std::vector<std::size_t> order(shape.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    if (d.one_in(4)) d.shuffle(order);
    bool const plain = d.one_in(2);
    std::int64_t span = itemsize;
    for (auto const k : order) {
        auto const step = plain || !d.one_in(4) ? 1 : d.between(2, 3);
        auto const margin = plain || !d.one_in(5) ? 0 : d.between(1, 3);
        l.strides[k] = span * step;
        span *= shape[k] * step + margin;
        if (!plain && d.one_in(6)) {
            l.first += std::max<std::int64_t>(0, shape[k] - 1) * l.strides[k];
            l.strides[k] = -l.strides[k];
        }
    }
    l.size = std::max(span, itemsize);
    return l;
}

// As random_layout, and some dimensions are broadcast.
inline layout random_input_layout(dice& d, extents const& shape, std::int64_t itemsize) {
    extents own = shape;
    std::vector<bool> broadcast(shape.size());
    for (std::size_t k = 0; k < shape.size(); ++k)
        if (d.one_in(6)) own[k] = 1, broadcast[k] = true;
    auto l = random_layout(d, own, itemsize);
    for (std::size_t k = 0; k < shape.size(); ++k)
        if (broadcast[k]) l.strides[k] = 0;
    return l;
}

inline double random_real(dice& d, double low, double high) {
    static constexpr double edges[] = {0.0,   -0.0, 1.0,    -1.0,   0.5,     2.0,          1e-310, -4e-320,
                                       1e-40, 1e30, -1e300, 3.4e38, 65504.0, 2147483648.0, 9.3e18, 1.9e19};
    if (d.one_in(60))
        return d.one_in(2) ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    if (d.one_in(60)) return std::numeric_limits<double>::quiet_NaN();
    if (d.one_in(12)) return edges[d.between(0, std::size(edges) - 1)];
    if (d.one_in(6)) return static_cast<double>(d.between(-20, 20));
    return d.real(low, high);
}

inline std::int64_t random_integer(dice& d) {
    if (d.one_in(8)) return static_cast<std::int64_t>(d.bits());
    if (d.one_in(12)) return d.one_in(2) ? nat : std::numeric_limits<std::int64_t>::max();
    return d.between(-130, 130);
}

inline std::uint16_t random_half(dice& d) {
    auto const b = static_cast<std::uint16_t>(d.bits());
    bool const is_nan = (b & 0x7c00) == 0x7c00 && (b & 0x3ff) != 0;
    return is_nan ? 0x7e00 : b;
}

inline plan_constant random_element(dice& d, type_id t) {
    plan_constant c{};
    if (t == type_id::bool_) c.bytes[0] = static_cast<unsigned char>(d.one_in(2));
    else if (t == type_id::float16) c.u64 = random_half(d);
    else if (t == type_id::float32 || t == type_id::complex64)
        for (auto& x : c.f32) x = static_cast<float>(random_real(d, -100, 100));
    else if (t == type_id::float64 || t == type_id::complex128)
        for (auto& x : c.f64) x = random_real(d, -100, 100);
    else c.i64 = random_integer(d);
    return c;
}

// Fills a whole buffer, margins included. Little-endian: the first bytes of a wider integer are the narrower one.
inline bytes random_bytes(dice& d, type_id t, std::int64_t size) {
    bytes b(static_cast<std::size_t>(size));
    auto const width = itemsize(t);
    for (std::int64_t at = 0; at + width <= size; at += width) {
        auto const c = random_element(d, t);
        std::memcpy(b.data() + at, c.bytes, static_cast<std::size_t>(width));
    }
    return b;
}

}  // namespace bascule::testing

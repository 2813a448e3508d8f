// Common divisors and multiples. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

struct gcd {
    static constexpr spec meta{.name = "gcd",
                               .nin = 2,
                               .types = types::integers,
                               .cost = 100,
                               .commutative = true,
                               .identity = 0,
                               .doc = "Return the greatest common divisor of |x1| and |x2|."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        return static_cast<T>(of_magnitudes(magnitude(a), magnitude(b)));
    }

    template <class T> BASCULE_HD static bits_of<T> magnitude(T a) {
        auto const u = static_cast<bits_of<T>>(a);
        return is_signed_type<T> && a < T(0) ? static_cast<bits_of<T>>(0 - static_cast<wrapping<T>>(u)) : u;
    }
    template <class U> BASCULE_HD static U of_magnitudes(U a, U b) {
        while (b != 0) {
            U const rest = static_cast<U>(a % b);
            a = b;
            b = rest;
        }
        return a;
    }
};

struct lcm {
    static constexpr spec meta{.name = "lcm",
                               .nin = 2,
                               .types = types::integers,
                               .cost = 110,
                               .commutative = true,
                               .doc = "Return the lowest common multiple of |x1| and |x2|."};
    template <class T> BASCULE_HD T operator()(T a, T b) const {
        auto const x = gcd::magnitude(a), y = gcd::magnitude(b);
        auto const common = gcd::of_magnitudes(x, y);
        return common == 0 ? T(0) : static_cast<T>(static_cast<wrapping<T>>(x / common) * static_cast<wrapping<T>>(y));
    }
};

using divisor_ops = op_list<gcd, lcm>;

}  // namespace bascule::ops

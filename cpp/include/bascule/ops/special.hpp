// Special functions. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"
#include "bascule/ops/math.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::ops {

struct erf {
    static constexpr spec meta{.name = "erf",
                               .types = types::floats,
                               .cost = 15,
                               .range = {-6, 6},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .doc = "Return the error function of the argument."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::erf(x); }
};

struct erfc {
    static constexpr spec meta{.name = "erfc",
                               .types = types::floats,
                               .cost = 18,
                               .range = {-6, 26},
                               .ulp64 = 2,
                               .ulp32 = 2,
                               .raises = fp::under,
                               .doc = "Return one minus the error function, without cancellation."};
    template <class T> BASCULE_HD T operator()(T x) const { return math::erfc(x); }
};

using special_ops = op_list<erf, erfc>;

}  // namespace bascule::ops

// Aggregates of a moving window that are one of its values. Each device finds them in its own way. Device-clean.
#pragma once
#include "bascule/ops/element_traits.hpp"

namespace bascule::ops::window {

// Sign +1: the least. Of equal values the later, whose zero may have another sign.
template <int Sign> struct extremum {
    BASCULE_HD static double none() { return Sign * constants<double>::infinity(); }
    BASCULE_HD static bool replaces(double later, double sooner) {
        return Sign > 0 ? later <= sooner : later >= sooner;
    }
};

// The first of the values, or the last.
template <bool Last> struct end_value { static constexpr bool is_last = Last; };

// By the values in order.
struct ranked {};

}  // namespace bascule::ops::window

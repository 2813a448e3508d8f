// Behaviour in which versions of NumPy differ; Python sets it to the installed version's when it loads this library.
#pragma once
#include <atomic>

namespace bascule {

// Variances report errors of their squares as those of a product, as NumPy did before 2.4.
inline std::atomic<bool> squares_are_products = false;
// Sums, differences and products of dates and durations that 64 bits do not hold raise, as since NumPy 2.5.
inline std::atomic<bool> times_that_overflow_raise = false;
// The sign of a duration is a float64, as since NumPy 2.5, and no duration.
inline std::atomic<bool> signs_of_durations_are_numbers = false;

}  // namespace bascule

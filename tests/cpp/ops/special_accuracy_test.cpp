// The special functions as the baseline processor runs them.
#include <gtest/gtest.h>

#include "ops/special_cases.hpp"

TEST(special, every_function_keeps_its_bound) { every_special_function_keeps_its_bound(); }
TEST(special, fast_bodies_have_the_bits_of_the_full_functions) {
    fast_special_bodies_have_the_bits_of_the_full_functions();
}
TEST(special, reflections_hold_alongside_poles) { reflections_hold_alongside_poles(); }

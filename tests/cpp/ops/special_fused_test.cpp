// The special functions with a fused multiply-add, as the x86-64-v3 and v4 kernels run them.
#include "ops/fused_multiply_add.hpp"
#include "ops/special_cases.hpp"

using special_fused = fused_multiply_add;

TEST_F(special_fused, every_function_keeps_its_bound) { every_special_function_keeps_its_bound(); }
TEST_F(special_fused, fast_bodies_have_the_bits_of_the_full_functions) {
    fast_special_bodies_have_the_bits_of_the_full_functions();
}
TEST_F(special_fused, reflections_hold_alongside_poles) { reflections_hold_alongside_poles(); }

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif

// The elementary functions with a fused multiply-add, as the x86-64-v3 and v4 kernels run them.
#include "ops/fused_multiply_add.hpp"

using math_fused = fused_multiply_add;

TEST_F(math_fused, every_function_keeps_its_bound) { every_function_keeps_its_bound(); }
TEST_F(math_fused, every_binary_function_keeps_its_bound) { every_binary_function_keeps_its_bound(); }
TEST_F(math_fused, trigonometry_holds_alongside_multiples_of_a_quarter_turn) {
    trigonometry_holds_alongside_multiples_of_a_quarter_turn();
}
TEST_F(math_fused, fast_bodies_have_the_bits_of_the_full_functions) {
    fast_bodies_have_the_bits_of_the_full_functions();
}
TEST_F(math_fused, fast_exponentials_have_the_bits_of_the_ops) { fast_exponentials_have_the_bits_of_the_ops(); }
TEST_F(math_fused, special_values_are_those_of_c99) { special_values_are_those_of_c99(); }
TEST_F(math_fused, special_pairs_are_those_of_c99) { special_pairs_are_those_of_c99(); }

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif

// The elementary functions with a fused multiply-add, as the x86-64-v3 and v4 kernels run them. The rest of the tests
// is compiled for the baseline, so this file raises its own target, behind the headers it shares with the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#if !defined(__FMA__)  // g++ before 13 reads the whole file before it obeys the pragma
#define __FMA__ 1
#endif
#endif
#include "ops/math_checks.hpp"

namespace {
bool runs_here() {
#if defined(__x86_64__)
    return math::has_fma && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
    return math::has_fma;
#endif
}
class math_fused : public testing::Test {
    void SetUp() override {
        if (!runs_here()) GTEST_SKIP() << "needs a processor with a fused multiply-add";
    }
};
}  // namespace

TEST_F(math_fused, every_function_keeps_its_bound) { every_function_keeps_its_bound(); }
TEST_F(math_fused, every_binary_function_keeps_its_bound) { every_binary_function_keeps_its_bound(); }
TEST_F(math_fused, trigonometry_holds_beside_multiples_of_a_quarter_turn) {
    trigonometry_holds_beside_multiples_of_a_quarter_turn();
}
TEST_F(math_fused, fast_bodies_have_the_bits_of_the_full_functions) {
    fast_bodies_have_the_bits_of_the_full_functions();
}
TEST_F(math_fused, special_values_are_those_of_c99) { special_values_are_those_of_c99(); }
TEST_F(math_fused, special_pairs_are_those_of_c99) { special_pairs_are_those_of_c99(); }

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif

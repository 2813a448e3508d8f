// The special functions with a fused multiply-add, as the x86-64-v3 and v4 kernels run them. The rest of the tests
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
#include "ops/special_cases.hpp"

namespace {
bool runs_here() {
#if defined(__x86_64__)
    return math::has_fma && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
    return math::has_fma;
#endif
}
class special_fused : public testing::Test {
    void SetUp() override {
        if (!runs_here()) GTEST_SKIP() << "needs a processor with a fused multiply-add";
    }
};
}  // namespace

TEST_F(special_fused, every_function_keeps_its_bound) { every_special_function_keeps_its_bound(); }
TEST_F(special_fused, fast_bodies_have_the_bits_of_the_full_functions) {
    fast_special_bodies_have_the_bits_of_the_full_functions();
}
TEST_F(special_fused, reflections_hold_beside_poles) { reflections_hold_beside_poles(); }

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif

// For tests of code as the x86-64-v3 and v4 kernels run it. The rest of the tests is compiled for the baseline; a file
// that includes this first raises its own target, behind the headers it shares with the others and for all that
// follows.
#pragma once
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
class fused_multiply_add : public testing::Test {
    static bool runs_here() {
#if defined(__x86_64__)
        return math::has_fma && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
        return math::has_fma;
#endif
    }
    void SetUp() override {
        if (!runs_here()) GTEST_SKIP() << "needs a processor with a fused multiply-add";
    }
};
}  // namespace

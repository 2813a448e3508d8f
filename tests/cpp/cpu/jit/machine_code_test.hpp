// Tests of machine code with each instruction set, and each way to write it.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "backend/cpu/dispatch/kernels.hpp"
#include "backend/cpu/jit/tuning.hpp"
#include "support/jit_policy.hpp"

namespace bascule {

class machine_code_test : public ::testing::TestWithParam<char const*> {
public:
    static auto instruction_sets() { return ::testing::Values("avx2", "avx512", "avx512_in_pairs", "avx512_narrow"); }
    static std::string name(::testing::TestParamInfo<char const*> const& set) { return set.param; }

protected:
    void SetUp() override {
        if (!vectors()) GTEST_SKIP() << "machine code for " << GetParam() << " runs where processors have it";
        cpu::jit::pair_vectors(in_pairs());
        cpu::jit::narrow_vectors(narrow());
    }
    void TearDown() override {
        cpu::jit::pair_vectors(paired_before_);
        cpu::jit::narrow_vectors(narrowed_before_);
    }
    static bool in_pairs() { return std::string_view(GetParam()) == "avx512_in_pairs"; }
    static bool narrow() { return std::string_view(GetParam()) == "avx512_narrow"; }
    static cpu::kernel_table const* vectors() {
        return cpu::kernels_of(in_pairs() || narrow() ? "avx512" : GetParam());
    }

private:
    bool paired_before_ = cpu::jit::pairs_vectors(), narrowed_before_ = cpu::jit::narrows_vectors();
};

}  // namespace bascule

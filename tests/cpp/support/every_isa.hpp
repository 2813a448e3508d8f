// Kernels of every instruction set that this machine has.
#pragma once
#include <gtest/gtest.h>

#include <string>

namespace bascule {

// check(*find(isa)) wherever find knows kernels, which it does for one instruction set at least.
template <class Find, class Check> void on_every_isa(Find const& find, Check const& check) {
    int tested = 0;
    for (std::string const isa : {"baseline", "avx2", "avx512"})
        if (auto const* const kernels = find(isa.c_str())) {
            SCOPED_TRACE(isa);
            ++tested;
            check(*kernels);
        }
    EXPECT_GT(tested, 0);
}

}  // namespace bascule

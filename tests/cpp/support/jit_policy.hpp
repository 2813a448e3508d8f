// Whether machine code is used, for the time of a scope.
#pragma once
#include "backend/cpu/jit/jit.hpp"

namespace bascule {

class policy_of {
public:
    explicit policy_of(cpu::jit::policy p) : before_(cpu::jit::current()) { cpu::jit::use(p); }
    ~policy_of() { cpu::jit::use(before_); }

private:
    cpu::jit::policy before_;
};

}  // namespace bascule

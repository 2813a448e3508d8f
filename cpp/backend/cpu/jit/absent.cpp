// The answers of a library without the just-in-time compiler: everything runs in kernels.
#include "backend/cpu/jit/jit.hpp"

namespace bascule::cpu::jit {

bool is_built() noexcept { return false; }
policy current() noexcept { return policy::off; }
void use(policy) noexcept {}
slot_set fuse(program&, int&) noexcept { return {}; }
bool reads_strided(program const&, std::int64_t, int) noexcept { return false; }
bool fuses_all(program const&, int) noexcept { return false; }

}  // namespace bascule::cpu::jit

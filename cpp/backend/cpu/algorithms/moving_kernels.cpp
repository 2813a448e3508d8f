#include "backend/cpu/algorithms/moving_kernels.hpp"

#include <cstring>

namespace bascule::cpu {

namespace isa_baseline {
moving_kernels const& moving() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
moving_kernels const& moving() noexcept;
}
namespace isa_avx512 {
moving_kernels const& moving() noexcept;
}
#endif

namespace {
moving_kernels const& named(char const* isa) noexcept {
#ifdef BASCULE_X86_DISPATCH
    if (std::strcmp(isa, "avx512") == 0) return isa_avx512::moving();
    if (std::strcmp(isa, "avx2") == 0) return isa_avx2::moving();
#endif
    (void)isa;
    return isa_baseline::moving();
}
}  // namespace

moving_kernels const& active_moving_kernels() noexcept {
    static moving_kernels const& active = named(isa_name());
    return active;
}

moving_kernels const* moving_kernels_of(char const* isa) noexcept {
    return kernels_of(isa) != nullptr ? &named(isa) : nullptr;
}

}  // namespace bascule::cpu

#include "backend/cpu/algorithms/moving_kernels.hpp"

#include "backend/cpu/isa_tables.hpp"

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
static constexpr isa_tables<moving_kernels> tables{isa_baseline::moving, isa_avx2::moving, isa_avx512::moving};
#else
static constexpr isa_tables<moving_kernels> tables{isa_baseline::moving};
#endif

moving_kernels const& active_moving_kernels() noexcept {
    static moving_kernels const& active = tables.of(isa_name());
    return active;
}

moving_kernels const* moving_kernels_of(char const* isa) noexcept {
    return kernels_of(isa) != nullptr ? &tables.of(isa) : nullptr;
}

}  // namespace bascule::cpu

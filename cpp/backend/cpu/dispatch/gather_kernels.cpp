#include "backend/cpu/dispatch/gather_kernels.hpp"

#include "backend/cpu/dispatch/isa_tables.hpp"

namespace bascule::cpu {

namespace isa_baseline {
gather_kernels const& moving() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
gather_kernels const& moving() noexcept;
}
namespace isa_avx512 {
gather_kernels const& moving() noexcept;
}
static constexpr isa_tables<gather_kernels> tables{isa_baseline::moving, isa_avx2::moving, isa_avx512::moving};
#else
static constexpr isa_tables<gather_kernels> tables{isa_baseline::moving};
#endif

gather_kernels const& active_gather_kernels() noexcept {
    static gather_kernels const& active = tables.of(isa_name());
    return active;
}

gather_kernels const* gather_kernels_of(char const* isa) noexcept {
    return kernels_of(isa) != nullptr ? &tables.of(isa) : nullptr;
}

}  // namespace bascule::cpu

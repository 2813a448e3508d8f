#include "backend/cpu/dispatch/partition_kernels.hpp"

namespace bascule::cpu {

namespace isa_baseline {
partition_kernels const& ordering() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
partition_kernels const& ordering() noexcept;
}
namespace isa_avx512 {
partition_kernels const& ordering() noexcept;
}
static constexpr isa_tables<partition_kernels> tables{isa_baseline::ordering, isa_avx2::ordering, isa_avx512::ordering};
#else
static constexpr isa_tables<partition_kernels> tables{isa_baseline::ordering};
#endif

partition_kernels const& active_partition_kernels() noexcept {
    static partition_kernels const& active = tables.of(isa_name());
    return active;
}

partition_kernels const* partition_kernels_of(char const* isa) noexcept {
    return kernels_of(isa) != nullptr ? &tables.of(isa) : nullptr;
}

}  // namespace bascule::cpu

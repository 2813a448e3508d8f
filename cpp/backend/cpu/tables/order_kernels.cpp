#include "backend/cpu/tables/order_kernels.hpp"

namespace bascule::cpu {

namespace isa_baseline {
order_kernels const& ordering() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
order_kernels const& ordering() noexcept;
}
namespace isa_avx512 {
order_kernels const& ordering() noexcept;
}
static constexpr isa_tables<order_kernels> tables{isa_baseline::ordering, isa_avx2::ordering, isa_avx512::ordering};
#else
static constexpr isa_tables<order_kernels> tables{isa_baseline::ordering};
#endif

order_kernels const& active_order_kernels() noexcept {
    static order_kernels const& active = tables.of(isa_name());
    return active;
}

order_kernels const* order_kernels_of_isa(char const* isa) noexcept {
    return kernels_of(isa) != nullptr ? &tables.of(isa) : nullptr;
}

}  // namespace bascule::cpu

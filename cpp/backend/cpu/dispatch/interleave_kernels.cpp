#include "backend/cpu/dispatch/interleave_kernels.hpp"

#include "backend/cpu/dispatch/isa_tables.hpp"

namespace bascule::cpu {

namespace isa_baseline {
interleave_kernels const& interleaving() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
interleave_kernels const& interleaving() noexcept;
}
namespace isa_avx512 {
interleave_kernels const& interleaving() noexcept;
}
static constexpr isa_tables<interleave_kernels> tables{isa_baseline::interleaving, isa_avx2::interleaving,
                                                       isa_avx512::interleaving};
#else
static constexpr isa_tables<interleave_kernels> tables{isa_baseline::interleaving};
#endif

interleave_kernels const& active_interleave_kernels() noexcept {
    static interleave_kernels const& active = tables.of(isa_name());
    return active;
}

}  // namespace bascule::cpu

#include "backend/cpu/dispatch/transpose_kernels.hpp"

#include "backend/cpu/dispatch/isa_tables.hpp"

namespace bascule::cpu {

namespace isa_baseline {
transpose_kernels const& transposing() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
transpose_kernels const& transposing() noexcept;
}
namespace isa_avx512 {
transpose_kernels const& transposing() noexcept;
}
static constexpr isa_tables<transpose_kernels> tables{isa_baseline::transposing, isa_avx2::transposing,
                                                      isa_avx512::transposing};
#else
static constexpr isa_tables<transpose_kernels> tables{isa_baseline::transposing};
#endif

transpose_kernels const* transpose_kernels_of(char const* isa) noexcept {
    return kernels_of(isa) != nullptr ? &tables.of(isa) : nullptr;
}

transpose_kernels const& active_transpose_kernels() noexcept {
    static transpose_kernels const& active = tables.of(isa_name());
    return active;
}

}  // namespace bascule::cpu

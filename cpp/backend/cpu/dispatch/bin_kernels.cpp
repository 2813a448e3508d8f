#include "backend/cpu/dispatch/bin_kernels.hpp"

#include "backend/cpu/dispatch/isa_tables.hpp"

namespace bascule::cpu {

namespace isa_baseline {
bin_kernels const& histogram_bins() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
bin_kernels const& histogram_bins() noexcept;
}
namespace isa_avx512 {
bin_kernels const& histogram_bins() noexcept;
}
static constexpr isa_tables<bin_kernels> tables{isa_baseline::histogram_bins, isa_avx2::histogram_bins,
                                                isa_avx512::histogram_bins};
#else
static constexpr isa_tables<bin_kernels> tables{isa_baseline::histogram_bins};
#endif

bin_kernels const& active_bin_kernels() noexcept {
    static bin_kernels const& active = tables.of(isa_name());
    return active;
}

}  // namespace bascule::cpu

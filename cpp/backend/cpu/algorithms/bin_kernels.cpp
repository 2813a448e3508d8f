#include "backend/cpu/algorithms/bin_kernels.hpp"

#include <cstring>

#include "backend/cpu/kernels.hpp"

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
#endif

bin_kernels const& active_bin_kernels() noexcept {
#ifdef BASCULE_X86_DISPATCH
    if (std::strcmp(isa_name(), "avx512") == 0) return isa_avx512::histogram_bins();
    if (std::strcmp(isa_name(), "avx2") == 0) return isa_avx2::histogram_bins();
#endif
    return isa_baseline::histogram_bins();
}

}  // namespace bascule::cpu

#include "backend/cpu/dispatch/csv_scan.hpp"

#include <cstring>

#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu {

namespace isa_baseline {
csv_scan_kernels const& csv_scan() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
csv_scan_kernels const& csv_scan() noexcept;
}
namespace isa_avx512 {
csv_scan_kernels const& csv_scan() noexcept;
}
#endif

csv_scan_kernels const* csv_scan_of(char const* isa) noexcept {
#ifdef BASCULE_X86_DISPATCH
    if (std::strcmp(isa, "avx512") == 0 && __builtin_cpu_supports("x86-64-v4")) return &isa_avx512::csv_scan();
    if (std::strcmp(isa, "avx2") == 0 && __builtin_cpu_supports("x86-64-v3")) return &isa_avx2::csv_scan();
#endif
    return std::strcmp(isa, "baseline") == 0 ? &isa_baseline::csv_scan() : nullptr;
}

csv_scan_kernels const& csv_scan() noexcept {
    static csv_scan_kernels const* const chosen = csv_scan_of(isa_name());
    return chosen ? *chosen : isa_baseline::csv_scan();
}

}  // namespace bascule::cpu

#include "backend/cpu/dispatch/row_moments.hpp"

#include "backend/cpu/dispatch/isa_tables.hpp"

namespace bascule::cpu {

namespace isa_baseline {
row_moments_kernels const& moments_of_rows() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
row_moments_kernels const& moments_of_rows() noexcept;
}
namespace isa_avx512 {
row_moments_kernels const& moments_of_rows() noexcept;
}
static constexpr isa_tables<row_moments_kernels> tables{isa_baseline::moments_of_rows, isa_avx2::moments_of_rows,
                                                        isa_avx512::moments_of_rows};
#else
static constexpr isa_tables<row_moments_kernels> tables{isa_baseline::moments_of_rows};
#endif

row_moments_kernels const& active_row_moments() noexcept {
    static row_moments_kernels const& active = tables.of(isa_name());
    return active;
}

}  // namespace bascule::cpu

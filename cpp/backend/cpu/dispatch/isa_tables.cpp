#include "backend/cpu/dispatch/isa_tables.hpp"

#include "backend/cpu/dispatch/bin_kernels.hpp"
#include "backend/cpu/dispatch/center_kernels.hpp"
#include "backend/cpu/dispatch/column_kernels.hpp"
#include "backend/cpu/dispatch/csv_scan.hpp"
#include "backend/cpu/dispatch/gather_kernels.hpp"
#include "backend/cpu/dispatch/interleave_kernels.hpp"
#include "backend/cpu/dispatch/partition_kernels.hpp"
#include "backend/cpu/dispatch/row_moments.hpp"
#include "backend/cpu/dispatch/sparse_kernels.hpp"
#include "backend/cpu/dispatch/transpose_kernels.hpp"

namespace bascule::cpu {

// Each instruction set has these functions.
#define BASCULE_TABLES                                                                                                 \
    bin_kernels const& histogram_bins() noexcept;                                                                      \
    center_kernels const& comparing_centers() noexcept;                                                                \
    column_kernels_of_types const& spreads_of_columns() noexcept;                                                      \
    sparse_kernels_of_types const& sums_of_sparse_rows() noexcept;                                                     \
    csv_scan_kernels const& csv_scan() noexcept;                                                                       \
    gather_kernels const& moving() noexcept;                                                                           \
    interleave_kernels const& interleaving() noexcept;                                                                 \
    partition_kernels const& ordering() noexcept;                                                                      \
    row_moments_kernels const& moments_of_rows() noexcept;                                                             \
    transpose_kernels const& transposing() noexcept;

namespace isa_baseline {
BASCULE_TABLES
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
BASCULE_TABLES
}
namespace isa_avx512 {
BASCULE_TABLES
}
#define BASCULE_EACH(name) isa_baseline::name, isa_avx2::name, isa_avx512::name
#else
#define BASCULE_EACH(name) isa_baseline::name
#endif
#undef BASCULE_TABLES

namespace {

constexpr isa_tables<bin_kernels> bins{BASCULE_EACH(histogram_bins)};
constexpr isa_tables<center_kernels> centers{BASCULE_EACH(comparing_centers)};
constexpr isa_tables<column_kernels_of_types> columns{BASCULE_EACH(spreads_of_columns)};
constexpr isa_tables<sparse_kernels_of_types> sparse_rows{BASCULE_EACH(sums_of_sparse_rows)};
constexpr isa_tables<csv_scan_kernels> scans{BASCULE_EACH(csv_scan)};
constexpr isa_tables<gather_kernels> gathers{BASCULE_EACH(moving)};
constexpr isa_tables<interleave_kernels> interleaves{BASCULE_EACH(interleaving)};
constexpr isa_tables<partition_kernels> partitions{BASCULE_EACH(ordering)};
constexpr isa_tables<row_moments_kernels> moments{BASCULE_EACH(moments_of_rows)};
constexpr isa_tables<transpose_kernels> transposes{BASCULE_EACH(transposing)};
#undef BASCULE_EACH

template <auto const& tables> auto const& active() noexcept {
    static auto const& chosen = tables.of(isa_name());
    return chosen;
}
template <class Table> Table const* where_present(isa_tables<Table> const& tables, char const* isa) noexcept {
    return kernels_of(isa) != nullptr ? &tables.of(isa) : nullptr;
}

}  // namespace

bin_kernels const& active_bin_kernels() noexcept { return active<bins>(); }
center_kernels const& active_center_kernels() noexcept { return active<centers>(); }
column_kernels_of_types const& active_column_kernels() noexcept { return active<columns>(); }
sparse_kernels_of_types const& active_sparse_kernels() noexcept { return active<sparse_rows>(); }
csv_scan_kernels const& csv_scan() noexcept { return active<scans>(); }
gather_kernels const& active_gather_kernels() noexcept { return active<gathers>(); }
interleave_kernels const& active_interleave_kernels() noexcept { return active<interleaves>(); }
partition_kernels const& active_partition_kernels() noexcept { return active<partitions>(); }
row_moments_kernels const& active_row_moments() noexcept { return active<moments>(); }
transpose_kernels const& active_transpose_kernels() noexcept { return active<transposes>(); }

center_kernels const* center_kernels_of(char const* isa) noexcept { return where_present(centers, isa); }
csv_scan_kernels const* csv_scan_of(char const* isa) noexcept { return where_present(scans, isa); }
gather_kernels const* gather_kernels_of(char const* isa) noexcept { return where_present(gathers, isa); }
partition_kernels const* partition_kernels_of(char const* isa) noexcept { return where_present(partitions, isa); }
transpose_kernels const* transpose_kernels_of(char const* isa) noexcept { return where_present(transposes, isa); }

}  // namespace bascule::cpu

#include "backend/cpu/kernels/aggregates.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/kernels/truth_columns.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

void fill_aggregate_sums(kernel_table& t) {
    add_aggregates(t, ops::aggregate::sum_aggregates{});
    // Sums of truths are exact however they are added up.
    auto const columns = [&](int aggregate) -> auto& {
        return t.reduction[aggregate][static_cast<int>(type_id::bool_)].columns;
    };
    columns(ops::aggregate_number<ops::aggregate::sum>) = truth_columns<bool>::count<std::int64_t>;
    columns(ops::aggregate_number<ops::aggregate::mean>) = truth_columns<bool>::count<double>;
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

#include "backend/cpu/kernels/aggregates.hpp"
#include "backend/cpu/kernels/parts.hpp"
#include "backend/cpu/kernels/truth_columns.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {
namespace {

template <type_id Id> void add_columns(kernel_table& t) {
    if constexpr (std::is_arithmetic_v<element<Id>>) {
        using of = truth_columns<element<Id>>;
        auto const columns = [&](int aggregate) -> auto& {
            return t.reduction[aggregate][static_cast<int>(Id)].columns;
        };
        columns(ops::aggregate_number<ops::aggregate::any>) = of::template fold<truth_fold::any>;
        columns(ops::aggregate_number<ops::aggregate::all>) = of::template fold<truth_fold::all>;
        columns(ops::aggregate_number<ops::aggregate::count_nonzero>) = of::template count<std::int64_t>;
    }
}
template <int... Id> void add_all_columns(kernel_table& t, std::integer_sequence<int, Id...>) {
    (add_columns<type_id(Id)>(t), ...);
}

}  // namespace

void fill_aggregate_truth(kernel_table& t) {
    add_aggregates(t, ops::aggregate::truth_aggregates{});
    add_all_columns(t, std::make_integer_sequence<int, type_count>{});
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE

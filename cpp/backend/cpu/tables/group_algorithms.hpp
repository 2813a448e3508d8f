// Group numbers and aggregates by group; core/table_algorithms_group.hpp defines each.
#pragma once
#include "bascule/core/table_algorithms_group.hpp"

namespace bascule::cpu::tables {

status describe_keys(describe_keys_args&) noexcept;
status factorize(factorize_args&) noexcept;
status aggregate_by_id(aggregate_by_id_args const&) noexcept;
status aggregate_by_key(aggregate_by_key_args&) noexcept;
status group_ranks(group_ranks_args&) noexcept;

}  // namespace bascule::cpu::tables

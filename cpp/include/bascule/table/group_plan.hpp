// How rows are grouped by their keys: the one place where it is decided, from statistics of the keys. Devices measure
// and execute.
#pragma once
#include <optional>
#include <span>

#include "bascule/core/device.hpp"
#include "bascule/core/table_algorithms_group.hpp"

namespace bascule::table {

// The results that are wanted first.
enum class group_result : std::uint8_t { numbers, aggregates };

struct group_plan {
    // For aggregates: aggregate_by_key, if no key is missing and none is farther from another. 0: number the rows
    // first.
    std::uint64_t key_range = 0;
    // Whether the values of one key repeat, so that codes of a dictionary pay; nothing where that is not known.
    std::optional<bool> repeats;
    factorize_plan numbering;
};

// `seen`: of the keys, or null where the device does not describe them.
group_plan plan_groups(std::span<group_column const> keys, describe_keys_args const* seen, group_result wanted);

// The same, with the statistics that the device finds.
group_plan plan_groups(device where, std::span<group_column const> keys, group_result wanted);

// Text of up to `always_encoded` rows has codes of a dictionary, longer text if they pay.
inline constexpr std::int64_t always_encoded = 1024;
bool dictionary_pays(std::int64_t rows, std::int64_t distinct);

// The codes of a dictionary as groups: each string is one, without those that have no row.
bool codes_are_groups(std::int64_t rows, std::int64_t dictionary);

aggregate_path plan_aggregates(std::int64_t groups);

}  // namespace bascule::table

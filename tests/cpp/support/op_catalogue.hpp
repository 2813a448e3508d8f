// The rows of the op table, listed for drawing random programs from it.
#pragma once
#include <string_view>
#include <vector>

#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::testing {

struct op_loop {
    type_id type, result;
    std::vector<type_id> args;
};

struct op_entry {
    int number;
    ops::spec meta;
    std::vector<op_loop> loops;
};

struct aggregate_entry {
    int number;
    std::string_view name;
    bool has_identity;
    std::vector<op_loop> loops;
};

struct op_catalogue {
    std::vector<op_entry> ops;  // without cast
    std::vector<aggregate_entry> aggregates;
    int cast = ops::find("cast");

    op_catalogue() {
        for (int i = 0; i < ops::op_count; ++i)
            if (ops::table[i].call != ops::form::cast) ops.push_back(entry(i));
        for (int i = 0; i < ops::aggregate_count; ++i)
            if (ops::aggregate_table[i].types != 0) aggregates.push_back(aggregate(i));
    }

    // Times convert to and from int64 and among themselves; other pairs have no use in a plan.
    bool can_cast(type_id from, type_id to) const {
        auto const whole = types::times | bit(type_id::int64);
        return (!is_time(from) && !is_time(to)) || (contains(whole, from) && contains(whole, to));
    }

    static aggregate_entry aggregate(int number) {
        auto const& meta = ops::aggregate_table[number];
        aggregate_entry e{number, meta.name, meta.empty_error[0] == 0, {}};
        for (int t = 0; t < type_count; ++t) {
            auto const loop = static_cast<type_id>(t);
            if (loop != type_id::float16 && contains(meta.types, loop))
                e.loops.push_back({loop, ops::aggregate_result_type(number, loop), {loop}});
        }
        return e;
    }

    static op_entry entry(int number) {
        op_entry e{number, ops::table[number], {}};
        for (int t = 0; t < type_count; ++t) {
            auto const loop = static_cast<type_id>(t);
            if (loop == type_id::float16 || !contains(e.meta.types, loop)) continue;
            e.loops.push_back({loop, ops::result_type(number, loop), arguments(e.meta, loop)});
        }
        return e;
    }

    static std::vector<type_id> arguments(ops::spec const& meta, type_id loop) {
        if (meta.call == ops::form::selection) return {type_id::bool_, loop, loop};
        if (meta.call == ops::form::counter) return {type_id::int64, type_id::uint64};
        std::vector<type_id> all(static_cast<std::size_t>(meta.nin), loop);
        if (meta.call == ops::form::sample) {
            all.assign(all.size(), meta.parameters);
            all[0] = type_id::uint64;
        }
        return all;
    }
};

inline op_catalogue const& catalogue() {
    static op_catalogue const all;
    return all;
}

}  // namespace bascule::testing

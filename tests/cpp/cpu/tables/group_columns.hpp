// Columns for tests of grouping, and calls of both devices with them.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "bascule/core/table_algorithms_group.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/sched/thread_pool.hpp"
#include "bascule/table/group_plan.hpp"

namespace bascule::group_tests {

// Aggregates by their names.
namespace names {
template <class A> inline constexpr std::uint16_t number_of = ops::aggregate_number<A>;
inline constexpr auto size = number_of<ops::aggregate::size>, count = number_of<ops::aggregate::count>,
                      sum = number_of<ops::aggregate::sum>, mean = number_of<ops::aggregate::mean>,
                      min = number_of<ops::aggregate::minimum>, max = number_of<ops::aggregate::maximum>,
                      var = number_of<ops::aggregate::var>, first = number_of<ops::aggregate::first>,
                      last = number_of<ops::aggregate::last>, prod = number_of<ops::aggregate::prod>;
}  // namespace names

// A column that owns its memory.
struct owned_column {
    type_id dtype = type_id::int64;
    std::vector<std::uint64_t> data;
    std::vector<std::uint8_t> validity;
    std::vector<std::int64_t> offsets;
    std::int64_t length = 0;

    group_column view() const {
        return {dtype, data.data(), validity.empty() ? nullptr : validity.data(),
                offsets.empty() ? nullptr : offsets.data(), length};
    }
    owned_column& with_nulls(std::vector<bool> const& null) {
        validity.assign(static_cast<std::size_t>(length + 7) / 8 + 1, 0);
        for (std::size_t i = 0; i < null.size(); ++i)
            validity[i / 8] = static_cast<std::uint8_t>(validity[i / 8] | (null[i] ? 0 : 1 << (i % 8)));
        return *this;
    }
};

template <class T> owned_column column(std::vector<T> const& values, type_id dtype = id_of<T>::value) {
    owned_column c;
    c.dtype = dtype;
    c.length = static_cast<std::int64_t>(values.size());
    c.data.resize(values.size() * sizeof(T) / 8 + 2);
    auto* const bytes = reinterpret_cast<unsigned char*>(c.data.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        T const v = values[i];
        std::memcpy(bytes + i * sizeof(T), &v, sizeof(T));
    }
    return c;
}

inline owned_column strings(std::vector<std::string> const& values) {
    std::string bytes;
    std::vector<std::int64_t> offsets{0};
    for (auto const& v : values) {
        bytes += v;
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    owned_column c = column(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
    c.length = static_cast<std::int64_t>(values.size());
    c.offsets = offsets;
    return c;
}

struct numbering {
    status result = status::ok;
    std::vector<std::uint32_t> codes;
    std::vector<std::int64_t> wide, first;
    bool operator==(numbering const& o) const {
        return result == o.result && codes == o.codes && wide == o.wide && first == o.first;
    }
};

inline numbering number(backend const& device, std::vector<owned_column> const& keys, factorize_args a) {
    numbering out;
    std::vector<group_column> views;
    for (auto const& k : keys) views.push_back(k.view());
    a.keys = views.data();
    a.nkeys = static_cast<std::int32_t>(views.size());
    a.length = keys.front().length;
    out.codes.resize(static_cast<std::size_t>(a.length));
    out.wide.resize(out.codes.size());
    a.codes = out.codes.data();
    a.wide_codes = out.wide.data();
    a.want_first = true;
    a.owner = &out.first;
    a.allocate = [](void* owner, std::int64_t bytes) -> void* {
        auto& first = *static_cast<std::vector<std::int64_t>*>(owner);
        first.resize(static_cast<std::size_t>(bytes) / 8);
        return first.data();
    };
    out.result = device.algorithm(0, algorithm_kind::factorize, &a, nullptr);
    return out;
}

inline std::vector<group_column> views_of(std::vector<owned_column> const& keys) {
    std::vector<group_column> views;
    for (auto const& k : keys) views.push_back(k.view());
    return views;
}

// The CPU's statistics of keys.
struct described {
    std::vector<key_statistics> columns;
    describe_keys_args seen;
    explicit described(std::vector<owned_column> const& keys) : columns(keys.size()) {
        auto const views = views_of(keys);
        seen.keys = views.data(), seen.nkeys = static_cast<std::int32_t>(views.size());
        seen.length = keys.front().length, seen.columns = columns.data();
        EXPECT_EQ(cpu_backend()->algorithm(0, algorithm_kind::describe_keys, &seen, nullptr), status::ok);
    }
    described(described const&) = delete;
};

inline table::group_plan planned(std::vector<owned_column> const& keys,
                                 table::group_result wanted = table::group_result::numbers) {
    described const d(keys);
    return table::plan_groups(views_of(keys), &d.seen, wanted);
}

// A plan of the table's, or one that leaves no other way.
enum class way : std::uint8_t { planned, runs, bitmap, small_tables, partition };
inline factorize_plan plan_of(way w, std::vector<owned_column> const& keys) {
    factorize_plan plan;
    switch (w) {
        case way::planned: return planned(keys).numbering;
        case way::runs: plan.runs = true; break;
        case way::bitmap: plan.bitmap_range = std::uint64_t{1} << 30; break;
        case way::small_tables: break;
        case way::partition: plan.otherwise = factorize_path::partition, plan.partitioned = ~std::uint64_t{0}; break;
    }
    return plan;
}

// Sets the number of threads and puts it back.
struct with_threads {
    explicit with_threads(int n) : before(sched::thread_count()) { sched::set_thread_count(n); }
    ~with_threads() { sched::set_thread_count(before); }
    int before;
};

// Both orders, nulls kept and dropped, one and several threads, every way in `ways`: as the reference says.
inline void expect_numbered(std::vector<owned_column> const& keys, std::vector<way> const& ways = {way::planned},
                            std::uint64_t hash_mask = ~std::uint64_t{0}) {
    for (auto const order : {group_order::sorted, group_order::appearance}) {
        for (bool const keep : {false, true}) {
            factorize_args a;
            a.order = order;
            a.keep_nulls = keep;
            a.hash_mask = hash_mask;
            auto const wanted = number(*reference_backend(), keys, a);
            ASSERT_EQ(wanted.result, status::ok);
            for (auto const w : ways) {
                a.plan = plan_of(w, keys);
                for (int const threads : {1, 2, 5}) {
                    with_threads const scope(threads);
                    EXPECT_TRUE(number(*cpu_backend(), keys, a) == wanted)
                        << "way " << static_cast<int>(w) << ", threads " << threads << ", appearance "
                        << (order == group_order::appearance) << ", nulls kept " << keep;
                }
            }
        }
    }
}

inline std::vector<bool> some_nulls(std::int64_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<bool> null(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < null.size(); ++i) null[i] = random() % 5 == 0;
    return null;
}

template <class T> std::vector<T> integers(std::int64_t n, std::int64_t low, std::int64_t high, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<std::int64_t> any(low, high);
    std::vector<T> out(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(any(random));
    return out;
}

}  // namespace bascule::group_tests

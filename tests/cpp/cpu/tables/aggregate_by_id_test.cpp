#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "cpu/tables/group_columns.hpp"

namespace {

using namespace bascule;
using namespace bascule::group_tests;

using namespace names;
using numbers = std::vector<std::uint16_t>;
numbers const all_aggregates = [] {
    numbers all;
    for (int k = 0; k < ops::aggregate_count; ++k)
        if (ops::aggregate_table[k].group_types != 0) all.push_back(static_cast<std::uint16_t>(k));
    return all;
}();
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

struct aggregated {
    status result = status::ok;
    std::vector<std::vector<std::uint64_t>> out;
    std::vector<std::vector<std::uint8_t>> valid;
    bool operator==(aggregated const&) const = default;
};

aggregated aggregate(backend const& device, std::vector<std::uint32_t> const& codes, std::int64_t groups,
                     std::vector<group_request> requests, aggregate_path path, bool runs = false) {
    aggregated got;
    for (auto& r : requests) {
        got.out.emplace_back(static_cast<std::size_t>(groups) + 1, 0);
        got.valid.emplace_back(static_cast<std::size_t>(groups), 2);
        r.out = got.out.back().data();
        r.valid = got.valid.back().data();
    }
    aggregate_by_id_args a{codes.data(),
                           static_cast<std::int64_t>(codes.size()),
                           groups,
                           requests.data(),
                           static_cast<std::int32_t>(requests.size()),
                           path,
                           runs};
    got.result = device.algorithm(0, algorithm_kind::aggregate_by_id, &a, nullptr);
    return got;
}

std::vector<std::uint32_t> some_codes(std::int64_t n, std::int64_t groups, unsigned seed) {
    auto codes = integers<std::uint32_t>(n, 0, groups - 1, seed);
    for (std::size_t i = 0; i < codes.size(); i += 17) codes[i] = null_group;
    return codes;
}

void expect_aggregated(std::vector<std::uint32_t> const& codes, std::int64_t groups,
                       std::vector<group_request> const& requests, bool runs = false) {
    auto const wanted = aggregate(*reference_backend(), codes, groups, requests, aggregate_path::in_place);
    ASSERT_EQ(wanted.result, status::ok);
    for (auto const path : {aggregate_path::in_place, aggregate_path::parted}) {
        for (int const threads : {1, 2, 5}) {
            with_threads const scope(threads);
            auto const got = aggregate(*cpu_backend(), codes, groups, requests, path, runs);
            EXPECT_EQ(got.result, status::ok);
            for (std::size_t k = 0; k < requests.size(); ++k) {
                EXPECT_TRUE(got.out[k] == wanted.out[k] && got.valid[k] == wanted.valid[k])
                    << ops::aggregate_table[requests[k].aggregate].name << ", type "
                    << static_cast<int>(requests[k].column.dtype) << ", path " << static_cast<int>(path) << ", threads "
                    << threads;
            }
        }
    }
}

std::vector<group_request> requests_of(owned_column const& c, numbers const& ops = all_aggregates) {
    std::vector<group_request> requests;
    for (auto const op : ops) {
        group_request r;
        r.aggregate = op;
        r.column = c.view();
        requests.push_back(r);
    }
    return requests;
}

TEST(aggregate_by_id, rows_in_the_order_of_their_groups) {
    for (std::int64_t const n : {1, 5, 3000, 200000}) {
        for (std::int64_t const groups : {std::int64_t{1}, std::int64_t{7}, n / 3 + 2, 2 * n}) {
            auto codes = integers<std::uint32_t>(n, 0, groups - 1, 31);
            std::sort(codes.begin(), codes.end());
            auto x = integers<double>(n, -1000, 1000, 32);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 11 == 0 ? nan : x[i] / 7;
            auto const reals = column(x);
            auto const nulls = column(integers<std::int16_t>(n, -50, 50, 33)).with_nulls(some_nulls(n, 34));
            auto requests = requests_of(reals);
            for (auto const& r : requests_of(nulls, {sum, mean, min, first, count})) requests.push_back(r);
            expect_aggregated(codes, groups, requests, true);
            for (std::size_t i = 0; i < codes.size() / 9; ++i) codes[i] = codes[codes.size() - 1 - i] = null_group;
            expect_aggregated(codes, groups, requests, true);
            codes[codes.size() / 2] = null_group;  // they do not ascend
            expect_aggregated(codes, groups, requests, true);
        }
    }
    expect_aggregated(std::vector<std::uint32_t>(9, null_group), 3, requests_of(column(std::vector<double>(9, 1))),
                      true);
}

TEST(aggregate_by_id, by_hand) {
    auto const values = column<double>({1, 2, nan, 4, 5, 6});
    std::vector<std::uint32_t> const codes{0, 1, 0, null_group, 1, 2};
    auto const got = aggregate(*cpu_backend(), codes, 4, requests_of(values, {sum, mean, size, count, max, var}),
                               aggregate_path::in_place);
    auto const real = [&](std::size_t k, std::size_t g) { return std::bit_cast<double>(got.out[k][g]); };
    EXPECT_EQ(std::vector({real(0, 0), real(0, 1), real(0, 2), real(0, 3)}), (std::vector<double>{1, 7, 6, 0}));
    EXPECT_EQ(real(1, 1), 3.5);
    EXPECT_TRUE(std::isnan(real(1, 3)));
    EXPECT_EQ(std::vector(got.out[2].begin(), got.out[2].begin() + 4), (std::vector<std::uint64_t>{2, 2, 1, 0}));
    EXPECT_EQ(std::vector(got.out[3].begin(), got.out[3].begin() + 4), (std::vector<std::uint64_t>{1, 2, 1, 0}));
    EXPECT_EQ(real(4, 1), 5);
    EXPECT_EQ(real(5, 1), 4.5);
    EXPECT_EQ(got.valid[5], (std::vector<std::uint8_t>{0, 1, 0, 0}));
}

TEST(aggregate_by_id, sums_are_compensated) {
    auto const tenths = column(std::vector<double>(10, 0.1));
    auto const got = aggregate(*cpu_backend(), std::vector<std::uint32_t>(10, 0), 1, requests_of(tenths, {sum}),
                               aggregate_path::in_place);
    EXPECT_EQ(std::bit_cast<double>(got.out[0][0]), 1.0);  // one by one without compensation: 0.9999999999999999
}

TEST(aggregate_by_id, infinities_stay_infinite) {
    auto const values = column<double>({1, inf, 2, -inf, 3});
    auto const got =
        aggregate(*cpu_backend(), {0, 0, 0, 1, 1}, 2, requests_of(values, {sum, mean}), aggregate_path::in_place);
    EXPECT_EQ(std::bit_cast<double>(got.out[0][0]), inf);
    EXPECT_EQ(std::bit_cast<double>(got.out[1][1]), -inf);
}

TEST(aggregate_by_id, a_nan_that_is_valid_by_bitmap_counts_and_gives_way_in_extrema) {
    auto const values = column<double>({nan, 3, 2, nan, 9}).with_nulls({false, false, false, false, true});
    std::vector<std::uint32_t> const codes{0, 0, 0, 1, 1};
    expect_aggregated(codes, 2, requests_of(values, {count, min, max, last}));
    auto const got = aggregate(*cpu_backend(), codes, 2, requests_of(values, {count, min}), aggregate_path::in_place);
    EXPECT_EQ(got.out[0][0], 3u);
    EXPECT_EQ(std::bit_cast<double>(got.out[1][0]), 2.0);
}

TEST(aggregate_by_id, min_count_and_ddof) {
    auto const values = column(integers<std::int64_t>(500, -50, 50, 1)).with_nulls(some_nulls(500, 2));
    auto requests = requests_of(values);
    for (auto& r : requests) r.min_count = 4, r.ddof = 0;
    expect_aggregated(some_codes(500, 100, 3), 100, requests);
    for (auto& r : requests) r.min_count = 0, r.ddof = 3;
    expect_aggregated(some_codes(500, 100, 4), 100, requests);
}

template <class T> void expect_type(type_id dtype, numbers const& ops) {
    for (auto const& [n, groups] : {std::pair{1, 1}, {3000, 1}, {3000, 7}, {3000, 4000}}) {
        auto values = integers<T>(n, std::is_signed_v<T> ? -100 : 0, 127, 5);
        if constexpr (std::is_floating_point_v<T>) {
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = i % 9 == 0 ? static_cast<T>(nan) : values[i] / static_cast<T>(7);
        }
        if (is_time(dtype)) values[0] = static_cast<T>(nat);
        if (is_boolean(dtype))
            for (auto& v : values) v = static_cast<T>(static_cast<int>(v) % 2);
        auto const codes = some_codes(n, groups, 6);
        auto const plain = column(values, dtype);
        expect_aggregated(codes, groups, requests_of(plain, ops));
        if (std::is_floating_point_v<T> || is_time(dtype)) continue;
        auto const nulls = column(values, dtype).with_nulls(some_nulls(n, 7));
        expect_aggregated(codes, groups, requests_of(nulls, ops));
    }
}
TEST(aggregate_by_id, every_type_and_operation_as_the_reference) {
    expect_type<std::int8_t>(type_id::int8, all_aggregates);
    expect_type<std::int16_t>(type_id::int16, all_aggregates);
    expect_type<std::int32_t>(type_id::int32, all_aggregates);
    expect_type<std::int64_t>(type_id::int64, all_aggregates);
    expect_type<std::uint8_t>(type_id::uint8, all_aggregates);
    expect_type<std::uint16_t>(type_id::uint16, all_aggregates);
    expect_type<std::uint32_t>(type_id::uint32, all_aggregates);
    expect_type<std::uint64_t>(type_id::uint64, all_aggregates);
    expect_type<float>(type_id::float32, all_aggregates);
    expect_type<double>(type_id::float64, all_aggregates);
    expect_type<std::uint8_t>(type_id::bool_, all_aggregates);
    expect_type<std::int64_t>(type_id::datetime64, {size, count, mean, min, max, first, last});
    expect_type<std::int64_t>(type_id::timedelta64, {size, count, sum, mean, min, max, first, last});
}

TEST(aggregate_by_id, integer_sums_and_products_wrap) {
    auto const values = column(integers<std::int64_t>(300, std::numeric_limits<std::int64_t>::min(),
                                                      std::numeric_limits<std::int64_t>::max(), 8));
    expect_aggregated(some_codes(300, 5, 9), 5, requests_of(values, {sum, prod, min, max}));
}

TEST(aggregate_by_id, many_rows_groups_and_columns_at_once) {
    for (std::int64_t const groups : {500, 513, 199999, 200001}) {
        auto const x = column(integers<double>(220000, -1000000, 1000000, 10));
        auto const y = column(integers<std::int32_t>(220000, -1000, 1000, 11)).with_nulls(some_nulls(220000, 12));
        auto requests = requests_of(x, {sum, mean, max, size});
        for (auto const& r : requests_of(y, {sum, var, first, count})) requests.push_back(r);
        expect_aggregated(some_codes(220000, groups, 13), groups, requests);
    }
}

// Sums of one group wait for one another, so those of other groups and columns are made in the meantime.
TEST(aggregate_by_id, few_groups_of_many_rows) {
    constexpr std::int64_t n = 70000;
    auto const some = integers<double>(n, -1000000, 1000000, 21);
    auto reals = some, nulls = some, infinite = some;
    for (std::size_t i = 0; i < some.size(); ++i) {
        reals[i] /= 7, nulls[i] = i % 5 == 0 ? nan : some[i] / 3, infinite[i] = i % 30011 == 9 ? inf : some[i] / 9;
        if (i % 50021 == 0) infinite[i] = -inf;
    }
    auto const x = column(reals), y = column(nulls), z = column(infinite), whole = column(some);
    auto const masked = column(reals).with_nulls(some_nulls(n, 22)), odd = column(nulls).with_nulls(some_nulls(n, 23));
    auto const counted = column(integers<std::int32_t>(n, -9, 9, 24));
    for (std::int64_t const groups : {1, 2, 5, 13, 250}) {
        std::vector<std::uint32_t> skewed;
        for (auto const v : integers<std::int64_t>(n, 0, 9999, 25))
            skewed.push_back(v % 10 < 6 ? 0 : static_cast<std::uint32_t>(v % groups));
        for (std::size_t i = 0; i < skewed.size(); i += 17) skewed[i] = null_group;
        std::vector<group_request> requests;
        for (auto const* c : {&x, &y, &z, &masked, &whole, &odd})
            for (auto const& r : requests_of(*c, {sum, mean, count})) requests.push_back(r);
        for (auto const& r : requests_of(counted, {count, size, sum, mean})) requests.push_back(r);
        expect_aggregated(skewed, groups, requests);
        expect_aggregated(skewed, groups, {requests.data(), requests.data() + 1});
        expect_aggregated(std::vector<std::uint32_t>(n, null_group), groups, requests);
    }
}

TEST(aggregate_by_id, no_rows_no_groups_no_requests) {
    auto const nothing = column<double>({});
    expect_aggregated({}, 3, requests_of(nothing));
    expect_aggregated({}, 0, requests_of(nothing));
    expect_aggregated({0, 0}, 1, {});
}

TEST(aggregate_by_id, bad_input_is_refused_by_name) {
    auto const values = column<double>({1, 2});
    EXPECT_EQ(aggregate(*cpu_backend(), {0}, 1, requests_of(values, {sum}), aggregate_path::in_place).result,
              status::value_error);
    auto const times = column(std::vector<std::int64_t>{1, 2}, type_id::datetime64);
    EXPECT_EQ(aggregate(*cpu_backend(), {0, 0}, 1, requests_of(times, {prod}), aggregate_path::in_place).result,
              status::not_supported);
    auto const text = strings({"a", "b"});
    EXPECT_EQ(aggregate(*cpu_backend(), {0, 0}, 1, requests_of(text, {sum}), aggregate_path::in_place).result,
              status::not_supported);
}

}  // namespace

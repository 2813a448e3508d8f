#include <deque>

#include "cpu/tables/group_columns.hpp"

namespace {

using namespace bascule;
using namespace bascule::group_tests;

constexpr std::int64_t rows = 70000;
using bytes = std::vector<std::uint8_t>;

struct by_key {
    status result = status::ok;
    bool found = false;
    std::int64_t groups = 0;
    std::deque<bytes> made;  // the keys, then out and valid of each request
};

by_key aggregate(backend const& device, owned_column const& keys, std::vector<group_request> requests,
                 std::uint64_t range) {
    by_key got;
    aggregate_by_key_args by;
    by.keys = keys.view();
    by.length = keys.length;
    by.most_range = range;
    by.requests = requests.data();
    by.nrequests = static_cast<std::int32_t>(requests.size());
    by.owner = &got.made;
    by.allocate = [](void* owner, std::int64_t n) -> void* {
        return static_cast<std::deque<bytes>*>(owner)->emplace_back(static_cast<std::size_t>(n)).data();
    };
    got.result = device.algorithm(0, algorithm_kind::aggregate_by_key, &by, nullptr);
    got.found = by.found, got.groups = by.groups;
    return got;
}

// As the reference numbers the rows and aggregates by the numbers.
void expect_as_in_two_steps(owned_column const& keys, std::vector<group_request> const& requests) {
    auto const numbered = number(*reference_backend(), {keys}, {});
    auto const groups = static_cast<std::int64_t>(numbered.first.size());
    auto const n = static_cast<std::size_t>(groups);
    std::vector<group_request> steps = requests;
    std::deque<bytes> wanted;
    auto& key = wanted.emplace_back(n * 8);
    for (std::size_t g = 0; g < n; ++g) std::memcpy(key.data() + 8 * g, keys.data.data() + numbered.first[g], 8);
    for (auto& r : steps) {
        r.out = wanted
                    .emplace_back(
                        n * static_cast<std::size_t>(itemsize(ops::group_result_type(r.aggregate, r.column.dtype))))
                    .data();
        r.valid = wanted.emplace_back(n).data();
    }
    aggregate_by_id_args a{numbered.codes.data(), keys.length, groups, steps.data(),
                           static_cast<std::int32_t>(steps.size())};
    ASSERT_EQ(reference_backend()->algorithm(0, algorithm_kind::aggregate_by_id, &a, nullptr), status::ok);
    for (int const threads : {1, 2, 5}) {
        with_threads const scope(threads);
        auto const range = planned({keys}, table::group_result::aggregates).key_range;
        auto const got = aggregate(*cpu_backend(), keys, requests, range);
        ASSERT_EQ(got.result, status::ok);
        ASSERT_TRUE(got.found);
        EXPECT_EQ(got.groups, groups);
        EXPECT_TRUE(got.made == wanted) << "threads " << threads;
    }
}

std::vector<group_request> requests_of(owned_column const& c, std::initializer_list<std::uint16_t> ops) {
    std::vector<group_request> requests;
    for (auto const op : ops) {
        group_request r;
        r.aggregate = op;
        r.column = c.view();
        requests.push_back(r);
    }
    return requests;
}

using namespace names;

TEST(aggregate_by_key, as_numbering_first) {
    auto x = integers<double>(rows, -1000, 1000, 1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 11 == 0 ? std::numeric_limits<double>::quiet_NaN() : x[i] / 7;
    auto const values = column(x);
    auto const nulls = column(integers<std::int16_t>(rows, -1000, 1000, 2)).with_nulls(some_nulls(rows, 3));
    auto requests = requests_of(values, {mean, sum, size, var});
    for (auto const& r : requests_of(nulls, {first, sum, count, max})) requests.push_back(r);
    for (std::int64_t const greatest : {210000, 1000000, 4000000})
        expect_as_in_two_steps(column(integers<std::int64_t>(rows, 1, greatest, 4)), requests);
    expect_as_in_two_steps(column(integers<std::int64_t>(rows, -300000, 300000, 5)), requests);
}

TEST(aggregate_by_key, every_type_of_key) {
    auto const values = column(integers<std::int32_t>(rows, -1000, 1000, 6));
    auto const requests = requests_of(values, {size, sum});
    constexpr auto top = std::numeric_limits<std::int64_t>::max();
    expect_as_in_two_steps(column(integers<std::uint64_t>(rows, top - 500000, top, 7)), requests);
    expect_as_in_two_steps(column(integers<std::int64_t>(rows, top - 500000, top, 8)), requests);
    expect_as_in_two_steps(column(integers<std::int64_t>(rows, -top - 1, -top + 500000, 9)), requests);
    expect_as_in_two_steps(column(integers<std::int64_t>(rows, 0, 500000, 10), type_id::datetime64), requests);
    expect_as_in_two_steps(column(integers<std::int64_t>(rows, 0, 500000, 11), type_id::timedelta64), requests);
}

TEST(aggregate_by_key, one_key_in_most_rows) {
    auto keys = integers<std::int64_t>(rows, 0, 500000, 12);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i % 10 != 0) keys[i] = 77;
    }
    expect_as_in_two_steps(column(keys), requests_of(column(integers<double>(rows, -9, 9, 13)), {sum, min}));
}

TEST(aggregate_by_key, keys_that_are_not_as_planned_are_left_to_numbering) {
    auto const values = column(integers<double>(rows, -9, 9, 14));
    auto const found = [&](owned_column const& keys, std::uint64_t range) {
        auto const got = aggregate(*cpu_backend(), keys, requests_of(values, {sum}), range);
        EXPECT_EQ(got.result, status::ok);
        return got.found;
    };
    auto keys = integers<std::int64_t>(rows, 0, 500000, 18);
    EXPECT_TRUE(found(column(keys), 500000));
    EXPECT_FALSE(found(column(keys), 400000));
    keys[5000] = nat;
    EXPECT_FALSE(found(column(keys, type_id::datetime64), std::uint64_t{1} << 63));
}

TEST(aggregate_by_key, keys_of_other_sizes_and_with_a_bitmap_are_refused) {
    auto const values = column(integers<double>(rows, -9, 9, 15));
    auto const result = [&](backend const& device, owned_column const& keys) {
        return aggregate(device, keys, requests_of(values, {sum}), 500000).result;
    };
    auto const keys = integers<std::int64_t>(rows, 0, 500000, 16);
    EXPECT_EQ(result(*cpu_backend(), column(integers<std::int32_t>(rows, 0, 500000, 17))), status::not_supported);
    EXPECT_EQ(result(*cpu_backend(), column(keys).with_nulls(some_nulls(rows, 18))), status::not_supported);
    EXPECT_EQ(result(*reference_backend(), column(keys)), status::not_supported);
}

}  // namespace

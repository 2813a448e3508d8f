// Values of groups by rank: the CPU against the reference, and by hand.
#include <bit>
#include <limits>

#include "cpu/tables/group_columns.hpp"

namespace {

using namespace bascule;
using namespace bascule::group_tests;

struct ranked {
    status result = status::ok;
    std::vector<std::int64_t> counts, distinct;
    std::vector<std::uint64_t> low, high;  // bytes of the elements
    bool operator==(ranked const&) const = default;
};

ranked rank(backend const& device, std::vector<std::uint32_t> const& codes, std::int64_t groups, group_column column,
            std::vector<double> const& shares, bool distinct = true) {
    auto const n = static_cast<std::size_t>(groups);
    ranked r;
    r.counts.resize(n), r.distinct.resize(n);
    r.low.resize(n * shares.size() + 1), r.high.resize(n * shares.size() + 1);
    group_ranks_args g;
    g.codes = codes.data(), g.length = static_cast<std::int64_t>(codes.size()), g.groups = groups;
    g.column = column;
    g.shares = shares.data(), g.nshares = static_cast<std::int32_t>(shares.size());
    g.counts = r.counts.data(), g.distinct = distinct ? r.distinct.data() : nullptr;
    g.low = r.low.data(), g.high = r.high.data();
    r.result = device.algorithm(0, algorithm_kind::group_ranks, &g, nullptr);
    return r;
}

std::vector<std::uint32_t> some_codes(std::int64_t n, std::int64_t groups, unsigned seed) {
    auto codes = integers<std::uint32_t>(n, 0, groups - 1, seed);
    for (std::size_t i = 0; i < codes.size(); i += 17) codes[i] = null_group;
    return codes;
}

std::vector<double> const some_shares{0, 0.013, 0.5, 0.77, 1};

void expect_ranked(owned_column const& c, std::int64_t groups) {
    auto const codes = some_codes(c.length, groups, 7);
    auto const wanted = rank(*reference_backend(), codes, groups, c.view(), some_shares);
    ASSERT_EQ(wanted.result, status::ok);
    for (int const threads : {1, 2, 5}) {
        with_threads const scope(threads);
        EXPECT_TRUE(rank(*cpu_backend(), codes, groups, c.view(), some_shares) == wanted)
            << "type " << static_cast<int>(c.dtype) << ", groups " << groups << ", threads " << threads;
    }
}

TEST(group_ranks, by_hand) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    auto const values = column<double>({5, 1, nan, 3, 7, 9, -0.0, 0.0});
    std::vector<std::uint32_t> const codes{0, 0, 0, 0, null_group, 1, 3, 3};
    auto const got = rank(*cpu_backend(), codes, 4, values.view(), {0.5});
    EXPECT_EQ(got.counts, (std::vector<std::int64_t>{3, 1, 0, 2}));
    EXPECT_EQ(got.distinct, (std::vector<std::int64_t>{3, 1, 0, 1}));
    auto const real = [](std::uint64_t bits) { return std::bit_cast<double>(bits); };
    EXPECT_EQ(real(got.low[0]), 3);
    EXPECT_EQ(real(got.high[0]), 5);
    EXPECT_EQ(real(got.low[1]), 9);
    EXPECT_EQ(real(got.high[1]), 9);
    EXPECT_EQ(got.low[2], 0u);
    EXPECT_EQ(real(got.high[3]), 0);
}

template <class T> void every_number_of_groups(type_id dtype = id_of<T>::value) {
    for (std::int64_t const groups : {1, 4, 511, 513, 6000}) {
        expect_ranked(column(integers<T>(20'000, 0, 100, 3), dtype), groups);
        expect_ranked(column(integers<T>(5'000, std::numeric_limits<std::int8_t>::min(), 127, 4), dtype)
                          .with_nulls(some_nulls(5'000, 5)),
                      groups);
    }
}

TEST(group_ranks, whole_numbers_as_the_reference) {
    every_number_of_groups<std::int8_t>();
    every_number_of_groups<std::uint16_t>();
    every_number_of_groups<std::int32_t>();
    every_number_of_groups<std::uint64_t>();
    every_number_of_groups<std::int64_t>(type_id::datetime64);
    expect_ranked(column(integers<std::int64_t>(30'000, std::numeric_limits<std::int64_t>::min(),
                                                std::numeric_limits<std::int64_t>::max(), 1)),
                  3);
}

TEST(group_ranks, floats_as_the_reference) {
    auto values = integers<double>(40'000, -1'000'000, 1'000'000, 2);
    for (std::size_t i = 0; i < values.size(); i += 11) values[i] = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < values.size(); i += 13) values[i] = std::numeric_limits<double>::infinity();
    for (std::int64_t const groups : {1, 9, 2000}) expect_ranked(column(values), groups);
    auto const few = std::vector<float>{1.5F, 2.5F, std::numeric_limits<float>::quiet_NaN(), 1.5F};
    expect_ranked(column(few).with_nulls({false, true, false, false}), 1);
}

TEST(group_ranks, rows_in_order_and_values_all_the_same) {
    std::vector<double> up(30'000), same(30'000, 4.0);
    for (std::size_t i = 0; i < up.size(); ++i) up[i] = static_cast<double>(i);
    expect_ranked(column(up), 1);
    expect_ranked(column(std::vector<double>(up.rbegin(), up.rend())), 2);
    expect_ranked(column(same), 1);
}

TEST(group_ranks, nothing_to_rank) {
    auto const none = column(std::vector<double>{});
    EXPECT_EQ(rank(*cpu_backend(), {}, 0, none.view(), {0.5}).result, status::ok);
    EXPECT_EQ(rank(*cpu_backend(), {}, 2, none.view(), {0.5}).counts, (std::vector<std::int64_t>{0, 0}));
    auto const text = strings({"a"});
    EXPECT_EQ(rank(*cpu_backend(), {0}, 1, text.view(), {0.5}).result, status::not_supported);
}

}  // namespace

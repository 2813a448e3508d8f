// Joining columns on the CPU against the reference device, and pairs written down by hand.
#include <algorithm>
#include <deque>

#include "cpu/tables/sort_join_columns.hpp"

namespace bascule::sort_join_tests {
namespace {

struct joining : by_path {};
INSTANTIATE_TEST_SUITE_P(paths, joining, all_paths, path_name);

struct pairs {
    rows left, right;
    friend bool operator==(pairs const&, pairs const&) = default;
    friend void PrintTo(pairs const& p, std::ostream* out) {
        for (std::size_t i = 0; i < std::min<std::size_t>(p.left.size(), 40); ++i)
            *out << '(' << p.left[i] << ',' << p.right[i] << ')';
    }
};
struct options {
    join_how how = join_how::inner;
    bool sorted = false, negative_is_null = false, wide = true;
};
pairs pairs_on(backend const* device, column const& l, column const& r, options o) {
    std::deque<std::vector<std::int64_t>> memory;
    join_pairs_args a;
    a.how = o.how;
    a.sorted = o.sorted;
    a.negative_is_null = o.negative_is_null;
    a.wide = o.wide;
    a.dtype = l.dtype;
    a.left = l.side();
    a.right = r.side();
    a.owner = &memory;
    a.allocate = [](void* owner, std::int64_t bytes) -> void* {
        return static_cast<std::deque<std::vector<std::int64_t>>*>(owner)
            ->emplace_back(static_cast<std::size_t>(bytes / 8 + 1))
            .data();
    };
    EXPECT_EQ(device->algorithm(0, algorithm_kind::join_pairs, &a, nullptr), status::ok) << device->last_error();
    auto const read = [&](void const* p) {
        auto const* const narrow = static_cast<std::int32_t const*>(p);
        auto const* const wide = static_cast<std::int64_t const*>(p);
        return o.wide ? rows(wide, wide + a.count) : rows(narrow, narrow + a.count);
    };
    return {read(a.left_rows), read(a.right_rows)};
}
void expect_same_pairs(column const& l, column const& r, bool negative_is_null = false) {
    for (join_how how : {join_how::inner, join_how::left, join_how::right, join_how::outer})
        for (bool sorted : {false, true}) {
            options const o{how, sorted, negative_is_null, !sorted};
            EXPECT_EQ(pairs_on(cpu_backend(), l, r, o), pairs_on(reference_backend(), l, r, o))
                << "how " << int(how) << " sorted " << sorted << " type " << int(l.dtype);
        }
}

TEST_P(joining, pairs_are_written_down) {
    auto const l = column::of<double>({3, 1, nan, 2, 1}), r = column::of<double>({1, 4, nan, 1, 3, -0.0});
    EXPECT_EQ(pairs_on(cpu_backend(), l, r, {join_how::inner}), (pairs{{0, 1, 1, 2, 4, 4}, {4, 0, 3, 2, 0, 3}}));
    EXPECT_EQ(pairs_on(cpu_backend(), l, r, {join_how::left}), (pairs{{0, 1, 1, 2, 3, 4, 4}, {4, 0, 3, 2, -1, 0, 3}}));
    EXPECT_EQ(pairs_on(cpu_backend(), l, r, {join_how::right}),
              (pairs{{1, 4, -1, 2, 1, 4, 0, -1}, {0, 0, 1, 2, 3, 3, 4, 5}}));
    EXPECT_EQ(pairs_on(cpu_backend(), l, r, {join_how::outer}),
              (pairs{{-1, 1, 1, 4, 4, 3, 0, -1, 2}, {5, 0, 3, 0, 3, -1, 4, 1, 2}}));
}

TEST_P(joining, a_missing_time_comes_first_where_keys_give_the_order) {
    for (std::int64_t far : {std::int64_t{9}, std::int64_t{1} << 50}) {
        auto const l = column::of<datetime64>({{far}, {nat}, {7}}), r = column::of<datetime64>({{7}, {nat}, {8}});
        EXPECT_EQ(pairs_on(cpu_backend(), l, r, {join_how::outer}), (pairs{{1, 2, -1, 0}, {1, 0, 2, -1}}));
        EXPECT_EQ(pairs_on(cpu_backend(), l, r, {join_how::inner, true}), (pairs{{1, 2}, {1, 0}}));
        EXPECT_EQ(pairs_on(cpu_backend(), l, r, {join_how::inner}), (pairs{{1, 2}, {1, 0}}));
    }
}

TEST_P(joining, repeated_keys_of_a_short_side_are_found_in_a_long_one) {
    std::vector<double> few, many;
    for (int i = 0; i < 700; ++i) few.push_back(i % 9 == 0 ? nan : i * 7 % 90);
    for (int i = 0; i < 3000; ++i) many.push_back(i % 11 == 0 ? nan : i * 13 % 210);
    expect_same_pairs(column::of<double>(few), column::of<double>(many));
    expect_same_pairs(column::of<double>(many), column::of<double>(few));
    std::vector<std::int64_t> dense, wide;  // the long side's keys are too far apart for a table
    for (std::int64_t i = 0; i < 700; ++i) dense.push_back(i * 5 % 60);
    for (std::int64_t i = 0; i < 3000; ++i) wide.push_back(i % 5 == 0 ? i << 40 : i % 70);
    expect_same_pairs(column::of<std::int64_t>(dense), column::of<std::int64_t>(wide));
}

TEST_P(joining, pairs_of_every_type_equal_the_reference) {
    for_each_type([&](auto sample) {
        using T = decltype(sample);
        for (auto const& [n, m] : {std::pair{0, 0}, {0, 3}, {3, 0}, {1, 1}, {70, 300}, {300, 70}})
            for (int kind : {0, 1, 2, 4, 5}) {
                auto l = column::of(random_values<T>(random, n, kind)),
                     r = column::of(random_values<T>(random, m, kind == 0 ? 1 : kind));
                expect_same_pairs(l, r);
                l.null_at([](std::int64_t i) { return i % 60 == 1; });
                expect_same_pairs(l, r);
                r.null_at([](std::int64_t i) { return i % 50 == 1; });
                expect_same_pairs(l, r);
            }
    });
}

TEST_P(joining, sparse_keys_use_a_hash_table) {
    for (std::int64_t n : {10, 100, 3000}) {
        std::vector<std::int64_t> pool, l, r;
        for (std::int64_t i = 0; i < n; ++i) pool.push_back(static_cast<std::int64_t>(random()));
        for (std::int64_t i = 0; i < 2 * n; ++i) l.push_back(pool[below(pool.size())]);
        for (std::int64_t i = 0; i < n; ++i)
            r.push_back(below(4) == 0 ? static_cast<std::int64_t>(random()) : pool[below(pool.size())]);
        auto const a = column::of(l), b = column::of(r);
        expect_same_pairs(a, b);
        expect_same_pairs(b, a);
    }
}

TEST_P(joining, negative_codes_are_null_where_asked) {
    auto const l = column::of<std::int32_t>({2, -1, 0, 2, -1, 5}), r = column::of<std::int32_t>({-1, 2, 1, 0});
    expect_same_pairs(l, r, true);
    expect_same_pairs(l, r, false);
}

TEST_P(joining, many_rows_are_joined_by_parts) {
    for (std::uint64_t range : {std::uint64_t{150'000}, std::uint64_t{1} << 60}) {
        std::vector<std::int64_t> pool, l, r;
        for (int i = 0; i < 100'000; ++i) pool.push_back(static_cast<std::int64_t>(below(range)));
        for (int i = 0; i < 200'000; ++i)
            l.push_back(pool[below(pool.size())]),
                r.push_back(pool[below(pool.size())] + static_cast<std::int64_t>(below(2)));
        auto const a = column::of(l), b = column::of(r);
        for (join_how how : {join_how::inner, join_how::left, join_how::right, join_how::outer})
            EXPECT_EQ(pairs_on(cpu_backend(), a, b, {how}), pairs_on(reference_backend(), a, b, {how})) << int(how);
    }
}

// Keys of one side that do not repeat, or nearly do not: a row of the other has one match at most.
TEST_P(joining, keys_of_one_side_do_not_repeat) {
    for (std::int64_t const step : {std::int64_t{1}, std::int64_t{3}, std::int64_t{1} << 45})
        for (std::int64_t const n : {1, 90, 2000})
            for (bool const shuffled : {false, true}) {
                rows once, many;
                for (std::int64_t i = 0; i < n; ++i) once.push_back((i - n / 2) * step);
                for (std::int64_t i = 0; i < 5 * n; ++i)
                    many.push_back((static_cast<std::int64_t>(below(static_cast<std::uint64_t>(2 * n))) - n) * step);
                if (shuffled) std::shuffle(once.begin(), once.end(), random);
                else std::sort(many.begin(), many.end());
                auto const few = rows(many.begin(), many.begin() + (n + 9) / 10);
                auto twice = once;
                twice.back() = twice.front();
                for (auto const& other : {many, few, once, rows{many.front()}})
                    for (auto const& one : {once, twice}) {
                        auto l = column::of(one), r = column::of(other);
                        expect_same_pairs(l, r);
                        expect_same_pairs(r, l);
                        l.null_at([&](std::int64_t i) { return i == n / 2; });
                        expect_same_pairs(l, r);
                        r.null_at([](std::int64_t i) { return i % 50 == 1; });
                        expect_same_pairs(l, r);
                        expect_same_pairs(r, l);
                    }
            }
}

TEST_P(joining, a_refused_allocation_is_reported) {
    auto const c = column::of<std::int64_t>({1, 2});
    join_pairs_args a;
    a.left = a.right = c.side();
    a.allocate = [](void*, std::int64_t) -> void* { return nullptr; };
    EXPECT_EQ(cpu_backend()->algorithm(0, algorithm_kind::join_pairs, &a, nullptr), status::out_of_memory);
}

}  // namespace
}  // namespace bascule::sort_join_tests

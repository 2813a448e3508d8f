// Gathering, joining and comparing strings, and null bitmaps: by hand, and the cpu device against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "bascule/core/table_algorithms_string_search.hpp"
#include "cpu/strings/string_columns.hpp"
#include "cpu/tables/group_columns.hpp"

namespace {

using namespace bascule;
using bascule::group_tests::with_threads;
using bascule::string_tests::arena;
using bascule::string_tests::owned_strings;
using bascule::string_tests::row;
using bascule::string_tests::rows;
using comparison = string_comparison;

constexpr comparison comparisons[] = {comparison::equal,      comparison::not_equal, comparison::less,
                                      comparison::less_equal, comparison::greater,   comparison::greater_equal};

rows read(string_result const& r, std::int64_t length) {
    rows out;
    std::int64_t nulls = 0;
    EXPECT_EQ(r.offsets[0], 0);
    for (std::int64_t i = 0; i < length; ++i) {
        bool const valid = r.validity == nullptr || (r.validity[i / 8] >> (i % 8) & 1) != 0;
        nulls += !valid;
        out.push_back(
            valid ? row(std::string(r.bytes + r.offsets[i], static_cast<std::size_t>(r.offsets[i + 1] - r.offsets[i])))
                  : row());
    }
    for (std::int64_t i = length; r.validity != nullptr && i % 8 != 0; ++i)
        EXPECT_EQ(r.validity[i / 8] >> (i % 8) & 1, 0);
    EXPECT_EQ(r.null_count, nulls);
    EXPECT_EQ(r.validity != nullptr, nulls > 0);
    return out;
}

rows gather(backend const& device, owned_strings const& in, std::vector<std::int64_t> const& positions) {
    arena memory;
    gather_strings_args a;
    a.nulls = true;
    a.in = in.view();
    a.positions = positions.data();
    a.length = static_cast<std::int64_t>(positions.size());
    a.owner = &memory;
    a.allocate = arena::allocate;
    EXPECT_EQ(device.algorithm(0, algorithm_kind::gather_strings, &a, nullptr), status::ok);
    return read(a.out, a.length);
}

rows concat(backend const& device, std::vector<string_column> const& parts) {
    arena memory;
    concat_strings_args a;
    a.parts = parts.data();
    a.nparts = static_cast<std::int32_t>(parts.size());
    a.owner = &memory;
    a.allocate = arena::allocate;
    EXPECT_EQ(device.algorithm(0, algorithm_kind::concat_strings, &a, nullptr), status::ok);
    return read(a.out, std::accumulate(parts.begin(), parts.end(), std::int64_t{0},
                                       [](std::int64_t n, auto const& p) { return n + p.length; }));
}

std::vector<std::uint8_t> compare(backend const& device, owned_strings const& left, owned_strings const& right,
                                  comparison op) {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(left.length), 7);
    compare_strings_args a{left.view(), right.view(), op, out.data()};
    EXPECT_EQ(device.algorithm(0, algorithm_kind::compare_strings, &a, nullptr), status::ok);
    return out;
}

void expect_gathered(owned_strings const& in, std::vector<std::int64_t> const& positions) {
    auto const wanted = gather(*reference_backend(), in, positions);
    for (int const threads : {1, 3}) {
        with_threads const scope(threads);
        EXPECT_EQ(gather(*cpu_backend(), in, positions), wanted);
    }
}
void expect_joined(std::vector<string_column> const& parts) {
    auto const wanted = concat(*reference_backend(), parts);
    for (int const threads : {1, 3}) {
        with_threads const scope(threads);
        EXPECT_EQ(concat(*cpu_backend(), parts), wanted);
    }
}
void expect_compared(owned_strings const& left, owned_strings const& right) {
    for (auto const op : comparisons) {
        auto const wanted = compare(*reference_backend(), left, right, op);
        for (int const threads : {1, 3}) {
            with_threads const scope(threads);
            EXPECT_EQ(compare(*cpu_backend(), left, right, op), wanted) << "comparison " << static_cast<int>(op);
        }
    }
}

// Lengths around 8, 16 and 32 bytes, few letters so that beginnings agree, zero bytes, letters of several bytes, some
// nulls.
rows some_rows(std::int64_t n, unsigned seed, bool nulls = true) {
    static std::string const letters[] = {"a", "b", std::string(1, '\0'), "é", "日", "\U0001F600", "\xff"};
    std::mt19937 random(seed);
    rows out;
    for (std::int64_t i = 0; i < n; ++i) {
        if (nulls && random() % 6 == 0) {
            out.push_back({});
            continue;
        }
        std::string s = random() % 3 == 0 ? "the same start " : "";
        for (unsigned k = random() % (random() % 8 == 0 ? 40 : 10); k > 0; --k)
            s += letters[random() % 20 < 13 ? 0 : random() % 7];
        if (random() % 500 == 0) s.append(5000, 'z');
        out.push_back(s);
    }
    return out;
}
std::vector<std::int64_t> some_positions(std::int64_t n, std::int64_t rows_there, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> out;
    for (std::int64_t i = 0; i < n; ++i)
        out.push_back(random() % 9 == 0 ? -1 - static_cast<std::int64_t>(random() % 5)
                                        : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(rows_there)));
    return out;
}

TEST(strings, gather_by_hand) {
    for (auto const* device : {cpu_backend(), reference_backend()}) {
        owned_strings const in({"zero", {}, "", "drei – 三"}, 3);
        EXPECT_EQ(gather(*device, in, {3, 0, -1, 1, 2, 3}), (rows{"drei – 三", "zero", {}, {}, "", "drei – 三"}));
        EXPECT_EQ(gather(*device, in, {0, 0}), (rows{"zero", "zero"}));
        EXPECT_EQ(gather(*device, in, {}), rows{});
        EXPECT_EQ(gather(*device, owned_strings(rows{}), {-1, -5}), (rows{{}, {}}));
        EXPECT_EQ(gather(*device, owned_strings(rows{row(), row()}), {1, 0, 1}), (rows{{}, {}, {}}));
    }
}

TEST(strings, positions_of_no_row_are_reported) {
    owned_strings const in({"a", {}, "b"}), none(rows{});
    auto const outcome = [](backend const& device, owned_strings const& from,
                            std::vector<std::int64_t> const& positions, bool nulls) {
        arena memory;
        gather_strings_args a;
        a.in = from.view(), a.positions = positions.data(), a.length = static_cast<std::int64_t>(positions.size());
        a.nulls = nulls, a.owner = &memory, a.allocate = arena::allocate;
        return device.algorithm(0, algorithm_kind::gather_strings, &a, nullptr);
    };
    std::vector<std::int64_t> many(100'000, 2);  // several pieces of work
    many[60'000] = 3;
    constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    for (auto const* device : {cpu_backend(), reference_backend()}) {
        EXPECT_EQ(outcome(*device, in, {0, 2, 1}, false), status::ok);
        for (auto const bad : {std::int64_t{-1}, least}) {
            EXPECT_EQ(outcome(*device, in, {0, bad}, false), status::index_error);
            EXPECT_EQ(outcome(*device, in, {0, bad}, true), status::ok);
        }
        for (auto const bad : {std::int64_t{3}, most})
            for (bool const nulls : {false, true})
                EXPECT_EQ(outcome(*device, in, {0, bad}, nulls), status::index_error);
        EXPECT_EQ(outcome(*device, in, many, true), status::index_error);
        EXPECT_EQ(outcome(*device, none, {0}, true), status::index_error);
    }
    EXPECT_NE(std::string_view(cpu_backend()->last_error()).find("index 0 is out of bounds for axis 0 with size 0"),
              std::string_view::npos);
}

TEST(strings, gather_as_the_reference) {
    for (std::int64_t const n : {1, 7, 31, 32, 33, 63, 64, 65, 1000, 40000}) {
        for (bool const nulls : {false, true}) {
            auto const values = some_rows(n, static_cast<unsigned>(n), nulls);
            owned_strings const in(values), shifted(values, 13, true);
            std::vector<std::int64_t> all(static_cast<std::size_t>(n));
            std::iota(all.begin(), all.end(), 0);
            expect_gathered(in, all);
            expect_gathered(shifted, {all.rbegin(), all.rend()});
            expect_gathered(shifted, some_positions(n + 50, n, 3));
        }
    }
}

TEST(strings, gather_more_rows_than_one_piece) {
    auto const values = some_rows(300, 5);
    expect_gathered(owned_strings(values, 1), some_positions(100000, 300, 6));
}

TEST(strings, concat_by_hand) {
    owned_strings const a({"x", {}, "yy"}, 2), none(rows{}), b({"", "ü"}), c(rows{row()}, 4);
    for (auto const* device : {cpu_backend(), reference_backend()}) {
        EXPECT_EQ(concat(*device, {a.view(), none.view(), b.view(), c.view()}), (rows{"x", {}, "yy", "", "ü", {}}));
        EXPECT_EQ(concat(*device, {b.view(), b.view()}), (rows{"", "ü", "", "ü"}));
        EXPECT_EQ(concat(*device, {}), rows{});
        EXPECT_EQ(concat(*device, {none.view(), none.view()}), rows{});
        EXPECT_EQ(concat(*device, {string_column{}}), rows{});  // no offsets at all
    }
}

TEST(strings, concat_as_the_reference) {
    std::vector<owned_strings> columns;
    for (std::int64_t const n : {3, 0, 64, 1, 127, 0, 8, 40000, 5, 20000})
        columns.emplace_back(some_rows(n, static_cast<unsigned>(n), n % 2 == 0), n % 7, n % 3 == 0);
    std::vector<string_column> parts;
    for (auto const& c : columns) {
        parts.push_back(c.view());
        expect_joined(parts);
    }
}

TEST(strings, concat_of_many_small_parts) {
    std::vector<owned_strings> columns;
    for (unsigned i = 0; i < 700; ++i) columns.emplace_back(some_rows(i % 5, i), i % 3);
    std::vector<string_column> parts;
    for (auto const& c : columns) parts.push_back(c.view());
    expect_joined(parts);
}

TEST(strings, concat_of_bytes_in_several_pieces) {
    owned_strings const a({std::string(700000, 'a'), {}, std::string(300001, 'b')}, 5), b({std::string(1, 'c')});
    expect_joined({a.view(), b.view(), a.view()});
}

TEST(strings, compare_by_hand) {
    owned_strings const left({"a", "b", "", {}, {}, "same start 1", "é", "a"}),
        right({"a", "a", "x", "a", {}, "same start 2", "z", std::string("a\0", 2)});
    using bytes = std::vector<std::uint8_t>;
    for (auto const* device : {cpu_backend(), reference_backend()}) {
        EXPECT_EQ(compare(*device, left, right, comparison::equal), (bytes{1, 0, 0, 0, 0, 0, 0, 0}));
        EXPECT_EQ(compare(*device, left, right, comparison::not_equal), (bytes{0, 1, 1, 1, 1, 1, 1, 1}));
        EXPECT_EQ(compare(*device, left, right, comparison::less), (bytes{0, 0, 1, 0, 0, 1, 0, 1}));
        EXPECT_EQ(compare(*device, left, right, comparison::less_equal), (bytes{1, 0, 1, 0, 0, 1, 0, 1}));
        EXPECT_EQ(compare(*device, left, right, comparison::greater), (bytes{0, 1, 0, 0, 0, 0, 1, 0}));
        EXPECT_EQ(compare(*device, left, right, comparison::greater_equal), (bytes{1, 1, 0, 0, 0, 0, 1, 0}));
        EXPECT_EQ(compare(*device, left, owned_strings({"a"}, 2), comparison::equal), (bytes{1, 0, 0, 0, 0, 0, 0, 1}));
        EXPECT_EQ(compare(*device, left, owned_strings(rows{row()}), comparison::not_equal), bytes(8, 1));
        EXPECT_EQ(compare(*device, owned_strings(rows{}), owned_strings(rows{}), comparison::equal), bytes{});
        EXPECT_EQ(compare(*device, owned_strings(rows{}), owned_strings({"a"}), comparison::less), bytes{});
    }
}

TEST(strings, compare_as_the_reference) {
    for (std::int64_t const n : {1, 2, 33, 3000, 40000}) {
        auto values = some_rows(n, 11), others = some_rows(n, 12);
        for (std::size_t i = 0; i < values.size(); i += 3) others[i] = values[i];
        for (std::size_t i = 0; i + 5 < values.size(); i += 5)
            if (values[i]) others[i] = *values[i] + "!";
        expect_compared(owned_strings(values, 3), owned_strings(others));
        expect_compared(owned_strings(others), owned_strings(values, 0, true));
    }
}

TEST(strings, compare_with_one_string_of_every_length) {
    owned_strings const column(some_rows(2000, 14));
    std::string const longest = "the same start aaéa日b and a little more";
    for (std::size_t n = 0; n <= longest.size(); ++n) expect_compared(column, owned_strings({longest.substr(0, n)}, 1));
    expect_compared(column, owned_strings(rows{row()}));
    // Equal in the first eight bytes and shorter than them: the order is that of the lengths.
    rows zeros;
    for (std::size_t n = 0; n < 12; ++n) zeros.push_back("ab" + std::string(n, '\0'));
    for (auto const& z : zeros) expect_compared(owned_strings(zeros), owned_strings({z}));
}

TEST(strings, compare_refuses_lengths_that_do_not_match) {
    owned_strings const two({"a", "b"}), three({"a", "b", "c"});
    std::vector<std::uint8_t> out(3);
    for (auto const* device : {cpu_backend(), reference_backend()}) {
        compare_strings_args a{two.view(), three.view(), comparison::equal, out.data()};
        EXPECT_EQ(device->algorithm(0, algorithm_kind::compare_strings, &a, nullptr), status::value_error);
        EXPECT_NE(std::string(device->last_error()).find("length"), std::string::npos);
    }
}

TEST(strings, validity_bits_there_and_back) {
    std::mt19937 random(21);
    for (std::size_t const n : {0u, 1u, 7u, 8u, 9u, 63u, 64u, 65u, 1000u, 100001u}) {
        std::vector<std::uint8_t> bytes(n);
        for (auto& b : bytes) b = static_cast<std::uint8_t>(random() % 3 == 0 ? 0 : random() % 4 == 0 ? random() : 1);
        std::vector<std::uint8_t> bits[2];
        std::int64_t nulls[2] = {};
        for (int const k : {0, 1}) {
            auto const* const device = k == 0 ? cpu_backend() : reference_backend();
            bits[k].assign((n + 7) / 8, 0xaa);
            validity_bits_args a{true, bits[k].data(), bytes.data(), static_cast<std::int64_t>(n)};
            ASSERT_EQ(device->algorithm(0, algorithm_kind::validity_bits, &a, nullptr), status::ok);
            nulls[k] = a.null_count;
            std::vector<std::uint8_t> back(n, 9);
            a = {false, bits[k].data(), back.data(), static_cast<std::int64_t>(n)};
            ASSERT_EQ(device->algorithm(0, algorithm_kind::validity_bits, &a, nullptr), status::ok);
            for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(back[i], bytes[i] != 0) << "row " << i;
        }
        EXPECT_EQ(bits[0], bits[1]);
        EXPECT_EQ(nulls[0], nulls[1]);
        EXPECT_EQ(nulls[0], std::count(bytes.begin(), bytes.end(), 0));
    }
}

TEST(strings, memory_that_is_refused_is_reported) {
    owned_strings const in({"a", {}, "b"});
    std::vector<std::int64_t> const positions{1, 2, 0};
    auto const part = in.view();
    for (auto const* device : {cpu_backend(), reference_backend()}) {
        for (int block = 0; block < 3; ++block) {
            arena one, two;
            one.refuse_at = two.refuse_at = block;
            gather_strings_args g;
            g.in = part, g.positions = positions.data(), g.length = 3, g.owner = &one, g.allocate = arena::allocate;
            EXPECT_EQ(device->algorithm(0, algorithm_kind::gather_strings, &g, nullptr), status::out_of_memory);
            concat_strings_args c;
            c.parts = &part, c.nparts = 1, c.owner = &two, c.allocate = arena::allocate;
            EXPECT_EQ(device->algorithm(0, algorithm_kind::concat_strings, &c, nullptr), status::out_of_memory);
        }
        EXPECT_TRUE(device->supports(algorithm_kind::validity_bits, type_id::bool_));
    }
}

TEST(strings, the_reference_says_that_it_makes_strings) {
    for (auto const kind :
         {algorithm_kind::find_strings, algorithm_kind::assemble_strings, algorithm_kind::replace_strings})
        EXPECT_TRUE(reference_backend()->supports(kind, type_id::bool_)) << static_cast<int>(kind);
}

// ---- finding

constexpr string_search searches[] = {string_search::first,    string_search::last,   string_search::count,
                                      string_search::at_begin, string_search::at_end, string_search::past_set,
                                      string_search::up_to_set};

std::vector<std::int64_t> find(backend const& device, owned_strings const& in, owned_strings const& needle,
                               string_search search, std::vector<std::int64_t> const& from = {}) {
    std::vector<std::int64_t> out(static_cast<std::size_t>(in.length), 77);
    find_strings_args a{in.view(), needle.view(), from.empty() ? nullptr : from.data(), search, out.data()};
    EXPECT_EQ(device.algorithm(0, algorithm_kind::find_strings, &a, nullptr), status::ok);
    return out;
}

void expect_found(owned_strings const& in, std::string const& needle, std::vector<std::int64_t> const& from = {}) {
    owned_strings const wanted(rows{row(needle)});
    for (auto const search : searches) {
        if (needle.empty() && search == string_search::count) continue;
        auto const expected = find(*reference_backend(), in, wanted, search, from);
        for (int const threads : {1, 3}) {
            with_threads const scope(threads);
            EXPECT_EQ(find(*cpu_backend(), in, wanted, search, from), expected)
                << "'" << needle << "', search " << static_cast<int>(search);
        }
    }
}

TEST(strings, needles_are_found_in_their_own_rows_alone) {
    owned_strings const in(rows{"abc", "", "cab", std::nullopt, "ab", "c", "abcabc", "bcab"}, 3, true);
    for (char const* needle : {"", "a", "c", "ab", "bc", "abc", "cab", "abcabc", "abcabcabc", "ba", "zz"})
        expect_found(in, needle);
    expect_found(owned_strings(rows{}), "a");
    expect_found(owned_strings(rows{"x", std::nullopt, "hid"}, 0, true), "hid");  // null rows have bytes: "hidden"
}

TEST(strings, needles_of_few_letters_in_many_rows) {
    std::mt19937 random(5);
    rows values;
    for (int i = 0; i < 40000; ++i) {
        std::string s;
        for (auto n = random() % 12; n > 0; --n) s += "ab z\xc3"[random() % 5];
        values.push_back(random() % 50 ? row(s) : row());
    }
    owned_strings const in(values, 5, true);
    for (char const* needle : {"a", "z", "ab", "aa", "zab", "b a", "\xc3", "abab", "aaaaa"}) expect_found(in, needle);
    std::vector<std::int64_t> from;
    for (auto const& v : values) from.push_back(static_cast<std::int64_t>(random() % (v.value_or("").size() + 1)));
    auto const first = [&](backend const* device) {
        return find(*device, in, owned_strings(rows{row("ab")}), string_search::first, from);
    };
    EXPECT_EQ(first(cpu_backend()), first(reference_backend()));
}

}  // namespace

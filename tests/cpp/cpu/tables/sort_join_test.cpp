// Sorting columns on the CPU against the reference device, and against orders written down by hand.
#include <bit>
#include <cmath>
#include <deque>
#include <memory>

#include "backend/cpu/dispatch/kernels.hpp"
#include "cpu/tables/sort_join_columns.hpp"

namespace bascule::sort_join_tests {
namespace {

struct sorting : by_path {};
INSTANTIATE_TEST_SUITE_P(paths, sorting, all_paths, path_name);

rows order_on(backend const* device, std::vector<sort_key> const& keys, std::int64_t n, bool nulls_first,
              bool wide = true) {
    rows out(static_cast<std::size_t>(n));
    std::vector<std::int32_t> narrow(out.size());
    argsort_args a;
    a.nkeys = static_cast<std::int32_t>(keys.size());
    a.keys = keys.data();
    a.length = n;
    a.nulls_first = nulls_first;
    a.wide = wide;
    a.out = wide ? static_cast<void*>(out.data()) : narrow.data();
    EXPECT_EQ(device->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::ok) << device->last_error();
    return wide ? out : rows(narrow.begin(), narrow.end());
}
void expect_same_order(std::vector<sort_key> keys, std::int64_t n) {
    for (int flags = 0; flags < 4; ++flags) {
        for (std::size_t k = 0; k < keys.size(); ++k) keys[k].ascending = ((flags >> (k % 2)) & 1) == 0;
        for (bool first : {false, true})
            EXPECT_EQ(order_on(cpu_backend(), keys, n, first, first), order_on(reference_backend(), keys, n, first))
                << "n " << n << " flags " << flags;
    }
}

constexpr std::int64_t sizes[] = {0, 1, 2, 24, 25, 63, 64, 65, 300, 1500};

// ---- order of rows
TEST_P(sorting, order_of_floats_is_written_down) {
    auto const c = column::of<double>({nan, 0.0, -0.0, -inf, inf, 1.5, -1.5, nan, 0.0});
    EXPECT_EQ(order_on(cpu_backend(), {c.key()}, 9, false), (rows{3, 6, 1, 2, 8, 5, 4, 0, 7}));
    EXPECT_EQ(order_on(cpu_backend(), {c.key(false)}, 9, false), (rows{4, 5, 1, 2, 8, 6, 3, 0, 7}));
    EXPECT_EQ(order_on(cpu_backend(), {c.key()}, 9, true), (rows{0, 7, 3, 6, 1, 2, 8, 5, 4}));
}

TEST_P(sorting, order_of_strings_is_written_down) {
    using namespace std::string_literals;
    auto const c = column::text(
        {"b", "", "a\0"s, "a", "same prefix, long", "same prefix, lone", "same pr", "same pre", "\xff", "a\0b"s});
    EXPECT_EQ(order_on(cpu_backend(), {c.key()}, c.length, false), (rows{1, 3, 2, 9, 0, 6, 7, 5, 4, 8}));
    EXPECT_EQ(order_on(cpu_backend(), {c.key(false)}, c.length, false), (rows{8, 4, 5, 7, 6, 0, 9, 2, 3, 1}));
}

template <class T> std::vector<column> columns_of(std::mt19937_64& random, std::int64_t n) {
    std::vector<column> result;
    for (int kind = 0; kind < 6; ++kind)
        result.push_back(column::of(random_values<T>(random, n, kind), id_of<T>::value));
    return result;
}

TEST_P(sorting, order_of_every_type_equals_the_reference) {
    for_each_type([&](auto sample) {
        for (std::int64_t n : sizes)
            for (column& c : columns_of<decltype(sample)>(random, n)) {
                expect_same_order({c.key()}, n);
                if (n > 300) continue;
                c.null_at([&](std::int64_t i) { return i % 3 == 1; });
                expect_same_order({c.key()}, n);
            }
    });
}

TEST_P(sorting, extreme_integers_with_nulls_need_two_levels) {
    for (std::int64_t n : {6, 400}) {
        std::vector<std::int64_t> v;
        std::int64_t const choices[] = {std::numeric_limits<std::int64_t>::min(),
                                        std::numeric_limits<std::int64_t>::max(), 0, -1};
        for (std::int64_t i = 0; i < n; ++i) v.push_back(choices[below(4)]);
        auto c = column::of(v);
        c.null_at([](std::int64_t i) { return i % 5 == 2; });
        expect_same_order({c.key()}, n);
        expect_same_order({c.key(), c.key()}, n);
    }
}

// Columns that move along: `wide` of eight bytes an item, and others.
struct carried {
    std::vector<std::vector<std::uint64_t>> in, out;
    std::vector<carried_column> columns;
    carried(std::int64_t n, int wide, std::vector<int> small) {
        small.insert(small.begin(), static_cast<std::size_t>(wide), 8);
        std::uint64_t x = 1;
        for (int const bytes : small) {
            for (auto* side : {&in, &out}) side->emplace_back(static_cast<std::size_t>(n));
            for (auto& item : in.back()) item = x *= 0x9e3779b97f4a7c15u;
            columns.push_back({in.back().data(), out.back().data(), bytes});
        }
    }
    std::vector<std::vector<std::uint64_t>> take() {
        auto result = out;
        for (auto& o : out) std::fill(o.begin(), o.end(), 0);
        return result;
    }
};

// Bits, not values: which NaN it was, and the sign of a zero.
template <class T> void expect_sorted_values(std::vector<T> const& v) {
    auto const c = column::of(v);
    auto const n = static_cast<std::int64_t>(v.size());
    for (int flags = 0; flags < 8; ++flags) {
        auto const key = c.key((flags & 1) == 0);
        bool const first = (flags & 2) != 0, wide = (flags & 4) != 0;
        std::vector<T> got(v.size(), T{}), wanted = got;
        rows positions(v.size());
        argsort_args a;
        a.nkeys = 1, a.keys = &key, a.length = n, a.nulls_first = first, a.wide = wide, a.out = positions.data();
        a.sorted = got.data();
        carried along(n, flags % 3, {1 << (flags % 3)});
        a.carried = along.columns.data(), a.ncarried = static_cast<std::int32_t>(along.columns.size());
        ASSERT_EQ(cpu_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::ok);
        EXPECT_TRUE(!wide || positions == order_on(reference_backend(), {key}, n, first)) << "n " << n;
        auto const moved = along.take();
        a.sorted = wanted.data();
        ASSERT_EQ(reference_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::ok);
        EXPECT_EQ(moved, along.take()) << "n " << n << " flags " << flags;
        EXPECT_EQ(std::memcmp(got.data(), wanted.data(), v.size() * sizeof(T)), 0) << "n " << n << " flags " << flags;
    }
}
TEST_P(sorting, the_key_comes_in_order_bit_by_bit) {
    for_each_type([&](auto sample) {
        using T = decltype(sample);
        for (std::int64_t n : {1, 2, 65, 700, 3000})
            for (int kind = 0; kind < (n > 700 ? 2 : 6); ++kind)
                expect_sorted_values(random_values<T>(random, n, kind));
    });
}
TEST_P(sorting, zeros_and_nan_in_order_are_those_of_their_rows) {
    auto const payload = [](std::uint64_t bits) { return std::bit_cast<double>(0x7ff8000000000000u | bits); };
    for (std::int64_t n : {9, 700, 40'000}) {
        std::vector<double> doubles;
        std::vector<float> floats;
        std::vector<datetime64> times;
        for (std::int64_t i = 0; i < n; ++i) {
            double const choices[] = {0.0, -0.0, nan, -nan, inf, -inf, 5e-324, -5e-324, payload(below(1000)), 1.5};
            doubles.push_back(choices[below(10)]);
            floats.push_back(
                std::bit_cast<float>(static_cast<std::uint32_t>(below(3) == 0 ? random() : below(2) << 31)));
            times.push_back({below(4) == 0 ? nat : static_cast<std::int64_t>(below(3)) - 1});
        }
        expect_sorted_values(doubles);
        if (n > 700) continue;
        expect_sorted_values(floats);
        expect_sorted_values(times);
        for (auto& x : doubles) x = std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | below(3) << 62);
        expect_sorted_values(doubles);
    }
}
TEST_P(sorting, values_in_order_are_of_one_plain_key) {
    auto c = column::of<double>({1, 2});
    auto const text = column::text({"a", "b"});
    rows positions(2), values(2);
    auto const status_of = [&](std::vector<sort_key> const& keys) {
        argsort_args a;
        a.nkeys = static_cast<std::int32_t>(keys.size()), a.keys = keys.data(), a.length = 2;
        a.out = positions.data(), a.sorted = values.data();
        return cpu_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr);
    };
    EXPECT_EQ(status_of({c.key()}), status::ok);
    EXPECT_EQ(status_of({c.key(), c.key()}), status::value_error);
    EXPECT_EQ(status_of({text.key()}), status::value_error);
    c.null_at([](std::int64_t i) { return i == 0; });
    EXPECT_EQ(status_of({c.key()}), status::value_error);
}
TEST_P(sorting, rows_move_along_with_several_keys_and_strings) {
    for (std::int64_t n : {3, 700, 5000}) {
        auto const few = column::of(random_values<std::int8_t>(random, n, 1));
        auto const x = column::of(random_values<double>(random, n, 0));
        std::vector<std::string> names;
        for (std::int64_t i = 0; i < n; ++i) names.push_back("a common beginning " + std::to_string(below(300)));
        auto const text = column::text(names);
        for (auto const& keys : {std::vector{few.key(), x.key()}, {text.key(), x.key()}, {x.key()}, {few.key()}})
            for (int const wide : {0, 1, 2}) {
                carried along(n, wide, {2});
                rows positions(names.size());
                argsort_args a;
                a.nkeys = static_cast<std::int32_t>(keys.size()), a.keys = keys.data(), a.length = n;
                a.out = positions.data();
                a.carried = along.columns.data(), a.ncarried = wide + 1;
                ASSERT_EQ(cpu_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::ok);
                auto const moved = along.take();
                EXPECT_EQ(positions, order_on(reference_backend(), keys, n, false));
                ASSERT_EQ(reference_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::ok);
                EXPECT_EQ(moved, along.take());
            }
    }
}
TEST_P(sorting, only_so_much_moves_along) {
    auto const c = column::of<double>({1, 2});
    auto const key = c.key();
    rows positions(2);
    for (auto const& [wide, small] : {std::pair{3, std::vector<int>{}}, {0, {4, 4}}, {0, {3}}}) {
        carried along(2, wide, small);
        argsort_args a;
        a.nkeys = 1, a.keys = &key, a.length = 2, a.out = positions.data();
        a.carried = along.columns.data(), a.ncarried = static_cast<std::int32_t>(along.columns.size());
        EXPECT_EQ(cpu_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::value_error);
    }
}

TEST_P(sorting, several_keys_pack_into_levels) {
    for (std::int64_t n : {2, 65, 700, 6000}) {
        auto few = column::of(random_values<std::int8_t>(random, n, 1));
        auto x = column::of(random_values<double>(random, n, 5)),
             y = column::of(random_values<std::int64_t>(random, n, 0));
        auto many = column::of(random_values<std::int32_t>(random, n, 1));
        few.null_at([](std::int64_t i) { return i % 7 == 0; });
        expect_same_order({few.key(), x.key()}, n);
        expect_same_order({few.key(), y.key(), x.key()}, n);
        expect_same_order({many.key(), few.key(), x.key(), y.key()}, n);
        expect_same_order({x.key(), x.key(), few.key()}, n);
    }
}

TEST_P(sorting, strings_are_distinguished_level_by_level) {
    for (std::int64_t n : {1, 50, 700, 3000}) {
        std::vector<std::string> codes, prefixed, nested, same;
        for (std::int64_t i = 0; i < n; ++i) {
            codes.push_back("id" + std::to_string(100 + below(40)));
            prefixed.push_back(std::string("a long common beginning ") + std::to_string(below(20)) +
                               std::string(below(3), 'x') + "tail" + std::to_string(below(4)));
            nested.push_back(std::string(below(60), 'a') + std::string(below(2), '\0'));
            same.push_back("one and the same text");
        }
        auto y = column::of(random_values<std::int64_t>(random, n, 0));
        for (auto const* v : {&codes, &prefixed, &nested, &same}) {
            auto c = column::text(*v);
            expect_same_order({c.key()}, n);
            expect_same_order({c.key(), y.key()}, n);
            c.null_at([](std::int64_t i) { return i % 4 == 3; });
            expect_same_order({c.key(), y.key()}, n);
            expect_same_order({y.key(), c.key()}, n);
        }
    }
}

TEST_P(sorting, equal_long_strings_need_no_deep_stack) {
    auto const c = column::text(
        {std::string(3'000'000, 'q') + "b", std::string(3'000'000, 'q') + "a", "r", std::string(3'000'000, 'q') + "b"});
    EXPECT_EQ(order_on(cpu_backend(), {c.key()}, 4, false), (rows{1, 0, 3, 2}));
}

TEST_P(sorting, many_rows_are_split_into_pieces) {
    std::int64_t const n = 270'000;
    std::normal_distribution<double> normal;
    std::vector<double> bell, heavy;
    for (std::int64_t i = 0; i < n; ++i) {
        bell.push_back(normal(random));
        heavy.push_back(below(100) < 90 ? 0.25 : normal(random) * 1e100);
    }
    auto few = column::of(random_values<std::int64_t>(random, n, 1));
    for (auto const* v : {&bell, &heavy}) {
        auto const c = column::of(*v);
        EXPECT_EQ(order_on(cpu_backend(), {c.key()}, n, false), order_on(reference_backend(), {c.key()}, n, false));
        EXPECT_EQ(order_on(cpu_backend(), {few.key(), c.key(false)}, n, false, false),
                  order_on(reference_backend(), {few.key(), c.key(false)}, n, false));
    }
}

TEST_P(sorting, rows_of_a_matrix_are_sorted_each_by_itself) {
    for (std::int64_t rows_count : {3, 200})
        for (std::int64_t n : {0, 1, 40, 500}) {
            auto const values = random_values<float>(random, rows_count * n, 5);
            auto const c = column::of(values);
            auto const key = c.key();
            rows got(values.size()), wanted(values.size());
            argsort_args a;
            a.nkeys = 1;
            a.keys = &key;
            a.length = n;
            a.rows = rows_count;
            a.out = got.data();
            ASSERT_EQ(cpu_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::ok);
            a.out = wanted.data();
            ASSERT_EQ(reference_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::ok);
            EXPECT_EQ(got, wanted);
        }
}

TEST_P(sorting, complex_keys_are_refused) {
    auto const c = column::of<complex<double>>({{1, 2}});
    auto const key = c.key();
    rows out(1);
    argsort_args a;
    a.nkeys = 1;
    a.keys = &key;
    a.length = 1;
    a.out = out.data();
    EXPECT_EQ(cpu_backend()->algorithm(0, algorithm_kind::argsort, &a, nullptr), status::not_supported);
    EXPECT_TRUE(cpu_backend()->supports(algorithm_kind::join_pairs, type_id::int64));
}

// ---- values
template <class T> bool alike(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a == b || (std::isnan(a) && std::isnan(b));
    else if constexpr (std::is_same_v<T, float16>)
        return a.bits == b.bits || ((a.bits & 0x7fff) > 0x7c00 && (b.bits & 0x7fff) > 0x7c00) ||
               ((a.bits | b.bits) & 0x7fff) == 0;
    else return std::memcmp(&a, &b, sizeof a) == 0;
}
TEST_P(sorting, values_of_every_type_are_sorted) {
    for_each_type([&](auto sample) {
        using T = decltype(sample);
        for (std::int64_t n : {0, 1, 2, 24, 25, 64, 65, 300, 2000, 40'000})
            for (int kind = 0; kind < (n > 2000 ? 2 : 6); ++kind) {
                auto values = random_values<T>(random, n, kind), wanted = values;
                sort_args a{id_of<T>::value, values.data(), wanted.data(), n, 1};
                ASSERT_EQ(reference_backend()->algorithm(0, algorithm_kind::sort, &a, nullptr), status::ok);
                a.out = values.data();  // in place
                ASSERT_EQ(cpu_backend()->algorithm(0, algorithm_kind::sort, &a, nullptr), status::ok);
                for (std::size_t i = 0; i < values.size(); ++i)
                    ASSERT_TRUE(alike(values[i], wanted[i]))
                        << "type " << int(a.dtype) << " n " << n << " kind " << kind << " at " << i;
            }
    });
}
TEST_P(sorting, zeros_keep_their_signs_and_nan_goes_last) {
    std::vector<double> v{nan, 0.0, -0.0, -nan, -1, 0.0, inf};
    sort_args a{type_id::float64, v.data(), v.data(), 7, 1};
    ASSERT_EQ(cpu_backend()->algorithm(0, algorithm_kind::sort, &a, nullptr), status::ok);
    EXPECT_EQ(v[0], -1);
    EXPECT_TRUE(std::signbit(v[1]) && v[1] == 0 && !std::signbit(v[2]) && !std::signbit(v[3]));
    EXPECT_TRUE(v[4] == inf && std::isnan(v[5]) && std::isnan(v[6]));
}

TEST_P(sorting, every_instruction_set_gives_the_same_bytes) {
    auto const* const active = cpu::active_kernels();
    for_each_type([&](auto sample) {
        using T = decltype(sample);
        for (std::int64_t n = 0; n < 90'000; n = n < 600 ? n + 7 : 3 * n)
            for (int kind = 0; kind < (n > 2000 ? 2 : 6); ++kind) {
                auto const values = random_values<T>(random, n, kind);
                std::vector<T> wanted;
                for (char const* isa : {"baseline", "avx2", "avx512"}) {
                    auto const* const kernels = cpu::kernels_of(isa);
                    if (!kernels) continue;
                    cpu::use_kernels(kernels);
                    std::vector<T> sorted(values.size());
                    sort_args a{id_of<T>::value, values.data(), sorted.data(), n, 1};
                    ASSERT_EQ(cpu_backend()->algorithm(0, algorithm_kind::sort, &a, nullptr), status::ok);
                    if (wanted.empty()) wanted = sorted;
                    ASSERT_TRUE(n == 0 || std::memcmp(sorted.data(), wanted.data(), sorted.size() * sizeof(T)) == 0)
                        << isa << " type " << int(a.dtype) << " n " << n << " kind " << kind;
                }
            }
    });
    cpu::use_kernels(active);
}
TEST_P(sorting, many_values_with_many_equal_ones_are_sorted) {
    for (std::int64_t distinct : {1, 2, 70'000})
        for (bool with_nan : {false, true}) {
            std::vector<double> v(300'000);
            for (auto& x : v) x = with_nan && below(5) == 0 ? nan : 1e-3 * double(below(std::uint64_t(distinct))) - 20;
            auto wanted = v;
            auto const end = std::partition(wanted.begin(), wanted.end(), [](double x) { return x == x; });
            std::sort(wanted.begin(), end);
            sort_args a{type_id::float64, v.data(), v.data(), static_cast<std::int64_t>(v.size()), 1};
            ASSERT_EQ(cpu_backend()->algorithm(0, algorithm_kind::sort, &a, nullptr), status::ok);
            for (std::size_t i = 0; i < v.size(); ++i) ASSERT_TRUE(alike(v[i], wanted[i])) << distinct << " at " << i;
        }
}

}  // namespace
}  // namespace bascule::sort_join_tests

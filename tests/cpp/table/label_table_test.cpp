#include "bascule/table/label_table.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "bascule/table/labels.hpp"
#include "table/columns.hpp"

namespace bascule::testing {
namespace {

using table::column_ref;
using table::label_key;
using table::label_table;
using table::labels;
using rows = std::vector<std::int64_t>;

template <class T> label_key word(T v) {
    label_key k;
    k.kind = label_key::what::word;
    EXPECT_TRUE(table::label_word(id_of<T>::value, v, k.word));
    return k;
}
rows all(label_table const& t, label_key const& k) {
    auto const found = t.find({&k, 1});
    rows r(static_cast<std::size_t>(found.count));
    if (found.count) t.write(found, r.data());
    return r;
}

TEST(label_table, rows_of_random_numbers) {
    std::mt19937_64 random(3);
    std::vector<std::int64_t> v(5000);
    for (auto& x : v) x = static_cast<std::int64_t>(random() % 2000) - 1000;
    column_ref const levels[] = {column_of(v)};
    label_table t(levels, false);
    EXPECT_FALSE(t.is_ready());
    t.prepare();
    EXPECT_TRUE(t.is_hashed());
    EXPECT_FALSE(t.is_unique());
    for (std::int64_t k = -1010; k < 1010; ++k) {
        rows expected;
        for (std::size_t i = 0; i < v.size(); ++i)
            if (v[i] == k) expected.push_back(static_cast<std::int64_t>(i));
        EXPECT_EQ(all(t, word(k)), expected);
    }
}

TEST(label_table, sorted_labels_are_searched_until_a_table_pays) {
    std::vector<std::int64_t> v(3000);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<std::int64_t>(i / 3) * 2;
    column_ref const levels[] = {column_of(v)};
    label_table t(levels, true);
    for (int round = 0; round < 2; ++round) {
        for (std::int64_t k = -1; k < 2001; ++k) {
            if (!t.is_ready()) t.prepare();
            rows const expected = k < 0 || k % 2 || k > 1998 ? rows{} : rows{k / 2 * 3, k / 2 * 3 + 1, k / 2 * 3 + 2};
            EXPECT_EQ(all(t, word(k)), expected);
        }
    }
    EXPECT_TRUE(t.is_hashed());
}

TEST(label_table, floats_have_one_zero_and_one_nan) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    column_ref const levels[] = {column_of<double>({0.0, nan, 2.5, -0.0, -nan})};
    label_table t(levels, false);
    t.prepare();
    EXPECT_EQ(all(t, word(-0.0)), (rows{0, 3}));
    EXPECT_EQ(all(t, word(nan)), (rows{1, 4}));
    EXPECT_EQ(all(t, word(2.5)), (rows{2}));
    EXPECT_EQ(all(t, word(2.0)), rows{});
}

TEST(label_table, words_of_what_a_type_cannot_hold) {
    std::uint64_t w = 0;
    EXPECT_FALSE(table::label_word(type_id::int8, std::int64_t{128}, w));
    EXPECT_FALSE(table::label_word(type_id::uint64, std::int64_t{-1}, w));
    EXPECT_FALSE(table::label_word(type_id::int64, 2.5, w));
    EXPECT_FALSE(table::label_word(type_id::int64, 9223372036854775808.0, w));
    EXPECT_FALSE(table::label_word(type_id::int64, std::numeric_limits<double>::quiet_NaN(), w));
    EXPECT_TRUE(table::label_word(type_id::uint64, 9223372036854775808.0, w));
    EXPECT_EQ(w, std::uint64_t{1} << 63);
    EXPECT_TRUE(table::label_word(type_id::int64, -3.0, w));
    EXPECT_EQ(static_cast<std::int64_t>(w), -3);
}

TEST(label_table, eight_threads_at_once) {
    std::vector<std::int64_t> v(20000);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<std::int64_t>(i * 7919 % 20011);
    labels const l(std::vector<column_ref>{column_of(v)});
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            for (std::size_t i = 0; i < v.size(); i += 13) {
                if (!l.is_ready()) l.prepare();
                label_key k;
                k.kind = label_key::what::word, k.word = static_cast<std::uint64_t>(v[i]);
                auto const found = l.rows_of({&k, 1});
                wrong += found.count != 1 || found.first != static_cast<std::int64_t>(i);
            }
        });
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace bascule::testing

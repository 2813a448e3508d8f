// count_tokens: by hand, and the cpu device against the reference's regular expressions and maps.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "bascule/core/table_algorithms_tokens.hpp"
#include "cpu/strings/string_columns.hpp"
#include "cpu/tables/group_columns.hpp"

namespace {

using namespace bascule;
using bascule::group_tests::with_threads;
using bascule::string_tests::arena;
using bascule::string_tests::owned_strings;
using bascule::string_tests::row;
using bascule::string_tests::rows;
using entries = std::vector<std::pair<std::int32_t, std::int32_t>>;

struct counted {
    std::vector<entries> rows;
    std::vector<std::string> terms;
    bool operator==(counted const&) const = default;
};

counted count(backend const& device, rows const& documents, count_tokens_args a, rows const& stop_words = {},
              rows const& vocabulary = {}) {
    owned_strings const in(documents, 3, true), stop(stop_words), known(vocabulary);
    std::vector<std::int64_t> starts(documents.size() + 1, -7);
    arena memory;
    a.in = in.view(), a.stop_words = stop.view(), a.vocabulary = known.view(), a.starts = starts.data();
    a.owner = &memory, a.allocate = arena::allocate;
    EXPECT_EQ(device.algorithm(0, algorithm_kind::count_tokens, &a, nullptr), status::ok);
    counted out;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        out.rows.emplace_back();
        for (auto k = starts[i]; k < starts[i + 1]; ++k) out.rows.back().emplace_back(a.indices[k], a.counts[k]);
    }
    if (a.columns == token_columns::discovered)
        for (std::int64_t k = 0; k < a.nterms; ++k)
            out.terms.emplace_back(a.terms.bytes + a.terms.offsets[k], a.terms.bytes + a.terms.offsets[k + 1]);
    return out;
}

count_tokens_args discovered(std::int32_t least = 1, std::int32_t most = 1) {
    count_tokens_args a;
    a.columns = token_columns::discovered, a.least = least, a.most = most;
    return a;
}

TEST(tokens, terms_are_runs_of_two_letters_or_more_in_lower_case) {
    auto const out = count(*cpu_backend(), {"The cat, the_dog -a b2 THE.", {}, "", "!?"}, discovered());
    EXPECT_EQ(out.terms, (std::vector<std::string>{"the", "cat", "the_dog", "b2"}));
    EXPECT_EQ(out.rows, (std::vector<entries>{{{0, 2}, {1, 1}, {2, 1}, {3, 1}}, {}, {}, {}}));
}

TEST(tokens, n_grams_are_made_of_the_tokens_that_are_no_stop_words) {
    auto const out = count(*cpu_backend(), {"one of two of three", "two"}, discovered(1, 2), {"of"});
    EXPECT_EQ(out.terms, (std::vector<std::string>{"one", "two", "three", "one two", "two three"}));
    EXPECT_EQ(out.rows[1], (entries{{1, 1}}));
}

TEST(tokens, documents_that_are_cut_already_are_counted_as_they_are) {
    using namespace std::string_literals;
    auto const out = count(*cpu_backend(), {"\0The\0a b\0The"s, "\0"s, "the"s}, discovered());
    EXPECT_EQ(out.terms, (std::vector<std::string>{"The", "a b", "", "the"}));
    EXPECT_EQ(out.rows, (std::vector<entries>{{{0, 2}, {1, 1}}, {{2, 1}}, {{3, 1}}}));
}

TEST(tokens, a_given_vocabulary_numbers_terms_and_leaves_others_out) {
    count_tokens_args a;
    a.columns = token_columns::given;
    auto const out = count(*cpu_backend(), {"cat dog bird dog"}, a, {}, {"dog", "fish", "cat"});
    EXPECT_EQ(out.rows, (std::vector<entries>{{{0, 2}, {2, 1}}}));
}

TEST(tokens, signs_of_hashes_cancel_out_and_leave_an_entry) {
    count_tokens_args a;
    a.hashed_columns = 1, a.signs = true;
    std::map<int, int> seen;
    for (auto const* text : {"aa bb", "cc dd", "ee ff", "gg hh", "ii jj", "kk ll"}) {
        auto const out = count(*cpu_backend(), {text}, a);
        ASSERT_EQ(out.rows[0].size(), 1U);
        ++seen[out.rows[0][0].second];
    }
    EXPECT_GT(seen[0], 0);
    EXPECT_GT(seen[2] + seen[-2], 0);
}

rows some_documents(std::mt19937& random, std::size_t count) {
    static std::string const bytes = "aAbB_c9 .,\t-zZ";
    rows made;
    for (std::size_t i = 0; i < count; ++i) {
        if (random() % 20 == 0) {
            made.emplace_back();
            continue;
        }
        std::string text(random() % 90, ' ');
        for (char& c : text) c = bytes[random() % bytes.size()];
        if (random() % 8 == 0)
            for (std::size_t k = 0; k < text.size(); k += 1 + random() % 5) text[k] = before_term;
        made.push_back(text);
    }
    return made;
}

TEST(tokens, the_cpu_counts_what_the_reference_counts_for_any_number_of_threads) {
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        auto const documents = some_documents(random, random() % 300);
        rows const stop = round % 3 ? rows{} : rows{"ab", "ba", "aa"};
        rows const vocabulary{"aa", "ab", "b_", "zz", "aa ab", "9a"};
        count_tokens_args a;
        a.least = 1 + round % 2, a.most = a.least + round % 3, a.lower_case = round % 5 != 0;
        a.columns = static_cast<token_columns>(round % 3);
        a.hashed_columns = round % 4 ? 1 + static_cast<std::int64_t>(random() % 50) : 0x7fffffff,
        a.signs = round % 2 != 0;
        auto const expected = count(*reference_backend(), documents, a, stop, vocabulary);
        for (int threads : {1, 3}) {
            with_threads const scope(threads);
            EXPECT_EQ(count(*cpu_backend(), documents, a, stop, vocabulary), expected) << round;
        }
    }
}

TEST(tokens, refused_memory_is_an_error) {
    for (int refused : {0, 1, 2, 3}) {
        owned_strings const in({"some words", "more words"}, 0);
        std::vector<std::int64_t> starts(3);
        arena memory{{}, refused};
        auto a = discovered();
        a.in = in.view(), a.starts = starts.data(), a.owner = &memory, a.allocate = arena::allocate;
        EXPECT_EQ(cpu_backend()->algorithm(0, algorithm_kind::count_tokens, &a, nullptr), status::out_of_memory);
    }
}

}  // namespace

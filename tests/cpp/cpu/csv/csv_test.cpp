// Reading CSV text against hand-written expectations: pandas' results for the same text.
#include "bascule/io/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "backend/cpu/csv/read_plan.hpp"
#include "backend/cpu/csv/values.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace {

using namespace bascule;
using namespace bascule::io;
using words = std::vector<std::string>;

// Each test runs with whole inputs in one chunk, and with chunks so small that chunks end at every kind of position.
struct csv : testing::TestWithParam<std::int64_t> {
    int const threads = sched::thread_count();
    std::int64_t const chunk = cpu::csv::csv_chunk_bytes();
    void SetUp() override {
        cpu::csv::set_csv_chunk_bytes(GetParam());
        sched::set_thread_count(4);
    }
    void TearDown() override {
        cpu::csv::set_csv_chunk_bytes(chunk);
        sched::set_thread_count(threads);
    }
};
INSTANTIATE_TEST_SUITE_P(chunks, csv, testing::Values(1, 2, 3, 5, 7, 16, 64, 65, 1000, 262144),
                         [](auto const& info) { return std::to_string(info.param); });

std::string shown(double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", v);
    return std::isnan(v) ? "nan" : text;
}

// A column as words, one a row: "int64", then the values.
words column(csv_table const& t, std::int64_t i) {
    csv_column const& c = t.column(i);
    char const* const kinds[] = {"automatic", "int64", "uint64", "float64", "bool", "str", "date"};
    words out{kinds[static_cast<int>(c.kind)]};
    std::int64_t nulls = 0;
    for (std::int64_t row = 0; row < t.rows(); ++row) {
        bool const valid = !c.validity || (c.validity[row / 8] >> (row % 8) & 1);
        std::int64_t const integer =
            c.kind == csv_kind::text || c.kind == csv_kind::boolean ? 0 : static_cast<std::int64_t const*>(c.data)[row];
        std::string text;
        if (!valid) text = "<null>";
        else if (c.kind == csv_kind::int64) text = std::to_string(integer);
        else if (c.kind == csv_kind::uint64) text = std::to_string(static_cast<std::uint64_t>(integer));
        else if (c.kind == csv_kind::float64) text = shown(static_cast<double const*>(c.data)[row]);
        else if (c.kind == csv_kind::boolean) text = static_cast<bool const*>(c.data)[row] ? "True" : "False";
        else if (c.kind == csv_kind::date) text = integer == nat ? "NaT" : std::to_string(integer);
        else
            text = std::string(static_cast<char const*>(c.data) + c.offsets[row],
                               static_cast<std::size_t>(c.offsets[row + 1] - c.offsets[row]));
        nulls += text == "<null>" || text == "nan" || (c.kind == csv_kind::date && text == "NaT");
        out.push_back(text);
    }
    EXPECT_EQ(c.null_count, nulls);
    return out;
}
words one(std::string const& text, csv_options const& o = {}) { return column(read_csv_text(text, o), 0); }
words names(csv_table const& t) {
    words out;
    for (std::int64_t i = 0; i < t.size(); ++i) out.push_back(t.is_named(i) ? std::string(t.name(i)) : "-");
    return out;
}
std::string failure(std::string const& text, csv_options const& o = {}) {
    try {
        read_csv_text(text, o);
    } catch (csv_error const& e) { return e.python_class + ": " + e.what(); }
    return "none";
}
csv_options dates() {
    csv_options o;
    o.kinds_by_position = {csv_kind::date};
    return o;
}

TEST_P(csv, types_are_inferred_from_the_whole_column) {
    EXPECT_EQ(one("a,z\n1,z\n-2,z\n"), (words{"int64", "1", "-2"}));
    EXPECT_EQ(one("a,z\n1,z\n,z\n"), (words{"float64", "1", "nan"}));
    EXPECT_EQ(one("a,z\n1,z\n2.5,z\n"), (words{"float64", "1", "2.5"}));
    EXPECT_EQ(one("a,z\ntRuE,z\nFALSE,z\n"), (words{"bool", "True", "False"}));
    EXPECT_EQ(one("a,z\nTrue,z\n1,z\n"), (words{"str", "True", "1"}));
    EXPECT_EQ(one("a,z\n1.5,z\nTrue,z\n"), (words{"str", "1.5", "True"}));
    EXPECT_EQ(one("a,z\nNA,z\nnull,z\n"), (words{"float64", "nan", "nan"}));
    EXPECT_EQ(one("a,z\nx,z\n\"\",z\nNA,z\n"), (words{"str", "x", "<null>", "<null>"}));
    EXPECT_EQ(one("a,z\n+1,z\n 2,z\n3 ,z\n00012,z\n"), (words{"int64", "1", "2", "3", "12"}));
    EXPECT_EQ(one("a,z\n True,z\nFalse,z\n"), (words{"str", " True", "False"}));
}

TEST_P(csv, integers_at_the_limits) {
    EXPECT_EQ(one("a,z\n-9223372036854775808,z\n9223372036854775807,z\n"),
              (words{"int64", "-9223372036854775808", "9223372036854775807"}));
    EXPECT_EQ(one("a,z\n9223372036854775808,z\n1,z\n"), (words{"uint64", "9223372036854775808", "1"}));
    EXPECT_EQ(one("a,z\n1,z\n18446744073709551615,z\n"), (words{"uint64", "1", "18446744073709551615"}));
    EXPECT_EQ(one("a,z\n9223372036854775808,z\n-1,z\n"), (words{"str", "9223372036854775808", "-1"}));
    EXPECT_EQ(one("a,z\n9223372036854775808,z\nNA,z\n-1,z\n"), (words{"str", "9223372036854775808", "NA", "-1"}));
    EXPECT_EQ(one("a,z\n9223372036854775808,z\n-1,z\n1.5,z\n"),
              (words{"float64", "9.2233720368547758e+18", "-1", "1.5"}));
    csv_table const huge = read_csv_text("a,z\n18446744073709551616,z\n-1,z\n");
    EXPECT_EQ(column(huge, 0), (words{"str", "18446744073709551616", "-1"}));
    EXPECT_EQ(huge.column(0).remark, csv_remark::huge_integers);
    EXPECT_EQ(one("a,z\n0.1e1,z\n12345678901234567890123,z\n"), (words{"float64", "1", "1.2345678901234568e+22"}));
}

TEST_P(csv, floats_in_every_form) {
    EXPECT_EQ(one("a,z\n1.,z\n.5,z\n-0.0,z\n+1.5,z\n 2.5 ,z\n1e5,z\n1E+5,z\n1e400,z\n-1e-400,z\ninf,z\n-Infinity,z\n"),
              (words{"float64", "1", "0.5", "-0", "1.5", "2.5", "100000", "100000", "inf", "-0", "inf", "-inf"}));
    for (char const* w : {"1e", ".", "-", "0x10", "1_0", "1d5", "--1", "1e5.5", "- 1", "1.5.2", "1a", "NaT"})
        EXPECT_EQ(one(std::string("a,z\n1,z\n") + w + ",z\n"), (words{"str", "1", w})) << w;
}

TEST_P(csv, booleans_with_nulls_are_remarked) {
    csv_table const t = read_csv_text("a,z\nTrue,z\n,z\nfalse,z\n");
    EXPECT_EQ(column(t, 0), (words{"bool", "True", "<null>", "False"}));
    EXPECT_EQ(t.column(0).remark, csv_remark::boolean_nulls);
}

TEST_P(csv, quotes_by_pandas_rules) {
    csv_table const t = read_csv_text("a,b\n\"x\"\"y\",\"p\nq,r\"\n\"1\",\"\"\n");
    EXPECT_EQ(column(t, 0), (words{"str", "x\"y", "1"}));
    EXPECT_EQ(column(t, 1), (words{"str", "p\nq,r", "<null>"}));
    EXPECT_EQ(one("a\n\"1\"\n\"-22\"\n"), (words{"int64", "1", "-22"}));
    csv_table const stray = read_csv_text("a,b\n5\" d,\"x\"y\"z\n1,\"a,b\nc\"\n");  // quotes within fields are letters
    EXPECT_EQ(column(stray, 0), (words{"str", "5\" d", "1"}));
    EXPECT_EQ(column(stray, 1), (words{"str", "xy\"z", "a,b\nc"}));
    csv_options none;
    none.quote = '\0';
    EXPECT_EQ(one("a,b\n\"1\",2\n", none), (words{"str", "\"1\""}));
}

TEST_P(csv, line_ends_of_every_kind) {
    EXPECT_EQ(one("a\r\n1\r\n2\r\n"), (words{"int64", "1", "2"}));
    EXPECT_EQ(one("a\r1\r2\r"), (words{"int64", "1", "2"}));
    EXPECT_EQ(one("a\n1\r2\n3"), (words{"int64", "1", "2", "3"}));
    EXPECT_EQ(column(read_csv_text("a,b\r\n1,x\r\n2,y"), 1), (words{"str", "x", "y"}));
    EXPECT_EQ(one("a\n1\n2"), (words{"int64", "1", "2"}));
    EXPECT_EQ(one("a\n\"x\r\ny\"\nz\n"), (words{"str", "x\r\ny", "z"}));
}

TEST_P(csv, blank_lines_are_skipped) {
    EXPECT_EQ(one("\n\na\n\n1\n\n  \n2\n\n\n"), (words{"int64", "1", "2"}));
    EXPECT_EQ(column(read_csv_text("a,b\n\n1,2\n\n\n3,4\n \t\n5,6\n\n"), 1), (words{"int64", "2", "4", "6"}));
    EXPECT_EQ(column(read_csv_text("a,b\nx\n\n\t\ny\n"), 0),
              (words{"str", "x", "y"}));  // as many marks as two whole rows
    csv_options few;
    few.row_limit = 2;
    EXPECT_EQ(column(read_csv_text("a,b\n\n1,2\n\n3,4\n5,6,7\n", few), 1), (words{"int64", "2", "4"}));
    csv_options keep;
    keep.skip_blank_lines = keep.keep_default_na = false;
    EXPECT_EQ(one("a\nx\n\nNA\n", keep), (words{"str", "x", "", "NA"}));
}

TEST_P(csv, rows_shorter_are_padded_and_longer_refused) {
    EXPECT_EQ(column(read_csv_text("a,b\n1\n2,3\n"), 1), (words{"float64", "nan", "3"}));
    EXPECT_EQ(failure("a,b,c\n1,2,3\n4,5,6\n1,2,3,4,5\n"),
              "pandas.errors.ParserError: Error tokenizing data. C error: Expected 3 fields in line 4, saw 5\n");
    EXPECT_EQ(failure("a,b\n1,2\n\n3,4,5\n6,7,8,9\n"),
              "pandas.errors.ParserError: Error tokenizing data. C error: Expected 2 fields in line 4, saw 3\n");
    EXPECT_EQ(failure("a,b\n\"1\n\",2\n3,4,5\n"),
              "pandas.errors.ParserError: Error tokenizing data. C error: Expected 2 fields in line 3, saw 3\n");
    csv_options some;
    some.wanted_names = {"b"};
    csv_table const t = read_csv_text("a,b\n1,2\n3,4,5\n", some);
    EXPECT_EQ(names(t), (words{"b"}));
    EXPECT_EQ(column(t, 0), (words{"int64", "2", "4"}));
}

TEST_P(csv, inputs_without_columns_are_refused) {
    EXPECT_EQ(failure(""), "pandas.errors.EmptyDataError: No columns to parse from file");
    EXPECT_EQ(failure("\n\n"), "pandas.errors.EmptyDataError: No columns to parse from file");
    csv_table const t = read_csv_text("a,b\n");
    EXPECT_EQ(names(t), (words{"a", "b"}));
    EXPECT_EQ(t.rows(), 0);
    EXPECT_EQ(t.column(1).remark, csv_remark::empty);
    EXPECT_EQ(t.column(1).offsets[0], 0);
}

TEST_P(csv, quotes_that_never_close_are_refused) {
    EXPECT_EQ(failure("a,b\n1,\"x\n3,4\n"),
              "pandas.errors.ParserError: Error tokenizing data. C error: EOF inside string starting at row 1");
    EXPECT_EQ(failure("a,b\n1,2\n3,4\n\"5,6\n7,8"),
              "pandas.errors.ParserError: Error tokenizing data. C error: EOF inside string starting at row 3");
    EXPECT_EQ(failure("a,b\n\xff,2\n\"5,6\n"),
              "pandas.errors.ParserError: Error tokenizing data. C error: EOF inside string starting at row 2");
    EXPECT_EQ(failure("a,b\n1,2\n3\",4\n\"5,6\n7,8"),
              "pandas.errors.ParserError: Error tokenizing data. C error: EOF inside string starting at row 3");
}

TEST_P(csv, text_must_be_utf8) {
    EXPECT_EQ(failure("a,b\n1,\xff\n"),
              "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte");
    EXPECT_EQ(failure("a\n\xc3\xa9\nx\xc3\n"),
              "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xc3 in position 1: unexpected end of data");
    EXPECT_EQ(failure("a\n\xed\xa0\x80\n"),
              "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xed in position 0: invalid continuation byte");
    EXPECT_EQ(one("\xef\xbb\xbf"
                  "a\n\xe2\x82\xac\n"),
              (words{"str", "\xe2\x82\xac"}));
}

TEST_P(csv, names_are_pandas_names) {
    EXPECT_EQ(names(read_csv_text("\xef\xbb\xbf"
                                  "a,a,a.1,a\n1,2,3,4\n")),
              (words{"a", "a.2", "a.1", "a.3"}));
    EXPECT_EQ(names(read_csv_text("a,,\"b,\nc\",\n1,2,3,4\n")), (words{"a", "Unnamed: 1", "b,\nc", "Unnamed: 3"}));
    csv_options o;
    o.header = -1;
    EXPECT_EQ(names(read_csv_text("1,2\n3,4\n", o)), (words{"-", "-"}));
    o.names = {"x", "y", "z"};
    EXPECT_EQ(names(read_csv_text("1,2\n3,4\n", o)), (words{"x", "y", "z"}));
    EXPECT_EQ(column(read_csv_text("1,2\n3,4\n", o), 2), (words{"float64", "nan", "nan"}));
    o = {};
    o.header = 1;
    EXPECT_EQ(names(read_csv_text("q\n\na,b\n1,2\n", o)), (words{"a", "b"}));
    o = {};
    o.skip_rows = 1;
    EXPECT_EQ(names(read_csv_text("q\n\na,b\n1,2\n", o)), (words{"a", "b"}));
    o = {};
    o.wanted_names = {"z"};
    EXPECT_EQ(failure("a,b\n1,2\n", o),
              "ValueError: Usecols do not match columns, columns expected but not found: ['z']");
}

TEST_P(csv, one_field_more_than_names_is_an_index) {
    csv_table const t = read_csv_text("a,b\n1,2,3\n4,5,6\n");
    EXPECT_EQ(t.implicit_index(), 1);
    EXPECT_EQ(names(t), (words{"-", "a", "b"}));
    EXPECT_EQ(column(t, 0), (words{"int64", "1", "4"}));
    EXPECT_EQ(column(t, 2), (words{"int64", "3", "6"}));
    csv_options o;
    o.wanted_names = {"b"};
    EXPECT_EQ(column(read_csv_text("a,b\n1,2,3\n4,5,6\n", o), 1), (words{"int64", "3", "6"}));
}

TEST_P(csv, missing_words_of_the_caller) {
    csv_options o;
    o.na_words = {"-999", "-999.0", "gone"};
    csv_table const t = read_csv_text("a,b,c\n1,,gone\n-999,-999.0,x\n2,-999.00,NA\n", o);
    EXPECT_EQ(column(t, 0), (words{"float64", "1", "nan", "2"}));
    EXPECT_EQ(column(t, 1), (words{"float64", "nan", "nan", "nan"}));
    EXPECT_EQ(column(t, 2), (words{"str", "<null>", "x", "<null>"}));
    o.keep_default_na = false;
    EXPECT_EQ(column(read_csv_text("a\ngone\nNA\n", o), 0), (words{"str", "<null>", "NA"}));
}

TEST_P(csv, kinds_asked_for) {
    csv_options o;
    o.kinds = {{"b", csv_kind::float64}, {"a", csv_kind::text}};
    csv_table const t = read_csv_text("a,b\n01,2\n,3\n", o);
    EXPECT_EQ(column(t, 0), (words{"str", "01", "<null>"}));
    EXPECT_EQ(column(t, 1), (words{"float64", "2", "3"}));
    o.kinds = {{"b", csv_kind::int64}};
    EXPECT_EQ(failure("a,b\n1,x\n", o), "ValueError: invalid literal for int() with base 10: 'x'");
    EXPECT_EQ(failure("a,b\n1,\n", o), "ValueError: Integer column has NA values in column 1");
}

TEST_P(csv, dates_in_iso_forms) {
    EXPECT_EQ(one("a\n2020-01-01\nNA\n0001-01-01\n9999-12-31\n", dates()),
              (words{"date", "1577836800000000", "NaT", "-62135596800000000", "253402214400000000"}));
    EXPECT_EQ(one("a\n2020-02-29 10:11:12\n\"1969-12-31 23:59:59\"\n", dates()),
              (words{"date", "1582971072000000", "-1000000"}));
    EXPECT_EQ(one("a\n2020-01-01T10:11:12.123\nNaT\n2020-01-01T10:11:12.123456\n", dates()),
              (words{"date", "1577873472123000", "NaT", "1577873472123456"}));
    csv_table const ns = read_csv_text("a\n2020-01-01 10:11:12.1\n2020-01-01 10:11:12.123456789\n", dates());
    EXPECT_EQ(ns.column(0).unit, time_unit::ns);
    EXPECT_EQ(column(ns, 0), (words{"date", "1577873472100000000", "1577873472123456789"}));
    for (char const* w : {"2020-01-01 10:00:00", "2020-13-01", "2021-02-29", "x", "2020-1-2", "20200101", " 2020-01-02",
                          "2020-01-01 10:11:12Z", "2020-01-01 24:00"}) {
        csv_table const t = read_csv_text(std::string("a\n2020-01-01\n") + w + "\n", dates());
        EXPECT_EQ(column(t, 0), (words{"str", "2020-01-01", w})) << w;
        EXPECT_EQ(t.column(0).remark, csv_remark::unknown_dates);
    }
}

TEST_P(csv, row_limits_and_separators) {
    csv_options o;
    o.row_limit = 2;
    o.separator = ';';
    EXPECT_EQ(one("a;b\n1;2\n\n3;4\nx;5\n", o), (words{"int64", "1", "3"}));
    EXPECT_EQ(one("a;b\n1;2\n3;4\nx;5\n", o), (words{"int64", "1", "3"}));
    o.row_limit = 0;
    EXPECT_EQ(read_csv_text("a;b\n1;2\n", o).rows(), 0);
    o.row_limit = 9;
    EXPECT_EQ(one("a;b\n1;2\n3;4\n", o), (words{"int64", "1", "3"}));
}

// Rows of a seeded mixture of everything; the expected value of each cell is known as it is written.
struct mixture {
    std::string text;
    words number{"float64"}, word{"str"}, whole{"int64"};
    std::vector<std::int64_t> row_begins;

    mixture(int rows, bool stray) {
        std::mt19937_64 random(7);
        text = "number,word,whole\n";
        for (int row = 0; row < rows; ++row) {
            row_begins.push_back(static_cast<std::int64_t>(text.size()));
            double const v = static_cast<double>(static_cast<std::int64_t>(random() % 2000001) - 1000000) / 1024.0;
            char digits[40];
            std::snprintf(digits, sizeof digits, random() % 5 ? "%.10f" : "%.17g", v);
            text += digits;
            number.push_back(shown(std::strtod(digits, nullptr)));
            std::string const kinds[] = {"plain",
                                         "with, comma",
                                         "two\nlines",
                                         "a \"quote\"",
                                         "\xc3\xa9t\xc3\xa9",
                                         "a rather long text that is not short",
                                         "",
                                         stray ? "5\" wide" : "x"};
            std::size_t const kind = random() % 8;
            std::string const w = kinds[kind];
            std::string quoted = "\"";
            for (char c : w) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
            text += ',' + (kind >= 1 && kind <= 3 ? quoted + '"' : w);
            word.push_back(w.empty() ? "<null>" : w);
            auto const n = static_cast<std::int64_t>(random()) >> (random() % 60);
            text += ',' + std::to_string(n) + (random() % 3 ? "\n" : "\r\n");
            whole.push_back(std::to_string(n));
        }
    }
};

TEST_P(csv, mixtures_are_read_back) {
    for (bool stray : {false, true}) {
        mixture const m(GetParam() < 16 ? 60 : 3000, stray);
        csv_table const t = read_csv_text(m.text);
        EXPECT_EQ(column(t, 0), m.number);
        EXPECT_EQ(column(t, 1), m.word);
        EXPECT_EQ(column(t, 2), m.whole);
    }
}

TEST_P(csv, byte_ranges_partition_the_rows) {
    for (bool stray : {false, true}) {
        mixture const m(60, stray);
        auto const size = static_cast<std::int64_t>(m.text.size());
        for (std::int64_t parts : {2, 3, 7}) {
            words found{"int64"};
            for (std::int64_t p = 0; p < parts; ++p) {
                csv_options o;
                o.range_begin = size * p / parts;
                o.range_end = size * (p + 1) / parts;
                words const some = one(m.text, o).size() > 1 ? column(read_csv_text(m.text, o), 2) : words{"int64"};
                std::int64_t expected = 0;
                for (auto b : m.row_begins) expected += b >= o.range_begin && b < o.range_end;
                EXPECT_EQ(static_cast<std::int64_t>(some.size()) - 1, expected);
                found.insert(found.end(), some.begin() + 1, some.end());
            }
            EXPECT_EQ(found, m.whole);
        }
    }
}

TEST_P(csv, a_late_misfit_changes_only_its_column) {
    std::string text = "a,b,c,d\n";
    for (int i = 0; i < 3000; ++i)
        text += i == 2900 ? "x,1.5,9223372036854775808,\n"
                          : std::to_string(i) + "," + std::to_string(i) + "," + std::to_string(i) + ",True\n";
    if (GetParam() < 16) return;
    csv_table const t = read_csv_text(text);
    words const a = column(t, 0), b = column(t, 1), c = column(t, 2), d = column(t, 3);
    EXPECT_EQ(a[0] + b[0] + c[0] + d[0], "strfloat64uint64bool");
    EXPECT_EQ(a[2901] + " " + b[2901] + " " + c[2901] + " " + d[2901], "x 1.5 9223372036854775808 <null>");
    EXPECT_EQ(a[3000] + " " + b[3000] + " " + c[3000] + " " + d[3000], "2999 2999 2999 True");
}

TEST(csv_files, are_read_like_memory) {
    std::string const path = testing::TempDir() + "bascule_csv_test.csv";
    mixture const m(500, false);
    std::FILE* const f = std::fopen(path.c_str(), "wb");
    ASSERT_NE(f, nullptr);
    std::fwrite(m.text.data(), 1, m.text.size(), f);
    std::fclose(f);
    EXPECT_EQ(column(read_csv_file(path), 1), m.word);
    std::remove(path.c_str());
    try {
        read_csv_file(path);
        FAIL();
    } catch (csv_error const& e) { EXPECT_EQ(e.python_class, "OSError"); }
}

TEST(csv_scan, instruction_sets_agree_with_a_loop_over_bytes) {
    std::mt19937_64 random(3);
    for (char const* isa : {"baseline", "avx2", "avx512"}) {
        auto const* const scan = cpu::csv_scan_of(isa);
        if (!scan) continue;
        for (std::int64_t n : {0, 1, 31, 63, 64, 65, 127, 128, 129, 1000})
            for (bool inside : {false, true}) {
                std::string text(static_cast<std::size_t>(n) + 130, '\n');
                for (std::int64_t i = 0; i < n; ++i)
                    text[static_cast<std::size_t>(i) + 64] = "ab,\n\",z\n"[random() % 8];
                char const* const p = text.data() + 64;
                std::vector<std::uint32_t> expected, found(static_cast<std::size_t>(n) + 80);
                bool in = inside;
                std::int64_t lines = 0, quotes = 0;
                for (std::int64_t i = 0; i < n; ++i) {
                    in ^= p[i] == '"';
                    quotes += p[i] == '"';
                    lines += !in && p[i] == '\n';
                    if (!in && (p[i] == ',' || p[i] == '\n')) expected.push_back(static_cast<std::uint32_t>(i));
                }
                found.resize(static_cast<std::size_t>(scan->index(p, 0, n, {',', '"', true}, inside, found.data())));
                EXPECT_EQ(found, expected) << isa << ' ' << n;
                cpu::csv_counts counts;
                scan->count(p, n, {',', '"', true}, &counts);
                EXPECT_EQ(counts.newlines[inside], lines) << isa << ' ' << n;
                EXPECT_EQ(counts.quotes, quotes);
            }
    }
}

TEST(csv_values, floats_have_the_bits_of_strtod) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 200000; ++i) {
        char text[64] = "00000000";
        char* const p = text + 8;
        double const v = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 120) - 100) *
                         (random() % 2 ? 1 : -1);
        std::snprintf(p, 56, i % 3 ? "%.*g" : "%.*f", static_cast<int>(random() % 19), v);
        double found = 0;
        bool flag = false;
        auto const n = static_cast<std::int64_t>(std::strlen(p));
        if (n > 40) continue;
        if (!cpu::csv::fast_float(p, n, &found, &flag)) {
            ASSERT_TRUE(cpu::csv::parse_float(p, n, &found, &flag)) << p;
        }
        double const expected = std::strtod(p, nullptr);
        ASSERT_EQ(std::memcmp(&found, &expected, 8), 0) << p;
    }
}

}  // namespace

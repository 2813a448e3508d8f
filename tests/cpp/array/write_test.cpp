// Writes in program order: renames, pending readers, overlap inside one statement, exports.
#include "arrays.hpp"

namespace bascule::testing {
namespace {

constexpr std::int64_t many = 20000;  // above the size at which calls run at once

class writes : public ::testing::TestWithParam<char const*> {
protected:
    device where = find_device(GetParam());
};

TEST_P(writes, a_whole_write_reuses_the_memory_of_the_only_reader) {
    array const a = make(where, counted(many));
    auto const* before = a.data();
    assign(a, apply("add", a, 1.0));
    EXPECT_TRUE(pending(a));
    EXPECT_EQ(values<double>(a), counted(many, 1));
    EXPECT_EQ(a.data(), before);
}

TEST_P(writes, a_pending_reader_sees_the_old_values) {
    array const a = make(where, counted(many));
    array const reader = apply("multiply", a, 2.0);
    ASSERT_TRUE(pending(reader));
    assign(a, scalar(7.0));
    auto expected = counted(many);
    for (auto& x : expected) x *= 2;
    EXPECT_EQ(values<double>(reader), expected);
    EXPECT_EQ(values<double>(a), std::vector<double>(many, 7.0));
}

TEST_P(writes, a_view_sees_what_is_written_to_its_base_and_back) {
    array const a = make(where, counted(many));
    array const tail = sliced(a, many / 2, many / 2);
    assign(a, apply("add", a, 1.0));
    EXPECT_EQ(values<double>(tail), counted(many / 2, many / 2 + 1));
    assign(tail, scalar(0.0));
    auto expected = counted(many, 1);
    std::fill(expected.begin() + many / 2, expected.end(), 0.0);
    EXPECT_EQ(values<double>(a), expected);
}

TEST_P(writes, a_shifted_write_reads_the_values_before_it) {
    for (std::int64_t n : {std::int64_t{100}, many}) {
        array const up = make(where, counted(n)), down = make(where, counted(n));
        assign(sliced(up, 1, n - 1), apply("add", sliced(up, 0, n - 1), 1.0));
        assign(sliced(down, 0, n - 1), sliced(down, 1, n - 1));
        auto expected = counted(n);
        EXPECT_EQ(values<double>(up), expected) << n;
        std::iota(expected.begin(), expected.end() - 1, 1.0);
        EXPECT_EQ(values<double>(down), expected) << n;
    }
}

TEST_P(writes, a_reversed_write_reads_the_values_before_it) {
    for (std::int64_t n : {std::int64_t{100}, many}) {
        array const a = make(where, counted(n));
        assign(a, sliced(a, n - 1, n, -1));
        auto expected = counted(n);
        std::reverse(expected.begin(), expected.end());
        EXPECT_EQ(values<double>(a), expected) << n;
    }
}

TEST_P(writes, a_transposed_write_of_itself) {
    array const a = make(where, counted(150 * 150), {150, 150});
    assign(a, transposed(a));
    auto const v = values<double>(a);
    for (std::size_t i = 0; i < 150; ++i)
        for (std::size_t j = 0; j < 150; ++j) ASSERT_EQ(v[i * 150 + j], static_cast<double>(j * 150 + i));
}

TEST_P(writes, a_chain_that_holds_a_pending_copy_of_the_target) {
    array const a = make(where, counted(many));
    array const twice = apply("multiply", a, 2.0);
    assign(a, apply("add", twice, a));  // 3 i, and `twice` keeps 2 i
    auto expected = counted(many);
    for (auto& x : expected) x *= 3;
    EXPECT_EQ(values<double>(a), expected);
    for (auto& x : expected) x = x / 3 * 2;
    EXPECT_EQ(values<double>(twice), expected);
}

TEST_P(writes, what_is_exported_runs_at_the_call) {
    array const a = make(where, counted(many));
    array const before = apply("add", a, 1.0);
    begin_export(a);
    EXPECT_FALSE(pending(before)) << "its reader is run before the address is given away";
    EXPECT_FALSE(pending(apply("add", a, 1.0)));
    auto const* address = reinterpret_cast<double const*>(a.data());
    assign(a, scalar(3.0));
    EXPECT_EQ(address[many - 1], 3.0) << "the address stays good, and the write is made at once";
    a.memory()->exports.fetch_sub(1);
    EXPECT_TRUE(pending(apply("add", a, 1.0)));
}

TEST_P(writes, foreign_memory_is_shared_and_given_back_once) {
    std::vector<double> theirs = counted(many);
    int released = 0;
    {
        array const a = wrap(
            where, theirs.data(), make_dtype(type_id::float64), {many}, {8}, [](void* p) { ++*static_cast<int*>(p); },
            &released, true, 0, many * 8);
        array const result = apply("add", a, 1.0);
        EXPECT_FALSE(pending(result));
        theirs[0] = 100;  // they may write whenever they like
        EXPECT_EQ(values<double>(result)[0], 1.0);
        assign(sliced(a, 0, 2), scalar(5.0));
        EXPECT_EQ(theirs[1], 5.0);
        EXPECT_EQ(released, 0);
    }
    EXPECT_EQ(released, 1);
}

TEST_P(writes, a_read_only_array_is_refused) {
    array a = make(where, counted(10));
    a.writeable = false;
    EXPECT_EQ(text_of<value_error>([&] { assign(a, scalar(1.0)); }), "assignment destination is read-only");
    EXPECT_THROW(assign(broadcast_to(make(where, counted(1)), {10}), scalar(1.0)), value_error);
}

TEST_P(writes, a_write_casts_to_the_target) {
    array const a = make<std::int64_t>(where, std::vector<std::int64_t>(many, 1));
    assign(a, make(where, counted(many, 0.75)));
    auto const v = values<std::int64_t>(a);
    EXPECT_EQ(v[0], 0);
    EXPECT_EQ(v[many - 1], many - 1);
}

INSTANTIATE_TEST_SUITE_P(on, writes, ::testing::Values("cpu", "reference"),
                         [](auto const& p) { return std::string(p.param); });

TEST(devices, arrays_of_different_devices_do_not_mix) {
    array const a = make(cpu(), counted(3)), b = make(reference(), counted(3));
    EXPECT_EQ(text_of<type_error>([&] { apply("add", a, b); }), "operands lie on different devices: cpu and reference");
    EXPECT_THROW(assign(a, b), type_error);
}

}  // namespace
}  // namespace bascule::testing

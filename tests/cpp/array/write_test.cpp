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

TEST_P(writes, a_reader_alongside_one_that_another_thread_drops_sees_the_old_values) {
    array const a = make(where, counted(many));
    array reader, dropped;
    {
        array const shared = apply("add", a, 1.0);
        reader = apply("multiply", shared, 2.0), dropped = apply("multiply", shared, 3.0);
    }
    ASSERT_TRUE(pending(reader) && pending(dropped));
    ASSERT_TRUE(dropped.memory()->release_handle());  // it needs the lock to be taken out of the list
    assign(sliced(a, 0, 10), scalar(7.0));
    dropped.memory()->retain_handle();
    auto expected = counted(many, 1);
    for (auto& x : expected) x *= 2;
    EXPECT_EQ(values<double>(reader), expected);
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

array zeros(device where, dims shape) { return full(where, make_dtype(type_id::float64), shape, plan_constant{}); }
std::int64_t plans_of(auto&& act) {
    std::int64_t const before = statistics().plans;
    act();
    return statistics().plans - before;
}

TEST_P(writes, stores_alongside_each_other_run_in_one_plan) {
    array const a = make(where, counted(many)), all = zeros(where, {3 * many});
    for (std::int64_t k = 0; k < 3; ++k) assign(sliced(all, k, many, 3), apply("multiply", a, static_cast<double>(k)));
    EXPECT_TRUE(pending(all));
    EXPECT_EQ(plans_of([&] { evaluate(all.memory()); }), 1) << "the zeros are never written";
    auto const v = values<double>(all);
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], static_cast<double>(i % 3 * (i / 3))) << i;
}

TEST_P(writes, a_frame_is_all_that_is_filled_around_a_store) {
    array const a = make(where, counted(200 * 300), {200, 300}), all = zeros(where, {203, 305});
    array const inside = view(all, a.shape, all.strides, all.strides[0] + 8 * 2);
    assign(inside, a);
    EXPECT_EQ(plans_of([&] { evaluate(all.memory()); }), 5);
    auto const v = values<double>(all);
    for (std::size_t i = 0; i < 203; ++i)
        for (std::size_t j = 0; j < 305; ++j) {
            bool const in = i >= 1 && i < 201 && j >= 2 && j < 302;
            ASSERT_EQ(v[i * 305 + j], in ? static_cast<double>((i - 1) * 300 + j - 2) : 0.0) << i << " " << j;
        }
}

TEST_P(writes, a_copy_keeps_what_was_copied_around_a_store) {
    array const a = make(where, counted(many));
    array const changed = copy(a);
    assign(sliced(changed, 100, many - 200), apply("negative", sliced(a, 100, many - 200)));
    assign(a, scalar(0.0));
    auto const v = values<double>(changed);
    for (std::int64_t i = 0; i < many; ++i)
        ASSERT_EQ(v[static_cast<std::size_t>(i)], static_cast<double>(i >= 100 && i < many - 100 ? -i : i)) << i;
}

TEST_P(writes, stores_over_each_other_keep_their_order) {
    array const a = make(where, counted(many)), all = zeros(where, {2 * many});
    array const zero = apply("add", all, 1.0);
    assign(sliced(all, 0, many, 2), a);
    array const once = apply("add", all, 1.0);
    assign(sliced(all, many / 2, many), scalar(-1.0));
    assign(sliced(all, 1, many / 2, 2), scalar(-2.0));
    std::vector<double> expected(2 * many, 0), before;
    for (std::int64_t i = 0; i < many; ++i) expected[static_cast<std::size_t>(2 * i)] = static_cast<double>(i);
    before = expected;
    std::fill_n(expected.begin() + many / 2, many, -1.0);
    for (std::int64_t i = 0; i < many / 2; ++i) expected[static_cast<std::size_t>(2 * i + 1)] = -2;
    EXPECT_EQ(values<double>(all), expected);
    EXPECT_EQ(values<double>(zero), std::vector<double>(2 * many, 1.0));
    for (auto& x : before) x += 1;
    EXPECT_EQ(values<double>(once), before);
}

TEST_P(writes, a_store_of_what_the_target_holds_reads_it_before) {
    array const all = zeros(where, {2 * many});
    assign(sliced(all, 0, many, 2), scalar(4.0));
    assign(sliced(all, 1, many, 2), apply("multiply", sliced(all, 0, many, 2), 2.0));
    auto const v = values<double>(all);
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i % 2 ? 8.0 : 4.0);
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

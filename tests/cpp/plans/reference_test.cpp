// Pins the oracle itself: examples worked out by hand, and sums whose bits are NumPy's.
#include <gtest/gtest.h>

#include <cmath>

#include "bascule/core/algorithms.hpp"
#include "bascule/ops/table.hpp"
#include "program.hpp"

namespace bascule::testing {
namespace {

backend const& reference() { return *reference_backend(); }

double constexpr nan = std::numeric_limits<double>::quiet_NaN();

int op(char const* name) { return ops::find(name); }

plan_operand laid_over(void* base, extents const& strides, type_id t) { return {base, strides.data(), t}; }

TEST(reference_values, add_of_a_row_and_a_column_broadcasts) {
    program p({2, 3});
    int const row = p.input(type_id::int32, {{0, 4}, 0, 12}, bytes_of<std::int32_t>({1, 2, 3}));
    int const column = p.input(type_id::int32, {{4, 0}, 0, 8}, bytes_of<std::int32_t>({10, 20}));
    p.store(p.op(op("add"), type_id::int32, {row, column}));
    EXPECT_EQ(p.run_on(reference()).as<std::int32_t>(), (std::vector<std::int32_t>{11, 12, 13, 21, 22, 23}));
}

TEST(reference_values, negative_strides_read_backwards) {
    program p({2, 2});
    int const x = p.input(type_id::float64, {{-16, -8}, 24, 32}, bytes_of<double>({1, 2, 3, 4}));
    p.store(x);
    EXPECT_EQ(p.run_on(reference()).as<double>(), (std::vector<double>{4, 3, 2, 1}));
}

TEST(reference_values, a_strided_store_leaves_the_gaps_alone) {
    program p({2});
    int const x = p.input<std::uint8_t>({7, 9});
    p.store(x, {{2}, 0, 4});
    EXPECT_EQ(p.run_on(reference()).as<std::uint8_t>(), (std::vector<std::uint8_t>{7, 0xa5, 9, 0xa5}));
}

TEST(reference_values, iota_is_start_plus_index_times_strides) {
    program p({2, 3});
    p.store(p.iota(5, {10, -1}));
    EXPECT_EQ(p.run_on(reference()).as<std::int64_t>(), (std::vector<std::int64_t>{5, 4, 3, 15, 14, 13}));
}

TEST(reference_values, a_plan_without_dimensions_has_one_element) {
    program p({});
    p.store(p.op(op("multiply"), type_id::float64, {p.constant(3.0), p.constant(-0.5)}));
    EXPECT_EQ(p.run_on(reference()).as<double>(), std::vector<double>{-1.5});
}

TEST(reference_values, a_zero_extent_stores_nothing) {
    program p({3, 0});
    p.store(p.constant(1.0), {{8, 8}, 0, 8});
    EXPECT_EQ(p.run_on(reference()).outputs[0], bytes(8, 0xa5));
}

TEST(reference_values, where_chooses_by_its_condition) {
    program p({3});
    int const a = p.input<double>({1, nan, 3}), zero = p.constant(0.0);
    int const is_number = p.op(op("equal"), type_id::bool_, {a, a});
    p.store(p.op(op("where"), type_id::float64, {is_number, a, zero}));
    EXPECT_EQ(p.run_on(reference()).as<double>(), (std::vector<double>{1, 0, 3}));
}

TEST(reference_values, maximum_hands_on_nan_and_fmax_ignores_it) {
    program p({2});
    int const a = p.input<double>({nan, 1}), b = p.input<double>({2, nan});
    p.store(p.op(op("maximum"), type_id::float64, {a, b}));
    p.store(p.op(op("fmax"), type_id::float64, {a, b}));
    auto const done = p.run_on(reference());
    EXPECT_TRUE(std::isnan(done.as<double>(0)[0]) && std::isnan(done.as<double>(0)[1]));
    EXPECT_EQ(done.as<double>(1), (std::vector<double>{2, 1}));
}

TEST(reference_values, float16_stands_between_two_casts) {
    program p({3});
    int const h = p.input(type_id::float16, {{2}, 0, 6}, bytes_of<std::uint16_t>({0x3c00, 0xc000, 0x7bff}));  // 1, -2, 65504
    int const wide = p.op(op("cast"), type_id::float32, {h});
    p.store(p.op(op("cast"), type_id::float16, {p.op(op("add"), type_id::float32, {wide, wide})}));
    EXPECT_EQ(p.run_on(reference()).as<std::uint16_t>(), (std::vector<std::uint16_t>{0x4000, 0xc400, 0x7c00}));
}

TEST(reference_values, every_intermediate_is_rounded_to_its_dtype) {
    program p({1});
    int const tiny = p.constant(0x1p-30f), one = p.constant(1.0f);
    int const sum = p.op(op("add"), type_id::float32, {one, tiny});
    p.store(p.op(op("subtract"), type_id::float32, {sum, one}));
    EXPECT_EQ(p.run_on(reference()).as<float>(), std::vector<float>{0});
}

TEST(reference_values, casts_of_numbers_out_of_range_are_those_of_x86) {
    program p({3});
    int const x = p.input<double>({-1.9, 3e9, nan});
    p.store(p.op(op("cast"), type_id::int32, {x}));
    constexpr auto least = std::numeric_limits<std::int32_t>::min();
    EXPECT_EQ(p.run_on(reference()).as<std::int32_t>(), (std::vector<std::int32_t>{-1, least, least}));
}

TEST(reference_values, checked_values_report_what_they_raised) {
    auto const flags = [](double a, double b, std::uint8_t check) {
        program p({1});
        p.store(p.op(op("divide"), type_id::float64, {p.constant(a), p.constant(b)}, check));
        return p.run_on(reference()).flags;
    };
    using namespace ops::fp;
    constexpr std::uint8_t all = divide | over | invalid;
    EXPECT_EQ(flags(1, 0, all), divide);
    EXPECT_EQ(flags(0, 0, all), invalid);
    EXPECT_EQ(flags(1e300, 1e-300, all), over);
    EXPECT_EQ(flags(nan, 0, all), none);
    EXPECT_EQ(flags(1, 0, invalid), none);
}

TEST(reference_errors, a_loop_that_is_not_there_is_named) {
    program p({1});
    p.store(p.op(op("gcd"), type_id::float64, {p.constant(1.0), p.constant(2.0)}));
    auto const done = p.run_on(reference());
    EXPECT_EQ(done.code, status::not_supported);
    EXPECT_NE(done.error.find("gcd"), std::string::npos) << done.error;
}

TEST(reference_errors, arguments_of_two_dtypes_are_refused) {
    program p({1});
    p.store(p.op(op("add"), type_id::float64, {p.constant(1.0f), p.constant(2.0)}));
    EXPECT_EQ(p.run_on(reference()).code, status::value_error);
}

TEST(reference_memory, the_limit_makes_allocation_fail_and_statistics_add_up) {
    backend_memory before{}, held{};
    reference().memory(0, &before);
    reference().set_memory_limit(0, before.in_use + 1000);
    void *first = nullptr, *second = nullptr;
    EXPECT_EQ(reference().allocate(0, 800, &first), status::ok);
    EXPECT_EQ(reference().allocate(0, 800, &second), status::out_of_memory);
    EXPECT_NE(std::string(reference().last_error()).find("800 bytes"), std::string::npos);
    EXPECT_EQ(second, nullptr);
    reference().memory(0, &held);
    EXPECT_EQ(held.in_use, before.in_use + 800);
    EXPECT_GE(held.peak, held.in_use);
    reference().release(0, first, 800);
    reference().set_memory_limit(0, 0);
    reference().memory(0, &held);
    EXPECT_EQ(held.in_use, before.in_use);
}

struct indexed {
    std::vector<std::int64_t> data{0, 10, 20, 30}, index{3, -4, 3}, other{0, 0, 0};
    extents shape{3}, none{0}, stride{8}, step{8}, size{4};
    std::vector<std::int32_t> axis{1};
    plan_operand along = laid_over(index.data(), stride, type_id::int64);
    gather_args args{.ndim = 1, .shape = shape.data(), .base = data.data(), .base_strides = none.data(), .nindex = 1, .index = &along,
                     .index_step = step.data(), .index_size = size.data(), .index_axis = axis.data(),
                     .other = laid_over(other.data(), stride, type_id::int64), .itemsize = 8};
    status run(algorithm_kind kind) { return reference().algorithm(0, kind, &args, nullptr); }
};

TEST(reference_algorithms, gather_wraps_negative_indices) {
    indexed x;
    EXPECT_EQ(x.run(algorithm_kind::gather), status::ok);
    EXPECT_EQ(x.other, (std::vector<std::int64_t>{30, 0, 30}));
}

TEST(reference_algorithms, the_last_of_duplicate_writers_wins) {
    indexed x;
    x.other = {1, 2, 3};
    EXPECT_EQ(x.run(algorithm_kind::scatter), status::ok);
    EXPECT_EQ(x.data, (std::vector<std::int64_t>{2, 10, 20, 3}));
}

TEST(reference_algorithms, a_bad_index_is_found_before_anything_is_written) {
    indexed x;
    x.other = {1, 2, 3};
    x.index[2] = 4;
    EXPECT_EQ(x.run(algorithm_kind::scatter), status::index_error);
    EXPECT_EQ(x.data, (std::vector<std::int64_t>{0, 10, 20, 30}));
    EXPECT_EQ(x.args.bad_value, 4);
    EXPECT_EQ(x.args.bad_axis, 1);
    EXPECT_EQ(x.args.bad_size, 4);
}

TEST(reference_algorithms, nonzero_lists_positions_in_c_order) {
    unsigned char mask[] = {0, 1, 1, 0, 0, 1};
    extents const shape{2, 3}, strides{3, 1};
    nonzero_args a{.ndim = 2, .shape = shape.data(), .mask = laid_over(mask, strides, type_id::bool_)};
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::nonzero, &a, nullptr), status::ok);
    ASSERT_EQ(a.count, 3);
    std::vector<std::int64_t> out(6);
    a.out = out.data(), a.out_stride = 3;
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::nonzero, &a, nullptr), status::ok);
    EXPECT_EQ(out, (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2}));
}

TEST(reference_algorithms, compress_keeps_what_the_mask_marks) {
    unsigned char mask[] = {1, 0, 1};
    float data[] = {1, 2, 3}, out[2] = {};
    extents const shape{3}, by_one{1}, by_four{4};
    compress_args a{.ndim = 1, .shape = shape.data(), .mask = laid_over(mask, by_one, type_id::bool_), .data = laid_over(data, by_four, type_id::float32), .itemsize = 4};
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::compress, &a, nullptr), status::ok);
    EXPECT_EQ(a.count, 2);
    a.out = out;
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::compress, &a, nullptr), status::ok);
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[1], 3);
}

TEST(reference_algorithms, a_scan_starts_anew_in_each_row) {
    std::int32_t in[] = {1, 2, 3, 4, 5, 6}, out[6] = {};
    extents const shape{2, 3}, strides{12, 4};
    scan_args a{.ndim = 2, .shape = shape.data(), .op = static_cast<std::uint16_t>(op("add")), .in = laid_over(in, strides, type_id::int32), .out = laid_over(out, strides, type_id::int32)};
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::scan, &a, nullptr), status::ok);
    EXPECT_EQ(std::vector<std::int32_t>(out, out + 6), (std::vector<std::int32_t>{1, 3, 6, 4, 9, 15}));
}

TEST(reference_algorithms, what_it_lacks_it_says) {
    EXPECT_FALSE(reference().supports(algorithm_kind::sort, type_id::int64));
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::sort, nullptr, nullptr), status::not_supported);
}

}  // namespace
}  // namespace bascule::testing

// Pins the oracle itself: examples worked out by hand, and sums whose bits are NumPy's.
#include <gtest/gtest.h>

#include <cmath>

#include "bascule/core/algorithms.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "support/program.hpp"

namespace bascule::testing {
namespace {

backend const& reference() { return *reference_backend(); }

double constexpr nan = std::numeric_limits<double>::quiet_NaN();

int op(char const* name) { return ops::find(name); }
int aggregate(char const* name) { return ops::find_aggregate(name); }

std::vector<double> harmonic(std::int64_t n) {
    std::vector<double> x;
    for (std::int64_t i = 1; i <= n; ++i) x.push_back(1.0 / static_cast<double>(i));
    return x;
}

// One aggregation of one input, given in C order.
template <class R = double, class T>
std::vector<R> reduce(char const* name, extents shape, std::vector<std::uint8_t> reduced, std::vector<T> const& x,
                      double ddof = 0) {
    program p(std::move(shape), std::move(reduced));
    p.reduce(aggregate(name), p.input(x), id_of<R>::value, ddof);
    auto const done = p.run_on(reference());
    EXPECT_EQ(done.code, status::ok) << done.error;
    return done.code == status::ok ? done.as<R>() : std::vector<R>{};
}

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
    int const h =
        p.input(type_id::float16, {{2}, 0, 6}, bytes_of<std::uint16_t>({0x3c00, 0xc000, 0x7bff}));  // 1, -2, 65504
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

// Bits of np.sum(1.0 / np.arange(1, n + 1)), NumPy 2.4.
TEST(reference_sums, of_contiguous_runs_have_the_bits_of_numpy) {
    struct {
        std::int64_t n;
        double float64;
        float float32;
    } const known[] = {
        {5, 0x1.2444444444444p+1, 0x1.244446p+1f},    {8, 0x1.5be2be2be2be2p+1, 0x1.5be2cp+1f},
        {100, 0x1.4bfdfe4591243p+2, 0x1.4bfe02p+2f},  {128, 0x1.5bb8ae9541ca7p+2, 0x1.5bb8bp+2f},
        {129, 0x1.5c37b09149ba9p+2, 0x1.5c37b4p+2f},  {300, 0x1.92172a3e6965ap+2, 0x1.92172ep+2f},
        {1025, 0x1.e0a65190165e3p+2, 0x1.e0a654p+2f}, {5000, 0x1.2306376e18052p+3, 0x1.230638p+3f},
    };
    for (auto const& k : known) {
        auto const x = harmonic(k.n);
        EXPECT_EQ(reduce("sum", {k.n}, {1}, x)[0], k.float64) << k.n;
        EXPECT_EQ(reduce<float>("sum", {k.n}, {1}, std::vector<float>(x.begin(), x.end()))[0], k.float32) << k.n;
    }
    EXPECT_EQ(reduce("mean", {300}, {1}, harmonic(300))[0], 0x1.571e01ea2a26fp-6);
}

TEST(reference_sums, along_each_axis_have_the_bits_of_numpy) {
    auto const x = harmonic(2000);
    std::vector<double> const rows{0x1.b2bd9e7bd3f56p+2, 0x1.62a2af1bd3625p-1, 0x1.9f069117cee72p-2,
                                   0x1.268049c1ea6f8p-2};
    std::vector<double> const columns{0x1.4e2145f267916p+1, 0x1.05b3252164665p+1, 0x1.d34313903bf49p+0,
                                      0x1.b2bd9e7bd3f50p+0};
    std::vector<double> const outer{0x1.6aca5f2224afdp+2, 0x1.1bfd71727dff4p+0, 0x1.8dcc86bce989ep-1,
                                    0x1.3f38adb444b1dp-1};
    EXPECT_EQ(reduce("sum", {4, 500}, {0, 1}, x), rows);
    EXPECT_EQ(reduce("sum", {500, 4}, {1, 0}, x), columns);
    EXPECT_EQ(reduce("sum", {2, 250, 4}, {1, 1, 0}, x), columns);
    EXPECT_EQ(reduce("sum", {5, 4, 100}, {1, 0, 1}, x), outer);
}

TEST(reference_sums, of_complex_numbers_have_the_bits_of_numpy) {
    auto const x = harmonic(2000);
    std::vector<complex<double>> z;
    for (std::size_t i = 0; i < 1000; ++i) z.push_back({x[i], x[1000 + i]});
    auto const sum = reduce<complex<double>>("sum", {1000}, {1}, z);
    EXPECT_EQ(sum[0].re, 0x1.df11f45f4e61bp+2);
    EXPECT_EQ(sum[0].im, 0x1.62c36d6cdcab4p-1);
}

TEST(reference_sums, a_run_may_span_dimensions) {
    program p({4, 75}, {1, 1});
    p.run_dims = 2;
    p.reduce(aggregate("sum"), p.input(harmonic(300)), type_id::float64);
    EXPECT_EQ(p.run_on(reference()).as<double>()[0], 0x1.92172a3e6965ap+2);
}

TEST(reference_sums, of_nothing_are_the_identity) {
    EXPECT_EQ(reduce("sum", {2, 0}, {0, 1}, std::vector<double>{}), (std::vector<double>{0, 0}));
    EXPECT_EQ(reduce("prod", {0}, {1}, std::vector<double>{}), std::vector<double>{1});
    EXPECT_TRUE(std::isnan(reduce("mean", {0}, {1}, std::vector<double>{})[0]));
    EXPECT_TRUE(reduce("sum", {0, 2}, {0, 1}, std::vector<double>{}).empty());
}

TEST(reference_sums, of_small_integers_widen_and_of_int64_wrap) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(reduce<std::int64_t>("sum", {3}, {1}, std::vector<std::int8_t>{127, 127, 127})[0], 381);
    EXPECT_EQ(reduce<std::int64_t>("sum", {2}, {1}, std::vector<std::int64_t>{most, 1})[0], nat);
}

TEST(reference_extrema, nan_wins_and_of_equals_the_first) {
    std::vector<double> const x{3, nan, 1, nan, 5}, y{2, 1, 3, 1, 3};
    EXPECT_TRUE(std::isnan(reduce("min", {5}, {1}, x)[0]));
    EXPECT_TRUE(std::isnan(reduce("max", {5}, {1}, x)[0]));
    EXPECT_EQ(reduce<std::int64_t>("argmin", {5}, {1}, x)[0], 1);
    EXPECT_EQ(reduce<std::int64_t>("argmin", {5}, {1}, y)[0], 1);
    EXPECT_EQ(reduce<std::int64_t>("argmax", {5}, {1}, y)[0], 2);
}

TEST(reference_extrema, argmax_counts_in_c_order_of_the_reduced_dimensions) {
    std::vector<std::int32_t> const x{1, 2, 3, 9, 5, 6, 7, 8};  // shape (2, 2, 2); 9 is at (0, 1, 1)
    EXPECT_EQ(reduce<std::int64_t>("argmax", {2, 2, 2}, {1, 1, 1}, x), std::vector<std::int64_t>{3});
    EXPECT_EQ(reduce<std::int64_t>("argmax", {2, 2, 2}, {1, 0, 1}, x), (std::vector<std::int64_t>{3, 1}));
}

TEST(reference_extrema, of_nothing_are_an_error_in_numpys_words) {
    program p({0}, {1});
    p.reduce(aggregate("max"), p.input(std::vector<double>{}), type_id::float64);
    auto const done = p.run_on(reference());
    EXPECT_EQ(done.code, status::value_error);
    EXPECT_NE(done.error.find("zero-size array to reduction operation maximum which has no identity"),
              std::string::npos)
        << done.error;
}

TEST(reference_boolean, any_all_and_count_see_nan_as_true) {
    std::vector<double> const x{0, nan, -0.0, 2};
    auto const boolean = [&](char const* name) {
        program p({4}, {1});
        p.reduce(aggregate(name), p.input(x), type_id::bool_);
        return p.run_on(reference()).outputs[0][0] == 1;
    };
    EXPECT_TRUE(boolean("any"));
    EXPECT_FALSE(boolean("all"));
    EXPECT_EQ(reduce<std::int64_t>("count_nonzero", {4}, {1}, x)[0], 2);
}

TEST(reference_variance, is_within_4_ulp_of_two_passes_in_long_double) {
    for (std::int64_t const n : {2, 7, 1023, 1024, 1025, 3000}) {
        std::vector<double> x;
        for (std::int64_t i = 0; i < n; ++i) x.push_back(static_cast<double>(i * 7919 % 1009) / 1009 - 0.25);
        long double mean = 0, squares = 0;
        for (auto const v : x) mean += v;
        mean /= static_cast<long double>(n);
        for (auto const v : x) squares += (v - mean) * (v - mean);
        for (double const ddof : {0.0, 1.0}) {
            auto const expected = static_cast<double>(squares / (static_cast<long double>(n) - ddof));
            auto const ulp = std::nextafter(expected, 1e300) - expected;
            EXPECT_NEAR(reduce("var", {n}, {1}, x, ddof)[0], expected, 4 * ulp) << n;
            EXPECT_NEAR(reduce("var", {n, 1}, {1, 0}, x, ddof)[0], expected, 1e-13 * expected) << n;
            EXPECT_EQ(reduce("std", {n}, {1}, x, ddof)[0], std::sqrt(reduce("var", {n}, {1}, x, ddof)[0])) << n;
        }
    }
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
    gather_args args{.ndim = 1,
                     .shape = shape.data(),
                     .base = data.data(),
                     .base_strides = none.data(),
                     .nindex = 1,
                     .index = &along,
                     .index_step = step.data(),
                     .index_size = size.data(),
                     .index_axis = axis.data(),
                     .other = laid_over(other.data(), stride, type_id::int64),
                     .itemsize = 8};
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
    compress_args a{.ndim = 1,
                    .shape = shape.data(),
                    .mask = laid_over(mask, by_one, type_id::bool_),
                    .data = laid_over(data, by_four, type_id::float32),
                    .itemsize = 4};
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::compress, &a, nullptr), status::ok);
    EXPECT_EQ(a.count, 2);
    a.out = out;
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::compress, &a, nullptr), status::ok);
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[1], 3);
}

TEST(reference_algorithms, a_scan_starts_again_in_each_row) {
    std::int32_t in[] = {1, 2, 3, 4, 5, 6}, out[6] = {};
    extents const shape{2, 3}, strides{12, 4};
    scan_args a{.ndim = 2,
                .shape = shape.data(),
                .op = static_cast<std::uint16_t>(op("add")),
                .in = laid_over(in, strides, type_id::int32),
                .out = laid_over(out, strides, type_id::int32)};
    EXPECT_EQ(reference().algorithm(0, algorithm_kind::scan, &a, nullptr), status::ok);
    EXPECT_EQ(std::vector<std::int32_t>(out, out + 6), (std::vector<std::int32_t>{1, 3, 6, 4, 9, 15}));
}

TEST(reference_algorithms, what_it_lacks_it_says) {
    EXPECT_FALSE(reference().supports(static_cast<algorithm_kind>(1000), type_id::int64));
    EXPECT_EQ(reference().algorithm(0, static_cast<algorithm_kind>(1000), nullptr, nullptr), status::not_supported);
}

}  // namespace
}  // namespace bascule::testing

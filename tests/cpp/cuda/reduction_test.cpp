// Reductions: the summation tree on CUDA is that of the reference device, so the bytes are equal.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "cuda_device.hpp"

namespace bascule::testing {
namespace {

using reduction = on_cuda;
using reduction_launches = on_fake_cuda;
using reduced = std::vector<std::uint8_t>;

int op(char const* name) { return ops::find(name); }
int aggregate(char const* name) { return ops::find_aggregate(name); }
type_id result_of(char const* name, type_id input) { return ops::aggregate_result_type(aggregate(name), input); }

template <class T> std::vector<T> numbers(std::int64_t n, unsigned seed = 1) {
    std::mt19937_64 generator(seed);
    std::vector<T> all(static_cast<std::size_t>(n));
    for (T& x : all) {
        double const u = std::uniform_real_distribution<double>(-100, 100)(generator);
        if constexpr (ops::is_complex_type<T>)
            x = {static_cast<ops::real_type<T>>(u), static_cast<ops::real_type<T>>(u * u - 3)};
        else if constexpr (ops::is_time_type<T>) x = {static_cast<std::int64_t>(u)};
        else x = static_cast<T>(static_cast<std::int64_t>(u * 1.5));
        if constexpr (ops::is_float_type<T>) x = static_cast<T>(u);
    }
    return all;
}

template <class T> void reduce_input(program& p, char const* name, double ddof = 0) {
    layout const whole = contiguous(p.shape, sizeof(T));
    int const x =
        p.input(id_of<T>::value, whole, bytes_of(numbers<T>(whole.size / static_cast<std::int64_t>(sizeof(T)))));
    p.reduce(aggregate(name), x, result_of(name, id_of<T>::value), ddof);
}
template <class T> program reduce_of(char const* name, extents const& shape, reduced const& reduced, double ddof = 0) {
    program p(shape, reduced);
    reduce_input<T>(p, name, ddof);
    return p;
}

void every_input_of(char const* name, extents const& shape, reduced const& reduced, double ddof = 0) {
    SCOPED_TRACE(name);
    program p = reduce_of<double>(name, shape, reduced, ddof);
    reduce_input<std::int32_t>(p, name, ddof);
    expect_equal_bytes(p);
}

TEST_F(reduction, sum_of_lengths_around_every_edge_of_the_tree) {
    for (std::int64_t n : {1, 2, 7, 8, 9, 15, 16, 127, 128, 129, 255, 256, 257, 1000, 1024, 4097, 33333})
        expect_equal_bytes(reduce_of<double>("sum", {n}, {1}));
}

TEST_F(reduction, a_sum_deep_enough_for_two_joining_kernels) {
    expect_equal_bytes(reduce_of<double>("sum", {200001}, {1}));
}

TEST_F(reduction, sums_of_rows) {
    for (std::int64_t n : {1, 5, 64, 129, 1000}) expect_equal_bytes(reduce_of<double>("sum", {37, n}, {0, 1}));
}

TEST_F(reduction, sums_of_short_columns) { expect_equal_bytes(reduce_of<double>("sum", {60, 41}, {1, 0})); }

// The order that the device promises: rows of a stripe, then as many stripes as a stripe has rows, level by level.
std::vector<double> sums_in_stripes(std::vector<double> const& x, std::int64_t rows, std::int64_t columns) {
    std::int64_t const stripes = std::clamp<std::int64_t>((1 << 18) / columns, 1, std::max<std::int64_t>(rows / 32, 1));
    auto const length = static_cast<std::size_t>((rows + stripes - 1) / stripes), n = static_cast<std::size_t>(columns);
    std::vector<double> level = x;
    do {
        std::vector<double> next;
        for (std::size_t first = 0; first < level.size(); first += length * n)
            for (std::size_t c = 0; c < n; ++c) {
                double sum = level[first + c];
                for (std::size_t r = 1; r < length && first + r * n < level.size(); ++r)
                    sum += level[first + r * n + c];
                next.push_back(sum);
            }
        level = std::move(next);
    } while (level.size() > n);
    return level;
}

TEST_F(reduction, sums_of_long_columns_follow_a_tree_of_the_shape_alone) {
    for (auto [rows, columns] : {std::pair{300, 41}, {5000, 3}, {40000, 2}, {70, 5000}, {65, 1}}) {
        SCOPED_TRACE(rows);
        outcome const o = reduce_of<double>("sum", {rows, columns}, {1, 0}).run_on(*device);
        ASSERT_EQ(o.code, status::ok) << o.error;
        EXPECT_EQ(o.as<double>(), sums_in_stripes(numbers<double>(rows * columns), rows, columns));
    }
}

TEST_F(reduction, what_no_order_changes_has_the_bits_of_every_device_in_long_columns) {
    expect_equal_bytes(reduce_of<std::int32_t>("sum", {3000, 7}, {1, 0}));
    expect_equal_bytes(reduce_of<double>("min", {3000, 7}, {1, 0}));
    expect_equal_bytes(reduce_of<double>("argmin", {3000, 7}, {1, 0}));
    expect_equal_bytes(reduce_of<double>("any", {3000, 7}, {1, 0}));
}

TEST_F(reduction_launches, few_columns_are_reduced_by_many_threads) {
    program const p = reduce_of<double>("sum", {40000, 2}, {1, 0});
    p.run_on(*device);
    int const before = fake().calls("cuLaunchKernel");
    p.run_on(*device);
    EXPECT_EQ(fake().calls("cuLaunchKernel") - before, 5);  // stripes, three levels, the end
}

TEST_F(reduction, the_middle_axis) {
    program p = reduce_of<double>("sum", {7, 20, 9}, {0, 1, 0});
    reduce_input<float>(p, "max");
    expect_equal_bytes(p);
}

TEST_F(reduction, the_outer_axes_of_three) { expect_equal_bytes(reduce_of<double>("sum", {6, 10, 5}, {1, 1, 0})); }

TEST_F(reduction, first_and_last_axis_of_three) {
    expect_equal_bytes(reduce_of<double>("sum", {6, 11, 150}, {1, 0, 1}));
}

TEST_F(reduction, runs_of_two_dimensions) {
    program p({5, 30, 10}, {0, 1, 1});
    p.run_dims = 2;
    int const x = p.input(type_id::float64, contiguous({5, 30, 10}, 8), bytes_of(numbers<double>(1500)));
    int const row = p.input(type_id::float64, {{0, 0, 8}, 0, 80}, bytes_of(numbers<double>(10, 9)));
    p.reduce(aggregate("sum"), p.op(op("multiply"), type_id::float64, {x, row}), type_id::float64);
    expect_equal_bytes(p);
}

TEST_F(reduction, a_reversed_and_strided_operand) {
    program p({500}, {1});
    int const x = p.input(type_id::float64, {{-24}, 24 * 499, 24 * 500}, bytes_of(numbers<double>(1500)));
    p.reduce(aggregate("sum"), x, type_id::float64);
    expect_equal_bytes(p);
}

TEST_F(reduction, a_transposed_operand) {
    program p({40, 30}, {0, 1});
    int const x = p.input(type_id::float64, {{8, 320}, 0, 9600}, bytes_of(numbers<double>(1200)));
    p.reduce(aggregate("sum"), x, type_id::float64);
    expect_equal_bytes(p);
}

TEST_F(reduction, a_broadcast_operand) {
    program p({20, 300}, {1, 1});
    int const row = p.input(type_id::float64, {{0, 8}, 0, 2400}, bytes_of(numbers<double>(300)));
    p.reduce(aggregate("sum"), row, type_id::float64);
    expect_equal_bytes(p);
}

TEST_F(reduction, a_fused_prologue) {
    program p({3000}, {1});
    int const x = p.input(numbers<double>(3000));
    int const y = p.op(op("multiply"), type_id::float64, {x, p.constant(2.0)});
    int const z = p.op(op("greater"), type_id::bool_, {y, p.constant(0.5)});
    p.reduce(aggregate("sum"), z, type_id::int64);
    expect_equal_bytes(p);
}

// Errors are collected by the pass that reads the operands: they are read once.
TEST_F(reduction, checked_inputs_are_computed_once) {
    for (extents const& shape : {extents{3, 200}, extents{1, 1}}) {
        int launches[2];
        for (int const check : {0, 15}) {
            program p(shape, {0, 1});
            auto const n = static_cast<std::size_t>(shape[0] * shape[1]);
            std::vector<double> data(n, 3.0);
            data[n / 2] = 1e200;
            int const x = p.input(data);
            int const square = p.op(ops::find("multiply"), type_id::float64, {x, x}, static_cast<std::uint8_t>(check));
            p.reduce(ops::find_aggregate("sum"), square, type_id::float64);
            if (!on_real_device()) fake().reset();
            EXPECT_EQ(expect_equal_bytes(p).flags, check ? std::uint32_t{ops::fp::over} : 0u);
            if (!on_real_device()) launches[check != 0] = fake().calls("cuLaunchKernel");
        }
        if (!on_real_device()) { EXPECT_EQ(launches[0], launches[1]); }
    }
}

TEST_F(reduction, several_reductions_of_one_plan) {
    program p({30, 200}, {0, 1});
    int const x = p.input(numbers<double>(6000));
    p.reduce(aggregate("sum"), x, type_id::float64);
    p.reduce(aggregate("max"), x, type_id::float64);
    p.reduce(aggregate("argmin"), x, type_id::int64);
    expect_equal_bytes(p);
}

TEST_F(reduction, a_store_alongside_a_reduction) {
    program p({2000}, {1});
    int const x = p.input(numbers<double>(2000));
    int const y = p.op(op("negative"), type_id::float64, {x});
    p.store(y);
    p.reduce(aggregate("sum"), y, type_id::float64);
    expect_equal_bytes(p);
}

TEST_F(reduction, a_store_over_the_operand_that_is_reduced) {
    program p({2000}, {1});
    int const x = p.input(numbers<double>(2000));
    p.store_in_place(p.op(op("negative"), type_id::float64, {x}), 0);
    p.reduce(aggregate("sum"), x, type_id::float64);
    expect_equal_bytes(p);
}

TEST_F(reduction, sum) { every_input_of("sum", {11, 300}, {0, 1}); }
TEST_F(reduction, prod) { every_input_of("prod", {11, 30}, {0, 1}); }
TEST_F(reduction, mean) { every_input_of("mean", {11, 300}, {0, 1}); }
TEST_F(reduction, min) { every_input_of("min", {11, 300}, {0, 1}); }
TEST_F(reduction, max) { every_input_of("max", {300, 11}, {1, 0}); }
TEST_F(reduction, argmin) { every_input_of("argmin", {11, 300}, {0, 1}); }
TEST_F(reduction, argmax) { every_input_of("argmax", {300, 11}, {1, 0}); }
TEST_F(reduction, any) { every_input_of("any", {11, 300}, {0, 1}); }
TEST_F(reduction, all) { every_input_of("all", {300, 11}, {1, 0}); }
TEST_F(reduction, count_nonzero) { every_input_of("count_nonzero", {11, 300}, {0, 1}); }
TEST_F(reduction, var) { every_input_of("var", {11, 3000}, {0, 1}); }
TEST_F(reduction, std_with_ddof_one) { every_input_of("std", {11, 1025}, {0, 1}, 1); }
TEST_F(reduction, var_of_short_columns) { every_input_of("var", {60, 11}, {1, 0}); }

// The tree is the device's own; its error is bounded as that of every variance here.
TEST_F(reduction, variances_of_long_columns_are_cut_too) {
    for (auto [rows, columns] : {std::pair{300, 11}, {40000, 2}}) {
        program const p = reduce_of<double>("var", {rows, columns}, {1, 0}, 1);
        outcome const o = p.run_on(*device);
        ASSERT_EQ(o.code, status::ok) << o.error;
        std::vector<double> const x = numbers<double>(rows * columns);
        auto const n = static_cast<std::size_t>(columns);
        for (std::size_t c = 0; c < n; ++c) {
            long double sum = 0, squares = 0;
            for (std::size_t i = c; i < x.size(); i += n) sum += x[i];
            for (std::size_t i = c; i < x.size(); i += n) squares += (x[i] - sum / rows) * (x[i] - sum / rows);
            EXPECT_NEAR(o.as<double>()[c], static_cast<double>(squares / (rows - 1)), 4e-12);  // about 4 ULP of 3333
        }
        if (on_real_device()) continue;
        fake().reset();
        p.run_on(*device);
        EXPECT_GT(fake().calls("cuLaunchKernel"), 2);  // stripes, at least one level above, the end
    }
}

TEST_F(reduction, of_everything_at_once) {
    program p({40, 70}, {1, 1});
    for (char const* name : {"prod", "min", "argmax", "all", "count_nonzero", "std"}) reduce_input<double>(p, name);
    expect_equal_bytes(p);
}

TEST_F(reduction, complex_sums_have_half_the_lanes) {
    for (std::int64_t n : {3, 4, 63, 64, 65, 1000}) expect_equal_bytes(reduce_of<complex<double>>("sum", {n}, {1}));
    expect_equal_bytes(reduce_of<complex<float>>("mean", {5, 100}, {0, 1}));
}

TEST_F(reduction, variance_of_complex_numbers_is_real) {
    expect_equal_bytes(reduce_of<complex<double>>("var", {2, 1500}, {0, 1}));
}

TEST_F(reduction, float32_sums_are_reduced_in_float32) { expect_equal_bytes(reduce_of<float>("sum", {10000}, {1})); }

TEST_F(reduction, narrow_integers_widen) {
    program p = reduce_of<std::int8_t>("sum", {5000}, {1});
    reduce_input<std::uint16_t>(p, "sum");
    expect_equal_bytes(p);
}

TEST_F(reduction, not_a_number_wins_and_its_first_place_is_found) {
    program p({400, 2}, {1, 0});
    auto data = numbers<double>(800);
    data[2 * 137] = data[2 * 300] = data[2 * 300 + 1] = std::numeric_limits<double>::quiet_NaN();
    p.reduce(aggregate("argmax"), p.input(data), type_id::int64);
    p.reduce(aggregate("argmax"), p.input(std::vector<std::int32_t>(800, 5)), type_id::int64);
    auto const outcome = expect_equal_bytes(p);
    EXPECT_EQ(outcome.as<std::int64_t>(), (std::vector<std::int64_t>{137, 300}));
    EXPECT_EQ(outcome.as<std::int64_t>(1), (std::vector<std::int64_t>{0, 0}));
}

TEST_F(reduction, the_first_of_equal_extrema_is_found) {
    program p({2, 999}, {0, 1});
    p.reduce(aggregate("argmin"), p.input(std::vector<double>(2 * 999, 5)), type_id::int64);
    p.reduce(aggregate("argmin"), p.input(std::vector<std::int32_t>(2 * 999, 5)), type_id::int64);
    auto const outcome = expect_equal_bytes(p);
    for (std::size_t k : {0, 1}) EXPECT_EQ(outcome.as<std::int64_t>(k), (std::vector<std::int64_t>{0, 0}));
}

TEST_F(reduction, negative_zeros_sum_to_zero) {
    program p({100}, {1});
    p.reduce(aggregate("sum"), p.input(std::vector<double>(100, -0.0)), type_id::float64);
    EXPECT_FALSE(std::signbit(expect_equal_bytes(p).as<double>()[0]));
}

TEST_F(reduction, of_nothing_is_the_identity) {
    expect_equal_bytes(reduce_of<double>("sum", {0}, {1}));
    every_input_of("prod", {3, 0}, {0, 1});
    expect_equal_bytes(reduce_of<double>("sum", {0, 3}, {1, 0}));
}

TEST_F(reduction, of_nothing_without_identity_is_a_value_error) {
    outcome const o = reduce_of<double>("max", {0}, {1}).run_on(*device);
    EXPECT_EQ(o.code, status::value_error);
    EXPECT_NE(o.error.find("no identity"), std::string::npos);
}

TEST_F(reduction, of_no_dimensions_reductions_one_element) { expect_equal_bytes(reduce_of<double>("sum", {1}, {1})); }

TEST_F(reduction, an_unknown_aggregate_is_not_supported) {
    program p({2}, {1});
    p.reduce(9999, p.input<double>({1, 2}), type_id::float64);
    EXPECT_EQ(p.run_on(*device).code, status::not_supported);
}

// ---- errors of the reduction itself
template <class T>
std::uint32_t errors_of(char const* name, extents const& shape, reduced const& reduced, std::vector<T> const& x,
                        std::uint8_t asked = ops::fp::over | ops::fp::invalid) {
    program p(shape, reduced);
    p.reduce(aggregate(name), p.input(x), result_of(name, id_of<T>::value));
    p.check_reductions(asked);
    outcome const o = p.run_on(cuda());
    EXPECT_EQ(o.code, status::ok) << o.error;
    EXPECT_EQ(o.flags, 0u);
    return o.of_reductions[0];
}

struct way {
    extents shape;
    reduced axes;
};
// Runs of one leaf and of many, columns, columns that are cut into stripes, and several runs.
std::vector<way> ways() {
    return {{{6}, {1}}, {{5000}, {1}}, {{40, 3}, {1, 0}}, {{2000, 2}, {1, 0}}, {{7, 5, 3}, {1, 0, 1}}};
}

template <class T> std::vector<T> filled(way const& w, T value) {
    std::int64_t n = 1;
    for (auto const d : w.shape) n *= d;
    return std::vector<T>(static_cast<std::size_t>(n), value);
}
template <class T> std::uint32_t errors_of(char const* name, way const& w, std::vector<T> const& x) {
    return errors_of(name, w.shape, w.axes, x);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_F(reduction, a_sum_reports_its_overflow_and_of_infinities_that_cancel) {
    for (way const& w : ways()) {
        SCOPED_TRACE(w.shape[0]);
        auto x = filled(w, 1e308);
        EXPECT_EQ(errors_of("sum", w, x), ops::fp::over);
        EXPECT_EQ(errors_of("sum", w.shape, w.axes, x, ops::fp::invalid), 0u) << "nobody asked";
        EXPECT_EQ(errors_of("sum", w, filled(w, 1e300)), 0u);
        x = filled(w, 1.0);
        x.front() = infinity;
        EXPECT_EQ(errors_of("sum", w, x), 0u) << "an infinity that was there is no overflow";
        x = filled(w, infinity);
        for (std::size_t i = 0; i < x.size(); i += 7) x[i] = -infinity;
        EXPECT_EQ(errors_of("sum", w, x), ops::fp::invalid);
        EXPECT_EQ(errors_of("sum", w, filled(w, std::numeric_limits<double>::quiet_NaN())), 0u);
    }
    EXPECT_EQ(errors_of("mean", way{{300}, {1}}, std::vector<double>(300, 1e308)), ops::fp::over);
}

TEST_F(reduction, a_product_reports_overflow_underflow_and_nothing_times_infinity) {
    way const runs{{5000}, {1}}, columns{{40, 3}, {1, 0}};
    for (way const& w : {runs, columns}) {
        EXPECT_EQ(errors_of("prod", w, filled(w, 1e30f)), ops::fp::over);
        EXPECT_EQ(errors_of("prod", w, filled(w, complex<double>{1e200, 0})) & ops::fp::over, ops::fp::over);
        EXPECT_EQ(errors_of("prod", w, filled(w, complex<double>{1, 0})), 0u);
    }
    auto x = filled(runs, 1.0f);
    x[7] = 0, x[250] = static_cast<float>(infinity);
    EXPECT_EQ(errors_of("prod", runs, x), ops::fp::invalid);
    x[7] = x[250] = 1e-30f;
    EXPECT_EQ(errors_of("prod", runs, x), 0u) << "nobody asked";
    EXPECT_EQ(errors_of("prod", runs.shape, runs.axes, x, ops::fp::all), ops::fp::under);
}

TEST_F(reduction, a_variance_reports_squares_that_overflow_and_of_infinities) {
    for (way const& w : ways()) {
        SCOPED_TRACE(w.shape[0]);
        auto x = filled(w, 1e200);
        for (std::size_t i = 0; i < x.size() / 2; ++i) x[i] = -1e200;
        EXPECT_EQ(errors_of("var", w, x), ops::fp::over);
        EXPECT_EQ(errors_of("var", w, filled(w, 3.0)), 0u);
        x = filled(w, 1.0);
        x[1] = infinity;
        EXPECT_EQ(errors_of("var", w, x), ops::fp::invalid);
    }
}

TEST_F(reduction, what_its_input_raises_is_distinguished_from_what_it_raises) {
    program p({4}, {1});
    int const x = p.input<double>({1e308, 1e308, 1, 0});
    p.reduce(aggregate("sum"), p.op(op("divide"), type_id::float64, {p.constant(1.0), x}, 15), type_id::float64);
    p.reduce(aggregate("sum"), x, type_id::float64);
    p.reduce(aggregate("max"), x, type_id::float64);
    p.check_reductions(ops::fp::over | ops::fp::invalid);
    outcome const o = p.run_on(*device);
    EXPECT_EQ(o.flags, std::uint32_t{ops::fp::divide | ops::fp::under});
    EXPECT_EQ(o.of_reductions, (std::vector<std::uint32_t>{0, ops::fp::over, 0}));
}

}  // namespace
}  // namespace bascule::testing

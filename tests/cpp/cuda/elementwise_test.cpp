// Element-wise plans: CUDA's results equal, byte for byte, those of the reference device.
#include <numeric>
#include <random>

#include "bascule/ops/table.hpp"
#include "cuda_device.hpp"

namespace bascule::testing {
namespace {

using elementwise = on_cuda;

int op(char const* name) { return ops::find(name); }

std::vector<double> numbers(std::size_t n, unsigned seed = 1) {
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> spread(-1e3, 1e3);
    std::vector<double> all(n);
    for (double& x : all) x = spread(generator);
    return all;
}
std::vector<double> counted(std::size_t n) {
    std::vector<double> all(n);
    std::iota(all.begin(), all.end(), 0.0);
    return all;
}

TEST_F(elementwise, add_of_two_contiguous_arrays) {
    program p({1000});
    int const a = p.input(numbers(1000)), b = p.input(numbers(1000, 2));
    p.store(p.op(op("add"), type_id::float64, {a, b}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, multiply_then_add_rounds_twice) {
    program p({3});
    double const x = 1 + 0x1p-30;
    int const a = p.input<double>({x, x, x}), c = p.constant(-1.0);
    int const product = p.op(op("multiply"), type_id::float64, {a, a});
    p.store(p.op(op("add"), type_id::float64, {product, c}));
    EXPECT_EQ(expect_equal_bytes(p).as<double>()[0], 0x1p-29);  // with one rounding it would be 0x1p-29 + 0x1p-60
}

TEST_F(elementwise, sizes_around_a_warp_and_a_block) {
    for (std::int64_t n : {1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 4095, 4097}) {
        program p({n});
        p.store(p.op(op("negative"), type_id::float64, {p.input(numbers(static_cast<std::size_t>(n)))}));
        expect_equal_bytes(p);
    }
}

TEST_F(elementwise, more_items_than_threads_are_walked_by_stride) {
    program p({70000});
    p.store(p.op(op("negative"), type_id::float64, {p.input(numbers(70000))}));
    expect_equal_bytes(p);
}

// Threads have several items, moved by words of 128 bits: of which there may be less at the end of a row than a thread
// has.
TEST_F(elementwise, elements_of_every_width_end_anywhere) {
    for (type_id const t : {type_id::uint8, type_id::int16, type_id::float32, type_id::complex128})
        for (std::int64_t const n : {1, 3, 7, 15, 16, 17, 37}) {
            program p({n});
            auto const l = contiguous({n}, itemsize(t));
            bytes data(static_cast<std::size_t>(l.size));
            for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i % 61);
            int const x = p.input(t, l, data);
            p.store(p.op(op("add"), t, {x, x}));
            expect_equal_bytes(p);
        }
}

TEST_F(elementwise, memory_off_the_border_of_a_word) {
    for (std::int64_t const n : {1, 2, 4, 5, 100, 1001})
        for (std::int64_t const first : {0, 8}) {
            program p({n});
            int const a = p.input(type_id::float64, {{8}, 8 - first, 8 * n + 8}, bytes_of(counted(n + 1)));
            int const b = p.input(type_id::float64, {{8}, first, 8 * n + 8}, bytes_of(numbers(n + 1)));
            p.store(p.op(op("add"), type_id::float64, {a, b}), {{8}, first, 8 * n + 8});
            expect_equal_bytes(p);
        }
}

TEST_F(elementwise, rows_of_any_length_lie_apart) {
    for (std::int64_t const n : {4, 5, 6, 7, 8, 9, 301}) {
        program p({5, n});
        std::int64_t const row = 8 * (n + 3);
        int const a = p.input(type_id::float64, {{row, 8}, 16, 5 * row}, bytes_of(counted(5 * (n + 3))));
        int const b = p.input(type_id::float64, {{0, 8}, 0, 8 * n}, bytes_of(numbers(n)));
        int const c = p.input(type_id::float64, {{8, 0}, 0, 40}, bytes_of(numbers(5, 9)));
        int const d = p.input(type_id::float64, {{8, 40}, 0, 40 * n}, bytes_of(numbers(5 * n, 7)));
        int const sum = p.op(op("add"), type_id::float64, {p.op(op("add"), type_id::float64, {a, b}), c});
        p.store(p.op(op("multiply"), type_id::float64, {sum, d}), {{row, 8}, 24, 5 * row});
        expect_equal_bytes(p);
    }
}

TEST_F(elementwise, coordinates_of_four_dimensions) {
    for (extents const& shape : {extents{3, 5, 7, 6}, extents{1000, 3, 2, 17}, extents{2, 31, 129, 5}}) {
        program p(shape);
        extents strides(4);
        std::int64_t size = 8;
        for (std::size_t d : {2, 0, 3, 1}) strides[d] = size, size *= shape[d];
        int const a =
            p.input(type_id::float64, {strides, 0, size}, bytes_of(counted(static_cast<std::size_t>(size / 8))));
        p.store(p.op(op("negative"), type_id::float64, {a}));
        expect_equal_bytes(p);
    }
}

TEST_F(elementwise, what_would_lie_past_the_end_raises_nothing) {
    for (std::int64_t const n : {1, 3, 5, 6}) {
        program p({n});
        int const left = p.op(op("subtract"), type_id::int64, {p.constant(n), p.iota(0, {1})});
        int const x = p.op(op("cast"), type_id::float64, {left});
        p.store(p.op(op("divide"), type_id::float64, {p.input(numbers(static_cast<std::size_t>(n))), x}, 15));
        EXPECT_EQ(expect_equal_bytes(p).flags, 0u);
    }
}

TEST_F(elementwise, no_dimensions_is_one_element) {
    program p({});
    p.store(p.op(op("add"), type_id::float64, {p.constant(1.5), p.constant(2.0)}));
    EXPECT_EQ(expect_equal_bytes(p).as<double>(), std::vector<double>{3.5});
}

TEST_F(elementwise, an_empty_space_stores_nothing) {
    program p({3, 0});
    p.store(p.constant(1.0), {{8, 8}, 0, 8});
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_transposed_operand) {
    program p({5, 7});
    int const a = p.input(type_id::float64, {{8, 40}, 0, 280}, bytes_of(counted(35)));
    int const b = p.input(numbers(35));
    p.store(p.op(op("subtract"), type_id::float64, {a, b}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_reversed_operand) {
    program p({100});
    p.store(p.input(type_id::float64, {{-8}, 792, 800}, bytes_of(counted(100))));
    EXPECT_EQ(expect_equal_bytes(p).as<double>()[0], 99);
}

TEST_F(elementwise, every_second_row_and_column) {
    program p({4, 5});
    int const a = p.input(type_id::float64, {{160, 16}, 0, 640}, bytes_of(counted(80)));
    p.store(p.op(op("subtract"), type_id::float64, {a, p.input(numbers(20))}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, rows_of_a_wider_array_are_contiguous_inside) {
    program p({6, 5});
    int const a = p.input(type_id::float64, {{64, 8}, 8, 384}, bytes_of(counted(48)));
    p.store(p.op(op("subtract"), type_id::float64, {a, p.input(numbers(30))}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_broadcast_row_and_column) {
    program p({3, 4});
    int const row = p.input(type_id::float64, {{0, 8}, 0, 32}, bytes_of(counted(4)));
    int const column = p.input(type_id::float64, {{8, 0}, 0, 24}, bytes_of(numbers(3)));
    p.store(p.op(op("multiply"), type_id::float64, {row, column}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_broadcast_scalar_operand) {
    program p({50});
    int const one = p.input(type_id::float64, {{0}, 0, 8}, bytes_of<double>({2.5}));
    p.store(p.op(op("multiply"), type_id::float64, {p.input(numbers(50)), one}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_strided_store_leaves_the_gaps_alone) {
    program p({10});
    p.store(p.input(counted(10)), {{24}, 8, 240});
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_reversed_store) {
    program p({9});
    p.store(p.input(counted(9)), {{-8}, 64, 72});
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_store_into_columns) {
    program p({4, 3});
    p.store(p.input(counted(12)), {{8, 32}, 0, 96});
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_store_over_its_own_operand) {
    program p({300});
    int const x = p.input(numbers(300));
    p.store_in_place(p.op(op("multiply"), type_id::float64, {x, p.constant(3.0)}), 0);
    expect_equal_bytes(p);
}

TEST_F(elementwise, several_stores_share_a_pass) {
    program p({200});
    int const a = p.input(numbers(200)), b = p.input(numbers(200, 3));
    int const sum = p.op(op("add"), type_id::float64, {a, b});
    p.store(sum);
    p.store(p.op(op("less"), type_id::bool_, {a, b}));
    p.store(p.op(op("multiply"), type_id::float64, {sum, b}));
    expect_equal_bytes(p);
    if (on_real_device()) return;
    EXPECT_LE(fake().calls("cuLaunchKernel"), 1);
}

TEST_F(elementwise, values_that_nothing_needs_are_left_out) {
    program p({10});
    int const a = p.input(counted(10));
    p.op(op("divide"), type_id::float64, {a, a});
    p.store(p.op(op("negative"), type_id::float64, {a}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, iota_follows_its_strides) {
    program p({4, 5});
    p.store(p.iota(7, {100, -3}));
    EXPECT_EQ(expect_equal_bytes(p).as<std::int64_t>()[6], 104);
}

TEST_F(elementwise, iota_and_memory_in_one_kernel) {
    program p({6, 4});
    int const i = p.iota(0, {4, 1});
    int const x = p.op(op("cast"), type_id::float64, {i});
    p.store(p.op(op("add"), type_id::float64, {x, p.input(numbers(24))}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, constants_of_every_width) {
    program p({2});
    p.store(p.constant(true));
    p.store(p.constant(std::int8_t{-7}));
    p.store(p.constant(std::uint16_t{65535}));
    p.store(p.constant(std::int32_t{-70000}));
    p.store(p.constant(std::uint64_t{1} << 63));
    p.store(p.constant(1.5f));
    p.store(p.constant(complex<float>{1, -2}));
    p.store(p.constant(complex<double>{-0.0, 2}));
    p.store(p.constant(datetime64{123}));
    p.store(p.constant(timedelta64{nat}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, integers_wrap) {
    program p({2});
    int const a = p.input<std::int8_t>({127, -128});
    p.store(p.op(op("add"), type_id::int8, {a, a}));
    int const b = p.input<std::uint64_t>({~std::uint64_t{0}, 5});
    p.store(p.op(op("multiply"), type_id::uint64, {b, b}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, where_selects) {
    program p({100});
    int const a = p.input(numbers(100)), b = p.input(numbers(100, 4));
    int const condition = p.op(op("less"), type_id::bool_, {a, b});
    p.store(p.op(op("where"), type_id::float64, {condition, a, b}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, float16_comes_and_goes_through_casts) {
    program p({6});
    int const h = p.input(type_id::float16, contiguous({6}, 2),
                          bytes_of<std::uint16_t>({0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00, 0x8000}));
    int const x = p.op(op("cast"), type_id::float32, {h});
    int const y = p.op(op("add"), type_id::float32, {x, x});
    p.store(p.op(op("cast"), type_id::float16, {y}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, complex_products_and_quotients) {
    program p({3});
    int const a = p.input<complex<double>>({{1, 2}, {-3, 0.5}, {1e300, 1e-300}});
    int const b = p.input<complex<double>>({{0.1, -2}, {7, 7}, {1e10, 1e-10}});
    p.store(p.op(op("multiply"), type_id::complex128, {a, b}));
    p.store(p.op(op("divide"), type_id::complex128, {a, b}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, casts_from_float64_to_every_type) {
    program p({7});
    int const x = p.input<double>({0, -1.5, 3.99, 255.5, -70000.25, 1e9, 0.1});
    for (int t = 0; t < type_count; ++t) p.store(p.op(op("cast"), static_cast<type_id>(t), {x}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, subnormals_are_kept) {
    program p({2});
    int const x = p.input<float>({1e-40f, 3e-45f});
    p.store(p.op(op("add"), type_id::float32, {x, x}));
    int const y = p.input<double>({5e-324, 1e-310});
    p.store(p.op(op("add"), type_id::float64, {y, y}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, elementary_functions_have_the_cpu_s_bits) {
    program p({500});
    int const x = p.op(op("fabs"), type_id::float64, {p.input(numbers(500))});
    for (char const* name : {"exp", "log", "sin", "tanh", "sqrt"}) p.store(p.op(op(name), type_id::float64, {x}));
    expect_equal_bytes(p);
}

TEST_F(elementwise, a_plan_with_more_words_than_a_kernel_takes_by_value) {
    program p({2, 2, 2, 2, 2, 2, 2, 2});
    int total = p.constant(0.0);
    for (int k = 0; k < 30; ++k) {  // each has another layout, so that no two dimensions merge
        extents strides(8);
        for (int d = 0; d < 8; ++d) strides[static_cast<std::size_t>((d * 3 + k) % 8)] = 8 << d;
        int const x = p.input(type_id::float64, {strides, 0, 2048}, bytes_of(numbers(256, static_cast<unsigned>(k))));
        total = p.op(op("add"), type_id::float64, {total, x});
    }
    p.store(total);
    expect_equal_bytes(p);
}

TEST_F(elementwise, checked_values_report_their_conditions) {
    program p({3});
    int const a = p.input<double>({1, 0, 1e308}), b = p.input<double>({0, 0, 1e-10});
    p.store(p.op(op("divide"), type_id::float64, {a, b}, 15));
    EXPECT_EQ(expect_equal_bytes(p).flags, std::uint32_t{ops::fp::divide | ops::fp::over | ops::fp::invalid});
}

TEST_F(elementwise, an_overflowing_product_is_reported_if_asked_for) {
    program p({2});
    int const a = p.input<double>({1e200, 1});
    p.store(p.op(op("multiply"), type_id::float64, {a, a}, ops::fp::over));
    EXPECT_EQ(expect_equal_bytes(p).flags, std::uint32_t{ops::fp::over});
    program q({2});
    int const b = q.input<double>({1e200, 1});
    q.store(q.op(op("multiply"), type_id::float64, {b, b}, ops::fp::invalid));
    EXPECT_EQ(expect_equal_bytes(q).flags, 0u);
}

TEST_F(elementwise, integer_division_by_zero_is_reported) {
    program p({2});
    int const a = p.input<std::int32_t>({7, 8}), b = p.input<std::int32_t>({2, 0});
    p.store(p.op(op("floor_divide"), type_id::int32, {a, b}, ops::fp::divide));
    EXPECT_EQ(expect_equal_bytes(p).flags, std::uint32_t{ops::fp::divide});
}

TEST_F(elementwise, an_unknown_op_is_not_supported) {
    program p({1});
    p.store(p.op(60000, type_id::float64, {p.constant(1.0)}));
    outcome const o = p.run_on(*device);
    EXPECT_EQ(o.code, status::not_supported);
    EXPECT_NE(o.error.find("60000"), std::string::npos);
}

TEST_F(elementwise, a_store_of_another_dtype_is_a_value_error) {
    program p({1});
    p.store(p.constant(1.0));
    p.values[0].dtype = type_id::float32;
    EXPECT_EQ(p.run_on(*device).code, status::value_error);
}

}  // namespace
}  // namespace bascule::testing

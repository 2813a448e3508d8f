// Running aggregates in tiles: against the reference device, which goes one by one, byte for byte where sums are exact.
#include <cmath>
#include <limits>
#include <random>

#include "bascule/core/algorithms.hpp"
#include "bascule/ops/table.hpp"
#include "cuda_device.hpp"

namespace bascule::testing {
namespace {

using scans = on_cuda;
using scan_launches = on_fake_cuda;

// Along the last dimension of `shape`, with the elements in the layout `in`; the output has the layout of the input.
struct scan_case {
    extents shape;
    layout in;
    std::uint32_t flags = 0;
    std::uint8_t check = 0;

    explicit scan_case(extents s, std::int64_t item) : shape(std::move(s)), in(contiguous(shape, item)) {}
    scan_case(extents s, extents strides, std::int64_t bytes, std::int64_t first = 0)
        : shape(std::move(s)), in{std::move(strides), first, bytes} {}

    template <class T> bytes on(backend const& device, char const* op, std::vector<T> const& data) {
        device_buffers memory(device);
        memory.add(bytes_of(data));
        memory.add(bytes(static_cast<std::size_t>(in.size), 0));
        scan_args a;
        a.ndim = static_cast<std::int32_t>(shape.size()), a.shape = shape.data();
        a.op = static_cast<std::uint16_t>(ops::find(op));
        a.in = {memory.at(0) + in.first, in.strides.data(), id_of<T>::value};
        a.out = {memory.at(1) + in.first, in.strides.data(), id_of<T>::value};
        if (check) a.fp_flags = &flags, a.check = check;
        EXPECT_EQ(device.algorithm(0, algorithm_kind::scan, &a, nullptr), status::ok) << device.last_error();
        bytes out;
        memory.read(1, out);
        device.synchronize(0, nullptr);
        return out;
    }
    template <class T> void expect_equal(char const* op, std::vector<T> const& data) {
        bytes const expected = on(*reference_backend(), op, data), actual = on(cuda(), op, data);
        EXPECT_EQ(first_difference(id_of<T>::value, expected, actual), "") << op;
    }
};

// Small numbers, so that every sum of floats is exact.
template <class T> std::vector<T> small_numbers(std::size_t n, int most = 9) {
    std::vector<T> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<T>(static_cast<int>(i * 7919 % 101) % most - most / 2);
    return all;
}
std::vector<double> random_numbers(std::size_t n) {
    std::mt19937_64 generator(5);
    std::vector<double> all(n);
    for (auto& x : all) x = std::uniform_real_distribution<double>(-1, 2)(generator);
    return all;
}

TEST_F(scans, a_row_of_any_length) {
    for (std::int64_t const n : {1, 64, 65, 511, 512, 513, 1024, 1040, 8191, 300'000})
        scan_case({n}, 8).expect_equal("add", small_numbers<double>(static_cast<std::size_t>(n)));
}

TEST_F(scans, rows_that_follow_each_other) {
    for (std::int64_t const n : {70, 1500}) scan_case({11, n}, 8).expect_equal("add", small_numbers<double>(11 * n));
}

TEST_F(scans, a_row_of_more_tiles_than_two_levels_have) {
    scan_case({600'000}, 1).expect_equal("add", small_numbers<std::int8_t>(600'000));
    scan_case({9, 40'000}, {4, 36}, 9 * 40'000 * 4).expect_equal("add", small_numbers<std::int32_t>(9 * 40'000));
}

// The elements are read once, by one kernel.
TEST_F(scan_launches, one_launch_serves_a_row_of_any_length) {
    std::vector<double> const x = random_numbers(100'000);
    scan_case({100'000}, 8).on(cuda(), "add", x);  // compiles it
    int const before = fake().calls("cuLaunchKernel");
    scan_case({100'000}, 8).on(cuda(), "add", x);
    EXPECT_EQ(fake().calls("cuLaunchKernel") - before, 1);
}

// By threads that walk over the tiles of a row, and by some for each tile.
TEST_F(scans, many_rows_of_several_tiles) {
    for (std::size_t const rows : {1100u, 700u}) {
        std::size_t const n = rows > 1000 ? 260 : 520;
        std::vector<complex<double>> z(rows * n);
        for (std::size_t k = 0; k < z.size(); ++k) z[k] = {static_cast<double>(k % 7) - 3, static_cast<double>(k % 5)};
        scan_case({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(n)}, 16).expect_equal("add", z);
    }
}

TEST_F(scans, columns) {
    scan_case({2, 700}, {8, 16}, 2 * 700 * 8).expect_equal("add", small_numbers<double>(1400));
    scan_case({37, 1300}, {8, 37 * 8}, 37 * 1300 * 8).expect_equal("add", small_numbers<double>(37 * 1300));
}

TEST_F(scans, a_dimension_in_the_middle) {
    scan_case({3, 5, 700}, {5 * 700 * 8, 8, 40}, 3 * 5 * 700 * 8).expect_equal("add", small_numbers<double>(10500));
}

TEST_F(scans, reversed_and_strided_rows) {
    scan_case({1200}, {-8}, 9600, 9592).expect_equal("add", small_numbers<double>(1200));
    scan_case({2, 1200}, {24 * 1200, 24}, 2 * 24 * 1200).expect_equal("add", small_numbers<double>(7200));
}

TEST_F(scans, integers_wrap_and_logical_ones_are_exact) {
    std::vector<std::int64_t> odd(1100);
    for (std::size_t i = 0; i < odd.size(); ++i) odd[i] = static_cast<std::int64_t>(2 * i + 3);
    scan_case({1100}, 8).expect_equal("multiply", odd);
    scan_case({1100}, 8).expect_equal("gcd", odd);
    std::vector<std::uint8_t> const bytes(1100, 200);
    scan_case({1100}, 1).expect_equal("add", bytes);
}

// Ops that may not be joined in pieces run one by one, in rows of any length.
TEST_F(scans, differences_go_in_order) { scan_case({1100}, 8).expect_equal("subtract", random_numbers(1100)); }

TEST_F(scans, extrema_hand_on_nan_or_ignore_it) {
    std::vector<double> x = random_numbers(2000);
    x[3] = x[700] = x[1300] = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 900; k < 1000; ++k) x[k] = k % 2 ? 7.0 : -7.0;
    scan_case({2000}, 8).expect_equal("maximum", x);
    x[3] = 1;
    scan_case({2000}, 8).expect_equal("maximum", x);
    scan_case({2, 1000}, {8, 16}, 16000).expect_equal("fmax", x);
}

TEST_F(scans, other_types) {
    std::vector<complex<double>> z(700);
    for (std::size_t k = 0; k < z.size(); ++k) z[k] = {static_cast<double>(k % 5), static_cast<double>(k % 3) - 1};
    scan_case({3, 200}, {16, 48}, 9600).expect_equal("add", std::vector(z.begin(), z.begin() + 600));
    std::vector<float16> values(800);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = ops::to_float16(static_cast<float>(k % 5) - 2);
    scan_case({800}, 2).expect_equal("add", values);
}

// The tree depends on the shape, not on the layout.
TEST_F(scans, rows_and_columns_have_the_same_bits) {
    constexpr std::size_t rows = 9, n = 20'000;
    std::vector<double> const x = random_numbers(rows * n);
    std::vector<double> turned(rows * n);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < n; ++i) turned[i * rows + r] = x[r * n + i];
    bytes const along = scan_case({rows, n}, 8).on(cuda(), "add", x),
                across = scan_case({rows, n}, {8, 8 * rows}, 8 * rows * n).on(cuda(), "add", turned);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < n; ++i)
            ASSERT_EQ(std::memcmp(&along[8 * (r * n + i)], &across[8 * (i * rows + r)], 8), 0) << r << ", " << i;
}

TEST_F(scans, sums_stay_within_their_bound) {
    std::vector<double> const x = random_numbers(300'000);
    bytes const out = scan_case({300'000}, 8).on(cuda(), "add", x);
    long double sum = 0, size = 0;
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double at_i = 0;
        std::memcpy(&at_i, &out[8 * i], 8);
        sum += x[i], size += std::abs(x[i]);
        worst = std::max(worst, static_cast<double>(std::abs(at_i - sum) / size));
    }
    EXPECT_LT(worst, 100 * 0x1p-53);
}

TEST_F(scans, overflow_is_reported_wherever_it_happens) {
    for (std::size_t const place : {0u, 15u, 16u, 511u, 700u, 1999u}) {
        scan_case c({2000}, 8);
        c.check = ops::fp::over | ops::fp::invalid;
        std::vector<double> x(2000, 0.0);
        x[place] = x[place ? 0 : 1700] = 1.7e308;
        c.on(cuda(), "add", x);
        EXPECT_EQ(c.flags, ops::fp::over) << place;
    }
}

}  // namespace
}  // namespace bascule::testing

// gather, scatter, nonzero, compress and scan against the reference device.
#include <numeric>
#include <random>

#include "bascule/core/algorithms.hpp"
#include "bascule/ops/table.hpp"
#include "cuda_device.hpp"

namespace bascule::testing {
namespace {

using algorithms = on_cuda;
using indices = std::vector<std::int64_t>;

indices random_indices(std::size_t n, std::int64_t low, std::int64_t high, unsigned seed = 1) {
    std::mt19937_64 generator(seed);
    indices all(n);
    for (auto& i : all) i = std::uniform_int_distribution<std::int64_t>(low, high - 1)(generator);
    return all;
}
std::vector<double> counted(std::size_t n) {
    std::vector<double> all(n);
    std::iota(all.begin(), all.end(), 0.5);
    return all;
}

struct result {
    status code;
    std::string error;
    bytes output;
    std::int64_t count = 0, bad_value = 0, bad_size = 0;
    std::int32_t bad_axis = 0;
};

template <class Args>
result call(backend const& device, device_buffers const& memory, algorithm_kind kind, Args& args, int output) {
    result r;
    r.code = device.algorithm(0, kind, &args, nullptr);
    if (r.code != status::ok) r.error = device.last_error();
    if (output >= 0) memory.read(output, r.output);
    device.synchronize(0, nullptr);
    return r;
}

// One index array per axis of a C-ordered array of float64.
struct indexing {
    extents array, items;
    std::vector<indices> index;
    bytes other;

    result run(backend const& device, algorithm_kind kind, bytes const& data) const {
        device_buffers memory(device);
        memory.add(data);
        memory.add(other);
        for (auto const& i : index) memory.add(bytes_of(i));
        layout const whole = contiguous(array, 8), place = contiguous(items, 8);
        std::vector<plan_operand> operands;
        for (std::size_t k = 0; k < index.size(); ++k)
            operands.push_back({memory.at(static_cast<int>(k) + 2), place.strides.data(), type_id::int64});
        std::vector<std::int32_t> axis(index.size());
        std::iota(axis.begin(), axis.end(), 0);
        extents const none(items.size(), 0);
        gather_args a;
        a.ndim = static_cast<std::int32_t>(items.size());
        a.shape = items.data();
        a.base = memory.at(0);
        a.base_strides = none.data();
        a.nindex = static_cast<std::int32_t>(index.size());
        a.index = operands.data();
        a.index_step = whole.strides.data();
        a.index_size = array.data();
        a.index_axis = axis.data();
        a.other = {memory.at(1), place.strides.data(), type_id::float64};
        a.itemsize = 8;
        result r = call(device, memory, kind, a, kind == algorithm_kind::gather ? 1 : 0);
        r.bad_value = a.bad_value, r.bad_axis = a.bad_axis, r.bad_size = a.bad_size;
        return r;
    }

    result expect_equal(algorithm_kind kind, bytes const& data) const {
        result const expected = run(*reference_backend(), kind, data), actual = run(cuda(), kind, data);
        EXPECT_EQ(actual.code, expected.code) << actual.error;
        EXPECT_TRUE(actual.output == expected.output);
        return actual;
    }
};

TEST_F(algorithms, gather_takes_elements_of_one_axis) {
    indexing const x{{50}, {1000}, {random_indices(1000, -50, 50)}, bytes(8000)};
    x.expect_equal(algorithm_kind::gather, bytes_of(counted(50)));
}

TEST_F(algorithms, gather_walks_two_axes_at_once) {
    indexing const x{{7, 9}, {20, 15}, {random_indices(300, -7, 7), random_indices(300, -9, 9, 2)}, bytes(2400)};
    x.expect_equal(algorithm_kind::gather, bytes_of(counted(63)));
}

TEST_F(algorithms, gather_of_nothing) {
    indexing const x{{7}, {0}, {{}}, bytes(8)};
    EXPECT_EQ(x.run(*device, algorithm_kind::gather, bytes_of(counted(7))).code, status::ok);
}

TEST_F(algorithms, gather_names_a_bad_index_and_writes_nothing) {
    indices i = random_indices(500, 0, 50);
    i[123] = 50, i[400] = -51;
    indexing const x{{50}, {500}, {i}, bytes(4000, 0x33)};
    result const r = x.run(*device, algorithm_kind::gather, bytes_of(counted(50)));
    EXPECT_EQ(r.code, status::index_error);
    EXPECT_EQ(r.bad_value, 50);
    EXPECT_EQ(r.bad_axis, 0);
    EXPECT_EQ(r.bad_size, 50);
    EXPECT_NE(r.error.find("index 50 is out of bounds for axis 0 with size 50"), std::string::npos) << r.error;
    EXPECT_EQ(r.output, bytes(4000, 0x33));
}

TEST_F(algorithms, a_bad_index_of_the_second_axis_is_reported_as_such) {
    indexing const x{{7, 9}, {1, 3}, {{0, 1, 2}, {8, -9, -10}}, bytes(24)};
    result const r = x.run(*device, algorithm_kind::gather, bytes_of(counted(63)));
    EXPECT_EQ(r.code, status::index_error);
    EXPECT_EQ(r.bad_value, -10);
    EXPECT_EQ(r.bad_axis, 1);
    EXPECT_EQ(r.bad_size, 9);
}

TEST_F(algorithms, the_device_goes_on_after_a_bad_index) {
    indexing const bad{{5}, {1}, {{5}}, bytes(8)}, good{{5}, {1}, {{4}}, bytes(8)};
    EXPECT_EQ(bad.run(*device, algorithm_kind::gather, bytes_of(counted(5))).code, status::index_error);
    good.expect_equal(algorithm_kind::gather, bytes_of(counted(5)));
}

TEST_F(algorithms, the_last_writer_of_scatter_wins) {
    indexing const x{{10}, {5000}, {random_indices(5000, -10, 10)}, bytes_of(counted(5000))};
    x.expect_equal(algorithm_kind::scatter, bytes_of(counted(10)));
}

TEST_F(algorithms, scatter_leaves_other_elements_alone) {
    indexing const x{
        {40, 30}, {10, 10}, {random_indices(100, 0, 40), random_indices(100, 0, 30, 5)}, bytes_of(counted(100))};
    x.expect_equal(algorithm_kind::scatter, bytes_of(counted(1200)));
}

TEST_F(algorithms, scatter_with_a_bad_index_writes_nothing) {
    indexing const x{{4}, {3}, {{0, 1, 4}}, bytes_of(counted(3))};
    result const r = x.run(*device, algorithm_kind::scatter, bytes_of(counted(4)));
    EXPECT_EQ(r.code, status::index_error);
    EXPECT_EQ(r.output, bytes_of(counted(4)));
}

TEST_F(algorithms, a_bad_index_is_found_on_a_lazy_stream_too) {
    if (on_real_device()) GTEST_SKIP() << "needs the fake driver";
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    indexing const x{{5}, {2}, {{4, 5}}, bytes(16)};
    result const r = x.run(*device, algorithm_kind::gather, bytes_of(counted(5)));
    EXPECT_EQ(r.code, status::index_error);
    EXPECT_EQ(r.bad_value, 5);
}

std::vector<std::uint8_t> random_mask(std::int64_t n, double share) {
    std::mt19937_64 generator(7);
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(n));
    for (auto& m : mask) m = std::bernoulli_distribution(share)(generator);
    return mask;
}

result nonzero_of(backend const& device, extents const& shape, std::vector<std::uint8_t> const& mask) {
    device_buffers memory(device);
    memory.add(bytes_of(mask));
    layout const l = contiguous(shape, 1);
    nonzero_args a;
    a.ndim = static_cast<std::int32_t>(shape.size());
    a.shape = shape.data();
    a.mask = {memory.at(0), l.strides.data(), type_id::bool_};
    memory.add(bytes(static_cast<std::size_t>(8 * count_of_chunk_offsets(l.size))));
    a.chunk_offsets = reinterpret_cast<std::int64_t*>(memory.at(1));
    EXPECT_EQ(device.algorithm(0, algorithm_kind::nonzero, &a, nullptr), status::ok) << device.last_error();
    memory.add(bytes(static_cast<std::size_t>(a.count) * shape.size() * 8));
    a.out = reinterpret_cast<std::int64_t*>(memory.at(2));
    a.out_stride = a.count;
    result r = call(device, memory, algorithm_kind::nonzero, a, 2);
    r.count = a.count;
    return r;
}

void expect_equal_nonzero(extents const& shape, double share) {
    auto const mask = random_mask(contiguous(shape, 1).size, share);
    result const expected = nonzero_of(*reference_backend(), shape, mask), actual = nonzero_of(cuda(), shape, mask);
    EXPECT_EQ(actual.count, expected.count);
    EXPECT_TRUE(actual.output == expected.output);
}

TEST_F(algorithms, nonzero_lists_positions_in_order) { expect_equal_nonzero({7000}, 0.3); }
TEST_F(algorithms, nonzero_lists_every_coordinate) { expect_equal_nonzero({13, 11, 17}, 0.5); }
TEST_F(algorithms, nonzero_knows_its_count_on_a_lazy_stream) {
    if (on_real_device()) GTEST_SKIP() << "needs the fake driver";
    with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
    EXPECT_EQ(nonzero_of(*device, {5000}, std::vector<std::uint8_t>(5000, 1)).count, 5000);
}
TEST_F(algorithms, nonzero_of_all_and_of_none) {
    expect_equal_nonzero({2049}, 1);
    expect_equal_nonzero({2049}, 0);
    expect_equal_nonzero({0}, 1);
}

result compress_of(backend const& device, extents const& shape, std::vector<std::uint8_t> const& mask,
                   bytes const& data, layout const& where, int itemsize) {
    device_buffers memory(device);
    memory.add(bytes_of(mask));
    memory.add(data);
    layout const l = contiguous(shape, 1);
    compress_args a;
    a.ndim = static_cast<std::int32_t>(shape.size());
    a.shape = shape.data();
    a.mask = {memory.at(0), l.strides.data(), type_id::bool_};
    a.data = {memory.at(1) + where.first, where.strides.data(), type_id::float64};
    a.itemsize = itemsize;
    memory.add(bytes(static_cast<std::size_t>(8 * count_of_chunk_offsets(l.size))));
    a.chunk_offsets = reinterpret_cast<std::int64_t*>(memory.at(2));
    EXPECT_EQ(device.algorithm(0, algorithm_kind::compress, &a, nullptr), status::ok) << device.last_error();
    memory.add(bytes(static_cast<std::size_t>(a.count) * static_cast<std::size_t>(itemsize)));
    a.out = memory.at(3);
    result r = call(device, memory, algorithm_kind::compress, a, 3);
    r.count = a.count;
    return r;
}

TEST_F(algorithms, compress_takes_what_the_mask_selects) {
    auto const mask = random_mask(60 * 90, 0.2);
    layout const transposed{{8, 480}, 0, 43200};
    auto const data = bytes_of(counted(5400));
    result const expected = compress_of(*reference_backend(), {60, 90}, mask, data, transposed, 8);
    result const actual = compress_of(*device, {60, 90}, mask, data, transposed, 8);
    EXPECT_EQ(actual.count, expected.count);
    EXPECT_TRUE(actual.output == expected.output);
}

TEST_F(algorithms, compress_of_every_element_size) {
    auto const mask = random_mask(300, 0.5);
    auto const data = bytes_of(counted(600));
    for (int size : {1, 2, 4, 8, 16}) {
        extents const shape{20, 15};
        layout const l = contiguous(shape, size);
        EXPECT_TRUE(compress_of(*device, shape, mask, data, l, size).output ==
                    compress_of(*reference_backend(), shape, mask, data, l, size).output)
            << size;
    }
}

template <class T>
result scan_of(backend const& device, extents const& shape, int op, std::vector<T> const& data, layout const& in) {
    device_buffers memory(device);
    memory.add(bytes_of(data));
    layout const out = contiguous(shape, sizeof(T));
    memory.add(bytes(static_cast<std::size_t>(out.size)));
    scan_args a;
    a.ndim = static_cast<std::int32_t>(shape.size());
    a.shape = shape.data();
    a.op = static_cast<std::uint16_t>(op);
    a.in = {memory.at(0) + in.first, in.strides.data(), id_of<T>::value};
    a.out = {memory.at(1), out.strides.data(), id_of<T>::value};
    return call(device, memory, algorithm_kind::scan, a, 1);
}

template <class T>
void expect_equal_scan(char const* name, extents const& shape, std::vector<T> const& data, layout const& in) {
    int const op = ops::find(name);
    result const expected = scan_of(*reference_backend(), shape, op, data, in),
                 actual = scan_of(cuda(), shape, op, data, in);
    EXPECT_EQ(actual.code, status::ok) << actual.error;
    EXPECT_TRUE(actual.output == expected.output) << name;
}

TEST_F(algorithms, running_sums_of_rows) { expect_equal_scan("add", {30, 70}, counted(2100), contiguous({30, 70}, 8)); }

TEST_F(algorithms, running_products_of_integers_wrap) {
    std::vector<std::int32_t> data(64);
    std::iota(data.begin(), data.end(), 1);
    expect_equal_scan("multiply", {4, 16}, data, contiguous({4, 16}, 4));
}

TEST_F(algorithms, running_maxima_of_a_reversed_array_of_float16_keep_the_first_of_two_zeros) {
    std::vector<float16> data;
    for (int k = 0; k < 60; ++k)
        data.push_back(ops::to_float16(k == 3 ? 0.5f : k > 55 ? -1.0f : k % 2 == 0 ? 0.0f : -0.0f));
    expect_equal_scan("maximum", {60}, data, layout{{-2}, 118, 120});
    std::vector<float16> const zeros{ops::to_float16(-0.0f), ops::to_float16(0.0f)};
    result const r = scan_of(*reference_backend(), {2}, ops::find("maximum"), zeros, contiguous({2}, 2));
    EXPECT_EQ(std::memcmp(r.output.data() + 2, zeros.data(), 2), 0);
}

TEST_F(algorithms, running_sums_of_float16_are_rounded_at_every_step) {
    std::vector<float16> data;
    for (int k = 0; k < 300; ++k) data.push_back(ops::to_float16(1.0f + static_cast<float>(k % 11) / 64));
    expect_equal_scan("add", {5, 60}, data, contiguous({5, 60}, 2));
}

std::uint32_t scan_errors(std::vector<double> const& data, std::uint8_t check) {
    device_buffers memory(cuda());
    memory.add(bytes_of(data)), memory.add(bytes_of(data));
    std::int64_t const shape[] = {static_cast<std::int64_t>(data.size())}, strides[] = {8};
    std::uint32_t flags = 0;
    scan_args a;
    a.ndim = 1, a.shape = shape, a.op = static_cast<std::uint16_t>(ops::find("add"));
    a.in = {memory.at(0), strides, type_id::float64}, a.out = {memory.at(1), strides, type_id::float64};
    a.fp_flags = &flags, a.check = check;
    EXPECT_EQ(call(cuda(), memory, algorithm_kind::scan, a, 1).code, status::ok);
    return flags;
}

TEST_F(algorithms, running_sums_report_their_errors) {
    for (int n : {3, 5000}) {
        std::vector<double> x(static_cast<std::size_t>(n), 1e308);
        x.back() = -std::numeric_limits<double>::infinity();
        EXPECT_EQ(scan_errors(x, ops::fp::over), ops::fp::over) << n;
        EXPECT_EQ(scan_errors(x, ops::fp::over | ops::fp::invalid), ops::fp::over | ops::fp::invalid) << n;
        EXPECT_EQ(scan_errors(x, ops::fp::none), ops::fp::none) << n;
        EXPECT_EQ(scan_errors(std::vector<double>(x.size(), 1.0), ops::fp::all), ops::fp::none) << n;
    }
}

TEST_F(algorithms, a_scan_without_a_loop_is_not_supported) {
    result const r = scan_of(*device, {4}, ops::find("less"), counted(4), contiguous({4}, 8));
    EXPECT_EQ(r.code, status::not_supported);
}

TEST_F(algorithms, algorithms_of_tables_are_not_supported_without_their_library) {
    EXPECT_TRUE(device->supports(algorithm_kind::gather, type_id::float64));
    if (device->supports(algorithm_kind::sort, type_id::float64)) GTEST_SKIP() << "the library is there";
    EXPECT_EQ(device->algorithm(0, algorithm_kind::sort, nullptr, nullptr), status::not_supported);
}

}  // namespace
}  // namespace bascule::testing

// The algorithms of the CPU device against those of the reference device, on random shapes and layouts.
#include <gtest/gtest.h>

#include "bascule/core/algorithms.hpp"
#include "bascule/ops/table.hpp"
#include "support/describe.hpp"
#include "support/random_layout.hpp"

namespace bascule::testing {
namespace {

// Random memory of one operand; both devices get a copy of their own.
struct memory {
    type_id type;
    layout where;
    bytes data;
    memory(dice& d, type_id t, layout l) : type(t), where(std::move(l)), data(random_bytes(d, t, where.size)) {}
    plan_operand operand() { return {data.data() + where.first, where.strides.data(), type}; }
};

struct space {
    dice d;
    extents shape;
    explicit space(std::uint64_t seed, std::int64_t elements) : d(seed), shape(random_shape(d, elements)) {}
    memory input(type_id t) { return {d, t, random_input_layout(d, shape, itemsize(t))}; }
    memory output(type_id t) { return {d, t, random_layout(d, shape, itemsize(t))}; }
    std::int32_t ndim() const { return static_cast<std::int32_t>(shape.size()); }
};

type_id random_type(dice& d) { return static_cast<type_id>(d.between(0, type_count - 1)); }

// make(space, device) builds its arguments from the seeded space and returns everything the device produced.
template <class Make> void compare(algorithm_kind kind, Make&& make) {
    if (!cpu_backend()->supports(kind, type_id::float64)) GTEST_SKIP() << "the cpu device does not have this algorithm";
    for (std::uint64_t seed = 1; seed <= 600 && !::testing::Test::HasFailure(); ++seed) {
        auto const elements = seed % 50 == 0 ? 40000 : 150;
        EXPECT_EQ(make(space(seed, elements), *reference_backend()), make(space(seed, elements), *cpu_backend()))
            << "seed " << seed;
    }
}

bytes with_number(bytes b, std::int64_t n) {
    b.insert(b.end(), reinterpret_cast<unsigned char const*>(&n),
             reinterpret_cast<unsigned char const*>(&n) + sizeof n);
    return b;
}

bytes run_indexed(space s, backend const& device, algorithm_kind kind) {
    auto const t = random_type(s.d);
    std::int64_t const size = s.d.between(1, 20);
    memory table{s.d, t, contiguous({size}, itemsize(t))};
    auto other = kind == algorithm_kind::gather ? s.output(t) : s.input(t);
    auto index = s.input(type_id::int64);
    for (std::size_t at = 0; at + 8 <= index.data.size(); at += 8) {
        std::int64_t const i = s.d.between(-size, size - 1) + (s.d.one_in(3000) ? size : 0);
        std::memcpy(&index.data[at], &i, sizeof i);
    }
    extents const base(s.shape.size(), 0);
    auto along = index.operand();
    std::int64_t const step = itemsize(t);
    std::int32_t const axis = 1;
    gather_args a{.ndim = s.ndim(),
                  .shape = s.shape.data(),
                  .base = table.data.data(),
                  .base_strides = base.data(),
                  .nindex = 1,
                  .index = &along,
                  .index_step = &step,
                  .index_size = &size,
                  .index_axis = &axis,
                  .other = other.operand(),
                  .itemsize = itemsize(t)};
    auto const code = device.algorithm(0, kind, &a, nullptr);
    auto all = with_number(kind == algorithm_kind::gather ? other.data : table.data, static_cast<std::int64_t>(code));
    return code == status::index_error ? with_number(with_number({}, a.bad_axis), a.bad_size) : all;
}

TEST(random_algorithms, gather_agrees_with_the_reference) {
    compare(algorithm_kind::gather,
            [](space s, backend const& device) { return run_indexed(std::move(s), device, algorithm_kind::gather); });
}

TEST(random_algorithms, scatter_agrees_with_the_reference) {
    compare(algorithm_kind::scatter,
            [](space s, backend const& device) { return run_indexed(std::move(s), device, algorithm_kind::scatter); });
}

TEST(random_algorithms, nonzero_agrees_with_the_reference) {
    compare(algorithm_kind::nonzero, [](space s, backend const& device) {
        auto mask = s.input(type_id::bool_);
        nonzero_args a{.ndim = s.ndim(), .shape = s.shape.data(), .mask = mask.operand()};
        device.algorithm(0, algorithm_kind::nonzero, &a, nullptr);
        std::vector<std::int64_t> out(static_cast<std::size_t>(a.count * a.ndim));
        a.out = out.data(), a.out_stride = a.count;
        if (!out.empty()) device.algorithm(0, algorithm_kind::nonzero, &a, nullptr);
        return with_number(bytes_of(out), a.count);
    });
}

TEST(random_algorithms, compress_agrees_with_the_reference) {
    compare(algorithm_kind::compress, [](space s, backend const& device) {
        auto const t = random_type(s.d);
        auto mask = s.input(type_id::bool_), data = s.input(t);
        compress_args a{.ndim = s.ndim(),
                        .shape = s.shape.data(),
                        .mask = mask.operand(),
                        .data = data.operand(),
                        .itemsize = itemsize(t)};
        device.algorithm(0, algorithm_kind::compress, &a, nullptr);
        bytes out(static_cast<std::size_t>(a.count * a.itemsize) + 1);
        a.out = out.data();
        device.algorithm(0, algorithm_kind::compress, &a, nullptr);
        return with_number(out, a.count);
    });
}

TEST(random_algorithms, scan_agrees_with_the_reference) {
    compare(algorithm_kind::scan, [](space s, backend const& device) {
        auto const t = s.d.pick(std::vector{type_id::bool_, type_id::int8, type_id::int64, type_id::uint32,
                                            type_id::float16, type_id::float32, type_id::float64});
        auto const name = s.d.pick(std::vector{"add", "multiply", "maximum", "minimum"});
        auto in = s.input(t), out = s.output(t);
        scan_args a{.ndim = s.ndim(),
                    .shape = s.shape.data(),
                    .op = static_cast<std::uint16_t>(ops::find(name)),
                    .in = in.operand(),
                    .out = out.operand()};
        EXPECT_EQ(device.algorithm(0, algorithm_kind::scan, &a, nullptr), status::ok) << device.last_error();
        for (std::size_t at = 0; is_float(t) && at < out.data.size(); at += static_cast<std::size_t>(itemsize(t)))
            if (text_of(t, &out.data[at]).find("nan") != std::string::npos)
                std::memset(&out.data[at], 0xff, static_cast<std::size_t>(itemsize(t)));
        return out.data;
    });
}

}  // namespace
}  // namespace bascule::testing

// The sources that the library generates, compiled by NVIDIA's own compiler: needs NVRTC but no GPU. The fake driver
// refuses the finished cubin, which is the sign that it was made; the cache on disk then holds it.
#include <fstream>

#include "bascule/core/algorithms.hpp"
#include "bascule/core/array_algorithms_linear.hpp"
#include "cuda_device.hpp"
#include "support/op_catalogue.hpp"

namespace bascule::testing {
namespace {

// A library of its own with the fake driver and the real compiler.
class nvrtc : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        if (on_real_device()) return;
        cuda();  // sets the environment
        folder_ = cache_directory() + "/nvrtc";
        host_api host;
        host.library_directories = toolkit_directories();
        host.cache_directory = folder_.c_str();
        std::string const copy = cache_directory() + "/libbascule_cuda_nvrtc.so";
        std::filesystem::copy_file(BASCULE_CUDA_LIBRARY, copy);
        library_ = open_library(copy.c_str(), host);
        unsetenv("BASCULE_NVRTC");
        program p({1});
        p.store(p.constant(1.0));
        outcome const o = p.run_on(*library_.device);
        setenv("BASCULE_NVRTC", BASCULE_FAKE_CUDA, 1);
        if (o.error.find("no NVRTC") != std::string::npos) missing_ = o.error;
    }
    void SetUp() override {
        if (on_real_device()) GTEST_SKIP() << "the other tests compile on the device itself";
        fake().reset();
        if (!missing_.empty()) GTEST_SKIP() << missing_;
    }

    static void expect_compiled(status code, std::string const& error) {
        EXPECT_EQ(code, status::device_error);
        EXPECT_NE(error.find("CUDA_ERROR_INVALID_IMAGE"), std::string::npos) << error;
    }
    static void expect_compiles(program const& p) {
        outcome const o = p.run_on(*library_.device);
        expect_compiled(o.code, o.error);
    }

    static inline std::string folder_, missing_;
    static inline opened_library library_;
};

op_loop const& one_loop_of(op_entry const& op) {
    for (op_loop const& loop : op.loops)
        if (loop.type == type_id::float64) return loop;
    return op.loops.front();
}

void add_op(program& p, op_entry const& op, op_loop const& loop) {
    std::vector<int> args;
    for (type_id t : loop.args) args.push_back(p.constant(t, plan_constant{}));
    p.store(p.op(op.number, loop.result, args,
                 static_cast<std::uint8_t>(is_time(loop.type) ? 0 : op.meta.raises & ops::fp::all)));
}

TEST_F(nvrtc, every_op_of_the_table_compiles) {
    for (std::size_t first = 0; first < catalogue().ops.size(); first += max_plan_outputs) {
        program p({10});
        for (std::size_t o = first; o < first + max_plan_outputs && o < catalogue().ops.size(); ++o)
            add_op(p, catalogue().ops[o], one_loop_of(catalogue().ops[o]));
        expect_compiles(p);
    }
}

TEST_F(nvrtc, casts_between_all_types_compile) {
    program p({10});
    int const x = p.constant(type_id::float32, plan_constant{});
    for (int t = 0; t < type_count; ++t) p.store(p.op(catalogue().cast, static_cast<type_id>(t), {x}));
    expect_compiles(p);
}

TEST_F(nvrtc, every_layout_compiles) {
    program p({6, 5, 4});
    p.store(p.input(type_id::float64, {{480, 80, 8}, 0, 2880}, bytes(2880)));
    p.store(p.input(type_id::float32, {{0, 0, 0}, 0, 4}, bytes(4)));
    p.store(p.input(type_id::int16, {{2, 12, 60}, 0, 240}, bytes(240)));
    p.store(p.iota(0, {1, 2, 3}));
    expect_compiles(p);
}

TEST_F(nvrtc, every_aggregate_compiles) {
    for (aggregate_entry const& a : catalogue().aggregates) {
        op_loop const& loop = a.loops.back().type == type_id::timedelta64 ? a.loops[a.loops.size() / 2]
                                                                          : a.loops.back();
        SCOPED_TRACE(a.name);
        program p({10, 300}, {0, 1});
        p.reduce(a.number, p.constant(loop.type, plan_constant{}), loop.result);
        expect_compiles(p);
    }
}

TEST_F(nvrtc, reductions_that_look_at_their_own_errors_compile) {
    std::vector<std::uint32_t> flags(8);
    for (char const* name : {"sum", "prod", "mean", "var"})
        for (std::vector<std::uint8_t> const& reduced : {std::vector<std::uint8_t>{0, 1}, {1, 0}}) {
            program p({10, 300}, reduced);
            int const of = ops::find_aggregate(name);
            p.reduce(of, p.constant(1.0), type_id::float64);
            p.check_reductions(ops::fp::all);
            expect_compiles(p);
        }
}

TEST_F(nvrtc, a_kept_innermost_dimension_compiles) {
    program p({300, 10}, {1, 0});
    p.reduce(ops::find_aggregate("sum"), p.constant(1.0), type_id::float64);
    expect_compiles(p);
}

TEST_F(nvrtc, all_passes_of_a_plan_compile_as_one_unit) {
    program p({10, 300}, {0, 1});
    int const x = p.constant(1.0);
    p.reduce(ops::find_aggregate("sum"), x, type_id::float64);
    p.reduce(ops::find_aggregate("max"), x, type_id::float64);
    p.store(x);
    expect_compiles(p);
}

TEST_F(nvrtc, algorithms_compile) {
    backend const& d = *library_.device;
    std::int64_t const shape[] = {4, 5}, strides[] = {40, 8}, none[] = {0, 0}, step = 8, size = 4;
    std::int32_t const axis = 0;
    void* memory = nullptr;
    ASSERT_EQ(d.allocate(0, 160, &memory), status::ok);
    plan_operand const whole{memory, strides, type_id::float64}, index{memory, strides, type_id::int64},
        mask{memory, strides, type_id::bool_};
    gather_args g{.ndim = 2,
                  .shape = shape,
                  .base = memory,
                  .base_strides = none,
                  .nindex = 1,
                  .index = &index,
                  .index_step = &step,
                  .index_size = &size,
                  .index_axis = &axis,
                  .other = whole,
                  .itemsize = 8};
    expect_compiled(d.algorithm(0, algorithm_kind::gather, &g, nullptr), d.last_error());
    auto* const offsets = static_cast<std::int64_t*>(memory);
    nonzero_args n{.ndim = 2, .shape = shape, .mask = mask, .chunk_offsets = offsets};
    expect_compiled(d.algorithm(0, algorithm_kind::nonzero, &n, nullptr), d.last_error());
    compress_args c{.ndim = 2, .shape = shape, .mask = mask, .data = whole, .itemsize = 16, .chunk_offsets = offsets};
    expect_compiled(d.algorithm(0, algorithm_kind::compress, &c, nullptr), d.last_error());
    scan_args s{
        .ndim = 2, .shape = shape, .op = static_cast<std::uint16_t>(ops::find("add")), .in = whole, .out = whole};
    expect_compiled(d.algorithm(0, algorithm_kind::scan, &s, nullptr), d.last_error());
    std::uint32_t flags = 0;
    std::int64_t const row[] = {10000}, one[] = {2};
    s.ndim = 1, s.shape = row, s.in.strides = s.out.strides = one, s.fp_flags = &flags, s.check = ops::fp::all;
    for (type_id t : {type_id::float16, type_id::float32, type_id::complex128}) {
        s.in.dtype = s.out.dtype = t;
        expect_compiled(d.algorithm(0, algorithm_kind::scan, &s, nullptr), d.last_error());
    }
    d.release(0, memory, 160);
}

TEST_F(nvrtc, products_compile) {
    for (type_id t : {type_id::bool_, type_id::int8, type_id::uint64, type_id::float16, type_id::float32,
                      type_id::float64, type_id::complex64, type_id::complex128}) {
        std::uint32_t flags = 0;
        matrix_product_args p;
        p.dtype = t, p.conjugate_a = t == type_id::complex128, p.m = p.n = p.k = 2, p.fp_flags = &flags;
        status const s = library_.device->algorithm(0, algorithm_kind::matrix_product, &p, nullptr);
        expect_compiled(s, library_.device->last_error());
    }
}

// Runs last: the tests above left device programs.
TEST_F(nvrtc, what_was_made_are_programs_for_the_device) {
    int found = 0;
    for (auto const& f : std::filesystem::recursive_directory_iterator(folder_)) {
        if (!f.is_regular_file()) continue;
        std::ifstream in(f.path(), std::ios::binary);
        std::string const text(std::istreambuf_iterator<char>(in), {});
        EXPECT_NE(text.find("\x7f"
                            "ELF"),
                  std::string::npos)
            << f.path();
        EXPECT_NE(text.find("sm_90"), std::string::npos) << f.path();
        ++found;
    }
    EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace bascule::testing

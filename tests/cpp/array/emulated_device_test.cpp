// Arrays on the CUDA device without a GPU. The fake driver keeps device memory closed to the host, so that a read of it
// by host code ends the test at once; kernels run by emulation. Bytes have to be those of the reference device.
#include "arrays.hpp"
#include "bascule/array/ordered.hpp"
#include "cuda/cuda_device.hpp"

#if defined(__SANITIZE_THREAD__)
constexpr bool emulates = false;  // the emulation's own threads of execution are unknown to that sanitizer
#else
constexpr bool emulates = true;
#endif

namespace bascule::testing {
namespace {

auto* const budget = emulates ? ::testing::AddGlobalTestEnvironment(new kernel_budget(40)) : nullptr;

device emulated() {
    static device const d = [] {
        setenv("BASCULE_CUDA_DRIVER", BASCULE_FAKE_CUDA, 1);
        for (char const* library :
             {"BASCULE_NVRTC", "BASCULE_CUBLAS", "BASCULE_CUSOLVER", "BASCULE_CUFFT", "BASCULE_CUSPARSE"})
            setenv(library, BASCULE_FAKE_CUDA, 1);
        setenv("BASCULE_CUDA_POOL", "exact", 1);
        setenv("BASCULE_CUDA_COMPILE", "wait", 1);
        set_plugin_directories(std::filesystem::path(BASCULE_CUDA_LIBRARY).parent_path(), {}, cache_directory());
        return find_device("cuda");
    }();
    return d;
}

using testing::bytes_of;
std::vector<std::byte> bytes_of(std::vector<array> const& arrays) {
    std::vector<std::byte> all;
    for (array const& a : arrays) {
        auto const one = bytes_of(a);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

class emulated_arrays : public ::testing::Test {
protected:
    void SetUp() override {
        if (!emulates || on_real_device()) GTEST_SKIP() << "needs the fake driver";
        where = emulated();
        fake().reset();
    }
    // Fused, one by one, and with streams that run as late as they may.
    template <class F> void expect_reference_bytes(F&& f) {
        auto const expected = bytes_of(f(reference()));
        EXPECT_TRUE(bytes_of(f(where)) == expected) << "fused";
        {
            with_environment const lazy("BASCULE_FAKE_CUDA_LAZY", "1");
            EXPECT_TRUE(bytes_of(f(where)) == expected) << "late";
        }
        with_setting<bool> const off(settings().fusion, false);
        EXPECT_TRUE(bytes_of(f(where)) == expected) << "one by one";
    }
    device where;
};

constexpr std::int64_t many = 6000;
constexpr char const* out_of_five = "index 7 is out of bounds for axis 0 with size 5";

TEST_F(emulated_arrays, values_come_back_as_they_went) {
    array const a = make(where, counted(12), {3, 4});
    EXPECT_EQ(values<double>(a), counted(12));
    EXPECT_EQ(values<double>(transposed(a)), (std::vector<double>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
    EXPECT_EQ(item(a, 5).f64[0], 5);
    array const part = sliced(a, 1, 2);
    EXPECT_EQ(values<double>(part), counted(8, 4));
}

TEST_F(emulated_arrays, strided_host_memory_is_taken) {
    std::vector<double> const host = counted(12);
    array const every_other = from_host(where, host.data(), make_dtype(type_id::float64), {6}, {16});
    EXPECT_EQ(values<double>(every_other), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    array const backwards = from_host(where, host.data() + 11, make_dtype(type_id::float64), {12}, {-8});
    EXPECT_EQ(values<double>(backwards)[0], 11);
}

TEST_F(emulated_arrays, small_calls_are_not_read_by_the_host) {
    array const a = make(where, counted(4));
    EXPECT_EQ(values<double>(apply("add", apply("multiply", a, 2.0), a)), (std::vector<double>{0, 3, 6, 9}));
    EXPECT_EQ(item(reduce_with("sum", a)).f64[0], 6);
    EXPECT_EQ(item(full(where, make_dtype(type_id::float64), {}, constant(2.5))).f64[0], 2.5);
}

TEST_F(emulated_arrays, chains_over_views) {
    expect_reference_bytes([](device d) {
        array const a = make(d, numbers(80 * 80), {80, 80}), b = make(d, numbers(80, 2));
        array const x = apply("subtract", apply("multiply", transposed(a), b), a);
        return apply("sqrt", apply("absolute", sliced(x, 1, 40, 2)));
    });
}

TEST_F(emulated_arrays, sums_of_rows_columns_and_all) {
    expect_reference_bytes([](device d) {
        array const a = apply("multiply", make(d, numbers(60 * 100), {60, 100}), 0.5);
        aggregation_options rows, columns;
        rows.axes = 2, rows.keepdims = true, columns.axes = 1;
        return apply("add", apply("add", reduce_with("sum", a, rows), reduce_with("max", a, columns)),
                     reduce_with("mean", a));
    });
}

// Random steps over three arrays that read one another, each step on the result of the one before: arithmetic, and
// writes to a whole array or to a part of it. All have one shape and two ops, so that one by one a program needs only
// kernels that other tests here need too; fused, the three programs below need three kernels.
std::vector<array> random_program(device d, unsigned seed) {
    std::mt19937_64 generator(seed);
    auto const below = [&](std::uint64_t n) { return generator() % n; };
    std::vector<array> pool;
    for (unsigned k = 0; k < 3; ++k) pool.push_back(make(d, numbers(many, seed + k)));
    array x = pool[0];
    for (int step = 0; step < 8; ++step) {
        array const& other = pool[below(pool.size())];
        switch (below(6)) {
            case 0:
            case 1: x = apply("add", x, other); break;
            case 2: x = apply("multiply", x, 0.5); break;
            case 3: x = apply("add", x, 1.0); break;
            case 4: assign(other, x); break;
            default: assign(sliced(other, 1, many - 1), sliced(x, 0, many - 1)); break;
        }
    }
    pool.push_back(x);
    return pool;
}

TEST_F(emulated_arrays, random_programs_fused_and_one_by_one) {
    for (unsigned seed = 1; seed <= 3 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        expect_reference_bytes([&](device d) { return random_program(d, seed); });
    }
}

TEST_F(emulated_arrays, writes_in_place_with_readers_and_overlap) {
    expect_reference_bytes([](device d) {
        array const a = make(d, numbers(many));
        array const reader = apply("multiply", a, 2.0);
        for (int i = 0; i < 3; ++i) assign(a, apply("add", a, 1.0));
        assign(sliced(a, 1, many - 1), sliced(a, 0, many - 1));
        assign(sliced(a, 0, 10), scalar(4.0));
        return apply("add", a, reader);
    });
}

TEST_F(emulated_arrays, ranges_and_random_numbers) {
    expect_reference_bytes([](device d) {
        array const x = arange(d, make_dtype(type_id::float64), many, constant(1), constant(0.25));
        array const r = counter_fill(d, make_dtype(type_id::float64), {many}, op("random_uniform"), 42, 7);
        return apply("add", x, r);
    });
}

TEST_F(emulated_arrays, index_arrays_of_the_device_and_of_the_host) {
    expect_reference_bytes([](device d) {
        array const a = make(d, counted(60), {12, 5});
        array const rows = make<std::int64_t>(d, {3, 0, -1}), columns = make<std::int64_t>(d, {1, 2, 3});
        array const picked = get_item(a, std::vector{at(rows), at(columns)});
        set_item(a, std::vector{at(rows), at(0)}, argument{&picked});
        set_item(a, std::vector{at(columns)}, scalar(-1.0));
        return a;
    });
    array const a = make(where, counted(5));
    array const host_index = make<std::int64_t>(cpu(), {4, 0});
    EXPECT_EQ(values<double>(get_item(a, std::vector{at(host_index)})), (std::vector<double>{4, 0}));
    EXPECT_EQ(values<double>(get_item(a, std::vector{at(make_mask(cpu(), {0, 1, 0, 1, 0}))})),
              (std::vector<double>{1, 3}));
    set_item(a, std::vector{at(host_index)}, scalar(9.0));
    EXPECT_EQ(values<double>(a), (std::vector<double>{9, 1, 2, 3, 9}));
    EXPECT_THROW(get_item(make(cpu(), counted(5)), std::vector{at(make<std::int64_t>(where, {1}))}), type_error);
}

TEST_F(emulated_arrays, masks_select_and_write) {
    expect_reference_bytes([](device d) {
        array const a = make(d, numbers(many));
        array const positive = apply("greater", a, 0.0);
        array const picked = get_item(a, std::vector{at(positive)});
        set_item(a, std::vector{at(positive)}, scalar(-1.0));
        return apply("add", reduce_with("sum", picked), a);
    });
}

TEST_F(emulated_arrays, accumulate_along_an_axis) {
    expect_reference_bytes([](device d) { return accumulate(op("add"), make(d, numbers(60 * 30), {60, 30}), 0); });
}

TEST_F(emulated_arrays, a_bad_index_is_an_index_error_and_writes_nothing) {
    array const a = make(where, counted(5));
    array const bad = make<std::int64_t>(where, {0, 7});
    array const from_host = make<std::int64_t>(cpu(), {0, 7});
    EXPECT_EQ(text_of<index_error>([&] { get_item(a, std::vector{at(from_host)}); }), out_of_five);
    with_setting<bool> const at_the_call(settings().late_index_errors, false);
    EXPECT_EQ(text_of<index_error>([&] { get_item(a, std::vector{at(bad)}); }), out_of_five);
    EXPECT_THROW(set_item(a, std::vector{at(bad)}, scalar(1.0)), index_error);
    EXPECT_EQ(values<double>(a), counted(5));
}

TEST_F(emulated_arrays, a_bad_index_is_reported_when_the_device_is_waited_for) {
    with_environment const late("BASCULE_FAKE_CUDA_LAZY", "1");
    array const a = make(where, counted(5)), bad = make<std::int64_t>(where, {0, 7, -9}),
                other = make(where, counted(3));
    array const taken = get_item(a, std::vector{at(bad)});
    array const made_of_it = apply("add", taken, 1.0), total = reduce_with("sum", made_of_it),
                apart = apply("add", other, 1.0);
    run(made_of_it);
    EXPECT_EQ(text_of<index_error>([&] { values<double>(other); }), out_of_five);  // reported once, by whichever array
                                                                                   // is read
    EXPECT_EQ(values<double>(other), counted(3));
    EXPECT_EQ(values<double>(apart), counted(3, 1));
    for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(text_of<index_error>([&] { values<double>(taken); }), out_of_five);
        EXPECT_EQ(text_of<index_error>([&] { item(total); }), out_of_five);
        EXPECT_EQ(text_of<index_error>([&] { values<double>(apply("multiply", made_of_it, other)); }), out_of_five);
    }
    EXPECT_EQ(values<double>(a), counted(5));
}

TEST_F(emulated_arrays, what_is_overwritten_is_healthy_again) {
    array const a = make(where, counted(5)), bad = make<std::int64_t>(where, {0, -6});
    array const small = get_item(a, std::vector{at(bad)}), fine = make(where, counted(2));
    EXPECT_THROW(index_errors::settle_all(where), index_error);
    assign(sliced(small, 0, 1), scalar(1.0));
    EXPECT_THROW(values<double>(small), index_error);
    assign(small, fine);
    EXPECT_EQ(values<double>(small), counted(2));
    array const large = make(where, counted(many));
    array const beyond = make<std::int64_t>(where, {many});
    set_item(large, std::vector{at(beyond)}, scalar(9.0));
    EXPECT_THROW(index_errors::settle_all(where), index_error);
    array const before = apply("add", large, 1.0);
    assign(large, make(where, counted(many, 2)));
    EXPECT_EQ(values<double>(large), counted(many, 2));
    EXPECT_EQ(text_of<index_error>([&] { values<double>(before); }),
              "index 6000 is out of bounds for axis 0 with size 6000");
}

TEST_F(emulated_arrays, good_indices_are_reported_nothing) {
    array const a = make(where, counted(5)), good = make<std::int64_t>(where, {4, -5});
    array const taken = get_item(a, std::vector{at(good)});
    set_item(a, std::vector{at(good)}, scalar(9.0));
    index_errors::settle_all(where);
    EXPECT_EQ(values<double>(taken), (std::vector<double>{4, 0}));
    EXPECT_EQ(values<double>(a), (std::vector<double>{9, 1, 2, 3, 9}));
    EXPECT_TRUE(a.memory()->unsettled.empty());
}

TEST_F(emulated_arrays, the_axis_of_a_late_bad_index_is_reported) {
    array const a = make(where, counted(12), {3, 4});
    array const rows = make<std::int64_t>(where, {0, 2}), columns = make<std::int64_t>(where, {3, 4});
    get_item(a, std::vector{at(rows), at(columns)});
    EXPECT_EQ(text_of<index_error>([&] { index_errors::settle_all(where); }),
              "index 4 is out of bounds for axis 1 with size 4");
    index_errors::settle_all(where);
}

TEST_F(emulated_arrays, devices_do_not_mix) {
    array const a = make(where, counted(3)), b = make(cpu(), counted(3));
    EXPECT_THROW(apply("add", a, b), type_error);
    EXPECT_THROW(assign(a, b), type_error);
    array const one = make<std::int64_t>(where, {1}), there = make<std::int64_t>(cpu(), {1});
    EXPECT_THROW(scatter_add(a, there, sliced(a, 0, 1)), type_error);
    EXPECT_THROW(scatter_add(a, one, sliced(b, 0, 1)), type_error);
    EXPECT_THROW(scatter_add(b, one, sliced(b, 0, 1)), type_error);
    EXPECT_THROW(histogram(a, b, 1, false, nullptr, {}), type_error);
    EXPECT_THROW(histogram(b, a, 1, false, nullptr, {}), type_error);
    EXPECT_THROW(histogram(a, a, 1, false, &b, {}), type_error);
    EXPECT_THROW(set_item(a, std::vector{at(make<std::int64_t>(where, {1}))}, argument{&b}), type_error);
}

TEST_F(emulated_arrays, memory_that_runs_out_leaves_all_pending) {
    array const a = make(where, counted(many)), r = apply("add", a, 1.0), total = reduce_with("sum", r);
    {
        with_environment const little("BASCULE_FAKE_CUDA_MEMORY", std::to_string(fake().bytes_in_use() + 100));
        EXPECT_THROW(run(r), memory_error);
        EXPECT_TRUE(pending(r));
        EXPECT_THROW(make(where, counted(many)), memory_error);
        EXPECT_EQ(values<double>(a), counted(many));
    }
    EXPECT_EQ(values<double>(r), counted(many, 1));
    EXPECT_EQ(item(total).f64[0], static_cast<double>(many * (many + 1) / 2));
}

TEST_F(emulated_arrays, all_memory_comes_back) {
    where.api->synchronize(0, nullptr);
    where.api->trim(0);
    auto const before = fake().bytes_in_use();
    {
        array const a = make(where, counted(many));
        assign(a, apply("add", a, 1.0));
        item(reduce_with("sum", apply("multiply", a, a)));
        array const forgotten = apply("add", a, 1.0);
    }
    where.api->synchronize(0, nullptr);
    where.api->trim(0);
    EXPECT_EQ(fake().bytes_in_use(), before);
}

}  // namespace
}  // namespace bascule::testing

// Plans whose own kernel is still being compiled: they run op by op where the kernels of the ops are there.
#include <chrono>
#include <fstream>
#include <thread>

#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "cuda_device.hpp"

namespace bascule::testing {
namespace {

constexpr auto f64 = type_id::float64;
using numbers = std::vector<double>;

// A library of its own that compiles in the background, with a cache on disk that tests share: kernels that one test
// compiled are there for the next.
class background : public on_fake_cuda {
protected:
    void SetUp() override {
        on_fake_cuda::SetUp();
        host_api host;
        static std::string const folder = cache_directory() + "/background";
        host.cache_directory = folder.c_str();
        library_.emplace(host);
    }
    void TearDown() override {
        release();
        library_.reset();
        on_fake_cuda::TearDown();
    }
    backend const& library() const { return library_->device(); }
    static void hold() { std::ofstream(hold_file()) << "\n"; }
    static void release() { std::filesystem::remove(hold_file()); }

    // Kernels that were launched, as often as it takes until the plan's own is there; each time the bits are compared.
    int launches(program const& p) const {
        int const before = fake().calls("cuLaunchKernel");
        outcome const actual = p.run_on(library()), expected = p.run_on(*reference_backend());
        EXPECT_EQ(actual.code, status::ok) << actual.error;
        EXPECT_EQ(actual.outputs, expected.outputs);
        EXPECT_EQ(actual.conditions, expected.conditions);
        EXPECT_EQ(actual.of_reductions, expected.of_reductions);
        return fake().calls("cuLaunchKernel") - before;
    }
    void expect_own_kernel(program const& p, int launched) const {
        int seen = 0;
        for (int k = 0; k < 1500 && seen != launched; ++k) {
            if (k) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            seen = launches(p);
        }
        EXPECT_EQ(seen, launched);
    }

private:
    std::optional<private_library> library_;
    with_environment const mode_{"BASCULE_CUDA_COMPILE", "background"};
};

numbers some_numbers() {
    numbers all(777);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = 1.0 + 1.0 / static_cast<double>(i + 1);
    return all;
}

// x op constant, x op y, |x|: the operations of the plans below.
program by_constant(char const* op, double c = 3.0) {
    program p({777});
    p.store(p.op(op, f64, {p.input(some_numbers()), p.constant(c)}));
    return p;
}
program of_two(char const* op, std::uint8_t check = 0) {
    program p({777});
    int const x = p.input(some_numbers()), y = p.input(some_numbers());
    p.store(p.op(op, f64, {x, y}, check));
    return p;
}
program copy_of() {
    program p({777});
    p.store(p.input(some_numbers()));
    return p;
}
program sum_of(int value_of(program&), std::uint8_t check = 0) {
    program p({777}, {1});
    p.reduce(ops::find_aggregate("sum"), value_of(p), f64);
    p.check_reductions(check);
    return p;
}

program chain() {
    program p({777});
    int const x = p.input(some_numbers()), doubled = p.op("multiply", f64, {x, p.constant(2.0)});
    p.store(p.op("add", f64, {doubled, p.input(some_numbers())}));
    return p;
}

TEST_F(background, a_chain_runs_op_by_op_until_its_kernel_is_compiled) {
    launches(by_constant("multiply")), launches(of_two("add"));
    hold();
    EXPECT_EQ(launches(chain()), 2);
    EXPECT_EQ(launches(chain()), 2);
    release();
    expect_own_kernel(chain(), 1);
}

// A waiting call uses the compiler: without the ops' kernels it has no other choice.
TEST_F(background, without_kernels_of_the_ops_the_compiler_is_waited_for) {
    int const before = fake().compilations();
    program p({777});
    p.store(p.op("arctan", f64, {p.op("cbrt", f64, {p.input(some_numbers())})}));
    EXPECT_EQ(launches(p), 1);
    EXPECT_EQ(fake().compilations(), before + 1);
}

// Several stores, a value that is read twice, an operand that is written in place: all reads come before writes.
TEST_F(background, stores_follow_all_that_is_read) {
    program p({777});
    int const x = p.input(some_numbers()), y = p.input(some_numbers());
    int const sum = p.op("add", f64, {y, x}), product = p.op("multiply", f64, {sum, sum});
    p.store_in_place(sum, 0);
    p.store_in_place(product, 1);
    p.store(p.op("add", f64, {x, product}));
    program square({777});
    int const z = square.input(some_numbers());
    square.store(square.op("multiply", f64, {z, z}));
    launches(of_two("add")), launches(square), launches(copy_of());
    hold();
    EXPECT_EQ(launches(p), 6);
    release();
    expect_own_kernel(p, 1);
}

TEST_F(background, reductions_and_errors_go_where_they_belong) {
    auto const plain = [](program& p) { return p.input(some_numbers()); };
    launches(sum_of(plain, ops::fp::over));
    launches(of_two("divide", ops::fp::divide | ops::fp::invalid)), launches(of_two("multiply", ops::fp::over));
    numbers zeros = some_numbers(), large(777, 1e200);
    zeros[5] = 0;
    program p({777}, {1});
    int const x = p.input(large), y = p.input(zeros);
    int const quotient = p.op("divide", f64, {x, y}, ops::fp::divide | ops::fp::invalid);
    int const product = p.op("multiply", f64, {x, x}, ops::fp::over);
    p.reduce(ops::find_aggregate("sum"), p.op("multiply", f64, {quotient, y}, ops::fp::over), f64);
    p.reduce(ops::find_aggregate("sum"), product, f64);
    p.check_reductions(ops::fp::over);
    program squares({777});
    int const z = squares.input(some_numbers());
    squares.store(squares.op("multiply", f64, {z, z}, ops::fp::over));
    launches(squares);
    hold();
    int const by_ops = launches(p);
    EXPECT_GT(by_ops, 3);
    release();
    for (int k = 0; k < 1500 && launches(p) == by_ops; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_NE(launches(p), by_ops);
}

// There is no memory for the intermediates: the call waits for the compiler, and the result is the same.
TEST_F(background, without_memory_for_values_in_between_the_compiler_is_waited_for) {
    launches(by_constant("subtract")), launches(of_two("add"));
    program p({777});
    int const less = p.op("subtract", f64, {p.input(some_numbers()), p.constant(0.5)});
    p.store(p.op("add", f64, {less, p.input(some_numbers())}));
    library().set_memory_limit(0, 777 * 8 * 3 + 4000);
    EXPECT_EQ(launches(p), 1);
    library().set_memory_limit(0, 0);
}

TEST_F(background, threads_share_what_is_being_compiled) {
    launches(by_constant("divide")), launches(of_two("add"));
    auto const plan = [] {
        program p({777});
        int const part = p.op("divide", f64, {p.input(some_numbers()), p.constant(3.0)});
        p.store(p.op("add", f64, {part, p.input(some_numbers())}));
        return p;
    };
    int const before = fake().compilations();
    std::vector<std::thread> all;
    for (int k = 0; k < 4; ++k)
        all.emplace_back([&] {
            for (int i = 0; i < 5; ++i)
                EXPECT_EQ(plan().run_on(library()).outputs, plan().run_on(*reference_backend()).outputs);
        });
    for (auto& t : all) t.join();
    expect_own_kernel(plan(), 1);
    EXPECT_EQ(fake().compilations(), before + 1);
}

}  // namespace
}  // namespace bascule::testing

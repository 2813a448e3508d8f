// Every op of the table as CUDA runs it, many in one kernel; and random plans.
#include <array>
#include <map>
#include <vector>

#include "cuda_device.hpp"
#include "support/random_plan.hpp"

namespace bascule::testing {
namespace {

using op_table = on_cuda;
using random_plans = on_cuda;
using counter_ops = on_cuda;

auto* const budget = ::testing::AddGlobalTestEnvironment(new kernel_budget(190));

constexpr int ops_a_kernel = max_plan_outputs;

// All ops with a loop for one of the types, on the same random inputs of each.
void every_op_of(std::vector<type_id> const& types) {
    dice d(static_cast<std::uint64_t>(types[0]) + 77);
    std::int64_t const n = 150;
    extents const shape{n};
    layout const booleans = contiguous(shape, 1);
    std::map<type_id, std::array<bytes, 3>> inputs;
    for (type_id const type : types)
        for (bytes& b : inputs[type]) b = random_bytes(d, type, contiguous(shape, itemsize(type)).size);
    bytes const condition = random_bytes(d, type_id::bool_, n), words = random_bytes(d, type_id::uint64, 8 * n);
    struct call {
        op_entry const& op;
        type_id type, result;
    };
    std::vector<call> calls;
    for (type_id const type : types)
        for (op_entry const& op : catalogue().ops)
            for (op_loop const& loop : op.loops)
                if (loop.type == type) calls.push_back({op, type, loop.result});
    for (std::size_t first = 0; first < calls.size(); first += ops_a_kernel) {
        program p(shape);
        std::map<type_id, std::array<int, 3>> loaded;
        int const c = p.input(type_id::bool_, booleans, condition), i = p.iota(3, {1}),
                  key = p.constant(std::uint64_t{12345});
        int const seeds = p.input(type_id::uint64, contiguous(shape, 8), words), real = p.constant(0.7),
                  forty = p.constant(std::uint64_t{40});
        for (std::size_t o = first; o < first + ops_a_kernel && o < calls.size(); ++o) {
            auto const& [op, type, result] = calls[o];
            if (!loaded.contains(type))
                for (int k = 0; k < 3; ++k)
                    loaded[type][k] = p.input(type, contiguous(shape, itemsize(type)), inputs[type][k]);
            auto const& x = loaded[type];
            std::vector<int> args;
            if (op.meta.call == ops::form::selection) args = {c, x[0], x[1]};
            else if (op.meta.call == ops::form::counter) args = {i, key};
            else if (op.meta.call == ops::form::sample) {
                args.assign(static_cast<std::size_t>(op.meta.nin),
                            op.meta.parameters == type_id::uint64 ? forty : real);
                args[0] = seeds;
            } else args.assign(x.begin(), x.begin() + op.meta.nin);
            p.store(p.op(op.number, result, args));
        }
        expect_equal_bytes(p);
    }
}

TEST_F(op_table, every_op_of_booleans_and_integers) {
    every_op_of({type_id::bool_, type_id::int8, type_id::uint64, type_id::int64});
}
TEST_F(op_table, every_op_of_float32_and_float64) { every_op_of({type_id::float32, type_id::float64}); }
TEST_F(op_table, every_op_of_complex128_and_timedelta64) { every_op_of({type_id::complex128, type_id::timedelta64}); }

TEST_F(counter_ops, random_numbers_depend_on_their_position_alone) {
    program whole({1000});
    whole.store(whole.op(ops::find("random_uniform"), type_id::float64,
                         {whole.iota(0, {1}), whole.constant(std::uint64_t{99})}));
    auto const all = expect_equal_bytes(whole).as<double>();
    program part({1000});
    part.store(part.op(ops::find("random_uniform"), type_id::float64,
                       {part.iota(500, {1}), part.constant(std::uint64_t{99})}));
    auto later = expect_equal_bytes(part).as<double>();
    later.resize(500);
    EXPECT_EQ(later, std::vector<double>(all.begin() + 500, all.end()));
}

TEST_F(counter_ops, normal_numbers_reduction_without_being_stored) {
    program p({40, 100}, {0, 1});
    int const x =
        p.op(ops::find("random_normal"), type_id::float64, {p.iota(0, {100, 1}), p.constant(std::uint64_t{7})});
    p.reduce(ops::find_aggregate("sum"), x, type_id::float64);
    expect_equal_bytes(p);
}

void compare_many(std::uint64_t first_seed, int plans, plan_options const& o) {
    for (int i = 0; i < plans && !::testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(first_seed + static_cast<std::uint64_t>(i));
        expect_equal_bytes(plan_maker(first_seed + static_cast<std::uint64_t>(i), o).make());
    }
}

TEST_F(random_plans, small_elementwise_plans) {
    compare_many(100, 5, {.elements = 150, .ops = 12, .reductions = false});
}
TEST_F(random_plans, plans_with_reductions) { compare_many(200, 4, {.elements = 400, .ops = 8}); }
TEST_F(random_plans, long_plans) { compare_many(300, 2, {.elements = 60, .ops = 60}); }

}  // namespace
}  // namespace bascule::testing

#include "bascule/array/block_program.hpp"

#include <memory>

#include "arrays.hpp"
#include "bascule/core/error.hpp"
#include "bascule/sched/task_graph.hpp"

namespace bascule::testing {
namespace {

using value = block_program::value;

block_program::scalar scalar_of(double v) {
    block_program::scalar s;
    s.constant.f64[0] = v;
    s.weak = weak_kind::floating;
    return s;
}

// sum((x + 1) * x)
block_program program_of_sum() {
    block_program p;
    value const x = p.input(), more = p.apply(op("add"), {x, scalar_of(1)});
    p.output(p.reduce(aggregate("sum"), p.apply(op("multiply"), {more, x}), ~std::uint64_t{0}, false));
    return p;
}

TEST(block_programs, give_what_the_calls_give) {
    block_program const p = program_of_sum();
    for (std::int64_t const n : {std::int64_t{5}, std::int64_t{5000}, std::int64_t{100000}}) {
        array const x = make(cpu(), counted(n, 2));
        array const wanted = reduce_with("sum", apply("multiply", apply("add", x, 1.0), x));
        EXPECT_EQ(item(p.run(std::span(&x, 1))[0]).f64[0], item(wanted).f64[0]);
    }
}

TEST(block_programs, several_outputs_and_shapes) {
    block_program p;
    value const x = p.input(), y = p.input();
    value const both = p.concatenate({x, y, x}, 0);
    p.output(p.transpose(p.reshape(both, {3, 4}), {1, 0}));
    p.output(p.cast(both, make_dtype(type_id::int64)));
    index_entry every_fifth;
    every_fifth.kind = index_entry::what::slice;
    every_fifth.slice.step = 5;
    p.output(p.index(both, {every_fifth}));
    array const a = make(cpu(), counted(4, 1)), b = make(cpu(), counted(4, 2));
    std::vector<array> const in{a, b};
    auto const out = p.run(in);
    EXPECT_EQ(out[0].shape, (dims{4, 3}));
    EXPECT_EQ(out[1].type.id, type_id::int64);
    EXPECT_EQ(values<double>(out[2]).size(), 3u);
    EXPECT_EQ(values<double>(copy(out[0])).size(), 12u);
}

TEST(block_programs, refuse_what_does_not_exist) {
    block_program p;
    EXPECT_THROW(p.cast(0, make_dtype(type_id::int64)), value_error);
    value const x = p.input();
    EXPECT_THROW(p.output(x + 1), value_error);
    EXPECT_THROW(static_cast<void>(p.run({})), value_error);
}

// One program on many threads at a time, as a graph of tasks whose root adds up.
TEST(block_programs, run_as_tasks_without_anything_else) {
    struct blocks : sched::task_program {
        block_program const p = program_of_sum();
        std::vector<array> outputs{401};
        std::int64_t run(sched::task_id t) override {
            auto const i = static_cast<std::size_t>(t);
            if (t < 400) {
                array const x = make(cpu(), counted(t % 2 ? 50 : 9000, 1));
                outputs[i] = p.run(std::span(&x, 1))[0];
                return 8;
            }
            double sum = 0;
            for (int k = 0; k < 400; ++k) sum += item(outputs[static_cast<std::size_t>(k)]).f64[0];
            outputs[i] = make(cpu(), std::vector<double>{sum});
            return 8;
        }
        void release(std::span<sched::task_id const> dead) noexcept override {
            for (sched::task_id const t : dead) outputs[static_cast<std::size_t>(t)] = array();
        }
    };
    sched::task_graph g;
    std::vector<sched::task_id> parts;
    for (int k = 0; k < 400; ++k) parts.push_back(g.add({}, 0, 8));
    std::vector<sched::task_id> const root{g.add(parts, 0, 8)};
    auto const once = [&] {
        auto program = std::make_shared<blocks>();
        sched::task_run(g, program, root, {.threads = 8}).run();
        return values<double>(program->outputs[400])[0];
    };
    double const first = once();
    for (int k = 0; k < 5; ++k) EXPECT_EQ(once(), first);
}

}  // namespace
}  // namespace bascule::testing

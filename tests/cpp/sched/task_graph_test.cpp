#include "bascule/sched/task_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "bascule/sched/thread_pool.hpp"

namespace {

using namespace bascule::sched;
using ids = std::vector<task_id>;

// A program whose tasks are functions; it records which outputs exist and which tasks ran when.
struct functions : task_program {
    std::function<std::int64_t(task_id)> body;
    std::function<void(std::int64_t, std::int64_t)> seen;
    std::vector<std::atomic<int>> runs, outputs;
    std::mutex mutex;
    ids started;

    functions(task_id n, std::function<std::int64_t(task_id)> f)
        : body(std::move(f)), runs(static_cast<std::size_t>(n)), outputs(static_cast<std::size_t>(n)) {}
    std::int64_t run(task_id t) override {
        {
            std::lock_guard const lock(mutex);
            started.push_back(t);
        }
        ++runs[static_cast<std::size_t>(t)];
        std::int64_t const bytes = body(t);
        ++outputs[static_cast<std::size_t>(t)];
        return bytes;
    }
    void release(std::span<task_id const> dead) noexcept override {
        for (task_id const t : dead) --outputs[static_cast<std::size_t>(t)];
    }
    void finished(task_id, std::int64_t done, std::int64_t all) override {
        if (seen) seen(done, all);
    }
    bool exists(task_id t) const { return outputs[static_cast<std::size_t>(t)].load() == 1; }
};

// The same on threads of its own.
struct with_threads : functions {
    using functions::functions;
    std::vector<std::thread> threads;
    std::mutex threads_mutex;
    bool over = false;
    // Before the last owner lets go of the program, which may be one of its own threads.
    std::size_t join() {
        std::unique_lock lock(threads_mutex);
        over = true;
        auto mine = std::exchange(threads, {});
        lock.unlock();
        for (auto& t : mine) t.join();
        return mine.size();
    }
    bool has_threads() const noexcept override { return true; }
    void call_threads(int n, std::function<void()> const& help) override {
        std::lock_guard const lock(threads_mutex);
        for (int i = 0; i < n && !over; ++i) threads.emplace_back(help);
    }
};

// Outputs may leave the memory, but for every fifth if not all; a task that reads one brings it back.
struct spilling : functions {
    using functions::functions;
    std::vector<std::atomic<bool>> gone = std::vector<std::atomic<bool>>(outputs.size());
    std::atomic<int> written{0};
    bool all_leave = false;
    bool spill(task_id t) override {
        if (t % 5 == 0 && !all_leave) return false;
        ++written;
        return gone[static_cast<std::size_t>(t)] = true;
    }
};

struct task_graphs : testing::Test {
    int const before = thread_count();
    void SetUp() override { set_thread_count(4); }
    void TearDown() override { set_thread_count(before); }
};

std::shared_ptr<functions> program_of(task_graph const& g, std::function<std::int64_t(task_id)> f) {
    return std::make_shared<functions>(g.count(), std::move(f));
}

// `width` tasks without dependencies and a tree over them that takes eight at a time; the last task is the root.
task_graph tree(int width, std::int64_t size = task_graph::unknown_size) {
    task_graph g;
    ids level;
    for (int i = 0; i < width; ++i) level.push_back(g.add({}, 0, size));
    while (level.size() > 1) {
        ids above;
        for (std::size_t i = 0; i < level.size(); i += 8)
            above.push_back(g.add(std::span(level).subspan(i, std::min<std::size_t>(8, level.size() - i)), 0, size));
        level = above;
    }
    return g;
}

TEST_F(task_graphs, order_is_depth_first_and_leaves_out_what_nobody_wants) {
    task_graph g;
    ids const a{g.add({})}, b{g.add({})}, unwanted{g.add({})};
    ids const c{g.add(b)}, d{g.add(a)};
    ids const both{d[0], c[0]};
    ids const top{g.add(both)};
    EXPECT_EQ(g.order(top), (ids{a[0], d[0], b[0], c[0], top[0]}));
    EXPECT_THROW(g.add(ids{17}), std::out_of_range);
    EXPECT_THROW(static_cast<void>(g.order(ids{17})), std::out_of_range);
}

TEST_F(task_graphs, lower_priorities_start_first) {
    task_graph g;
    for (int i = 0; i < 6; ++i) g.add({}, -i);
    ids const wanted{0, 1, 2, 3, 4, 5};
    auto p = program_of(g, [](task_id) { return 1; });
    task_run(g, p, wanted, {.threads = 1}).run();
    EXPECT_EQ(p->started, (ids{5, 4, 3, 2, 1, 0}));
}

TEST_F(task_graphs, a_tree_holds_few_outputs_at_a_time) {
    task_graph const g = tree(512, 1);
    auto p = program_of(g, [](task_id) { return 1; });
    task_run run(g, p, ids{g.count() - 1}, {.threads = 1});
    run.run();
    EXPECT_LE(run.peak_bytes(), 8 * 3 + 1);
    EXPECT_TRUE(p->exists(g.count() - 1));
    for (task_id t = 0; t + 1 < g.count(); ++t) EXPECT_FALSE(p->exists(t)) << t;
}

// Tasks of random graphs see the outputs they need, run once, and leave only the wanted outputs.
template <class Program> void run_random_graph(unsigned seed, int threads, std::int64_t limit) {
    std::mt19937 random(seed);
    task_graph g;
    auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int const n = 1 + below(400);
    for (int t = 0; t < n; ++t) {
        ids needs;
        for (int k = t == 0 ? 0 : below(4); k > 0; --k) needs.push_back(below(t));
        g.add(needs, below(3), below(2) == 0 ? task_graph::unknown_size : below(100));
    }
    ids wanted;
    for (int k = 1 + below(3); k > 0; --k) wanted.push_back(below(n));
    std::vector<std::int64_t> value(static_cast<std::size_t>(n)), expected(static_cast<std::size_t>(n));
    auto const compute = [&g](std::vector<std::int64_t> const& from, task_id t) {
        std::int64_t v = t;
        for (task_id const d : g.dependencies(t)) v += 3 * from[static_cast<std::size_t>(d)] % 1009;
        return v;
    };
    for (task_id t = 0; t < n; ++t) expected[static_cast<std::size_t>(t)] = compute(expected, t);
    Program* self = nullptr;
    auto p = std::make_shared<Program>(g.count(), [&](task_id t) {
        for (task_id const d : g.dependencies(t)) EXPECT_TRUE(self->exists(d));
        value[static_cast<std::size_t>(t)] = compute(value, t);
        if (t % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(150));
        return std::int64_t{t % 100};
    });
    self = p.get();
    task_run run(g, p, wanted, {.threads = threads, .memory_limit = limit, .spills = true});
    run.run();
    if constexpr (std::is_same_v<Program, with_threads>) p->join();
    ids const needed = g.order(wanted);
    for (task_id t = 0; t < n; ++t) {
        bool const used = std::count(needed.begin(), needed.end(), t) > 0;
        bool const kept = std::count(wanted.begin(), wanted.end(), t) > 0;
        EXPECT_EQ(p->runs[static_cast<std::size_t>(t)].load(), used ? 1 : 0);
        EXPECT_EQ(p->outputs[static_cast<std::size_t>(t)].load(), kept ? 1 : 0);
        EXPECT_TRUE(!used || value[static_cast<std::size_t>(t)] == expected[static_cast<std::size_t>(t)]);
    }
}

TEST_F(task_graphs, random_graphs_on_the_shared_pool) {
    for (unsigned seed = 0; seed < 60; ++seed) run_random_graph<functions>(seed, 4, seed % 2 == 0 ? 0 : 300);
}
TEST_F(task_graphs, random_graphs_on_threads_of_the_program) {
    for (unsigned seed = 0; seed < 60; ++seed) run_random_graph<with_threads>(seed, 6, seed % 2 == 0 ? 0 : 300);
}

TEST_F(task_graphs, random_graphs_of_which_a_part_is_spilled) {
    for (unsigned seed = 0; seed < 90; ++seed) run_random_graph<spilling>(seed, seed % 3 == 0 ? 1 : 4, 200);
}

TEST_F(task_graphs, outputs_that_are_read_last_are_spilled_first) {
    // All 40 outputs are there before the first is read, and are read in their order, each with the one before it.
    task_graph g;
    ids made;
    for (int i = 0; i < 40; ++i) made.push_back(g.add({}, 0, 100));
    ids const barrier{g.add(made, 1, 0)};
    ids wanted;
    for (std::size_t i = 1; i < 40; ++i) wanted.push_back(g.add(ids{barrier[0], made[i - 1], made[i]}, 2, 0));
    struct noting : functions {
        using functions::functions;
        ids spilled;
        bool spill(task_id t) override { return spilled.push_back(t), true; }
    };
    auto p = std::make_shared<noting>(g.count(), [](task_id t) { return t < 40 ? 100 : 0; });
    task_run run(g, p, wanted, {.threads = 1, .memory_limit = 1000, .spills = true});
    run.run();
    // The barrier reads all of them and passes the limit; tasks before and after it do not.
    EXPECT_GE(p->spilled.size(), 30u);
    EXPECT_EQ(p->spilled[0], 9);
    EXPECT_EQ(p->spilled[1], 10);
}

TEST_F(task_graphs, an_output_that_came_back_is_chosen_once) {
    task_graph g;
    auto const add = [&](ids const& needs, std::int64_t size) { return g.add(needs, 0, size); };
    add({}, 400), add({}, 400), add({}, 600), add({1, 2}, 1), add({0}, 1), add({}, 300), add({}, 900);
    add({5, 6, 3, 4}, 1), add({0, 7}, 1);
    struct logged : functions {
        using functions::functions;
        ids spilled;
        bool spill(task_id t) override { return spilled.push_back(t), true; }
    };
    std::int64_t const sizes[] = {400, 400, 600, 1, 1, 300, 900, 1, 1};
    auto p = std::make_shared<logged>(g.count(), [&](task_id t) { return sizes[t]; });
    ids const wanted{8};
    task_run(g, p, wanted, {.threads = 1, .memory_limit = 1000, .spills = true}).run();
    for (std::size_t k = 1; k < p->spilled.size(); ++k) EXPECT_NE(p->spilled[k], p->spilled[k - 1]);
    EXPECT_TRUE(std::find(p->spilled.begin(), p->spilled.end(), 5) != p->spilled.end());
}

TEST_F(task_graphs, what_comes_back_counts_within_the_limit) {
    task_graph g;
    auto const add = [&](ids const& needs, std::int64_t size) { return g.add(needs, 0, size); };
    add({}, 450), add({}, 450), add({}, 900), add({2}, 1), add({0, 1, 3}, 10), add({2, 4}, 1);
    auto p = std::make_shared<spilling>(g.count(), [&](task_id t) { return g.size(t); });
    p->all_leave = true;
    task_run run(g, p, ids{5}, {.threads = 1, .memory_limit = 1000, .spills = true});
    run.run();
    EXPECT_EQ(run.peak_bytes(), 911);
}

// One thread passes the limit only in a task that does so by itself.
TEST_F(task_graphs, random_graphs_stay_within_the_limit) {
    constexpr std::int64_t limit = 1000;
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        auto const below = [&](std::int64_t n) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
        };
        task_graph g;
        std::int64_t largest = 0;
        for (task_id t = 0; t < 60; ++t) {
            ids needs;
            for (auto n = t > 3 ? below(4) : 0; n > 0; --n) needs.push_back(static_cast<task_id>(below(t)));
            std::sort(needs.begin(), needs.end());
            needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
            std::int64_t const size = limit / 64 + 1 + below(seed % 2 ? 400 : 150);
            g.add(needs, 0, size);
            std::int64_t whole = size;
            for (task_id const d : needs) whole += g.size(d);
            largest = std::max(largest, whole);
        }
        ids wanted(60);
        std::iota(wanted.begin(), wanted.end(), 0);
        if (seed % 3) wanted = {59, 58};
        auto p = std::make_shared<spilling>(g.count(), [&](task_id t) { return g.size(t); });
        p->all_leave = true;
        task_run run(g, p, wanted, {.threads = 1, .memory_limit = limit, .spills = true});
        run.run();
        EXPECT_LE(run.peak_bytes(), std::max(limit, largest)) << seed;
    }
}

TEST_F(task_graphs, what_a_spill_throws_ends_the_run) {
    task_graph g;
    ids made;
    for (int i = 0; i < 20; ++i) made.push_back(g.add({}, 0, 100));
    ids const last{g.add(made)};
    struct full : functions {
        using functions::functions;
        bool spill(task_id) override { throw std::runtime_error("the disk is full"); }
    };
    auto p = std::make_shared<full>(g.count(), [](task_id) { return 100; });
    task_run run(g, p, last, {.threads = 4, .memory_limit = 500, .spills = true});
    EXPECT_THROW(run.run(), std::runtime_error);
    EXPECT_FALSE(p->exists(last[0]));
}

TEST_F(task_graphs, many_short_tasks_on_many_threads) {
    set_thread_count(16);
    task_graph const g = tree(20000);
    std::atomic<std::int64_t> sum{0};
    auto p = program_of(g, [&](task_id t) { return sum += t, 8; });
    task_run(g, p, ids{g.count() - 1}).run();
    EXPECT_EQ(sum.load(), std::int64_t{g.count()} * (g.count() - 1) / 2);
}

TEST_F(task_graphs, producers_wait_above_the_limit) {
    // By priority all 64 producers come first; each consumer frees 100 bytes and makes 1.
    task_graph g;
    ids made, wanted;
    for (int i = 0; i < 64; ++i) made.push_back(g.add({}, 0, 100));
    for (int i = 0; i < 64; ++i) wanted.push_back(g.add(std::span(made).subspan(static_cast<std::size_t>(i), 1), 1, 1));
    for (int const threads : {1, 4}) {
        auto p = program_of(g, [](task_id t) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            return t < 64 ? 100 : 1;
        });
        task_run run(g, p, wanted, {.threads = threads, .memory_limit = 1000});
        run.run();
        EXPECT_LE(run.peak_bytes(), 1000 + threads);
    }
    auto p = program_of(g, [](task_id t) { return t < 64 ? 100 : 1; });
    task_run unlimited(g, p, wanted, {.threads = 1});
    unlimited.run();
    EXPECT_GE(unlimited.peak_bytes(), 6400);
}

TEST_F(task_graphs, sizes_are_learned_where_they_are_unknown) {
    task_graph g;
    ids made, wanted;
    for (int i = 0; i < 64; ++i) made.push_back(g.add({}));
    for (int i = 0; i < 64; ++i) wanted.push_back(g.add(std::span(made).subspan(static_cast<std::size_t>(i), 1), 1, 0));
    auto p = program_of(g, [](task_id t) { return t < 64 ? 100 : 0; });
    task_run run(g, p, wanted, {.threads = 1, .memory_limit = 1000});
    run.run();
    EXPECT_LE(run.peak_bytes(), 1100);
}

TEST_F(task_graphs, one_task_larger_than_the_limit_runs_alone) {
    task_graph const g = tree(64, 500);
    auto p = program_of(g, [](task_id) { return 500; });
    task_run(g, p, ids{g.count() - 1}, {.threads = 4, .memory_limit = 100}).run();
    EXPECT_TRUE(p->exists(g.count() - 1));
}

TEST_F(task_graphs, an_exception_names_its_task_and_nothing_more_starts) {
    task_graph const g = tree(512);
    auto p = program_of(g, [](task_id t) -> std::int64_t {
        if (t == 5) throw std::domain_error("in the chunk");
        return 0;
    });
    try {
        task_run(g, p, ids{g.count() - 1}, {.threads = 1}).run();
        FAIL();
    } catch (task_error const& e) {
        EXPECT_EQ(e.task, 5);
        EXPECT_THROW(std::rethrow_exception(e.cause), std::domain_error);
    }
    EXPECT_EQ(p->started, (ids{0, 1, 2, 3, 4, 5}));
}

TEST_F(task_graphs, an_exception_on_any_thread_ends_the_run) {
    for (int k = 0; k < 50; ++k) {
        task_graph const g = tree(200);
        auto p = program_of(g, [k](task_id t) -> std::int64_t {  // others may be at theirs after the run
            if (t == 4 * k) throw std::domain_error("in the chunk");
            return 0;
        });
        EXPECT_THROW(task_run(g, p, ids{g.count() - 1}).run(), task_error);
    }
}

TEST_F(task_graphs, tasks_may_run_graphs_of_their_own) {
    set_thread_count(2);
    task_graph const outer = tree(40), inner = tree(20);
    std::atomic<int> count{0};
    auto p = program_of(outer, [&](task_id) -> std::int64_t {
        auto q = program_of(inner, [&](task_id) { return ++count, 0; });
        task_run(inner, q, ids{inner.count() - 1}).run();
        return 0;
    });
    task_run(outer, p, ids{outer.count() - 1}).run();
    EXPECT_EQ(count.load(), outer.count() * inner.count());
}

TEST_F(task_graphs, tasks_may_run_kernels) {
    task_graph const g = tree(100);
    std::atomic<int> count{0};
    auto p = program_of(g, [&](task_id) -> std::int64_t {
        parallel_for(10, true, [&](std::int64_t) { ++count; });
        return 0;
    });
    task_run(g, p, ids{g.count() - 1}).run();
    EXPECT_EQ(count.load(), 10 * g.count());
}

TEST_F(task_graphs, progress_is_reported_before_the_run_returns) {
    task_graph const g = tree(300);
    auto p = program_of(g, [](task_id) { return 0; });
    std::atomic<int> seen{0};
    std::atomic<std::int64_t> most{0};
    p->seen = [&](std::int64_t done, std::int64_t all) {
        EXPECT_EQ(all, g.count());
        ++seen;
        for (std::int64_t m = most; m < done && !most.compare_exchange_weak(m, done);) {}
    };
    task_run(g, p, ids{g.count() - 1}).run();
    EXPECT_EQ(seen.load(), g.count());
    EXPECT_EQ(most.load(), g.count());
}

TEST_F(task_graphs, a_run_can_be_cancelled_from_any_thread) {
    task_graph const g = tree(100000);
    auto p = program_of(g, nullptr);
    task_run run(g, p, ids{g.count() - 1});
    p->body = [running = &run](task_id t) -> std::int64_t {
        if (t == 100) running->cancel();
        return 0;
    };
    EXPECT_THROW(run.run(), run_interrupted);
    std::lock_guard const lock(p->mutex);
    EXPECT_LT(p->started.size(), 1000u);
}

TEST_F(task_graphs, the_caller_is_interrupted_while_it_waits) {
    struct interrupting : functions {
        using functions::functions;
        std::atomic<bool> wanted{false};
        bool interrupted() override { return wanted; }
    };
    task_graph g;
    g.add({});
    g.add({});
    auto p = std::make_shared<interrupting>(2, [](task_id) { return 0; });
    struct flags {
        std::atomic<bool> on_other_thread{false}, over{false};
    };
    auto const f = std::make_shared<flags>();
    p->body = [f, me = std::this_thread::get_id(), q = p.get()](task_id) -> std::int64_t {
        if (std::this_thread::get_id() == me) {  // until the other task runs on another thread
            while (!f->on_other_thread) std::this_thread::yield();
        } else {
            f->on_other_thread = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            q->wanted = true;
            while (!f->over) std::this_thread::yield();
        }
        return 0;
    };
    task_run run(g, p, ids{0, 1});
    EXPECT_THROW(run.run(), run_interrupted);
    f->over = true;
}

TEST_F(task_graphs, long_tasks_bring_threads_of_the_program_and_short_ones_do_not) {
    task_graph const g = tree(64);
    auto const threads_of = [&](std::chrono::microseconds time) {
        auto p = std::make_shared<with_threads>(g.count(), [time](task_id) {
            if (time.count() > 0) std::this_thread::sleep_for(time);
            return 0;
        });
        task_run run(g, p, ids{g.count() - 1}, {.threads = 4});
        run.run();
        return p->join();
    };
    // Checks whether another thread is needed. Where the machine is busy a short task may take long, but not always.
    bool alone = false;
    for (int k = 0; k < 50 && !alone; ++k) alone = threads_of(std::chrono::microseconds(0)) <= 1;
    EXPECT_TRUE(alone);
    EXPECT_EQ(threads_of(std::chrono::milliseconds(2)), 3u);
}

TEST_F(task_graphs, an_empty_run_and_a_single_task) {
    task_graph g;
    auto p = program_of(g, [](task_id) { return 0; });
    task_run(g, p, ids{}).run();
    g.add({});
    auto q = program_of(g, [](task_id) { return 0; });
    task_run(g, q, ids{0, 0}).run();
    EXPECT_TRUE(q->exists(0));
}

}  // namespace

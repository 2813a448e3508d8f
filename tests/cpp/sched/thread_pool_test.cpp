#include "bascule/sched/interrupt.hpp"
#include "bascule/sched/thread_pool.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace {

using bascule::sched::parallel_for;
using bascule::sched::task_order;

// Threads enough to interleave on any machine.
struct thread_pool : testing::Test {
    int const before = bascule::sched::thread_count();
    void SetUp() override { bascule::sched::set_thread_count(4); }
    void TearDown() override { bascule::sched::set_thread_count(before); }
};

bool each_ran_once(std::int64_t tasks, task_order order = task_order::ascending) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(tasks));
    parallel_for(
        tasks, true, [&](std::int64_t t) { runs[static_cast<std::size_t>(t)].fetch_add(1, std::memory_order_relaxed); },
        order);
    for (auto const& r : runs)
        if (r.load() != 1) return false;
    return true;
}

TEST_F(thread_pool, every_task_runs_exactly_once) {
    for (std::int64_t const tasks : {0, 1, 2, 3, 4, 5, 31, 1000, 20000}) EXPECT_TRUE(each_ran_once(tasks)) << tasks;
}

// Inwards and outwards alternately, with threads that come late to their side.
TEST_F(thread_pool, every_task_runs_exactly_once_in_any_order) {
    for (int threads = 2; threads <= 5; ++threads) {
        bascule::sched::set_thread_count(threads);
        for (std::int64_t const tasks : {2, 3, 4, 5, 6, 7, 31, 32, 1000, 20000})
            for (int round = 0; round < 4; ++round) EXPECT_TRUE(each_ran_once(tasks, task_order::any)) << tasks;
    }
}

TEST_F(thread_pool, a_side_that_is_done_takes_from_the_other) {
    auto const caller = std::this_thread::get_id();
    for (int round = 0; round < 4; ++round) {
        std::atomic<int> of_caller{0}, others{0};
        parallel_for(
            64, true,
            [&](std::int64_t) {
                if (std::this_thread::get_id() == caller) return void(++of_caller);
                ++others;
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            },
            task_order::any);
        EXPECT_EQ(of_caller + others, 64);
        EXPECT_GT(of_caller.load(), 32);
    }
}

TEST_F(thread_pool, results_of_tasks_are_seen_by_the_caller) {
    std::vector<std::int64_t> squares(5000);
    for (int round = 0; round < 50; ++round) {
        parallel_for(5000, true, [&](std::int64_t t) { squares[static_cast<std::size_t>(t)] = t * t + round; });
        for (std::int64_t t = 0; t < 5000; ++t) ASSERT_EQ(squares[static_cast<std::size_t>(t)], t * t + round);
    }
}

TEST_F(thread_pool, several_threads_take_part) {
    std::atomic<int> inside{0}, most{0};
    parallel_for(4, true, [&](std::int64_t) {
        int const now = ++inside;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {}
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        --inside;
    });
    EXPECT_GE(most.load(), 2);
    EXPECT_LE(most.load(), 4);
}

TEST_F(thread_pool, serial_calls_stay_on_the_calling_thread_in_order) {
    std::vector<std::int64_t> order;
    auto const caller = std::this_thread::get_id();
    parallel_for(100, false, [&](std::int64_t t) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        order.push_back(t);
    });
    for (std::int64_t t = 0; t < 100; ++t) ASSERT_EQ(order[static_cast<std::size_t>(t)], t);
}

TEST_F(thread_pool, calls_nest) {
    std::atomic<std::int64_t> sum{0};
    parallel_for(20, true, [&](std::int64_t a) {
        parallel_for(10, true, [&](std::int64_t b) {
            parallel_for(5, true, [&](std::int64_t c) { sum += a * 10000 + b * 100 + c; });
        });
    });
    EXPECT_EQ(sum.load(), 190 * 10000LL * 50 + 45 * 100LL * 100 + 10 * 200LL);
}

TEST_F(thread_pool, eight_threads_may_call_at_once) {
    std::atomic<int> good{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 8; ++c)
        callers.emplace_back([&] {
            for (int round = 0; round < 40; ++round) good += each_ran_once(50 + round);
        });
    for (auto& c : callers) c.join();
    EXPECT_EQ(good.load(), 8 * 40);
}

TEST_F(thread_pool, more_kernels_in_flight_than_it_has_room_for_still_run) {
    std::atomic<int> good{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 80; ++c) callers.emplace_back([&] { good += each_ran_once(30); });
    for (auto& c : callers) c.join();
    EXPECT_EQ(good.load(), 80);
}

TEST_F(thread_pool, the_count_may_change_between_and_during_calls) {
    std::thread changer([] {
        for (int n : {1, 6, 2, 8, 3, 4}) {
            bascule::sched::set_thread_count(n);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    });
    for (int round = 0; round < 100; ++round) ASSERT_TRUE(each_ran_once(200));
    changer.join();
    bascule::sched::set_thread_count(0);
    EXPECT_EQ(bascule::sched::thread_count(), 1);
}

TEST_F(thread_pool, idle_workers_wake_again) {
    for (int round = 0; round < 20; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ASSERT_TRUE(each_ran_once(64));
    }
}

#if !defined(__SANITIZE_THREAD__)  // its runtime does not allow new threads in a forked child
TEST_F(thread_pool, a_forked_child_gets_a_pool_of_its_own) {
    ASSERT_TRUE(each_ran_once(100));
    std::atomic<bool> stop{false};
    std::thread busy([&] {
        while (!stop) each_ran_once(100);
    });
    for (int round = 0; round < 10; ++round) {
        pid_t const child = fork();
        if (child == 0) {
            alarm(20);
            bool const good = each_ran_once(1000) && each_ran_once(10);
            pid_t const grandchild = fork();
            if (grandchild == 0) _exit(each_ran_once(1000) ? 0 : 1);
            int status = 1;
            waitpid(grandchild, &status, 0);
            _exit(good && status == 0 ? 0 : 1);
        }
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    stop = true;
    busy.join();
    EXPECT_TRUE(each_ran_once(100));
}
#endif

TEST_F(thread_pool, tasks_end_early_where_they_may_and_the_starting_thread_learns_of_it) {
    static std::atomic<int> asked;
    asked = 0;
    bascule::sched::set_interrupt_check([]() noexcept { return ++asked == 3; });
    auto const finished = [] {
        bascule::sched::early_end early;
        std::atomic<int> count{0};
        bascule::sched::parallel_for(1000, false, [&](std::int64_t) { count += !early.wanted(); });
        EXPECT_EQ(early.was_wanted(), count < 1000);
        return count.load();
    };
    EXPECT_EQ(finished(), 1000);
    EXPECT_EQ(asked, 0) << "a kernel that has to finish asks nobody";
    {
        bascule::sched::interruptible const here(true);
        EXPECT_EQ(finished(), 2);
        EXPECT_EQ(asked, 3) << "the answer is kept";
        bascule::sched::early_end early;
        std::thread([&] { EXPECT_FALSE(early.wanted()); }).join();
        EXPECT_EQ(asked, 3) << "only the starting thread asks";
    }
    bascule::sched::set_interrupt_check(nullptr);
}

// Workers take ordinary tasks between kernels, and kernels go on meanwhile.
TEST_F(thread_pool, ordinary_tasks_run_alongside_kernels) {
    static std::atomic<int> ran;
    ran = 0;
    int handed_over = 0;
    for (int k = 0; k < 200; ++k) {
        handed_over += bascule::sched::submit([](void* n) noexcept { ++*static_cast<std::atomic<int>*>(n); }, &ran);
        EXPECT_TRUE(each_ran_once(16));
    }
    EXPECT_EQ(handed_over, 200);
    while (ran < 200) std::this_thread::yield();
}

TEST_F(thread_pool, one_thread_takes_no_ordinary_tasks) {
    bascule::sched::set_thread_count(1);
    EXPECT_FALSE(bascule::sched::submit([](void*) noexcept {}, nullptr));
}

}  // namespace

#include "bascule/sched/recursive_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace bascule::sched {
namespace {

TEST(recursive_lock, one_thread_at_a_time) {
    recursive_lock lock;
    long count = 0;  // plain: only the lock keeps it whole
    std::vector<std::thread> all;
    for (int t = 0; t < 4; ++t)
        all.emplace_back([&] {
            for (int i = 0; i < 20000; ++i) {
                std::lock_guard const outer(lock);
                std::lock_guard const inner(lock);
                ++count;
            }
        });
    for (auto& t : all) t.join();
    EXPECT_EQ(count, 80000);
}

// Threads that come back late and often find others asleep: none is left so.
TEST(recursive_lock, whoever_waits_is_woken) {
    recursive_lock lock;
    for (int round = 0; round < 300; ++round) {
        int turns = 0;  // plain
        std::vector<std::thread> all;
        for (int t = 0; t < 3; ++t)
            all.emplace_back([&, t] {
                for (int i = 0; i < 20; ++i) {
                    std::lock_guard const held(lock);
                    ++turns;
                    if ((i + t + round) % 7 == 0) std::this_thread::yield();
                    if ((i + t + round) % 31 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
                }
            });
        for (auto& t : all) t.join();
        ASSERT_EQ(turns, 60);
    }
}

#if !defined(__SANITIZE_THREAD__)  // its runtime does not allow new threads in a forked child
TEST(recursive_lock, a_forked_child_may_wait_for_it) {
    pid_t const child = fork();
    if (child == 0) {
        alarm(20);
        recursive_lock lock;
        lock.lock();
        bool entered = false;
        std::thread other([&] {
            std::lock_guard const held(lock);
            entered = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        bool const early = entered;  // while this thread holds the lock, no other writes it
        lock.unlock();
        other.join();
        _exit(!early && entered ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}
#endif

TEST(recursive_lock, its_thread_knows_that_it_holds_it) {
    recursive_lock lock;
    EXPECT_FALSE(lock.held_by_this_thread());
    lock.lock(), lock.lock();
    lock.unlock();
    EXPECT_TRUE(lock.held_by_this_thread());
    std::thread([&] { EXPECT_FALSE(lock.held_by_this_thread()); }).join();
    lock.unlock();
    EXPECT_FALSE(lock.held_by_this_thread());
}

TEST(recursive_lock, goes_with_a_condition_variable) {
    recursive_lock lock;
    std::condition_variable_any changed;
    bool asked = false, answered = false;
    std::thread other([&] {
        std::unique_lock<recursive_lock> held(lock);
        changed.wait(held, [&] { return asked; });
        answered = true;
        changed.notify_all();
    });
    {
        std::unique_lock<recursive_lock> held(lock);
        asked = true;
        changed.notify_all();
        changed.wait(held, [&] { return answered; });
    }
    other.join();
    EXPECT_TRUE(answered);
}

}  // namespace
}  // namespace bascule::sched

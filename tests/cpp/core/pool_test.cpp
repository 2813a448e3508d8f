#include "bascule/core/pool.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace {

using bascule::memory_pool;
constexpr std::int64_t mib = std::int64_t{1} << 20;

std::uintptr_t address(void* p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(pool, blocks_are_aligned_writable_and_padded) {
    memory_pool pool;
    for (std::int64_t const bytes : {std::int64_t{0}, std::int64_t{1}, std::int64_t{63}, std::int64_t{64},
                                     std::int64_t{65}, std::int64_t{511}, std::int64_t{513}, std::int64_t{4096},
                                     std::int64_t{65536}, mib - 1, mib, 2 * mib - 64, 2 * mib, 2 * mib + 1, 33 * mib}) {
        auto* const p = static_cast<unsigned char*>(pool.allocate(bytes));
        ASSERT_NE(p, nullptr) << bytes;
        EXPECT_EQ(address(p) % 64, 0u) << bytes;
        if (bytes >= mib) { EXPECT_LT(address(p) % (2 * mib), 4096u) << bytes; }
        std::memset(p, 0xab, static_cast<std::size_t>(bytes));
        unsigned volatile sum = 0;
        for (int i = 0; i < memory_pool::padding; ++i) sum = sum + p[bytes + i];
        pool.release(p, bytes);
    }
    EXPECT_EQ(pool.statistics().in_use, 0);
}

// Loads from one would wait for stores to the other.
TEST(pool, huge_blocks_that_follow_each_other_begin_at_different_positions_of_a_page) {
    memory_pool pool;
    for (std::int64_t const bytes : {mib, 2 * mib, 8 * mib}) {
        unsigned char* blocks[4];
        for (auto*& p : blocks) {
            p = static_cast<unsigned char*>(pool.allocate(bytes));
            std::memset(p, 1, static_cast<std::size_t>(bytes));
        }
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < i; ++k)
                EXPECT_GE((address(blocks[i]) - address(blocks[k]) + 4096) % 4096, 1024u) << bytes;
        for (auto* p : blocks) pool.release(p, bytes);
    }
    EXPECT_GT(pool.trim(), 0);
}

TEST(pool, a_released_block_is_used_again) {
    memory_pool pool;
    for (std::int64_t const bytes : {std::int64_t{100}, std::int64_t{65536}, 8 * mib}) {
        void* const first = pool.allocate(bytes);
        pool.release(first, bytes);
        EXPECT_EQ(pool.allocate(bytes), first);
        pool.release(first, bytes);
    }
}

TEST(pool, blocks_in_use_never_overlap) {
    memory_pool pool;
    std::mt19937_64 random(7);
    struct block {
        unsigned char* p;
        std::int64_t bytes;
        unsigned char mark;
    };
    std::vector<block> blocks;
    for (int round = 0; round < 4000; ++round) {
        if (blocks.size() < 60 || random() % 2) {
            std::int64_t const bytes = static_cast<std::int64_t>(random() % (std::uint64_t{1} << (random() % 22)));
            auto* const p = static_cast<unsigned char*>(pool.allocate(bytes));
            auto const mark = static_cast<unsigned char>(random());
            std::memset(p, mark, static_cast<std::size_t>(bytes));
            blocks.push_back({p, bytes, mark});
        } else {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            block const b = blocks.back();
            blocks.pop_back();
            for (std::int64_t i = 0; i < b.bytes; i += 61) ASSERT_EQ(b.p[i], b.mark);
            pool.release(b.p, b.bytes);
        }
    }
    for (block const& b : blocks) pool.release(b.p, b.bytes);
    EXPECT_EQ(pool.statistics().in_use, 0);
}

TEST(pool, statistics_count_use_peak_and_what_is_held) {
    memory_pool pool;
    void* const a = pool.allocate(4 * mib);
    void* const b = pool.allocate(4 * mib);
    EXPECT_EQ(pool.statistics().in_use, 8 * mib);
    pool.release(a, 4 * mib);
    pool.release(b, 4 * mib);
    EXPECT_EQ(pool.statistics().in_use, 0);
    EXPECT_EQ(pool.statistics().peak, 8 * mib);
    EXPECT_EQ(pool.statistics().held, 8 * mib);
    EXPECT_EQ(pool.trim(), 8 * mib);
    EXPECT_EQ(pool.statistics().held, 0);
    pool.reset_peak();
    EXPECT_EQ(pool.statistics().peak, 0);
}

TEST(pool, over_the_limit_is_out_of_memory) {
    memory_pool pool;
    pool.set_limit(6 * mib);
    void* const a = pool.allocate(4 * mib);
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(pool.allocate(4 * mib), nullptr);
    pool.set_limit(0);
    void* const b = pool.allocate(4 * mib);
    EXPECT_NE(b, nullptr);
    pool.release(a, 4 * mib);
    pool.release(b, 4 * mib);
}

TEST(pool, cached_blocks_make_room_before_it_gives_up) {
    memory_pool pool;
    pool.set_limit(10 * mib);
    void* const a = pool.allocate(6 * mib);
    pool.release(a, 6 * mib);
    void* const b = pool.allocate(8 * mib);
    EXPECT_NE(b, nullptr);
    EXPECT_EQ(pool.statistics().held, 8 * mib);
    pool.release(b, 8 * mib);
}

TEST(pool, a_lower_limit_gives_cached_memory_back_at_once) {
    memory_pool pool;
    pool.release(pool.allocate(8 * mib), 8 * mib);
    pool.set_limit(mib);
    EXPECT_EQ(pool.statistics().held, 0);
}

TEST(pool, above_the_cache_limit_released_blocks_go_back_at_once) {
    memory_pool pool;
    pool.set_cache_limit(10 * mib);
    void* const a = pool.allocate(8 * mib);
    void* const b = pool.allocate(8 * mib);
    ASSERT_NE(b, nullptr);  // blocks in use may exceed the limit
    pool.release(a, 8 * mib);
    EXPECT_EQ(pool.statistics().held, 8 * mib);
    pool.release(b, 8 * mib);  // now there is room to keep it
    EXPECT_EQ(pool.statistics().held, 8 * mib);
    EXPECT_EQ(pool.allocate(8 * mib), b);
    pool.release(b, 8 * mib);
}

TEST(pool, above_the_cache_limit_cached_blocks_go_before_fresh_ones_are_taken) {
    memory_pool pool;
    pool.set_cache_limit(10 * mib);
    pool.release(pool.allocate(8 * mib), 8 * mib);
    void* const a = pool.allocate(6 * mib);
    EXPECT_EQ(pool.statistics().held, 6 * mib);
    pool.release(a, 6 * mib);
}

TEST(pool, a_lower_cache_limit_gives_cached_memory_back_at_once) {
    memory_pool pool;
    void* const a = pool.allocate(4 * mib);
    pool.release(pool.allocate(8 * mib), 8 * mib);
    pool.set_cache_limit(mib);
    EXPECT_EQ(pool.statistics().held, 4 * mib);
    pool.set_cache_limit(0);
    pool.release(a, 4 * mib);
    EXPECT_EQ(pool.statistics().held, 4 * mib);
}

TEST(pool, impossible_sizes_are_out_of_memory) {
    memory_pool pool;
    EXPECT_EQ(pool.allocate(-1), nullptr);
    EXPECT_EQ(pool.allocate(std::int64_t{1} << 62), nullptr);
    EXPECT_EQ(pool.statistics().in_use, 0);
}

TEST(pool, threads_may_release_what_others_allocated) {
    memory_pool pool;
    std::vector<std::atomic<void*>> mailbox(64);
    std::atomic<bool> good{true};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            std::mt19937 random(t);
            for (int round = 0; round < 20000; ++round) {
                auto* const p = static_cast<unsigned*>(pool.allocate(1000));
                p[0] = p[200] = t * 1000003u + static_cast<unsigned>(round);
                void* const old = mailbox[random() % 64].exchange(p);
                if (old == nullptr) continue;
                if (static_cast<unsigned*>(old)[0] != static_cast<unsigned*>(old)[200]) good = false;
                pool.release(old, 1000);
            }
        });
    for (auto& t : threads) t.join();
    for (auto& m : mailbox) pool.release(m.load(), 1000);
    EXPECT_TRUE(good);
    EXPECT_EQ(pool.statistics().in_use, 0);
}

// Small blocks of the process's pool wait with the thread that gave them back.
TEST(pool, what_a_thread_keeps_is_not_in_use) {
    memory_pool& pool = bascule::host_pool();
    std::int64_t const before = pool.statistics().in_use;
    void* const first = pool.allocate(8000);
    EXPECT_EQ(pool.statistics().in_use, before + 8192);
    pool.release(first, 8000);
    EXPECT_EQ(pool.statistics().in_use, before);
    EXPECT_EQ(pool.allocate(8100), first);
    void* const second = pool.allocate(8000);
    EXPECT_NE(second, first);
    std::thread([&] { pool.release(second, 8000); }).join();
    EXPECT_EQ(pool.statistics().in_use, before + 8192);
    pool.release(first, 8100);
    EXPECT_EQ(pool.statistics().in_use, before);
    std::vector<void*> many(2000);
    for (auto& p : many) p = pool.allocate(3000);
    EXPECT_EQ(pool.statistics().in_use, before + 2000 * 3072);
    for (auto& p : many) pool.release(p, 3000);
    EXPECT_EQ(pool.statistics().in_use, before);
    EXPECT_GE(pool.trim(), 2000 * 3072);
    EXPECT_EQ(pool.statistics().held - pool.statistics().in_use, 0);
}

TEST(pool, a_thread_that_ends_leaves_its_blocks_to_others) {
    memory_pool& pool = bascule::host_pool();
    pool.trim();
    void* left = nullptr;
    std::thread([&] {
        left = pool.allocate(5000);
        pool.release(left, 5000);
    }).join();
    void* const p = pool.allocate(5000);
    EXPECT_EQ(p, left);
    pool.release(p, 5000);
}

TEST(pool, a_limit_is_kept_to_with_small_blocks) {
    memory_pool& pool = bascule::host_pool();
    pool.trim();
    std::int64_t const held = pool.statistics().held;
    pool.release(pool.allocate(60000), 60000);
    pool.set_limit(held + 100000);
    EXPECT_EQ(pool.statistics().held, held + 61440);
    void* const a = pool.allocate(30000);
    void* const b = pool.allocate(65000);
    EXPECT_NE(a, nullptr);
    EXPECT_NE(b, nullptr);
    EXPECT_EQ(pool.allocate(60000), nullptr);
    pool.release(a, 30000);
    pool.release(b, 65000);
    pool.set_limit(held + 1);
    EXPECT_EQ(pool.statistics().held, held);
    pool.set_limit(0);
}

#if !defined(__SANITIZE_THREAD__)  // its runtime does not allow new threads in a forked child
TEST(pool, a_forked_child_knows_what_is_in_use) {
    memory_pool& pool = bascule::host_pool();
    std::int64_t const before = pool.statistics().in_use;
    std::atomic<int> step{0};
    std::thread other([&] {
        pool.release(pool.allocate(9000), 9000);
        step = 1;
        while (step != 2) std::this_thread::yield();
    });
    while (step != 1) std::this_thread::yield();
    pid_t const child = fork();
    if (child == 0) {
        alarm(20);
        std::thread([&] { pool.release(pool.allocate(700), 700); }).join();
        _exit(pool.statistics().in_use == before ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    step = 2;
    other.join();
    EXPECT_EQ(status, 0);
    EXPECT_EQ(pool.statistics().in_use, before);
}
#endif

TEST(pool, a_forked_child_can_allocate_whatever_other_threads_were_doing) {
    memory_pool& pool = bascule::host_pool();
    std::atomic<bool> stop{false};
    std::thread busy([&] {
        while (!stop) pool.release(pool.allocate(100), 100);
    });
    for (int round = 0; round < 50; ++round) {
        pid_t const child = fork();
        if (child == 0) {
            alarm(20);
            for (int i = 0; i < 100; ++i) pool.release(pool.allocate(1 << i % 22), 1 << i % 22);
            pool.trim();
            _exit(0);
        }
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    stop = true;
    busy.join();
}

}  // namespace

// Eight threads on the same graph: results stay right, nothing is freed under a reader. Meant for -fsanitize=thread
// too.
#include "arrays.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <semaphore>
#include <thread>

namespace bascule::testing {
namespace {

constexpr int workers = 8;
constexpr std::int64_t many = 5000;

template <class F> void everywhere(F const& f) {
    std::vector<std::thread> threads;
    for (int k = 0; k < workers; ++k) threads.emplace_back([&f, k] { f(k); });
    for (auto& t : threads) t.join();
}

TEST(threads, private_arrays_of_every_size) {
    everywhere([](int k) {
        for (int round = 0; round < 20; ++round)
            for (std::int64_t n : {std::int64_t{8}, many}) {
                array const a = make(cpu(), counted(n, k));
                array r = apply("add", apply("multiply", a, 2.0), a);
                assign(a, apply("add", a, 1.0));
                array const dropped = apply("exp", r);
                array const total = reduce_with("sum", apply("subtract", r, a));  // 3 x - (x + 1)
                double const sum = static_cast<double>(n) * (2 * k - 1) + static_cast<double>(n * (n - 1));
                EXPECT_EQ(item(total).f64[0], sum);
            }
    });
}

TEST(threads, one_pending_array_is_evaluated_by_all) {
    for (int round = 0; round < 10; ++round) {
        array const a = make(cpu(), counted(many));
        array const dear = apply("exp", apply("multiply", a, 1e-3)), x = apply("add", dear, a);
        array const sum = reduce_with("sum", x), most = reduce_with("max", x);
        std::vector<double> sums(workers);
        everywhere([&](int k) {
            if (k % 2) values<double>(dear);
            EXPECT_EQ(values<double>(apply("subtract", x, dear)).size(), static_cast<std::size_t>(many));
            sums[static_cast<std::size_t>(k)] = item(sum).f64[0];
            EXPECT_GT(item(most).f64[0], 0);
        });
        for (double s : sums) EXPECT_EQ(s, sums[0]);
    }
}

TEST(threads, references_dropped_while_others_flush) {
    for (int round = 0; round < 20; ++round) {
        array const a = make(cpu(), counted(many));
        std::vector<array> held;
        for (int k = 0; k < workers; ++k) held.push_back(reduce_with("sum", apply("add", a, static_cast<double>(k))));
        everywhere([&](int k) {
            array mine = std::move(held[static_cast<std::size_t>(k)]);
            array const shared_pass = reduce_with("max", apply("add", a, 1.0));
            if (k % 2 == 0) { EXPECT_EQ(item(mine).f64[0], static_cast<double>(many * (many - 1) / 2 + many * k)); }
            mine = array();
            item(shared_pass);
        });
    }
}

// Whole writes of one value each: a reader sees some thread's value in every element, or the first one.
TEST(threads, whole_writes_and_readers_of_one_array) {
    array const a = full(cpu(), make_dtype(type_id::float64), {many}, constant(0));
    array const head = sliced(a, 0, 16);
    everywhere([&](int k) {
        for (int round = 0; round < 30; ++round) {
            if (k < 4) {
                assign(a, scalar(static_cast<double>(k)));
            } else if (k < 6) {
                auto const v = values<double>(apply("add", a, 1.0));
                EXPECT_EQ(v.front(), v.back());
            } else {
                auto const v = values<double>(
                    apply("multiply", head, 1.0));  // small: runs at once on memory that others take away
                EXPECT_EQ(v.front(), v.back());
            }
        }
    });
}

TEST(threads, writes_to_disjoint_parts_of_one_array) {
    array const a = make(cpu(), std::vector<double>(workers * many, 0));
    everywhere([&](int k) {
        array const part = sliced(a, k * many, many);
        for (int round = 0; round < 10; ++round) assign(part, apply("add", part, 1.0));
    });
    EXPECT_EQ(values<double>(a), std::vector<double>(workers * many, 10.0));
}

TEST(threads, gathers_and_scatters_of_private_arrays_with_shared_indices) {
    array const index = make<std::int64_t>(cpu(), [] {
        std::vector<std::int64_t> v(many);
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<std::int64_t>(v.size() - 1 - i);
        return v;
    }());
    array const shared = make(cpu(), counted(many));
    everywhere([&](int k) {
        array const own = make(cpu(), counted(many, k));
        for (int round = 0; round < 10; ++round) {
            array const turned = get_item(shared, std::vector{at(index)});
            EXPECT_EQ(item(turned).f64[0], static_cast<double>(many - 1));
            set_item(own, std::vector{at(index)}, argument{&turned});
            EXPECT_EQ(item(own, 5).f64[0], 5.0);
        }
    });
}

TEST(threads, settings_statistics_and_explanations_while_others_work) {
    everywhere([](int k) {
        for (int round = 0; round < 20; ++round) {
            array const a = apply("add", make(cpu(), counted(many)), 1.0);
            if (k == 0) settings().fusion = round % 2 == 0;
            if (k == 1) { EXPECT_GE(statistics().pending, 0); }
            if (k == 2) { EXPECT_FALSE(explain(a).empty()); }
            EXPECT_EQ(item(reduce_with("max", a)).f64[0], static_cast<double>(many));
        }
    });
    settings().fusion = true;
}

TEST(threads, exports_while_others_read) {
    array const a = make(cpu(), counted(many));
    everywhere([&](int) {
        for (int round = 0; round < 20; ++round) {
            array const r = apply("add", a, 1.0);
            begin_export(a);
            EXPECT_EQ(reinterpret_cast<double const*>(a.data())[7], 7);
            a.memory()->exports.fetch_sub(1);
            EXPECT_EQ(item(r, 7).f64[0], 8);
        }
    });
}

TEST(threads, memory_that_another_thread_used_at_a_fork_is_free_in_the_child) {
    array const read = make(cpu(), counted(8)), written = make(cpu(), counted(8)), own = make(cpu(), counted(8));
    storage* const reads[] = {read.memory()};
    storage* const owns[] = {own.memory()};
    std::binary_semaphore used(0), done(0);
    std::thread other([&] {
        graph::memory_in_use const in_use(reads, written.memory());
        used.release();
        done.acquire();
    });
    used.acquire();
    auto mine = std::make_unique<graph::memory_in_use>(owns);
    pid_t const child = fork();
    if (child == 0) {
        alarm(60);  // instead of waiting for ever for a thread that does not exist
        mine.reset();
        for (array const* a : {&read, &written, &own}) assign(*a, apply("add", *a, 1.0));
        bool const right = values<double>(read) == counted(8, 1) && values<double>(own) == counted(8, 1);
        _exit(right && written.memory()->running_readers == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    mine.reset();
    done.release();
    other.join();
    assign(written, apply("add", written, 1.0));
    EXPECT_EQ(values<double>(written), counted(8, 1));
}

}  // namespace
}  // namespace bascule::testing

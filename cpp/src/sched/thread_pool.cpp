#include "bascule/sched/thread_pool.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "bascule/core/recording.hpp"
#include "bascule/core/system.hpp"
#include "bascule/sched/cpu_count.hpp"
#include "bascule/sched/progress.hpp"

namespace bascule::sched {
namespace {

using word = std::atomic<std::uint32_t>;

// Waking a sleeper costs 6-44 us, so a thread without work looks for some this long before it sleeps: as long as a
// program needs to describe its next expression, and some more. A spin without a bound takes the processor from the
// very thread it waits for when threads outnumber processors.
constexpr auto spin_time = std::chrono::microseconds(200);
constexpr int slot_count = 64;    // kernels in flight at once; one more runs on its caller alone
constexpr int deepest_steal = 4;  // a waiting kernel that steals a kernel that waits and steals ...: bounds the stack

void pause_processor() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Calls done() until it is true or the time is up.
template <class Done> bool spin_until(Done done) noexcept {
    auto const end = std::chrono::steady_clock::now() + spin_time;
    do {
        for (int i = 0; i < 16; ++i) {
            if (done()) return true;
            pause_processor();
        }
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

// Which end a thread works from where the order is free.
enum class side : std::uint8_t { low, high };
thread_local side my_side = side::low;

// How tasks are handed out: in order, from both ends inwards, or from the middle outwards.
enum class sequence : std::uint8_t { ascending, inwards, outwards };

// One parallel_for in flight. `state` is 0 while free, else claimed, open to helpers or not, and the number of helpers
// in it. The owner closes the slot, waits until no helper is left, and only then frees it: a counted thread may read
// it.
struct alignas(128) slot {
    static constexpr std::uint32_t claimed = 1u << 31, open = 1u << 30, owner_sleeps = 1u << 29,
                                   helpers = owner_sleeps - 1;
    word state{0};
    void (*body)(void*, std::int64_t) = nullptr;
    void* context = nullptr;
    std::int64_t tasks = 0;
    sequence how = sequence::ascending;
    std::int64_t call = 0;  // that is recorded, of which this is a part; 0: none
    // Tasks handed out; in free order those of the low side and, times high_unit, those of the high side.
    alignas(64) std::atomic<std::int64_t> next{0};
    static constexpr std::int64_t high_unit = std::int64_t{1} << 32;

    bool claim() noexcept {
        std::uint32_t expected = 0;
        return state.load(std::memory_order_relaxed) == 0 &&
               state.compare_exchange_strong(expected, claimed, std::memory_order_acquire);
    }
    bool join() noexcept {
        std::uint32_t s = state.load(std::memory_order_relaxed);
        while (s & open)
            if (state.compare_exchange_weak(s, s + 1, std::memory_order_acquire, std::memory_order_relaxed))
                return true;
        return false;
    }
    void leave() noexcept {
        std::uint32_t const before = state.fetch_sub(1, std::memory_order_acq_rel);
        if ((before & helpers) == 1 && (before & owner_sleeps)) system::wake(state, 1);
    }
    bool run_one() noexcept {
        if (how == sequence::ascending) {
            std::int64_t const t = next.fetch_add(1, std::memory_order_relaxed);
            if (t < tasks) body(context, t);
            return t < tasks;
        }
        bool const high = my_side == side::high;
        std::int64_t const before = next.fetch_add(high ? high_unit : 1, std::memory_order_relaxed);
        if (handed_out(before) >= tasks) return false;
        body(context, task_of(high, high ? before / high_unit : before % high_unit));
        return true;
    }
    static std::int64_t handed_out(std::int64_t n) noexcept { return n % high_unit + n / high_unit; }
    // The k-th task of a side. Outwards, a side that has no more goes on from the other's far end.
    std::int64_t task_of(bool high, std::int64_t k) const noexcept {
        if (how == sequence::inwards) return high ? tasks - 1 - k : k;
        std::int64_t const middle = tasks / 2;
        if (high) return k < tasks - middle ? middle + k : k - (tasks - middle);
        return k < middle ? middle - 1 - k : tasks - 1 - (k - middle);
    }
    bool exhausted() const noexcept {
        std::int64_t const n = next.load(std::memory_order_relaxed);
        return (how == sequence::ascending ? n : handed_out(n)) >= tasks;
    }
    bool abandoned() const noexcept { return (state.load(std::memory_order_acquire) & helpers) == 0; }
};

thread_local int depth = 0;  // parallel_for calls and steals on this thread's stack
thread_local bool is_worker = false;

struct ordinary_task {
    void (*body)(void*) noexcept;
    void* context;
};

struct pool {
    slot slots[slot_count];
    std::mutex queue_mutex;
    std::deque<ordinary_task> queue;
    std::atomic<int> queued{0};
    alignas(64) word epoch{0};  // counts opened slots; sleeping workers wait on it
    alignas(64) std::atomic<int> sleepers{0};
    std::atomic<int> callers{0};  // threads of other owners inside parallel_for
    word threads{1};              // wanted, callers included; parked workers wait on it
    std::atomic<int> started{0};  // workers that exist
    int processors = 1;
    std::unique_ptr<pool> before_fork;  // the parent's, whose threads do not exist here: never touched again

    bool may_spin() const noexcept {
        return static_cast<int>(threads.load(std::memory_order_relaxed)) - 1 +
                   callers.load(std::memory_order_relaxed) <=
               processors;
    }
    bool help(slot& s) noexcept;
    bool steal_one(slot const* mine) noexcept;
    bool run_ordinary() noexcept;
    void announce(std::int64_t tasks) noexcept;
    void sleep(std::uint32_t seen) noexcept;
    void worker(int number) noexcept;
    void start_workers() noexcept;
    void run(slot& s) noexcept;
    void wait_for_helpers(slot& s) noexcept;
    slot* claim() noexcept;
};

// Runs tasks of one slot until it is out of them. False: nothing was there to run.
bool pool::help(slot& s) noexcept {
    if (!s.join()) return false;
    recording::part seen(s.call);
    bool ran = false;
    while (s.run_one()) ran = true;
    seen.end(ran);
    s.leave();
    return ran;
}

// One task only: the thief has a kernel of its own to come back to.
bool pool::steal_one(slot const* mine) noexcept {
    for (slot& s : slots) {
        if (&s == mine || !s.join()) continue;
        recording::part seen(s.call);
        bool const ran = s.run_one();
        seen.end(ran);
        s.leave();
        if (ran) return true;
    }
    return false;
}

bool pool::run_ordinary() noexcept {
    if (queued.load(std::memory_order_acquire) == 0) return false;
    std::unique_lock lock(queue_mutex);
    if (queue.empty()) return false;
    ordinary_task const t = queue.front();
    queue.pop_front();
    queued.fetch_sub(1, std::memory_order_relaxed);
    lock.unlock();
    t.body(t.context);
    return true;
}

// Order matters: the slot is open before the epoch moves, and a worker that sleeps counts itself before it compares.
void pool::announce(std::int64_t tasks) noexcept {
    epoch.fetch_add(1, std::memory_order_seq_cst);
    int const sleeping = sleepers.load(std::memory_order_seq_cst);
    if (sleeping > 0) system::wake(epoch, static_cast<int>(std::min<std::int64_t>(sleeping, tasks - 1)));
}

void pool::sleep(std::uint32_t seen) noexcept {
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    system::wait_while(epoch, seen);
    sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

// Kernels are all a worker runs; a queue of ordinary tasks is checked here only, after the slots.
void pool::worker(int number) noexcept {
    is_worker = true;
    my_side = number % 2 == 0 ? side::high : side::low;
    depth = 1;
    for (;;) {
        std::uint32_t const wanted = threads.load(std::memory_order_acquire);
        if (number + 1 >= static_cast<int>(wanted)) {
            system::wait_while(threads, wanted);
            continue;
        }
        std::uint32_t const seen = epoch.load(std::memory_order_seq_cst);
        bool ran = false;
        for (slot& s : slots) ran |= help(s);
        if (ran || run_ordinary()) continue;
        if (may_spin() && spin_until([&] { return epoch.load(std::memory_order_acquire) != seen; })) continue;
        sleep(seen);
    }
}

// Workers never end: too many of them sleep. They take no signals, so that Ctrl-C reaches Python's main thread.
void pool::start_workers() noexcept {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int n = started.load(std::memory_order_relaxed);
    try {
        for (; n + 1 < static_cast<int>(threads.load(std::memory_order_relaxed)); ++n)
            std::thread([this, n] { worker(n); }).detach();
    } catch (std::exception const&) {
        // The system gives no more threads: those that run do the work.
    }
    started.store(n, std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

slot* pool::claim() noexcept {
    for (slot& s : slots)
        if (s.claim()) return &s;
    return nullptr;
}

void pool::wait_for_helpers(slot& s) noexcept {
    auto const done = [&] { return s.abandoned(); };
    while (!done()) {
        if (depth < deepest_steal && steal_one(&s)) continue;
        if (may_spin() && spin_until(done)) return;
        std::uint32_t const now = s.state.fetch_or(slot::owner_sleeps, std::memory_order_acq_rel) | slot::owner_sleeps;
        if (now & slot::helpers) system::wait_while(s.state, now);
    }
}

void pool::run(slot& s) noexcept {
    s.state.fetch_or(slot::open, std::memory_order_release);
    announce(s.tasks);
    while (s.run_one()) {}
    s.state.fetch_and(~slot::open, std::memory_order_acq_rel);
    wait_for_helpers(s);
    s.state.store(0, std::memory_order_release);
}

// The registry of the one pool. The mutex guards its making and growing; fork holds it, so a child finds it whole.
struct {
    std::mutex mutex;
    std::atomic<pool*> current{nullptr};
    std::atomic<int> wanted{0};  // 0: not asked yet
    std::unique_ptr<pool> retired;
    bool fork_handlers = false;
} process;

void before_fork() { process.mutex.lock(); }
void after_fork_in_parent() { process.mutex.unlock(); }
void after_fork_in_child() {
    if (pool* p = process.current.exchange(nullptr)) {
        p->before_fork = std::move(process.retired);
        process.retired.reset(p);
    }
    new (&process.mutex) std::mutex;
    depth = 0;
    is_worker = false;
}

int wanted_threads() noexcept {
    int n = process.wanted.load(std::memory_order_relaxed);
    if (n > 0) return n;
    try {
        n = default_thread_count(process_cpu_sources());
    } catch (std::exception const&) { n = 1; }
    int nobody_asked = 0;
    return process.wanted.compare_exchange_strong(nobody_asked, n) ? n : nobody_asked;
}

int processor_count() noexcept {
    try {
        return usable_cpus(process_cpu_sources());
    } catch (std::exception const&) { return 1; }
}

pool* make_pool() noexcept {
    int const threads = wanted_threads();
    std::lock_guard const lock(process.mutex);
    if (pool* p = process.current.load(std::memory_order_acquire)) return p;
    pool* p = new (std::nothrow) pool;
    if (p == nullptr) return nullptr;
    if (!process.fork_handlers) pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    process.fork_handlers = true;
    p->processors = processor_count();
    p->threads.store(static_cast<std::uint32_t>(threads), std::memory_order_relaxed);
    p->start_workers();
    process.current.store(p, std::memory_order_release);
    return p;
}

pool* the_pool() noexcept {
    pool* p = process.current.load(std::memory_order_acquire);
    return p != nullptr ? p : make_pool();
}

void run_alone(std::int64_t tasks, void (*body)(void*, std::int64_t), void* context) noexcept {
    for (std::int64_t t = 0; t < tasks; ++t) body(context, t);
}

// More tasks than the counter has room for never come in any order.
sequence next_sequence(std::int64_t tasks, task_order order) noexcept {
    if (order == task_order::ascending || tasks >= slot::high_unit / 2) return sequence::ascending;
    static std::atomic<bool> outwards{false};
    bool const now = outwards.load(std::memory_order_relaxed);
    outwards.store(!now, std::memory_order_relaxed);
    return now ? sequence::outwards : sequence::inwards;
}

}  // namespace

int thread_count() noexcept { return wanted_threads(); }

void set_thread_count(int n) {
    n = std::max(n, 1);
    process.wanted.store(n);
    std::lock_guard const lock(process.mutex);
    pool* p = process.current.load(std::memory_order_acquire);
    if (p == nullptr) return;
    p->threads.store(static_cast<std::uint32_t>(n), std::memory_order_release);
    p->start_workers();
    system::wake(p->threads, INT_MAX);
    p->epoch.fetch_add(1);
    system::wake(p->epoch, INT_MAX);  // surplus workers move from where kernels wake them to where they do not
}

namespace {

// A kernel whose tasks are counted for a display of its progress.
struct counted_tasks {
    void (*body)(void*, std::int64_t);
    void* context;
    progress* reported;
    static void run(void* self, std::int64_t task) {
        auto const& c = *static_cast<counted_tasks*>(self);
        c.body(c.context, task);
        c.reported->done.fetch_add(1, std::memory_order_relaxed);
    }
};

void run_tasks(std::int64_t tasks, void (*body)(void*, std::int64_t), void* context, bool parallel,
               task_order order) noexcept {
    if (!parallel || tasks <= 1 || thread_count() == 1) return run_alone(tasks, body, context);
    pool* p = the_pool();
    slot* s = p != nullptr ? p->claim() : nullptr;
    if (s == nullptr) return run_alone(tasks, body, context);
    s->body = body;
    s->context = context;
    s->tasks = tasks;
    s->call = recording::is_on() ? recording::current_call() : 0;
    s->how = next_sequence(tasks, order);
    s->next.store(0, std::memory_order_relaxed);
    bool const outermost = depth++ == 0;
    if (outermost) p->callers.fetch_add(1, std::memory_order_relaxed);
    p->run(*s);
    if (outermost) p->callers.fetch_sub(1, std::memory_order_relaxed);
    --depth;
}

}  // namespace

// Of kernels within kernels the outermost is counted.
void parallel_for(std::int64_t tasks, void (*body)(void*, std::int64_t), void* context, bool parallel,
                  task_order order) noexcept {
    progress* const reported = progress::here();
    if (reported == nullptr || !reported->counts_tasks) return run_tasks(tasks, body, context, parallel, order);
    reported->begin_step(tasks);
    counted_tasks counted{body, context, reported};
    progress_reported const inner(nullptr);
    run_tasks(tasks, counted_tasks::run, &counted, parallel, order);
}

bool submit(void (*body)(void*) noexcept, void* context) noexcept {
    if (thread_count() == 1) return false;
    pool* p = the_pool();
    if (p == nullptr || p->started.load(std::memory_order_acquire) == 0) return false;
    try {
        std::lock_guard const lock(p->queue_mutex);
        p->queue.push_back({body, context});
        p->queued.fetch_add(1, std::memory_order_release);
    } catch (std::exception const&) { return false; }
    p->announce(2);
    return true;
}

}  // namespace bascule::sched

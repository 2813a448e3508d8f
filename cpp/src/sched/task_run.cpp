#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "bascule/sched/interrupt.hpp"
#include "bascule/sched/task_graph.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::sched {

bool task_program::interrupted() { return interrupt_requested(); }

namespace {

using clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Threads that are called for one graph stay until it ends. Where they only wait for each other they step aside.
constexpr auto worth_a_thread = microseconds(100);  // of a task: from here on others may help
constexpr int tasks_in_a_row = 32;
constexpr auto too_short = microseconds(30) * tasks_in_a_row;
constexpr auto look_again = milliseconds(5);  // whether some thread is still at the same task
constexpr auto look_for_interrupts = milliseconds(20);
constexpr std::size_t looked_through = 256;        // ready tasks among which the one that frees most is sought
constexpr std::int64_t worth_spilling = 64 << 10;  // bytes of an output, if the limit is not as small as that itself

std::size_t at(task_id t) { return static_cast<std::size_t>(t); }

}  // namespace

// Guarded by `mutex`, except for members that never change after construction.
struct task_run::state : std::enable_shared_from_this<task_run::state> {
    state(task_graph g, std::shared_ptr<task_program> p, std::span<task_id const> wanted, run_options const& o);

    void begin();
    void work(bool is_caller);
    void wait_for_reports(std::unique_lock<std::mutex>& lock);
    void help();
    void stop(std::exception_ptr why);

    task_graph const graph;
    std::shared_ptr<task_program> const program;
    run_options const options;
    int const threads;
    bool const own_threads;

    std::mutex mutex;
    std::condition_variable changed;  // a task has ended, or the run has
    std::condition_variable needed;   // a thread that stepped aside is needed, or the run has ended
    std::exception_ptr failure;
    bool stopped = false;
    std::int64_t live = 0, peak = 0;

private:
    using heap = std::vector<task_id>;  // of ranks, the lowest first

    struct outcome {
        std::exception_ptr error;
        std::int64_t size = task_graph::unknown_size;
        clock::duration took{};
    };

    bool is_over() const noexcept { return stopped || left == 0; }
    bool any_ready() const noexcept { return !producers.empty() || !consumers.empty(); }
    std::size_t ready() const noexcept { return producers.size() + consumers.size(); }
    std::int64_t size_of(task_id t) const noexcept { return sizes[at(t)] < 0 ? unknown : sizes[at(t)]; }
    std::int64_t growth(task_id t) const noexcept;
    std::int64_t brought_back(task_id t) const noexcept;
    std::int64_t beyond_limit(task_id t) const noexcept;
    void push(task_id t);
    task_id pop(heap& from, std::size_t position);
    task_id frees_most();
    task_id frees_or(heap& from, std::vector<task_id>& victims);
    task_id take(std::vector<task_id>& victims);
    void begin_reading(task_id t);
    task_id next_user(task_id output) noexcept;
    std::int64_t choose_victims(task_id next, std::int64_t bytes, std::vector<task_id>& victims);
    bool spill(std::unique_lock<std::mutex>& lock, std::vector<task_id>& victims);
    outcome execute(task_id t, bool is_caller) noexcept;
    void finish(task_id t, std::int64_t size, std::vector<task_id>& dead);
    void wait(std::unique_lock<std::mutex>& lock, bool is_caller);
    void look_at_interrupts(std::unique_lock<std::mutex>& lock);
    int helpers_to_call(std::size_t for_tasks);
    void call(std::unique_lock<std::mutex>& lock, int n);
    bool wait_until_needed(std::unique_lock<std::mutex>& lock);

    std::vector<task_id> by_rank, rank;   // rank -1: the task is not needed
    std::vector<std::size_t> first_user;  // of each task, into user_list
    std::vector<task_id> user_list;
    std::vector<std::int32_t> waits, users;  // dependencies that are not done; tasks to come that read the output
    std::vector<std::int64_t> sizes;
    // Where spilling may happen: of each output, whether it can be spilled, how many of the tasks that read it run, and
    // the first of those to come.
    enum class place : char { nowhere, memory, leaving, disk, stays };
    std::vector<place> where;
    std::vector<std::int32_t> readers;
    std::vector<std::size_t> first_to_come;
    std::vector<char> started;  // 2: and makes less than it frees
    std::vector<task_id> spillable;
    std::int64_t leaving = 0;   // bytes that are being written
    int freeing = 0;            // running tasks that make less than they free
    std::int64_t unknown = 0;   // the largest output that was not announced
    heap producers, consumers;  // ready tasks without and with dependencies
    std::int64_t left = 0, all = 0;
    int running = 0;
    int away = 0;              // threads that may be called
    int aside = 0, asked = 0;  // those that came and have nothing to do, and how many of them should come back
    int waiting = 0;           // for `changed`
    int reporting = 0;         // threads that have counted their task and still release and report
    clock::time_point last_start = clock::now();
};

task_run::state::state(task_graph g, std::shared_ptr<task_program> p, std::span<task_id const> wanted,
                       run_options const& o)
    : graph(std::move(g)), program(std::move(p)), options(o), threads(o.threads > 0 ? o.threads : thread_count()),
      own_threads(program->has_threads()), by_rank(graph.order(wanted)), rank(at(graph.count()), -1),
      first_user(at(graph.count()) + 1, 0), waits(at(graph.count()), 0), users(at(graph.count()), 0),
      sizes(at(graph.count())) {
    left = all = static_cast<std::int64_t>(by_rank.size());
    away = threads - 1;
    if (options.spills && options.memory_limit > 0) {
        where.assign(waits.size(), place::nowhere);
        readers.assign(waits.size(), 0);
        started.assign(waits.size(), 0);
    }
    for (std::size_t r = 0; r < by_rank.size(); ++r) {
        task_id const t = by_rank[r];
        rank[at(t)] = static_cast<task_id>(r);
        sizes[at(t)] = graph.size(t);
        waits[at(t)] = static_cast<std::int32_t>(graph.dependencies(t).size());
        for (task_id const d : graph.dependencies(t)) ++users[at(d)];
    }
    for (std::size_t t = 0; t < users.size(); ++t)
        first_user[t + 1] = first_user[t] + static_cast<std::size_t>(users[t]);
    user_list.resize(first_user.back());
    std::vector<std::size_t> next(first_user.begin(), first_user.end() - 1);
    if (!where.empty()) first_to_come = next;
    for (task_id const t : by_rank)
        for (task_id const d : graph.dependencies(t)) user_list[next[at(d)]++] = t;
    for (task_id const w : wanted) ++users[at(w)];  // the caller reads it
    for (task_id const t : by_rank)
        if (waits[at(t)] == 0) push(t);
}

void task_run::state::push(task_id t) {
    heap& to = graph.dependencies(t).empty() ? producers : consumers;
    to.push_back(rank[at(t)]);
    std::push_heap(to.begin(), to.end(), std::greater<>{});
}

task_id task_run::state::pop(heap& from, std::size_t position) {
    task_id const r = from[position];
    if (position == 0) {
        std::pop_heap(from.begin(), from.end(), std::greater<>{});
        from.pop_back();
    } else {
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(position));
        std::make_heap(from.begin(), from.end(), std::greater<>{});
    }
    return by_rank[at(r)];
}

// By how much the outputs grow when it has run.
std::int64_t task_run::state::growth(task_id t) const noexcept {
    std::int64_t bytes = users[at(t)] > 0 ? size_of(t) : 0;
    for (task_id const d : graph.dependencies(t)) {
        bool const away_now = !where.empty() && where[at(d)] == place::disk;
        if (users[at(d)] == 1 && !away_now) bytes -= size_of(d);
        if (users[at(d)] > 1 && away_now) bytes += size_of(d);
    }
    return bytes;
}

// Bytes of spilled outputs that it reads.
std::int64_t task_run::state::brought_back(task_id t) const noexcept {
    std::int64_t bytes = 0;
    if (where.empty()) return 0;
    for (task_id const d : graph.dependencies(t))
        if (where[at(d)] == place::disk) bytes += size_of(d);
    return bytes;
}

// Bytes for which there is no room while it runs; not positive: there is.
std::int64_t task_run::state::beyond_limit(task_id t) const noexcept {
    return live - leaving + size_of(t) + brought_back(t) - options.memory_limit;
}

// -1: each of them would make more than it frees, and another task is running that may free something.
task_id task_run::state::frees_most() {
    std::size_t best = 0;
    std::optional<std::int64_t> least;
    for (std::size_t i = 0; i < std::min(consumers.size(), looked_through); ++i) {
        task_id const t = by_rank[at(consumers[i])];
        if (!where.empty() && beyond_limit(t) > 0) continue;  // other outputs have to be spilled first
        std::int64_t const g = growth(t);
        if (!least || g < *least || (g == *least && consumers[i] < consumers[best])) least = g, best = i;
    }
    if (least && (*least <= 0 || (running == 0 && where.empty()))) return pop(consumers, best);
    return running == 0 && where.empty() && !producers.empty() ? pop(producers, 0) : -1;
}

// One that frees something, or the first of `from` and the outputs that make room for it; -1: a task that is running
// may free enough.
task_id task_run::state::frees_or(heap& from, std::vector<task_id>& victims) {
    if (task_id const t = frees_most(); t >= 0 || where.empty()) return t;
    if (freeing > 0) return -1;
    task_id const t = by_rank[at(from[0])];
    std::int64_t const needed = beyond_limit(t);
    if (choose_victims(t, needed, victims) < needed && running > 0) {
        victims.clear();
        return -1;
    }
    for (task_id const v : victims) where[at(v)] = place::leaving, leaving += sizes[at(v)];
    std::erase_if(spillable, [&](task_id v) { return where[at(v)] == place::leaving; });  // it may come back
    return pop(from, 0);
}

// The place in the order of the first task to come that reads an output.
task_id task_run::state::next_user(task_id output) noexcept {
    std::size_t& u = first_to_come[at(output)];
    while (u < first_user[at(output) + 1] && started[at(user_list[u])]) ++u;
    return u < first_user[at(output) + 1] ? rank[at(user_list[u])] : static_cast<task_id>(by_rank.size());
}

// Outputs that are read last, as many as make room for so many bytes; how many that are.
std::int64_t task_run::state::choose_victims(task_id next, std::int64_t bytes, std::vector<task_id>& victims) {
    std::erase_if(spillable, [&](task_id v) { return where[at(v)] != place::memory; });
    auto const needs = graph.dependencies(next);
    std::vector<std::pair<task_id, task_id>> found;  // when it is read, and which
    for (task_id const v : spillable)
        if (readers[at(v)] == 0 && std::find(needs.begin(), needs.end(), v) == needs.end())
            found.emplace_back(next_user(v), v);
    std::make_heap(found.begin(), found.end());
    std::int64_t sum = 0;
    for (auto end = found.end(); sum < bytes && end != found.begin(); --end) {
        std::pop_heap(found.begin(), end);
        victims.push_back((end - 1)->second);
        sum += sizes[at(victims.back())];
    }
    return sum;
}

// Before the task runs for which there was no room. False: it failed, and the run has ended.
bool task_run::state::spill(std::unique_lock<std::mutex>& lock, std::vector<task_id>& victims) {
    for (task_id const v : victims) {
        lock.unlock();
        bool gone = false;
        std::exception_ptr error;
        try {
            gone = program->spill(v);
        } catch (...) { error = std::current_exception(); }
        lock.lock();
        leaving -= sizes[at(v)];
        if (error) stop(error);
        if (stopped) return false;
        if (where[at(v)] != place::leaving) continue;  // no task needs it any more
        where[at(v)] = !gone ? place::stays : readers[at(v)] > 0 ? place::memory : place::disk;
        if (where[at(v)] == place::disk) live -= sizes[at(v)];
        else if (gone) spillable.push_back(v);  // a task reads it again
    }
    victims.clear();
    return true;
}

// The inputs of a task stay in memory, and spilled ones are loaded.
void task_run::state::begin_reading(task_id t) {
    started[at(t)] = 1;
    for (task_id const d : graph.dependencies(t)) {
        ++readers[at(d)];
        if (where[at(d)] != place::disk) continue;
        where[at(d)] = place::memory;
        spillable.push_back(d);
        live += sizes[at(d)];
    }
}

// The task to run next, counted as running, and the outputs to spill before; -1: none may start now.
task_id task_run::state::take(std::vector<task_id>& victims) {
    if (!any_ready()) return -1;
    bool const from_producers = consumers.empty() || (!producers.empty() && producers[0] < consumers[0]);
    heap& from = from_producers ? producers : consumers;
    task_id t = by_rank[at(from[0])];
    if (options.memory_limit > 0 && beyond_limit(t) > 0 && (!where.empty() || growth(t) > 0)) {
        t = frees_or(from, victims);
        if (t < 0) return -1;
    } else {
        pop(from, 0);
    }
    ++running;
    if (!where.empty()) {
        bool const frees = growth(t) < 0;
        begin_reading(t);
        if (frees) ++freeing, started[at(t)] = 2;
    }
    if (sizes[at(t)] < 0) sizes[at(t)] = -2 - unknown;  // the size assumed for it, until it is known
    live += sizes[at(t)] < 0 ? unknown : sizes[at(t)];
    peak = std::max(peak, live - leaving);
    return t;
}

task_run::state::outcome task_run::state::execute(task_id t, bool is_caller) noexcept {
    outcome o;
    auto const began = clock::now();
    try {
        o.size = program->run(t);
    } catch (...) { o.error = std::make_exception_ptr(task_error(t, std::current_exception())); }
    o.took = clock::now() - began;
    if (o.error || !is_caller) return o;
    try {
        if (program->interrupted()) throw run_interrupted();
    } catch (...) { o.error = std::current_exception(); }
    return o;
}

// Records the size of an output, finds the tasks that can start now, and the outputs that no task needs any more.
void task_run::state::finish(task_id t, std::int64_t size, std::vector<task_id>& dead) {
    std::int64_t& known = sizes[at(t)];
    std::int64_t const reserved = known < -1 ? -2 - known : known;
    if (known < 0 && size >= 0) unknown = std::max(unknown, size);
    known = size >= 0 ? size : reserved;
    live += known - reserved;
    peak = std::max(peak, live);
    --left;
    if (!where.empty()) {
        if (started[at(t)] == 2) --freeing;
        for (task_id const d : graph.dependencies(t)) --readers[at(d)];
        where[at(t)] = place::memory;
        if (known >= std::min(worth_spilling, options.memory_limit / 64) && known > 0) spillable.push_back(t);
    }
    auto const drop = [&](task_id d) {
        dead.push_back(d);
        if (where.empty() || where[at(d)] != place::disk) live -= sizes[at(d)];
        if (!where.empty()) where[at(d)] = place::nowhere;
    };
    for (task_id const d : graph.dependencies(t))
        if (--users[at(d)] == 0) drop(d);
    if (users[at(t)] == 0) drop(t);
    for (std::size_t u = first_user[at(t)]; u < first_user[at(t) + 1]; ++u)
        if (--waits[at(user_list[u])] == 0) push(user_list[u]);
}

void task_run::state::stop(std::exception_ptr why) {
    if (!failure) failure = std::move(why);
    stopped = true;
    changed.notify_all();
    needed.notify_all();
}

void task_run::state::look_at_interrupts(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    std::exception_ptr error;
    program->wait_ends();
    try {
        if (program->interrupted()) throw run_interrupted();
    } catch (...) { error = std::current_exception(); }
    program->wait_begins();
    lock.lock();
    if (error) stop(error);
}

// Until a task has ended, or the run has.
void task_run::state::wait(std::unique_lock<std::mutex>& lock, bool is_caller) {
    std::int64_t const seen = left;
    program->wait_begins();
    ++waiting;
    while (!is_over() && left == seen) {
        if (!is_caller) changed.wait(lock);
        else if (changed.wait_for(lock, look_for_interrupts) == std::cv_status::timeout) look_at_interrupts(lock);
    }
    --waiting;
    lock.unlock();
    program->wait_ends();
    lock.lock();
}

void task_run::state::wait_for_reports(std::unique_lock<std::mutex>& lock) {
    if (stopped || reporting == 0) return;
    program->wait_begins();
    changed.wait(lock, [&] { return stopped || reporting == 0; });
    lock.unlock();
    program->wait_ends();
    lock.lock();
}

// Counts threads as called, those that stepped aside first; returns how many others are left to be called.
int task_run::state::helpers_to_call(std::size_t for_tasks) {
    int n = static_cast<int>(std::min(for_tasks, static_cast<std::size_t>(threads)));
    int const near = std::min(aside - asked, n);
    asked += near;
    if (near > 0) needed.notify_all();
    n = std::min(away, n - near);
    away -= n;
    return n;
}

void task_run::state::call(std::unique_lock<std::mutex>& lock, int n) {
    if (n <= 0 || is_over()) return;
    lock.unlock();
    std::exception_ptr error;
    try {
        if (own_threads) program->call_threads(n, [me = shared_from_this()] { me->help(); });
        for (int i = 0; !own_threads && i < n; ++i) {
            auto mine = std::make_unique<std::shared_ptr<state>>(shared_from_this());
            auto const body = [](void* context) noexcept {
                std::unique_ptr<std::shared_ptr<state>> const s(static_cast<std::shared_ptr<state>*>(context));
                (*s)->work(false);
            };
            if (submit(body, mine.get())) static_cast<void>(mine.release());
        }
    } catch (...) { error = std::current_exception(); }
    lock.lock();
    if (error) stop(error);
}

// True: there is more work than the running threads can do. False: the run has ended.
bool task_run::state::wait_until_needed(std::unique_lock<std::mutex>& lock) {
    ++aside;
    while (!is_over() && asked == 0) {
        needed.wait_for(lock, look_again);
        if (any_ready() && clock::now() - last_start > look_again) ++asked;
    }
    --aside;
    if (asked > 0) --asked;
    return !is_over();
}

void task_run::state::help() {
    program->wait_begins();
    std::unique_lock lock(mutex);
    while (wait_until_needed(lock)) {
        int const more = helpers_to_call(ready() > 0 ? ready() - 1 : 0);
        lock.unlock();
        program->wait_ends();
        lock.lock();
        call(lock, more);
        lock.unlock();
        work(false);
        program->wait_begins();
        lock.lock();
    }
    lock.unlock();
    program->wait_ends();
}

// Runs tasks, as other threads do at the same time, until all are done. Threads of the pool leave as soon as there is
// nothing to do; threads of the program's own when tasks are so short that one thread does them as well.
void task_run::state::work(bool is_caller) {
    std::vector<task_id> dead, victims;
    int done = 0;
    auto row_began = clock::now();
    std::unique_lock lock(mutex);
    while (!is_over()) {
        task_id const t = take(victims);
        if (t < 0) {
            if (!is_caller && !own_threads) break;
            wait(lock, is_caller);
            continue;
        }
        if (!spill(lock, victims)) break;
        auto const began = last_start = clock::now();
        lock.unlock();
        outcome o = execute(t, is_caller);
        lock.lock();
        --running;
        if (o.error) {
            stop(std::move(o.error));
            break;
        }
        finish(t, o.size, dead);
        std::int64_t const number = all - left;
        ++reporting;
        if (waiting > 0 || left == 0) changed.notify_all();
        if (left == 0) needed.notify_all();
        if (ready() > 0 && (!own_threads || o.took > worth_a_thread)) call(lock, helpers_to_call(ready()));
        lock.unlock();
        program->release(dead);
        dead.clear();
        try {
            program->finished(t, number, all);
        } catch (...) { o.error = std::current_exception(); }
        lock.lock();
        if (--reporting == 0 && left == 0) changed.notify_all();
        if (o.error) stop(std::move(o.error));
        if (is_caller || !own_threads || ++done % tasks_in_a_row != 0) continue;
        if (began - row_began < too_short) break;
        row_began = began;
    }
    if (!is_caller && !own_threads) ++away;
}

task_run::task_run(task_graph graph, std::shared_ptr<task_program> program, std::span<task_id const> wanted,
                   run_options options)
    : state_(std::make_shared<state>(std::move(graph), std::move(program), wanted, options)) {}

task_run::~task_run() = default;

void task_run::run() {
    state& s = *state_;
    s.begin();
    s.work(true);
    std::unique_lock lock(s.mutex);
    s.wait_for_reports(lock);
    if (!s.failure && s.stopped) s.failure = std::make_exception_ptr(run_interrupted());
    if (s.failure) std::rethrow_exception(s.failure);
}

// Threads of the pool come at once. Of its own ones a program calls one, which looks whether the caller gets on.
void task_run::state::begin() {
    std::unique_lock lock(mutex);
    if (all < 2) return;
    if (own_threads && away > 0) --away, call(lock, 1);
    else if (!own_threads && ready() > 1) call(lock, helpers_to_call(ready() - 1));
}

void task_run::cancel() noexcept {
    std::lock_guard const lock(state_->mutex);
    state_->stopped = true;
    state_->changed.notify_all();
    state_->needed.notify_all();
}

std::int64_t task_run::peak_bytes() const noexcept {
    std::lock_guard const lock(state_->mutex);
    return state_->peak;
}

}  // namespace bascule::sched

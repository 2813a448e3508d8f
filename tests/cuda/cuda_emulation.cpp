#include "cuda_emulation.hpp"

#include "emulation_scheduler.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(char const*, int);
void AnnotateIgnoreReadsEnd(char const*, int);
void AnnotateIgnoreWritesBegin(char const*, int);
void AnnotateIgnoreWritesEnd(char const*, int);
}
#endif

namespace bascule::emulation {
namespace {

// Under ThreadSanitizer every CUDA thread is a fiber of its own, ordered only by barriers and collectives; the scheduler's
// own reads and writes are not part of the kernel and are ignored.
#if defined(__SANITIZE_THREAD__)
constexpr bool under_tsan = true;
struct unobserved {
    unobserved() { AnnotateIgnoreReadsBegin("", 0), AnnotateIgnoreWritesBegin("", 0); }
    ~unobserved() { AnnotateIgnoreWritesEnd("", 0), AnnotateIgnoreReadsEnd("", 0); }
};
void publish(char& tag) { __tsan_release(&tag); }
void receive(char& tag) { __tsan_acquire(&tag); }
void* new_sanitizer_fiber() { return __tsan_create_fiber(0); }
void end_sanitizer_fiber(void* f) { __tsan_destroy_fiber(f); }
void* this_sanitizer_fiber() { return __tsan_get_current_fiber(); }
void enter_sanitizer_fiber(void* f) { __tsan_switch_to_fiber(f, 1); }
#else
constexpr bool under_tsan = false;
struct unobserved {
    unobserved() {}
};
void publish(char&) {}
void receive(char&) {}
void* new_sanitizer_fiber() { return nullptr; }
void end_sanitizer_fiber(void*) {}
void* this_sanitizer_fiber() { return nullptr; }
void enter_sanitizer_fiber(void*) {}
#endif

enum class waits_for : std::uint8_t { start, nothing, block, warp, never };

constexpr std::size_t stack_bytes = 128 << 10;
constexpr unsigned most_threads = 1024;

struct fiber {
    ucontext_t context;
    void* stack = nullptr;
    void* sanitizer = nullptr;
    waits_for state = waits_for::start;
    uint3 index;
    // a block barrier's or a warp collective's arguments and result
    warp_op op;
    unsigned mask, source;
    std::uint64_t value, result;
    int predicate, total;
    void const* where;
};

struct scheduler {
    runtime shared{};
    std::vector<fiber> threads = std::vector<fiber>(most_threads);
    std::vector<unsigned> order;
    std::size_t next = 0;  // place in `order` of the first thread that has not started
    std::vector<void*> free_stacks;
    unsigned count = 0;
    fiber* running = nullptr;
    ucontext_t home;
    void* home_sanitizer = nullptr;
    launch const* work = nullptr;
    char start_tag, end_tag, block_tag, warp_tags[most_threads / 32];
};
scheduler& the() {
    static scheduler s;
    return s;
}

[[gnu::no_sanitize_thread]] void go_home() {
    scheduler& s = the();
    enter_sanitizer_fiber(s.home_sanitizer);
    swapcontext(&s.running->context, &s.home);
}

// Runs threads from start to end, one after the other, for as long as they wait for nothing: a kernel without barriers
// costs no switch. A thread that has to wait leaves the rest to a fresh stack.
[[gnu::no_sanitize_thread]] void run_threads() {
    scheduler& s = the();
    for (;;) {
        fiber* self = s.running;
        receive(s.start_tag);
        s.work->body(s.work->context);
        publish(s.end_tag);
        self = s.running;
        self->state = waits_for::never;
        if (under_tsan || s.next >= s.order.size()) break;
        // The stack goes over to the next thread.
        fiber& follower = s.threads[s.order[s.next++]];
        std::swap(follower.stack, self->stack);
        follower.state = waits_for::nothing;
        s.running = &follower;
        s.shared.thread = follower.index;
    }
    go_home();
}

void* take_stack(scheduler& s) {
    if (!s.free_stacks.empty()) {
        void* p = s.free_stacks.back();
        s.free_stacks.pop_back();
        return p;
    }
    void* p = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw error("no memory for another stack");
    return p;
}

void resume(fiber& f) {
    scheduler& s = the();
    s.running = &f;
    s.shared.thread = f.index;
    if (f.state == waits_for::start) {
        f.stack = take_stack(s);
        getcontext(&f.context);
        f.context.uc_stack = {f.stack, 0, stack_bytes};
        f.context.uc_link = nullptr;
        makecontext(&f.context, run_threads, 0);
        f.sanitizer = new_sanitizer_fiber();
    }
    f.state = waits_for::nothing;
    enter_sanitizer_fiber(f.sanitizer);
    swapcontext(&s.home, &f.context);
}

[[gnu::no_sanitize_thread]] int block_barrier(int predicate, void const* where) {
    scheduler& s = the();
    publish(s.block_tag);
    fiber& f = *s.running;
    f.predicate = predicate;
    f.where = where;
    f.state = waits_for::block;
    go_home();
    receive(s.block_tag);
    return f.total;
}

unsigned number_of(fiber const& f) { return static_cast<unsigned>(&f - the().threads.data()); }

[[gnu::no_sanitize_thread]] std::uint64_t warp_collective(warp_op op, unsigned mask, std::uint64_t value, unsigned source) {
    scheduler& s = the();
    fiber& f = *s.running;
    char& tag = s.warp_tags[number_of(f) / 32];
    publish(tag);
    f.op = op, f.mask = mask, f.value = value, f.source = source;
    f.state = waits_for::warp;
    go_home();
    receive(tag);
    return f.result;
}

// ---- the scheduler's side of a collective
struct warp_view {
    scheduler& s;
    unsigned first, end;
    bool exists(unsigned lane) const { return first + lane < end; }
    fiber& operator[](unsigned lane) const { return s.threads[first + lane]; }
};
template <class F> void each_lane(unsigned mask, F&& f) {
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1) f(lane);
}

// True if all lanes of the mask have arrived.
bool complete(warp_view const& w, fiber const& asked) {
    bool all = true;
    each_lane(asked.mask, [&](unsigned lane) {
        if (!w.exists(lane) || w[lane].state == waits_for::never)
            throw error("warp collective: the mask names a lane that does not exist or has exited");
        if (w[lane].state != waits_for::warp) all = false;
        else if (w[lane].mask != asked.mask || w[lane].op != asked.op)
            throw error("warp collective: lanes of one mask disagree on the mask or the operation");
    });
    return all;
}

void release(warp_view const& w, unsigned mask) {
    std::uint64_t votes = 0;
    each_lane(mask, [&](unsigned lane) { votes |= (w[lane].value & 1) << lane; });
    each_lane(mask, [&](unsigned lane) {
        fiber& f = w[lane];
        if (f.op == warp_op::shuffle && !(mask >> (f.source & 31) & 1)) throw error("shuffle: the source lane is not in the mask");
        f.result = f.op == warp_op::shuffle ? w[f.source & 31].value : votes;
    });
    each_lane(mask, [&](unsigned lane) { w[lane].state = waits_for::nothing; });
}

bool release_some_warp(scheduler& s) {
    for (unsigned i = 0; i < s.count; ++i) {
        fiber const& f = s.threads[i];
        if (f.state != waits_for::warp) continue;
        if (!(f.mask >> (i & 31) & 1)) throw error("warp collective: the calling lane is not in its own mask");
        warp_view const w{s, i / 32 * 32, std::min(s.count, i / 32 * 32 + 32)};
        unsigned const mask = f.mask;
        if (!complete(w, f)) continue;
        release(w, mask);
        return true;
    }
    return false;
}

unsigned count_state(scheduler const& s, waits_for state) {
    return static_cast<unsigned>(std::count_if(s.threads.begin(), s.threads.begin() + s.count, [&](fiber const& f) { return f.state == state; }));
}

void release_block(scheduler& s) {
    int total = 0;
    for (unsigned i = 0; i < s.count; ++i) {
        if (s.threads[i].where != s.threads[0].where) throw error("barrier divergence: threads wait at different __syncthreads");
        total += s.threads[i].predicate;
    }
    for (unsigned i = 0; i < s.count; ++i) {
        s.threads[i].total = total;
        s.threads[i].state = waits_for::nothing;
    }
}

// All threads wait or have ended; false if all have ended.
bool release_waiting(scheduler& s) {
    unsigned const ended = count_state(s, waits_for::never), at_barrier = count_state(s, waits_for::block);
    if (ended == s.count) return false;
    if (at_barrier && at_barrier + ended == s.count) {
        if (ended) throw error("barrier divergence: " + std::to_string(ended) + " threads ended while others wait at __syncthreads");
        release_block(s);
        return true;
    }
    if (!release_some_warp(s)) throw error("deadlock: threads wait at a barrier or a warp collective that others never reach");
    return true;
}

std::vector<unsigned> run_order(unsigned count, char const* name) {
    std::vector<unsigned> order(count);
    std::iota(order.begin(), order.end(), 0u);
    if (!name || !std::strcmp(name, "forward")) return order;
    if (!std::strcmp(name, "reverse")) {
        std::reverse(order.begin(), order.end());
        return order;
    }
    std::mt19937 generator(static_cast<unsigned>(std::atoi(name)) + the().shared.block.x);
    std::shuffle(order.begin(), order.end(), generator);
    return order;
}

void reset_threads(scheduler& s, dim3 size) {
    for (unsigned i = 0; i < s.count; ++i) {
        fiber& f = s.threads[i];
        if (f.sanitizer) end_sanitizer_fiber(f.sanitizer);
        if (f.stack) s.free_stacks.push_back(f.stack);
        f.sanitizer = f.stack = nullptr;
        f.state = waits_for::start;
        f.index = {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
    }
}

void run_block(scheduler& s, char const* order_name) {
    dim3 const size = s.shared.block_size;
    s.count = size.x * size.y * size.z;
    reset_threads(s, size);
    s.order = run_order(s.count, order_name);
    s.next = 0;
    do {
        for (std::size_t k = 0; k < s.order.size(); ++k) {
            fiber& f = s.threads[s.order[k]];
            if (f.state == waits_for::start) s.next = k + 1;
            if (f.state == waits_for::start || f.state == waits_for::nothing) resume(f);
        }
    } while (release_waiting(s));
}

}  // namespace

runtime* shared_runtime() {
    scheduler& s = the();
    s.shared.block_barrier = block_barrier;
    s.shared.warp_collective = warp_collective;
    return &s.shared;
}

void run(launch const& work) {
    scheduler& s = the();
    unsigned const threads = work.block.x * work.block.y * work.block.z;
    if (threads == 0 || threads > most_threads) throw error("a block has 1 to 1024 threads");
    shared_runtime();
    {
        unobserved const quiet;
        s.home_sanitizer = this_sanitizer_fiber();
        s.work = &work;
        s.shared.block_size = work.block;
        s.shared.grid_size = work.grid;
        char const* order = std::getenv("BASCULE_EMULATION_ORDER");
        for (unsigned z = 0; z < work.grid.z; ++z)
            for (unsigned y = 0; y < work.grid.y; ++y)
                for (unsigned x = 0; x < work.grid.x; ++x) {
                    s.shared.block = {x, y, z};
                    publish(s.start_tag);
                    run_block(s, order);
                    receive(s.end_tag);  // the next block has the same shared memory
                }
    }
}

}  // namespace bascule::emulation

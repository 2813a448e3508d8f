#include "backend/emulation/cuda_emulation.hpp"

#include "backend/emulation/emulation_scheduler.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
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

// Under ThreadSanitizer every CUDA thread is a fiber of its own, ordered only by barriers and collectives; the
// scheduler's own reads and writes are not part of the kernel and are ignored.
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

// Shared memory is undefined when a block starts: a pattern shows kernels that rely on it.
constexpr unsigned char poison = 0xB5;

// Memory that ends at a protected page, so that an access beyond it faults.
class guarded_memory {
public:
    guarded_memory() = default;
    guarded_memory(guarded_memory const&) = delete;
    guarded_memory& operator=(guarded_memory const&) = delete;
    ~guarded_memory() {
        if (pages_) munmap(pages_, mapped_ + page);
    }
    void fresh(std::size_t bytes) {
        std::size_t const wanted = (bytes + page - 1) / page * page;
        if (wanted > mapped_ || !pages_) {
            if (pages_) munmap(pages_, mapped_ + page);
            pages_ = static_cast<char*>(
                mmap(nullptr, wanted + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
            mapped_ = wanted;
            mprotect(pages_ + mapped_, page, PROT_NONE);
        }
        std::memset(pages_, poison, mapped_);
    }
    char* end() const { return pages_ + mapped_; }

private:
    static constexpr std::size_t page = 4096;
    char* pages_ = nullptr;
    std::size_t mapped_ = 0;
};

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
    // ThreadSanitizer's tags of collectives: two in turn, since the next collective may begin before all threads have
    // left the last.
    unsigned barriers = 0, collectives = 0;
    unsigned tags_of_lanes;  // a bit a lane
    char warp_tags[2];
};

// A block that has started and not ended.
struct resident {
    uint3 index;
    std::vector<fiber> threads = std::vector<fiber>(most_threads);
    unsigned count = 0;
    std::vector<unsigned> order;
    std::size_t next = 0;      // place in `order` of the first thread that has not started
    std::vector<char> shared;  // while another block has its turn
    guarded_memory dynamic_shared;
    char block_tags[2];
};

struct scheduler {
    runtime shared{};
    std::vector<std::unique_ptr<resident>> residents;
    resident* at = nullptr;
    std::vector<void*> free_stacks;
    fiber* running = nullptr;
    ucontext_t home;
    void* home_sanitizer = nullptr;
    launch const* work = nullptr;
    char start_tag, end_tag;
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
        resident& b = *s.at;
        if (under_tsan || b.next >= b.order.size()) break;
        // The next thread takes over the stack.
        fiber& follower = b.threads[b.order[b.next++]];
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
    fiber& f = *s.running;
    char& tag = s.at->block_tags[f.barriers++ & 1];
    publish(tag);
    f.predicate = predicate;
    f.where = where;
    f.state = waits_for::block;
    go_home();
    receive(tag);
    return f.total;
}

unsigned number_of(fiber const& f) { return static_cast<unsigned>(&f - the().at->threads.data()); }

[[gnu::no_sanitize_thread]] std::uint64_t warp_collective(warp_op op, unsigned mask, std::uint64_t value,
                                                          unsigned source) {
    scheduler& s = the();
    fiber& f = *s.running;
    publish(f.warp_tags[f.collectives & 1]);
    f.op = op, f.mask = mask, f.value = value, f.source = source;
    f.state = waits_for::warp;
    go_home();
    fiber* const warp = &f - number_of(f) % 32;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1) receive(warp[lane].warp_tags[f.tags_of_lanes >> lane & 1]);
    return f.result;
}

// ---- the scheduler's side of a collective
struct warp_view {
    resident& b;
    unsigned first, end;
    bool exists(unsigned lane) const { return first + lane < end; }
    fiber& operator[](unsigned lane) const { return b.threads[first + lane]; }
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
    unsigned tags = 0;
    each_lane(mask, [&](unsigned lane) { tags |= (w[lane].collectives++ & 1) << lane; });
    each_lane(mask, [&](unsigned lane) { votes |= (w[lane].value & 1) << lane; });
    each_lane(mask, [&](unsigned lane) {
        fiber& f = w[lane];
        if (f.op == warp_op::shuffle && !(mask >> (f.source & 31) & 1))
            throw error("shuffle: the source lane is not in the mask");
        f.tags_of_lanes = tags;
        f.result = f.op == warp_op::shuffle ? w[f.source & 31].value : votes;
    });
    each_lane(mask, [&](unsigned lane) { w[lane].state = waits_for::nothing; });
}

bool release_some_warp(resident& b) {
    for (unsigned i = 0; i < b.count; ++i) {
        fiber const& f = b.threads[i];
        if (f.state != waits_for::warp) continue;
        if (!(f.mask >> (i & 31) & 1)) throw error("warp collective: the calling lane is not in its own mask");
        warp_view const w{b, i / 32 * 32, std::min(b.count, i / 32 * 32 + 32)};
        unsigned const mask = f.mask;
        if (!complete(w, f)) continue;
        release(w, mask);
        return true;
    }
    return false;
}

unsigned count_state(resident const& b, waits_for state) {
    return static_cast<unsigned>(std::count_if(b.threads.begin(), b.threads.begin() + b.count,
                                               [&](fiber const& f) { return f.state == state; }));
}

void release_block(resident& b) {
    int total = 0;
    for (unsigned i = 0; i < b.count; ++i) {
        if (b.threads[i].where != b.threads[0].where)
            throw error("barrier divergence: threads wait at different __syncthreads");
        total += b.threads[i].predicate;
    }
    for (unsigned i = 0; i < b.count; ++i) {
        b.threads[i].total = total;
        b.threads[i].state = waits_for::nothing;
    }
}

// All threads wait or have ended; false if all have ended.
bool release_waiting(resident& b) {
    unsigned const ended = count_state(b, waits_for::never), at_barrier = count_state(b, waits_for::block);
    if (ended == b.count) return false;
    if (at_barrier && at_barrier + ended == b.count) {
        if (ended)
            throw error("barrier divergence: " + std::to_string(ended) +
                        " threads ended while others wait at __syncthreads");
        release_block(b);
        return true;
    }
    if (!release_some_warp(b))
        throw error("deadlock: threads wait at a barrier or a warp collective that others never reach");
    return true;
}

// $BASCULE_EMULATION_ORDER: the turns of a block's threads, and of blocks.
class turns {
public:
    turns() {
        char const* name = std::getenv("BASCULE_EMULATION_ORDER");
        reversed_ = name && !std::strcmp(name, "reverse");
        forward_ = !name || !std::strcmp(name, "forward");
        if (!forward_ && !reversed_) generator_.seed(static_cast<unsigned>(std::atoi(name)));
    }
    std::vector<unsigned> of(std::size_t count) {
        std::vector<unsigned> order(count);
        std::iota(order.begin(), order.end(), 0u);
        if (reversed_) std::reverse(order.begin(), order.end());
        else if (!forward_) std::shuffle(order.begin(), order.end(), generator_);
        return order;
    }
    // How many blocks take turns. Under ThreadSanitizer one: their shared memory has one address.
    std::size_t residents() const { return forward_ || under_tsan ? 1 : 3; }

private:
    bool forward_, reversed_;
    std::mt19937 generator_;
};

void reset_threads(scheduler& s, resident& b, dim3 size) {
    for (unsigned i = 0; i < most_threads; ++i) {
        fiber& f = b.threads[i];
        if (f.sanitizer) end_sanitizer_fiber(f.sanitizer);
        if (f.stack) s.free_stacks.push_back(f.stack);
        f.sanitizer = f.stack = nullptr;
        f.state = waits_for::start;
        f.barriers = f.collectives = 0;
        f.index = {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
    }
}

void begin(scheduler& s, resident& b, unsigned block, turns& order) {
    dim3 const size = s.shared.block_size, grid = s.shared.grid_size;
    b.index = {block % grid.x, block / grid.x % grid.y, block / (grid.x * grid.y)};
    b.count = size.x * size.y * size.z;
    reset_threads(s, b, size);
    b.order = order.of(b.count);
    b.next = 0;
    b.shared.assign(s.work->shared_bytes, static_cast<char>(poison));
    b.dynamic_shared.fresh(s.work->dynamic_shared_bytes);
    publish(s.start_tag);
}

// Lets every thread that can go on run once; false if the block has ended.
bool take_turn(scheduler& s, resident& b) {
    launch const& work = *s.work;
    std::size_t const dynamic = (work.dynamic_shared_bytes + 15) / 16 * 16;
    s.at = &b;
    s.shared.block = b.index;
    s.shared.dynamic_shared = b.dynamic_shared.end() - dynamic;
    if (work.shared_bytes) std::memcpy(work.shared, b.shared.data(), work.shared_bytes);
    for (std::size_t k = 0; k < b.order.size(); ++k) {
        fiber& f = b.threads[b.order[k]];
        if (f.state == waits_for::start) b.next = k + 1;
        if (f.state == waits_for::start || f.state == waits_for::nothing) resume(f);
    }
    bool const goes_on = release_waiting(b);
    if (work.shared_bytes) std::memcpy(b.shared.data(), work.shared, work.shared_bytes);
    return goes_on;
}

void run_blocks(scheduler& s) {
    turns order;
    dim3 const grid = s.shared.grid_size;
    std::vector<unsigned> const blocks = order.of(std::size_t{grid.x} * grid.y * grid.z);
    std::size_t next = 0, running = std::min(order.residents(), blocks.size());
    while (s.residents.size() < running) s.residents.push_back(std::make_unique<resident>());
    for (std::size_t k = 0; k < running; ++k) begin(s, *s.residents[k], blocks[next++], order);
    while (running > 0)
        for (std::size_t k = 0; k < running;) {
            resident& b = *s.residents[k];
            if (take_turn(s, b)) {
                ++k;
                continue;
            }
            receive(s.end_tag);  // the next block has the same shared memory
            if (next < blocks.size()) begin(s, b, blocks[next++], order);
            else std::swap(s.residents[k], s.residents[--running]);
        }
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
        run_blocks(s);
    }
}

}  // namespace bascule::emulation

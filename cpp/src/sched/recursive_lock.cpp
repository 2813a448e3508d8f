#include "bascule/sched/recursive_lock.hpp"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace bascule::sched {
namespace {

bool membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }

// Only asked for: to register takes milliseconds in a process that has threads, as one with NumPy's OpenBLAS has.
bool is_supported() noexcept {
    long const commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
}

// The first thread that has to wait registers the process, and perhaps that of a forked child again.
bool make_all_threads_pass_a_barrier() noexcept {
    return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
           (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}

}  // namespace

bool const barriers_on_demand = is_supported();

void recursive_lock::wait_for_it() noexcept {
    waiters_.fetch_add(1, std::memory_order_seq_cst);
    bool const will_be_seen = !barriers_on_demand || make_all_threads_pass_a_barrier();
    while (!try_to_take()) {
        if (will_be_seen) state_.wait(taken, std::memory_order_seq_cst);
        else sched_yield();
    }
    waiters_.fetch_sub(1, std::memory_order_relaxed);
}

void recursive_lock::wake_one() noexcept {
    std::atomic_thread_fence(
        std::memory_order_seq_cst);  // either this sees the waiter that wait() counted, or wait() sees the lock free
    state_.notify_one();
}

}  // namespace bascule::sched

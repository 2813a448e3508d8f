#include "bascule/sched/recursive_lock.hpp"

#include <sched.h>

#include "bascule/core/system.hpp"

namespace bascule::sched {

bool const barriers_on_demand = system::has_barriers_for_all();

void recursive_lock::wait_for_it() noexcept {
    waiters_.fetch_add(1, std::memory_order_seq_cst);
    bool const will_be_seen = !barriers_on_demand || system::barrier_for_all();
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

// A mutex that its thread may take again, for short work that is rarely contended: one exchange, no call.
#pragma once
#include <atomic>

namespace bascule::sched {

// The address of this variable identifies the thread.
inline thread_local constinit char this_thread_here = 0;

// Whether the kernel can make all threads of the process pass a memory barrier on request of one of them. Then a thread
// that releases a lock needs none of its own, which would wait for all of its earlier writes.
extern bool const barriers_on_demand;

class recursive_lock {
public:
    void lock() noexcept {
        void const* const me = &this_thread_here;
        if (owner_.load(std::memory_order_relaxed) != me) {
            if (!try_to_take()) wait_for_it();
            owner_.store(me, std::memory_order_relaxed);
        }
        ++depth_;
    }
    [[nodiscard]] bool try_lock() noexcept {
        void const* const me = &this_thread_here;
        if (owner_.load(std::memory_order_relaxed) != me) {
            if (!try_to_take()) return false;
            owner_.store(me, std::memory_order_relaxed);
        }
        ++depth_;
        return true;
    }
    void unlock() noexcept {
        if (--depth_ > 0) return;
        owner_.store(nullptr, std::memory_order_relaxed);
        if (barriers_on_demand) {
            state_.store(free, std::memory_order_release);
            std::atomic_signal_fence(std::memory_order_seq_cst);
        } else {
            state_.exchange(free, std::memory_order_seq_cst);
        }
        // Either this sees the waiting thread, or that thread has seen the lock free.
        if (waiters_.load(std::memory_order_seq_cst) > 0) wake_one();
    }
    [[nodiscard]] bool held_by_this_thread() const noexcept {
        return owner_.load(std::memory_order_relaxed) == &this_thread_here;
    }

private:
    static constexpr int free = 0, taken = 1;

    bool try_to_take() noexcept {
        int none = free;
        return state_.compare_exchange_strong(none, taken, std::memory_order_seq_cst, std::memory_order_relaxed);
    }
    void wait_for_it() noexcept;
    void wake_one() noexcept;

    std::atomic<int> state_{free}, waiters_{0};
    int depth_ = 0;  // the owner's
    std::atomic<void const*> owner_{nullptr};
};

}  // namespace bascule::sched

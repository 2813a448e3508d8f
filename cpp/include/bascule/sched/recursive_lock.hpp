// A mutex that its thread may take again, for short work that seldom meets another thread: two exchanges, no call.
#pragma once
#include <atomic>

namespace bascule::sched {

// Where this thread keeps it tells one thread from another.
inline thread_local constinit char this_thread_here = 0;

class recursive_lock {
public:
    void lock() noexcept {
        void const* const me = &this_thread_here;
        if (owner_.load(std::memory_order_relaxed) != me) {
            int none = free;
            if (!state_.compare_exchange_strong(none, taken, std::memory_order_acquire, std::memory_order_relaxed))
                wait_for_it();
            owner_.store(me, std::memory_order_relaxed);
        }
        ++depth_;
    }
    void unlock() noexcept {
        if (--depth_ > 0) return;
        owner_.store(nullptr, std::memory_order_relaxed);
        if (state_.exchange(free, std::memory_order_release) == awaited) state_.notify_one();
    }
    [[nodiscard]] bool held_by_this_thread() const noexcept {
        return owner_.load(std::memory_order_relaxed) == &this_thread_here;
    }

private:
    static constexpr int free = 0, taken = 1, awaited = 2;

    // Whoever comes out of a wait cannot know whether more wait, and wakes one when done.
    void wait_for_it() noexcept {
        while (state_.exchange(awaited, std::memory_order_acquire) != free)
            state_.wait(awaited, std::memory_order_relaxed);
    }

    std::atomic<int> state_{free};
    int depth_ = 0;  // the owner's
    std::atomic<void const*> owner_{nullptr};
};

}  // namespace bascule::sched

// Ctrl-C and its like. The embedding program supplies a check whether to stop; it is called between kernels and, where
// a kernel may be left unfinished, between its tasks.
#pragma once
#include <atomic>
#include <thread>

namespace bascule::sched {

// Asked by the thread that started the work, while it holds no lock of the library. Null: nothing interrupts.
void set_interrupt_check(bool (*check)() noexcept) noexcept;
bool interrupt_requested() noexcept;

// Kernels that this thread starts while it lives may end early with status::interrupted.
class interruptible {
public:
    explicit interruptible(bool yes) noexcept;
    ~interruptible();
    interruptible(interruptible const&) = delete;
    interruptible& operator=(interruptible const&) = delete;
    static bool here() noexcept;

private:
    bool earlier_;
};

// Made where a kernel starts; its tasks check it on the threads they run on.
class early_end {
public:
    bool wanted() noexcept {
        if (!possible_) return false;
        if (!wanted_.load(std::memory_order_relaxed) && std::this_thread::get_id() == owner_ && interrupt_requested())
            wanted_.store(true, std::memory_order_relaxed);
        return was_wanted();
    }
    bool was_wanted() const noexcept { return wanted_.load(std::memory_order_relaxed); }

private:
    bool const possible_ = interruptible::here();
    std::thread::id const owner_ = std::this_thread::get_id();
    std::atomic<bool> wanted_{false};
};

}  // namespace bascule::sched

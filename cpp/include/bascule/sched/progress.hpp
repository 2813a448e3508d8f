// The progress of a long operation, for a display in another thread.
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

namespace bascule::sched {

struct progress {
    // In units of the operation's own (bytes of a file), or, where it `counts_tasks`, tasks of the kernel that runs: an
    // operation is several kernels then, one step each.
    std::atomic<std::int64_t> done{0}, total{0}, steps{0};
    bool counts_tasks = false;

    // Where this thread's operation reports its progress; null where no progress is displayed.
    static progress*& here() noexcept {
        static thread_local progress* of_this_thread = nullptr;
        return of_this_thread;
    }
    // A part begins; an operation that has more parts than were foreseen grows.
    void begin(std::int64_t amount) noexcept {
        if (done + amount > total) total = done + amount;
    }
    void begin_step(std::int64_t tasks) noexcept {
        total = 0, done = 0;
        total = tasks, ++steps;
    }
};

// While it lives, this thread's operations report their progress.
class progress_reported {
public:
    explicit progress_reported(progress* to) noexcept : earlier_(std::exchange(progress::here(), to)) {}
    ~progress_reported() { progress::here() = earlier_; }
    progress_reported(progress_reported const&) = delete;
    progress_reported& operator=(progress_reported const&) = delete;

private:
    progress* earlier_;
};

}  // namespace bascule::sched

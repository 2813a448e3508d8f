// The process-wide pool. A thread that waits inside a kernel runs only pieces of kernels; no pool thread takes the GIL.
#pragma once
#include <cstdint>

namespace bascule::sched {

// Number of threads kernels use: BASCULE_NUM_THREADS, else OMP_NUM_THREADS, else affinity and cgroup quota.
int thread_count() noexcept;
void set_thread_count(int n);

// The order in which tasks start. `any`: where it does not matter, half of the threads work from each end towards the
// middle, the next time from the middle outwards, so that each begins with the data it touched last, which is still in
// its caches.
enum class task_order : std::uint8_t { ascending, any };

// Calls body(context, task) for every task in [0, tasks), on the calling thread and the pool; returns when all have
// run. `parallel` false, one thread, or one task: runs on the caller alone. Bodies must not throw. May be nested.
void parallel_for(std::int64_t tasks, void (*body)(void* context, std::int64_t task), void* context,
                  bool parallel = true, task_order = task_order::ascending) noexcept;

template <class F>
void parallel_for(std::int64_t tasks, bool parallel, F const& f, task_order order = task_order::ascending) noexcept {
    parallel_for(
        tasks, [](void* c, std::int64_t t) { (*static_cast<F const*>(c))(t); }, const_cast<F*>(&f), parallel, order);
}

// Passes a task to the first thread of the pool that finds no kernel to help with, and returns. It may run late or, in
// a pool that never again has a thread to spare, not at all: the caller must be able to do without it. False: there is
// no such thread, and the task was not taken.
bool submit(void (*body)(void* context) noexcept, void* context) noexcept;

}  // namespace bascule::sched

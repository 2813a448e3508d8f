// A graph of tasks and its execution on several threads: counted dependencies, priorities, bounded memory.
#pragma once
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace bascule::sched {

using task_id = std::int32_t;

// Dependencies between tasks. A task depends only on tasks that were added before it, so there are no cycles.
class task_graph {
public:
    static constexpr std::int64_t unknown_size = -1;

    // `priority`: lower ones start first. Equal ones start depth first, as the wanted tasks need them, so that the
    // inputs of a reduction are released before more are made. `size`: bytes of the output, as far as is known
    // beforehand. Throws std::out_of_range where a dependency does not exist yet.
    task_id add(std::span<task_id const> dependencies, std::int64_t priority = 0, std::int64_t size = unknown_size);

    [[nodiscard]] task_id count() const noexcept { return static_cast<task_id>(priority_.size()); }
    [[nodiscard]] std::span<task_id const> dependencies(task_id t) const noexcept {
        auto const i = static_cast<std::size_t>(t);
        return std::span(edges_).subspan(first_edge_[i], first_edge_[i + 1] - first_edge_[i]);
    }
    [[nodiscard]] std::int64_t priority(task_id t) const noexcept { return priority_[static_cast<std::size_t>(t)]; }
    [[nodiscard]] std::int64_t size(task_id t) const noexcept { return size_[static_cast<std::size_t>(t)]; }

    // The tasks that the wanted ones need, these included, in the order in which one thread would run them.
    [[nodiscard]] std::vector<task_id> order(std::span<task_id const> wanted) const;

private:
    std::vector<std::size_t> first_edge_{0};
    std::vector<task_id> edges_;
    std::vector<std::int64_t> priority_, size_;
};

// The work of the tasks of a graph. The executor itself knows only their numbers, counts and sizes.
// No function here is called with a lock of the executor held, so each may run graphs of its own.
class task_program {
public:
    virtual ~task_program() = default;

    // Called on any thread; an exception ends the run. Returns the bytes of the output, or unknown_size: as given to
    // add().
    virtual std::int64_t run(task_id t) = 0;
    // Outputs that no task needs any more; called before the thread that released the last reader starts another task.
    virtual void release(std::span<task_id const> outputs) noexcept = 0;
    // Takes an output out of memory; a task that reads it, and the caller in the end, fetch it themselves. False: it
    // has to stay where it is. An exception ends the run, and the output is still there. A task may begin to read the
    // output at the same time.
    virtual bool spill(task_id /*output*/) { return false; }
    // Called after each task, by the thread that ran it; an exception ends the run.
    virtual void finished(task_id /*t*/, std::int64_t /*done*/, std::int64_t /*all*/) {}

    // Around the time in which a thread that works on the graph only waits: Python's lock is released here.
    virtual void wait_begins() noexcept {}
    virtual void wait_ends() noexcept {}
    // Called by the calling thread from time to time while it waits and after tasks of its own; true, or an exception,
    // ends the run.
    virtual bool interrupted();

    // Threads of its own: n of them have to call `help`, which returns when the run has ended and may be called at any
    // time, even later. Without them (false) the shared pool helps.
    virtual bool has_threads() const noexcept { return false; }
    virtual void call_threads(int /*n*/, std::function<void()> const& /*help*/) {}
};

struct run_options {
    int threads = 0;                // that run tasks at a time, the caller among them; 0: as many as kernels use
    std::int64_t memory_limit = 0;  // bytes of outputs beyond which tasks that would add to them have to wait; 0: none
    bool spills = false;            // where waiting does not help, outputs that are read last leave the memory
};

// A task has thrown `cause`.
class task_error : public std::runtime_error {
public:
    task_error(task_id t, std::exception_ptr why)
        : std::runtime_error("[sched] task " + std::to_string(t) + " failed"), task(t), cause(std::move(why)) {}
    task_id const task;
    std::exception_ptr const cause;
};

class run_interrupted : public std::runtime_error {
public:
    run_interrupted() : std::runtime_error("[sched] interrupted") {}
};

// One execution. The calling thread runs tasks itself and waits only while another one runs a task, so a task may
// execute a graph of its own without a free thread. After an error it does not wait for the tasks that other threads
// are running: they own the data they need.
class task_run {
public:
    // Outputs of `wanted` are not released.
    task_run(task_graph graph, std::shared_ptr<task_program> program, std::span<task_id const> wanted,
             run_options options = {});
    ~task_run();
    task_run(task_run const&) = delete;
    task_run& operator=(task_run const&) = delete;

    // Throws task_error, run_interrupted, or exceptions of `interrupted` and `finished`.
    void run();
    // Nothing more is started; run() throws run_interrupted.
    void cancel() noexcept;
    // The most bytes of outputs that were there at a time, by the sizes that were reported.
    [[nodiscard]] std::int64_t peak_bytes() const noexcept;

    struct state;

private:
    std::shared_ptr<state> state_;
};

}  // namespace bascule::sched

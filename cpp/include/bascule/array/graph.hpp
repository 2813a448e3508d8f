// The graph of pending operations: its one mutex, its contents, and when it runs.
#pragma once
#include <atomic>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "bascule/array/array.hpp"

namespace bascule {

// Held by every public function that reads or changes pending operations. A flush releases it while kernels run.
class graph_lock {
public:
    graph_lock();
    ~graph_lock();
    graph_lock(graph_lock const&) = delete;
    graph_lock& operator=(graph_lock const&) = delete;

    void unlock();  // around kernels
    void lock();
    void wait();  // until some flush ends; the caller looks again at all it knew
    [[nodiscard]] static bool held_by_this_thread() noexcept;
};

// A thread that waits for another's kernels must not hold a lock that those may need to be interrupted: `begin`
// releases Python's lock, unless it is not held (null), and `end` takes it again, without holding the graph's mutex.
struct wait_hooks {
    void* (*begin)() noexcept = nullptr;
    void (*end)(void* given_up) noexcept = nullptr;
};
void set_wait_hooks(wait_hooks h);  // once, before anything runs

// Why something ran, for BASCULE_TRACE=flush and explain().
enum class flush_reason : std::uint8_t {
    read,
    write,
    barrier,
    limit,
    shared_memory,
    fusion_off,
    small,
    overlap,
    errors
};

struct graph_settings {
    std::atomic<bool> fusion = true;
    std::atomic<bool> fastmath = false;
    std::atomic<bool> late_index_errors = true;    // on devices with memory of their own
    std::atomic<bool> writes_in_place = false;     // at once, to the memory that is there: addresses stay the same
    std::atomic<std::int64_t> eager_below = 8192;  // elements: at once through a pre-compiled loop (rule 3)
};
graph_settings& settings();  // of the process; fastmath and fusion are read when a node is made

struct graph_statistics {
    std::int64_t plans = 0, values = 0, stored_intermediates = 0, pending = 0;
    std::int64_t by_reason[9] = {};
};
graph_statistics statistics();

// Makes the storages ready. Transactional: on an exception everything that did not finish is still pending;
// `interrupted` is thrown between kernels, or out of one whose output is not visible yet (sched/interrupt.hpp).
void evaluate(storage* s, flush_reason why = flush_reason::read);
void evaluate(std::span<array const> arrays);
// The same, for callers that hold a lock others wait for: only if a single, short operation is left to do; false:
// nothing was done.
bool evaluate_little(storage* s);

// Everything that user code holds and that is pending on a device.
void evaluate_waiting(device where);

// To be called before the address of a's memory leaves the library: it is made ready, pending readers are run, and
// operations on it run at the call until the export count, raised here, falls (rule 15).
void begin_export(array const& a);

// A description of the work evaluate would do, for users.
std::string explain(array const& a);

// ---- for the rooms that make nodes; the lock is held
namespace graph {

// Of one graph, beyond which its largest part runs: values of its plan (operations, casts, constants, reads), and
// different reads of memory. Results that share many operands may join it, up to the capacity of a plan.
inline constexpr int max_values = 88, max_loads = 24;

// Takes over `op`, whose result is laid out by shape and strides, and returns the pending array; runs at once when the
// rules say so (small, fusion off, shared memory) and flushes pending work that exceeds the limits.
// `at_once`: errstate::mark requires it to run at once.
array add(graph_lock& lock, device where, dtype t, dims shape, dims strides, std::unique_ptr<pending_operation> op,
          bool at_once = false);

void evaluate(graph_lock& lock, storage* s, flush_reason why);
void wait_until_free(graph_lock& lock, storage* s);  // no flush fills or reads it
// Rule 5: runs the pending readers of `s`, except the nodes listed.
void flush_readers(graph_lock& lock, storage* s, std::span<storage* const> but = {});
void measure(pending_operation& op);              // computes the cost of the graph below it
bool beyond_limits(pending_operation const& op);  // has to be cut into several plans; it has been measured
bool keeps_too_much(storage* s);                  // memory that nothing else needs (rule 7)
operand evaluated_copy(graph_lock& lock, operand const& from, dims const& shape);
bool depends_on(storage* s, storage* on);                                // through pending nodes
void run_store(graph_lock& lock, operand const& from, array const& to);  // to[...] = from, at once
void enqueue(storage* s);                                                // s->pending was set
void forget(storage* s) noexcept;
operand argument(array const& a, dims const& shape);
operand argument(plan_constant v, type_id t);

// For calls that pass bare addresses to a device; made without the lock. Makes all storages ready together, and until
// it is destroyed none of that memory is taken over, moved or freed; `written` is exclusive meanwhile.
class memory_in_use {
public:
    // Throws index_error if a storage that is read depends on a bad index, unless its checks are handed on to the
    // results.
    explicit memory_in_use(std::span<storage* const> read, storage* written = nullptr, bool hands_checks_on = false)
        : memory_in_use(read, std::span<storage* const>(&written, written ? 1 : 0), hands_checks_on) {}
    memory_in_use(std::span<storage* const> read, std::span<storage* const> written, bool hands_checks_on);
    ~memory_in_use();
    memory_in_use(memory_in_use const&) = delete;
    memory_in_use& operator=(memory_in_use const&) = delete;

    // In a forked child the other threads do not exist: memory they used is free.
    static void forget_other_threads() noexcept;
    // Whether this thread uses `s`, so that waiting for it here would never end.
    static bool by_this_thread(storage const* s) noexcept;

private:
    void release() noexcept;

    std::vector<storage_ref> read_;
    std::vector<storage_ref> written_;
    std::thread::id thread_ = std::this_thread::get_id();
    memory_in_use* older_ = nullptr;  // in use too, guarded by the graph's mutex
};

}  // namespace graph

}  // namespace bascule

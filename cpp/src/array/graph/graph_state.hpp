// The state of the graph of pending operations, for the files that run it. All of it is guarded by the graph's mutex.
#pragma once
#include <condition_variable>

#include "bascule/array/graph.hpp"
#include "bascule/sched/recursive_lock.hpp"
#include "graph_stats.hpp"

namespace bascule {

class flush;

struct graph_state {
    sched::recursive_lock mutex;
    std::condition_variable_any changed;
    int waiting = 0;               // threads, for a change
    storage* head = nullptr;       // pending storages, newest first
    graph::graph_stats pending;    // of all of them together, at most; of so many that they pass max_values not of all
    bool stats_known = true;       // else `pending` is out of date
    flush* first_flush = nullptr;  // at work now, newest first
    graph::memory_in_use* first_use = nullptr;
    graph_settings settings;
    graph_statistics counts;

    void notify_change() {
        if (waiting > 0) changed.notify_all();
    }
};
graph_state& state();

// Whether others have the memory's address.
inline bool is_exported(storage const* s) { return s && s->exports.load(std::memory_order_relaxed) > 0; }

namespace graph {
void unlink(storage* s);       // takes it out of the list of pending storages
void forget_other_threads();   // in the child of a fork: storages they were filling are pending, those they read are
                               // free
void forget_stats() noexcept;  // results have been stored: the statistics are computed again when needed
graph_stats const& pending_stats();

bool traces_plans();  // each is printed as it runs

// Walks come by every node once.
std::uint64_t next_walk() noexcept;
inline bool first_visit(storage const& s, std::uint64_t walk) noexcept {
    if (s.walk == walk) return false;
    s.walk = walk;
    return true;
}
}  // namespace graph

}  // namespace bascule

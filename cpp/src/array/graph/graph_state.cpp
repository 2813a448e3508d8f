#include "graph_state.hpp"

#include <pthread.h>

#include <cstdlib>
#include <cstring>

namespace bascule {
namespace {

// Apart from the state, which has to be made after the memory pools: handlers of a fork run in the order of their
// making, and the graph's gives memory back.
wait_hooks the_wait_hooks;

}  // namespace

// Never destroyed: arrays may outlive static destructors.
graph_state& state() {
    static graph_state* const s = [] {
        static auto* const made = new graph_state;
        // After a fork only the forking thread exists in the child: no thread holds the mutex there, storages that
        // others were filling are pending again, and those they read or wrote are free.
        pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); },
                       [] {
                           new (&made->mutex) sched::recursive_lock;
                           new (&made->changed) std::condition_variable_any;
                           made->waiting = 0;
                           graph::forget_other_threads();
                       });
        return made;
    }();
    return *s;
}

void graph::unlink(storage* s) {
    auto& g = state();
    if (!s->next && !s->previous && g.head != s) return;
    if (s->previous) s->previous->next = s->next;
    else g.head = s->next;
    if (s->next) s->next->previous = s->previous;
    s->next = s->previous = nullptr;
    --g.counts.pending;
}

graph_settings& settings() { return state().settings; }

graph_statistics statistics() {
    graph_lock lock;
    return state().counts;
}

graph_lock::graph_lock() { lock(); }
graph_lock::~graph_lock() { unlock(); }
void graph_lock::unlock() { state().mutex.unlock(); }
void graph_lock::lock() { state().mutex.lock(); }
void graph_lock::wait() {
    void* const given_up = the_wait_hooks.begin ? the_wait_hooks.begin() : nullptr;
    ++state().waiting;
    state().changed.wait(state().mutex);
    --state().waiting;
    if (!given_up) return;
    unlock();
    the_wait_hooks.end(given_up);
    lock();
}
void set_wait_hooks(wait_hooks h) { the_wait_hooks = h; }
bool graph_lock::held_by_this_thread() noexcept { return state().mutex.held_by_this_thread(); }

void graph::enqueue(storage* s) {
    auto& g = state();
    if (!g.head) g.pending.clear(), g.stats_known = true;
    if (g.stats_known && g.pending.values <= max_values) g.pending.add(*s->pending);
    s->next = g.head, s->previous = nullptr;
    if (g.head) g.head->previous = s;
    g.head = s;
    ++g.counts.pending;
}

void graph::forget(storage* s) noexcept {
    graph_lock lock;
    unlink(s);
}

bool graph::traces_plans() {
    static bool const on = [] {
        auto const* v = std::getenv("BASCULE_TRACE");
        return v && std::strstr(v, "flush");
    }();
    return on;
}

}  // namespace bascule

#include "bascule/array/graph.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bascule/sched/interrupt.hpp"
#include "fold_pass.hpp"

namespace bascule {
namespace {

class flush;

struct graph_state {
    std::recursive_mutex mutex;
    std::condition_variable_any changed;
    storage* head = nullptr;       // pending storages, newest first
    flush* first_flush = nullptr;  // at work now, newest first
    graph::memory_in_use* first_use = nullptr;
    graph_settings settings;
    graph_statistics counts;
};

void forget_other_threads();

// Apart from the state, which has to be made after the memory pools: handlers of a fork run in the order of their
// making, and the graph's gives memory back.
wait_hooks the_wait_hooks;

// Never destroyed: arrays may outlive static destructors.
graph_state& state() {
    static graph_state* const s = [] {
        static auto* const made = new graph_state;
        // A child has the forking thread alone: nobody holds the mutex there, what others were filling is pending
        // again, and what they read or wrote is free.
        pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); },
                       [] {
                           new (&made->mutex) std::recursive_mutex;
                           new (&made->changed) std::condition_variable_any;
                           forget_other_threads();
                       });
        return made;
    }();
    return *s;
}

void unlink(storage* s) {
    auto& g = state();
    if (!s->next && !s->previous && g.head != s) return;
    if (s->previous) s->previous->next = s->next;
    else g.head = s->next;
    if (s->next) s->next->previous = s->previous;
    s->next = s->previous = nullptr;
    --g.counts.pending;
}

bool tracing() {
    static bool const on = [] {
        auto const* v = std::getenv("BASCULE_TRACE");
        return v && std::strstr(v, "flush");
    }();
    return on;
}

char const* name_of(flush_reason r) {
    static constexpr char const* names[] = {"a value is read", "a write",       "a barrier",
                                            "a limit",         "shared memory", "fusion is off",
                                            "small",           "overlap",       "errors are told at once"};
    return names[static_cast<int>(r)];
}

// What one flush works on. Taking it marks the storages; giving it back, whatever happened, frees them.
class flush {
public:
    flush(graph_lock& lock, plan_builder& builder) : lock_(lock), builder_(builder), older_(state().first_flush) {
        state().first_flush = this;
        for (auto const& r : builder.read()) ++r->running_readers;
    }
    flush(flush const&) = delete;
    flush& operator=(flush const&) = delete;
    ~flush() {
        flush** at = &state().first_flush;
        while (*at != this) at = &(*at)->older_;
        *at = older_;
        release();
        state().changed.notify_all();
    }

    // In a forked child the threads that worked on these flushes do not exist: what they filled is pending again.
    static void forget_other_threads() {
        for (flush** at = &state().first_flush; *at;) {
            flush* const f = *at;
            if (f->thread_ == std::this_thread::get_id()) {
                at = &f->older_;
                continue;
            }
            f->release();
            *at = f->older_;
        }
    }

    // Whether a flush that this thread is in fills or reads `s`: so in the handler of a signal, called between kernels.
    static bool by_this_thread(storage const* s) {
        for (flush* f = state().first_flush; f; f = f->older_)
            if (f->thread_ == std::this_thread::get_id() && f->works_on(s)) return true;
        return false;
    }

    struct target {
        storage_ref to;
        std::byte* memory;
        storage_ref taken_from;
    };

    // Output memory of a storage, from the pool or taken over from a dead input.
    std::byte* claim(storage* s, storage* from = nullptr) {
        target t{storage_ref(s), nullptr, storage_ref(from)};
        t.memory = from ? from->take_memory() : s->allocate();
        s->running = true;
        targets_.push_back(t);
        return t.memory;
    }

    // Memory that is written in place: nobody reads it from here on.
    void writes(storage* s) {
        s->running = true;
        targets_.push_back({storage_ref(s), nullptr, {}});
    }

    void run(plan const& p, device where) {
        auto& counts = state().counts;
        for (auto* s : builder_.inlined()) passed_.emplace_back(s);
        ++counts.plans, counts.values += p.nvalues, counts.stored_intermediates += std::max(0, p.nstores - 1);
        lock_.unlock();
        status s = status::interrupted;
        if (graph_lock::held_by_this_thread() || !sched::interrupt_requested()) {
            sched::interruptible const early(!overwrites());
            s = where.api->run(where.index, &p, nullptr);
        }
        lock_.lock();
        throw_if(s, where);
        builder_.tell_conditions();
    }

    void commit() {
        hand_checks_on();
        for (auto& t : targets_) {
            t.to->set_ready(std::exchange(t.memory, nullptr));
            unlink(t.to.get());
            done_.push_back(std::move(t.to->pending));
            t.to->running = false;
        }
        targets_.clear();
        for (auto const& s : passed_)
            if (s->pending) ++s->pending->flushes;
    }

    // What is computed from what may be wrong may be wrong. While all is still pending: it is seen what depends on
    // what.
    void hand_checks_on() {
        for (auto const& r : builder_.read()) {
            if (r->unsettled.empty()) continue;
            for (auto& t : targets_)
                if (t.to != r && graph::depends_on(t.to.get(), r.get()))
                    index_errors::add(t.to->unsettled, r->unsettled);
        }
    }
    // The same for memory that is written in place.
    void hand_checks_to(storage* to) {
        for (auto const& r : builder_.read())
            if (r.get() != to) index_errors::add(to->unsettled, r->unsettled);
    }

private:
    void release() {
        for (auto const& r : builder_.read()) --r->running_readers;
        for (auto& t : targets_) {
            t.to->running = false;
            if (t.memory) give_back(t);
        }
    }
    // Some output is memory that others see, or held an input's elements.
    bool overwrites() const {
        return std::any_of(targets_.begin(), targets_.end(), [](target const& t) { return !t.memory || t.taken_from; });
    }
    bool works_on(storage const* s) const {
        auto const& read = builder_.read();
        return std::any_of(targets_.begin(), targets_.end(), [s](target const& t) { return t.to.get() == s; }) ||
               std::any_of(read.begin(), read.end(), [s](storage_ref const& r) { return r.get() == s; });
    }
    void give_back(target& t) {
        if (t.taken_from) t.taken_from->set_ready(t.memory);
        else t.to->discard(t.memory);
    }
    graph_lock& lock_;
    plan_builder& builder_;
    flush* older_;
    std::thread::id thread_ = std::this_thread::get_id();
    std::vector<target> targets_;
    std::vector<std::unique_ptr<pending_operation>> done_;
    std::vector<storage_ref> passed_;  // others may drop what was inlined while the kernel runs
};

void forget_other_threads() {
    flush::forget_other_threads();
    graph::memory_in_use::forget_other_threads();
}

void trace(storage const* s, flush_reason why, plan const& p) {
    ++state().counts.by_reason[static_cast<int>(why)];
    if (!tracing()) return;
    std::fprintf(stderr, "bascule: flush (%s): %d values, %d loads, %d outputs, result %s\n", name_of(why), p.nvalues,
                 p.noperands, p.nstores + p.nreductions, to_string(s->shape).c_str());
}

void axes_of(dims const& strides, int* axes) {
    std::int64_t const* p = strides.data();
    memory_order(strides.size(), &p, 1, axes);
}

// Builds the plan for `s`; a storage that must be ready first comes back instead.
storage* run_elementwise(graph_lock& lock, storage* s, flush_reason why) {
    plan_builder b(s->shape);
    int const v = b.result_of(s);
    if (v < 0) return b.blocked();
    storage_ref const keep(s);
    flush f(lock, b);
    std::byte* const out = f.claim(s, b.reusable(s));
    b.store(v, s, out, s->pending->result, 0, s->strides);
    for (auto const& e : b.extras()) b.store(e.value, e.to, f.claim(e.to), e.to->pending->result, 0, e.strides);
    int axes[max_dims];
    axes_of(s->strides, axes);
    b.finish(axes, nullptr, 0);
    trace(s, why, b.get());
    f.run(b.get(), s->where());
    f.commit();
    return nullptr;
}

// Strides of a fold's result over the iteration space of its input: 0 along folded axes.
dims result_strides(storage const& s) {
    auto const& op = *s.pending;
    dims out(op.shape.size(), 0);
    bool const kept_dims = s.shape.size() == op.shape.size();
    for (int d = 0, k = 0; d < op.shape.size(); ++d) {
        if ((op.folded >> d) & 1) {
            k += kept_dims;
            continue;
        }
        out[d] = s.strides[k++];
    }
    return out;
}

storage* run_fold(graph_lock& lock, storage* s, flush_reason why) {
    auto const& op = *s->pending;
    plan_builder b(op.shape);
    int const v = b.value(op.args[0]);
    if (v < 0) return b.blocked();
    auto const folds = folds_of_pass(b, s, v);
    flush f(lock, b);
    for (auto const& o : folds)
        b.fold(o.value, o.to.get(), f.claim(o.to.get()), o.to->pending->result, result_strides(*o.to));
    for (auto const& e : b.extras()) b.store(e.value, e.to, f.claim(e.to), e.to->pending->result, 0, e.strides);
    int axes[max_dims];
    axes_of(op.input_strides, axes);
    b.finish(axes, &op.input_strides, op.folded);
    trace(s, why, b.get());
    f.run(b.get(), s->where());
    f.commit();
    return nullptr;
}

}  // namespace

graph_settings& settings() { return state().settings; }

graph_statistics statistics() {
    graph_lock lock;
    return state().counts;
}

namespace {
thread_local int locks_held = 0;
}
graph_lock::graph_lock() { lock(); }
graph_lock::~graph_lock() { unlock(); }
void graph_lock::unlock() {
    --locks_held;
    state().mutex.unlock();
}
void graph_lock::lock() {
    state().mutex.lock();
    ++locks_held;
}
void graph_lock::wait() {
    void* const given_up = the_wait_hooks.begin ? the_wait_hooks.begin() : nullptr;
    state().changed.wait(state().mutex);
    if (!given_up) return;
    unlock();
    the_wait_hooks.end(given_up);
    lock();
}
void set_wait_hooks(wait_hooks h) { the_wait_hooks = h; }
bool graph_lock::held_by_this_thread() noexcept { return locks_held > 0; }

void evaluate(storage* s, flush_reason why) {
    if (s->ready()) return;
    graph_lock lock;
    graph::evaluate(lock, s, why);
}

void evaluate(std::span<array const> arrays) {
    for (auto const& a : arrays) evaluate(a.memory());
}

void begin_export(array const& a) {
    graph_lock lock;
    storage* s = a.memory();
    do {  // another thread may write while the lock is given up
        graph::evaluate(lock, s, flush_reason::shared_memory);
        graph::flush_readers(lock, s);
        graph::wait_until_free(lock, s);
    } while (!s->ready() || index_errors::settle(lock, s));
    s->exports.fetch_add(1, std::memory_order_relaxed);
}

namespace graph {

void enqueue(storage* s) {
    auto& g = state();
    s->next = g.head, s->previous = nullptr;
    if (g.head) g.head->previous = s;
    g.head = s;
    ++g.counts.pending;
}

void forget(storage* s) noexcept {
    graph_lock lock;
    unlink(s);
}

static void wait_for_others(graph_lock& lock, storage* s) {
    if (flush::by_this_thread(s) || memory_in_use::by_this_thread(s))
        throw error("[evaluate] the handler of a signal asks for an array that is being computed or written");
    lock.wait();
}

void evaluate(graph_lock& lock, storage* s, flush_reason why) {
    while (!s->ready() || s->running) {
        if (s->running) {
            wait_for_others(lock, s);
        } else if (!s->pending) {
            s->set_ready(s->allocate());
        } else if (storage* first = s->pending->folds ? run_fold(lock, s, why) : run_elementwise(lock, s, why)) {
            storage_ref const keep(first);
            evaluate(lock, first, why);
        }
    }
}

static bool is_free(storage const* s) { return s->ready() && !s->running && s->running_readers == 0; }

void wait_until_free(graph_lock& lock, storage* s) {
    while (s->running || s->running_readers > 0) wait_for_others(lock, s);
}

bool depends_on(storage* s, storage* on) {
    std::vector<storage*> reached{s};  // a node may be met on many paths: looked at once
    for (std::size_t i = 0; i < reached.size(); ++i) {
        if (reached[i] == on) return true;
        auto const* op = reached[i]->pending.get();
        for (int k = 0; op && k < op->nargs; ++k)
            if (auto* m = op->args[k].memory.get(); m && std::find(reached.begin(), reached.end(), m) == reached.end())
                reached.push_back(m);
    }
    return false;
}

void flush_readers(graph_lock& lock, storage* s, std::span<storage* const> but) {
    for (bool found = true; found;) {
        found = false;
        for (storage* p = state().head; p; p = p->next) {
            if (p == s || std::find(but.begin(), but.end(), p) != but.end() || !depends_on(p, s)) continue;
            auto const alive = storage_ref::if_alive(p);
            if (!alive) continue;  // nobody will ever read it
            evaluate(lock, p, flush_reason::write);
            found = true;  // the list may have changed while kernels ran
            break;
        }
    }
}

static bool covers_all(array const& to) {
    return to.offset == 0 && to.size() * to.itemsize() == to.memory()->bytes() &&
           to.strides == dense_strides_like(to.shape, to.strides, to.itemsize());
}

void run_store(graph_lock& lock, operand const& from, array const& to) {
    for (;;) {
        plan_builder b(to.shape);
        int const v = b.value(from);
        if (v < 0) {
            storage_ref const first(b.blocked());
            evaluate(lock, first.get(), flush_reason::write);
            continue;
        }
        auto checked = errstate::here(errstate::kind::cast, 0);
        checked.conditions = errstate::of_cast(from.type, from.as, errstate::current.check);
        b.check(v, checked);
        storage* const s = to.memory();
        if (!is_free(s)) {  // the lock was given up since the caller looked
            evaluate(lock, s, flush_reason::write);
            wait_until_free(lock, s);
            continue;
        }
        b.store(v, s, s->data(), to.type.id, to.offset, to.strides);
        int axes[max_dims];
        axes_of(to.strides, axes);
        flush f(lock, b);
        b.finish(axes, nullptr, 0);
        f.writes(s);
        f.run(b.get(), to.where());
        if (covers_all(to)) s->unsettled.clear();
        f.hand_checks_to(s);
        ++s->version;
        return;
    }
}

memory_in_use::memory_in_use(std::span<storage* const> read, storage* written, bool hands_checks_on)
    : written_(written) {
    graph_lock lock;
    for (auto* s : read) read_.emplace_back(s);
    for (bool changed = true, flushed = false; changed;) {
        changed = false;
        for (auto const& s : read_) {
            if (s->ready() && !s->running) continue;
            evaluate(lock, s.get(), flush_reason::barrier);
            changed = true;
        }
        for (auto const& s : read_) changed |= !hands_checks_on && index_errors::settle(lock, s.get());
        if (!written || (flushed && is_free(written))) continue;
        evaluate(lock, written, flush_reason::write);
        flush_readers(lock, written);
        wait_until_free(lock, written);
        flushed = changed = true;
    }
    for (auto const& s : read_) ++s->running_readers;
    if (written) written->running = true;
    older_ = std::exchange(state().first_use, this);
}

memory_in_use::~memory_in_use() {
    graph_lock lock;
    memory_in_use** at = &state().first_use;
    while (*at != this) at = &(*at)->older_;
    *at = older_;
    release();
    state().changed.notify_all();
}

void memory_in_use::release() noexcept {
    for (auto const& s : read_) --s->running_readers;
    if (written_) written_->running = false, ++written_->version;
}

bool memory_in_use::by_this_thread(storage const* s) noexcept {
    for (memory_in_use* u = state().first_use; u; u = u->older_) {
        bool const here = u->written_.get() == s ||
                          std::any_of(u->read_.begin(), u->read_.end(), [s](auto const& r) { return r.get() == s; });
        if (here && u->thread_ == std::this_thread::get_id()) return true;
    }
    return false;
}

void memory_in_use::forget_other_threads() noexcept {
    for (memory_in_use** at = &state().first_use; *at;) {
        memory_in_use* const u = *at;
        if (u->thread_ == std::this_thread::get_id()) {
            at = &u->older_;
            continue;
        }
        u->release();
        *at = u->older_;
    }
}

operand argument(array const& a, dims const& shape) {
    operand o;
    o.type = o.as = a.type.id;
    o.memory = a.memory_ref();
    o.offset = a.offset;
    o.strides = broadcast_strides(a.shape, a.strides, shape);
    return o;
}

operand argument(plan_constant v, type_id t) {
    operand o;
    o.from = operand::source::constant;
    o.type = o.as = t;
    o.value = v;
    return o;
}

}  // namespace graph
}  // namespace bascule

#include "bascule/array/graph.hpp"

#include <algorithm>
#include <vector>

#include "../eager/immediate.hpp"
#include "../graph/late_fp_flags.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/array/spill.hpp"
#include "chain.hpp"

namespace bascule {

void evaluate(storage* s, flush_reason why) {
    if (s->ready()) return;
    graph_lock lock;
    graph::evaluate(lock, s, why);
}

bool evaluate_little(storage* s) {
    constexpr float most_work = 1 << 16;  // float64 additions: some microseconds
    graph_lock lock;
    if (!s->pending || s->running) return false;
    if (s->pending->cost * static_cast<float>(product(s->pending->shape)) > most_work) return false;
    return eager::run_pending(s, flush_reason::read);
}

void evaluate(std::span<array const> arrays) {
    for (auto const& a : arrays) evaluate(a.memory());
}

void evaluate_waiting(device where) {
    graph_lock lock;
    for (bool found = true; found;) {
        found = false;
        for (storage* p = state().head; p && !found; p = p->next) {
            if (!(p->where() == where) || p->handles() == 0 || p->running) continue;
            auto const alive = storage_ref::if_alive(p);
            if (!alive) continue;
            graph::evaluate(lock, p, flush_reason::barrier);
            found = true;  // the list may have changed while kernels ran
            break;
        }
    }
}

void begin_export(array const& a) {
    graph_lock lock;
    storage* s = a.memory();
    spill::kept_in_memory here;
    here.add(s);
    do {  // another thread may write while the lock is released
        graph::evaluate(lock, s, flush_reason::shared_memory);
        graph::flush_readers(lock, s);
        graph::wait_until_free(lock, s);
    } while (!s->ready() || index_errors::settle(lock, s));
    s->exports.fetch_add(1, std::memory_order_relaxed);
}

namespace graph {

void forget_other_threads() {
    flush::forget_other_threads();
    memory_in_use::forget_other_threads();
}

static void wait_for_others(graph_lock& lock, storage* s) {
    if (flush::by_this_thread(s) || memory_in_use::by_this_thread(s))
        throw error("[evaluate] the handler of a signal asks for an array that is being computed or written");
    lock.wait();
}

// Storages that it needs stay in memory until it is computed, from the time each is loaded: else they could evict one
// another forever.
void evaluate(graph_lock& lock, storage* s, flush_reason why) {
    spill::kept_in_memory asked_for;
    while (!s->ready() || s->running) {
        if (s->running) {
            wait_for_others(lock, s);
        } else if (s->moved) {
            spill::move_in(s);
        } else if (!s->pending) {
            s->set_ready(s->allocate());
        } else if (eager::run_pending(s, why)) {  // one operation that is soon over needs none of the rest
            return;
        } else if (storage* first = chain(lock, why).evaluate(s)) {
            storage_ref const keep(first);
            asked_for.add(first);
            evaluate(lock, first, why);
        }
    }
}

static bool is_free(storage const* s) { return s->ready() && !s->running && s->running_readers == 0; }

void wait_until_free(graph_lock& lock, storage* s) {
    while (s->running || s->running_readers > 0) wait_for_others(lock, s);
}

// Whether pending nodes lead from `s` to `on`, but for those that the walk has come by before. `left` is room to walk.
static bool leads_to(storage* s, storage const* on, std::uint64_t walk, std::vector<storage*>& left) {
    left.assign(1, s);
    while (!left.empty()) {
        storage const* const here = left.back();
        left.pop_back();
        if (here == on) return true;
        auto const* op = first_visit(*here, walk) ? here->pending.get() : nullptr;
        for (int k = 0; op && k < op->nargs; ++k)
            if (auto* m = op->args[k].memory.get()) left.push_back(m);
    }
    return false;
}

bool depends_on(storage* s, storage* on) {
    std::vector<storage*> left;
    return leads_to(s, on, next_walk(), left);
}

void flush_readers(graph_lock& lock, storage* s, std::span<storage* const> but) {
    std::vector<storage*> left;
    for (bool found = !s->has_handles_only(); found;) {  // operations refer to their operands
        found = false;
        auto walk = next_walk();
        for (storage* p = state().head; p; p = p->next) {
            if (p == s || std::find(but.begin(), but.end(), p) != but.end() || !leads_to(p, s, walk, left)) continue;
            walk = next_walk();  // others may lead there by the same way
            auto const alive = storage_ref::if_alive(p);
            if (!alive) continue;  // no operation will read it
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
    spill::kept_in_memory asked_for;
    asked_for.add(to.memory());
    auto const checked = late_fp_flags::as_reported(errstate::here(errstate::kind::cast, 0),
                                                    errstate::of_cast(from.type, from.as, errstate::current.check),
                                                    to.where());
    for (;;) {
        plan_builder b(to.shape);
        int const v = b.value(from);
        if (v < 0) {
            storage_ref const first(b.blocked());
            asked_for.add(first.get());
            evaluate(lock, first.get(), flush_reason::write);
            continue;
        }
        b.check(v, checked);
        storage* const s = to.memory();
        if (!is_free(s)) {  // the lock was released since the caller looked
            evaluate(lock, s, flush_reason::write);
            wait_until_free(lock, s);
            continue;
        }
        b.store(v, s, s->data(), to.type.id, to.offset, to.strides);
        flush f(b);
        b.finish(to.strides);
        f.writes(s);
        flush::run(lock, {&f}, 0, to.where());
        if (covers_all(to)) s->unsettled.clear();
        f.hand_checks_to(s);
        ++s->version;
        return;
    }
}

memory_in_use::memory_in_use(std::span<storage* const> read, std::span<storage* const> written, bool hands_checks_on) {
    graph_lock lock;
    spill::kept_in_memory asked_for;
    for (auto* s : read) asked_for.add(s), read_.emplace_back(s);
    for (auto* s : written) asked_for.add(s);
    std::vector<bool> flushed(written.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (auto const& s : read_) {
            if (s->ready() && !s->running) continue;
            evaluate(lock, s.get(), flush_reason::barrier);
            changed = true;
        }
        for (auto const& s : read_) changed |= !hands_checks_on && index_errors::settle(lock, s.get());
        for (std::size_t k = 0; k < written.size(); ++k) {
            if (flushed[k] && is_free(written[k])) continue;
            evaluate(lock, written[k], flush_reason::write);
            flush_readers(lock, written[k]);
            wait_until_free(lock, written[k]);
            flushed[k] = changed = true;
        }
    }
    for (auto const& s : read_) ++s->running_readers, spill::touch(s.get());
    for (auto* s : written) s->running = true, spill::touch(s);
    for (auto* s : written) written_.emplace_back(s);  // only now: until here only readers refer to them
    older_ = std::exchange(state().first_use, this);
}

memory_in_use::~memory_in_use() {
    graph_lock lock;
    memory_in_use** at = &state().first_use;
    while (*at != this) at = &(*at)->older_;
    *at = older_;
    release();
    state().notify_change();
}

void memory_in_use::release() noexcept {
    for (auto const& s : read_) --s->running_readers;
    for (auto const& s : written_) s->running = false, ++s->version;
}

bool memory_in_use::by_this_thread(storage const* s) noexcept {
    for (memory_in_use* u = state().first_use; u; u = u->older_) {
        auto const is = [s](auto const& r) { return r.get() == s; };
        bool const here = std::any_of(u->written_.begin(), u->written_.end(), is) ||
                          std::any_of(u->read_.begin(), u->read_.end(), is);
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
    if (is_boolean(a.type.id) && a.memory()->noncanonical_bools) return argument(plain_booleans(a), shape);
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

#include "flush.hpp"

#include <algorithm>

#include "bascule/array/device_calls.hpp"
#include "bascule/array/spill.hpp"
#include "bascule/sched/interrupt.hpp"

namespace bascule {

flush::flush(plan_builder& builder) : builder_(builder), older_(state().first_flush) {
    state().first_flush = this;
    for (auto const& r : builder.read()) {
        ++r->running_readers;
        spill::touch(r.get());
    }
}

flush::~flush() {
    flush** at = &state().first_flush;
    while (*at != this) at = &(*at)->older_;
    *at = older_;
    release();
    state().notify_change();
}

void flush::forget_other_threads() {
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

bool flush::by_this_thread(storage const* s) noexcept {
    for (flush* f = state().first_flush; f; f = f->older_)
        if (f->thread_ == std::this_thread::get_id() && f->works_on(s)) return true;
    return false;
}

std::byte* flush::claim(storage* s, storage* from) {
    target t{storage_ref(s), nullptr, storage_ref(from)};
    t.memory = from ? from->take_memory() : s->allocate();
    s->running = true;
    targets_.push_back(t);
    return t.memory;
}

std::byte* flush::claim(storage* s, flush& earlier, storage const* from) {
    auto const given = std::find_if(earlier.targets_.begin(), earlier.targets_.end(),
                                    [from](target const& t) { return t.to.get() == from; });
    if (given == earlier.targets_.end()) return nullptr;
    targets_.push_back({storage_ref(s), std::exchange(given->memory, nullptr), {}});
    s->running = true;
    return targets_.back().memory;
}

void flush::writes(storage* s) {
    s->running = true;
    targets_.push_back({storage_ref(s), nullptr, {}});
}

void flush::run(graph_lock& lock, std::vector<flush*> const& flushes, std::int64_t rows, device where) {
    auto& counts = state().counts;
    std::vector<plan const*> plans;
    plans.reserve(flushes.size());
    bool overwrites = false;
    for (auto* f : flushes) {
        plan const& p = f->builder_.get();
        auto const& inlined = f->builder_.inlined();
        f->passed_.reserve(inlined.size());
        for (auto* s : inlined) f->passed_.emplace_back(s);
        ++counts.plans, counts.values += p.nvalues, counts.stored_intermediates += std::max(0, p.nstores - 1);
        overwrites |= f->overwrites();
        plans.push_back(&p);
    }
    lock.unlock();
    status s = status::interrupted;
    if (graph_lock::held_by_this_thread() || !sched::interrupt_requested()) {
        sched::interruptible const early(!overwrites);
        auto const n = static_cast<std::int32_t>(plans.size());
        try {
            auto const flags = n == 1 ? flushes[0]->builder_.leave_fp_flags_on(where) : nullptr;
            s = device_calls::run_chain(where, plans.data(), n, rows);
        } catch (...) {
            lock.lock();
            throw;
        }
    }
    lock.lock();
    throw_if(s, where);
    for (auto* f : flushes) f->builder_.report_fp_errors();
}

void flush::commit() {
    hand_checks_on();
    for (auto& t : targets_) {
        t.to->set_ready(std::exchange(t.memory, nullptr));
        graph::unlink(t.to.get());
        done_.push_back(std::move(t.to->pending));
        t.to->running = false;
        spill::hand_out(t.to.get());
        spill::touch(t.to.get());
    }
    targets_.clear();
    done_.clear();
    // Drop the intermediates that no other operation reads, consumers before their operands: a dropped consumer may
    // hold the last reference to an operand.
    for (auto s = passed_.rbegin(); s != passed_.rend(); ++s)
        if ((*s)->references() == 1) *s = {};
    graph::forget_stats();
    for (auto const& s : passed_) {
        if (!s.get() || !s->pending) continue;
        ++s->pending->flushes;
        graph::measure(*s->pending);  // its cost is now that of reading the stored operands
    }
}

// Done while everything is still pending: only pending operations show which result depends on which operand.
void flush::hand_checks_on() {
    for (auto const& r : builder_.read()) {
        if (r->unsettled.empty()) continue;
        for (auto& t : targets_)
            if (t.to != r && graph::depends_on(t.to.get(), r.get())) index_errors::add(t.to->unsettled, r->unsettled);
    }
}

void flush::hand_checks_to(storage* to) {
    for (auto const& r : builder_.read())
        if (r.get() != to) index_errors::add(to->unsettled, r->unsettled);
}

void flush::release() {
    for (auto const& r : builder_.read()) --r->running_readers;
    for (auto& t : targets_) {
        t.to->running = false;
        if (t.memory) give_back(t);
    }
}

void flush::give_back(target& t) {
    if (t.taken_from) t.taken_from->set_ready(t.memory);
    else t.to->discard(t.memory);
}

// Some output is memory that others see, or held an input's elements.
bool flush::overwrites() const {
    return std::any_of(targets_.begin(), targets_.end(),
                       [](target const& t) { return (!t.memory && !t.to->pending) || t.taken_from; });
}

bool flush::works_on(storage const* s) const {
    auto const& read = builder_.read();
    return std::any_of(targets_.begin(), targets_.end(), [s](target const& t) { return t.to.get() == s; }) ||
           std::any_of(read.begin(), read.end(), [s](storage_ref const& r) { return r.get() == s; });
}

}  // namespace bascule

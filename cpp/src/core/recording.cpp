#include "bascule/core/recording.hpp"

#include <pthread.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "bascule/core/system.hpp"

namespace bascule::recording {
namespace {

struct store {
    std::mutex mutex;
    std::vector<span> spans;
    std::int64_t first = 0;  // number of spans[0]: those before it were dropped
    std::int64_t dropped = 0;
    std::atomic<std::int64_t> calls{0}, bytes{0};
};

// Lives as long as the process. A child of a fork records nothing until it begins itself.
store& all() {
    static store* const one = [] {
        static store* made;
        made = new store;
        pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); },
                       [] {
                           new (&made->mutex) std::mutex;
                           details::recorders.store(0);
                           // One more, so that the parent's spans come before all that the child begins.
                           made->first += static_cast<std::int64_t>(made->spans.size()) + 1;
                           made->spans.clear(), made->dropped = 0;
                       });
        return made;
    }();
    return *one;
}

thread_local std::int64_t call_of_this_thread = 0;

std::int64_t now() noexcept {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void keep(span&& s) noexcept {
    store& a = all();
    std::lock_guard const lock(a.mutex);
    if (!is_on()) return;
    try {
        if (a.spans.size() < most_spans) return a.spans.push_back(std::move(s));
    } catch (std::exception const&) {
        // No memory for it: it is counted as dropped.
    }
    ++a.dropped;
}

}  // namespace

std::int64_t begin() {
    store& a = all();
    std::lock_guard const lock(a.mutex);
    details::recorders.fetch_add(1);
    return a.first + static_cast<std::int64_t>(a.spans.size());
}

recorded end(std::int64_t began) {
    store& a = all();
    std::lock_guard const lock(a.mutex);
    recorded r;
    if (began < a.first) return r;  // in the child of a fork: the recording is the parent's
    r.dropped = a.dropped;
    r.spans.assign(a.spans.begin() + (began - a.first), a.spans.end());
    if (details::recorders.fetch_sub(1) == 1) {
        a.first += static_cast<std::int64_t>(a.spans.size());
        a.spans = {};
        a.dropped = 0;
    }
    return r;
}

totals counted() noexcept {
    store const& a = all();
    return {a.calls.load(std::memory_order_relaxed), a.bytes.load(std::memory_order_relaxed)};
}

call::call(span_kind kind, std::string device) {
    what.kind = kind, what.device = std::move(device), what.thread = system::thread_number();
    what.call = all().calls.fetch_add(1, std::memory_order_relaxed) + 1;
    earlier_ = std::exchange(call_of_this_thread, what.call);
    what.begin = now();
}

call::~call() {
    what.end = now();
    call_of_this_thread = earlier_;
    all().bytes.fetch_add(what.bytes, std::memory_order_relaxed);
    keep(std::move(what));
}

std::int64_t current_call() noexcept { return call_of_this_thread; }

part::part(std::int64_t call) noexcept : call_(call) {
    if (call_ == 0) return;
    earlier_ = std::exchange(call_of_this_thread, call_);
    began_ = now();
}

void part::end(bool worked) noexcept {
    if (call_ == 0) return;
    call_of_this_thread = earlier_;
    if (!worked) return;
    span s;
    s.kind = span_kind::part, s.call = call_, s.thread = system::thread_number(), s.begin = began_, s.end = now();
    keep(std::move(s));
}

}  // namespace bascule::recording

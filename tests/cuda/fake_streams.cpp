// The fake driver's streams, events and graphs.
#include "fake_driver.hpp"

using namespace bascule::fake;

EXPORTED int cuStreamCreate(void** out, unsigned) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamCreate")) return code;
    the().streams.push_back(new stream{here});
    *out = the().streams.back();
    if (std::exchange(here->opens, false)) here->own.push_back(the().streams.back());
    return success;
}
EXPORTED int cuStreamCreateWithPriority(void** out, unsigned flags, int) { return cuStreamCreate(out, flags); }
EXPORTED int cuStreamDestroy_v2(void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamDestroy_v2")) return code;
    drain(stream_of(s));
    stream_of(s).is_gone = true;
    return success;
}
EXPORTED int cuStreamQuery(void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamQuery")) return code;
    if (refuses(stream_of(s))) return capture_unsupported;
    if (!stream_of(s).work.empty()) return not_ready;
    host_waited_for(stream_of(s).knows);
    return success;
}
EXPORTED int cuStreamSynchronize(void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamSynchronize")) return code;
    if (refuses(stream_of(s))) return capture_unsupported;
    drain(stream_of(s));
    host_waited_for(stream_of(s).knows);
    return the().broken;
}
EXPORTED int cuStreamBeginCapture_v2(void* s, int) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamBeginCapture_v2")) return code;
    if (reinterpret_cast<std::uintptr_t>(s) <= 2) return capture_unsupported;
    stream& of = stream_of(s);
    if (of.capturing) return invalid_value;
    of.capturing = true, of.spoilt = false;
    return success;
}
EXPORTED int cuStreamEndCapture(void* s, void** out) {
    lock const l(the().mutex);
    stream& of = stream_of(s);
    auto work = std::exchange(of.captured, {});
    bool const was = std::exchange(of.capturing, false);
    *out = nullptr;
    if (int const code = enter("cuStreamEndCapture")) return code;
    if (!was) return invalid_value;
    if (of.spoilt) return capture_invalidated;
    *out = new graph{of.on, std::move(work)};
    return success;
}
EXPORTED int cuGraphInstantiateWithFlags(void** out, void* g, unsigned long long) {
    lock const l(the().mutex);
    if (int const code = enter("cuGraphInstantiateWithFlags")) return code;
    *out = new graph(*static_cast<graph*>(g));
    return success;
}
EXPORTED int cuGraphDestroy(void* g) {
    delete static_cast<graph*>(g);
    return success;
}
EXPORTED int cuGraphExecDestroy(void* g) {
    lock const l(the().mutex);
    delete static_cast<graph*>(g);
    return success;
}
EXPORTED int cuGraphUpload(void*, void*) {
    lock const l(the().mutex);
    return enter("cuGraphUpload");
}
EXPORTED int cuGraphLaunch(void* g, void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuGraphLaunch")) return code;
    auto const& of = *static_cast<graph*>(g);
    if (stream_of(s).on != of.on) return invalid_handle;
    for (auto const& item : of.work) submit(s, item);
    return success;
}
EXPORTED int cuEventCreate(void** out, unsigned) {
    lock const l(the().mutex);
    if (int const code = enter("cuEventCreate")) return code;
    *out = new event{here, nullptr};
    return success;
}
EXPORTED int cuEventDestroy_v2(void* e) {
    delete static_cast<event*>(e);
    return success;
}
EXPORTED int cuEventRecord(void* e, void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuEventRecord")) return code;
    if (refuses(stream_of(s))) return capture_isolation;  // stricter than CUDA's: events lead out of the graph
    if (static_cast<event*>(e)->on != stream_of(s).on) return invalid_handle;
    static_cast<event*>(e)->recorded = mark_of(s);
    return success;
}
EXPORTED int cuEventQuery(void* e) {
    lock const l(the().mutex);
    if (int const code = enter("cuEventQuery")) return code;
    auto const m = static_cast<event*>(e)->recorded;
    if (m && !m->done) return not_ready;
    if (m) host_waited_for(m->knows);
    return success;
}
EXPORTED int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
    lock const l(the().mutex);
    if (int const code = enter("cuEventElapsedTime")) return code;
    auto const a = static_cast<event*>(from)->recorded, b = static_cast<event*>(to)->recorded;
    if (!a || !b) return invalid_handle;
    if (!a->done || !b->done) return not_ready;
    *milliseconds = std::chrono::duration<float, std::milli>(b->when - a->when).count();
    return success;
}
EXPORTED int cuEventSynchronize(void* e) {
    lock const l(the().mutex);
    if (int const code = enter("cuEventSynchronize")) return code;
    if (auto const m = static_cast<event*>(e)->recorded) {
        run_until(*m);
        host_waited_for(m->knows);
    }
    return the().broken;
}
EXPORTED int cuStreamWaitEvent(void* s, void* e, unsigned) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamWaitEvent")) return code;
    if (refuses(stream_of(s))) return capture_isolation;
    if (auto const m = static_cast<event*>(e)->recorded)
        submit(s, [m, waiting = &stream_of(s)] {
            run_until(*m);
            join(waiting->knows, m->knows);
            return success;
        });
    return success;
}

// The calls of a device that compute or move elements, as all of array, table and io make them: during a recording
// (core/recording.hpp), each is noted with its name, its time and the bytes it moves. Work on a device with memory of
// its own is then waited for, so that a call's time is the work's.
#pragma once
#include "bascule/core/device.hpp"
#include "bascule/core/recording.hpp"

namespace bascule::device_calls {

namespace recorded {
status run_chain(device where, plan const* const* plans, std::int32_t count, std::int64_t rows);
status algorithm(device where, algorithm_kind kind, void* args);
status copy(device where, void* to, void const* from, std::int64_t bytes, copy_kind kind);
status copy_between(device to, void* out, device from, void const* in, std::int64_t bytes);
}  // namespace recorded

// One plan, or several that are a chain.
inline status run_chain(device where, plan const* const* plans, std::int32_t count, std::int64_t rows) {
    if (recording::is_on()) [[unlikely]]
        return recorded::run_chain(where, plans, count, rows);
    return count == 1 ? where.api->run(where.index, plans[0], current_stream(where))
                      : where.api->run_chain(where.index, plans, count, rows, current_stream(where));
}
inline status run(device where, plan const* p) { return run_chain(where, &p, 1, 0); }

inline status algorithm(device where, algorithm_kind kind, void* args) {
    if (recording::is_on()) [[unlikely]]
        return recorded::algorithm(where, kind, args);
    return where.api->algorithm(where.index, kind, args, current_stream(where));
}

inline status copy(device where, void* to, void const* from, std::int64_t bytes, copy_kind kind) {
    if (recording::is_on()) [[unlikely]]
        return recorded::copy(where, to, from, bytes, kind);
    return where.api->copy(where.index, to, from, bytes, kind, current_stream(where));
}

// Of one backend.
inline status copy_between(device to, void* out, device from, void const* in, std::int64_t bytes) {
    if (recording::is_on()) [[unlikely]]
        return recorded::copy_between(to, out, from, in, bytes);
    return to.api->copy_between(to.index, out, from.index, in, bytes);
}

}  // namespace bascule::device_calls

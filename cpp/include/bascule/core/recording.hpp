// The operations that ran, with times and threads: collected during a recording, for bascule.profile and its traces.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace bascule::recording {

enum class span_kind : std::uint8_t {
    plan,       // a fused program
    algorithm,  // a whole algorithm: sort, join, svd
    copy,       // between the memories of devices
    part,       // the share of another thread of the pool in one of the above
};

struct span {
    span_kind kind = span_kind::plan;
    std::int64_t call = 0;            // numbered from 1; of a part: the call that it belongs to
    std::int64_t begin = 0, end = 0;  // nanoseconds of the steady clock
    std::int64_t thread = 0;          // the system's number
    std::int64_t bytes = 0;           // of operands and results, each once
    std::int64_t elements = 0;
    std::string name, device;
};

struct totals {
    std::int64_t calls = 0, bytes = 0;  // since the process began to record for the first time
};

namespace details {
inline std::atomic<int> recorders{0};
}

// Whether anybody records; asked before each call of a device.
inline bool is_on() noexcept { return details::recorders.load(std::memory_order_relaxed) != 0; }

// Recordings may overlap: each has the spans from its beginning on. `begin` returns where it begins.
std::int64_t begin();
struct recorded {
    std::vector<span> spans;
    std::int64_t dropped = 0;  // beyond the most that are kept
};
recorded end(std::int64_t began);
totals counted() noexcept;

inline constexpr std::size_t most_spans = 1'000'000;

// A call of a device, from now to the end of its life; parts of it that other threads run know it by its number.
class call {
public:
    call(span_kind kind, std::string device);
    ~call();
    call(call const&) = delete;
    call& operator=(call const&) = delete;

    span what;

private:
    std::int64_t earlier_;
};

// The call that this thread works for; 0: none that is recorded.
std::int64_t current_call() noexcept;

// This thread's part of a call, from now on. Nothing where `call` is 0.
class part {
public:
    explicit part(std::int64_t call) noexcept;
    // Once, before the call can end; `worked` false: there was nothing to do.
    void end(bool worked) noexcept;

private:
    std::int64_t call_, began_ = 0, earlier_ = 0;
};

}  // namespace bascule::recording

// Declarations shared by the files of the fake driver: devices, streams and their work, and the checks at the start of
// every call.
#pragma once
#include "fake_libraries.hpp"
#include "fake_memory.hpp"
#include "ptx/machine.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace bascule::ptx {
class module;
}

namespace bascule::fake {

using device_ptr = unsigned long long;
constexpr int success = 0, invalid_value = 1, out_of_memory = 2, invalid_image = 200, not_found = 500,
              invalid_handle = 400, not_ready = 600, illegal_address = 700, misaligned_address = 716,
              launch_failed = 719, capture_unsupported = 900, capture_invalidated = 901, capture_isolation = 905,
              unknown = 999;

struct stream;
struct device {
    int ordinal = 0;
    std::vector<stream*> own{};  // of libraries: the first one made after a library requested the context
    bool opens = false;
    device_memory memory;
    std::set<void*> peers;  // whose memory it may reach
};
// A place in a stream's work: done when everything before it is.
struct mark {
    stream* of;
    bool done = false;
    std::chrono::steady_clock::time_point when{};
    order_clock knows{};
};
struct stream {
    device* on = nullptr;
    std::deque<std::function<int()>> work{};
    order_clock knows{};
    bool is_gone = false;                    // destroyed; its memory stays, since marks refer to it
    bool capturing = false, spoilt = false;  // submitted work is recorded; something was submitted that cannot be
    std::vector<std::function<int()>> captured{};
};
struct graph {
    device* on;
    std::vector<std::function<int()>> work;
};
struct event {
    device* on;
    std::shared_ptr<mark> recorded;
};
struct module {
    device* on;
    void* library;
    char *shared_begin, *shared_end;      // its static shared memory
    std::shared_ptr<ptx::module> text{};  // in place of the library
};
struct function {
    module const* of;
    void (*body)(void*);
    std::vector<int> sizes;
    std::size_t dynamic_limit = 0;    // 0: as without a word
    ptx::code const* code = nullptr;  // in place of the body
    std::size_t fixed_shared() const {
        return code ? code->shared_size : static_cast<std::size_t>(of->shared_end - of->shared_begin);
    }
};

struct state {
    std::recursive_mutex mutex;
    std::map<int, device> devices;
    std::vector<stream*> streams;
    std::map<char*, std::size_t> pinned;                       // memory of the host that the driver knows
    std::vector<std::pair<char const*, std::size_t>> globals;  // variables of programs whose addresses were requested
    std::map<std::string, int> calls;
    long long to_device_bytes = 0, to_host_bytes = 0;  // copied since the driver was loaded
    int broken = success;                              // the context's error after a fault, as of a device
    order_clock host_knows;                            // the work that the host has waited for
    stream* running = nullptr;                         // whose work is being done
    std::string out_of_order;                          // how the work at hand broke the order of streams
    std::string last_message;
    void (*watcher)(char const*) = nullptr;  // called at the start of each call: it may do what another thread could
};
state& the();
using lock = std::lock_guard<std::recursive_mutex>;

extern thread_local device* here;  // whose context is current in this thread

int number_from(char const* name, int otherwise);  // of the environment
int enter(char const* name);                       // counts the call, says if it has to fail
int breaks(int code, std::string message);         // the context, as a fault does

device* owner_of(std::size_t p, std::size_t bytes);
bool is_global(char const* p, std::size_t bytes);
bool is_pinned(void const* p, std::size_t bytes);
std::size_t bytes_used();
bool has_room(char const* limit, std::size_t used, std::size_t more);  // within the limit that the environment names
bool reads_pageable_late();                                            // BASCULE_FAKE_CUDA_PAGEABLE_LATE

// ---- the order of streams, checked where each array has an allocation of its own (BASCULE_CUDA_POOL=exact)
bool checks_order();
void note_access(block_access& earlier, bool writes);
// The library's own stream would reuse a released block without synchronizing with other streams.
std::string used_out_of_order(block_access const& earlier, stream const& reused_by);

// ---- streams: work runs in order, after the work of other streams it depends on
void run_until(mark const& m);
void drain(stream& s);
void drain_all();
void host_waited_for(order_clock const& c);
void join(order_clock& into, order_clock const& other);
stream& stream_of(void* handle);
int submit(void* where, std::function<int()> item);
bool refuses(stream& s);  // a call that no stream can record
std::shared_ptr<mark> mark_of(void* where);

}  // namespace bascule::fake

// A CUDA driver for machines without a GPU, with the names and meanings of libcuda.so.1 that bascule uses. Memory is
// real and guarded, kernels run through the emulation. Its streams and graphs are in fake_streams.cpp, its memory and
// copies in fake_copies.cpp; the compiler (fake_nvrtc.cpp) and the libraries (fake_libraries.hpp) are in the same
// shared library.
//   BASCULE_FAKE_CUDA_DEVICES=n       number of devices (1)
//   BASCULE_FAKE_CUDA_MEMORY=bytes    memory; allocations beyond it are refused
//   BASCULE_FAKE_CUDA_NO_PEERS=1      no card reaches another's memory
//   BASCULE_FAKE_CUDA_PINNED=bytes    pinned memory of the host; allocations beyond it are refused
//   BASCULE_FAKE_CUDA_FAIL=name:k     the k-th call of a function since the last reset fails with CUDA_ERROR_UNKNOWN
//   BASCULE_FAKE_CUDA_LAZY=1          streams run only when they are waited for, and then no further than they must,
//                                     so that a missing wait always shows
//   BASCULE_FAKE_CUDA_CAPABILITY=90   of the devices, 10 * major + minor
//   BASCULE_FAKE_CUDA_PAGEABLE_LATE=1 copies read pageable memory of the host when their turn comes, as on GH200
//   BASCULE_FAKE_CUDA_ABORT=1         ends the process at the first fault, so that a debugger shows its origin
//   BASCULE_FAKE_CUDA_DRIVER_VERSION  the result of cuDriverGetVersion (13000)
// The environment is read at each call, so that a test can change it.
#include "backend/emulation/emulation_scheduler.hpp"
#include "fake_driver.hpp"
#include "fake_ptx.hpp"

#include <dlfcn.h>
#include <link.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bascule::fake {

state& the() {
    static auto* s = new state;
    return *s;
}

int number_from(char const* name, int otherwise) {
    char const* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

// Counts the call, says if it has to fail.
int enter(char const* name) {
    state& s = the();
    int const k = ++s.calls[name];
    if (auto* const watcher = std::exchange(s.watcher, nullptr)) {
        watcher(name);  // its own calls are not reported
        s.watcher = watcher;
    }
    char const* fail = std::getenv("BASCULE_FAKE_CUDA_FAIL");
    if (fail && std::string(name) + ":" + std::to_string(k) == fail) return unknown;
    return s.broken;
}

int breaks(int code, std::string message) {
    the().last_message = std::move(message);
    if (number_from("BASCULE_FAKE_CUDA_ABORT", 0)) std::abort();
    return the().broken = code;
}

// The device whose context is current in this thread.
thread_local device* here = nullptr;

device* owner_of(std::size_t p, std::size_t bytes) {
    for (auto& [ordinal, d] : the().devices)
        if (d.memory.contains(p, bytes)) return &d;
    return nullptr;
}
bool is_global(char const* p, std::size_t bytes) {
    for (auto const& [begin, size] : the().globals)
        if (p >= begin && p + bytes <= begin + size) return true;
    return false;
}
bool is_pinned(void const* p, std::size_t bytes) {
    auto const* const at = static_cast<char const*>(p);
    auto const after = the().pinned.upper_bound(const_cast<char*>(at));
    if (after == the().pinned.begin()) return false;
    auto const& [begin, size] = *std::prev(after);
    return at + bytes <= begin + size;
}
std::size_t bytes_used() {
    std::size_t all = 0;
    for (auto const& [ordinal, d] : the().devices) all += d.memory.used();
    return all;
}
bool has_room(char const* limit, std::size_t used, std::size_t more) {
    char const* most = std::getenv(limit);
    return !most || used + more <= std::strtoull(most, nullptr, 10);
}

// ---- a kernel opens the blocks that it touches; any other fault inside it becomes CUDA_ERROR_ILLEGAL_ADDRESS
sigjmp_buf fault_return;
device* volatile running_on = nullptr;
struct sigaction earlier_action, earlier_trap;

// Whether the access at fault is a write, where the processor says so.
bool is_write([[maybe_unused]] void const* context) {
#if defined(__x86_64__)
    return static_cast<ucontext_t const*>(context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    return true;
#endif
}

void on_fault(int signal, siginfo_t* info, void* context) {
    bool const writes = is_write(context);
    if (running_on)
        if (auto* const a = running_on->memory.open(reinterpret_cast<std::size_t>(info->si_addr), writes)) {
            if (writes) running_on->memory.host_wrote_all_of(reinterpret_cast<std::size_t>(info->si_addr));
            return note_access(*a, writes);
        }
    if (running_on) siglongjmp(fault_return, 1);
    sigaction(signal, &earlier_action, nullptr);
}

// Kernels are compiled to trap at a misaligned address.
void on_trap(int signal, siginfo_t*, void*) {
    if (running_on) siglongjmp(fault_return, 2);
    sigaction(signal, &earlier_trap, nullptr);
}

// The jump out of a kernel leaves a fiber's stack, so the address sanitizer does not see which frames it ends, and
// memory owned by the emulation's frames is leaked.
void forget_frames_below() {
#if defined(__SANITIZE_ADDRESS__)
    constexpr std::size_t enough = 1 << 16;
    __asan_unpoison_memory_region(static_cast<char*>(__builtin_frame_address(0)) - enough, enough);
#endif
}
void expect_losses([[maybe_unused]] bool yes) {
#if defined(__SANITIZE_ADDRESS__)
    yes ? __lsan_disable() : __lsan_enable();
#endif
}

int run_kernel(device& on, std::function<void()> const& work) {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &earlier_action);
    action.sa_sigaction = on_trap;
    sigaction(SIGILL, &action, &earlier_trap);
    int code = success;
    expect_losses(true);
    if (int const fault = sigsetjmp(fault_return, 1); fault == 0) {
        running_on = &on;
        try {
            work();
        } catch (emulation::error const& e) { code = breaks(launch_failed, e.what()); } catch (...) {
            std::string message;
            int const found = code_of_ptx_fault(message);
            code = breaks(found, message);
        }
    } else if (forget_frames_below(); fault == 2) {
        code =
            breaks(misaligned_address, "a kernel read or wrote an address that is no multiple of the element's size");
    } else {
        code = breaks(illegal_address, "a kernel touched memory outside of any allocation of its device");
    }
    expect_losses(false);
    running_on = nullptr;
    on.memory.close_all();
    sigaction(SIGSEGV, &earlier_action, nullptr);
    sigaction(SIGILL, &earlier_trap, nullptr);
    if (code == success && !the().out_of_order.empty())
        code = breaks(launch_failed, std::exchange(the().out_of_order, {}));
    return code;
}

// ---- the order of streams
bool checks_order() {
    char const* mode = std::getenv("BASCULE_CUDA_POOL");
    return mode && std::string(mode) == "exact";
}

bool knows(stream const& s, stream const* of, long time) {
    auto const found = s.knows.find(of);
    return of == &s || time == 0 || (found != s.knows.end() && found->second >= time);
}

void join(order_clock& into, order_clock const& other) {
    for (auto const& [of, time] : other) into[of] = std::max(into[of], time);
}

void note_access(block_access& earlier, bool writes) {
    stream* const s = the().running;
    if (!s || !checks_order()) return;
    if (!knows(*s, earlier.writer, earlier.written))
        the().out_of_order = std::string("a stream ") + (writes ? "writes" : "reads") +
                             " memory that another stream wrote, and does not wait for it";
    if (writes)
        for (auto const& [reader, time] : earlier.readers)
            if (!knows(*s, reader, time))
                the().out_of_order = "a stream writes memory that another stream reads, and does not wait for it";
    long const now = s->knows[s];
    if (writes) earlier = {s, now, {}};
    else earlier.readers[s] = now;
}

std::string used_out_of_order(block_access const& earlier, stream const& reused_by) {
    auto const is_known = [&](stream const* of, long time) {
        auto const found = the().host_knows.find(of);
        return knows(reused_by, of, time) || (found != the().host_knows.end() && found->second >= time);
    };
    bool known = is_known(earlier.writer, earlier.written);
    for (auto const& [reader, time] : earlier.readers) known = known && is_known(reader, time);
    return known ? "" : "memory is given back that another stream uses, and nobody waits for it";
}

// ---- streams: work runs in order, after the work of other streams it depends on
void step(stream& s) {
    auto const item = std::move(s.work.front());
    s.work.pop_front();
    stream* const outer = std::exchange(the().running, &s);
    ++s.knows[&s];
    if (the().broken == success) item();
    the().running = outer;
}
void run_until(mark const& m) {
    while (!m.done && !m.of->work.empty()) step(*m.of);
}
void drain(stream& s) {
    while (!s.work.empty()) step(s);
}
void host_waited_for(order_clock const& c) { join(the().host_knows, c); }
void drain_all() {
    for (stream* s : the().streams) drain(*s);
}
// 0, 1 and 2 name the default streams, which are one for each device here.
stream& stream_of(void* handle) {
    static std::map<device*, stream> defaults;
    if (reinterpret_cast<std::uintptr_t>(handle) > 2) {
        stream& made = *static_cast<stream*>(handle);
        if (made.is_gone) breaks(invalid_handle, "a stream is used after it was destroyed");
        return made;
    }
    stream& s = defaults[here];
    s.on = here;
    return s;
}
int submit(void* where, std::function<int()> item) {
    auto& s = stream_of(where);
    if (s.capturing) {
        s.captured.push_back(std::move(item));
        return success;
    }
    s.work.push_back([&s, seen = the().host_knows, item = std::move(item)] {
        join(s.knows, seen);  // the work the host waited for before it submitted this
        return item();
    });
    if (!number_from("BASCULE_FAKE_CUDA_LAZY", 0)) drain(s);
    return success;
}
// A call that no stream can record.
bool refuses(stream& s) {
    s.spoilt = s.spoilt || s.capturing;
    return s.capturing;
}
std::shared_ptr<mark> mark_of(void* where) {
    auto m = std::make_shared<mark>(&stream_of(where));
    submit(where, [m] {
        m->done = true;
        m->knows = m->of->knows;
        m->when = std::chrono::steady_clock::now();
        return success;
    });
    return m;
}

char const* name_of(int code) {
    switch (code) {
        case success: return "CUDA_SUCCESS";
        case invalid_value: return "CUDA_ERROR_INVALID_VALUE";
        case out_of_memory: return "CUDA_ERROR_OUT_OF_MEMORY";
        case invalid_image: return "CUDA_ERROR_INVALID_IMAGE";
        case invalid_handle: return "CUDA_ERROR_INVALID_HANDLE";
        case not_ready: return "CUDA_ERROR_NOT_READY";
        case not_found: return "CUDA_ERROR_NOT_FOUND";
        case illegal_address: return "CUDA_ERROR_ILLEGAL_ADDRESS";
        case misaligned_address: return "CUDA_ERROR_MISALIGNED_ADDRESS";
        case launch_failed: return "CUDA_ERROR_LAUNCH_FAILED";
        case capture_unsupported: return "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
        case capture_invalidated: return "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED";
        case capture_isolation: return "CUDA_ERROR_STREAM_CAPTURE_ISOLATION";
        default: return "CUDA_ERROR_UNKNOWN";
    }
}

// A copy of the arguments, since the caller's may be gone when a lazy stream gets to them.
struct arguments {
    std::vector<std::vector<char>> values;
    arguments(function const& f, void** given) {
        for (std::size_t i = 0; i < f.sizes.size(); ++i) {
            auto const* p = static_cast<char const*>(given[i]);
            values.emplace_back(p, p + f.sizes[i]);
        }
    }
    std::vector<void*> addresses() {
        std::vector<void*> all;
        for (auto& v : values) all.push_back(v.data());
        return all;
    }
};

// Work submitted by libraries: it runs on the host, in the stream's order, with access to the blocks it uses, as a
// kernel does. Launches of the library of algorithms are the driver's.
int submit_to_stream(void* where, std::function<void()> work) {
    return submit_as("cuLaunchKernel", where, std::move(work));
}
int submit_as(char const* name, void* where, std::function<void()> work) {
    lock const l(the().mutex);
    if (int const code = enter(name)) return code;
    device* const on = stream_of(where).on;
    return submit(where, [on, work = std::move(work)] { return run_kernel(*on, work); });
}

int enter_call(char const* name) {
    lock const l(the().mutex);
    return enter(name);
}
void complain(std::string text) {
    lock const l(the().mutex);
    the().last_message = std::move(text);
}
void* current_context() { return here; }
bool is_capturing() {
    lock const l(the().mutex);
    auto const captures = [](stream const* s) { return s->on == here && s->capturing; };
    return std::any_of(the().streams.begin(), the().streams.end(), captures);
}
bool reads_pageable_late() { return number_from("BASCULE_FAKE_CUDA_PAGEABLE_LATE", 0) != 0; }
void* context_of_stream(void* where) {
    lock const l(the().mutex);
    return stream_of(where).on;
}
bool lies_in_context(void const* p, std::size_t bytes) {
    lock const l(the().mutex);
    return here && here->memory.contains(reinterpret_cast<std::size_t>(p), bytes);
}

}  // namespace bascule::fake

using namespace bascule::fake;

// ---- for tests
EXPORTED void bascule_fake_reset() {
    lock const l(the().mutex);
    drain_all();
    the().calls.clear();
    the().broken = success;
    the().last_message.clear();
}
EXPORTED void bascule_fake_watch(void (*watcher)(char const*)) { the().watcher = watcher; }
EXPORTED std::size_t bascule_fake_bytes_in_use() { return bytes_used(); }
EXPORTED int bascule_fake_calls(char const* name) { return the().calls[name]; }
EXPORTED long long bascule_fake_copied_bytes(int to_host) {
    return to_host ? the().to_host_bytes : the().to_device_bytes;
}
EXPORTED char const* bascule_fake_message() { return the().last_message.c_str(); }

// ---- the driver
EXPORTED int cuInit(unsigned) { return enter_call("cuInit"); }
EXPORTED int cuDriverGetVersion(int* v) {
    *v = number_from("BASCULE_FAKE_CUDA_DRIVER_VERSION", 13000);
    return enter_call("cuDriverGetVersion");
}
EXPORTED int cuDeviceGetCount(int* n) {
    *n = number_from("BASCULE_FAKE_CUDA_DEVICES", 1);
    return enter_call("cuDeviceGetCount");
}
EXPORTED int cuDeviceGet(int* handle, int ordinal) {
    *handle = ordinal;
    return success;
}
EXPORTED int cuDeviceGetName(char* out, int length, int) {
    std::snprintf(out, static_cast<std::size_t>(length), "emulated device");
    return success;
}
EXPORTED int cuDeviceGetAttribute(int* value, int attribute, int) {
    constexpr int pageable_access = 88;
    if (attribute == pageable_access) return *value = reads_pageable_late(), success;
    int const capability = number_from("BASCULE_FAKE_CUDA_CAPABILITY", 90);
    *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : attribute == 16 ? 2 : 0;
    return success;
}
EXPORTED int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t{1} << 30;
    return success;
}
// A context is its device.
EXPORTED int cuDevicePrimaryCtxRetain(void** context, int ordinal) {
    lock const l(the().mutex);
    device& d = the().devices[ordinal];
    d.ordinal = ordinal;
    d.opens = true;  // a library that is opened makes its own stream next
    *context = &d;
    return enter("cuDevicePrimaryCtxRetain");
}
EXPORTED int cuCtxSetCurrent(void* context) {
    here = static_cast<device*>(context);
    return success;
}
EXPORTED int cuProfilerStart() { return enter_call("cuProfilerStart"); }
EXPORTED int cuProfilerStop() { return enter_call("cuProfilerStop"); }
EXPORTED int cuCtxGetDevice(int* ordinal) {
    constexpr int no_context = 201;
    if (!here) return no_context;
    *ordinal = here->ordinal;
    return success;
}

EXPORTED int cuModuleLoadData(void** out, void const* image) {
    lock const l(the().mutex);
    if (int const code = enter("cuModuleLoadData")) return code;
    std::string const text = static_cast<char const*>(image), mark = "bascule emulated kernel: ";
    if (runs_ptx() && is_ptx(text.c_str())) {
        auto made = std::make_unique<bascule::fake::module>(bascule::fake::module{here, nullptr, nullptr, nullptr});
        if (int const code = load_ptx(text.c_str(), *made)) return code;
        *out = made.release();
        return success;
    }
    if (!text.starts_with(mark)) return invalid_image;
    void* const library = dlopen(text.substr(mark.size()).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return invalid_image;
    auto* const m = new bascule::fake::module{here, library, nullptr, nullptr};
    auto const bind =
        reinterpret_cast<void (*)(bascule::emulation::runtime*, char**, char**)>(dlsym(library, "bascule_bind"));
    bind(bascule::emulation::shared_runtime(), &m->shared_begin, &m->shared_end);
    *out = m;
    return success;
}
EXPORTED int cuModuleGetFunction(void** out, void* handle, char const* name) {
    auto const* m = static_cast<bascule::fake::module const*>(handle);
    if (m->text) {
        auto made = std::make_unique<function>(function{m, nullptr, {}});
        if (int const code = find_ptx(*m, name, *made)) return code;
        *out = made.release();
        return success;
    }
    auto const body =
        reinterpret_cast<void (*)(void*)>(dlsym(m->library, (std::string("bascule_body_") + name).c_str()));
    auto const sizes =
        reinterpret_cast<int const* (*)()>(dlsym(m->library, (std::string("bascule_sizes_") + name).c_str()));
    if (!body || !sizes) return not_found;
    auto* f = new function{m, body, {}};
    for (int const* s = sizes(); *s; ++s) f->sizes.push_back(std::abs(*s));
    *out = f;
    return success;
}
EXPORTED int cuModuleGetGlobal_v2(device_ptr* out, std::size_t* bytes, void* handle, char const* name) {
    lock const l(the().mutex);
    auto const& m = *static_cast<bascule::fake::module const*>(handle);
    if (m.text) {
        if (!find_ptx_variable(m, name, *out, *bytes)) return not_found;
        the().globals.emplace_back(reinterpret_cast<char const*>(*out), *bytes);
        return success;
    }
    void* const p = dlsym(m.library, name);
    Dl_info info;
    ElfW(Sym)* symbol = nullptr;
    if (!p || !dladdr1(p, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) || !symbol) return not_found;
    *out = reinterpret_cast<device_ptr>(p), *bytes = symbol->st_size;
    the().globals.emplace_back(static_cast<char const*>(p), symbol->st_size);
    return success;
}
EXPORTED int cuFuncGetParamInfo(void* handle, std::size_t k, std::size_t* offset, std::size_t* bytes) {
    auto const& f = *static_cast<function const*>(handle);
    if (k >= f.sizes.size()) return invalid_value;
    *offset = 0, *bytes = static_cast<std::size_t>(f.sizes[k]);
    return success;
}
EXPORTED int cuFuncGetAttribute(int* value, int which, void* handle) {
    auto const& f = *static_cast<function const*>(handle);
    constexpr int known[] = {1024, 0, 0, 0, 32, 90, 90, 0, 48 << 10, -1};
    if (which < 0 || which > 9) return invalid_value;
    *value = which == 1 ? static_cast<int>(f.fixed_shared()) : known[which];
    if (which == 8 && f.dynamic_limit) *value = static_cast<int>(f.dynamic_limit);
    return success;
}
EXPORTED int cuFuncSetAttribute(void* handle, int which, int value) {
    if (which != 8 || value < 0 || value > 227 << 10) return invalid_value;
    static_cast<function*>(handle)->dynamic_limit = static_cast<std::size_t>(value);
    return success;
}
EXPORTED int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    *total = std::size_t{1} << 30;
    *free = *total - bytes_used();
    return success;
}
// The limits of every device by default: 1024 threads a block, 48 KB of shared memory, static and dynamic.
EXPORTED int cuLaunchKernel(void* handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                            unsigned dynamic_shared, void* s, void** given, void**) {
    constexpr std::size_t most_shared = 48 << 10;
    lock const l(the().mutex);
    if (int const code = enter("cuLaunchKernel")) return code;
    if (!gx || !gy || !gz || !bx || bx * by * bz > 1024 || bz > 64 || gy > 65535 || gz > 65535) return invalid_value;
    auto const& f = *static_cast<function const*>(handle);
    std::size_t const fixed = f.fixed_shared();
    std::size_t const most_dynamic = f.dynamic_limit ? f.dynamic_limit : most_shared - std::min(fixed, most_shared);
    if (fixed > most_shared || dynamic_shared > most_dynamic) return invalid_value;
    device* const on = stream_of(s).on;
    if (f.of->on != on) return invalid_handle;
    if (f.code)
        return submit(s, [on, work = ptx_work(*on, f, {gx, gy, gz}, {bx, by, bz}, dynamic_shared, given)] {
            return run_kernel(*on, work);
        });
    return submit(s, [=, &f, copied = arguments(f, given)]() mutable {
        std::vector<void*> addresses = copied.addresses();
        bascule::emulation::launch const work{{gx, gy, gz},       {bx, by, bz}, f.body,        addresses.data(),
                                              f.of->shared_begin, fixed,        dynamic_shared};
        return run_kernel(*on, [&] { bascule::emulation::run(work); });
    });
}

EXPORTED int cuGetErrorName(int code, char const** out) {
    *out = name_of(code);
    return success;
}
EXPORTED int cuGetErrorString(int code, char const** out) {
    thread_local std::string text;
    text = the().last_message.empty() ? "fake driver's error " + std::to_string(code) : the().last_message;
    *out = text.c_str();
    return success;
}

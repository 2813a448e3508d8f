// A CUDA driver for machines without a GPU, with the names and meanings of libcuda.so.1 that bascule uses. Memory is real
// and guarded, kernels run through the emulation; fake_nvrtc.cpp, in the same library, is the compiler, and
// fake_cublas.cpp, fake_cusolver.cpp and fake_cufft.cpp are the libraries of their names.
//   BASCULE_FAKE_CUDA_DEVICES=n       number of devices (1)
//   BASCULE_FAKE_CUDA_MEMORY=bytes    memory; what goes beyond it is refused
//   BASCULE_FAKE_CUDA_FAIL=name:k     the k-th call of a function since the last reset fails with CUDA_ERROR_UNKNOWN
//   BASCULE_FAKE_CUDA_LAZY=1          streams run only when somebody waits for them, and then no further than they must: a
//                                     lost wait always shows
//   BASCULE_FAKE_CUDA_CAPABILITY=90   of the devices, 10 * major + minor
//   BASCULE_FAKE_CUDA_ABORT=1         ends the process at the first fault, so that a debugger shows whose it was
//   BASCULE_FAKE_CUDA_DRIVER_VERSION  what cuDriverGetVersion says (13000)
// The environment is read at each call, so that a test can change it.
#include "backend/emulation/emulation_scheduler.hpp"
#include "fake_libraries.hpp"
#include "fake_memory.hpp"

#include <dlfcn.h>
#include <link.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif
#include <setjmp.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace bascule::fake {
namespace {

using device_ptr = unsigned long long;
constexpr int success = 0, invalid_value = 1, out_of_memory = 2, invalid_image = 200, not_found = 500, invalid_handle = 400,
              not_ready = 600, illegal_address = 700, launch_failed = 719, unknown = 999;

struct device {
    int ordinal = 0;
    device_memory memory;
};
struct stream;
// A place in a stream's work: done when everything before it is.
struct mark {
    stream* of;
    bool done = false;
    std::chrono::steady_clock::time_point when{};
};
struct stream {
    device* on = nullptr;
    std::deque<std::function<int()>> work;
};
struct event {
    device* on;
    std::shared_ptr<mark> recorded;
};
struct module {
    device* on;
    void* library;
    char *shared_begin, *shared_end;  // its static shared memory
};
struct function {
    module const* of;
    void (*body)(void*);
    std::vector<int> sizes;
    std::size_t dynamic_limit = 0;  // 0: as without a word
};

struct state {
    std::recursive_mutex mutex;
    std::map<int, device> devices;
    std::vector<stream*> streams;
    std::vector<std::pair<char const*, std::size_t>> globals;  // variables of programs that were asked for
    std::map<std::string, int> calls;
    long long to_device_bytes = 0, to_host_bytes = 0;  // copied since the driver was loaded
    int broken = success;  // what the context answers after a fault, as a device does
    std::string last_message;
    void (*watcher)(char const*) = nullptr;  // told of each call as it begins: it may do what another thread could
};
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
        watcher(name);  // of whose own calls nothing is told
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
std::size_t bytes_used() {
    std::size_t all = 0;
    for (auto const& [ordinal, d] : the().devices) all += d.memory.used();
    return all;
}

// ---- a kernel opens the blocks that it touches; any other fault inside it becomes CUDA_ERROR_ILLEGAL_ADDRESS
sigjmp_buf fault_return;
device* volatile running_on = nullptr;
struct sigaction earlier_action;

void on_fault(int signal, siginfo_t* info, void*) {
    if (running_on && running_on->memory.open(reinterpret_cast<std::size_t>(info->si_addr))) return;
    if (running_on) siglongjmp(fault_return, 1);
    sigaction(signal, &earlier_action, nullptr);
}

// The jump out of a kernel leaves a fiber's stack, so the address sanitizer does not see which frames it ends, and what
// the emulation holds in them is lost.
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
    int code = success;
    expect_losses(true);
    if (sigsetjmp(fault_return, 1) == 0) {
        running_on = &on;
        try {
            work();
        } catch (emulation::error const& e) {
            code = breaks(launch_failed, e.what());
        }
    } else {
        forget_frames_below();
        code = breaks(illegal_address, "a kernel touched memory outside of any allocation of its device");
    }
    expect_losses(false);
    running_on = nullptr;
    on.memory.close_all();
    sigaction(SIGSEGV, &earlier_action, nullptr);
    return code;
}

// ---- streams: work runs in order, and what another stream has to do first runs first
void step(stream& s) {
    auto const item = std::move(s.work.front());
    s.work.pop_front();
    if (the().broken == success) item();
}
void run_until(mark const& m) {
    while (!m.done && !m.of->work.empty()) step(*m.of);
}
void drain(stream& s) {
    while (!s.work.empty()) step(s);
}
void drain_all() {
    for (stream* s : the().streams) drain(*s);
}
// 0, 1 and 2 name the default streams, which are one for each device here.
stream& stream_of(void* handle) {
    static std::map<device*, stream> defaults;
    if (reinterpret_cast<std::uintptr_t>(handle) > 2) return *static_cast<stream*>(handle);
    stream& s = defaults[here];
    s.on = here;
    return s;
}
int submit(void* where, std::function<int()> item) {
    auto& s = stream_of(where);
    s.work.push_back(std::move(item));
    if (!number_from("BASCULE_FAKE_CUDA_LAZY", 0)) drain(s);
    return success;
}
std::shared_ptr<mark> mark_of(void* where) {
    auto m = std::make_shared<mark>(&stream_of(where));
    submit(where, [m] {
        m->done = true;
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
        case launch_failed: return "CUDA_ERROR_LAUNCH_FAILED";
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

using lock = std::lock_guard<std::recursive_mutex>;

}  // namespace

// What libraries queue: it runs on the host, in the stream's order, with the blocks open that it touches, as a kernel
// does. Launches of the library of algorithms are the driver's.
int submit_to_stream(void* where, std::function<void()> work) { return submit_as("cuLaunchKernel", where, std::move(work)); }
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
EXPORTED long long bascule_fake_copied_bytes(int to_host) { return to_host ? the().to_host_bytes : the().to_device_bytes; }
EXPORTED char const* bascule_fake_message() { return the().last_message.c_str(); }

// ---- the driver
EXPORTED int cuInit(unsigned) { return enter("cuInit"); }
EXPORTED int cuDriverGetVersion(int* v) {
    *v = number_from("BASCULE_FAKE_CUDA_DRIVER_VERSION", 13000);
    return enter("cuDriverGetVersion");
}
EXPORTED int cuDeviceGetCount(int* n) {
    *n = number_from("BASCULE_FAKE_CUDA_DEVICES", 1);
    return enter("cuDeviceGetCount");
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
    *context = &d;
    return enter("cuDevicePrimaryCtxRetain");
}
EXPORTED int cuCtxSetCurrent(void* context) {
    here = static_cast<device*>(context);
    return success;
}

EXPORTED int cuMemAlloc_v2(device_ptr* out, std::size_t bytes) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemAlloc_v2")) return code;
    char const* most = std::getenv("BASCULE_FAKE_CUDA_MEMORY");
    if (most && bytes_used() + bytes > std::strtoull(most, nullptr, 10)) return out_of_memory;
    *out = here->memory.allocate(bytes);
    return *out ? success : out_of_memory;
}
EXPORTED int cuMemFree_v2(device_ptr p) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemFree_v2"); code != the().broken) return code;
    drain_all();
    device* const on = owner_of(p, 0);
    std::string const problem = on ? on->memory.release(p) : "free of a pointer that is not allocated";
    return problem.empty() ? success : breaks(illegal_address, problem);
}

namespace {
// Runs f with the blocks open that both pointers, each null for one of the host, lie in.
template <class F> int with_open(void const* to, void const* from, std::size_t n, F&& f) {
    device *opened[2] = {}, **next = opened;
    for (void const* p : {to, from}) {
        if (!p) continue;
        device* const on = owner_of(reinterpret_cast<std::size_t>(p), n);
        if (!on && is_global(static_cast<char const*>(p), n)) continue;
        if (!on) return breaks(illegal_address, "a copy or fill of " + std::to_string(n) + " bytes outside of any allocation");
        on->memory.open(reinterpret_cast<std::size_t>(p));
        *next++ = on;
    }
    f();
    for (device* d : opened)
        if (d) d->memory.close_all();
    return success;
}

int copy(char const* name, void* to, void const* from, std::size_t n, bool to_device, bool from_device, void* where) {
    lock const l(the().mutex);
    if (int const code = enter(name)) return code;
    if (!from_device) the().to_device_bytes += static_cast<long long>(n);
    if (!to_device) the().to_host_bytes += static_cast<long long>(n);
    // The driver has read pageable host memory when the call returns.
    std::vector<char> staged;
    if (!from_device) staged.assign(static_cast<char const*>(from), static_cast<char const*>(from) + n);
    return submit(where, [=, staged = std::move(staged)] {
        return with_open(to_device ? to : nullptr, from_device ? from : nullptr, n,
                         [&] { std::memmove(to, from_device ? from : staged.data(), n); });
    });
}
void* host(device_ptr p) { return reinterpret_cast<void*>(p); }
}  // namespace
EXPORTED int cuMemcpyHtoDAsync_v2(device_ptr to, void const* from, std::size_t n, void* s) { return copy("cuMemcpyHtoDAsync_v2", host(to), from, n, true, false, s); }
EXPORTED int cuMemcpyDtoHAsync_v2(void* to, device_ptr from, std::size_t n, void* s) { return copy("cuMemcpyDtoHAsync_v2", to, host(from), n, false, true, s); }
EXPORTED int cuMemcpyDtoDAsync_v2(device_ptr to, device_ptr from, std::size_t n, void* s) { return copy("cuMemcpyDtoDAsync_v2", host(to), host(from), n, true, true, s); }
EXPORTED int cuMemcpyPeerAsync(device_ptr to, void*, device_ptr from, void*, std::size_t n, void* s) {
    return copy("cuMemcpyPeerAsync", host(to), host(from), n, true, true, s);
}
// Memory of the host is nothing that the driver knows, but for what is registered with it.
EXPORTED int cuPointerGetAttribute(void* value, int attribute, device_ptr p) {
    constexpr int memory_type = 2;
    lock const l(the().mutex);
    if (attribute != memory_type || !owner_of(p, 0)) return invalid_value;
    *static_cast<unsigned*>(value) = 2;
    return success;
}
EXPORTED int cuMemsetD8Async(device_ptr to, unsigned char byte, std::size_t n, void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuMemsetD8Async")) return code;
    return submit(s, [=] { return with_open(host(to), nullptr, n, [&] { std::memset(host(to), byte, n); }); });
}

EXPORTED int cuStreamCreate(void** out, unsigned) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamCreate")) return code;
    the().streams.push_back(new stream{here, {}});
    *out = the().streams.back();
    return success;
}
EXPORTED int cuStreamCreateWithPriority(void** out, unsigned flags, int) { return cuStreamCreate(out, flags); }
EXPORTED int cuStreamDestroy_v2(void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamDestroy_v2")) return code;
    drain(stream_of(s));  // its memory stays: marks refer to it
    return success;
}
EXPORTED int cuStreamQuery(void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamQuery")) return code;
    return stream_of(s).work.empty() ? success : not_ready;
}
EXPORTED int cuStreamSynchronize(void* s) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamSynchronize")) return code;
    drain(stream_of(s));
    return the().broken;
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
    if (static_cast<event*>(e)->on != stream_of(s).on) return invalid_handle;
    static_cast<event*>(e)->recorded = mark_of(s);
    return success;
}
EXPORTED int cuEventQuery(void* e) {
    lock const l(the().mutex);
    if (int const code = enter("cuEventQuery")) return code;
    auto const m = static_cast<event*>(e)->recorded;
    return !m || m->done ? success : not_ready;
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
    if (auto const m = static_cast<event*>(e)->recorded) run_until(*m);
    return the().broken;
}
EXPORTED int cuStreamWaitEvent(void* s, void* e, unsigned) {
    lock const l(the().mutex);
    if (int const code = enter("cuStreamWaitEvent")) return code;
    if (auto const m = static_cast<event*>(e)->recorded)
        submit(s, [m] {
            run_until(*m);
            return success;
        });
    return success;
}

EXPORTED int cuModuleLoadData(void** out, void const* image) {
    lock const l(the().mutex);
    if (int const code = enter("cuModuleLoadData")) return code;
    std::string const text = static_cast<char const*>(image), mark = "bascule emulated kernel: ";
    if (!text.starts_with(mark)) return invalid_image;
    void* const library = dlopen(text.substr(mark.size()).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return invalid_image;
    auto* const m = new bascule::fake::module{here, library, nullptr, nullptr};
    auto const bind = reinterpret_cast<void (*)(bascule::emulation::runtime*, char**, char**)>(dlsym(library, "bascule_bind"));
    bind(bascule::emulation::shared_runtime(), &m->shared_begin, &m->shared_end);
    *out = m;
    return success;
}
EXPORTED int cuModuleGetFunction(void** out, void* handle, char const* name) {
    auto const* m = static_cast<bascule::fake::module const*>(handle);
    auto const body = reinterpret_cast<void (*)(void*)>(dlsym(m->library, (std::string("bascule_body_") + name).c_str()));
    auto const sizes = reinterpret_cast<int const* (*)()>(dlsym(m->library, (std::string("bascule_sizes_") + name).c_str()));
    if (!body || !sizes) return not_found;
    auto* f = new function{m, body, {}, 0};
    for (int const* s = sizes(); *s; ++s) f->sizes.push_back(std::abs(*s));
    *out = f;
    return success;
}
EXPORTED int cuModuleGetGlobal_v2(device_ptr* out, std::size_t* bytes, void* handle, char const* name) {
    lock const l(the().mutex);
    void* const p = dlsym(static_cast<bascule::fake::module const*>(handle)->library, name);
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
    *value = which == 1 ? static_cast<int>(f.of->shared_end - f.of->shared_begin) : known[which];
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
// What every device can do without asking for more: 1024 threads a block, 48 KB of shared memory, static and dynamic.
EXPORTED int cuLaunchKernel(void* handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                            unsigned dynamic_shared, void* s, void** given, void**) {
    constexpr std::size_t most_shared = 48 << 10;
    lock const l(the().mutex);
    if (int const code = enter("cuLaunchKernel")) return code;
    if (!gx || !gy || !gz || !bx || bx * by * bz > 1024 || bz > 64 || gy > 65535 || gz > 65535) return invalid_value;
    auto const& f = *static_cast<function const*>(handle);
    std::size_t const fixed = static_cast<std::size_t>(f.of->shared_end - f.of->shared_begin);
    std::size_t const most_dynamic = f.dynamic_limit ? f.dynamic_limit : most_shared - std::min(fixed, most_shared);
    if (fixed > most_shared || dynamic_shared > most_dynamic) return invalid_value;
    device* const on = stream_of(s).on;
    if (f.of->on != on) return invalid_handle;
    return submit(s, [=, &f, copied = arguments(f, given)]() mutable {
        std::vector<void*> addresses = copied.addresses();
        bascule::emulation::launch const work{{gx, gy, gz}, {bx, by, bz}, f.body, addresses.data(), f.of->shared_begin, fixed, dynamic_shared};
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

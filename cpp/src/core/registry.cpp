#include <dlfcn.h>
#include <pthread.h>

#include <charconv>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "bascule/core/device.hpp"
#include "bascule/core/device_services.hpp"
#include "bascule/core/error.hpp"

namespace bascule {
namespace {

// The one piece of mutable state at namespace scope: the state of the device library that is opened at run time.
struct cuda_library {
    std::recursive_mutex mutex;
    bool tried = false;
    bool of_parent = false;  // opened before a fork: the driver does not work in the child
    backend const* api = nullptr;
    device_services const* services = nullptr;
    std::string reason;
    std::string plugin, cache;
    std::vector<std::string> libraries;
    std::vector<char const*> library_strings;  // the strings to which host_api points: they live as long as the process
    host_api host;
};

cuda_library& cuda() {
    static cuda_library* const library = [] {
        static cuda_library* made;
        made = new cuda_library;
        pthread_atfork([] { made->mutex.lock(); }, [] { made->mutex.unlock(); },
                       [] {
                           new (&made->mutex) std::recursive_mutex;
                           made->of_parent = made->of_parent || made->api != nullptr;
                       });
        return made;
    }();
    return *library;
}

std::string loader_text() {
    char const* const text = dlerror();
    return text != nullptr ? text : "no reason given";
}

// Empty: the driver can be opened. It stays open, as it would be in use anyway from here on.
std::string why_no_driver() {
    char const* const asked = std::getenv("BASCULE_CUDA_DRIVER");
    char const* const driver = asked != nullptr && *asked != '\0' ? asked : "libcuda.so.1";
    if (dlopen(driver, RTLD_NOW | RTLD_GLOBAL) != nullptr) return {};
    return "no CUDA driver: " + loader_text() + "; NVIDIA's driver comes with the system, not with pip";
}

std::string why_unfit(backend const* api) {
    if (api == nullptr) return "it has no backend";
    if (api->abi != backend_abi || api->size != sizeof(backend))
        return "expected interface " + std::to_string(backend_abi) + " of " + std::to_string(sizeof(backend)) +
               " bytes, got " + std::to_string(api->abi) + " of " + std::to_string(api->size);
    return {};
}

std::string open_plugin(cuda_library& c) {
    std::string const file = c.plugin.empty() ? "libbascule_cuda.so" : c.plugin + "/libbascule_cuda.so";
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return "no CUDA library of bascule's own: " + loader_text() + "; pip install --force-reinstall bascule";
    auto const entry = reinterpret_cast<backend_entry>(dlsym(library, backend_entry_name));
    if (entry == nullptr) return file + ": expected a function " + backend_entry_name + ", found none";
    c.library_strings.clear();
    for (std::string const& l : c.libraries) c.library_strings.push_back(l.c_str());
    c.library_strings.push_back(nullptr);
    c.host = {backend_abi, c.plugin.c_str(), c.library_strings.data(), c.cache.empty() ? nullptr : c.cache.c_str()};
    backend const* api = nullptr;
    if (entry(&c.host, &api) != status::ok)
        return file + ": " + (api != nullptr && api->last_error != nullptr ? api->last_error() : "it did not start");
    if (std::string unfit = why_unfit(api); !unfit.empty()) return file + ": " + unfit;
    if (api->device_count() < 1) return "the CUDA driver sees no device";
    auto const services = reinterpret_cast<device_services_entry>(dlsym(library, device_services_name));
    if (device_services const* const found = services != nullptr ? services() : nullptr;
        found != nullptr && found->abi == device_services_abi && found->size == sizeof(device_services))
        c.services = found;
    c.api = api;
    return {};
}

// Backend of CUDA, opened on first use; null with `reason` filled where there is none.
backend const* open_cuda(cuda_library& c) {
    if (!c.tried) {
        c.tried = true;
        c.reason = why_no_driver();
        if (c.reason.empty()) c.reason = open_plugin(c);
    }
    if (c.of_parent) {
        c.reason = "CUDA does not work in a forked process, use the spawn start method";
        return nullptr;
    }
    return c.api;
}

backend const* backend_named(std::string_view kind, std::string_view whole) {
    if (kind == "cpu") return cpu_backend();
    if (kind == "reference") return reference_backend();
    if (kind != "cuda")
        throw value_error("[device] unknown device \"" + std::string(whole) +
                          "\": expected \"cpu\", \"cuda\", \"cuda:<number>\" or \"reference\"");
    cuda_library& c = cuda();
    std::lock_guard const lock(c.mutex);
    if (backend const* api = open_cuda(c)) return api;
    throw device_error("[device] " + std::string(whole) + " is not available: " + c.reason);
}

// The number behind the colon; 0 where there is no colon, -1 where it is not a number.
std::int32_t index_in(std::string_view name, std::size_t colon) {
    if (colon == name.npos) return 0;
    std::int32_t index = -1;
    auto const [end, error] = std::from_chars(name.data() + colon + 1, name.data() + name.size(), index);
    return error == std::errc{} && end == name.data() + name.size() ? index : -1;
}

}  // namespace

std::string device::name() const {
    if (api == nullptr) return "none";
    return index == 0 ? api->name : std::string(api->name) + ":" + std::to_string(index);
}

device find_device(std::string_view name) {
    auto const colon = name.find(':');
    std::int32_t const index = index_in(name, colon);
    if (index < 0) throw value_error("[device] expected a number behind the colon, got \"" + std::string(name) + "\"");
    backend const* const api = backend_named(name.substr(0, colon), name);
    if (std::int32_t const count = api->device_count(); index >= count)
        throw device_error("[device] expected a device number below " + std::to_string(count) + ", got \"" +
                           std::string(name) + "\"");
    return {api, index};
}

device_services const& services_of(backend const* api) noexcept {
    static constexpr device_services nothing;
    cuda_library const& c = cuda();  // written once, before anybody has `api`
    return api != nullptr && api == c.api && c.services != nullptr ? *c.services : nothing;
}

std::string why_no_cuda() {
    cuda_library& c = cuda();
    std::lock_guard const lock(c.mutex);
    return open_cuda(c) != nullptr ? std::string() : c.reason;
}

// After a failure the new place is tried; a library that is open stays the one in use.
void set_plugin_directories(std::string plugin, std::vector<std::string> libraries, std::string cache) {
    cuda_library& c = cuda();
    std::lock_guard const lock(c.mutex);
    if (c.api != nullptr) return;
    c.plugin = std::move(plugin);
    c.libraries = std::move(libraries);
    c.cache = std::move(cache);
    c.tried = false;
}

namespace {
thread_local std::vector<std::pair<device, void*>> streams;  // few
}  // namespace

void* stream_set_for(device where) noexcept {
    for (auto const& [d, stream] : streams)
        if (d == where) return stream;
    return nullptr;
}

void set_current_stream(device where, void* stream) {
    std::erase_if(streams, [&](auto const& s) { return s.first == where; });
    if (stream) streams.emplace_back(where, stream);
}

void throw_if(status s, device where) {
    if (s == status::ok) return;
    char const* const own = where.api != nullptr && where.api->last_error != nullptr ? where.api->last_error()
                                                                                     : nullptr;
    std::string const text = own != nullptr && *own != '\0' ? own : "[" + where.name() + "] failed, no reason given";
    switch (s) {
        case status::ok: return;
        case status::out_of_memory: throw memory_error(text);
        case status::not_supported: throw not_supported(text);
        case status::index_error: throw index_error(text);
        case status::value_error: throw value_error(text);
        case status::interrupted: throw interrupted("[" + where.name() + "] interrupted");
        case status::device_error:
        case status::compile_error: break;
    }
    throw device_error(text);
}

}  // namespace bascule

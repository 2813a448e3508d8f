#include "backend/cuda/kernel_cache.hpp"

#include <cstdio>

#include "backend/cuda/disk_cache.hpp"
#include "backend/cuda/embedded_headers.hpp"
#include "backend/cuda/failure.hpp"

namespace bascule::cuda {

void compiler_place::ready() {
    std::lock_guard const lock(mutex_);
    if (loaded_) return;
    std::string const problem = compiler_.load(library_directories, driver_version / 1000);
    if (!problem.empty()) throw failure{status::compile_error, problem};
    loaded_ = true;
}

// All that an image depends on; its first line is for people.
std::string kernel_cache::key_of(std::string const& text, std::string const& architecture) const {
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(headers_hash()));
    return "bascule " BASCULE_VERSION " kernel " + architecture + " nvrtc " + place_.get().version() + " driver " +
           std::to_string(place_.driver_version) + " headers " + hash + nvrtc::settings() + "\n" + text + "\n";
}

// What was compiled with the library needs no compiler, not even that there is one.
module_handle kernel_cache::load(std::string const& text) {
    module_handle module = nullptr;
    if (std::string const made = place_.prebuilt.find(text, capability_); !made.empty())
        if (place_.api.module_load(&module, made.c_str()) == success) return module;
    place_.ready();
    return compile(text);
}

// An image from disk that the driver refuses is compiled anew.
module_handle kernel_cache::compile(std::string const& text) {
    nvrtc const& compiler = place_.get();
    std::string const architecture = compiler.architecture(capability_), key = key_of(text, architecture);
    disk_cache const disk(place_.cache_directory);
    module_handle module = nullptr;
    if (std::string const kept = disk.read(key); !kept.empty())
        if (place_.api.module_load(&module, kept.c_str()) == success) return module;
    compiled const made = compiler.compile(text, architecture);
    if (!made.error.empty()) throw failure{status::compile_error, "[cuda] " + made.error};
    disk.write(key, made.image);
    if (result const code = place_.api.module_load(&module, made.image.c_str()); code != success)
        throw failure{status::device_error, "[cuda] loading a kernel: " + place_.api.describe(code)};
    return module;
}

kernel_cache::unit& kernel_cache::unit_of(std::string const& text) {
    std::lock_guard const lock(mutex_);
    return units_[text];  // stays where it is
}

// Who wants a unit that is being compiled waits; others are not in each other's way.
function_handle kernel_cache::find(std::string const& text, char const* name) {
    unit& u = unit_of(text);
    std::lock_guard const lock(u.mutex);
    function_handle& function = u.functions[name];
    if (function) return function;
    if (!u.module) u.module = load(text);
    if (result const code = place_.api.module_function(&function, u.module, name); code != success)
        throw failure{status::device_error,
                      std::string("[cuda] finding kernel ") + name + ": " + place_.api.describe(code)};
    return function;
}

}  // namespace bascule::cuda

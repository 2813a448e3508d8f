#include "backend/cuda/compiler/kernel_cache.hpp"

#include <cstdio>
#include <exception>
#include <utility>

#include "backend/cuda/compiler/disk_cache.hpp"
#include "backend/cuda/compiler/embedded_headers.hpp"
#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {

void compiler_place::ready() {
    std::lock_guard const lock(mutex_);
    if (loaded_) return;
    std::string const problem = compiler_.load(library_directories, driver_version / 1000, oldest_capability);
    if (!problem.empty()) throw failure{status::compile_error, problem};
    loaded_ = true;
    compile_queue::end_before_the_compiler();
}

// Everything that an image depends on; its first line is for human readers.
std::string kernel_cache::key_of(std::string const& text, std::string const& architecture) const {
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(headers_hash()));
    return "bascule " BASCULE_VERSION " kernel " + architecture + " nvrtc " + place_.get().version() + " driver " +
           std::to_string(place_.driver_version) + " headers " + hash + nvrtc::settings() + "\n" + text + "\n";
}

// Null: the driver refuses it.
module_handle kernel_cache::module_of(std::string const& image) const {
    module_handle module = nullptr;
    return !image.empty() && place_.api.module_load(&module, image.c_str()) == success ? module : nullptr;
}

// Kernels that were compiled with the library need no compiler to be installed.
module_handle kernel_cache::made_ahead(std::string const& text) {
    return module_of(place_.prebuilt.find(text, capability_));
}

std::string kernel_cache::kept(std::string const& text) const {
    return disk_cache(place_.cache_directory).read(key_of(text, place_.get().architecture(capability_)));
}

compiled kernel_cache::compile(std::string const& text) const {
    std::string const architecture = place_.get().architecture(capability_);
    compiled made = place_.get().compile(text, architecture);
    if (made.error.empty()) disk_cache(place_.cache_directory).write(key_of(text, architecture), made.image);
    return made;
}

// A cached image that the driver refuses is compiled again.
module_handle kernel_cache::load(unit& u, std::string const& text) {
    if (module_handle const module = u.looked_for ? nullptr : made_ahead(text)) return module;
    if (compile_queue::ticket const begun = std::exchange(u.in_background, nullptr))
        if (module_handle const module = module_of(compile_queue::instance().result_of(begun).image)) return module;
    place_.ready();
    if (module_handle const module = u.looked_for ? nullptr : module_of(kept(text))) return module;
    compiled const made = compile(text);
    if (!made.error.empty()) throw failure{status::compile_error, "[cuda] " + made.error};
    module_handle module = nullptr;
    if (result const code = place_.api.module_load(&module, made.image.c_str()); code != success)
        throw failure{status::device_error, "[cuda] loading a kernel: " + place_.api.describe(code)};
    return module;
}

// The compiler itself is not loaded for the question: that takes longer than many a program.
bool kernel_cache::is_there(std::string const& text) {
    unit& u = unit_of(text);
    std::lock_guard const lock(u.mutex);
    if (u.module) return true;
    if (u.in_background) {
        compile_queue& queue = compile_queue::instance();
        if (!queue.is_done(*u.in_background)) return false;
        std::string const& image = queue.result_of(u.in_background).image;
        u.module = module_of(image);
        u.refused = !u.module && !image.empty();  // to be compiled again, without looking on disk
        if (u.module || u.refused) u.in_background = nullptr;
    } else if (!u.looked_for) {
        u.module = made_ahead(text);
        u.looked_for = !u.module && place_.is_ready();
        if (u.looked_for) u.module = module_of(kept(text));
    }
    return u.module != nullptr;
}

// Calls nothing of the driver.
compiled kernel_cache::read_or_compile(std::string const& text, bool reads) const {
    static std::once_flag first;
    try {
        place_.ready();
        if (std::string image = reads ? kept(text) : ""; !image.empty()) return {std::move(image), "", {}};
        compiled made = compile(text);
        std::call_once(first, compile_queue::end_before_the_compiler);  // after the compiler has registered its own
                                                                        // exit handlers
        return made;
    } catch (failure& f) { return {"", std::move(f.text), {}}; } catch (std::exception const& e) {
        return {"", e.what(), {}};
    }
}

void kernel_cache::begin(std::string const& text) {
    unit& u = unit_of(text);
    std::lock_guard const lock(u.mutex);
    if (!u.module && !u.in_background)
        u.in_background = compile_queue::instance().add(
            [this, text, reads = !u.refused && !u.looked_for] { return read_or_compile(text, reads); });
}

kernel_cache::unit& kernel_cache::unit_of(std::string const& text) {
    std::lock_guard const lock(mutex_);
    return units_[text];  // stays where it is
}

// A thread that needs a unit that is being compiled waits; others do not.
function_handle kernel_cache::find(std::string const& text, char const* name) {
    unit& u = unit_of(text);
    std::lock_guard const lock(u.mutex);
    function_handle& function = u.functions[name];
    if (function) return function;
    if (!u.module) u.module = load(u, text);
    if (result const code = place_.api.module_function(&function, u.module, name); code != success)
        throw failure{status::device_error,
                      std::string("[cuda] finding kernel ") + name + ": " + place_.api.describe(code)};
    return function;
}

}  // namespace bascule::cuda

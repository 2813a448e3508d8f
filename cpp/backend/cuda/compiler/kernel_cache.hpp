// Compiled kernels of one device: in memory by their source, on disk by everything that determines them.
#pragma once
#include <atomic>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/cuda/compiler/compile_queue.hpp"
#include "backend/cuda/compiler/nvrtc.hpp"
#include "backend/cuda/compiler/prebuilt_kernels.hpp"
#include "backend/cuda/driver/driver_api.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cuda {

// Shared by all devices of the process.
class compiler_place {
public:
    explicit compiler_place(driver_api const& driver) : api(driver) {}
    void ready();                              // loads NVRTC at the first call
    bool is_ready() const { return loaded_; }  // without loading it
    nvrtc const& get() const { return compiler_; }

    driver_api const& api;
    std::vector<std::string> library_directories;
    std::string cache_directory;  // empty: none on disk
    prebuilt_kernels prebuilt;
    int driver_version = 0;     // 1000 * major + 10 * minor, of the newest CUDA that it runs
    int oldest_capability = 0;  // of the cards that are seen, 90 for 9.0

private:
    std::mutex mutex_;
    std::atomic<bool> loaded_ = false;
    nvrtc compiler_;
};

class kernel_cache {
public:
    kernel_cache(compiler_place& place, int capability) : place_(place), capability_(capability) {}

    // The function `name` of the translation unit `text`, compiled if need be.
    function_handle find(std::string const& text, char const* name);
    // Whether `find` would not wait for the compiler.
    bool is_there(std::string const& text);
    // Has the unit compiled in the background, once.
    void begin(std::string const& text);

private:
    struct unit {
        std::mutex mutex;
        module_handle module = nullptr;
        bool refused = false;                 // the driver refused the cached image
        bool looked_for = false;              // where kernels are kept, in vain
        compile_queue::ticket in_background;  // its compilation, if it was queued and is not loaded yet
        std::unordered_map<std::string, function_handle> functions;
    };
    unit& unit_of(std::string const& text);
    std::string key_of(std::string const& text, std::string const& architecture) const;
    module_handle module_of(std::string const& image) const;
    module_handle made_ahead(std::string const& text);
    module_handle load(unit&, std::string const& text);
    std::string kept(std::string const& text) const;  // the image on disk, empty if there is none
    compiled compile(std::string const& text) const;
    compiled read_or_compile(std::string const& text, bool reads) const;

    compiler_place& place_;
    int capability_;
    std::mutex mutex_;
    std::unordered_map<std::string, unit> units_;
};

}  // namespace bascule::cuda

#include "backend/cuda/kernel_cache.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "backend/cuda/failure.hpp"

namespace bascule::cuda {
namespace {

std::string hexadecimal(std::uint64_t h) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(h));
    return digits;
}

// The first line of a cached file is its full key, so that two texts with one hash cannot be mistaken for each other.
std::string read_cached(std::string const& file, std::string const& key) {
    std::ifstream in(file, std::ios::binary);
    std::string const bytes(std::istreambuf_iterator<char>(in), {});
    if (bytes.size() <= key.size() || bytes.compare(0, key.size(), key) != 0) return "";
    return bytes.substr(key.size());
}

// Written beside its place and renamed: a reader never sees half a file. A cache that cannot be written is no error.
void write_cached(std::string const& file, std::string const& key, std::string const& image) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
    std::string const part = file + "." + std::to_string(getpid());
    bool written = false;
    {
        std::ofstream out(part, std::ios::binary);
        out << key << image;
        out.close();
        written = static_cast<bool>(out);
    }
    if (written) std::filesystem::rename(part, file, ignored);
    if (!written || ignored) std::filesystem::remove(part, ignored);
}

std::string cache_key(std::string const& text, std::string const& architecture, std::string const& version) {
    return "bascule kernel " + architecture + " nvrtc " + version + " headers " + hexadecimal(headers_hash()) + "\n" +
           text + "\n";
}

}  // namespace

void compiler_place::ready() {
    std::lock_guard const lock(mutex_);
    if (loaded_) return;
    std::string const problem = compiler_.load(library_directories, driver_version / 1000);
    if (!problem.empty()) throw failure{status::compile_error, problem};
    loaded_ = true;
}

kernel_cache::image kernel_cache::make_image(std::string const& text) {
    nvrtc const& compiler = place_.get();
    std::string const architecture = compiler.architecture(capability_);
    std::string const key = cache_key(text, architecture, compiler.version());
    std::string const& folder = place_.cache_directory;
    std::string const file = folder.empty() ? "" : folder + "/cuda/" + hexadecimal(hash_text(key)) + ".cubin";
    if (std::string bytes = file.empty() ? "" : read_cached(file, key); !bytes.empty()) return {std::move(bytes), file};
    compiled result = compiler.compile(text, architecture);
    if (!result.error.empty()) throw failure{status::compile_error, "[cuda] " + result.error};
    if (!file.empty()) write_cached(file, key, result.image);
    return {std::move(result.image), ""};
}

// An image from disk that the driver refuses (a damaged file, say) is dropped and compiled anew.
module_handle kernel_cache::load(std::string const& text) {
    module_handle module = nullptr;
    image const first = make_image(text);
    result code = place_.api.module_load(&module, first.bytes.c_str());
    std::error_code ignored;
    if (code != success && !first.read_from.empty() && std::filesystem::remove(first.read_from, ignored))
        code = place_.api.module_load(&module, make_image(text).bytes.c_str());
    if (code != success) throw failure{status::device_error, "[cuda] loading a kernel: " + place_.api.describe(code)};
    return module;
}

function_handle kernel_cache::find(std::string const& text, char const* name) {
    std::lock_guard const lock(mutex_);
    unit& u = units_[text];
    function_handle& function = u.functions[name];
    if (function) return function;
    if (!u.module) {
        place_.ready();
        u.module = load(text);
    }
    if (result const code = place_.api.module_function(&function, u.module, name); code != success)
        throw failure{status::device_error,
                      std::string("[cuda] finding kernel ") + name + ": " + place_.api.describe(code)};
    return function;
}

}  // namespace bascule::cuda

#include "backend/cuda/launch/programs.hpp"

#include <algorithm>
#include <memory>

#include "backend/cuda/compiler/disk_cache.hpp"
#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda {
namespace {

// Functions without a word of where they run are the device's, as in the emulation on a host.
constexpr char const* always = "--device-as-default-execution-space";

std::string key_of(program_text const& p, compiler_place const& place, std::string const& architecture) {
    std::string key = "bascule " BASCULE_VERSION " program " + architecture + " nvrtc " + place.get().version() +
                      " driver " + std::to_string(place.driver_version) + " " + p.name;
    for (auto const* words : {&p.options, &p.expressions}) {
        key += "\n" + std::to_string(words->size());
        for (auto const& w : *words) key += " " + w;
    }
    return key + "\n" + p.text + "\n";
}

// On disk the names of the expressions, a line each, go ahead of the image.
std::string packed(compiled const& made) {
    std::string out;
    for (auto const& n : made.names) out += n + "\n";
    return out + made.image;
}
compiled unpacked(std::string const& kept, std::size_t names) {
    compiled out;
    std::size_t at = 0;
    for (std::size_t k = 0; k < names; ++k) {
        std::size_t const end = std::min(kept.find('\n', at), kept.size());
        out.names.push_back(kept.substr(at, end - at));
        at = std::min(end + 1, kept.size());
    }
    out.image = kept.substr(at);
    return out;
}

}  // namespace

user_program::user_program(device& d, program_source const& source) : device_(d) {
    auto const copied = [](char const* const* all, std::int32_t n) { return std::vector<std::string>(all, all + n); };
    program_text p{source.name, source.text, copied(source.options, source.option_count),
                   copied(source.expressions, source.expression_count)};
    p.options.emplace_back(always);
    expressions_ = p.expressions;
    try {
        d.compiler().ready();
    } catch (failure& f) { throw failure{status::device_error, std::move(f.text)}; }
    d.make_current();
    load(p);
}

void user_program::load(program_text const& p) {
    compiler_place& place = device_.compiler();
    std::string const architecture = place.get().architecture(device_.capability());
    std::string const key = key_of(p, place, architecture);
    // A file that the program includes may change unnoticed, so such a program is always compiled again.
    bool const whole = std::none_of(p.options.begin(), p.options.end(),
                                    [](std::string const& o) {
                                        return o.starts_with("-I") || o.starts_with("--include-path") ||
                                               o.starts_with("--pre-include") || o.starts_with("-include");
                                    }) &&
                       p.text.find("include \"") == std::string::npos;
    disk_cache const disk(whole ? place.cache_directory : "");
    compiled made = unpacked(disk.read(key), expressions_.size());
    bool const kept = !made.image.empty() && place.api.module_load(&module_, made.image.c_str()) == success;
    if (!kept) {
        made = place.get().compile(p, architecture);
        if (!made.error.empty()) throw failure{status::compile_error, made.error};
        disk.write(key, packed(made));
        device_.must_do(place.api.module_load(&module_, made.image.c_str()), "loading a program");
    }
    names_ = std::move(made.names);
}

std::string user_program::name_in_image(char const* name) const {
    auto const at = std::find(expressions_.begin(), expressions_.end(), name);
    return at == expressions_.end() ? name : names_[static_cast<std::size_t>(at - expressions_.begin())];
}

user_program::function* user_program::find(char const* name) {
    std::lock_guard const lock(mutex_);
    auto& known = functions_[name];
    if (known) return known.get();
    driver_api const& api = device_.api();
    device_.make_current();
    function_handle handle = nullptr;
    if (api.module_function(&handle, module_, name_in_image(name).c_str()) != success)
        throw failure{status::value_error, std::string("the program has no kernel ") + name +
                                               ": expected extern \"C\" __global__ void " + name +
                                               "(...), or its name among name_expressions"};
    known = std::make_unique<function>();
    known->handle = handle;
    std::size_t offset = 0, bytes = 0;
    if (api.function_parameter) {
        for (std::size_t k = 0; api.function_parameter(handle, k, &offset, &bytes) == success; ++k)
            known->parameters.push_back(static_cast<std::int32_t>(bytes));
        known->parameters.push_back(0);
    }
    return known.get();
}

void user_program::global(char const* name, void** address, std::int64_t* bytes) const {
    device_ptr p = 0;
    std::size_t n = 0;
    device_.make_current();
    if (device_.api().module_global(&p, &n, module_, name_in_image(name).c_str()) != success)
        throw failure{status::value_error, std::string("the program has no variable ") + name};
    *address = reinterpret_cast<void*>(p), *bytes = static_cast<std::int64_t>(n);
}

}  // namespace bascule::cuda

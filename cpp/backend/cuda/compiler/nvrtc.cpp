#include "backend/cuda/compiler/nvrtc.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

#include "backend/cuda/compiler/embedded_headers.hpp"

namespace bascule::cuda {
namespace {

template <class F> bool symbol(void* library, F*& slot, char const* name) {
    slot = reinterpret_cast<F*>(dlsym(library, name));
    return slot != nullptr;
}

}  // namespace

std::string nvrtc::bind(void* library) {
    bool const all = symbol(library, version_, "nvrtcVersion") &&
                     symbol(library, count_architectures_, "nvrtcGetNumSupportedArchs") &&
                     symbol(library, list_architectures_, "nvrtcGetSupportedArchs") &&
                     symbol(library, create_, "nvrtcCreateProgram") &&
                     symbol(library, compile_, "nvrtcCompileProgram") &&
                     symbol(library, cubin_size_, "nvrtcGetCUBINSize") && symbol(library, cubin_, "nvrtcGetCUBIN") &&
                     symbol(library, ptx_size_, "nvrtcGetPTXSize") && symbol(library, ptx_, "nvrtcGetPTX") &&
                     symbol(library, log_size_, "nvrtcGetProgramLogSize") &&
                     symbol(library, log_, "nvrtcGetProgramLog") && symbol(library, destroy_, "nvrtcDestroyProgram") &&
                     symbol(library, add_expression_, "nvrtcAddNameExpression") &&
                     symbol(library, lowered_name_, "nvrtcGetLoweredName");
    if (!all) return "lacks a function of NVRTC 11.2 or newer";
    int count = 0;
    version_(&major_, &minor_);
    count_architectures_(&count);
    architectures_.resize(static_cast<std::size_t>(count));
    list_architectures_(architectures_.data());
    std::sort(architectures_.begin(), architectures_.end());
    return "";
}

std::string nvrtc::open(std::string const& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    std::string const problem = bind(library);
    return problem.empty() ? "" : path + " " + problem;
}

std::string nvrtc::load(std::vector<std::string> const& directories, int driver_major, int oldest_capability) {
    std::vector<std::string> candidates;
    char const* const asked = std::getenv("BASCULE_NVRTC");
    bool const named = asked && *asked;
    if (named) candidates.emplace_back(asked);
    for (int major = driver_major; major >= 12 && !named; --major) {
        std::string const file = "libnvrtc.so." + std::to_string(major);
        for (std::string const& d : directories) candidates.push_back(d + "/" + file);
        candidates.push_back(file);
    }
    std::string reasons, too_new_for_the_card;
    for (std::string const& path : candidates) {
        std::string const problem = open(path);
        if (problem.empty() && major_ <= driver_major) {
            if (named || compiles_for(oldest_capability)) return "";
            if (too_new_for_the_card.empty()) too_new_for_the_card = path;
            continue;
        }
        bool const lies_there = path.find('/') != path.npos && access(path.c_str(), F_OK) == 0;
        if (problem.empty()) reasons += "; " + path + " is version " + version() + ", newer than the driver";
        else if (lies_there || named) reasons += "; " + problem;
    }
    if (!too_new_for_the_card.empty()) return open(too_new_for_the_card);  // its own error names the architecture
    std::string const major = std::to_string(driver_major);
    return "[cuda] kernels need NVIDIA's compiler NVRTC, and none was found that the driver (CUDA " + major +
           ") can run: pip install " +
           (driver_major >= 13 ? "'nvidia-cuda-nvrtc>=13,<14'" : "'nvidia-cuda-nvrtc-cu12>=12.4,<13'") + reasons;
}

std::string nvrtc::architecture(int capability) const {
    if (std::binary_search(architectures_.begin(), architectures_.end(), capability))
        return "sm_" + std::to_string(capability);
    auto newer = std::upper_bound(architectures_.begin(), architectures_.end(), capability);
    // A device newer than the compiler runs its newest PTX, which the driver translates.
    return newer == architectures_.begin() ? "sm_" + std::to_string(capability)
                                           : "compute_" + std::to_string(*(newer - 1));
}

std::string nvrtc::log(opaque_program* program) const {
    std::size_t size = 0;
    log_size_(program, &size);
    std::string text(size, '\0');
    if (size) log_(program, text.data());
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
}

std::string nvrtc::image(opaque_program* program, bool ptx) const {
    std::size_t size = 0;
    if ((ptx ? ptx_size_ : cubin_size_)(program, &size) != 0) return "";
    std::string bytes(size, '\0');
    return (ptx ? ptx_ : cubin_)(program, bytes.data()) == 0 ? bytes : "";
}

namespace {
// No contraction, no flush to zero, IEEE division and square root: the same bits as the CPU (design rule 10).
constexpr char const* fixed_options[] = {
    "-std=c++20",      "--fmad=false",     "--ftz=false",
    "--prec-div=true", "--prec-sqrt=true", "--device-as-default-execution-space",
};
}  // namespace

std::string nvrtc::settings() {
    std::string all;
    for (char const* option : fixed_options) all += std::string(" ") + option;
    return all;
}

compiled nvrtc::compile(std::string const& text, std::string const& architecture) const {
    return compile(program_text{"bascule.cu", text, {std::begin(fixed_options), std::end(fixed_options)}, {}},
                   architecture);
}

compiled nvrtc::compile(program_text const& p, std::string const& architecture) const {
    opaque_program* program = nullptr;
    header_list const& h = all_headers();
    if (create_(&program, p.text.c_str(), p.name, static_cast<int>(h.names.size()), h.strings.data(), h.names.data()) !=
        0)
        return {"", "nvrtcCreateProgram failed", {}};
    compiled out;
    for (auto const& e : p.expressions)
        if (add_expression_(program, e.c_str()) != 0) out.error = "NVRTC takes no name expression " + e;
    std::string const target = "--gpu-architecture=" + architecture;
    std::vector<char const*> options{target.c_str()};
    for (auto const& option : p.options) options.push_back(option.c_str());
    int const code = compile_(program, static_cast<int>(options.size()), options.data());
    if (code == 0) out.image = image(program, architecture.starts_with("compute_"));
    for (auto const& e : p.expressions) {
        char const* name = nullptr;
        if (code == 0 && lowered_name_(program, e.c_str(), &name) == 0 && name) out.names.emplace_back(name);
    }
    if (out.image.empty() || out.names.size() != p.expressions.size())
        out.image.clear(), out.error += "NVRTC error " + std::to_string(code) + ": " + log(program);
    destroy_(&program);
    return out;
}

}  // namespace bascule::cuda

// NVRTC itself, asked for PTX. Its results are kept by a hash of all that it reads.
#include "fake_ptx.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace bascule::fake {
namespace {

namespace fs = std::filesystem;

struct compiler {
    void* library = nullptr;
    std::string problem{};
    template <class F> F* find(char const* name) const { return reinterpret_cast<F*>(dlsym(library, name)); }
};

compiler const& nvrtc() {
    static auto const& found = *[] {
        auto* const made = new compiler;  // compilations may outlive static objects
        compiler& c = *made;
        char const* const file = std::getenv("BASCULE_FAKE_CUDA_NVRTC");
        // Its own functions come before ours, which have the same names.
        c.library = dlopen(file ? file : "libnvrtc.so.13", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        if (!c.library) c.problem = dlerror();
        return made;
    }();
    return found;
}

std::string key_of(ptx_request const& r) {
    int major = 0, minor = 0;
    nvrtc().find<int(int*, int*)>("nvrtcVersion")(&major, &minor);
    std::string all = std::to_string(major) + "." + std::to_string(minor) + '\0' + r.name + '\0' + r.text + '\0';
    for (auto const& [name, text] : r.headers) all += name + '\0' + text + '\0';
    for (auto const* words : {&r.options, &r.expressions})
        for (std::string const& w : *words) all += w + '\0';
    return hash_of(all);
}

// Names of expressions, a line each, an empty line, and the text.
bool read_kept(fs::path const& file, ptx_answer& out) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return false;
    for (std::string line; std::getline(in, line) && !line.empty();) out.names.push_back(line);
    out.image.assign(std::istreambuf_iterator<char>(in), {});
    return !out.image.empty();
}
void keep(fs::path const& file, ptx_answer const& made) {
    fs::create_directories(file.parent_path());
    fs::path const part = file.string() + "." + std::to_string(getpid());
    {
        std::ofstream out(part, std::ios::binary);
        for (std::string const& n : made.names) out << n << '\n';
        out << '\n' << made.image;
    }
    fs::rename(part, file);
}

std::string text_of(void* program, char const* size_name, char const* text_name) {
    std::size_t n = 0;
    nvrtc().find<int(void*, std::size_t*)>(size_name)(program, &n);
    std::string text(n, '\0');
    if (n) nvrtc().find<int(void*, char*)>(text_name)(program, text.data());
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
}

ptx_answer compile(ptx_request const& r) {
    std::vector<char const*> strings, names, options;
    for (auto const& [name, text] : r.headers) names.push_back(name.c_str()), strings.push_back(text.c_str());
    for (std::string const& o : r.options) options.push_back(o.c_str());
    void* program = nullptr;
    ptx_answer out;
    using create = int(void**, char const*, char const*, int, char const* const*, char const* const*);
    out.code = nvrtc().find<create>("nvrtcCreateProgram")(&program, r.text.c_str(), r.name.c_str(),
                                                          static_cast<int>(names.size()), strings.data(), names.data());
    if (out.code) return out;
    for (std::string const& e : r.expressions)
        nvrtc().find<int(void*, char const*)>("nvrtcAddNameExpression")(program, e.c_str());
    out.code = nvrtc().find<int(void*, int, char const* const*)>("nvrtcCompileProgram")(
        program, static_cast<int>(options.size()), options.data());
    out.log = text_of(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
    if (out.code == 0) out.image = text_of(program, "nvrtcGetPTXSize", "nvrtcGetPTX");
    for (std::string const& e : r.expressions) {
        char const* name = nullptr;
        if (out.code == 0 &&
            nvrtc().find<int(void*, char const*, char const**)>("nvrtcGetLoweredName")(program, e.c_str(), &name) == 0)
            out.names.emplace_back(name);
    }
    nvrtc().find<int(void**)>("nvrtcDestroyProgram")(&program);
    return out;
}

}  // namespace

void open_compiler() { nvrtc(); }

ptx_answer compile_to_ptx(ptx_request const& request, std::string const& folder) {
    constexpr int internal_error = 11;
    if (!nvrtc().library) return {internal_error, "", "NVRTC: " + nvrtc().problem, {}};
    ptx_request r = request;
    for (std::string& o : r.options)
        if (auto const at = o.find("=sm_"); at != o.npos) o.replace(at, 4, "=compute_");
    fs::path const file = fs::path(folder) / "ptx" / (key_of(r) + ".ptx");
    ptx_answer out;
    if (read_kept(file, out)) return out;
    out = compile(r);
    if (out.code == 0) keep(file, out);
    return out;
}

}  // namespace bascule::fake

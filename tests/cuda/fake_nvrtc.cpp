// The compiler of the fake driver: g++ with the emulation header in front. Its "cubin" is the path of a shared object.
//   BASCULE_FAKE_CUDA_CACHE=folder         where they are kept by a hash of source and headers (this library's folder)
//   BASCULE_FAKE_CUDA_MUTATE=file:k        leaves out the k-th __syncthreads() of a header: a test of the tests
//   BASCULE_FAKE_CUDA_PLANT=...            three lines: the end of a header's name, or `options`; a text of it; the
//                                          text in its place; or a name, `file`, and a file that is read in place of
//                                          the header. For kernels of PTX
//   BASCULE_FAKE_CUDA_FLAGS=...            further flags of the compiler
//   BASCULE_FAKE_CUDA_NVRTC_HOLD=file      compilations wait until the file is gone, a minute at most
#include "fake_ptx.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backend/emulation/host_compiler.hpp"

namespace bascule::fake {

std::string hash_of(std::string const& text) {
    unsigned long long h = 0xcbf29ce484222325ull;
    for (unsigned char c : text) h = (h ^ c) * 0x100000001b3ull;
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", h);
    return digits;
}

namespace {

namespace fs = std::filesystem;
// A GPU has a fused multiply-add; libm's replaces it, so that formulas with fma() have the same bits.
constexpr char const* flags = "-std=c++20 -O1 -fPIC -w -ffp-contract=off -fno-math-errno -fno-gnu-unique -D__FMA__=1 "
                              "-fsanitize=alignment -fsanitize-undefined-trap-on-error ";

struct program {
    std::string name, text;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string image, log;
    std::vector<std::string> expressions, labels;
};
constexpr char const* mark = "bascule emulated kernel: ";

std::string setting(char const* name, std::string otherwise) {
    char const* text = std::getenv(name);
    return text ? text : otherwise;
}
std::string compiler() { return "g++ " + std::string(flags) + setting("BASCULE_FAKE_CUDA_FLAGS", "") + " "; }

fs::path cache() { return setting("BASCULE_FAKE_CUDA_CACHE", BASCULE_FAKE_CUDA_DEFAULT_CACHE); }

std::string read(fs::path const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void write(fs::path const& file, std::string const& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

void leave_out(std::string& text, int k) {
    std::string const barrier = "__syncthreads();";
    std::size_t at = text.find(barrier);
    while (at != std::string::npos && --k > 0) at = text.find(barrier, at + 1);
    if (at != std::string::npos) text.erase(at, barrier.size());
}

// False: what is to be replaced is not there.
bool plant(program& p, std::vector<std::string>& options) {
    std::string const what = setting("BASCULE_FAKE_CUDA_PLANT", "");
    std::size_t const first = what.find('\n'), second = what.find('\n', first + 1);
    if (first == what.npos || second == what.npos) return what.empty();
    std::string const file = what.substr(0, first), old = what.substr(first + 1, second - first - 1),
                      instead = what.substr(second + 1);
    bool found = false;
    auto const replace = [&](std::string& text) {
        for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at + instead.size()))
            text.replace(at, old.size(), instead), found = true;
    };
    for (auto& [name, text] : p.headers)
        if (name.ends_with("/" + file) && old == "file") text = read(instead), found = true;
        else if (name.ends_with(file)) replace(text);
    for (std::string& o : options)
        if (file == "options") replace(o);
    return found;
}

void mutate(program& p) {
    std::string const which = setting("BASCULE_FAKE_CUDA_MUTATE", "");
    std::size_t const colon = which.find(':');
    if (colon == std::string::npos) return;
    for (auto& [name, text] : p.headers)
        if (name.ends_with(which.substr(0, colon))) leave_out(text, std::atoi(which.c_str() + colon + 1));
}

class file_lock {
public:
    explicit file_lock(fs::path const& path) {
        fs::create_directories(path.parent_path());
        file_ = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
    }
    ~file_lock() { close(file_); }
    file_lock(file_lock const&) = delete;
    file_lock& operator=(file_lock const&) = delete;

private:
    int file_;
};

// The headers as files, and one header that includes all kernels (and so the headers they use), compiled ahead once.
fs::path header_folder(program const& p) {
    std::string all = read(BASCULE_EMULATION_HEADER) + compiler();
    for (auto const& [name, text] : p.headers) all += name + '\0' + text + '\0';
    fs::path const folder = cache() / ("headers-" + hash_of(all));
    if (fs::exists(folder / "complete")) return folder;
    file_lock const alone(cache() / "lock");  // of processes that came here together one compiles
    if (fs::exists(folder / "complete")) return folder;
    std::string prelude = "#include \"cuda_emulation.hpp\"\n";
    write(folder / "cuda_emulation.hpp", read(BASCULE_EMULATION_HEADER));
    for (auto const& [name, text] : p.headers) {
        write(folder / name, text);
        if (name.ends_with(".cuh")) prelude += "#include \"" + name + "\"\n";
    }
    write(folder / "prelude.hpp", prelude);
    std::string const at = folder.string();
    int const code = std::system((compiler() + "-x c++-header -I" + at + " " + at + "/prelude.hpp -o " + at +
                                  "/prelude.hpp.gch 2>" + at + "/log")
                                     .c_str());
    if (code == 0) write(folder / "complete", "");
    return folder;
}

std::string source_of(program const& p) {
    std::string source = "#line 1 \"bascule.cu\"\n" + p.text + "\nBASCULE_EMULATED_UNIT\nnamespace bascule::cuda {\n";
    std::regex const kernel("__global__\\s+void\\s+(\\w+)\\s*\\(");
    for (std::sregex_iterator i(p.text.begin(), p.text.end(), kernel), end; i != end; ++i)
        source += "BASCULE_EMULATED_KERNEL(" + (*i)[1].str() + ")\n";
    return source + "}\n";
}

std::mutex one_at_a_time;
std::atomic<int> compiled_count = 0;
std::set<std::string> kernels_asked_for;  // by hash of text and headers

int compile(program& p) {
    mutate(p);
    fs::path const headers = header_folder(p);
    if (!fs::exists(headers / "complete")) {
        p.log = read(headers / "log");
        return 6;
    }
    std::string const source = source_of(p), key = hash_of(headers.string() + source);
    kernels_asked_for.insert(key);
    // Processes may compile the same kernel at once: each writes files of its own, and the last one's library stays.
    std::string const base = (cache() / "kernels" / key).string(), own = base + "." + std::to_string(getpid());
    std::string const library = base + ".so", part = own + ".so";
    p.image = mark + library;
    if (fs::exists(library)) return 0;
    write(own + ".cpp", source);
    int const code = std::system((compiler() + "-shared -I" + headers.string() + " -include " + headers.string() +
                                  "/prelude.hpp " + own + ".cpp -o " + part + " 2>" + own + ".log")
                                     .c_str());
    p.log = read(own + ".log");
    if (code != 0) return 6;
    fs::rename(part, library);
    return 0;
}

// A user's program is compiled as on the CPU device.
int compile_users(program& p, int count, char const* const* options) {
    std::vector<char const*> expressions;
    for (auto const& e : p.expressions) expressions.push_back(e.c_str());
    program_source const source{.name = p.name.c_str(),
                                .text = p.text.c_str(),
                                .options = options,
                                .expressions = expressions.data(),
                                .option_count = count,
                                .expression_count = static_cast<std::int32_t>(expressions.size())};
    emulation::host_library const made = emulation::compile_for_host(
        source, cache().string(), {"-fsanitize=alignment", "-fsanitize-undefined-trap-on-error"});
    p.log = made.log;
    if (made.file.empty()) return 6;
    p.image = mark + made.file;
    for (std::size_t k = 0; k < expressions.size(); ++k) p.labels.push_back("bascule_expression_" + std::to_string(k));
    return 0;
}

// NVIDIA's own compiler, with the program's options as they are.
int compile_by_nvidia(program& p, int count, char const* const* options) {
    mutate(p);
    std::vector<std::string> words(options, options + count);
    if (!plant(p, words)) {
        p.log = "a planted change finds no place";
        return 6;
    }
    ptx_answer made = compile_to_ptx({p.name, p.text, p.headers, p.expressions, std::move(words)}, cache().string());
    p.image = std::move(made.image), p.log = std::move(made.log), p.labels = std::move(made.names);
    return made.code;
}

int hand_out(std::string const& text, char* out) {
    std::memcpy(out, text.c_str(), text.size() + 1);
    return 0;
}

}  // namespace
}  // namespace bascule::fake

using namespace bascule::fake;

EXPORTED int bascule_fake_compilations() { return compiled_count; }
EXPORTED int bascule_fake_kernels() { return static_cast<int>(kernels_asked_for.size()); }

EXPORTED int nvrtcVersion(int* major, int* minor) {
    if (runs_ptx()) open_compiler();
    char const* text = std::getenv("BASCULE_FAKE_CUDA_NVRTC_MAJOR");
    *major = text ? std::atoi(text) : 13;
    *minor = 0;
    return 0;
}
EXPORTED int nvrtcGetNumSupportedArchs(int* n) {
    *n = 2;
    return 0;
}
EXPORTED int nvrtcGetSupportedArchs(int* all) {
    all[0] = 80, all[1] = 90;
    return 0;
}
EXPORTED int nvrtcCreateProgram(program** out, char const* text, char const* name, int n, char const* const* strings,
                                char const* const* names) {
    *out = new program{name, text, {}, "", "", {}, {}};
    for (int i = 0; i < n; ++i) (*out)->headers.emplace_back(names[i], strings[i]);
    return 0;
}
EXPORTED int nvrtcCompileProgram(program* p, int count, char const* const* options) {
    static std::string const hold = setting("BASCULE_FAKE_CUDA_NVRTC_HOLD", "");
    for (int k = 0; k < 6000 && !hold.empty() && fs::exists(hold); ++k) usleep(10'000);
    std::lock_guard const lock(one_at_a_time);
    ++compiled_count;
    if (runs_ptx()) return compile_by_nvidia(*p, count, options);
    return p->name == "bascule.cu" ? compile(*p) : compile_users(*p, count, options);
}
EXPORTED int nvrtcAddNameExpression(program* p, char const* expression) {
    p->expressions.emplace_back(expression);
    return 0;
}
EXPORTED int nvrtcGetLoweredName(program* p, char const* expression, char const** out) {
    for (std::size_t k = 0; k < p->labels.size(); ++k)
        if (p->expressions[k] == expression) return *out = p->labels[k].c_str(), 0;
    return 10;
}
EXPORTED int nvrtcGetCUBINSize(program* p, std::size_t* n) {
    *n = p->image.size() + 1;
    return 0;
}
EXPORTED int nvrtcGetCUBIN(program* p, char* out) { return hand_out(p->image, out); }
EXPORTED int nvrtcGetPTXSize(program* p, std::size_t* n) { return nvrtcGetCUBINSize(p, n); }
EXPORTED int nvrtcGetPTX(program* p, char* out) { return hand_out(p->image, out); }
EXPORTED int nvrtcGetProgramLogSize(program* p, std::size_t* n) {
    *n = p->log.size() + 1;
    return 0;
}
EXPORTED int nvrtcGetProgramLog(program* p, char* out) { return hand_out(p->log, out); }
EXPORTED int nvrtcDestroyProgram(program** p) {
    delete std::exchange(*p, nullptr);
    return 0;
}

#include "backend/emulation/host_compiler.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include "backend/emulation/kernel_text.hpp"
#include "bascule_emulation_headers.inc"

extern char** environ;

namespace bascule::emulation {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash_from(std::string const& text, std::uint64_t seed) {
    std::uint64_t h = seed;
    for (unsigned char const c : text) h = (h ^ c) * 0x100000001b3ull;
    return h ^ (h >> 29);
}
std::string name_of(std::string const& text) {
    char digits[33];
    std::snprintf(digits, sizeof digits, "%016llx%016llx",
                  static_cast<unsigned long long>(hash_from(text, 0xcbf29ce484222325ull)),
                  static_cast<unsigned long long>(hash_from(text, 0x9e3779b97f4a7c15ull)));
    return digits;
}

std::string read(fs::path const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Written whole or not at all, even if other processes write the same file.
bool put(fs::path const& file, std::string const& text) {
    static std::atomic<int> writes = 0;
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    fs::path const part = file.string() + "." + std::to_string(getpid()) + "." + std::to_string(writes++);
    bool const written = (std::ofstream(part, std::ios::binary) << text).flush().good();
    if (written) fs::rename(part, file, problem);
    if (!written || problem) fs::remove(part, problem);
    return fs::exists(file, problem);
}

bool is_executable(std::string const& file) {
    if (file.find('/') != file.npos) return access(file.c_str(), X_OK) == 0;
    char const* const path = std::getenv("PATH");
    std::string_view rest = path ? path : "/usr/bin:/bin";
    for (;;) {
        std::string_view const folder = rest.substr(0, rest.find(':'));
        if (access((std::string(folder.empty() ? "." : folder) + "/" + file).c_str(), X_OK) == 0) return true;
        if (folder.size() == rest.size()) return false;
        rest.remove_prefix(folder.size() + 1);
    }
}

// $BASCULE_CXX alone if it is set.
std::string compiler() {
    if (char const* const asked = std::getenv("BASCULE_CXX"); asked && *asked) return is_executable(asked) ? asked : "";
    for (char const* known : {"g++", "clang++", "c++"})
        if (is_executable(known)) return known;
    return "";
}

// 0: it ran and said yes.
int run(std::vector<std::string> const& command, std::string const& log) {
    std::vector<char*> arguments;
    for (std::string const& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    pid_t child = 0;
    int const started = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (started != 0) return started;
    int code = 0;
    while (waitpid(child, &code, 0) < 0)
        if (errno != EINTR) return errno;
    return code;
}

// A GPU has a fused multiply-add; libm's replaces it, so that formulas with fma() have the same bits.
std::vector<std::string> flags_of(std::string const& cxx) {
    std::vector<std::string> all = {
        "-x",         "c++", "-std=c++20", "-O1", "-fPIC", "-shared", "-w", "-ffp-contract=off", "-fno-math-errno",
        "-D__FMA__=1"};
    if (cxx.find("clang") == cxx.npos) all.emplace_back("-fno-gnu-unique");
    return all;
}

std::vector<std::string> strings(char const* const* all, std::int32_t count) { return {all, all + count}; }

// A folder of this process alone, if none is kept; it is removed at the end of the process, but not of a forked child.
class passing_folder {
public:
    passing_folder() : name_((fs::temp_directory_path() / "bascule-XXXXXX").string()) {
        if (!mkdtemp(name_.data())) name_.clear();
    }
    ~passing_folder() {
        std::error_code ignored;
        if (!name_.empty() && maker_ == getpid()) fs::remove_all(name_, ignored);
    }
    passing_folder(passing_folder const&) = delete;
    passing_folder& operator=(passing_folder const&) = delete;
    std::string const& name() const { return name_; }

private:
    std::string name_;
    pid_t maker_ = getpid();
};
std::string const& folder_that_passes() {
    static passing_folder const folder;
    return folder.name();
}

std::string headers_in(std::string const& folder) {
    std::string all;
    for (auto const& h : cuda::embedded_headers) all += std::string(h.name) + '\n' + h.text;
    fs::path const place = fs::path(folder) / ("headers-" + name_of(all));
    std::string const front =
        "#include \"backend/emulation/cuda_emulation.hpp\"\n#include \"backend/emulation/cuda_library.hpp\"\n";
    bool written = true;
    for (auto const& h : cuda::embedded_headers)
        written = written && (fs::exists(place / h.name) || put(place / h.name, h.text));
    written = written && (fs::exists(place / "front.hpp") || put(place / "front.hpp", front));
    return written ? place.string() : "";
}

// Whether a program may include files of the user's own.
bool reads_files(std::string const& text, std::vector<std::string> const& options) {
    auto const names_files = [](std::string const& o) { return o.starts_with("-I") || o.starts_with("-include"); };
    return std::any_of(options.begin(), options.end(), names_files) || text.find("include \"") != std::string::npos;
}

}  // namespace

host_library compile_for_host(program_source const& source, std::string const& given_folder,
                              std::vector<std::string> const& further) {
    std::string const cxx = compiler();
    if (cxx.empty())
        return {"",
                "programs in CUDA C++ run on the CPU where a C++ compiler is, and none was found: install g++ or "
                "clang++, or "
                "name one by BASCULE_CXX",
                true};
    std::string unknown;
    std::vector<std::string> const options = host_options(strings(source.options, source.option_count), unknown);
    if (!unknown.empty()) return {"", "unknown option " + unknown, false};
    std::string const folder = (given_folder.empty() ? folder_that_passes() : given_folder) + "/emulated";
    std::string const headers = headers_in(folder);
    if (headers.empty())
        return {"", "the folder " + folder + " cannot be written: name another by BASCULE_CACHE_DIR", true};

    std::string const text = host_text(source.name, source.text, strings(source.expressions, source.expression_count));
    std::vector<std::string> command = {cxx};
    for (auto const& f : flags_of(cxx)) command.push_back(f);
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"-I" + headers, "-include", headers + "/front.hpp"});
    command.insert(command.end(), further.begin(), further.end());
    std::string key = text;
    for (auto const& word : command) key += '\n' + word;
    static std::atomic<int> made = 0;
    std::string const own = folder + "/" + name_of(key) + "." + std::to_string(getpid()) + "." + std::to_string(made++);
    std::string const unwritable = "the folder " + folder + " cannot be written: name another by BASCULE_CACHE_DIR";
    auto const clean = [&] {
        for (char const* rest : {".cpp", ".log", ".so", ".ii"}) {
            std::error_code ignored;
            fs::remove(own + rest, ignored);
        }
    };
    if (reads_files(source.text, options)) {  // files may change unnoticed: their contents are part of the key
        if (!put(own + ".cpp", text)) return {"", unwritable, true};
        std::vector<std::string> preprocess = command;
        preprocess.insert(preprocess.end(), {"-E", "-P", own + ".cpp", "-o", own + ".ii"});
        if (run(preprocess, own + ".log") == 0) key += read(own + ".ii");
        clean();
    }
    std::string const library = folder + "/" + name_of(key) + ".so";
    std::error_code problem;
    if (fs::exists(library, problem)) return {library, "", false};

    if (!put(own + ".cpp", text)) return {"", unwritable, true};
    command.insert(command.end(), {own + ".cpp", "-o", own + ".so"});
    int const code = run(command, own + ".log");
    std::string log = read(own + ".log");
    if (code == 0) fs::rename(own + ".so", library, problem);
    clean();
    if (code == 0 && !problem) return {library, log, false};
    if (log.empty()) log = cxx + " ended with " + std::to_string(code);
    return {"", log, false};
}

}  // namespace bascule::emulation

#include "backend/cuda/libraries/toolkit.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

#include "backend/cuda/driver/failure.hpp"

namespace bascule::cuda::libraries {
namespace {

struct place {
    std::vector<std::string> directories;
    int driver_major = 0;
};
place& where() {
    static auto* p = new place;
    return *p;
}

// A library as it is looked for, with its own major versions in CUDA 12 and 13.
struct wanted {
    char const *name, *file, *variable, *package;
    int of_12, of_13;
};
constexpr wanted blas{"cuBLAS", "libcublas.so.", "BASCULE_CUBLAS", "nvidia-cublas", 12, 13};
constexpr wanted solver{"cuSOLVER", "libcusolver.so.", "BASCULE_CUSOLVER", "nvidia-cusolver", 11, 12};
constexpr wanted fourier{"cuFFT", "libcufft.so.", "BASCULE_CUFFT", "nvidia-cufft", 11, 12};
constexpr wanted sparse{"cuSPARSE", "libcusparse.so.", "BASCULE_CUSPARSE", "nvidia-cusparse", 12, 12};
constexpr int oldest_cuda = 12;

int own_version(wanted const& w, int cuda) { return cuda <= 12 ? w.of_12 + cuda - 12 : w.of_13 + cuda - 13; }

// The version of CUDA that a library is part of. cuSPARSE is 12 in both, from 12.6 on in CUDA 13.
int cuda_of(wanted const& w, int major, int minor) {
    if (w.of_12 == w.of_13 && major == w.of_13) return minor < 6 ? 12 : 13;
    return 13 + major - w.of_13;
}

std::string numbered(char const* file, int version) { return file + std::to_string(version); }

// The folders first, then the loader's own path.
std::vector<std::string> candidates(wanted const& w) {
    if (char const* const asked = std::getenv(w.variable); asked && *asked) return {asked};
    std::vector<std::string> all;
    for (int cuda = where().driver_major; cuda >= oldest_cuda; --cuda) {
        std::string const file = numbered(w.file, own_version(w, cuda));
        for (std::string const& d : where().directories) all.push_back(d + "/" + file);
        all.push_back(file);
    }
    return all;
}

// The dependencies of a library may be in another package's folder. Once open they are found by their names; the loader
// searches for any that is not there.
void open_dependencies(wanted const& w) {
    int const cuda = where().driver_major;
    std::vector<std::string> files;
    if (&w == &solver || &w == &sparse) files.push_back(numbered("libnvJitLink.so.", cuda));
    if (&w == &solver) {
        files.push_back(numbered("libcublasLt.so.", cuda));
        for (wanted const* one : {&blas, &sparse}) files.push_back(numbered(one->file, own_version(*one, cuda)));
    }
    for (std::string const& file : files)
        for (std::string const& d : where().directories)
            if (std::string const path = d + "/" + file;
                access(path.c_str(), F_OK) == 0 && dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
                break;
}

template <class Api> std::string bind(void* library, Api& api) {
    std::string missing;
    auto const find = [&](auto& slot, char const* name, bool must) {
        slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(dlsym(library, name));
        if (!slot && must && missing.empty()) missing = name;
    };
    api.each([&](auto& slot, char const* name) { find(slot, name, true); });
    if constexpr (requires { api.geev; })
        api.each_of_newer_versions([&](auto& slot, char const* name) { find(slot, name, false); });
    return missing;
}

std::string remedy(wanted const& w) {
    int const major = where().driver_major >= 13 ? 13 : 12, own = own_version(w, major);
    return std::string("pip install '") + w.package + (major == 12 ? "-cu12" : "") + ">=" + std::to_string(own) + ",<" +
           std::to_string(own + 1) + "' (or 'bascule[cuda" + std::to_string(major) + "]', which has all of them)";
}

// Empty, or why the file is none that can be used.
template <class Api> std::string open_file(wanted const& w, std::string const& path, Api& api, std::string& version) {
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    if (std::string const missing = bind(library, api); !missing.empty()) return path + " lacks " + missing;
    int major = 0, minor = 0;
    if (api.property(major_version, &major) != 0 || api.property(minor_version, &minor) != 0)
        return path + " does not tell its version";
    version = std::to_string(major) + "." + std::to_string(minor);
    int const cuda = cuda_of(w, major, minor);
    if (cuda > where().driver_major) return path + " is version " + version + ", newer than the driver";
    if (cuda < oldest_cuda) return path + " is version " + version + ", too old";
    return {};
}

template <class Api> opened<Api> open(wanted const& w) {
    opened<Api> found;
    auto* const api = new Api{};
    std::string reasons;
    open_dependencies(w);
    for (std::string const& path : candidates(w)) {
        std::string const problem = open_file(w, path, *api, found.version);
        if (problem.empty()) {
            found.api = api;
            return found;
        }
        bool const lies_there = path.find('/') != path.npos && access(path.c_str(), F_OK) == 0;
        if (lies_there || std::getenv(w.variable)) reasons += "; " + problem;
    }
    delete api;
    found.why_not = std::string("NVIDIA's ") + w.name + " was not found in a version that the driver (CUDA " +
                    std::to_string(where().driver_major) + ") can run: " + remedy(w) + reasons;
    return found;
}

template <class Api> std::string said(char const* what, char const* name, opened<Api> const& l) {
    return l.api ? std::string(what) + " by " + name + " " + l.version : std::string("NO ") + name + ": " + l.why_not;
}

}  // namespace

void lie_in(std::vector<std::string> directories, int driver_version) {
    where() = {std::move(directories), driver_version / 1000};
}

opened<cublas_api> const& cublas() {
    static auto const* const once = new opened<cublas_api>(open<cublas_api>(blas));
    return *once;
}
opened<cusolver_api> const& cusolver() {
    static auto const* const once = new opened<cusolver_api>(open<cusolver_api>(solver));
    return *once;
}
opened<cufft_api> const& cufft() {
    static auto const* const once = new opened<cufft_api>(open<cufft_api>(fourier));
    return *once;
}
opened<cusparse_api> const& cusparse() {
    static auto const* const once = new opened<cusparse_api>(open<cusparse_api>(sparse));
    return *once;
}

std::string describe() {
    return said("products", blas.name, cublas()) + ", " + said("factors", solver.name, cusolver()) + ", " +
           said("transforms", fourier.name, cufft()) + ", " + said("sparse products", sparse.name, cusparse());
}

template <class Api> Api const& needed(opened<Api> const& library, char const* what) {
    if (library.api) return *library.api;
    throw failure{status::not_supported,
                  std::string("[cuda] ") + what + ": " + library.why_not +
                      "; .to_device(\"cpu\") brings the operands to where there is something else"};
}
template cublas_api const& needed(opened<cublas_api> const&, char const*);
template cusolver_api const& needed(opened<cusolver_api> const&, char const*);
template cufft_api const& needed(opened<cufft_api> const&, char const*);
template cusparse_api const& needed(opened<cusparse_api> const&, char const*);

void must(int status_of_library, int no_memory, char const* function) {
    if (status_of_library == 0) return;
    if (status_of_library == no_memory)
        throw failure{status::out_of_memory, std::string("[cuda] ") + function + ": no memory on the device"};
    throw failure{status::device_error,
                  std::string("[cuda] ") + function + " failed with status " + std::to_string(status_of_library)};
}

}  // namespace bascule::cuda::libraries

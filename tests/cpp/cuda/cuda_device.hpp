// The CUDA library under test, opened through its entry point. By default it sees the fake driver; with
// BASCULE_CUDA_TEST=device in the environment it sees the machine's own, and tests of the fake's powers are skipped.
#pragma once
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bascule/core/device_services.hpp"
#include "bascule/ops/aggregate.hpp"
#include "support/describe.hpp"
#include "support/program.hpp"

namespace bascule::testing {

inline bool on_real_device() {
    char const* where = std::getenv("BASCULE_CUDA_TEST");
    return where && std::string(where) == "device";
}

// The fake's own handles, in addition to those of the driver's interface.
struct fake_driver {
    void (*reset)();
    std::size_t (*bytes_in_use)();
    int (*calls)(char const* name);
    int (*compilations)();
    int (*kernels)();  // distinct ones of them
};

struct opened_library {
    status code = status::device_error;
    backend const* device = nullptr;
    void* handle = nullptr;
};

inline std::string cache_directory() {
    static std::string const folder = [] {
        std::string const path =
            (std::filesystem::temp_directory_path() / ("bascule-cuda-test-" + std::to_string(getpid()))).string();
        std::filesystem::create_directories(path);
        std::atexit([] {
            std::filesystem::remove_all(std::filesystem::temp_directory_path() /
                                        ("bascule-cuda-test-" + std::to_string(getpid())));
        });
        return path;
    }();
    return folder;
}

// The compiler of the emulation pauses while this file exists.
inline std::string hold_file() { return cache_directory() + "/hold"; }

// Folders of NVRTC other than the loader's own path; ends with null.
inline char const* const* toolkit_directories() {
    static std::vector<std::string> const folders = [] {
        std::vector<std::string> all;
        for (char const* home :
             std::initializer_list<char const*>{std::getenv("CUDA_HOME"), std::getenv("CUDA_PATH"), "/usr/local/cuda"})
            for (char const* lib : {"/lib64", "/lib"})
                if (home) all.push_back(std::string(home) + lib);
        return all;
    }();
    static std::vector<char const*> const list = [] {
        std::vector<char const*> all;
        for (auto const& f : folders) all.push_back(f.c_str());
        all.push_back(nullptr);
        return all;
    }();
    return list.data();
}

inline opened_library open_library(char const* path, host_api const& host) {
    opened_library lib;
    lib.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib.handle) {
        ADD_FAILURE() << dlerror();
        return lib;
    }
    auto const entry = reinterpret_cast<backend_entry>(dlsym(lib.handle, backend_entry_name));
    lib.code = entry(&host, &lib.device);
    return lib;
}

inline fake_driver& fake() {
    if (on_real_device()) throw std::logic_error("there is no fake driver here: the test is one of on_fake_cuda");
    static fake_driver driver = [] {
        void* const handle = dlopen(BASCULE_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
        fake_driver f{};
        f.reset = reinterpret_cast<void (*)()>(dlsym(handle, "bascule_fake_reset"));
        f.bytes_in_use = reinterpret_cast<std::size_t (*)()>(dlsym(handle, "bascule_fake_bytes_in_use"));
        f.calls = reinterpret_cast<int (*)(char const*)>(dlsym(handle, "bascule_fake_calls"));
        f.compilations = reinterpret_cast<int (*)()>(dlsym(handle, "bascule_fake_compilations"));
        f.kernels = reinterpret_cast<int (*)()>(dlsym(handle, "bascule_fake_kernels"));
        return f;
    }();
    return driver;
}

inline backend const& cuda() {
    static opened_library const lib = [] {
        if (!on_real_device()) {
            setenv("BASCULE_CUDA_DRIVER", BASCULE_FAKE_CUDA, 1);
            for (char const* library :
                 {"BASCULE_NVRTC", "BASCULE_CUBLAS", "BASCULE_CUSOLVER", "BASCULE_CUFFT", "BASCULE_CUSPARSE"})
                setenv(library, BASCULE_FAKE_CUDA, 1);
            setenv("BASCULE_CUDA_POOL", "exact", 1);  // so that the fake sees the end of every allocation
            setenv("BASCULE_FAKE_CUDA_NVRTC_HOLD", hold_file().c_str(), 1);
            setenv("BASCULE_CUDA_COMPILE", "wait", 1);  // so that the number of launches does not depend on time
        }
        static std::string const cache = cache_directory();
        host_api host;
        host.cache_directory = cache.c_str();
        host.library_directories = toolkit_directories();
        opened_library opened = open_library(BASCULE_CUDA_LIBRARY, host);
        if (opened.code != status::ok) ADD_FAILURE() << opened.device->last_error();
        return opened;
    }();
    return *lib.device;
}

// An environment variable for the time of a test.
class with_environment {
public:
    with_environment(char const* name, std::string const& value) : name_(name) {
        if (char const* earlier = std::getenv(name)) earlier_ = earlier;
        setenv(name, value.c_str(), 1);
    }
    ~with_environment() {
        if (earlier_) setenv(name_, earlier_->c_str(), 1);
        else unsetenv(name_);
    }
    with_environment(with_environment const&) = delete;
    with_environment& operator=(with_environment const&) = delete;

private:
    char const* name_;
    std::optional<std::string> earlier_;
};

// Starts and ends with an unharmed fake device that holds no memory. Tests of a fixture of this kind need the fake.
class on_cuda : public ::testing::Test {
protected:
    void SetUp() override {
        device = &cuda();
        if (on_real_device()) return;
        fake().reset();
        before_ = fake().bytes_in_use();
    }
    void TearDown() override {
        if (on_real_device()) return;
        fake().reset();
        device->synchronize(0, nullptr);
        device->trim(0);
        EXPECT_EQ(fake().bytes_in_use(), before_) << "device memory leaked";
    }
    backend const* device = nullptr;

private:
    std::size_t before_ = 0;
};

class on_fake_cuda : public on_cuda {
protected:
    void SetUp() override {
        if (on_real_device()) GTEST_SKIP() << "needs the fake driver";
        on_cuda::SetUp();
    }
};

// Compiling takes most of the time of tests on the fake driver, so a test program limits how many kernels it may
// compile.
class kernel_budget : public ::testing::Environment {
public:
    explicit kernel_budget(int most) : most_(most) {}
    void TearDown() override {
        if (on_real_device()) return;
        std::printf("distinct kernels: %d of at most %d\n", fake().kernels(), most_);
        EXPECT_LE(fake().kernels(), most_) << "share shapes and expressions between tests, or let kernels know less";
    }

private:
    int most_;
};

// Runs the program on the reference device and on CUDA; the bytes have to be equal, but any NaN is as good as another.
inline outcome expect_equal_bytes(program const& p) {
    outcome const expected = p.run_on(*reference_backend());
    outcome actual = p.run_on(cuda());
    EXPECT_EQ(expected.code, status::ok) << expected.error;
    EXPECT_EQ(actual.code, status::ok) << actual.error;
    EXPECT_EQ(actual.flags, expected.flags);
    auto const types = p.outputs();
    for (std::size_t i = 0; i < expected.outputs.size() && i < actual.outputs.size(); ++i) {
        std::string const difference = first_difference(types[i].dtype, expected.outputs[i], actual.outputs[i]);
        EXPECT_EQ(difference, "") << "output " << i << " of " << describe(p);
    }
    return actual;
}

inline program sum_of(std::int64_t n) {
    program p({n}, {1});
    std::vector<double> data(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = 1.0 / static_cast<double>(i + 1);
    p.reduce(ops::find_aggregate("sum"), p.input(data), type_id::float64);
    return p;
}

// A copy of the library opens as a library of its own: with other settings, and without harm to the one under test.
struct private_library {
    std::string path = (std::filesystem::temp_directory_path() /
                        ("bascule_cuda_" + std::to_string(getpid()) + "_" + std::to_string(counter++) + ".so"))
                           .string();
    opened_library opened;
    explicit private_library(host_api const& host) {
        std::filesystem::copy_file(BASCULE_CUDA_LIBRARY, path, std::filesystem::copy_options::overwrite_existing);
        opened = open_library(path.c_str(), host);
    }
    ~private_library() { std::filesystem::remove(path); }
    backend const& device() const { return *opened.device; }
    device_services const& services() const {
        return *reinterpret_cast<device_services_entry>(dlsym(opened.handle, device_services_name))();
    }
    static inline int counter = 0;
};

}  // namespace bascule::testing

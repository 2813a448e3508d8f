// NVIDIA's run-time compiler, opened at the first kernel and not before.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace bascule::cuda {

struct opaque_program;

struct compiled {
    std::string image;               // a cubin, or PTX where the compiler does not know the device's architecture yet
    std::string error;               // the compiler's log if it failed
    std::vector<std::string> names;  // of the requested expressions, in the image
};
struct program_text {
    char const* name;
    std::string text;
    std::vector<std::string> options, expressions;
};

class nvrtc {
public:
    // Takes $BASCULE_NVRTC (a file) if it is set, else looks in the given directories, then the loader's path, for a
    // major version that the driver can run. One that no longer compiles for a card of this capability is passed over
    // for an older one that does. Returns an empty string, or why none was found.
    std::string load(std::vector<std::string> const& directories, int driver_major, int oldest_capability);
    std::string version() const { return std::to_string(major_) + "." + std::to_string(minor_); }
    // The value of --gpu-architecture for a device of compute capability `capability` (90 for 9.0).
    std::string architecture(int capability) const;
    static std::string settings();                                                     // other than the architecture
    compiled compile(std::string const& text, std::string const& architecture) const;  // with settings()
    compiled compile(program_text const& p, std::string const& architecture) const;

private:
    std::string open(std::string const& path);
    std::string bind(void* library);
    bool compiles_for(int capability) const { return !architectures_.empty() && architectures_.front() <= capability; }
    std::string log(opaque_program*) const;
    std::string image(opaque_program*, bool ptx) const;

    int major_ = 0, minor_ = 0;
    std::vector<int> architectures_;

    int (*version_)(int*, int*) = nullptr;
    int (*count_architectures_)(int*) = nullptr;
    int (*list_architectures_)(int*) = nullptr;
    int (*create_)(opaque_program**, char const* text, char const* name, int, char const* const* headers,
                   char const* const* names) = nullptr;
    int (*compile_)(opaque_program*, int, char const* const*) = nullptr;
    int (*cubin_size_)(opaque_program*, std::size_t*) = nullptr;
    int (*cubin_)(opaque_program*, char*) = nullptr;
    int (*ptx_size_)(opaque_program*, std::size_t*) = nullptr;
    int (*ptx_)(opaque_program*, char*) = nullptr;
    int (*log_size_)(opaque_program*, std::size_t*) = nullptr;
    int (*log_)(opaque_program*, char*) = nullptr;
    int (*destroy_)(opaque_program**) = nullptr;
    int (*add_expression_)(opaque_program*, char const* expression) = nullptr;
    int (*lowered_name_)(opaque_program*, char const* expression, char const** name) = nullptr;
};

}  // namespace bascule::cuda

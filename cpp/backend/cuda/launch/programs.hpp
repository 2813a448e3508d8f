// Programs of the user's own: compiled by NVRTC, kept on disk, launched on any stream.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/cuda/device/device.hpp"

namespace bascule::cuda {

class user_program {
public:
    user_program(device& d, program_source const& source);

    struct function {
        function_handle handle;
        std::vector<std::int32_t> parameters;  // their bytes, 0 behind the last; empty: the driver does not say
    };
    function* find(char const* name);
    void global(char const* name, void** address, std::int64_t* bytes) const;

private:
    std::string name_in_image(char const* name) const;
    void load(program_text const& p);

    device& device_;
    module_handle module_ = nullptr;
    std::vector<std::string> expressions_, names_;
    std::mutex mutex_;
    std::unordered_map<std::string, std::unique_ptr<function>> functions_;
};

}  // namespace bascule::cuda

// Modules of PTX on the fake driver: NVIDIA's compiler makes them, tests/cuda/ptx runs them. On with
//   BASCULE_FAKE_CUDA_PTX=1           NVRTC is asked for PTX, and PTX is loaded
//   BASCULE_FAKE_CUDA_NVRTC=file      the compiler, libnvrtc.so
//   BASCULE_FAKE_CUDA_PTX_ORDER=k     blocks and warps run in an order drawn by this seed
//   BASCULE_FAKE_CUDA_PTX_DISTINCT=1  the counts have the sectors of memory that each launch touches, each once
//   BASCULE_FAKE_CUDA_PTX_COUNTS=file where a line for each kernel is appended when the process ends
#pragma once
#include "fake_driver.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bascule::fake {

bool runs_ptx();
bool is_ptx(char const* image);

// Codes of the driver, whose last message names an error in the PTX.
int load_ptx(char const* image, module& into);
int find_ptx(module const& in, char const* name, function& into);
bool find_ptx_variable(module const& in, char const* name, device_ptr& address, std::size_t& bytes);
std::function<void()> ptx_work(device& on, function const& f, unsigned const (&grid)[3], unsigned const (&threads)[3],
                               std::size_t dynamic_shared, void** given);
// The driver's code of an exception that a kernel's run has thrown; it is rethrown if it is none of the interpreter's.
int code_of_ptx_fault(std::string& message);

// A program for NVRTC, and its result: a code, PTX, the log, and the names of expressions.
struct ptx_request {
    std::string const &name, &text;
    std::vector<std::pair<std::string, std::string>> const& headers;
    std::vector<std::string> const& expressions;
    std::vector<std::string> options;
};
struct ptx_answer {
    int code = 0;
    std::string image{}, log{};
    std::vector<std::string> names{};
};
void open_compiler();  // which registers handlers of the process's end
// The name under which the result for a text is kept.
std::string hash_of(std::string const& text);
ptx_answer compile_to_ptx(ptx_request const& request, std::string const& folder);

}  // namespace bascule::fake

// A program in CUDA C++ made fit for a host compiler: what no macro of cuda_emulation.hpp can do.
#pragma once
#include <string>
#include <vector>

namespace bascule::emulation {

// `text` under the name `file`, followed by what makes its kernels known: those with C linkage by their names, and
// expression k as "bascule_expression_<k>". Lines keep their numbers.
std::string host_text(std::string const& file, std::string const& text, std::vector<std::string> const& expressions);

// The host compiler's options for those of NVRTC. Options that concern code for GPUs alone say nothing here; `unknown`
// becomes the first that nobody knows.
std::vector<std::string> host_options(std::vector<std::string> const& options, std::string& unknown);

}  // namespace bascule::emulation

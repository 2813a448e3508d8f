// A program in CUDA C++ rewritten for a host compiler: the changes that no macro of cuda_emulation.hpp can make.
#pragma once
#include <string>
#include <vector>

namespace bascule::emulation {

// `text` under the name `file`, followed by declarations that export its kernels: those with C linkage under their
// names, and expression k as "bascule_expression_<k>". Lines keep their numbers.
std::string host_text(std::string const& file, std::string const& text, std::vector<std::string> const& expressions);

// The host compiler's options for those of NVRTC. Options that concern only code for GPUs are ignored; `unknown`
// becomes the first option that is not known.
std::vector<std::string> host_options(std::vector<std::string> const& options, std::string& unknown);

}  // namespace bascule::emulation

// A program of the user's own, compiled by the host's C++ compiler.
#pragma once
#include <string>
#include <vector>

#include "bascule/core/backend.hpp"

namespace bascule::emulation {

struct host_library {
    std::string file;          // of the shared library; empty: there is none
    std::string log;           // of the compiler
    bool no_compiler = false;  // then `log` says what is missing
};

// Compiled once: what the folder holds of the same text is taken from there.
// `further` flags of the host compiler come last.
host_library compile_for_host(program_source const& source, std::string const& folder,
                              std::vector<std::string> const& further = {});

}  // namespace bascule::emulation

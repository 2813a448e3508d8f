// A program of the user's own, compiled by the host's C++ compiler.
#pragma once
#include <string>
#include <vector>

#include "bascule/core/backend.hpp"

namespace bascule::emulation {

struct host_library {
    std::string file;          // of the shared library; empty: there is none
    std::string log;           // of the compiler
    bool no_compiler = false;  // then `log` names the missing compiler
};

// Compiled once: a library of the same source is taken from the folder.
// `further` flags of the host compiler come last.
host_library compile_for_host(program_source const& source, std::string const& folder,
                              std::vector<std::string> const& further = {});

}  // namespace bascule::emulation

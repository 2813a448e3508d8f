// From a module's text to code: registers and symbols resolved, calls expanded where they are, each instruction with
// its handler.
#pragma once
#include "machine.hpp"

#include <map>
#include <memory>
#include <string>

namespace bascule::ptx {

class module {
public:
    // Throws a syntax_error where the text is not understood.
    explicit module(std::string_view text);
    // Null: there is no such kernel. An instruction without a handler is a syntax_error that names it.
    code const* kernel(std::string const& name);
    // The address and size of a global or constant variable.
    std::pair<std::uint64_t, std::size_t> variable_at(std::string const& name) const;
    region find(std::uint64_t address);

private:
    struct placed {
        std::uint64_t address;
        std::size_t bytes;
        std::unique_ptr<shadow> marks;
    };
    void place_variables();

    module_text text_;
    std::vector<std::uint64_t> storage_;
    std::map<std::string, placed> variables_;
    std::map<std::string, std::unique_ptr<code>> kernels_;
};

// `addresses`: of the module's global and constant variables.
std::unique_ptr<code> decode(module_text const& text, function const& entry,
                             std::map<std::string, std::uint64_t> const& addresses);

}  // namespace bascule::ptx

#include "decode.hpp"

#include <cstring>

namespace bascule::ptx {
namespace {
std::size_t aligned(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }
}  // namespace

module::module(std::string_view text) :text_(parse(text)) { place_variables(); }

void module::place_variables() {
    auto const lies_here = [](variable const& v) { return v.space == space::global || v.space == space::constant; };
    std::size_t bytes = 0;
    std::vector<std::size_t> offsets;
    for (variable const& v : text_.variables) {
        // Space between them, so that an access behind one meets nothing.
        bytes = aligned(bytes + 16, std::max<std::size_t>(v.align, 16));
        offsets.push_back(bytes);
        if (lies_here(v)) bytes += v.bytes();
    }
    storage_.assign(bytes / 8 + 34, 0);
    std::uint64_t const base = aligned(reinterpret_cast<std::uint64_t>(storage_.data()), 256);
    for (std::size_t k = 0; k < offsets.size(); ++k) {
        variable const& v = text_.variables[k];
        if (lies_here(v))
            variables_[v.name] = {base + offsets[k], v.bytes(), std::make_unique<shadow>(v.bytes(), true)};
    }
    for (variable const& v : text_.variables) {
        if (!lies_here(v)) continue;
        char* to = reinterpret_cast<char*>(variables_.at(v.name).address);
        for (initial_value const& value : v.values) {
            std::uint64_t bits = value.bits;
            if (!value.symbol.empty()) {
                auto const found = variables_.find(value.symbol);
                if (found != variables_.end()) bits += found->second.address;
            }
            std::memcpy(to, &bits, v.element_bytes);
            to += v.element_bytes;
        }
    }
}

code const* module::kernel(std::string const& name) {
    auto& made = kernels_[name];
    if (made) return made.get();
    auto const found = text_.functions.find(name);
    if (found == text_.functions.end() || !found->second.is_entry) return nullptr;
    std::map<std::string, std::uint64_t> addresses;
    for (auto const& [of, v] : variables_) addresses[of] = v.address;
    made = decode(text_, found->second, addresses);
    return made.get();
}

std::pair<std::uint64_t, std::size_t> module::variable_at(std::string const& name) const {
    auto const found = variables_.find(name);
    if (found == variables_.end()) return {0, 0};
    return {found->second.address, found->second.bytes};
}

// Constants, too, may be written through their address by another kernel.
region module::find(std::uint64_t address) {
    for (auto const& [name, v] : variables_)
        if (address >= v.address && address < v.address + v.bytes)
            return {v.address, v.address + v.bytes, v.marks.get(), true};
    return {};
}

}  // namespace bascule::ptx

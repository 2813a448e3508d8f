#include "backend/cuda/compiler/embedded_headers.hpp"

#include <unordered_map>

#include "bascule_embedded_headers.inc"

namespace bascule::cuda {

header_list const& all_headers() {
    static header_list const list = [] {
        header_list all;
        for (embedded_header const& h : embedded_headers) all.names.push_back(h.name), all.strings.push_back(h.text);
        return all;
    }();
    return list;
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
    std::uint64_t h = seed;
    for (unsigned char c : text) h = (h ^ c) * 0x100000001b3ull;
    return h ^ (h >> 29);
}

std::uint64_t headers_hash() {
    static std::uint64_t const hash = [] {
        std::uint64_t h = hash_text("");
        for (embedded_header const& e : embedded_headers) h = hash_text(e.text, hash_text(e.name, h));
        return h;
    }();
    return hash;
}

namespace {

// The definitions of a header: "\nstruct name {", which templates and their specialisations do not look like.
void add_definitions(embedded_header const& h, std::unordered_map<std::string, char const*>& all) {
    constexpr std::string_view begin = "\nstruct ", end = " {";
    std::string_view const text = h.text;
    bool const aggregation = std::string_view(h.name).starts_with("bascule/ops/aggregate");
    for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
        std::string_view const name = text.substr(at + begin.size(), text.find(end, at) - at - begin.size());
        all.emplace((aggregation ? "bascule::ops::aggregate::" : "bascule::ops::") + std::string(name), h.name);
    }
}

}  // namespace

std::string header_of(std::string const& type) {
    static std::unordered_map<std::string, char const*> const definitions = [] {
        std::unordered_map<std::string, char const*> all;
        for (embedded_header const& h : embedded_headers)
            if (std::string_view(h.name).starts_with("bascule/ops/")) add_definitions(h, all);
        return all;
    }();
    auto const found = definitions.find(type);
    return found == definitions.end() ? "backend/cuda/kernels/ops.cuh" : found->second;
}

}  // namespace bascule::cuda

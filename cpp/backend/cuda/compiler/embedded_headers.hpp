// The headers that kernels are compiled with, which travel inside the library.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bascule::cuda {

struct header_list {
    std::vector<char const*> names, strings;  // named as they are included
};
header_list const& all_headers();

// A hash of all of them: part of the key of every cached kernel.
std::uint64_t headers_hash();
std::uint64_t hash_text(std::string_view, std::uint64_t seed = 0xcbf29ce484222325ull);

// The name of the header that defines an op's or an aggregation's type, "bascule::ops::add" say; of all of them where
// none is found.
std::string header_of(std::string const& type);

}  // namespace bascule::cuda

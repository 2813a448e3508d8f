// Compiled kernels as files, shared by all processes that name the same folder. A failing cache is never an error:
// images that cannot be read are compiled again, images that cannot be written are not kept.
#pragma once
#include <string>

namespace bascule::cuda {

class disk_cache {
public:
    explicit disk_cache(std::string folder) : folder_(std::move(folder)) {}  // empty: nothing is kept

    // The image that was kept under this key; empty if there is none, or its file is damaged.
    std::string read(std::string const& key) const;
    void write(std::string const& key, std::string const& image) const;

private:
    std::string file_of(std::string const& key) const;

    std::string folder_;
};

}  // namespace bascule::cuda

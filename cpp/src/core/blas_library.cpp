#include "bascule/core/blas_library.hpp"

#include <cstdlib>
#include <mutex>

namespace bascule {
namespace {

struct named_file {
    std::mutex mutex;
    std::string file;
};
named_file& named() {
    static named_file* const one = new named_file;
    return *one;
}

}  // namespace

void set_blas_library(std::string file) {
    std::lock_guard const lock(named().mutex);
    named().file = std::move(file);
}

std::vector<std::string> blas_library_files() {
    if (char const* const asked = std::getenv("BASCULE_OPENBLAS"); asked != nullptr && *asked != '\0') return {asked};
    std::vector<std::string> files;
    std::lock_guard const lock(named().mutex);
    if (!named().file.empty()) files.push_back(named().file);
#ifdef BASCULE_OPENBLAS_BUILT_WITH
    files.emplace_back(BASCULE_OPENBLAS_BUILT_WITH);
#endif
    files.emplace_back("libopenblas.so.0");
    return files;
}

}  // namespace bascule

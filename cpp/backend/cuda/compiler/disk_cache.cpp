#include "backend/cuda/compiler/disk_cache.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "backend/cuda/compiler/embedded_headers.hpp"

namespace bascule::cuda {
namespace {

using open_file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string hexadecimal(std::uint64_t h) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(h));
    return digits;
}

std::string contents(std::string const& path) {
    open_file const file(std::fopen(path.c_str(), "rb"), std::fclose);
    std::string bytes;
    char piece[1 << 16];
    while (file) {
        std::size_t const n = std::fread(piece, 1, sizeof piece, file.get());
        bytes.append(piece, n);
        if (n < sizeof piece) return std::ferror(file.get()) ? "" : bytes;
    }
    return bytes;
}

bool put(std::string const& path, std::string const& bytes) {
    std::FILE* const file = std::fopen(path.c_str(), "wbx");
    if (!file) return false;
    bool const all = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    return (std::fclose(file) == 0) & all;
}

}  // namespace

std::string disk_cache::file_of(std::string const& key) const {
    return folder_ + "/cuda/" + hexadecimal(hash_text(key)) + ".cubin";
}

// A file is its full key, so that two sources with one hash cannot be mistaken for each other, the image's checksum,
// and the image.
std::string disk_cache::read(std::string const& key) const {
    if (folder_.empty()) return "";
    std::string const bytes = contents(file_of(key));
    std::size_t const start = key.size() + 17;
    if (bytes.size() <= start || bytes.compare(0, key.size(), key) != 0) return "";
    std::string image = bytes.substr(start);
    return bytes.compare(key.size(), 17, hexadecimal(hash_text(image)) + "\n") == 0 ? image : "";
}

// Written to a temporary file of a unique name in the same folder and renamed: a reader never sees half a file.
void disk_cache::write(std::string const& key, std::string const& image) const {
    if (folder_.empty()) return;
    static std::atomic<int> writes = 0;
    std::string const file = file_of(key),
                      part = file + "." + std::to_string(getpid()) + "." + std::to_string(writes++);
    std::error_code problem;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), problem);
    bool const written = put(part, key + hexadecimal(hash_text(image)) + "\n" + image);
    if (written) std::filesystem::rename(part, file, problem);
    if (!written || problem) std::filesystem::remove(part, problem);
}

}  // namespace bascule::cuda

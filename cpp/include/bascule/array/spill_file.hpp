// A file on disk that holds storages moved out of memory. It has no name, so that it vanishes when the process ends.
// Each written block has a checksum, against which it is verified when it is read back.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace bascule::spill {

class spill_file {
public:
    ~spill_file();
    // Throws value_error where no file can be made. A file that is open stays the one in use while it holds anything.
    void lie_in(std::string directory);
    // Room for so many bytes; -1: there is none, and `problem` says why.
    std::int64_t take(std::int64_t bytes, std::int64_t limit, std::string& problem);
    void give(std::int64_t at, std::int64_t bytes) noexcept;
    bool write(std::int64_t at, void const* from, std::int64_t bytes, std::string& problem) noexcept;
    bool read(std::int64_t at, void* to, std::int64_t bytes, std::string& problem) noexcept;

private:
    bool open(std::string& problem);
    int grow(std::int64_t end);  // 0, or the error of the system
    bool keeps_checksums(std::int64_t at, void const* from, std::int64_t bytes, std::string& problem) noexcept;
    bool has_checksums(std::int64_t at, void const* there, std::int64_t bytes, std::string& problem) const noexcept;

    std::string directory_;
    int file_ = -1;
    std::int64_t used_ = 0, end_ = 0, allocated_ = 0;
    std::map<std::int64_t, std::int64_t> free_;        // bytes by where they begin; neighbours are joined
    std::map<std::int64_t, std::uint64_t> checksums_;  // of blocks by where they begin
};

}  // namespace bascule::spill

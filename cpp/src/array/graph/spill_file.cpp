#include "bascule/array/spill_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

#include "bascule/core/error.hpp"
#include "bascule/core/system.hpp"

namespace bascule::spill {
namespace {

constexpr std::int64_t step = 4096;  // alignment of offsets and sizes
std::int64_t rounded(std::int64_t bytes) { return (bytes + step - 1) / step * step; }

// The file grows by so much at a time: many small extents take the file system long to allocate and to free.
constexpr std::int64_t growth = std::int64_t{32} << 20;

// Each block has a checksum; reads begin at the start of a block.
constexpr std::int64_t block = std::int64_t{1} << 20;

// Four words at a time, each by a step that no other word undoes.
std::uint64_t checksum(unsigned char const* p, std::int64_t bytes) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;
    std::uint64_t lanes[] = {1, 2, 3, 4};
    auto const take = [&lanes](unsigned char const* from) {
        std::uint64_t words[4];
        std::memcpy(words, from, sizeof words);
        for (int i = 0; i < 4; ++i) lanes[i] = std::rotl((lanes[i] ^ words[i]) * factor, 29);
    };
    std::int64_t done = 0;
    for (; done + 32 <= bytes; done += 32) take(p + done);
    unsigned char rest[32] = {};
    std::memcpy(rest, p + done, static_cast<std::size_t>(bytes - done));
    take(rest);
    std::uint64_t sum = static_cast<std::uint64_t>(bytes);
    for (std::uint64_t const lane : lanes) sum = std::rotl((sum ^ lane) * factor, 31);
    return sum;
}

template <class Of> bool each_block(std::int64_t at, void const* there, std::int64_t bytes, Of&& of) {
    auto const* from = static_cast<unsigned char const*>(there);
    for (std::int64_t done = 0; done < bytes; done += block)
        if (!of(at + done, checksum(from + done, std::min(block, bytes - done)))) return false;
    return true;
}

}  // namespace

spill_file::~spill_file() {
    if (file_ >= 0) ::close(file_);
}

void spill_file::lie_in(std::string directory) {
    struct stat found {};
    if (::stat(directory.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || ::access(directory.c_str(), W_OK) != 0)
        throw value_error("[spill] expected a directory that can be written to, got \"" + directory + "\"");
    if (directory == directory_) return;
    if (used_ == 0 && file_ >= 0) {
        ::close(file_);
        file_ = -1, end_ = allocated_ = 0;
        free_.clear();
        checksums_.clear();
    }
    directory_ = std::move(directory);
}

bool spill_file::open(std::string& problem) {
    if (file_ >= 0) return true;
    std::string name = directory_ + "/bascule-spill-XXXXXX";
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0) {
        problem = "no file can be made in " + directory_ + ": " + std::strerror(errno);
        return false;
    }
    ::unlink(name.c_str());
    return true;
}

int spill_file::grow(std::int64_t end) {
    if (end <= allocated_) return 0;
    std::int64_t const more = std::max(end - allocated_, growth);
    if (system::reserve_space(file_, allocated_, more) == 0) {
        allocated_ += more;
        return 0;
    }
    int const error = system::reserve_space(file_, allocated_, end - allocated_);  // the disk may have just enough
    if (error == 0) allocated_ = end;
    return error;
}

std::int64_t spill_file::take(std::int64_t bytes, std::int64_t limit, std::string& problem) {
    std::int64_t const size = rounded(bytes);
    if (used_ + size > limit) {
        problem = "the disk's share is full, " + std::to_string(used_) + " of " + std::to_string(limit) + " bytes";
        return -1;
    }
    if (!open(problem)) return -1;
    auto const fits = std::find_if(free_.begin(), free_.end(), [size](auto const& f) { return f.second >= size; });
    std::int64_t at = end_;
    if (fits != free_.end()) {
        at = fits->first;
        std::int64_t const left = fits->second - size;
        free_.erase(fits);
        if (left > 0) free_[at + size] = left;
    } else if (int const error = grow(end_ + size); error != 0) {
        problem = "the disk of " + directory_ + ": " + std::strerror(error);
        return -1;
    } else {
        end_ += size;
    }
    used_ += size;
    return at;
}

void spill_file::give(std::int64_t at, std::int64_t bytes) noexcept {
    std::int64_t size = rounded(bytes);
    checksums_.erase(checksums_.lower_bound(at), checksums_.lower_bound(at + size));
    used_ -= size;
    auto after = free_.lower_bound(at);
    if (after != free_.end() && at + size == after->first) {
        size += after->second;
        after = free_.erase(after);
    }
    if (after != free_.begin())
        if (auto const before = std::prev(after); before->first + before->second == at) {
            at = before->first, size += before->second;
            free_.erase(before);
        }
    if (at + size < end_) {
        free_[at] = size;
        return;
    }
    end_ = at;
    if (allocated_ - end_ >= growth && ::ftruncate(file_, end_) == 0) allocated_ = end_;  // the disk has it back
}

bool spill_file::keeps_checksums(std::int64_t at, void const* from, std::int64_t bytes, std::string& problem) noexcept {
    try {
        return each_block(at, from, bytes, [this](std::int64_t where, std::uint64_t sum) {
            checksums_[where] = sum;
            return true;
        });
    } catch (std::bad_alloc const&) {
        problem = "no memory for checksums";
        return false;
    }
}

bool spill_file::has_checksums(std::int64_t at, void const* there, std::int64_t bytes,
                               std::string& problem) const noexcept {
    bool const same = each_block(at, there, bytes, [this](std::int64_t where, std::uint64_t sum) {
        auto const known = checksums_.find(where);
        return known != checksums_.end() && known->second == sum;
    });
    if (!same)
        problem = "reading from the disk of " + directory_ +
                  ": it does not hold what was spilled there, a checksum differs";
    return same;
}

bool spill_file::write(std::int64_t at, void const* from, std::int64_t bytes, std::string& problem) noexcept {
    auto const* next = static_cast<char const*>(from);
    if (!keeps_checksums(at, from, bytes, problem)) return false;
    while (bytes > 0) {
        ssize_t const n = ::pwrite(file_, next, static_cast<std::size_t>(bytes), at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            problem = "writing to the disk of " + directory_ + ": " + std::strerror(errno);
            return false;
        }
        next += n, at += n, bytes -= n;
    }
    return true;
}

bool spill_file::read(std::int64_t at, void* to, std::int64_t bytes, std::string& problem) noexcept {
    auto* next = static_cast<char*>(to);
    for (std::int64_t done = 0; done < bytes;) {
        ssize_t const n = ::pread(file_, next + done, static_cast<std::size_t>(bytes - done), at + done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            problem = "reading from the disk of " + directory_ + ": " + (n < 0 ? std::strerror(errno) : "it is short");
            return false;
        }
        done += n;
    }
    return has_checksums(at, to, bytes, problem);
}

}  // namespace bascule::spill

#include "spill_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bascule/core/error.hpp"

namespace bascule::spill {
namespace {

constexpr std::int64_t step = 4096;  // of places and sizes
std::int64_t rounded(std::int64_t bytes) { return (bytes + step - 1) / step * step; }

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
        file_ = -1, end_ = 0;
        free_.clear();
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
    } else if (int const error = ::posix_fallocate(file_, end_, size); error != 0) {
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
    end_ = at;  // the disk has it back
    [[maybe_unused]] int const cut = ::ftruncate(file_, end_);
}

bool spill_file::write(std::int64_t at, void const* from, std::int64_t bytes, std::string& problem) noexcept {
    auto const* next = static_cast<char const*>(from);
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
    while (bytes > 0) {
        ssize_t const n = ::pread(file_, next, static_cast<std::size_t>(bytes), at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            problem = "reading from the disk of " + directory_ + ": " + (n < 0 ? std::strerror(errno) : "it is short");
            return false;
        }
        next += n, at += n, bytes -= n;
    }
    return true;
}

}  // namespace bascule::spill

// Memory outside of which every read or write faults.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace bascule {

// Memory between two protected pages: its bytes begin, or end, at one of them.
class guarded {
public:
    guarded(std::size_t bytes, bool at_end) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        std::size_t const inside = (bytes + page_ - 1) / page_ * page_;
        size_ = inside + 2 * page_;
        void* const all = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED) std::abort();
        all_ = static_cast<char*>(all);
        if (mprotect(all_ + page_, inside, PROT_READ | PROT_WRITE) != 0) std::abort();
        data = all_ + page_ + (at_end ? inside - bytes : 0);
    }
    ~guarded() { munmap(all_, size_); }
    guarded(guarded const&) = delete;
    guarded& operator=(guarded const&) = delete;
    char* data;

private:
    std::size_t page_, size_;
    char* all_;
};

}  // namespace bascule

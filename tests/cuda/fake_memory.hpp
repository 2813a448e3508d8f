// Device memory of the fake driver: host pages that nobody may touch except while a copy or a kernel runs. Each block ends
// at a page that faults; the bytes between its start and its page are filled and checked when it is freed.
#pragma once
#include <cstddef>
#include <map>
#include <string>

namespace bascule::fake {

class device_memory {
public:
    std::size_t allocate(std::size_t bytes);  // 0: the host has none
    // Empty, or what is wrong with the pointer or with the bytes around the block.
    std::string release(std::size_t p);
    bool contains(std::size_t p, std::size_t bytes) const;
    std::size_t used() const { return used_; }

    void open();   // counted
    void close();

private:
    struct block {
        std::size_t start, bytes, mapped;  // of the block; of its pages, guards excluded
        char* pages;
    };
    void protect(int rights) const;

    std::map<std::size_t, block> blocks_;
    std::size_t used_ = 0;
    int open_ = 0;
};

}  // namespace bascule::fake

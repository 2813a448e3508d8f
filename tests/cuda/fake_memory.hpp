// Device memory of the fake driver: host pages that nobody may touch. What a copy or a kernel of the device uses is
// opened block by block while it runs. Each block ends at a page that faults; the bytes between its start and its page
// are filled and checked when it is freed.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace bascule::fake {

class device_memory {
public:
    std::size_t allocate(std::size_t bytes);  // 0: the host has none
    // Empty, or what is wrong with the pointer or with the bytes around the block.
    std::string release(std::size_t p);
    bool contains(std::size_t p, std::size_t bytes) const;
    std::size_t used() const { return used_; }

    // Opens the block in which the address lies; false if there is none, or if it is open: then the access is at fault.
    bool open(std::size_t address);
    void close_all();

private:
    struct block {
        std::size_t start, bytes, mapped;  // of the block; of its pages, guards excluded
        char* pages;
        bool is_open = false;
    };
    block* block_at(std::size_t address);

    std::map<std::size_t, block> blocks_;
    std::vector<std::size_t> open_;  // starts of blocks
    std::size_t used_ = 0;
};

}  // namespace bascule::fake

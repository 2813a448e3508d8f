// Device memory of the fake driver: protected pages of the host. Blocks used by a copy or a kernel of the device are
// made accessible while it runs. Each block ends at a page that faults; the bytes between its start and its page are
// filled and checked when it is freed.
#pragma once
#include "ptx/machine.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bascule::fake {

struct stream;
// Of each stream, how much of its work was done before: a vector clock.
using order_clock = std::map<stream const*, long>;
// The last users of a block, and the times of that on their own clocks.
struct block_access {
    stream const* writer = nullptr;
    long written = 0;
    order_clock readers{};
};

class device_memory {
public:
    std::size_t allocate(std::size_t bytes);  // 0: the host has none
    // Empty, or the error of the pointer or of the bytes around the block.
    std::string release(std::size_t p);
    bool contains(std::size_t p, std::size_t bytes) const;
    std::size_t used() const { return used_; }

    // Makes the block of the address accessible, for reading first; null if there is none, or if it is accessible
    // already: then the access is at fault.
    block_access* open(std::size_t address, bool to_write);
    block_access* access_of(std::size_t address) { return block_at(address) ? &block_at(address)->access : nullptr; }
    void close_all();

    // The block of an address and who wrote its words, for kernels of PTX; empty if there is no block.
    ptx::region region_of(std::size_t address);
    void host_wrote(std::size_t address, std::size_t bytes);
    void host_wrote_all_of(std::size_t address);

private:
    struct block {
        std::size_t start, bytes, mapped;  // of the block; of its pages, guards excluded
        char* pages;
        bool is_open = false, is_open_to_write = false;
        block_access access{};
        std::unique_ptr<ptx::shadow> marks{};                        // made when a kernel first comes here
        std::vector<std::pair<std::size_t, std::size_t>> written{};  // by the host before
    };
    block* block_at(std::size_t address);

    std::map<std::size_t, block> blocks_;
    std::vector<std::size_t> open_;  // starts of blocks
    std::size_t used_ = 0;
};

}  // namespace bascule::fake

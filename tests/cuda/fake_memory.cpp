#include "fake_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace bascule::fake {
namespace {
constexpr std::size_t page = 4096, alignment = 16;
constexpr unsigned char fill = 0xA5;
std::size_t rounded(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }
}  // namespace

std::size_t device_memory::allocate(std::size_t bytes) {
    std::size_t const mapped = rounded(std::max<std::size_t>(bytes, 1), page);
    void* const all =
        mmap(nullptr, mapped + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return 0;
    std::memset(all, fill, mapped + 2 * page);
    mprotect(all, mapped + 2 * page, PROT_NONE);
    char* const pages = static_cast<char*>(all) + page;
    std::size_t const start = reinterpret_cast<std::size_t>(pages) + mapped -
                              rounded(std::max<std::size_t>(bytes, 1), alignment);
    blocks_[start] = block{start, bytes, mapped, pages};
    used_ += bytes;
    return start;
}

// The pages stay reserved and closed, so that a later use of the pointer faults.
std::string device_memory::release(std::size_t p) {
    auto found = blocks_.find(p);
    if (found == blocks_.end()) return "free of a pointer that is not allocated";
    block const b = std::move(found->second);
    mprotect(b.pages, b.mapped, PROT_READ);
    auto const* first = reinterpret_cast<unsigned char const*>(b.pages);
    auto const* start = reinterpret_cast<unsigned char const*>(b.start);
    auto const untouched = [](unsigned char c) { return c == fill; };
    bool const intact = std::all_of(first, start, untouched) &&
                        std::all_of(start + b.bytes, first + b.mapped, untouched);
    madvise(b.pages, b.mapped, MADV_DONTNEED);
    mprotect(b.pages, b.mapped, PROT_NONE);
    used_ -= b.bytes;
    blocks_.erase(found);
    return intact ? "" : "bytes beside a block of " + std::to_string(b.bytes) + " were written";
}

device_memory::block* device_memory::block_at(std::size_t address) {
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return nullptr;
    block& b = std::prev(after)->second;
    return address < b.start + std::max<std::size_t>(b.bytes, 1) ? &b : nullptr;
}

bool device_memory::contains(std::size_t p, std::size_t bytes) const {
    block const* b = const_cast<device_memory*>(this)->block_at(p);
    return b && p + bytes <= b->start + b->bytes;
}

block_access* device_memory::open(std::size_t address, bool to_write) {
    block* b = block_at(address);
    if (!b || (to_write ? b->is_open_to_write : b->is_open)) return nullptr;
    mprotect(b->pages, b->mapped, to_write ? PROT_READ | PROT_WRITE : PROT_READ);
    if (!b->is_open) open_.push_back(b->start);
    b->is_open = true, b->is_open_to_write = to_write;
    return &b->access;
}

void device_memory::close_all() {
    for (std::size_t start : open_) {
        block& b = blocks_.at(start);
        mprotect(b.pages, b.mapped, PROT_NONE);
        b.is_open = b.is_open_to_write = false;
    }
    open_.clear();
}

ptx::region device_memory::region_of(std::size_t address) {
    block* const b = block_at(address);
    if (!b) return {};
    if (!b->marks) {
        b->marks = std::make_unique<ptx::shadow>(b->bytes, false);
        for (auto const& [offset, bytes] : b->written) b->marks->host_wrote(offset, bytes);
        b->written.clear();
    }
    return {b->start, b->start + b->bytes, b->marks.get(), b->is_open_to_write};
}

void device_memory::host_wrote(std::size_t address, std::size_t bytes) {
    block* const b = block_at(address);
    if (!b) return;
    std::size_t const offset = address - b->start;
    if (b->marks) b->marks->host_wrote(offset, bytes);
    else if (!b->written.empty() && b->written.back() == std::pair{offset, bytes}) return;
    else b->written.emplace_back(offset, bytes);
}

void device_memory::host_wrote_all_of(std::size_t address) {
    if (block const* const b = block_at(address)) host_wrote(b->start, b->bytes);
}

}  // namespace bascule::fake

// Memory that a device's reader or writer allocates while it works; tasks may allocate at the same time.
#pragma once
#include <mutex>
#include <utility>
#include <vector>

#include "bascule/core/pool.hpp"

namespace bascule::io {

// Freed together, by the owner of the table or the text.
class block_list {
public:
    block_list() = default;
    block_list(block_list const&) = delete;
    block_list& operator=(block_list const&) = delete;
    ~block_list() {
        for (auto [p, bytes] : blocks_) host_pool().release(p, bytes);
    }

    static void* allocate(void* self, std::int64_t bytes) noexcept {
        auto& [guard, blocks] = *static_cast<block_list*>(self);
        std::lock_guard const lock(guard);
        try {
            blocks.emplace_back();  // before the memory, which would be lost without it
        } catch (...) { return nullptr; }
        void* const p = host_pool().allocate(bytes);
        if (p) blocks.back() = {p, bytes};
        else blocks.pop_back();
        return p;
    }
    static void release(void* self, void* p, std::int64_t bytes) noexcept {
        auto& [guard, blocks] = *static_cast<block_list*>(self);
        {
            std::lock_guard const lock(guard);
            std::erase(blocks, std::pair{p, bytes});
        }
        host_pool().release(p, bytes);
    }

private:
    std::mutex guard_;
    std::vector<std::pair<void*, std::int64_t>> blocks_;
};

}  // namespace bascule::io

// Work of a stream that is recorded as a graph. The graph runs with the addresses that it was recorded with, so memory
// that was allocated or released meanwhile returns to the pool when the graph is destroyed, and copied host memory is
// kept until then.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

#include "backend/cuda/driver/driver_api.hpp"
#include "backend/cuda/driver/memory_pool.hpp"

namespace bascule::cuda {

class recorded_graph {
public:
    executable_graph_handle executable = nullptr;

private:
    friend class captures;
    struct piece {
        void* p;
        std::int64_t bytes;
    };
    std::unordered_set<void*> allocated;  // while it was recorded
    std::vector<piece> parked;            // of the device's memory, released since
    std::vector<piece> host;              // pinned, the source of copies to the device
};

// Of one device: one stream at a time.
class captures {
public:
    captures(driver_api const& api, memory_pool& pool, memory_pool& pinned) : api_(api), pool_(pool), pinned_(pinned) {}

    void begin(stream_handle s);  // throws failure
    std::unique_ptr<recorded_graph> end(stream_handle s);
    void destroy(std::unique_ptr<recorded_graph> g);

    // Whether work submitted to this stream now is captured.
    bool records(stream_handle s) const { return s && stream_.load(std::memory_order_relaxed) == s; }
    // Whether the calling thread is recording, so that waiting for a value would be for something that does not run.
    bool by_this_thread() const {
        return stream_.load(std::memory_order_relaxed) && thread_ == std::this_thread::get_id();
    }
    // ---- memory of the device that is allocated and released
    void note_allocated(void* p);
    // True: a graph holds it from here on.
    bool park(void* p, std::int64_t bytes);
    // A copy that lives as long as the graph.
    void const* kept_copy(void const* from, std::int64_t bytes);

private:
    driver_api const& api_;
    memory_pool &pool_, &pinned_;
    std::atomic<stream_handle> stream_ = nullptr;
    std::thread::id thread_;
    std::atomic<int> graphs_ = 0;  // that live, the one under way included
    std::mutex mutex_;
    std::unique_ptr<recorded_graph> under_way_;
    std::vector<recorded_graph*> living_;
};

}  // namespace bascule::cuda

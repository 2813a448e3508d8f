// Handles of libraries: each belongs to one call, and so to one thread and one stream, for as long as the call runs,
// and is kept for the next. There are as many as the most calls that ran at once. They are never destroyed: at exit the
// driver may be unloaded before static objects are destroyed.
#pragma once
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/cuda/device/device.hpp"

namespace bascule::cuda::libraries {

template <class Handle, class Key = device const*> class handle_store {
public:
    // A free handle, or a new one from `make`.
    template <class Make> Handle take(Key const& key, Make&& make) {
        {
            std::lock_guard const lock(mutex_);
            auto& free = free_[key];
            if (!free.empty()) {
                Handle const h = free.back();
                free.pop_back();
                return h;
            }
        }
        return make();
    }
    void give_back(Key const& key, Handle h) {
        std::lock_guard const lock(mutex_);
        free_[key].push_back(h);
    }

private:
    std::mutex mutex_;
    std::map<Key, std::vector<Handle>> free_;
};

// While a stream is recorded the libraries make no handles: a free one of each that can be opened is made before.
void make_product_handle(device&);
void make_factor_handle(device&);
void make_sparse_handle(device&);

// A handle that cannot be made because the pool holds all memory of the device is made once the pool has let go of it.
template <class Create> int created(device& d, Create&& create) {
    d.make_current();
    int code = create();
    if (code != 0 && d.pool().trim() > 0) code = create();
    return code;
}

}  // namespace bascule::cuda::libraries

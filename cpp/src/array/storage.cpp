#include "bascule/array/storage.hpp"

#include <vector>

#include "bascule/array/graph.hpp"

namespace bascule {
namespace {

// Storages come and go with every operation on small arrays: a few are kept by each thread.
thread_local bool spare_gone = false;
struct free_list {
    static constexpr std::size_t capacity = 64;
    std::vector<void*> blocks;
    free_list() { blocks.reserve(capacity); }
    ~free_list() {
        spare_gone = true;  // other things of this thread may die later and hold storages
        for (void* p : blocks) ::operator delete (p, std::align_val_t{alignof(storage)});
    }
};
thread_local free_list spare;

void* take_block() {
    if (!spare_gone && !spare.blocks.empty()) {
        void* p = spare.blocks.back();
        spare.blocks.pop_back();
        return p;
    }
    return ::operator new (sizeof(storage), std::align_val_t{alignof(storage)});
}

void give_block(void* p) noexcept {
    if (!spare_gone && spare.blocks.size() < free_list::capacity) {
        spare.blocks.push_back(p);
        return;
    }
    ::operator delete (p, std::align_val_t{alignof(storage)});
}

}  // namespace

storage_ref storage::make(device where, std::int64_t bytes) {
    return storage_ref(new (take_block()) storage(where, bytes));
}

storage_ref storage::wrap(device where, void* data, std::int64_t bytes, void (*release)(void*), void* owner) {
    auto s = make(where, bytes);
    s->release_ = release, s->owner_ = owner;
    s->data_.store(static_cast<std::byte*>(data), std::memory_order_release);
    return s;
}

std::byte* storage::allocate() {
    if (bytes_ <= inline_bytes && where_.api->host_memory) return inline_;
    void* p = nullptr;
    throw_if(where_.api->allocate(where_.index, bytes_, &p), where_);
    return static_cast<std::byte*>(p);
}

void storage::discard(std::byte* p) noexcept {
    if (p && p != inline_) where_.api->release(where_.index, p, bytes_);
}

void storage::destroy(storage* s) noexcept {
    if (s->pending) graph::forget(s);  // only what is pending is in the graph's list
    if (s->release_) s->release_(s->owner_);
    else s->discard(s->data());
    s->pending.reset();
    s->~storage();
    give_block(s);
}

}  // namespace bascule

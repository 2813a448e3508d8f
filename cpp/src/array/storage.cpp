#include "bascule/array/storage.hpp"

#include <cstring>

#include "bascule/array/graph.hpp"

namespace bascule {
namespace {

// Storages come and go with every operation on small arrays: a few are kept by each thread, one linked to the next.
struct free_list {
    static constexpr int capacity = 64;
    void* first;
    int count;
    bool watched, gone;
};
thread_local constinit free_list spare{};

void free_block(void* p) noexcept { ::operator delete (p, std::align_val_t{alignof(storage)}); }

// Gives the list back when the thread ends; other things of the thread may die later and hold storages.
struct end_of_thread {
    ~end_of_thread() {
        spare.gone = true;
        while (void* const p = spare.first) {
            std::memcpy(&spare.first, p, sizeof(void*));
            free_block(p);
        }
    }
};
void watch_end() {
    [[maybe_unused]] static thread_local end_of_thread const watcher;
    spare.watched = true;
}

void* take_block() {
    free_list& list = spare;
    void* const p = list.first;
    if (!p) return ::operator new (sizeof(storage), std::align_val_t{alignof(storage)});
    std::memcpy(&list.first, p, sizeof(void*));
    --list.count;
    return p;
}

void give_block(void* p) noexcept {
    free_list& list = spare;
    if (list.gone || list.count == free_list::capacity) return free_block(p);
    if (!list.watched) watch_end();
    std::memcpy(p, &list.first, sizeof(void*));
    list.first = p;
    ++list.count;
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

bool storage::clear_if_alone() noexcept {
    if (references() != 1 || pending || release_ || !unsettled.empty()) return false;
    if (exports.load(std::memory_order_relaxed) != 0) return false;
    discard(data());
    data_.store(nullptr, std::memory_order_relaxed);
    if (!shape.empty()) shape = dims(), strides = dims();
    writeable = true, odd_truths = false;
    version = 0;
    return true;
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

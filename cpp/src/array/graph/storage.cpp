#include "bascule/array/storage.hpp"

#include <cstring>

#include "bascule/array/arguments.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/spill.hpp"

namespace bascule {
namespace {

// Storages and their pending operations come and go with every operation: blocks of a few are kept by each thread, one
// linked to the next.
template <class T> class spare_blocks {
public:
    static void* take() {
        list& kept = here;
        void* const p = kept.first;
        if (!p) return ::operator new (sizeof(T), std::align_val_t{alignof(T)});
        std::memcpy(&kept.first, p, sizeof(void*));
        --kept.count;
        return p;
    }
    static void give(void* p) noexcept {
        list& kept = here;
        if (kept.gone || kept.count == capacity) return free_block(p);
        if (!kept.watched) watch_end();
        std::memcpy(p, &kept.first, sizeof(void*));
        kept.first = p;
        ++kept.count;
    }

private:
    static constexpr int capacity = 64;
    struct list {
        void* first;
        int count;
        bool watched, gone;
    };
    static inline thread_local constinit list here{};

    static void free_block(void* p) noexcept { ::operator delete (p, std::align_val_t{alignof(T)}); }

    // Gives the list back when the thread ends; other thread-local objects may be destroyed later and own objects of
    // type T.
    struct end_of_thread {
        ~end_of_thread() {
            here.gone = true;
            while (void* const p = here.first) {
                std::memcpy(&here.first, p, sizeof(void*));
                free_block(p);
            }
        }
    };
    static void watch_end() {
        [[maybe_unused]] static thread_local end_of_thread const watcher;
        here.watched = true;
    }
};

}  // namespace

void* pending_operation::operator new(std::size_t) { return spare_blocks<pending_operation>::take(); }
void pending_operation::operator delete(void* p) noexcept { spare_blocks<pending_operation>::give(p); }

storage_ref storage::make(device where, std::int64_t bytes) {
    return storage_ref(new (spare_blocks<storage>::take()) storage(where, bytes));
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
    status const done = where_.api->allocate(where_.index, bytes_, &p);
    if (done == status::out_of_memory && pending)
        throw memory_error(arguments::no_memory_for(shape, make_dtype(pending->result)) + spill::why_nothing_moves());
    throw_if(done, where_);
    return static_cast<std::byte*>(p);
}

void storage::discard(std::byte* p) noexcept {
    if (p && p != inline_) where_.api->release(where_.index, p, bytes_);
}

bool storage::clear_if_alone() noexcept {
    if (references() != 1 || pending || release_ || !unsettled.empty()) return false;
    if (exports.load(std::memory_order_relaxed) != 0) return false;
    if (may_be_moved) spill::forget(this);
    discard(data());
    data_.store(nullptr, std::memory_order_relaxed);
    if (!shape.empty()) shape = dims(), strides = dims();
    writeable = true, noncanonical_bools = false;
    version = 0;
    return true;
}

void storage::destroy(storage* s) noexcept {
    if (s->pending) graph::forget(s);  // only pending storages are in the graph's list
    if (s->may_be_moved) spill::forget(s);
    // Another library reuses its memory, or still reads ours, on streams that do not wait for the device's own.
    if (s->release_) {
        order_streams(s->where_, legacy_stream, nullptr);
        s->release_(s->owner_);
    } else {
        if (s->exports.load(std::memory_order_relaxed) != 0) order_streams(s->where_, nullptr, legacy_stream);
        s->discard(s->data());
    }
    s->pending.reset();
    s->~storage();
    spare_blocks<storage>::give(s);
}

}  // namespace bascule

// Temporary memory and parallel loops of the grouping algorithms: here failure is thrown; the entry points turn it into
// a status.
#pragma once
#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include "bascule/core/pool.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::chunked {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

// An uninitialised array from the pool.
template <class T> class scratch {
public:
    scratch() = default;
    explicit scratch(i64 n) : size_(n) {
        if (n > 0 && (p_ = static_cast<T*>(host_pool().allocate(bytes()))) == nullptr) throw std::bad_alloc();
    }
    scratch(scratch&& o) noexcept : p_(std::exchange(o.p_, nullptr)), size_(std::exchange(o.size_, 0)) {}
    scratch& operator=(scratch&& o) noexcept {
        std::swap(p_, o.p_);
        std::swap(size_, o.size_);
        return *this;
    }
    ~scratch() {
        if (p_ != nullptr) host_pool().release(p_, bytes());
    }
    T* data() const noexcept { return p_; }
    i64 size() const noexcept { return size_; }
    T& operator[](i64 i) const noexcept { return p_[i]; }
    void fill_bytes(int value) const noexcept {
        if (size_ > 0) std::memset(static_cast<void*>(p_), value, static_cast<std::size_t>(bytes()));
    }

private:
    i64 bytes() const noexcept { return size_ * static_cast<i64>(sizeof(T)); }
    T* p_ = nullptr;
    i64 size_ = 0;
};

// Runs body(task) for each task; a failed allocation in any of them is thrown again here.
template <class F> void for_each_task(i64 tasks, F const& body) {
    std::atomic<bool> failed{false};
    sched::parallel_for(tasks, tasks > 1, [&](i64 task) {
        try {
            body(task);
        } catch (std::bad_alloc const&) { failed.store(true, std::memory_order_relaxed); }
    });
    if (failed.load()) throw std::bad_alloc();
}

// Cuts rows into equal pieces.
struct row_chunks {
    i64 rows, size, count;
    row_chunks(i64 n, i64 piece) : rows(n), size(piece), count((n + piece - 1) / piece) {}
    i64 begin(i64 c) const { return c * size; }
    i64 end(i64 c) const { return c + 1 == count ? rows : (c + 1) * size; }
};
inline constexpr i64 chunk_rows = 65536;

template <class F> void for_each_chunk(row_chunks const& chunks, F const& body) {
    for_each_task(chunks.count, [&](i64 c) { body(c, chunks.begin(c), chunks.end(c)); });
}

// Pieces for passes that keep a table each: few, however many rows, and two a thread so that a slow core is made up
// for.
inline row_chunks table_chunks(i64 n, i64 table_bytes) {
    i64 const affordable = 1 + (n * 8) / (table_bytes + 1);
    i64 pieces = 2 * static_cast<i64>(sched::thread_count());
    if (pieces > affordable) pieces = affordable;
    i64 const size = (n + pieces - 1) / pieces;
    return {n, size < chunk_rows ? chunk_rows : size};
}

}  // namespace bascule::cpu::chunked

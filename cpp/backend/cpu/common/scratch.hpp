// Temporary memory and even cuts of rows for the table algorithms.
#pragma once
#include <algorithm>

#include "bascule/core/pool.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {

// Uninitialised memory from the pool, freed at the end of the scope. Not ready: out of memory.
template <class T> class scratch {
public:
    explicit scratch(std::int64_t n) noexcept
        : bytes_(std::max<std::int64_t>(n, 1) * static_cast<std::int64_t>(sizeof(T))),
          data_(static_cast<T*>(host_pool().allocate(bytes_))) {}
    ~scratch() {
        if (data_ != nullptr) host_pool().release(data_, bytes_);
    }
    scratch(scratch const&) = delete;
    scratch& operator=(scratch const&) = delete;
    bool ready() const noexcept { return data_ != nullptr; }
    T* data() const noexcept { return data_; }
    T& operator[](std::int64_t i) const noexcept { return data_[i]; }

private:
    std::int64_t bytes_;
    T* data_;
};

// Rows cut into blocks of equal size; several a thread, because a thread may be held up.
struct row_blocks {
    std::int64_t rows, count;
    explicit row_blocks(std::int64_t n, std::int64_t most = 4 * std::int64_t{sched::thread_count()},
                        std::int64_t least_rows = 16384) noexcept
        : rows(n), count(std::clamp<std::int64_t>(n / least_rows, 1, std::max<std::int64_t>(most, 1))) {}
    std::int64_t begin(std::int64_t t) const noexcept { return rows * t / count; }
    std::int64_t end(std::int64_t t) const noexcept { return begin(t + 1); }
    // f(block, begin, end)
    template <class F> void run(F const& f) const noexcept {
        sched::parallel_for(count, count > 1, [&](std::int64_t t) { f(t, begin(t), end(t)); });
    }
};

}  // namespace bascule::cpu

// Rows that are handled one by one, several at once where there is much to do.
#pragma once
#include <atomic>
#include <cstdint>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/sort/limits.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu::sorting {

// f(row) for all rows, whose worst outcome it is; `words` of the error where memory is not there.
template <class F> status each_row(std::int64_t rows, std::int64_t length, char const* words, F const& f) noexcept {
    std::atomic<status> worst{status::ok};
    sched::parallel_for(rows, rows > 1 && rows * length > limits().small_sort, [&](std::int64_t r) {
        if (status const s = guarded(words, [&] { return f(r); }); s != status::ok) worst.store(s);
    });
    return worst.load() == status::ok ? status::ok : fail(worst.load(), words);
}

}  // namespace bascule::cpu::sorting

// What the quick calls ask of small arrays, and how they go over them.
#pragma once
#include <cstring>

#include "bascule/array/graph.hpp"
#include "bascule/core/words.hpp"

namespace bascule::small_plan {

bool is_small(std::int64_t n);  // so few elements, and some, are computed at the call (rule 3)
bool is_small(array const& a);  // in the host's memory, too
bool is_plain(array const& a);  // there, and what a kernel reads as one run; the graph's lock is held
// A copy in order of what is there; the graph's lock is held.
array moved_together(array const& a);
// Nobody reads or writes it lazily, so that it can be written here and now. The graph's lock is held.
bool may_write(graph_lock& lock, array const& to);

// A copy of unknown length would begin with a choice of how.
inline void copy_element(std::byte* to, std::byte const* from, std::int64_t itemsize) {
    switch (itemsize) {
        case 1: *to = *from; return;
        case 2: std::memcpy(to, from, 2); return;
        case 4: std::memcpy(to, from, 4); return;
        case 8: std::memcpy(to, from, 8); return;
        default: std::memcpy(to, from, 16); return;
    }
}

// with_word of elements that may be complex128, too.
struct two_words {
    std::uint64_t first, second;
};
constexpr int longest_element = sizeof(two_words);
template <class F> bool with_element(std::int64_t bytes, F&& f) {
    if (bytes != longest_element) return with_word(bytes, f);
    f(two_words{});
    return true;
}

// Elements of T every so many bytes.
template <class T>
void copy_run(std::byte const* from, std::int64_t from_step, std::int64_t count, std::byte* to, std::int64_t to_step) {
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    if (from_step == size && to_step == size) {
        std::memcpy(to, from, static_cast<std::size_t>(count * size));
        return;
    }
    for (; count > 0; --count, from += from_step, to += to_step) std::memcpy(to, from, sizeof(T));
}

// The axis of a row: the last of more than one element.
inline int row_axis(dims const& shape) {
    int last = shape.size() - 1;
    while (last > 0 && shape[last] == 1) --last;
    return last;
}
// So many short rows that going over them one by one takes longer than a plan.
inline bool has_short_rows(array const& a) {
    constexpr std::int64_t short_row = 8, many = 512;
    std::int64_t const length = a.shape[row_axis(a.shape)];
    return length < short_row && a.size() > many * length;
}

// f(byte offset of a row's first element, its length, the step between its elements, which row it is), row by row.
template <class F> void for_rows(array const& a, F&& f) {
    int const last = row_axis(a.shape);
    std::int64_t rows = 1;
    for (int d = 0; d < last; ++d) rows *= a.shape[d];
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t offset = a.offset, rest = row;
        for (int d = last - 1; d >= 0; --d) offset += rest % a.shape[d] * a.strides[d], rest /= a.shape[d];
        f(offset, a.shape[last], a.strides[last], row);
    }
}

}  // namespace bascule::small_plan

// Plans that see only some elements of their space (plan_selection). The source of these is a value of a program over
// the whole space; the selected elements of its blocks are joined to blocks of the length that readers need.
#pragma once
#include "backend/cpu/dispatch/gather_kernels.hpp"
#include "backend/cpu/interpreter/checked_evaluator.hpp"

namespace bascule::cpu {

inline std::int64_t pieces_of(plan_selection const& s, std::int64_t elements) noexcept {
    return (elements + s.piece - 1) / s.piece;
}

inline constexpr int selection_values_arena = 3;  // of thread_scratch

// The state that readers of one selection share.
struct selection {
    program const* values;  // over the whole space
    plan_selection const* which;
    std::uint16_t data;  // of the values
    compress_bits_kernel take;
    std::int64_t itemsize;
    std::int64_t block;  // so many of the values at a time, and of the selected ones

    std::int64_t pieces() const noexcept { return pieces_of(*which, values->space.total); }
};

// Selected elements by their number; cheap where calls follow each other.
class selection_reader {
public:
    explicit selection_reader(selection const&) noexcept;
    ~selection_reader() { values_.report(); }
    bool ready() const noexcept { return values_.ready() && kept_; }  // false: out of memory
    selection_reader(selection_reader const&) = delete;
    selection_reader& operator=(selection_reader const&) = delete;
    // Elements [i, i + n), a block at most, until the next call.
    char* read(std::int64_t i, std::int64_t n) noexcept;

private:
    void seek(std::int64_t i) noexcept;

    selection const& of_;
    checked_evaluator values_;
    char* const kept_;
    std::int64_t next_ = -1, word_ = 0, before_ = 0;  // of the next element: its number, its word of the mask, and how
                                                      // many of that word come before it
};

}  // namespace bascule::cpu

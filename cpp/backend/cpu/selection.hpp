// Plans that see only some elements of their space (plan_selection). What these are taken from is a value of a program
// over the whole space; what is left of its blocks is put together again to the blocks that others ask for.
#pragma once
#include "backend/cpu/algorithms/moving_kernels.hpp"
#include "backend/cpu/run.hpp"

namespace bascule::cpu {

// Finds what is selected, stores it, or folds it.
status run_selection(plan const&, kernel_table const&) noexcept;

inline std::int64_t pieces_of(plan_selection const& s, std::int64_t elements) noexcept {
    return (elements + s.piece - 1) / s.piece;
}

// What readers of one selection share.
struct selection {
    program const* values;  // over the whole space
    plan_selection const* which;
    std::uint16_t data;  // of the values
    take_set_kernel take;
    std::int64_t itemsize;

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
    // Elements [i, i + n), until the next call.
    char* read(std::int64_t i, std::int64_t n) noexcept;

private:
    void seek(std::int64_t i) noexcept;
    void take_block() noexcept;

    selection const& of_;
    checked_evaluator values_;
    char* const kept_;
    std::int64_t next_ = -1, position_ = 0;  // of the element after those handed out; where the next block begins
    std::int64_t first_ = 0, count_ = 0;     // elements that lie in `kept_`
};

}  // namespace bascule::cpu

// Runs a compiled program block by block.
#pragma once
#include <memory>

#include "backend/cpu/program/program.hpp"

namespace bascule::cpu {

class selection_reader;

// Evaluates blocks of a program on one thread. After block(i, n), at[v] points at n elements of value v (one where
// slots[v].single), for every value that is stored or reduced.
class evaluator {
public:
    // `arena` separates the scratch memory of programs that are alive at the same time.
    evaluator(program const&, int arena) noexcept;
    ~evaluator();
    // Whether there is memory for all that its blocks need; if not, no block may be evaluated.
    bool ready() const noexcept { return registers_ != nullptr; }
    // Values of flattened positions [i, i + n). The errors of checked values are or-ed into flags, one a value of the
    // plan; returns whether a pair raised something, which only a careful program can separate.
    bool block(std::int64_t i, std::int64_t n, std::uint8_t* flags) noexcept;
    void compute(std::int64_t i, std::int64_t n) noexcept;  // without looking for errors
    void run_all(std::int64_t n) noexcept;                  // of the memory that `at` points to
    // The same for a program whose code sums its own results, as `at` has for leaf_ends and pairwise_sums.
    void reduce(std::int64_t i, std::int64_t n) noexcept;
    void store(std::int64_t i, std::int64_t n) noexcept;
    // n elements of a value that is reduced, whether they differ or not; at most the program's block where they do not.
    char const* whole(std::uint16_t v, std::int64_t n) const noexcept;
    char* at[max_slots];

private:
    char* make_room(int arena) noexcept;
    void place(std::int64_t i, std::int64_t n) noexcept;
    void place_moving(std::int64_t i, std::int64_t n, position& here) noexcept;
    char* packed(slot const&, std::uint16_t v, std::int64_t i, std::int64_t n) noexcept;
    char* counted(slot const&, std::uint16_t v, std::int64_t i, std::int64_t n) noexcept;
    void place_outputs(position& here) noexcept;
    void fetch_ahead(std::int64_t n, int step) const noexcept;
    static bool note_rounded(instruction const&, std::uint8_t found, std::uint8_t* flags) noexcept;
    bool run_checked(std::int64_t n, std::uint8_t* flags) noexcept;
    void classify(instruction const&, std::size_t n, std::uint8_t* flags) noexcept;
    char* reg(int r) const noexcept { return registers_ + r * program_.register_bytes; }

    program const& program_;
    std::unique_ptr<selection_reader> reader_;  // where the program sees a selection of another's values
    char* registers_;
    std::int64_t filled_[max_slots];  // elements that the register of a repeating load holds
};

}  // namespace bascule::cpu

// The common part of the two ways of reducing: the reductions of one pass and their states.
#pragma once
#include <memory>
#include <new>

#include "backend/cpu/common/fp_status.hpp"
#include "backend/cpu/dispatch/row_moments.hpp"
#include "backend/cpu/interpreter/checked_evaluator.hpp"
#include "bascule/core/backend.hpp"

namespace bascule::cpu {

// Sums and aggregates derived from them: NumPy reads the processor's flags after the same arithmetic.
bool does_arithmetic(std::uint16_t aggregate, type_id t) noexcept;

inline constexpr int largest_state = 64;  // bytes

struct one_reduction {
    reduction_kernels const* kernels;
    plan_reduction const* plan;
    std::uint16_t value;
    std::uint8_t itemsize;  // of the value
    type_id result;         // of finish; rounded to plan->out.dtype where that differs
    std::uint32_t* flags;   // where the errors of its arithmetic are reported; null: they are not checked, or it has
                            // none
};

// Runs f, part of reduction r, and records and returns the errors it raises if they are checked.
template <class F> std::uint8_t watched(one_reduction const& r, F&& f) noexcept {
    if (!r.flags) return f(), 0;
    fp_status::clear();
    f();
    std::uint8_t const found = fp_status::raised();
    if (found) __atomic_fetch_or(r.flags, found, __ATOMIC_RELAXED);
    return found;
}

// Reductions that share a pass, prepared. A group of states holds one state of each.
struct reduction_set {
    program const* source;
    one_reduction of[max_plan_outputs];
    int count = 0;
    int group_size = 0;             // bytes of one state of each, a multiple of 16
    int offset[max_plan_outputs];   // of each within a group
    int granule = 1;                // where the tree may be cut
    bool ordered = false;           // the order of merges shows in the bits
    bool counts_positions = false;  // argmin, argmax, complex products: a result of several runs numbers all their
                                    // elements
    std::int64_t reduced = 1;       // elements behind each result
    float cost = 0;                 // nanoseconds an element
    bool stops_early = false;       // one reduction, to one result, that may be decided before the end
};

// Values that the reduction kernels read as an array.
inline char const* as_block(reduction_set const& s, evaluator const& e, int k, std::int64_t n) noexcept {
    return e.whole(s.of[k].value, n);
}

// Room for n states of each reduction, side by side for each; initialised to identities.
class state_array {
public:
    state_array(reduction_set const& s, std::int64_t n) noexcept
        : bytes_(new (std::nothrow) char[static_cast<std::size_t>(n * s.group_size + 64)]), n_(n), set_(s) {
        if (ready()) clear();
    }
    bool ready() const noexcept { return bytes_ != nullptr; }
    void clear() const noexcept {
        for (int k = 0; k < set_.count; ++k) set_.of[k].kernels->init(at(k, 0), n_);
    }
    char* at(int k, std::int64_t i) const noexcept {
        return bytes_.get() + set_.offset[k] * n_ + i * set_.of[k].kernels->state_size;
    }
    std::int64_t size() const noexcept { return n_; }

private:
    std::unique_ptr<char[]> bytes_;
    std::int64_t n_;
    reduction_set const& set_;
};

// Writes the results of n consecutive states to out + i * stride.
void write_results(reduction_set const&, int k, void const* states, std::int64_t n, char* out,
                   std::int64_t stride) noexcept;

// Prepares all reductions of a program; false: one pass does not do, or some reduction does not exist.
bool prepare_one_pass(reduction_set&, program const&) noexcept;

// Rows that are reduced in place, one after the other, by one thread; errors of their arithmetic are not reported.
class row_reducer {
public:
    explicit row_reducer(reduction_set const&);
    ~row_reducer();
    // Whether the program has so many rows, one after the other in memory, and each is reduced to results of its own.
    bool possible(std::int64_t rows) const;

    // The state of a thread from row to row.
    struct turn {
        explicit turn(row_reducer const& f) noexcept : states(f.set_, 1) {}
        state_array states;
        alignas(16) char next[max_plan_outputs][row_moments::turn_size];
    };
    void begin(turn&, std::int64_t row) const noexcept;
    void reduce(turn&, std::int64_t row, bool more) const noexcept;  // `more`: the next row follows

private:
    class reducer;
    reduction_set const& set_;
    std::unique_ptr<reducer> by_;
};

// Runs all reductions of a program; stores of the same plan are written in the same pass.
status run_reductions(program const&) noexcept;
// The innermost dimension is reduced: runs along it are reduced by the tree, several runs merged in order.
status reduce_runs(reduction_set const&) noexcept;
// The innermost dimension is kept: rows are reduced into columns of states.
status reduce_columns(reduction_set const&) noexcept;

}  // namespace bascule::cpu

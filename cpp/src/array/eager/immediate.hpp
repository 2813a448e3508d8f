// A plan on the stack, run at once (rule 3): at most three operands, their casts, one op or one reduction, and the cast
// of its result.
#pragma once
#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"

namespace bascule::eager {

inline constexpr std::size_t most_args = 3;  // of the op

bool is_small(array const& a);            // in the host's memory, too
bool is_readable(array const& a);         // in memory, not being written, and booleans are only 0 or 1
bool elements_lie_apart(array const& a);  // none on another
// Fewer than the limit, or none, or fewer than so many times that, in the host's memory.
bool is_small(device where, dims const& shape, std::int64_t times = 1);
// Every argument is in memory, and the result small. The graph's lock is held from here to the end of run, so that no
// other thread frees that memory.
bool can_run(device where, dims const& shape, std::span<operand const> args, std::int64_t times = 1);

class immediate {
public:
    explicit immediate(std::uint8_t asked) noexcept : asked_(asked) {}
    immediate(immediate const&) = delete;
    immediate& operator=(immediate const&) = delete;

    // The space: one axis of n contiguous elements in every operand; or the axes of `shape` in the order of memory that
    // `out` has, merged where all layouts (null: a number) allow it.
    void lay_flat(std::int64_t n) noexcept;
    void lay_out(dims const& shape, std::span<std::int64_t const* const> args, std::int64_t const* out);
    void lay_out(dims const& shape, std::span<operand const> args, dims const& out);

    // Values; loads take the layouts in turn.
    std::uint16_t load(std::byte* base, type_id t) noexcept;
    std::uint16_t constant(plan_constant const& v, type_id t) noexcept;
    std::uint16_t argument(operand const& o);  // with the requested cast
    std::uint16_t cast(std::uint16_t v, type_id to);
    std::uint16_t apply(std::uint16_t op, type_id result, std::span<std::uint16_t const> args);

    void store(std::uint16_t value, std::byte* out, type_id t, device where);
    // Over the axes along which the layout of the result, the next one, is 0 everywhere; in a flat space over all.
    // Returns those of the floating-point errors `looked_for` that were raised, checked by the program or not.
    std::uint8_t reduce(std::uint16_t aggregate, std::uint16_t value, double ddof, std::byte* out, type_id t,
                        device where, std::uint8_t looked_for = 0);

    [[nodiscard]] std::uint8_t fp_errors() const noexcept;  // that were raised, of those checked
    [[nodiscard]] int values() const noexcept { return plan_.nvalues; }
    void allow_fastmath() noexcept { plan_.fastmath = settings().fastmath; }

private:
    std::uint16_t push(plan_value const& v) noexcept {
        values_[plan_.nvalues] = v;
        return plan_.nvalues++;
    }
    std::int64_t const* next_strides(type_id t) noexcept;
    void run(device where);

    static constexpr int most_values = 4 * static_cast<int>(most_args) + 2;
    // To begin with: copying it takes less time than clearing a plan, for which the compiler has an instruction of its
    // own that is slow to begin.
    static constexpr plan nothing_planned{};

    plan plan_ = nothing_planned;
    std::uint8_t const asked_;
    bool flat_ = false, checks_ = false;
    int layouts_ = 0;  // taken
    union {            // nothing of these is cleared before it is written
        plan_value values_[most_values];
    };
    union {
        plan_operand operands_[most_args];
    };
    union {
        plan_iota iotas_[most_args];
    };
    plan_constant constants_[most_args];
    std::int64_t shape_[max_dims], strides_[most_args + 1][max_dims];
    std::uint32_t flags_[most_values + 1];
};

// The op in the loop `loop` into `out`, which is new, or (not `fresh`) another array of the result's shape.
// Floating-point errors are reported. False, and nothing was done: the call is not small, an operand is not in memory,
// or `out` cannot be written directly.
bool run(std::uint16_t op, type_id loop, type_id result, std::span<argument const> args, array const& out, bool fresh);
// The same of operands that can run, into an array that shares no memory with them but element for element.
void run(std::uint16_t op, type_id result, std::span<operand const> args, array const& out, errstate::kind how);

// Runs the pending operation of `s` if it is one element-wise operation on operands in memory, with few enough
// elements, without the machinery that larger plans need. False: it is not, and nothing was done. The graph's lock is
// held.
bool run_pending(storage* s, flush_reason why);

// A reduction of a small array in memory, in type `as`; `result` gets memory of its own.
void run_reduction(std::uint16_t aggregate, array const& a, type_id as, std::uint64_t axes, double ddof, type_id stored,
                   array const& result);

// Memory for `result`, which has no value yet but perhaps a storage.
std::byte* take_memory(array& result, device where, std::int64_t bytes, dtype t);
// Whether no pending operation reads or writes `to`, so that it can be written at once. The graph's lock is held.
bool may_write(graph_lock& lock, array const& to);

}  // namespace bascule::eager

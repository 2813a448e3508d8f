// An expression over arrays that is recorded once and computed for one block of a large array after the other, as one
// call would build it in the graph, without calling into Python and without its lock.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "bascule/array/elementwise.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/array/reduce.hpp"

namespace bascule {

class block_program {
public:
    using value = std::int32_t;  // the number of an input or of a step's result
    struct scalar {
        plan_constant constant{};
        type_id type = type_id::float64;
        weak_kind weak = weak_kind::strong;
    };
    using operand = std::variant<value, scalar>;

    // Each adds a value and gives its number. Throws value_error where a value does not exist yet.
    value input();
    value constant(array a);
    value apply(std::uint16_t op, std::vector<operand> operands, std::optional<type_id> loop = {});
    value cast(value from, dtype to);
    value index(value from, std::vector<index_entry> key);  // a basic one
    value reduce(std::uint16_t aggregate, value from, std::uint64_t axes, bool keepdims,
                 std::optional<type_id> type = {});
    value concatenate(std::vector<value> parts, int axis);
    value reshape(value from, dims shape);
    value transpose(value from, std::vector<int> axes);
    value product(value a, value b);  // matmul; the parts of a small one are one, so BLAS runs on the task's own thread

    // `scalar`: without axes, and flagged as a value (rule 16).
    void output(value v, bool scalar = false);
    [[nodiscard]] std::int64_t elements() const noexcept { return elements_; }  // of the largest constant

    // The outputs for these inputs; computed, or as they wait. Any number of threads may run one program.
    [[nodiscard]] std::vector<array> run(std::span<array const> inputs, bool computed = true) const;

    // The outputs for each of `count` blocks of `step` rows, from block `first` on, stacked: the leading inputs are cut
    // along their first axis, the others are read whole by every block.
    [[nodiscard]] std::vector<array> run_rows(std::span<array const> rows, std::span<array const> whole,
                                              std::int64_t step, std::int64_t first, std::int64_t count) const;

private:
    using values = std::span<array const>;
    struct step {
        std::function<array(values)> perform;  // empty: an input
        std::vector<value> ends;               // values that no later step reads
    };
    value add(std::vector<value> const& reads, std::function<array(values)> perform);

    std::vector<step> steps_;
    std::vector<value> inputs_, outputs_;
    std::vector<bool> scalars_;  // of each output
    std::int64_t elements_ = 0;
};

}  // namespace bascule

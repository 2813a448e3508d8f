// Turns a pending operation and everything pending below it into one plan over one iteration space.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "../graph/late_fp_flags.hpp"
#include "bascule/array/graph.hpp"

namespace bascule {

// Memory that an earlier plan of the same chain fills: rows of the first axis, one behind the other.
struct planned_memory {
    storage* of;
    std::byte* memory;
};

// The parts of a plan under construction. The graph's lock is held.
class plan_parts {
public:
    // Inlined pending storages that user code holds, cover the iteration space, and cost more than a store.
    struct extra {
        storage* to;
        int value;
        dims strides;
    };

protected:
    struct memory_operand {
        storage* memory;
        std::byte* base;
        std::int64_t offset;
        dims strides;
        type_id type;
    };
    struct iota_operand {
        std::int64_t start;
        dims strides;
    };
    struct inlined_value {
        storage* s;
        std::int64_t offset;
        dims strides;
        int value;
    };
    // The errors for which a value, or a reduction, is checked. The node may be gone, or reused, after the plan ran.
    struct checked_value {
        int value;
        storage* node;
        errstate::finding finding;  // with the errors that are checked
        bool reduces;
        int count = 1;  // of values, one behind the other
    };

    // The memory of an earlier plan, empty, for reuse.
    static plan_parts take();
    void give_back() noexcept;

    std::vector<plan_value> values_;
    std::vector<memory_operand> operands_, outputs_, reduction_outputs_;
    std::vector<plan_constant> constants_;
    std::vector<iota_operand> iotas_;
    std::vector<plan_store> stores_;
    std::vector<plan_reduction> reductions_;
    std::vector<inlined_value> known_;
    std::vector<extra> extras_;
    std::vector<storage*> inlined_;
    std::vector<storage_ref> read_;
    std::vector<checked_value> checked_;
    std::vector<std::uint32_t> flags_;

    // memory to which the plan points
    std::vector<std::uint8_t> reduced_;
    std::vector<dims> plan_strides_;
    std::vector<plan_operand> plan_operands_;
    std::vector<plan_iota> plan_iotas_;
};

class plan_builder : plan_parts {
public:
    explicit plan_builder(dims shape, std::vector<planned_memory> const* planned = nullptr)
        : plan_parts(take()), shape_(std::move(shape)), planned_(planned) {}
    ~plan_builder() { give_back(); }
    plan_builder(plan_builder const&) = delete;
    plan_builder& operator=(plan_builder const&) = delete;

    // The value of an operand laid over the iteration space, already cast. -1: see blocked().
    int value(operand const& from);
    // The same for one more result of a plan that can already run. -1, and nothing is changed, where something has to
    // be made ready first, an intermediate would be stored for it, or the plan would exceed a good size for a device.
    int value_alongside(operand const& from);
    // The same for a pending storage laid out as the iteration space is; it becomes an extra.
    bool result_alongside(storage* s);
    // Whether the plan computes an operand of `op`, direct or indirect, that is not cheap to compute again.
    [[nodiscard]] bool saves_work_of(pending_operation const& op) const;
    // Whether the plan reads or computes the contents of `s`.
    [[nodiscard]] bool contains(storage const* s) const;
    // The value that will fill `s`, whose layout is the iteration space's.
    int result_of(storage* s);
    void store(int value, storage* to, std::byte* base, type_id type, std::int64_t offset, dims strides);
    void reduce(int value, storage* to, std::byte* out, type_id type, dims const& out_strides);
    // A store or a reduction sees these elements. The plan finds them, where the value `mask` is true, if it has
    // neither.
    void select(selected_elements& which, int mask = 0);
    // The space is walked in the order of memory that has these strides.
    void finish(dims const& strides);
    // Of a reduction: the logical input's strides limit which axes may merge, too.
    void finish_reduction(dims const& strides, std::uint64_t reduced);

    [[nodiscard]] plan const& get() const { return plan_; }
    // Checks a value that belongs to no node for the errors that `f` names.
    void check(int value, errstate::finding const& f);
    // The flags stay with a device that the host does not wait for, unless some call has to be reported them at once.
    std::unique_ptr<late_fp_flags::claim> leave_fp_flags_on(device where);
    // Reports the errors that checked nodes raised when the plan ran, each once; the lock is held again.
    void report_fp_errors();
    // A storage that has to be made ready before this plan can be built; null when there is none.
    [[nodiscard]] storage* blocked() const { return blocked_; }
    using plan_parts::extra;
    [[nodiscard]] std::vector<extra> const& extras() const { return extras_; }
    [[nodiscard]] std::vector<storage*> const& inlined() const { return inlined_; }
    [[nodiscard]] std::vector<storage_ref> const& read() const { return read_; }
    // Memory that `out` may take over: its only reader is this plan, element for element. Null when there is none.
    [[nodiscard]] storage* reusable(storage const* out) const;
    // The same for memory that an earlier plan fills and that only this chain refers to.
    [[nodiscard]] bool may_overwrite(storage const* planned, storage const* out) const;
    // The number of references from the plan and the operations that it computes.
    [[nodiscard]] int uses(storage const* s) const;
    // A reduction that the plan ends in.
    void passes_through(storage* reduction) { inlined_.push_back(reduction); }
    // Intermediates that cost more than a store and are read outside this plan too become extras, but those that cost
    // less once the others are stored. `in_cache`: their readers run so soon that they are still in the cache.
    void keep_shared(bool in_cache);

private:
    // How far a plan has come.
    struct sizes {
        std::size_t values, operands, constants, iotas, known, extras, inlined, read, checked;
    };
    // Holds while it lives.
    template <class T> class changed {
    public:
        changed(T& what, T to) : what_(what), before_(std::exchange(what, to)) {}
        ~changed() { what_ = before_; }
        changed(changed const&) = delete;
        changed& operator=(changed const&) = delete;

    private:
        T& what_;
        T before_;
    };
    // Whether references other than those of this plan and its operations exist: `uses` does not count them all.
    [[nodiscard]] bool has_other_readers(storage const* s) const;
    void leave_cheap_extras(float limit);
    [[nodiscard]] bool is_stored(storage const* s) const;
    [[nodiscard]] float cost_once_stored(pending_operation const& op, float limit) const;
    [[nodiscard]] sizes measured() const;
    void cut_back(sizes const& to);
    [[nodiscard]] bool fits(sizes const& before, std::size_t most_values) const;
    int push(plan_value v);
    int load(operand const& from);
    int inline_pending(storage* s, std::int64_t offset, dims const& strides);
    int inline_mapped(storage* s, std::int64_t offset, dims const& strides, bool sum);
    int apply(storage* node, std::span<operand const> args);
    int unroll(storage* sum, operand const& first);
    int sum_of(storage* sum, operand const& first);
    int cast(int value, type_id to);
    int constant(plan_constant const&, type_id);  // equal ones are one value
    void check(int value, storage* node, std::uint8_t asked, bool reduces = false, int count = 1);
    int block_on(storage* s);
    std::byte* planned(storage const* s) const;
    bool row_for_row(storage const* s, operand const& from) const;
    bool read_element_for_element(memory_operand const& m, storage const* out) const;
    bool covers(storage const* s, std::int64_t offset, dims const& strides) const;
    void coalesce(std::span<int const> axes, dims const* logical, std::uint64_t reduced);
    template <class F> void each_layout(F f) const;
    [[nodiscard]] bool lies_as_asked(storage const* s, std::int64_t offset, dims const& strides) const;
    void finish(dims const& strides, dims const* logical, std::uint64_t reduced);

    dims shape_;
    std::vector<planned_memory> const* planned_;
    storage* blocked_ = nullptr;
    storage* target_ = nullptr;    // the storage for which the plan is made, which is stored anyway
    storage* checking_ = nullptr;  // whose values are being made
    bool unrolling_ = false;       // elements of a sum, each with the operands that only it needs
    std::size_t unrolled_values_ = 0, unrolled_operands_ = 0;
    plan_selection selection_;

    // memory to which plan_ points
    dims plan_shape_;
    plan plan_;
};

// Calls `visit` once for every storage that `op` reads, directly or through one for which it returned true.
template <class Visit> void each_below(pending_operation const& op, Visit visit) {
    std::vector<storage const*> seen;
    std::vector<pending_operation const*> left{&op};
    while (!left.empty()) {
        auto const& next = *left.back();
        left.pop_back();
        for (int k = 0; k < next.nargs; ++k) {
            storage const* const m = next.args[k].memory.get();
            if (!m || std::find(seen.begin(), seen.end(), m) != seen.end()) continue;
            seen.push_back(m);
            if (visit(m)) left.push_back(m->pending.get());
        }
    }
}

// Whether a reduction is a sum of a few elements that are computed from less memory than there are elements: its reader
// may compute it inline, one element after the other, as its tree does (unrolled_reduction.cpp).
bool is_unrolled(pending_operation const&);

// How the elements of a pending storage map onto a layout over it: per producer axis a start, and per iteration axis a
// step.
struct index_map {
    struct axis {
        std::int64_t extent, stride, start;
        std::vector<std::int64_t> steps;
        dims argument_strides;
    };
    std::vector<axis> axes;  // of the producer, coalesced as far as all its arguments allow
};
// False when the layout is not an affine walk inside the producer's axes (a reshape that merges them, say).
bool map_layout(storage const& s, std::int64_t offset, dims const& strides, dims const& shape, index_map& out);

}  // namespace bascule

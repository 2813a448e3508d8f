// The plans of one evaluation that run as one (design rule 8: the epilogue of a reduction is part of its pass).
#pragma once
#include <optional>

#include "flush.hpp"

namespace bascule {

// An operation that reads a reduction, or an intermediate that is stored first, very often needs only its own row of
// it: `x / x.sum(1, keepdims=True)`. Such plans run together, some rows at a time, so that the results of one are still
// in a cache for the next. Rows are the outermost axis of all of them, in their shapes and in memory.
class chain {
public:
    chain(graph_lock& lock, flush_reason why) : lock_(lock), why_(why) {}

    // Runs the pending operations of `s`. A storage that has to be computed first is returned instead, and nothing was
    // done.
    storage* evaluate(storage* s);

private:
    struct stage {
        storage* root;
        plan_builder builder;
        std::optional<flush> work{};
        int value = -1;  // the value that fills `place` of the root
        placement place{};
    };

    struct rewrite;

    storage* prepare(storage* s);
    storage* prepare_pass(storage* s);
    storage* prepare_stores(storage* s);
    storage* prepare_selection(storage* s, storage* from);
    storage* prepare_rest(storage* s, std::vector<storage*> const& stores);
    void finish_elementwise(stage& made, int value);
    void finish_reduction(stage& made, int value);
    void claim_extras(stage& made);
    std::byte* claim_result(stage& made);
    storage const* dead_for(stage const& made) const;
    [[nodiscard]] bool joins(storage const* s, storage const* first) const;
    [[nodiscard]] bool goes_by_rows(storage const* s) const;
    void will_hold(storage* s, std::byte* memory);
    void trace(stage const& made) const;

    graph_lock& lock_;
    flush_reason why_;
    std::int64_t rows_ = 0;  // once there is more than one plan
    std::vector<std::unique_ptr<stage>> stages_;
    std::vector<std::unique_ptr<stage>> first_;  // around the pending stores into the root; run before them, each alone
    std::vector<planned_memory> planned_;
};

}  // namespace bascule

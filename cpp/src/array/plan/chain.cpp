#include "chain.hpp"

#include <algorithm>
#include <cstdio>

#include "../graph/deferred_stores.hpp"
#include "horizontal_fusion.hpp"
#include "selection.hpp"

namespace bascule {
namespace {

constexpr std::size_t most_stages = 8;

char const* name_of(flush_reason r) {
    static constexpr char const* names[] = {"a value is read", "a write",       "a barrier",
                                            "a limit",         "shared memory", "fusion is off",
                                            "small",           "overlap",       "errors are reported at once"};
    return names[static_cast<int>(r)];
}

// Whether the first axis is the outermost in memory.
bool first_is_outermost(dims const& shape, dims const& strides) {
    int axes[max_dims];
    std::int64_t const* const layout = strides.data();
    memory_order(strides.size(), &layout, 1, axes);
    for (int k = 0; k < shape.size(); ++k)
        if (shape[axes[k]] != 1) return axes[k] == 0;
    return false;
}

// Strides of a reduction's result over the iteration space of its input: 0 along reduced axes.
dims result_strides(storage const& s) {
    auto const& op = *s.pending;
    dims out(op.shape.size(), 0);
    bool const kept_dims = s.shape.size() == op.shape.size();
    for (int d = 0, k = 0; d < op.shape.size(); ++d) {
        if ((op.reduced >> d) & 1) {
            k += kept_dims;
            continue;
        }
        out[d] = s.strides[k++];
    }
    return out;
}

}  // namespace

storage* chain::evaluate(storage* s) {
    storage_ref const keep(s);
    if (storage* const first = prepare(s)) return first;
    for (auto const& made : first_) {
        trace(*made);
        flush::run(lock_, {&*made->work}, 0, s->where());
    }
    std::vector<flush*> flushes;
    for (auto const& made : stages_) {
        trace(*made);
        flushes.push_back(&*made->work);
    }
    flush::run(lock_, flushes, rows_, s->where());
    for (auto* f : flushes) f->commit();
    return nullptr;
}

// The steps a flush tries for a pending operation, in this order; the first that applies is taken. Operations that join
// a one-pass plan are handled in prepare_pass.
struct chain::rewrite {
    bool (*applies)(pending_operation const&);
    storage* (*run)(chain&, storage*);

    static std::span<rewrite const> all() {
        static constexpr rewrite in_order[] = {
            // stores into parts of it, together
            {[](pending_operation const& op) { return op.into != nullptr; },
             [](chain& c, storage* s) { return c.prepare_stores(s); }},
            // elements that a mask selects, from where they are
            {[](pending_operation const& op) { return op.selected != nullptr; },
             [](chain& c, storage* s) { return c.prepare_selection(s, s); }},
            // a reduction of masked elements that no other operation reads
            {[](pending_operation const& op) { return selection::reduced_alone(op) != nullptr; },
             [](chain& c, storage* s) { return c.prepare_selection(s, selection::reduced_alone(*s->pending)); }},
            // one pass over all operands
            {[](pending_operation const&) { return true; }, [](chain& c, storage* s) { return c.prepare_pass(s); }},
        };
        return in_order;
    }
};

storage* chain::prepare(storage* s) {
    auto const all = rewrite::all();
    auto const rule = std::find_if(all.begin(), all.end(), [s](rewrite const& r) { return r.applies(*s->pending); });
    return rule->run(*this, s);
}

// In this order: sums of few elements are unrolled (unrolled_reduction.cpp, from plan_builder's loads); operands that
// must be stored first run before it, a few rows at a time together with it where both go by rows (joins); independent
// reductions and results that share its reads are fused into it (horizontal_fusion.cpp); costly intermediates that
// others need are stored by it (keep_shared); memory that dies with it is its result's (claim_result).
storage* chain::prepare_pass(storage* s) {
    auto const& op = *s->pending;
    for (;;) {
        auto made = std::unique_ptr<stage>(new stage{s, plan_builder(op.shape, &planned_), std::nullopt});
        int const v = op.reduces ? made->builder.value(op.args[0]) : made->builder.result_of(s);
        if (v >= 0) {
            if (op.reduces) finish_reduction(*made, v);
            else finish_elementwise(*made, v);
            stages_.push_back(std::move(made));
            return nullptr;
        }
        storage* const first = made->builder.blocked();
        if (!rows_ && op.shape.size()) rows_ = op.shape[0];
        if (!joins(s, first)) return first;
        if (storage* const other = prepare(first)) return other;
    }
}

// The pending stores into `s`, in one plan; elements that they do not cover are written before it runs.
storage* chain::prepare_stores(storage* s) {
    auto const stores = deferred_stores::of(s);
    auto made = std::unique_ptr<stage>(new stage{s, plan_builder(s->pending->into->shape), std::nullopt});
    plan_builder& b = made->builder;
    std::vector<int> values;
    for (auto* n : stores) {
        b.passes_through(n);
        values.push_back(b.value(n->pending->args[1]));
        if (values.back() < 0) return b.blocked();
    }
    b.keep_shared(false);
    if (storage* const first = prepare_rest(s, stores)) return first;
    made->work.emplace(b);
    std::byte* const out = made->work->claim(s);
    for (auto const& other : first_) {
        auto const& place = other->place;
        other->builder.store(other->value, s, out, s->pending->result, place.offset, place.strides);
        other->builder.finish(place.strides);
    }
    for (std::size_t k = 0; k < stores.size(); ++k) {
        auto const& into = *stores[k]->pending->into;
        b.store(values[k], s, out, s->pending->result, into.offset, into.strides);
    }
    claim_extras(*made);
    b.finish(s->pending->into->strides);
    stages_.push_back(std::move(made));
    return nullptr;
}

storage* chain::prepare_rest(storage* s, std::vector<storage*> const& stores) {
    operand from = stores.back()->pending->args[0];
    for (auto& place : deferred_stores::rest(s, stores)) {
        auto made = std::unique_ptr<stage>(new stage{s, plan_builder(place.shape), std::nullopt});
        from.offset = place.offset, from.strides = place.strides;
        made->value = made->builder.value(from);
        if (made->value < 0) return made->builder.blocked();
        made->work.emplace(made->builder);
        made->place = std::move(place);
        first_.push_back(std::move(made));
    }
    return nullptr;
}

// The elements that `from` selects, or the only reduction that reads them.
storage* chain::prepare_selection(storage* s, storage* from) {
    auto const& op = *from->pending;
    auto made = std::unique_ptr<stage>(new stage{s, plan_builder(op.shape), std::nullopt});
    plan_builder& b = made->builder;
    int const data = b.value(op.args[0]);
    if (data < 0) return b.blocked();
    b.passes_through(from);
    b.select(*op.selected);
    made->work.emplace(b);
    std::byte* const out = made->work->claim(s);
    dims const in_order = contiguous_strides(op.shape, itemsize(op.result));
    if (s == from) {
        b.store(data, s, out, op.result, 0, in_order);
        b.finish(in_order);
    } else {
        b.reduce(data, s, out, s->pending->result, dims(op.shape.size(), 0));
        b.finish_reduction(in_order, (std::uint64_t{1} << op.shape.size()) - 1);
    }
    stages_.push_back(std::move(made));
    return nullptr;
}

// Whether the pending operation is made row by row.
bool chain::goes_by_rows(storage const* s) const {
    auto const& op = *s->pending;
    if (op.into || op.selected || op.shape.size() == 0 || op.shape[0] != rows_ || s->shape.size() == 0 ||
        s->shape[0] != rows_)
        return false;
    if (op.reduces && ((op.reduced & 1) || !first_is_outermost(op.shape, op.input_strides))) return false;
    return first_is_outermost(s->shape, s->strides);
}

bool chain::joins(storage const* s, storage const* first) const {
    return s->where().api->run_chain && rows_ > 1 && stages_.size() + 1 < most_stages && first->pending &&
           !first->running && s->where() == first->where() && goes_by_rows(s) && goes_by_rows(first);
}

// Later plans may read it, row for row.
void chain::will_hold(storage* s, std::byte* memory) {
    if (rows_ > 1 && s->shape.size() && s->shape[0] == rows_ && first_is_outermost(s->shape, s->strides))
        planned_.push_back({s, memory});
}

void chain::finish_elementwise(stage& made, int value) {
    storage* const s = made.root;
    plan_builder& b = made.builder;
    fuse_results(b, s);
    b.keep_shared(goes_by_rows(s));
    made.work.emplace(b);
    std::byte* const out = claim_result(made);
    b.store(value, s, out, s->pending->result, 0, s->strides);
    claim_extras(made);
    will_hold(s, out);
    b.finish(s->strides);
}

void chain::finish_reduction(stage& made, int value) {
    auto const& op = *made.root->pending;
    plan_builder& b = made.builder;
    auto const reductions = fused_reductions(b, made.root, value);
    for (auto const& o : reductions) b.passes_through(o.to.get());
    b.keep_shared(goes_by_rows(made.root));
    made.work.emplace(b);
    for (auto const& o : reductions) {
        std::byte* const out = made.work->claim(o.to.get());
        b.reduce(o.value, o.to.get(), out, o.to->pending->result, result_strides(*o.to));
        will_hold(o.to.get(), out);
    }
    claim_extras(made);
    b.finish_reduction(op.input_strides, op.reduced);
}

void chain::claim_extras(stage& made) {
    for (auto const& e : made.builder.extras()) {
        std::byte* const memory = made.work->claim(e.to);
        made.builder.store(e.value, e.to, memory, e.to->pending->result, 0, e.strides);
        will_hold(e.to, memory);
    }
}

std::byte* chain::claim_result(stage& made) {
    storage* const s = made.root;
    if (stages_.empty()) return made.work->claim(s, made.builder.reusable(s));
    storage const* const dead = dead_for(made);
    if (!dead) return made.work->claim(s);
    for (auto const& earlier : stages_)
        if (auto* const memory = made.work->claim(s, *earlier->work, dead)) {
            planned_.erase(std::find_if(planned_.begin(), planned_.end(), [&](auto const& p) { return p.of == dead; }));
            return memory;
        }
    return made.work->claim(s);
}

// Storage that an earlier plan fills and this one, its last reader, reads element for element.
storage const* chain::dead_for(stage const& made) const {
    auto const fills = [&](storage const* s) {
        return std::any_of(planned_.begin(), planned_.end(), [s](planned_memory const& p) { return p.of == s; });
    };
    std::vector<plan_builder const*> builders{&made.builder};
    for (auto const& earlier : stages_) builders.push_back(&earlier->builder);
    for (auto const* b : builders)
        for (auto const* n : b->inlined())
            if (n != made.root && !fills(n) && (n->references() != 1 || n->handles() > 0)) return nullptr;
    for (auto const& p : planned_) {
        int known = 1;  // the flush that fills it
        for (auto const* b : builders) known += b->uses(p.of);
        if (p.of->references() == known && made.builder.may_overwrite(p.of, made.root)) return p.of;
    }
    return nullptr;
}

void chain::trace(stage const& made) const {
    ++state().counts.by_reason[static_cast<int>(why_)];
    if (!graph::traces_plans()) return;
    plan const& p = made.builder.get();
    std::fprintf(stderr, "bascule: flush (%s): %d values, %d loads, %d outputs, result %s%s\n", name_of(why_),
                 p.nvalues, p.noperands, p.nstores + p.nreductions, to_string(made.root->shape).c_str(),
                 made.value >= 0                  ? ", around stores"
                 : &made == stages_.front().get() ? ""
                                                  : ", by rows with the one before");
}

}  // namespace bascule

// Making nodes: the cost of a new one, and the limits that keep the graph small (design rules 7, 15 and 17).
#include <algorithm>
#include <atomic>
#include <utility>

#include "bascule/ops/table.hpp"
#include "graph_state.hpp"

namespace bascule::graph {
namespace {

constexpr int max_height = 100;
// A graph may keep alive memory that is otherwise free up to its result's own size, or up to this where results are
// small.
constexpr std::int64_t free_dead_bytes = 1 << 20;
// Several results together, such as the state of an iteration and its outputs.
constexpr int most_results = 32;
// Up to so many pending nodes, the memory they keep alive is counted together.
constexpr int most_counted = 128;

// Of the graph that the node would be the root of.
class stats_of_graph : public graph_stats {
public:
    explicit stats_of_graph(pending_operation const& op) { visit(op); }

private:
    void visit(pending_operation const& op) {
        add(op);
        for (int k = 0; k < op.nargs && values <= max_values; ++k) {
            storage const* const m = op.args[k].memory.get();
            if (m && !is_load(*m) && is_asked_whole(op, op.args[k]) && first_visit(*m, walk_)) visit(*m->pending);
        }
    }

    std::uint64_t const walk_ = next_walk();
};

// Whether a pending argument is read under another layout, so that it is computed for this node alone.
bool asks_in_parts(pending_operation const& op) {
    return std::any_of(op.args, op.args + op.nargs, [&](operand const& a) {
        return a.memory.get() && !is_load(*a.memory) && !is_asked_whole(op, a);
    });
}

}  // namespace

bool beyond_limits(pending_operation const& op) {
    return op.values > max_values || op.loads > max_loads || op.height > max_height;
}

// They are numbered across devices, each of which has a lock of its own.
std::uint64_t next_walk() noexcept {
    static std::atomic<std::uint64_t> walks{0};
    return walks.fetch_add(1, std::memory_order_relaxed) + 1;
}

void forget_stats() noexcept { state().stats_known = false; }

graph_stats const& pending_stats() {
    auto& g = state();
    if (std::exchange(g.stats_known, true)) return g.pending;
    g.pending.clear();
    for (storage const* s = g.head; s && g.pending.values <= max_values; s = s->next) g.pending.add(*s->pending);
    return g.pending;
}

void measure(pending_operation& op) {
    op.cost = own_cost(op), op.values = own_values(op), op.loads = 0, op.height = 1;
    for (int k = 0; k < op.nargs; ++k) {
        storage const* m = op.args[k].memory.get();
        if (!m) continue;
        if (m->pending) op.height = std::max(op.height, m->pending->height + 1);
        if (is_load(*m)) {
            ++op.values, ++op.loads;
            continue;
        }
        op.cost += m->pending->cost;
        op.values += m->pending->values, op.loads += m->pending->loads;
    }
    if (!beyond_limits(op)) return;
    // Sums count a shared operand once per use, so they grow fast; the total of pending nodes is often still small.
    auto const& all = pending_stats();
    int const own = own_values(op) + op.nargs;
    if (all.values + own <= max_values && all.loads + op.nargs <= max_loads && !asks_in_parts(op)) {
        op.values = std::min(op.values, all.values + own), op.loads = std::min(op.loads, all.loads + op.nargs);
        op.cost = std::min(op.cost, all.cost + own_cost(op));
        return;
    }
    stats_of_graph const exact(op);
    op.values = exact.values, op.loads = exact.loads, op.cost = exact.cost;
}

namespace {

// The argument to evaluate first: the one with most values, or where the graph is too deep, the deepest.
storage* largest_argument(pending_operation const& op) {
    bool const deep = op.height > max_height;
    storage* best = nullptr;
    for (int k = 0; k < op.nargs; ++k) {
        storage* m = op.args[k].memory.get();
        if (!m || !m->pending || (m->pending->runs_apart() && !deep)) continue;
        if (!best || (deep ? m->pending->height > best->pending->height : m->pending->values > best->pending->values))
            best = m;
    }
    return best;
}

void add_dead(storage const* s, std::uint64_t walk, std::int64_t& bytes) {
    if (!first_visit(*s, walk)) return;
    if (s->pending) {
        for (int k = 0; k < s->pending->nargs; ++k)
            if (auto const* m = s->pending->args[k].memory.get()) add_dead(m, walk, bytes);
    } else if (s->handles() == 0) {
        bytes += s->bytes();
    }
}

bool is_result(storage const& s) { return s.handles() > 0 && !s.pending->reduces; }

// A cheap test: the memory that few pending nodes keep alive together is not larger than their results, of any graph.
bool all_keep_little(storage const* newest) {
    auto const& g = state();
    if (g.counts.pending > most_counted) return false;
    auto const& all = pending_stats();
    bool const all_read = all.values <= max_values;
    std::uint64_t const walk = next_walk();
    std::int64_t dead = 0, results = 0;
    int held = 0;
    for (storage const* s = newest; s; s = s->next) {
        if (is_result(*s) && ++held <= most_results) results += s->bytes();
        if (all_read && all.read_bytes <= std::max(results, free_dead_bytes)) return true;
        for (int k = 0; k < s->pending->nargs; ++k) {
            storage const* const m = s->pending->args[k].memory.get();
            if (!m || m->pending || m->handles() > 0) continue;
            if (first_visit(*m, walk)) dead += m->bytes();
        }
    }
    return dead <= std::max(results, free_dead_bytes);
}

}  // namespace

bool keeps_too_much(storage* s) {
    if (all_keep_little(s)) return false;
    std::int64_t dead = 0;
    std::uint64_t const walk = next_walk();
    add_dead(s, walk, dead);
    if (dead <= std::max(s->bytes(), free_dead_bytes)) return false;
    std::int64_t results = s->bytes();
    int n = 0;
    for (storage* other = s->next; other && n < most_results; other = other->next) {
        if (!is_result(*other)) continue;
        results += other->bytes(), ++n;
        add_dead(other, walk, dead);
    }
    return dead > results;
}

namespace {

bool shares_memory_with_others(pending_operation const& op) {
    for (int k = 0; k < op.nargs; ++k)
        if (auto* m = op.args[k].memory.get(); m && m->exports.load(std::memory_order_relaxed) > 0) return true;
    return false;
}

}  // namespace

array add(graph_lock& lock, device where, dtype t, dims shape, dims strides, std::unique_ptr<pending_operation> op,
          bool at_once) {
    measure(*op);
    while (beyond_limits(*op)) {
        storage_ref const largest(largest_argument(*op));
        if (!largest) break;
        evaluate(lock, largest.get(), flush_reason::limit);
        measure(*op);
    }
    auto const bytes = product(shape) * t.itemsize;
    auto s = storage::make(where, bytes);
    bool const shared = shares_memory_with_others(*op);
    s->shape = shape, s->strides = strides;
    s->pending = std::move(op);
    array result(s, t, std::move(shape), std::move(strides));
    enqueue(s.get());
    if (bytes == 0) {
        evaluate(lock, s.get(), flush_reason::small);
        return result;
    }
    if (at_once) evaluate(lock, s.get(), flush_reason::errors);
    else if (shared) evaluate(lock, s.get(), flush_reason::shared_memory);
    else if (!settings().fusion) evaluate(lock, s.get(), flush_reason::fusion_off);
    else if (s->pending->loads > 1 && !s->pending->reduces && keeps_too_much(s.get()))
        evaluate(lock, s.get(), flush_reason::limit);
    return result;
}

operand evaluated_copy(graph_lock& lock, operand const& from, dims const& shape) {
    auto node = std::make_unique<pending_operation>();
    node->op = ops::number<ops::cast>, node->nargs = 1, node->result = from.as, node->shape = shape,
    node->args[0] = from;
    dtype const t = make_dtype(from.as);
    array const copy =
        add(lock, from.memory->where(), t, shape, contiguous_strides(shape, t.itemsize), std::move(node));
    evaluate(lock, copy.memory(), flush_reason::overlap);
    return argument(copy, shape);
}

}  // namespace bascule::graph

// Making nodes: what a new one costs, and the limits that keep the graph small (design rules 7, 15 and 17).
#include <vector>

#include "bascule/array/graph.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::graph {
namespace {

constexpr int max_loads = 24, max_height = 100;
// A graph may keep alive what nothing else does up to its result's own size, or this where results are small.
constexpr std::int64_t free_dead_bytes = 1 << 20;

}  // namespace

void measure(pending_operation& op) {
    // Random values are drawn again rather than stored, by themselves and below what is made of them (rule 9).
    bool const free = op.folds || ops::table[op.op].call == ops::form::counter;
    op.cost = free ? 0 : ops::table[op.op].cost;
    // Half precision is computed between casts: twice the values.
    op.nodes = op.result == type_id::float16 ? 2 : 1, op.loads = 0, op.height = 1;
    for (int k = 0; k < op.nargs; ++k) {
        storage const* m = op.args[k].memory.get();
        if (!m) continue;
        if (m->pending) op.height = std::max(op.height, m->pending->height + 1);
        if (!m->pending || m->pending->folds) {
            ++op.loads;
            continue;
        }
        op.cost += m->pending->cost;
        op.nodes += m->pending->nodes, op.loads += m->pending->loads;
    }
}

namespace {

bool beyond_limits(pending_operation const& op) {
    return op.nodes > max_nodes || op.loads > max_loads || op.height > max_height;
}

// The argument to evaluate first: the one with most nodes, or where the graph is too deep, the deepest.
storage* largest_argument(pending_operation const& op) {
    bool const deep = op.height > max_height;
    storage* best = nullptr;
    for (int k = 0; k < op.nargs; ++k) {
        storage* m = op.args[k].memory.get();
        if (!m || !m->pending || (m->pending->folds && !deep)) continue;
        if (!best || (deep ? m->pending->height > best->pending->height : m->pending->nodes > best->pending->nodes))
            best = m;
    }
    return best;
}

void add_dead(storage* s, std::vector<storage*>& seen, std::int64_t& bytes) {
    for (auto* o : seen)
        if (o == s) return;
    seen.push_back(s);
    if (s->pending) {
        for (int k = 0; k < s->pending->nargs; ++k)
            if (auto* m = s->pending->args[k].memory.get()) add_dead(m, seen, bytes);
    } else if (s->handles.load(std::memory_order_relaxed) == 0) {
        bytes += s->bytes();
    }
}

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
    else if (s->pending->loads > 1) {
        std::int64_t dead = 0;
        std::vector<storage*> seen;
        add_dead(s.get(), seen, dead);
        if (dead > std::max(bytes, free_dead_bytes) && !s->pending->folds) evaluate(lock, s.get(), flush_reason::limit);
    }
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

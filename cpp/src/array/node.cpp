// Making nodes: what a new one costs, and the limits that keep the graph small (design rules 7, 15 and 17).
#include <algorithm>
#include <atomic>
#include <vector>

#include "bascule/array/graph.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::graph {
namespace {

constexpr int max_height = 100;
// A graph may keep alive what nothing else does up to its result's own size, or this where results are small.
constexpr std::int64_t free_dead_bytes = 1 << 20;
// Several results may together: the state of an iteration, say, and what was asked of it.
constexpr int most_results = 32;

float own_cost(pending_operation const& op) {
    // Random values are drawn again rather than stored, by themselves and below what is made of them (rule 9).
    bool const free = op.folds || ops::table[op.op].call == ops::form::counter;
    return free ? 0 : ops::table[op.op].cost;
}

// Values that the node adds to a plan itself: half precision is computed between casts.
int own_values(pending_operation const& op) {
    int values = op.result == type_id::float16 ? 2 : 1;
    for (int k = 0; k < op.nargs; ++k) {
        auto const& a = op.args[k];
        values += a.from != operand::source::memory;
        values += a.from != operand::source::constant && a.as != a.type;
        values += a.as == type_id::float16;
    }
    return values;
}

// Walks come by every node once. They are numbered across devices, each of which has a lock of its own.
std::uint64_t next_walk() noexcept {
    static std::atomic<std::uint64_t> walks{0};
    return walks.fetch_add(1, std::memory_order_relaxed) + 1;
}
bool first_visit(storage const& s, std::uint64_t walk) noexcept {
    if (s.walk == walk) return false;
    s.walk = walk;
    return true;
}

bool is_load(storage const& m) { return !m.pending || m.pending->runs_apart(); }

// A graph's plan, where what is asked for twice under one layout is there once.
class census {
public:
    explicit census(pending_operation const& op) { visit(op); }
    int values = 0, loads = 0;
    float cost = 0;

private:
    struct read {
        storage const* memory;
        std::int64_t offset;
        dims const* strides;
        type_id type;
    };

    void visit(pending_operation const& op) {
        values += own_values(op), cost += own_cost(op);
        for (int k = 0; k < op.nargs && values <= max_values; ++k) {
            auto const& a = op.args[k];
            storage const* const m = a.memory.get();
            if (a.from == operand::source::constant) values -= is_known(a);
            if (!m) continue;
            if (is_load(*m)) {
                count_read({m, a.offset, &a.strides, a.type});
            } else if (a.offset != 0 || !(op.shape == m->shape) || !(a.strides == m->strides)) {
                values += m->pending->values, loads += m->pending->loads, cost += m->pending->cost;
            } else if (first_visit(*m, walk_)) {
                visit(*m->pending);
            }
        }
    }

    void count_read(read const& r) {
        for (auto const& s : reads_)
            if (s.memory == r.memory && s.offset == r.offset && s.type == r.type && *s.strides == *r.strides) return;
        reads_.push_back(r);
        ++values, ++loads;
    }

    // Whether the constant came before; numbers of few bytes have zeros behind them.
    bool is_known(operand const& a) {
        for (auto const* known : constants_)
            if (known->type == a.type && known->as == a.as && known->value.u64 == a.value.u64 && !is_complex(a.type))
                return true;
        constants_.push_back(&a);
        return false;
    }

    std::uint64_t const walk_ = next_walk();
    std::vector<operand const*> constants_;
    std::vector<read> reads_;
};

}  // namespace

bool beyond_limits(pending_operation const& op) {
    return op.values > max_values || op.loads > max_loads || op.height > max_height;
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
    census const exact(op);
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
    } else if (s->handles.load(std::memory_order_relaxed) == 0) {
        bytes += s->bytes();
    }
}

}  // namespace

bool keeps_too_much(storage* s) {
    std::int64_t dead = 0;
    std::uint64_t const walk = next_walk();
    add_dead(s, walk, dead);
    if (dead <= std::max(s->bytes(), free_dead_bytes)) return false;
    std::int64_t results = s->bytes();
    int n = 0;
    for (storage* other = s->next; other && n < most_results; other = other->next) {
        if (other->handles.load(std::memory_order_relaxed) == 0 || other->pending->folds) continue;
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
    else if (s->pending->loads > 1 && !s->pending->folds && keeps_too_much(s.get()))
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

#include "graph_stats.hpp"

#include <algorithm>

#include "bascule/ops/table.hpp"

namespace bascule::graph {
namespace {

// Whether it was not there yet.
template <class T> bool add_new(std::vector<T>& to, T const& v) {
    if (std::find(to.begin(), to.end(), v) != to.end()) return false;
    to.push_back(v);
    return true;
}

std::uint64_t mixed(dims const& strides) {
    std::uint64_t h = 0;
    for (auto s : strides) h = (h ^ static_cast<std::uint64_t>(s)) * 0x9e3779b97f4a7c15U, h ^= h >> 29;
    return h;
}

}  // namespace

float own_cost(pending_operation const& op) {
    // Random values are sampled again rather than stored, by themselves and as operands of other operations (rule 9).
    bool const free = op.reduces || ops::table[op.op].call == ops::form::counter;
    return free ? 0 : ops::table[op.op].cost;
}

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

bool is_load(storage const& m) { return !m.pending || m.pending->runs_apart(); }

bool is_asked_whole(pending_operation const& op, operand const& a) {
    storage const& m = *a.memory;
    return a.offset == 0 && op.shape == m.shape && a.strides == m.strides;
}

void graph_stats::add(pending_operation const& op) {
    values += own_values(op), cost += own_cost(op);
    for (int k = 0; k < op.nargs; ++k) {
        auto const& a = op.args[k];
        storage const* const m = a.memory.get();
        // Numbers of few bytes have zeros behind them.
        if (a.from == operand::source::constant && !is_complex(a.type))
            values -= !add_new(constants_, {a.type, a.as, a.value.u64});
        if (!m) continue;
        if (is_load(*m)) {
            bool const first = add_new(reads_, {m, m->bytes(), a.offset, mixed(a.strides), a.type});
            if (first) ++values, ++loads, read_bytes += m->bytes();
        } else if (!is_asked_whole(op, a)) {
            values += m->pending->values, loads += m->pending->loads, cost += m->pending->cost;
        }
    }
}

void graph_stats::clear() {
    values = loads = 0, cost = 0, read_bytes = 0;
    constants_.clear(), reads_.clear();
}

}  // namespace bascule::graph

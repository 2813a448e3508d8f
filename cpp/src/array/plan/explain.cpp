// bc.explain: the pending program of an array, in words.
#include <string>
#include <vector>

#include "bascule/array/graph.hpp"
#include "bascule/array/promote.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "plan_builder.hpp"

namespace bascule {
namespace {

struct listing {
    std::vector<storage const*> seen;
    std::string text;
    int loads = 0, passes = 1, depth = 0;

    std::string name_of(storage const* s) {
        for (std::size_t i = 0; i < seen.size(); ++i)
            if (seen[i] == s) return "%" + std::to_string(i);
        return "";
    }

    std::string argument(operand const& o) {
        if (o.from == operand::source::constant) return std::string(type_name(o.type)) + " constant";
        if (o.from == operand::source::iota) return "index";
        if (o.memory->pending) return visit(o.memory.get());
        ++loads;
        return std::string("memory ") + type_name(o.type);
    }

    std::string visit(storage const* s) {
        if (auto known = name_of(s); !known.empty()) return known;
        auto const& op = *s->pending;
        bool const inner = depth > 0;
        passes += op.runs_apart() && inner && !is_unrolled(op);  // an operation on a reduction has to wait for all of
                                                                 // it
        if (op.into) passes -= op.args[0].memory->pending && op.args[0].memory->pending->into;  // stores run together
        ++depth;
        std::string line = op.into       ? "store"
                           : op.selected ? "select"
                           : op.reduces  ? ops::aggregate_table[op.op].name
                                         : ops::table[op.op].name;
        for (int k = 0; k < op.nargs; ++k) line += (k ? ", " : "(") + argument(op.args[k]);
        --depth;
        seen.push_back(s);
        text += "  %" + std::to_string(seen.size() - 1) + " = " + line + ")  " + type_name(op.result) +
                to_string(s->shape);
        if (op.reduces) text += "  over " + to_string(op.shape);
        if (s->handles() > 0) text += "  held";
        text += "\n";
        return "%" + std::to_string(seen.size() - 1);
    }
};

}  // namespace

std::string explain(array const& a) {
    graph_lock lock;
    storage const* s = a.memory();
    if (!s->pending)
        return (s->moved ? "moved out of memory: " : "in memory: ") + std::string(type_name(a.type.id)) +
               to_string(a.shape) + " on " + a.where().name() + "\n";
    listing l;
    l.visit(s);
    return "pending on " + a.where().name() + ": " + std::to_string(l.seen.size()) + " operations, " +
           std::to_string(l.loads) + " reads of memory, " +
           (l.passes == 1 ? "1 pass" : std::to_string(l.passes) + " passes") +
           "; runs when a value is read or what it reads is about to be written, and before it has more than " +
           std::to_string(graph::max_values) + " operations, casts, constants and reads\n" + l.text;
}

}  // namespace bascule

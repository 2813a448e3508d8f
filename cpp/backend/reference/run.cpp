// Runs a plan: at each index of the iteration space, in C order, evaluates every value and performs the stores.
#include <cstring>
#include <map>

#include "backend/reference/parts.hpp"

namespace bascule::reference {
namespace {

// A value with its function looked up and its types checked.
struct step {
    plan_value const* value;
    scalar_function function = nullptr;
};

std::string name_of(std::size_t i) { return "run: value " + std::to_string(i); }

step resolve_op(plan const& p, std::size_t i) {
    auto const& v = p.values[i];
    expects(v.nargs >= 1 && v.nargs <= 4, status::value_error,
            name_of(i) + ": expected 1 to 4 arguments, got " + std::to_string(v.nargs));
    std::vector<type_id> args;
    for (int k = 0; k < v.nargs; ++k) {
        expects(v.args[k] < i, status::value_error,
                name_of(i) + ": argument " + std::to_string(k) + " does not precede it");
        args.push_back(p.values[v.args[k]].dtype);
    }
    return {&v, find_op(v.op, args, v.dtype)};
}

step resolve(plan const& p, std::size_t i) {
    auto const& v = p.values[i];
    switch (v.kind) {
        case value_kind::load:
            expects(v.operand < p.noperands && p.operands[v.operand].dtype == v.dtype, status::value_error,
                    name_of(i) + ": loads an operand of another dtype");
            return {&v};
        case value_kind::constant:
            expects(v.operand < p.nconstants, status::value_error, name_of(i) + ": no such constant");
            return {&v};
        case value_kind::iota:
            expects(v.operand < p.niotas && v.dtype == type_id::int64, status::value_error,
                    name_of(i) + ": no such iota of int64");
            return {&v};
        default: return resolve_op(p, i);
    }
}

void check_outputs(plan const& p) {
    for (int s = 0; s < p.nstores; ++s)
        expects(p.stores[s].value < p.nvalues && p.values[p.stores[s].value].dtype == p.stores[s].out.dtype,
                status::value_error, "run: store " + std::to_string(s) + " writes a value of another dtype");
    for (int r = 0; r < p.nreductions; ++r) {
        expects(p.reductions[r].value < p.nvalues, status::value_error,
                "run: reduction " + std::to_string(r) + " reduces no value");
        check_reduction(p.reductions[r], p.values[p.reductions[r].value].dtype);
    }
}

void evaluate(plan const& p, step const& s, extents at, std::vector<cell>& values, cell& out) {
    auto const& v = *s.value;
    out = cell{};
    switch (v.kind) {
        case value_kind::load: {
            auto const& operand = p.operands[v.operand];
            std::memcpy(out.bytes, element_at(operand.base, operand.strides, at),
                        static_cast<std::size_t>(itemsize(v.dtype)));
            return;
        }
        case value_kind::constant: std::memcpy(out.bytes, p.constants[v.operand].bytes, sizeof out.bytes); return;
        case value_kind::iota: {
            auto const i = p.iotas[v.operand].start + dot(at, p.iotas[v.operand].strides);
            std::memcpy(out.bytes, &i, sizeof i);
            return;
        }
        default: {
            cell const* args[4] = {};
            for (int k = 0; k < v.nargs; ++k) args[k] = &values[v.args[k]];
            s.function(args, out);
            return;
        }
    }
}

// The elements that share one output element, in C order of the reduced dimensions, by index with those set to 0.
using groups = std::map<std::vector<std::int64_t>, std::vector<cell>>;

std::vector<std::int64_t> kept_part(plan const& p, extents at) {
    std::vector<std::int64_t> kept(at.begin(), at.end());
    for (std::size_t d = 0; d < kept.size(); ++d)
        if (p.reduced != nullptr && p.reduced[d] != 0) kept[d] = 0;
    return kept;
}

// Elements of one run of the summation tree; 0: the innermost dimension is kept.
std::int64_t run_length(plan const& p) {
    if (p.ndim == 0 || p.reduced == nullptr || p.reduced[p.ndim - 1] == 0) return 0;
    std::int64_t run = 1;
    for (int d = p.ndim - p.run_dims; d < p.ndim; ++d) run *= p.shape[d];
    return run;
}

// Every output element has a group, also where nothing is reduced into it.
groups empty_groups(plan const& p) {
    std::vector<std::int64_t> shape(p.shape, p.shape + p.ndim);
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (p.reduced != nullptr && p.reduced[d] != 0) shape[d] = 1;
    groups all;
    for_each_index(shape, [&](extents at) { all[{at.begin(), at.end()}]; });
    return all;
}

}  // namespace

void run(plan const& p) {
    expects(p.abi == plan_abi, status::value_error,
            "run: expected plan abi " + std::to_string(plan_abi) + ", got " + std::to_string(p.abi));
    std::vector<step> steps;
    for (std::size_t i = 0; i < p.nvalues; ++i) steps.push_back(resolve(p, i));
    check_outputs(p);

    std::vector<groups> reduced(p.nreductions, p.nreductions > 0 ? empty_groups(p) : groups{});
    std::vector<cell> values(p.nvalues);
    std::vector<std::uint32_t> flags(p.nvalues);
    for_each_index({p.shape, static_cast<std::size_t>(p.ndim)}, [&](extents at) {
        for (std::size_t i = 0; i < p.nvalues; ++i) {
            evaluate(p, steps[i], at, values, values[i]);
            if (p.values[i].check != 0) flags[i] |= fp_errors(p, i, values);
        }
        for (int s = 0; s < p.nstores; ++s) {
            auto const& store = p.stores[s];
            std::memcpy(element_at(store.out.base, store.out.strides, at), values[store.value].bytes,
                        static_cast<std::size_t>(itemsize(store.out.dtype)));
        }
        for (int r = 0; r < p.nreductions; ++r) reduced[r][kept_part(p, at)].push_back(values[p.reductions[r].value]);
    });

    auto const length = run_length(p);
    for (int r = 0; r < p.nreductions; ++r) {
        auto const& reduction = p.reductions[r];
        for (auto const& [at, elements] : reduced[r])
            reduce(reduction, p.values[reduction.value].dtype, elements, length,
                   element_at(reduction.out.base, reduction.out.strides, at));
    }
    for (std::size_t i = 0; p.fp_flags != nullptr && i < flags.size(); ++i) p.fp_flags[i] |= flags[i];
}

}  // namespace bascule::reference

#include "backend/cpu/rewrites/cross_row_cse.hpp"

#include <algorithm>

#include "backend/cpu/program/program.hpp"

namespace bascule::cpu {
namespace {

// Rows that a block does not cross; and so many elements and loads repay the writing of another plan.
constexpr std::int64_t shortest_row = 256, least_elements = 64 * 1024;
constexpr int least_loads = 4;

// The bytes from the first element to behind the last one, of consecutive rows; none: rows overlap.
std::int64_t extent(plan const& p, plan_operand const& o) noexcept {
    std::int64_t const size = itemsize(o.dtype), row = p.shape[1] * size;
    return o.strides[1] == size && o.strides[0] >= row ? (p.shape[0] - 1) * o.strides[0] + row : 0;
}

bool lie_apart(plan const& p, plan_operand const& a, plan_operand const& b) noexcept {
    auto const *const x = static_cast<char const*>(a.base), *const y = static_cast<char const*>(b.base);
    return x + extent(p, a) <= y || y + extent(p, b) <= x;
}

// Rows are written in another order, some of them twice, so none may share memory with another one or with an operand.
// Results larger than the caches are written one by one.
bool writes_apart(plan const& p) noexcept {
    for (int s = 0; s < p.nstores; ++s) {
        plan_operand const& o = p.stores[s].out;
        if (extent(p, o) == 0 || extent(p, o) >= streamed_bytes || overwrites_input(p, o)) return false;
        for (int t = 0; t < s; ++t)
            if (!lie_apart(p, o, p.stores[t].out)) return false;
    }
    return true;
}

}  // namespace

bool cross_row_cse::applies(plan const& p) noexcept {
    return p.ndim == 2 && p.noperands >= least_loads && p.nreductions == 0 && !p.selection && p.niotas == 0 &&
           p.nstores > 0 && p.nstores * rows <= max_plan_outputs && p.shape[0] >= 2 * rows &&
           p.shape[1] >= shortest_row && p.shape[0] * p.shape[1] >= least_elements && writes_apart(p);
}

cross_row_cse::cross_row_cse(plan const& source) noexcept
    : source_(source), plan_(source), shape_{source.shape[0] / rows, source.shape[1]} {
    find_below();
    pays_ = shares_enough() && build_rows();
    plan_.shape = shape_, plan_.operands = operands_, plan_.values = values_, plan_.stores = stores_;
    if (source.fp_flags) plan_.fp_flags = flags_;
}

void cross_row_cse::find_below() noexcept {
    for (int v = 0; v < source_.nvalues; ++v) {
        int below = is_below(v, v) ? v : 0;
        while (below < source_.nvalues && !is_below(v, below)) ++below;
        below_[v] = below < source_.nvalues ? static_cast<std::int16_t>(below) : nowhere;
    }
}

bool cross_row_cse::is_below(int v, int w) const noexcept {
    plan_value const &a = source_.values[v], &b = source_.values[w];
    if (a.kind != b.kind || a.dtype != b.dtype) return false;
    if (a.kind == value_kind::constant) return a.operand == b.operand;
    if (a.kind == value_kind::load) {
        plan_operand const &x = source_.operands[a.operand], &y = source_.operands[b.operand];
        return std::equal(x.strides, x.strides + 2, y.strides) &&
               static_cast<char const*>(x.base) + x.strides[0] == y.base;
    }
    if (a.op != b.op || a.nargs != b.nargs || a.check != b.check) return false;
    for (int k = 0; k < a.nargs; ++k)
        if (below_[a.args[k]] != b.args[k]) return false;
    return true;
}

// Loads alone are spared by caches, too.
bool cross_row_cse::shares_enough() const noexcept {
    int loads = 0, ops = 0;
    for (int v = 0; v < source_.nvalues; ++v) {
        if (below_[v] == nowhere || below_[v] == v) continue;
        if (source_.values[v].kind == value_kind::load) ++loads;
        else ++ops;
    }
    return loads >= least_loads && ops > 0;
}

bool cross_row_cse::build_rows() noexcept {
    plan_.noperands = plan_.nvalues = plan_.nstores = 0;
    for (int row = 0; row < rows; ++row)
        for (int v = 0; v < source_.nvalues; ++v)
            if (row > 0 && below_[v] != nowhere) at_[row][v] = at_[row - 1][below_[v]];
            else if (!put(row, v)) return false;
    for (int row = 0; row < rows; ++row)
        for (int s = 0; s < source_.nstores; ++s) {
            plan_store const& x = source_.stores[s];
            stores_[plan_.nstores++] = {at_[row][x.value], moved(x.out, row, strides_[max_plan_operands + s])};
        }
    return true;
}

bool cross_row_cse::put(int row, int v) noexcept {
    plan_value x = source_.values[v];
    if (plan_.nvalues == max_plan_values) return false;
    if (x.kind == value_kind::load) {
        if (plan_.noperands == max_plan_operands) return false;
        operands_[plan_.noperands] = moved(source_.operands[x.operand], row, strides_[x.operand]);
        x.operand = plan_.noperands++;
    } else if (x.kind == value_kind::op) {
        for (int k = 0; k < x.nargs; ++k) x.args[k] = at_[row][x.args[k]];
    }
    values_[plan_.nvalues] = x;
    at_[row][v] = plan_.nvalues++;
    return true;
}

// The same of that row of every group of them.
plan_operand cross_row_cse::moved(plan_operand const& o, int row, std::int64_t* strides) const noexcept {
    strides[0] = o.strides[0] * rows, strides[1] = o.strides[1];
    return {static_cast<char*>(o.base) + row * o.strides[0], strides, o.dtype};
}

bool cross_row_cse::move_to_last() noexcept {
    if (source_.shape[0] % rows == 0) return false;
    auto const move = [&](plan_operand& o) {
        o.base = static_cast<char*>(o.base) + (source_.shape[0] - rows) * (o.strides[0] / rows);
    };
    std::for_each(operands_, operands_ + plan_.noperands, move);
    for (int s = 0; s < plan_.nstores; ++s) move(stores_[s].out);
    shape_[0] = 1;
    return true;
}

void cross_row_cse::move_to_last(program& p) const noexcept {
    for (int k = 0; k < p.nmoving; ++k) {
        slot& s = p.slots[p.moving[k]];
        s.base += (source_.shape[0] - rows) * (s.strides[0] / rows);
    }
    p.space.total = shape_[1];
}

void cross_row_cse::report() const noexcept {
    for (int row = 0; source_.fp_flags && row < rows; ++row)
        for (int v = 0; v < source_.nvalues; ++v)
            if (flags_[at_[row][v]]) __atomic_fetch_or(source_.fp_flags + v, flags_[at_[row][v]], __ATOMIC_RELAXED);
}

}  // namespace bascule::cpu

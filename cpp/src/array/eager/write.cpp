// Writes to small arrays, done at once: of one value, of as many as there are, of those that a mask selects.
#include <algorithm>
#include <cstring>

#include "bascule/array/device_calls.hpp"
#include "bascule/array/eager.hpp"
#include "bascule/array/overlap.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"
#include "bascule/core/uint_of_size.hpp"
#include "bascule/ops/table.hpp"
#include "immediate.hpp"

namespace bascule::eager {

bool fill(array const& to, plan_constant const& v) {
    if (!is_small(to) || to.ndim() == 0 || !elements_lie_apart(to)) return false;
    graph_lock lock;
    if (!may_write(lock, to)) return false;
    std::int64_t const* const number = nullptr;
    immediate p(ops::fp::none);
    p.lay_out(to.shape, std::span(&number, 1), to.strides.data());
    p.store(p.constant(v, to.type.id), to.memory()->data() + to.offset, to.type.id, to.where());
    return true;
}

bool assign(array const& to, array const& from) {
    int const surplus = to.ndim() - from.ndim();
    if (!is_small(to) || surplus < 0 || from.ndim() == 0 || !(from.type == to.type) || !(from.where() == to.where()))
        return false;
    storage const *const source = from.memory(), *const s = to.memory();
    if (source->foreign() || s->foreign()) return false;
    bool const itself = source == s && from.offset == to.offset && from.strides == to.strides;
    if (source == s && !itself) return false;
    dims strides(surplus, 0);
    for (int d = 0; d < from.ndim(); ++d) {
        if (from.shape[d] != to.shape[d + surplus]) return false;
        strides.push_back(from.strides[d]);
    }
    if (!elements_lie_apart(to)) return false;
    graph_lock lock;
    if (!is_readable(from) || !may_write(lock, to) || !is_readable(from)) return false;
    std::int64_t const* const layout = strides.data();
    immediate p(ops::fp::none);
    p.lay_out(to.shape, std::span(&layout, 1), to.strides.data());
    p.store(p.load(source->data() + from.offset, to.type.id), s->data() + to.offset, to.type.id, to.where());
    return true;
}

bool sort(array const& a) {
    if (!is_small(a) || a.ndim() == 0 || is_complex(a.type.id)) return false;
    graph_lock lock;
    if (!is_contiguous_ready(a) || !may_write(lock, a)) return false;
    sort_args s;
    s.dtype = a.type.id, s.length = a.shape[a.ndim() - 1], s.rows = a.size() / s.length;
    s.data = s.out = a.memory()->data() + a.offset;
    throw_if(device_calls::algorithm(a.where(), algorithm_kind::sort, &s), a.where());
    return true;
}

bool scatter(array const& to, array const& positions, plan_constant const* element, array const* values) {
    if (!is_small(to) || to.ndim() == 0 || positions.ndim() == 0 || positions.type.id != type_id::int64) return false;
    if (!(positions.where() == to.where()) || positions.memory() == to.memory() || positions.size() == 0) return false;
    std::int64_t const n = to.shape[0], count = positions.size(), unit = to.size() / n, item = to.itemsize();
    if (values) {
        int const lead = positions.ndim();
        if (!(values->type == to.type) || values->memory() == to.memory() || !(values->where() == to.where()))
            return false;
        if (values->ndim() != lead + to.ndim() - 1) return false;
        for (int d = 0; d < values->ndim(); ++d)
            if (values->shape[d] != (d < lead ? positions.shape[d] : to.shape[d - lead + 1])) return false;
    }
    graph_lock lock;
    if (!is_contiguous_ready(positions) || (values && !is_contiguous_ready(*values))) return false;
    if (!is_contiguous_ready(to) || !may_write(lock, to)) return false;
    std::int64_t const step = unit * item, from = values ? item : 0;
    std::int64_t const extents[2] = {count, unit}, base[2] = {0, item},
                       index[2] = {static_cast<std::int64_t>(sizeof(std::int64_t)), 0}, other[2] = {from * unit, from};
    std::int32_t const axis = 0;
    plan_operand const at{positions.memory()->data() + positions.offset, index, type_id::int64};
    plan_constant held = element ? *element : plan_constant{};
    gather_args g;
    g.ndim = unit == 1 ? 1 : 2, g.shape = extents, g.base = to.memory()->data() + to.offset, g.base_strides = base;
    g.nindex = 1, g.index = &at, g.index_step = &step, g.index_size = &n, g.index_axis = &axis;
    g.other = {values ? static_cast<void*>(values->memory()->data() + values->offset) : held.bytes, other, to.type.id};
    g.itemsize = static_cast<std::int32_t>(item);
    auto const st = device_calls::algorithm(to.where(), algorithm_kind::scatter, &g);
    if (st == status::index_error) return false;  // nothing was written; the general call says which
    throw_if(st, to.where());
    return true;
}

namespace {

// Whether one task can write the selected elements: small, writeable arrays of one shape in the host's memory.
bool may_be_selected(array const& to, array const& mask) {
    constexpr std::int64_t most = std::int64_t{1} << 15;
    storage const *const s = to.memory(), *const m = mask.memory();
    if (!to.where().api->host_memory || !(mask.where() == to.where()) || !(mask.shape == to.shape)) return false;
    if (to.ndim() == 0 || to.size() == 0 || to.size() > most || !to.writeable || !s->writeable) return false;
    if (!to.where().api->supports(algorithm_kind::expand, to.type.id)) return false;
    return s == m ? to.offset == mask.offset && to.strides == mask.strides : !(s->foreign() && m->foreign());
}

// A chain of masked stores keeps all their masks, and is as much work as storing at once.
bool waits_for_selection(storage const* s) {
    auto const* op = s->pending.get();
    if (op && op->op == ops::number<ops::cast> && op->args[0].memory) op = op->args[0].memory->pending.get();
    return op && !op->runs_apart() && op->op == ops::number<ops::where>;
}

// Whether the mask is in memory, or one pending operation on operands that are.
bool is_soon_known(storage const* mask) {
    auto const* op = mask->pending.get();
    if (!op || op->runs_apart()) return mask->ready();
    return std::all_of(op->args, op->args + op->nargs,
                       [](operand const& a) { return !a.memory || (a.memory->ready() && !a.memory->running); });
}

// `values`: null for the one that `e` has. The graph's lock is held.
bool write_selected(graph_lock& lock, array const& to, array const& mask, bool temporary, array const* values,
                    expand_args& e) {
    storage *const s = to.memory(), *const m = mask.memory();
    if (temporary && !is_soon_known(m)) return false;
    if (waits_for_selection(s)) graph::evaluate(lock, s, flush_reason::write);
    if (!s->ready()) return false;
    if (!m->ready()) graph::evaluate(lock, m, flush_reason::barrier);
    if (!may_write(lock, to) || !m->ready() || m->running) return false;
    if (values && !is_contiguous_ready(*values)) return false;
    if (values) e.values = values->memory()->data() + values->offset, e.count = values->size();
    e.ndim = to.ndim(), e.shape = to.shape.data();
    e.mask = {m->data() + mask.offset, mask.strides.data(), type_id::bool_};
    e.data = {s->data() + to.offset, to.strides.data(), to.type.id};
    e.itemsize = static_cast<std::int32_t>(to.itemsize());
    auto const wanted = e.count;
    auto const where = to.where();
    throw_if(device_calls::algorithm(where, algorithm_kind::expand, &e), where);
    return e.count == wanted;
}

}  // namespace

bool fill_selected(array const& to, array const& mask, bool temporary, plan_constant const& v) {
    if (!may_be_selected(to, mask)) return false;
    graph_lock lock;
    expand_args e;
    e.values = v.bytes, e.repeats = true;
    return write_selected(lock, to, mask, temporary, nullptr, e);
}

bool assign_selected(array const& to, array const& mask, bool temporary, array const& values) {
    storage const* const from = values.memory();
    if (values.ndim() != 1 || !(values.type == to.type) || !(values.where() == to.where())) return false;
    if (!may_be_selected(to, mask) || to.memory() == mask.memory() || from == to.memory()) return false;
    if (from->foreign() || to.memory()->foreign() || !elements_lie_apart(to)) return false;
    graph_lock lock;
    expand_args e;
    return write_selected(lock, to, mask, temporary, &values, e);
}

}  // namespace bascule::eager

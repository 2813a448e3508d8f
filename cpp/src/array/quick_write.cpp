// Writes to small arrays, done at once: of an element, of one value, of as many as there are.
#include <algorithm>
#include <cstdlib>

#include "bascule/array/overlap.hpp"
#include "bascule/array/quick.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/ops/table.hpp"
#include "graph_state.hpp"
#include "small_arrays.hpp"

namespace bascule::small_plan {

bool is_plain(array const& a) {
    auto const* s = a.memory();
    if (!s->ready() || s->running || (s->odd_truths && is_boolean(a.type.id))) return false;
    if (a.ndim() == 1) return a.strides[0] == a.itemsize() || a.shape[0] == 1;
    return is_c_contiguous(a.shape, a.strides, a.itemsize());
}

bool is_small(std::int64_t n) {
    static graph_settings const& of_process = settings();
    return n != 0 && n < of_process.eager_below.load(std::memory_order_relaxed);
}

bool is_small(array const& a) { return a.where().api->host_memory && is_small(a.size()); }

bool may_write(graph_lock& lock, array const& to) {
    storage* const s = to.memory();
    auto const at_rest = [s] { return s->ready() && !s->running && s->running_readers == 0 && !s->pending; };
    if (!to.writeable || !s->writeable || !at_rest()) return false;
    if (state().head) {
        graph::flush_readers(lock, s);
        if (!at_rest()) return false;
    }
    ++s->version;
    return true;
}

}  // namespace bascule::small_plan

namespace bascule {

bool quick_copy(array const& a, array& result) {
    storage const* const s = a.memory();
    if (!small_plan::is_small(a) || a.ndim() == 0 || a.itemsize() > small_plan::longest_element) return false;
    graph_lock lock;
    if (!s->ready() || s->running || (s->odd_truths && is_boolean(a.type.id)) || small_plan::has_short_rows(a))
        return false;
    result = small_plan::moved_together(a);
    return true;
}

bool quick_store(array const& to, std::int64_t offset, plan_constant const& v) {
    if (!to.where().api->host_memory) return false;
    graph_lock lock;
    if (!small_plan::may_write(lock, to)) return false;
    small_plan::copy_element(to.memory()->data() + offset, reinterpret_cast<std::byte const*>(v.bytes), to.itemsize());
    return true;
}

namespace {

// Elements that lie on one another are written in an order of their own, by the general call.
bool has_places_apart(array const& a) {
    if (a.ndim() == 1) return std::abs(a.strides[0]) >= a.itemsize();
    return !overlap::overlaps_itself({a.offset, a.shape, a.strides, a.itemsize()});
}

}  // namespace

bool quick_fill(array const& to, plan_constant const& v) {
    if (!small_plan::is_small(to) || to.ndim() == 0) return false;
    graph_lock lock;
    if (to.itemsize() > small_plan::longest_element || !has_places_apart(to) || !small_plan::may_write(lock, to))
        return false;
    return small_plan::with_element(to.itemsize(), [&]<class T>(T) {
        T value;
        std::memcpy(&value, v.bytes, sizeof value);
        small_plan::for_rows(to, [&](std::int64_t offset, std::int64_t count, std::int64_t step, std::int64_t) {
            std::byte* p = to.memory()->data() + offset;
            if (step == static_cast<std::int64_t>(sizeof(T))) std::fill_n(reinterpret_cast<T*>(p), count, value);
            else
                for (std::int64_t i = 0; i < count; ++i, p += step) std::memcpy(p, &value, sizeof value);
        });
    });
}

bool quick_overwrite(array const& to, void const* from) {
    if (!small_plan::is_small(to)) return false;
    graph_lock lock;
    if (!small_plan::is_plain(to) || !small_plan::may_write(lock, to)) return false;
    std::memcpy(to.memory()->data() + to.offset, from, static_cast<std::size_t>(to.size() * to.itemsize()));
    return true;
}

bool quick_scatter(array const& to, std::span<std::int64_t const> at, std::int64_t unit, void const* from, bool same) {
    if (!small_plan::is_small(to)) return false;
    graph_lock lock;
    if ((same && to.itemsize() > small_plan::longest_element) || !small_plan::is_plain(to) ||
        !small_plan::may_write(lock, to))
        return false;
    std::byte* const begin = to.memory()->data() + to.offset;
    if (!same) {
        auto const bytes = static_cast<std::size_t>(unit * to.itemsize());
        auto const* p = static_cast<std::byte const*>(from);
        for (auto k : at) std::memcpy(begin + static_cast<std::size_t>(k) * bytes, p, bytes), p += bytes;
        return true;
    }
    return small_plan::with_element(to.itemsize(), [&]<class T>(T) {
        T value;
        std::memcpy(&value, from, sizeof value);
        for (auto k : at) std::fill_n(reinterpret_cast<T*>(begin) + k * unit, unit, value);
    });
}

namespace {

// Lies in one piece of work, and nothing is to be known of it but where it is.
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

// One operation on what lies in memory.
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
    if (!small_plan::may_write(lock, to) || !m->ready() || m->running) return false;
    if (values && !small_plan::is_plain(*values)) return false;
    if (values) e.values = values->memory()->data() + values->offset, e.count = values->size();
    e.ndim = to.ndim(), e.shape = to.shape.data();
    e.mask = {m->data() + mask.offset, mask.strides.data(), type_id::bool_};
    e.data = {s->data() + to.offset, to.strides.data(), to.type.id};
    e.itemsize = static_cast<std::int32_t>(to.itemsize());
    auto const wanted = e.count;
    auto const where = to.where();
    throw_if(where.api->algorithm(where.index, algorithm_kind::expand, &e, nullptr), where);
    return e.count == wanted;
}

}  // namespace

bool quick_fill_selected(array const& to, array const& mask, bool temporary, plan_constant const& v) {
    if (!may_be_selected(to, mask)) return false;
    graph_lock lock;
    expand_args e;
    e.values = v.bytes, e.repeats = true;
    return write_selected(lock, to, mask, temporary, nullptr, e);
}

bool quick_assign_selected(array const& to, array const& mask, bool temporary, array const& values) {
    storage const* const from = values.memory();
    if (values.ndim() != 1 || !(values.type == to.type) || !(values.where() == to.where())) return false;
    if (!may_be_selected(to, mask) || to.memory() == mask.memory() || from == to.memory()) return false;
    if (from->foreign() || to.memory()->foreign() || !has_places_apart(to)) return false;
    graph_lock lock;
    expand_args e;
    return write_selected(lock, to, mask, temporary, &values, e);
}

bool quick_assign(array const& to, array const& from) {
    int const surplus = to.ndim() - from.ndim();
    if (!small_plan::is_small(to) || surplus < 0 || from.ndim() == 0 || !(from.type == to.type) ||
        to.itemsize() > small_plan::longest_element)
        return false;
    for (int d = 0; d < from.ndim(); ++d)
        if (from.shape[d] != to.shape[d + surplus]) return false;
    storage const* const source = from.memory();
    if (!(from.where() == to.where()) || source->foreign() || to.memory()->foreign() || !has_places_apart(to))
        return false;
    graph_lock lock;
    if (!source->ready() || source->running || (source->odd_truths && is_boolean(from.type.id))) return false;
    if (source == to.memory()) {
        bool const itself = from.offset == to.offset && from.strides == to.strides && from.shape == to.shape;
        return itself ? small_plan::may_write(lock, to) : quick_assign(to, small_plan::moved_together(from));
    }
    int const row_axis = small_plan::row_axis(to.shape) - surplus;  // of `from`
    if (row_axis < 0 || small_plan::has_short_rows(to)) return false;
    if (!small_plan::may_write(lock, to)) return false;
    if (!source->ready() || source->running) return false;
    std::int64_t const rows = from.size() / from.shape[row_axis], from_step = from.strides[row_axis];
    return small_plan::with_element(to.itemsize(), [&]<class T>(T) {
        small_plan::for_rows(to, [&](std::int64_t offset, std::int64_t count, std::int64_t step, std::int64_t row) {
            std::int64_t at = from.offset, rest = row % rows;
            for (int d = row_axis - 1; d >= 0; --d) at += rest % from.shape[d] * from.strides[d], rest /= from.shape[d];
            small_plan::copy_run<T>(source->data() + at, from_step, count, to.memory()->data() + offset, step);
        });
    });
}

}  // namespace bascule

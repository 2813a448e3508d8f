// Writes: in program order, overlap solved as NumPy solves it (design rules 4, 5 and 6).
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "../eager/immediate.hpp"
#include "../graph/deferred_stores.hpp"
#include "../graph/graph_state.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/overlap.hpp"
#include "bascule/ops/table.hpp"
#include "python_numbers.hpp"

namespace bascule {
namespace {

constexpr auto cast_op = ops::number<ops::cast>;

// The target is all of its storage, element for element in a dense layout.
bool is_whole(array const& to) {
    return to.offset == 0 && to.size() * to.itemsize() == to.memory()->bytes() && !to.memory()->foreign() &&
           to.strides == dense_strides_like(to.shape, to.strides, to.itemsize());
}

// Memory inside the storage itself cannot move to another one.
bool may_rename(array const& to) {
    if (to.memory()->bytes() <= storage::inline_bytes && to.where().api->host_memory) return false;
    return to.size() >= settings().eager_below && settings().fusion &&
           to.memory()->exports.load(std::memory_order_relaxed) == 0 && is_whole(to);
}

// Pending nodes a value is computed through.
std::vector<storage*> nodes_below(storage* s) {
    auto const walk = graph::next_walk();
    std::vector<storage*> nodes;
    auto const reach = [&](storage* n) {
        if (n && n->pending && graph::first_visit(*n, walk)) nodes.push_back(n);
    };
    reach(s);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (int k = 0; k < nodes[i]->pending->nargs; ++k) reach(nodes[i]->pending->args[k].memory.get());
    return nodes;
}

// The old contents move to a storage of their own, which the new operation reads; all holders of the array see the new
// contents. Nothing is copied, and the kernel may write over the old memory when it is the last to read it. Returns
// whether the new operation must run at once.
bool rename(array const& to, operand from, std::vector<storage*> const& nodes) {
    storage* s = to.memory();
    storage_ref const old = deferred_stores::contents_apart(s);
    for (auto* n : nodes)
        for (int k = 0; n != s && k < n->pending->nargs; ++k)
            if (n->pending->args[k].memory.get() == s) n->pending->args[k].memory = old;
    if (from.memory.get() == s) from.memory = old;
    auto node = std::make_unique<pending_operation>();
    node->op = cast_op, node->nargs = 1, node->result = to.type.id, node->shape = to.shape;
    bool const at_once =
        errstate::mark(*node, errstate::kind::cast, errstate::of_cast(from.type, to.type.id, errstate::current.check));
    node->args[0] = std::move(from);
    graph::measure(*node);
    s->shape = to.shape, s->strides = to.strides;
    s->pending = std::move(node);
    ++s->version;
    graph::enqueue(s);
    return at_once;
}

bool same_elements(operand const& o, array const& to) {
    if (o.offset != to.offset) return false;
    for (int d = 0; d < to.ndim(); ++d)
        if (to.shape[d] > 1 && o.strides[d] != to.strides[d]) return false;
    // Where elements overlap, a write changes elements that are read later.
    return !overlap::overlaps_itself({to.offset, to.shape, to.strides, to.itemsize()});
}

// Every read of the target inside `from` is of the very element being written, and no other operation will read these
// nodes.
bool safe_in_one_pass(operand const& from, array const& to) {
    storage* m = from.memory.get();
    if (!m || !m->pending) return m != to.memory() || same_elements(from, to);
    if (!graph::depends_on(m, to.memory())) return true;
    bool const own = m->handles() == 0 && m->references() == 1;
    if (!own || m->pending->runs_apart() || !(m->shape == to.shape) || from.offset != 0 ||
        !(from.strides == m->strides))
        return false;
    for (int k = 0; k < m->pending->nargs; ++k)
        if (!safe_in_one_pass(m->pending->args[k], to)) return false;
    return true;
}

// Foreign storages may be two views of one buffer: addresses decide.
bool shares_foreign_bytes(operand const& from, array const& to) {
    storage const *a = from.memory.get(), *b = to.memory();
    if (!a || a == b || !a->ready() || !b->ready() || !a->foreign() || !b->foreign()) return false;
    auto const x = extent(to.shape, from.strides, from.offset, itemsize(from.type));
    auto const y = extent(to.shape, to.strides, to.offset, to.itemsize());
    return a->data() + x.first < b->data() + y.second && b->data() + y.first < a->data() + x.second;
}

bool needs_copy(operand const& from, array const& to) {
    if (from.from != operand::source::memory) return false;
    if (overlap::overlaps_itself({to.offset, to.shape, to.strides, to.itemsize()}))
        return from.memory.get() == to.memory();
    if (shares_foreign_bytes(from, to)) return true;
    return from.memory.get() == to.memory() && !same_elements(from, to) &&
           overlap::may_share({to.offset, to.shape, to.strides, to.itemsize()},
                              {from.offset, to.shape, from.strides, itemsize(from.type)});
}

// One scalar for one element, about which nothing is to be reported: no plan is needed.
bool is_plain_element(operand const& from, array const& to) {
    return from.from == operand::source::constant && to.size() == 1 && to.where().api->host_memory &&
           !errstate::of_cast(from.type, from.as, errstate::current.check);
}

void store_now(graph_lock& lock, operand from, array const& to) {
    storage* s = to.memory();
    std::vector<storage*> nodes;
    if (safe_in_one_pass(from, to)) {
        nodes = nodes_below(from.memory.get());
    } else if (storage* m = from.memory.get(); m->pending) {
        graph::evaluate(lock, m, flush_reason::overlap);
    }
    graph::evaluate(lock, s, flush_reason::write);
    graph::flush_readers(lock, s, nodes);
    graph::wait_until_free(lock, s);
    if (needs_copy(from, to)) {
        from = graph::evaluated_copy(lock, from, to.shape);
        graph::evaluate(lock, s, flush_reason::write);  // another thread may have written while the copy was made
        graph::wait_until_free(lock, s);
    }
    ++s->version;
    if (s->ready() && is_plain_element(from, to)) {
        auto const v = from.type == from.as ? from.value : cast_constant(from.value, from.type, from.as);
        std::memcpy(s->data() + to.offset, v.bytes, static_cast<std::size_t>(to.itemsize()));
    } else if (s->ready() && eager::can_run(to.where(), to.shape, std::span(&from, 1))) {
        eager::run(cast_op, to.type.id, std::span(&from, 1), to, errstate::kind::cast);
    } else {
        graph::run_store(lock, from, to);
    }
}

// Where elements overlap, the last one in memory order wins, whichever way the axes run.
array along_memory(array const& to, operand& from) {
    array turned = to;
    for (int d = 0; d < to.ndim(); ++d) {
        if (to.strides[d] >= 0) continue;
        auto const turn = [last = to.shape[d] - 1, d](std::int64_t& offset, dims& strides) {
            offset += last * strides[d];
            strides[d] = -strides[d];
        };
        turn(turned.offset, turned.strides);
        if (d < from.strides.size()) turn(from.offset, from.strides);
    }
    return turned;
}

bool runs_backwards(array const& a) {
    return std::any_of(a.strides.begin(), a.strides.end(), [](std::int64_t s) { return s < 0; });
}

}  // namespace

void assign_operand(array const& to, operand from) {
    if (!to.writeable || !to.memory()->writeable) throw value_error("assignment destination is read-only");
    if (to.size() == 0) return;
    if (runs_backwards(to) && overlap::overlaps_itself({to.offset, to.shape, to.strides, to.itemsize()})) {
        array const turned = along_memory(to, from);
        return assign_operand(turned, std::move(from));
    }
    graph_lock lock;
    storage* s = to.memory();
    bool const at_once = settings().writes_in_place && !to.where().api->host_memory;
    if (at_once || !may_rename(to)) {
        if (at_once || !deferred_stores::add(lock, from, to)) store_now(lock, std::move(from), to);
        return;
    }
    graph::flush_readers(lock, s, nodes_below(from.memory.get()));
    graph::wait_until_free(lock, s);
    if (!may_rename(to)) return store_now(lock, std::move(from), to);  // exported while the lock was released
    auto const nodes = nodes_below(from.memory.get());
    // A source that other owners of the memory can write is read now (rule 15).
    bool const shared = from.memory && from.memory->exports.load(std::memory_order_relaxed) > 0;
    bool const errors_now = rename(to, std::move(from), nodes);
    if (errors_now) graph::evaluate(lock, s, flush_reason::errors);
    else if (shared) graph::evaluate(lock, s, flush_reason::shared_memory);
}

namespace {
// The value with as few axes as the target: surplus leading ones are dropped, as NumPy does in assignments.
array fitted(array const& value, array const& to) {
    int const surplus = value.ndim() - to.ndim();
    bool fits = true;
    for (int d = 0; d < value.ndim(); ++d)
        fits = fits && (value.shape[d] == 1 || (d >= surplus && value.shape[d] == to.shape[d - surplus]));
    if (!fits)
        throw value_error("could not broadcast input array from shape " + to_string(value.shape) + " into shape " +
                          to_string(to.shape));
    if (surplus <= 0) return value;
    return view(value, dims(value.shape.data() + surplus, to.ndim()), dims(value.strides.data() + surplus, to.ndim()),
                value.offset);
}
}  // namespace

void assign(array const& to, argument const& value) {
    if (value.a && !(value.a->where() == to.where()))
        throw type_error("cannot assign an array on " + value.a->where().name() + " to one on " + to.where().name());
    python_numbers::report_overflow(value, to.type.id);
    operand from = value.a ? graph::argument(fitted(*value.a, to), to.shape) : graph::argument(value.value, value.type);
    from.as = to.type.id;
    assign_operand(to, std::move(from));
}

void assign(array const& to, array const& from) { assign(to, argument{&from}); }

}  // namespace bascule

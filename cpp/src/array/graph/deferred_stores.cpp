#include "deferred_stores.hpp"

#include <algorithm>
#include <utility>

#include "bascule/array/overlap.hpp"
#include "bascule/array/spill.hpp"
#include "bascule/ops/table.hpp"
#include "graph_state.hpp"

namespace bascule::deferred_stores {
namespace {

constexpr auto cast_op = ops::number<ops::cast>;
constexpr std::size_t most_stores = max_plan_outputs / 2;

// A fill with a constant, or a copy of memory, that reports nothing: elements that are overwritten later need never
// have been written.
bool is_plain(pending_operation const& op) {
    if (op.reduces || op.selected || op.op != cast_op || op.check) return false;
    storage const* const read = op.args[0].memory.get();
    return op.args[0].from == operand::source::constant || (read && read->ready() && !is_exported(read));
}

overlap::layout layout_of(placement const& p, std::int64_t itemsize) {
    return {p.offset, p.shape, p.strides, itemsize};
}

// Whether one plan can run this store and the pending ones in any order.
bool joins(array const& to, storage* s) {
    auto const stores = of(s);
    if (stores.empty()) return is_plain(*s->pending);
    overlap::layout const place{to.offset, to.shape, to.strides, to.itemsize()};
    return stores.size() < most_stores && std::all_of(stores.begin(), stores.end(), [&](storage const* n) {
               auto const& other = *n->pending->into;
               return other.shape == to.shape && !overlap::may_share(place, layout_of(other, to.itemsize()));
           });
}

bool may_wait(operand const& from, array const& to) {
    storage *const s = to.memory(), *const read = from.memory.get();
    if (!s->pending || s->running || s->pending->result != to.type.id || is_exported(s) || is_exported(read))
        return false;
    if (!settings().fusion || to.size() < std::max<std::int64_t>(settings().eager_below, 1)) return false;
    if (errstate::of_cast(from.type, from.as, errstate::current.check)) return false;
    if (overlap::overlaps_itself({to.offset, to.shape, to.strides, to.itemsize()}) || !joins(to, s)) return false;
    return !read || !graph::depends_on(read, s);
}

// Where a layout over dense memory is a box of its axes. False: it is none.
struct box {
    dims first, count;
};
bool as_box(placement const& p, dims const& shape, dims const& strides, int const* axes, box& b) {
    std::int64_t left = p.offset;
    b = {dims(shape.size(), 0), dims(shape.size(), 1)};
    for (int k = 0; k < shape.size(); ++k) {
        int const d = axes[k];
        if (shape[d] == 1) continue;
        b.first[d] = left / strides[d];
        left %= strides[d];
    }
    for (int k = 0; k < p.shape.size(); ++k) {
        if (p.shape[k] == 1) continue;
        int d = 0;
        while (d < shape.size() && (shape[d] == 1 || strides[d] != p.strides[k] || b.count[d] != 1)) ++d;
        if (d == shape.size() || b.first[d] + p.shape[k] > shape[d]) return false;
        b.count[d] = p.shape[k];
    }
    return left == 0;
}

}  // namespace

storage_ref contents_apart(storage* s) {
    storage_ref apart = storage::make(s->where(), s->bytes());
    apart->unsettled = std::exchange(s->unsettled, {});
    if (s->pending) {
        graph::forget(s);
        apart->pending = std::move(s->pending);
        apart->shape = s->shape, apart->strides = s->strides;
        graph::enqueue(apart.get());
    } else if (s->ready()) {
        apart->set_ready(s->take_memory());
    } else if (s->moved) {
        spill::hand_over(s, apart.get());
    }
    spill::hand_out(apart.get());
    return apart;
}

std::vector<storage*> of(storage* s) {
    std::vector<storage*> found;
    for (; s && s->pending && s->pending->into; s = s->pending->args[0].memory.get()) found.push_back(s);
    return found;
}

bool add(graph_lock& lock, operand const& from, array const& to) {
    if (!may_wait(from, to)) return false;
    storage* const s = to.memory();
    graph::flush_readers(lock, s);
    if (!may_wait(from, to)) return false;  // the lock may have been released
    auto node = std::make_unique<pending_operation>();
    node->op = cast_op, node->nargs = 2, node->result = to.type.id, node->shape = s->shape;
    node->args[0].type = node->args[0].as = to.type.id, node->args[0].strides = s->strides;
    node->args[1] = from;
    node->into = std::make_unique<placement>(placement{to.offset, to.shape, to.strides});
    node->args[0].memory = to.memory_ref();
    graph::measure(*node);
    if (graph::beyond_limits(*node)) return false;
    node->args[0].memory = contents_apart(s);
    s->pending = std::move(node);
    ++s->version;
    graph::enqueue(s);
    if (s->pending->loads > 1 && graph::keeps_too_much(s)) graph::evaluate(lock, s, flush_reason::limit);
    return true;
}

std::vector<placement> rest(storage const* s, std::vector<storage*> const& stores) {
    std::int64_t left = product(s->shape);
    for (auto const* n : stores) left -= product(n->pending->into->shape);
    if (left == 0) return {};
    dims const &strides = s->strides, zero(s->shape.size(), 0);
    int axes[max_dims];
    std::int64_t const* const layout = strides.data();
    memory_order(strides.size(), &layout, 1, axes);
    box inner;
    if (stores.size() != 1 || !as_box(*stores[0]->pending->into, s->shape, strides, axes, inner))
        return {{0, s->shape, strides}};
    std::vector<placement> around;
    dims first(s->shape.size(), 0), count = s->shape;
    auto const keep = [&](int d, std::int64_t from, std::int64_t n) {
        if (n == 0) return;
        placement p{0, count, strides};
        p.shape[d] = n;
        for (int k = 0; k < first.size(); ++k) p.offset += (k == d ? from : first[k]) * strides[k];
        around.push_back(std::move(p));
    };
    for (int k = 0; k < s->shape.size(); ++k) {
        int const d = axes[k];
        std::int64_t const end = inner.first[d] + inner.count[d];
        keep(d, 0, inner.first[d]);
        keep(d, end, s->shape[d] - end);
        first[d] = inner.first[d], count[d] = inner.count[d];
    }
    return around;
}

}  // namespace bascule::deferred_stores

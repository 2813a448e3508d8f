#include "selection.hpp"

#include "../graph/graph_state.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/ops/table.hpp"
#include "flush.hpp"

namespace bascule::selection {
namespace {

constexpr std::int64_t least_elements = std::int64_t{1} << 16, piece = std::int64_t{1} << 14, bits_of_word = 64;

bool in_order(array const& a) { return is_c_contiguous(a.shape, a.strides, a.itemsize()); }

bool may_wait(array const& a, array const& mask) {
    return a.where().api->selects && settings().fusion && a.size() >= least_elements && in_order(a) && in_order(mask) &&
           !is_exported(a.memory());
}

std::unique_ptr<selected_elements> room_for(std::int64_t elements) {
    auto found = std::make_unique<selected_elements>();
    found->piece = piece;
    found->starts.resize(static_cast<std::size_t>((elements + piece - 1) / piece + 1));
    auto const words = static_cast<std::size_t>((elements + bits_of_word - 1) / bits_of_word);
    found->bits = std::make_unique_for_overwrite<std::uint64_t[]>(words);
    return found;
}

// Finds the elements for which the mask is true. The mask is stored first where it takes more than one plan over one
// dimension.
std::unique_ptr<selected_elements> find(graph_lock& lock, operand const& mask, dims const& shape) {
    for (;;) {
        plan_builder b(shape);
        int const value = b.value(mask);
        if (value >= 0 && b.extras().empty()) {
            b.finish(contiguous_strides(shape, 1));
            if (b.get().ndim == 1) {
                auto found = room_for(product(shape));
                b.select(*found, value);
                flush f(b);
                flush::run(lock, {&f}, 0, mask.memory->where());
                return found;
            }
        }
        storage_ref const first(value < 0 ? b.blocked() : mask.memory.get());
        graph::evaluate(lock, first.get(), flush_reason::barrier);
    }
}

}  // namespace

std::optional<array> wait(array const& a, array const& given, bool temporary) {
    if (!may_wait(a, given)) return {};
    array const mask = plain_booleans(given);
    graph_lock lock;
    graph::evaluate(lock, a.memory(), flush_reason::barrier);
    if (!temporary) graph::evaluate(lock, mask.memory(), flush_reason::barrier);
    auto node = std::make_unique<pending_operation>();
    node->op = ops::number<ops::cast>, node->nargs = 1, node->result = a.type.id, node->shape = a.shape;
    node->args[0] = graph::argument(a, a.shape);
    node->selected = find(lock, graph::argument(mask, a.shape), a.shape);
    std::int64_t const count = node->selected->starts.back();
    if (count == 0) return empty(a.where(), a.type, {0});
    return graph::add(lock, a.where(), a.type, {count}, {a.itemsize()}, std::move(node));
}

storage* reduced_alone(pending_operation const& reduction) {
    if (!reduction.reduces) return nullptr;
    operand const& of = reduction.args[0];
    storage* const s = of.memory.get();
    bool const whole = s && s->pending && s->pending->selected && of.offset == 0 && reduction.shape == s->shape &&
                       of.strides == s->strides && of.as == s->pending->result && of.type == of.as;
    bool const alone = whole && !s->running && s->references() == 1 + s->resting.load() && s->handles() == 0;
    return alone ? s : nullptr;
}

}  // namespace bascule::selection

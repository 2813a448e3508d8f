#include "horizontal_fusion.hpp"

#include <algorithm>

namespace bascule {
namespace {

// Reductions of one expression are made one after another, so partners are near: looking further would make the
// evaluation of many unrelated reductions quadratic.
constexpr int most_looked_at = 256, most_reductions = max_plan_outputs / 2;

bool continues(dims const& strides, dims const& shape, int outer, int inner) {
    return strides[outer] == strides[inner] * shape[inner];
}

// Elements are in the same order and in the same runs: a summation tree depends on nothing else.
bool same_tree(pending_operation const& a, pending_operation const& b) {
    if (a.reduced != b.reduced || !(a.shape == b.shape)) return false;
    int axes[2][max_dims], previous = -1;
    int const n = a.shape.size();
    dims const* const layouts[] = {&a.input_strides, &b.input_strides};
    for (int k = 0; k < 2; ++k) {
        std::int64_t const* p = layouts[k]->data();
        memory_order(n, &p, 1, axes[k]);
        std::stable_partition(axes[k], axes[k] + n, [&](int d) { return a.shape[d] != 1; });
    }
    for (int i = 0; i < n; ++i) {
        int const d = axes[0][i];
        if (a.shape[d] == 1) break;
        if (axes[1][i] != d) return false;
        if (previous >= 0 &&
            continues(*layouts[0], a.shape, previous, d) != continues(*layouts[1], a.shape, previous, d))
            return false;
        previous = d;
    }
    return true;
}

// Some memory or value of at least a byte an element is already part of the plan: a common scalar would save nothing.
bool shares(plan_builder const& b, pending_operation const& op, std::int64_t elements) {
    for (int k = 0; k < op.nargs; ++k) {
        storage const* const m = op.args[k].memory.get();
        if (!m) continue;
        if (m->bytes() >= elements && b.contains(m)) return true;
        if (m->pending && !m->pending->runs_apart() && shares(b, *m->pending, elements)) return true;
    }
    return false;
}

// Whether elements of the same index have the same position in memory, regardless of their sizes.
bool same_layout(storage const& a, storage const& b) {
    std::int64_t const size_of_a = itemsize(a.pending->result), size_of_b = itemsize(b.pending->result);
    bool same = a.shape == b.shape;
    for (int d = 0; d < a.shape.size() && same; ++d) same = a.strides[d] * size_of_b == b.strides[d] * size_of_a;
    return same;
}

// Shows `visit` the pending storages near `first` in the graph's list, newer and older in turn, while it returns true.
template <class Visit> void each_near(storage* first, Visit visit) {
    std::vector<storage_ref> looked_at;  // released at the end: releasing the last reference removes a storage from the
                                         // list
    storage *older = first->next, *newer = first->previous;
    bool going = true;
    auto const take = [&](storage*& from, storage* storage::*step) {
        storage* const s = from;
        if (!s || !going) return;
        from = s->*step;
        if (s->running || !(s->where() == first->where())) return;
        auto alive = storage_ref::if_alive(s);
        if (!alive) return;
        looked_at.push_back(std::move(alive));
        going = visit(s);
    };
    for (int n = 0; (older || newer) && going && n < most_looked_at; n += 2) {
        take(newer, &storage::previous);
        take(older, &storage::next);
    }
}

}  // namespace

std::vector<reduced_value> fused_reductions(plan_builder& b, storage* first, int v) {
    std::vector<reduced_value> reductions{{storage_ref(first), v}};
    auto const& op = *first->pending;
    std::int64_t const elements = product(op.shape);
    each_near(first, [&](storage* s) {
        auto const& other = *s->pending;
        if (!other.reduces || !same_tree(op, other) || !shares(b, other, elements)) return true;
        if (int const value = b.value_alongside(other.args[0]); value >= 0)
            reductions.push_back({storage_ref(s), value});
        return reductions.size() < most_reductions;
    });
    return reductions;
}

void fuse_results(plan_builder& b, storage* root) {
    each_near(root, [&](storage* s) {
        bool const held = s->handles() > 0;
        if (!held || s->pending->runs_apart() || !same_layout(*s, *root)) return true;
        if (!b.contains(s) && b.saves_work_of(*s->pending)) b.result_alongside(s);
        return true;
    });
}

}  // namespace bascule

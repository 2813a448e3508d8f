// Reading a pending array through a view: the view's strides, undone into starts and steps along the producer's axes.
#include <cstdlib>
#include <numeric>

#include "plan_builder.hpp"

namespace bascule {
namespace {

// The axis of the iteration space that one of the result is.
int walked_axis(storage const& s, int d) {
    auto const& op = *s.pending;
    if (s.shape.size() == op.shape.size()) return d;
    int axis = 0;
    for (;; ++axis)
        if (((op.reduced >> axis) & 1) == 0 && d-- == 0) return axis;
}

// Producer axes from outermost to innermost in the storage; neighbours merge when they do so in every argument, so that
// an element-wise chain over contiguous memory is one axis and any reshape of it still maps.
std::vector<index_map::axis> producer_axes(storage const& s) {
    auto const& op = *s.pending;
    std::vector<int> order(static_cast<std::size_t>(s.shape.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return s.strides[a] > s.strides[b]; });
    std::vector<index_map::axis> axes;
    for (int d : order) {
        if (s.shape[d] == 1) continue;
        index_map::axis a{s.shape[d], s.strides[d], 0, {}, dims(op.nargs)};
        for (int k = 0; k < op.nargs; ++k)
            if (op.args[k].from != operand::source::constant)
                a.argument_strides[k] = op.args[k].strides[walked_axis(s, d)];
        if (!axes.empty()) {
            auto& outer = axes.back();
            bool merges = outer.stride == a.stride * a.extent;
            for (int k = 0; merges && k < op.nargs; ++k)
                merges = outer.argument_strides[k] == a.argument_strides[k] * a.extent;
            if (merges) {
                a.extent *= outer.extent;
                axes.back() = std::move(a);
                continue;
            }
        }
        axes.push_back(std::move(a));
    }
    return axes;
}

// One stride as steps along the axes, greedily from the outermost: exact when the walk stays inside every axis, which
// the caller checks.
bool split_stride(std::int64_t stride, std::vector<index_map::axis>& axes) {
    for (auto& a : axes) {
        auto const step = stride / a.stride;
        a.steps.push_back(step);
        stride -= step * a.stride;
    }
    return stride == 0;
}

}  // namespace

bool map_layout(storage const& s, std::int64_t offset, dims const& strides, dims const& shape, index_map& out) {
    out.axes = producer_axes(s);
    for (auto& a : out.axes) {
        a.start = offset / a.stride;
        offset -= a.start * a.stride;
    }
    if (offset != 0) return false;
    for (int d = 0; d < shape.size(); ++d)
        if (!split_stride(shape[d] == 1 ? 0 : strides[d], out.axes)) return false;
    for (auto const& a : out.axes) {
        std::int64_t low = a.start, high = a.start;
        for (int d = 0; d < shape.size(); ++d) {
            auto const reach = a.steps[static_cast<std::size_t>(d)] * (shape[d] - 1);
            (reach < 0 ? low : high) += reach;
        }
        if (low < 0 || high >= a.extent) return false;
    }
    return true;
}

}  // namespace bascule

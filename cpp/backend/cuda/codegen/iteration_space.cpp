#include "backend/cuda/codegen/iteration_space.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace bascule::cuda {
namespace {

laid_operand lay(plan_operand const& o, int ndim) {
    return {reinterpret_cast<std::uint64_t>(o.base), o.dtype, extents(o.strides, o.strides + ndim)};
}

std::vector<axis_role> roles_of(plan const& p) {
    std::vector<axis_role> roles(static_cast<std::size_t>(p.ndim), axis_role::kept);
    bool const run = p.reduced && p.ndim > 0 && p.reduced[p.ndim - 1];
    for (int d = 0; p.reduced && d < p.ndim; ++d)
        if (p.reduced[d])
            roles[static_cast<std::size_t>(d)] = run && d >= p.ndim - p.run_dims ? axis_role::run : axis_role::outer;
    return roles;
}

}  // namespace

template <class F> void iteration_space::each(F&& f) {
    for (auto* list : {&operands, &stores, &results, &iotas})
        for (laid_operand& o : *list) f(o);
}
template <class F> void iteration_space::each(F&& f) const {
    for (auto const* list : {&operands, &stores, &results, &iotas})
        for (laid_operand const& o : *list) f(o);
}

iteration_space::iteration_space(plan const& p) : shape(p.shape, p.shape + p.ndim), roles(roles_of(p)) {
    for (int i = 0; i < p.noperands; ++i) operands.push_back(lay(p.operands[i], p.ndim));
    for (int i = 0; i < p.nstores; ++i) stores.push_back(lay(p.stores[i].out, p.ndim));
    for (int i = 0; i < p.nreductions; ++i) results.push_back(lay(p.reductions[i].out, p.ndim));
    for (int i = 0; i < p.niotas; ++i)
        iotas.push_back({static_cast<std::uint64_t>(p.iotas[i].start), type_id::int64,
                         extents(p.iotas[i].strides, p.iotas[i].strides + p.ndim)});
    drop_ones();
    merge();
    if (shape.empty() && p.nreductions == 0) give_a_row();
    each([&](laid_operand& o) { o.shape_class = classify(o); });
}

// A run of length one is still a run: its place is needed to know that the tree is pairwise.
void iteration_space::drop_ones() {
    for (int d = rank() - 1; d >= 0; --d) {
        auto const u = static_cast<std::size_t>(d);
        bool const last_of_run = roles[u] == axis_role::run && (u == 0 || roles[u - 1] != axis_role::run) &&
                                 (d == rank() - 1);
        if (shape[u] != 1 || last_of_run) continue;
        shape.erase(shape.begin() + d);
        roles.erase(roles.begin() + d);
        each([&](laid_operand& o) { o.strides.erase(o.strides.begin() + d); });
    }
}

bool iteration_space::mergeable(int d) const {
    auto const u = static_cast<std::size_t>(d);
    if (roles[u] != roles[u + 1]) return false;
    bool all = true;
    each([&](laid_operand const& o) { all = all && o.strides[u] == o.strides[u + 1] * shape[u + 1]; });
    return all;
}

void iteration_space::merge_at(int d) {
    auto const u = static_cast<std::size_t>(d);
    shape[u + 1] *= shape[u];
    shape.erase(shape.begin() + d);
    roles.erase(roles.begin() + d);
    each([&](laid_operand& o) { o.strides.erase(o.strides.begin() + d); });
}

void iteration_space::merge() {
    for (int d = rank() - 2; d >= 0; --d)
        if (mergeable(d)) merge_at(d);
}

// Nothing but one element is left of a space: a row of one, which any element-wise kernel can run.
void iteration_space::give_a_row() {
    shape.push_back(1);
    roles.push_back(axis_role::kept);
    each([&](laid_operand& o) { o.strides.push_back(itemsize(o.dtype)); });
}

layout iteration_space::classify(laid_operand const& o) const {
    if (std::all_of(o.strides.begin(), o.strides.end(), [](std::int64_t s) { return s == 0; })) return layout::scalar;
    if (o.strides.back() == 0) return layout::uniform;
    return o.strides.back() == itemsize(o.dtype) ? layout::contiguous : layout::strided;
}

std::int64_t iteration_space::size() const {
    std::int64_t n = 1;
    for (std::int64_t extent : shape) n *= extent;
    return n;
}

std::int64_t iteration_space::size_of(axis_role f) const {
    std::int64_t n = 1;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (roles[d] == f) n *= shape[d];
    return n;
}

bool iteration_space::small() const {
    constexpr std::int64_t limit = std::int64_t{1} << 30;
    bool fits = size() < limit;
    for (auto const* list : {&operands, &stores, &results})
        for (laid_operand const& o : *list) {
            std::int64_t reach = itemsize(o.dtype);
            for (std::size_t d = 0; d < shape.size(); ++d) reach += std::abs(o.strides[d]) * shape[d];
            fits = fits && reach < limit;
        }
    return fits;
}

// With 2^(k-1) < extent <= 2^k the multiplier is 2^(31+k) / extent, rounded up past it: its error times any such number
// stays below one in the quotient.
std::uint64_t divisor_word(std::int64_t extent) {
    auto const d = static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 1));  // of none, nothing is divided
    std::uint64_t const shift = 31 + std::bit_width(d - 1);
    return shift << 32 | ((std::uint64_t{1} << shift) / d + 1);
}

}  // namespace bascule::cuda

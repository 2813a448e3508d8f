// Reductions along the fixed tree of core/plan.hpp. `Algebra` is an aggregation of ops/aggregate.hpp for one input
// type. `Program` gives an input by f(kept, outer, run), the numbers of the item among the three groups of dimensions,
// and by f.result(kept) the address of an output; `check` is the set of the reduction's own floating-point errors to
// look for, f.note(bits) takes them, and `stops` says whether elements may be left out once they cannot change the
// result.
//
// Runs are cut at the tree's leaves. A tree of depth d has 2^d slots; leaf k of the tree is in the slot whose number's
// bits are its path from the root, and a leaf higher up in the leftmost slot below it. So a slot's extent in its run
// can be computed without looking at any other, and joining is a walk over slots.
#pragma once
#include "backend/cuda/kernels/reduce_fp_errors.cuh"
#include "bascule/ops/cast.hpp"
#include "bascule/ops/pairwise.hpp"

namespace bascule::cuda {

struct reduction_shape {
    std::int64_t outputs, outer, run;
    int depth;
    std::uint64_t decided = 0;  // of long runs: a word for each output, all bits set while nothing is decided
};

struct piece {
    std::int64_t start, size;
    bool present;
};

// The node whose path from the root is the `depth` bits of `path`; absent below a leaf, except leftmost, where it is
// that leaf.
template <class Algebra> __device__ inline piece piece_at(std::int64_t path, int depth, std::int64_t run) {
    piece p{0, run, true};
    for (int d = depth - 1; d >= 0; --d) {
        bool const right = path >> d & 1;
        if (p.size <= Algebra::leaf_size) {
            p.present = p.present && !right;
            continue;
        }
        std::int64_t const left = ops::first_half(p.size, Algebra::granule);
        p.start += right ? left : 0;
        p.size = right ? p.size - left : left;
    }
    return p;
}

template <class Algebra, class Program> struct run_of {
    Program const& f;
    std::int64_t kept, outer, start, position;
    __device__ auto operator[](std::int64_t i) const { return f(kept, outer, start + i); }
};

// Elements of a column, by row.
template <class Program> struct column_of {
    static constexpr std::int64_t position = 0;
    Program const& f;
    std::int64_t kept;
    __device__ auto operator[](std::int64_t row) const { return f(kept, row, 0); }
};

template <class Algebra, class Program>
__device__ inline run_of<Algebra, Program> run_at(Program const& f, reduction_shape const& shape, std::int64_t run,
                                                  std::int64_t start) {
    std::int64_t const outer = run % shape.outer;
    return {f, run / shape.outer, outer, start, outer * shape.run + start};
}

template <class Out, class Result> __device__ inline void store_result(std::uint64_t address, Result r) {
    *at<Out>(address, 0) = ops::cast{}.template operator()<Out>(r);
}

// ---- the innermost dimension is kept: a thread walks its column in order
template <class Algebra, class Out, class Program>
__device__ inline void reduce_columns(Program const& f, reduction_shape const& shape, double ddof) {
    for (std::int64_t kept = first_item<std::int64_t>(); kept < shape.outputs; kept += item_step<std::int64_t>()) {
        typename Algebra::state const s =
            reduce_items<Algebra>(f, Algebra::identity(), column_of<Program>{f, kept}, 0, shape.outer, 1);
        store_result<Out>(f.result(kept), Algebra::finish(s, shape.outer, ddof));
    }
}

// ---- the same for few long columns: cut into stripes of `run` rows each, a thread a stripe; then as many stripes of a
// column as a stripe has rows are merged in order by a thread, level after level, until one is left. `depth` says how
// many there are. The tree depends on the shape alone, so the bits are those of every card.
template <class Algebra, class Program>
__device__ inline void reduce_stripes(Program const& f, reduction_shape const& shape, std::int64_t rows,
                                      std::uint64_t states) {
    std::int64_t const count = shape.outputs * ((shape.outer + rows - 1) / rows);
    for (std::int64_t item = first_item<std::int64_t>(); item < count; item += item_step<std::int64_t>()) {
        std::int64_t const kept = item % shape.outputs, first = item / shape.outputs * rows;
        std::int64_t const end = first + rows < shape.outer ? first + rows : shape.outer;
        at<typename Algebra::state>(states, 0)[item] =
            reduce_items<Algebra>(f, Algebra::identity(), column_of<Program>{f, kept}, first, end, 1);
    }
}

template <class Algebra, class Program>
__device__ inline void join_stripes(Program const& f, reduction_shape const& shape, std::int64_t rows,
                                    std::int64_t stripes, std::uint64_t from, std::uint64_t to) {
    auto const* const states = at<typename Algebra::state>(from, 0);
    std::int64_t const count = shape.outputs * ((stripes + rows - 1) / rows);
    for (std::int64_t item = first_item<std::int64_t>(); item < count; item += item_step<std::int64_t>()) {
        std::int64_t const kept = item % shape.outputs, first = item / shape.outputs * rows;
        std::int64_t const end = first + rows < stripes ? first + rows : stripes;
        typename Algebra::state s = states[first * shape.outputs + kept];
        for (std::int64_t k = first + 1; k < end; ++k) s = merged<Algebra>(f, s, states[k * shape.outputs + kept]);
        at<typename Algebra::state>(to, 0)[item] = s;
    }
}

template <class Algebra, class Out, class Program>
__device__ inline void finish_stripes(Program const& f, reduction_shape const& shape, std::uint64_t states,
                                      double ddof) {
    for (std::int64_t kept = first_item<std::int64_t>(); kept < shape.outputs; kept += item_step<std::int64_t>())
        store_result<Out>(f.result(kept),
                          Algebra::finish(at<typename Algebra::state>(states, 0)[kept], shape.outer * shape.run, ddof));
}

// ---- a block that has found a deciding element informs the others by the output's word: the position of the element,
// and 1. The words only save reading: elements that are left out would have changed nothing, so the result does not
// depend on which block came first.
__device__ inline bool is_decided_before(reduction_shape const& shape, std::int64_t run, std::int64_t position) {
    if (shape.decided == 0) return false;
    auto* const word = at<unsigned long long>(shape.decided, 0) + run / shape.outer;
#ifdef BASCULE_CUDA_EMULATION
    return __atomic_load_n(word, __ATOMIC_RELAXED) <= static_cast<unsigned long long>(position);
#else
    return *const_cast<unsigned long long volatile*>(word) <= static_cast<unsigned long long>(position);
#endif
}

template <class Algebra, class S>
__device__ inline void note_decision(reduction_shape const& shape, std::int64_t run, S const& s) {
    if (shape.decided == 0 || !is_decided<Algebra>(s)) return;
    unsigned long long position = 0;
    if constexpr (!ops::is_bool_type<S>) position = static_cast<unsigned long long>(s.index) + 1;
    atomicMin(at<unsigned long long>(shape.decided, 0) + run / shape.outer, position);
}

// ---- leaves of most aggregations: `granule` neighbouring threads hold the accumulators of one leaf
template <class Algebra, class Program>
__device__ inline void reduce_leaves_by_lanes(Program const& f, reduction_shape const& shape,
                                              typename Algebra::state* slots) {
    constexpr int lanes = Algebra::granule, groups = block_threads / lanes;
    __shared__ typename Algebra::state shared[block_threads];
    int const thread = threadIdx.x, lane = thread % lanes;
    std::int64_t const count = shape.outputs * shape.outer << shape.depth;
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * groups; first < count;
         first += static_cast<std::int64_t>(gridDim.x) * groups) {
        std::int64_t const slot = first + thread / lanes, run = slot >> shape.depth;
        piece leaf = piece_at<Algebra>(slot - (run << shape.depth), shape.depth, shape.run);
        leaf.present = leaf.present && slot < count;
        auto const items = run_at<Algebra>(f, shape, run, leaf.start);
        std::int64_t const full = leaf.size - leaf.size % lanes;
        typename Algebra::state s = Algebra::identity();
        bool wanted = leaf.present;
        if constexpr (Program::stops) wanted = wanted && !is_decided_before(shape, run, items.position);
        if (wanted) s = reduce_items<Algebra>(f, s, items, lane, full, lanes);
        shared[thread] = s;
        __syncthreads();
        for (int step = 1; step < lanes; step *= 2) {
            if (lane % (2 * step) == 0) shared[thread] = merged<Algebra>(f, shared[thread], shared[thread + step]);
            __syncthreads();
        }
        if (lane == 0 && leaf.present) {
            s = shared[thread];
            if (wanted) s = reduce_items<Algebra>(f, s, items, full, leaf.size, 1);
            slots[slot] = s;
            if constexpr (Program::stops) note_decision<Algebra>(shape, run, s);
        }
    }
}

// ---- leaves of variances, three passes over each: a group of threads has the accumulators of all parts of one leaf
// ops::pairwise of load(0), load(1), ... by `1 << depth` parts, for all groups of the block at once; each thread of a
// group gets the sum. The memory is that of the kind of load: between two uses of it are the other loads, and their
// barriers.
template <class A, class Load> __device__ inline A sum_of_leaf(Load const& load, std::int64_t n, int depth) {
    using tree = ops::aggregate::tree_algebra<A, A, ops::add>;
    constexpr int lanes = tree::granule;
    constexpr ops::add combine{};
    __shared__ A shared[block_threads];
    int const thread = threadIdx.x, lane = thread % lanes, part = thread / lanes & ((1 << depth) - 1);
    piece const own = piece_at<tree>(part, depth, n);
    bool const present = own.present && own.size > 0;
    std::int64_t const full = own.size - own.size % lanes;
    A s{};
    if (present && full > 0) {
        s = load(own.start + lane);
        for (std::int64_t i = lane + lanes; i < full; i += lanes) s = combine(s, load(own.start + i));
    }
    shared[thread] = s;
    __syncthreads();
    for (int step = 1; step < lanes; step *= 2) {
        if (lane % (2 * step) == 0 && full > 0) shared[thread] = combine(shared[thread], shared[thread + step]);
        __syncthreads();
    }
    if (lane == 0 && present) {
        s = full > 0 ? shared[thread] : load(own.start);
        for (std::int64_t i = full > 0 ? full : 1; i < own.size; ++i) s = combine(s, load(own.start + i));
        shared[thread] = s;
    }
    __syncthreads();
    for (int level = 1; level <= depth; ++level) {
        piece const whole = piece_at<tree>(part >> level, depth - level, n);
        bool const joins = lane == 0 && (part & ((1 << level) - 1)) == 0 && whole.present &&
                           whole.size > tree::leaf_size;
        if (joins) shared[thread] = combine(shared[thread], shared[thread + (lanes << (level - 1))]);
        __syncthreads();
    }
    return shared[thread - thread % (lanes << depth)];
}

// How often the leaves of a run are halved at most until its parts are those of ops::pairwise.
template <class Algebra> __device__ inline int parts_of_leaf(reduction_shape const& shape) {
    constexpr int most = ops::is_complex_type<typename Algebra::average> ? 112 : 128;
    std::int64_t size = shape.run;
    for (int d = 0; d < shape.depth; ++d) size = (size + 1) / 2 + Algebra::granule - 1;
    if (size > Algebra::leaf_size) size = Algebra::leaf_size;
    int depth = 0;
    for (; size > most; ++depth) size = (size + 1) / 2 + Algebra::granule - 1;
    return depth;
}

template <class Algebra, class Program>
__device__ inline void reduce_leaves_of_moments(Program const& f, reduction_shape const& shape,
                                                typename Algebra::state* slots) {
    using average = typename Algebra::average;
    using real = ops::real_type<average>;
    using items_type = run_of<Algebra, Program>;
    int const depth = parts_of_leaf<Algebra>(shape), threads = ops::tree_lanes<real> << depth,
              groups = block_threads / threads;
    int const narrower =
        ops::is_complex_type<average> ? 1 : 0;  // complex sums have half as many lanes, and parts half as long
    std::int64_t const count = shape.outputs * shape.outer << shape.depth;
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * groups; first < count;
         first += static_cast<std::int64_t>(gridDim.x) * groups) {
        std::int64_t const slot = first + threadIdx.x / threads, run = slot >> shape.depth;
        piece const leaf = piece_at<Algebra>(slot - (run << shape.depth), shape.depth, shape.run);
        bool const present = leaf.present && slot < count;
        std::int64_t const n = present ? leaf.size : 0;
        items_type const items = run_at<Algebra>(f, shape, run, leaf.start);
        average const mean = ops::aggregate::mean_of(
            sum_of_leaf<average>(ops::aggregate::widened_element<items_type, average>{items}, n, depth + narrower), n);
        real const squares =
            sum_of_leaf<real>(ops::aggregate::squared_deviation<items_type, average>{items, mean}, n, depth);
        average const rest =
            sum_of_leaf<average>(ops::aggregate::deviation<items_type, average>{items, mean}, n, depth + narrower);
        if (!present || threadIdx.x % threads != 0) continue;
        typename Algebra::state s = Algebra::identity();
        if (n > 0) s = {n, mean, squares, ops::aggregate::mean_of(rest, n)};
        slots[slot] = s;
        if constexpr (Program::check != 0)
            if (n > 0 && (asks_for_underflow<Program> || !is_plain(s))) note_leaf_of_moments<Algebra>(f, s, items, n);
    }
}

// ---- leaves of products in order: a thread each
template <class Algebra, class Program>
__device__ inline void reduce_leaves_by_thread(Program const& f, reduction_shape const& shape,
                                               typename Algebra::state* slots) {
    std::int64_t const count = shape.outputs * shape.outer << shape.depth;
    for (std::int64_t slot = first_item<std::int64_t>(); slot < count; slot += item_step<std::int64_t>()) {
        std::int64_t const run = slot >> shape.depth;
        piece const leaf = piece_at<Algebra>(slot - (run << shape.depth), shape.depth, shape.run);
        auto const items = run_at<Algebra>(f, shape, run, leaf.start);
        if (leaf.present) slots[slot] = whole_leaf<Algebra>(f, items, leaf.size);
    }
}

template <class Algebra>
concept has_whole_leaves = requires {
    Algebra::whole_leaves;
};

template <class Algebra, class Program>
__device__ inline void reduce_leaves(Program const& f, reduction_shape const& shape, std::uint64_t slots) {
    auto* const states = at<typename Algebra::state>(slots, 0);
    if constexpr (is_moments<typename Algebra::state>) reduce_leaves_of_moments<Algebra>(f, shape, states);
    else if constexpr (has_whole_leaves<Algebra>) reduce_leaves_by_thread<Algebra>(f, shape, states);
    else reduce_leaves_by_lanes<Algebra>(f, shape, states);
}

// ---- joins up to 9 levels of the tree, from `level` levels above the slots on; a block owns a stretch of slots
template <class Algebra, class Program>
__device__ inline void join_slots(Program const& f, reduction_shape const& shape, std::uint64_t address, int level) {
    constexpr int most_levels = 9;  // 256 threads join 512 slots at first
    auto* const slots = at<typename Algebra::state>(address, 0);
    int const levels = shape.depth - level < most_levels ? shape.depth - level : most_levels;
    std::int64_t const chunks = shape.outputs * shape.outer << (shape.depth - level - levels);
    for (std::int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x)
        for (int k = 1; k <= levels; ++k) {
            int const below = level + k, depth = shape.depth - below;
            if (threadIdx.x < 1u << (levels - k)) {
                std::int64_t const node = (chunk << (levels - k)) + threadIdx.x, run = node >> depth;
                piece const whole = piece_at<Algebra>(node - (run << depth), depth, shape.run);
                std::int64_t const left = node << below, right = left + (std::int64_t{1} << (below - 1));
                if (whole.present && whole.size > Algebra::leaf_size)
                    slots[left] = merged<Algebra>(f, slots[left], slots[right]);
            }
            __syncthreads();
        }
}

// ---- many runs for few results: as many of them as a stripe has rows are merged in order by a thread, and what that
// gives as stripes are.
template <class Algebra, class Program>
__device__ inline void join_runs(Program const& f, reduction_shape const& shape, std::int64_t rows, std::uint64_t from,
                                 std::uint64_t to) {
    auto const* const slots = at<typename Algebra::state>(from, 0);
    std::int64_t const count = shape.outputs * ((shape.outer + rows - 1) / rows);
    for (std::int64_t item = first_item<std::int64_t>(); item < count; item += item_step<std::int64_t>()) {
        std::int64_t const kept = item % shape.outputs, first = item / shape.outputs * rows;
        std::int64_t const end = first + rows < shape.outer ? first + rows : shape.outer;
        typename Algebra::state s = slots[(kept * shape.outer + first) << shape.depth];
        for (std::int64_t k = first + 1; k < end; ++k)
            s = merged<Algebra>(f, s, slots[(kept * shape.outer + k) << shape.depth]);
        at<typename Algebra::state>(to, 0)[item] = s;
    }
}

// ---- few runs are added to the result in order
template <class Algebra, class Out, class Program>
__device__ inline void finish_runs(Program const& f, reduction_shape const& shape, std::uint64_t address, double ddof) {
    auto const* const slots = at<typename Algebra::state>(address, 0);
    for (std::int64_t kept = first_item<std::int64_t>(); kept < shape.outputs; kept += item_step<std::int64_t>()) {
        typename Algebra::state s = Algebra::identity();
        for (std::int64_t outer = 0; outer < shape.outer; ++outer)
            s = merged<Algebra>(f, s, slots[(kept * shape.outer + outer) << shape.depth]);
        store_result<Out>(f.result(kept), Algebra::finish(s, shape.outer * shape.run, ddof));
    }
}

}  // namespace bascule::cuda

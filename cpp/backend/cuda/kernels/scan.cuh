// Running aggregates along the last dimension. Words, for R dimensions: 0 number of rows, or of stripes of them; 1
// extents (R), the last of them a row's length; the input and the output, each a base and R strides; where
// floating-point errors are stored and which are looked for; then those of tiles, named in scan_words.
//
// Many or short rows are scanned in order, a thread each. Others are cut into tiles of 32 chunks: a thread reduces its
// chunk in order, the chunks before it are joined in a tree, and the thread goes through its chunk once more, starting
// from the aggregate before it. A group of 32 threads walks over the tiles of a stripe; where a row has several
// stripes, these are reduced first, and the starting value of each is a running aggregate of those. Everything is
// joined in the order of the row, in a tree that the shape alone decides: a sum of n floats is off by at most 100 + n /
// 2^21 roundings of the sum of their sizes, while a sum in order is off by n of them.
#pragma once
#include "backend/cuda/kernels/fp_errors.cuh"
#include "backend/cuda/kernels/indexed.cuh"
#include "bascule/ops/extrema.hpp"

namespace bascule::cuda {

template <class Op>
inline constexpr bool is_extremum = ops::same_type<Op, ops::minimum> || ops::same_type<Op, ops::maximum> ||
                                    ops::same_type<Op, ops::fmin> || ops::same_type<Op, ops::fmax>;

// The checks at each step: none, errors, or underflow too.
enum class look { away, at_errors, at_underflow };

// float16 is computed in float32 and rounded at every step. Of two zeros NumPy's extrema of this type, and of no other,
// keep the first.
template <class Op, class T, look Look> struct joining {
    std::uint32_t found = 0;

    __device__ T operator()(T a, T b) {
        if constexpr (ops::same_type<T, float16>) {
            float const x = ops::to_float32(a), y = ops::to_float32(b);
            if (is_extremum<Op> && x == y) return a;
            float const exact = static_cast<float>(Op{}(x, y));
            T const r = ops::to_float16(exact);
            if constexpr (Look != look::away) found |= fp_errors_of<Op>(ops::to_float32(r), x, y);
            if constexpr (Look == look::at_underflow)
                found |= cast_underflows(r, exact) ? ops::fp::under : ops::fp::none;
            return r;
        } else {
            T const r = static_cast<T>(Op{}(a, b));
            if constexpr (Look != look::away) found |= fp_errors_of<Op>(r, a, b);
            if constexpr (Look == look::at_underflow) found |= underflow_of<Op>(r, a, b);
            return r;
        }
    }
};

template <int R, class P> struct scan_words {
    static constexpr int in = operand_words<R>(0), out = operand_words<R>(1), flags = operand_words<R>(2),
                         check = flags + 1;
    // Of tiles: how many a stripe has, how many stripes a row has, and where the sums of stripes go, which are running
    // sums in the second pass over rows; that of the last stripe of a row is not needed.
    static constexpr int tiles = check + 1, stripes = tiles + 1, sums = tiles + 2;
    P const& p;
    __device__ std::int64_t length() const { return static_cast<std::int64_t>(p[R]); }
    __device__ std::uint64_t from(coordinates<R> const& row) const { return p[in] + row.offset(p, in); }
    __device__ std::uint64_t to(coordinates<R> const& row) const { return p[out] + row.offset(p, out); }
    template <class Join> __device__ void report_of(Join const& join) const {
        if (join.found) report(p[flags], 0, join.found & static_cast<std::uint32_t>(p[check]));
    }
};

// Some elements are loaded at once, so that they are not waited for one by one
template <int R, class Op, class T, look Look, class P> __device__ inline void scan_rows(P const& p) {
    constexpr int batch = 8;
    using words = scan_words<R, P>;
    words const w{p};
    std::int64_t const length = w.length();
    joining<Op, T, Look> join;
    each_item(p[0], [&](std::uint64_t row) {
        coordinates<R> const here(p, row * p[R]);
        std::uint64_t from = w.from(here), to = w.to(here);
        T running{};
        for (std::int64_t first = 0; first < length; first += batch) {
            int const count = length - first < batch ? static_cast<int>(length - first) : batch;
            T next[batch];
#pragma unroll
            for (int k = 0; k < batch; ++k)
                if (k < count) next[k] = load_element<T>(from + k * p[words::in + R]);
#pragma unroll
            for (int k = 0; k < batch; ++k)
                if (k < count) {
                    running = first + k == 0 ? next[k] : join(running, next[k]);
                    *at<T>(to + k * p[words::out + R], 0) = running;
                }
            from += batch * p[words::in + R];
            to += batch * p[words::out + R];
        }
    });
    w.report_of(join);
}

// ---- tiles
inline constexpr int scan_lanes = 32;

template <class T> inline constexpr int scan_chunk = sizeof(T) > 8 ? 8 : 16;

// A stripe of a row and the thread's part in it. `Along`: neighbours in the row are neighbours in memory, so
// neighbouring threads have chunks of one tile and load it together; else they have chunks of neighbouring rows.
template <int R, class T, bool Along, class P> struct scan_stripe {
    using words = scan_words<R, P>;
    static constexpr int chunk = scan_chunk<T>, tile = scan_lanes * chunk, slots = block_threads / scan_lanes;

    P const& p;
    int slot, lane;
    std::uint64_t stripe = 0, row = 0, from = 0, to = 0;
    std::int64_t left = 0;  // elements from the tile's start to the stripe's end
    bool present = false;

    __device__ explicit scan_stripe(P const& words)
        : p(words), slot(Along ? threadIdx.x / scan_lanes : threadIdx.x % slots),
          lane(Along ? threadIdx.x % scan_lanes : threadIdx.x / slots) {}

    // `most`: how many stripes of a row are scanned.
    __device__ void enter(std::uint64_t first, std::uint64_t most) {
        std::uint64_t const number = first + slot, stripes = p[words::stripes], rows = p[0] / stripes;
        stripe = Along ? number % stripes : number / rows;
        row = Along ? number / stripes : number % rows;
        present = number < p[0] && stripe < most;
        left = 0;
        if (!present) return;
        words const w{p};
        coordinates<R> const here(p, row * p[R]);
        std::int64_t const length = w.length(), whole = static_cast<std::int64_t>(p[words::tiles]) * tile,
                           start = static_cast<std::int64_t>(stripe) * whole;
        from = w.from(here) + start * p[words::in + R];
        to = w.to(here) + start * p[words::out + R];
        left = length - start < whole ? length - start : whole;
    }
    __device__ int count() const { return left < tile ? static_cast<int>(left) : tile; }
    // Of the thread's chunk.
    __device__ int own_count() const {
        int const n = count() - lane * chunk;
        return n < 0 ? 0 : n < chunk ? n : chunk;
    }
    __device__ void next_tile() {
        from += tile * p[words::in + R];
        to += tile * p[words::out + R];
        left = left < tile ? 0 : left - tile;
    }
    // The place of a stripe's sum, all bytes of it.
    __device__ T* sum_at(std::uint64_t k) const {
        std::uint64_t const stripes = p[words::stripes], rows = p[0] / stripes;
        return at<T>(p[words::sums], 0) + (Along ? row * (stripes - 1) + k : k * rows + row);
    }
    // The thread moves a tile's elements `first`, first + step, ...: the place of one among all chunks.
    static constexpr int step = Along ? scan_lanes : 1;
    __device__ int first() const { return Along ? lane : lane * chunk; }
    __device__ int place(int element) const {
        return (slot * scan_lanes + element / chunk) * (chunk + 1) + element % chunk;
    }
    __device__ int place_of_move(int k) const {  // of first + k * step
        return place(first()) + (Along ? k * (scan_lanes / chunk) * (chunk + 1) : k);
    }

    // Addresses are added up one after the other: all of them at once would take more registers than the elements.
    __device__ void load(T* items) const {
        T next[chunk];
        int const n = count() - first();
        std::uint64_t const stride = p[words::in + R];
        std::uint64_t address = from + first() * stride;
#pragma unroll
        for (int k = 0; k < chunk; ++k, address += step * stride)
            if (k * step < n) next[k] = load_element<T>(address);
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            if (k * step < n) items[place_of_move(k)] = next[k];
    }
    __device__ void store(T const* items) const {
        int const n = count() - first();
        std::uint64_t const stride = p[words::out + R];
        std::uint64_t address = to + first() * stride;
#pragma unroll
        for (int k = 0; k < chunk; ++k, address += step * stride)
            if (k * step < n) *at<T>(address, 0) = items[place_of_move(k)];
    }
};

// The shared memory of a block; both kernels use the same, which the emulation counts together.
template <class T> struct shared_tiles { T items[block_threads * (scan_chunk<T> + 1)], sums[block_threads]; };
template <class T> __device__ inline shared_tiles<T>& tiles_of_block() {
    __shared__ shared_tiles<T> tiles;
    return tiles;
}

// The sums of all chunks up to each, of those that have elements.
template <class T, class Join> __device__ inline void join_chunks(T* sums, int lane, bool has_elements, Join& join) {
    for (int step = 1; step < scan_lanes; step *= 2) {
        bool const joins = has_elements && lane >= step;
        T left{};
        if (joins) left = sums[lane - step];
        __syncthreads();
        if (joins) sums[lane] = join(left, sums[lane]);
        __syncthreads();
    }
}

// Walks over stripes: stores the running aggregates, or else puts down the sum of each.
template <int R, class Op, class T, look Look, bool Along, bool Stores, class P>
__device__ inline void walk_tiles(P const& p) {
    using words = scan_words<R, P>;
    using stripe_type = scan_stripe<R, T, Along, P>;
    constexpr int chunk = stripe_type::chunk;
    shared_tiles<T>& tiles = tiles_of_block<T>();
    T* const items = tiles.items;
    joining<Op, T, Look> join;
    stripe_type s(p);
    T* const own = items + s.place(s.lane * chunk);
    T* const sums = tiles.sums + s.slot * scan_lanes;
    std::uint64_t const stripes = p[words::stripes];
    for (std::uint64_t first = static_cast<std::uint64_t>(blockIdx.x) * s.slots; first < p[0];
         first += static_cast<std::uint64_t>(gridDim.x) * s.slots) {
        s.enter(first, Stores ? stripes : stripes - 1);
        bool carries = Stores && s.present && s.stripe > 0;
        T carry{};
        if (carries) carry = *s.sum_at(s.stripe - 1);
        for (std::uint64_t k = 0; k < p[words::tiles]; ++k, s.next_tile()) {
            s.load(items);
            __syncthreads();
            int const n = s.own_count();
            T sum{};
            for (int j = 0; j < n; ++j) sum = j == 0 ? own[0] : join(sum, own[j]);
            sums[s.lane] = sum;
            __syncthreads();
            join_chunks(sums, s.lane, n > 0, join);
            if constexpr (Stores) {
                T running = carry;
                if (n > 0 && s.lane > 0) running = carries ? join(carry, sums[s.lane - 1]) : sums[s.lane - 1];
                for (int j = 0; j < n; ++j) {
                    running = j == 0 && s.lane == 0 && !carries ? own[0] : join(running, own[j]);
                    own[j] = running;
                }
            }
            if (s.left > 0) {
                T const whole = sums[(s.count() - 1) / chunk];
                carry = carries ? join(carry, whole) : whole;
                carries = true;
            }
            if constexpr (Stores) {
                if constexpr (Along) __syncthreads();
                s.store(items);
            }
        }
        if (!Stores && s.present && s.lane == 0) *s.sum_at(s.stripe) = carry;
    }
    words{p}.report_of(join);
}

}  // namespace bascule::cuda

// Running aggregates along the last dimension. Words, for R dimensions: 0 number of rows; 1 extents (R), the last of
// them a row's length; the input and the output, each a base and R strides; where floating-point errors are stored and
// which are looked for; then those of tiles, named in scan_words.
//
// Many or short rows are scanned in order, a thread each. Others are cut into tiles of 32 chunks: a thread reduces its
// chunk in order, the chunks before it are joined in a tree, and the thread goes through its chunk once more, starting
// from the aggregate before it. Either a group of 32 threads walks over the tiles of a row, or each tile has a group of
// its own, which looks back at what the groups of earlier tiles put down: the elements are read once. Everything is
// joined in the order of the row, in a tree that the shape alone decides: a sum of floats is off by at most 100
// roundings of the sum of their sizes, while a sum of n in order is off by n of them.
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
    // Of tiles: how many a row has; for those that look back a counter, and their entries.
    static constexpr int tiles = check + 1, counter = tiles + 1, entries = tiles + 2;
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

// Tiles of a row, or of neighbouring rows, and the thread's part in them. `Along`: neighbours in the row are neighbours
// in memory, so neighbouring threads have chunks of one tile and load it together; else they have chunks of
// neighbouring rows.
template <int R, class T, bool Along, class P> struct scan_tile {
    using words = scan_words<R, P>;
    static constexpr int chunk = scan_chunk<T>, tile = scan_lanes * chunk, slots = block_threads / scan_lanes;

    P const& p;
    int slot, lane;
    std::uint64_t from = 0, to = 0;
    std::int64_t left = 0;  // elements from the tile's start to the row's end; none: there is no such tile

    __device__ explicit scan_tile(P const& words)
        : p(words), slot(Along ? threadIdx.x / scan_lanes : threadIdx.x % slots),
          lane(Along ? threadIdx.x % scan_lanes : threadIdx.x / slots) {}

    __device__ void enter(std::uint64_t row, std::uint64_t number) {
        words const w{p};
        left = 0;
        if (row >= p[0] || number >= p[words::tiles]) return;
        coordinates<R> const here(p, row * p[R]);
        std::int64_t const start = static_cast<std::int64_t>(number) * tile;
        from = w.from(here) + start * p[words::in + R];
        to = w.to(here) + start * p[words::out + R];
        left = w.length() - start;
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
template <class T> struct shared_tiles {
    T items[block_threads * (scan_chunk<T> + 1)], sums[block_threads];
    std::uint64_t number;
};
template <class T> __device__ inline shared_tiles<T>& tiles_of_block() {
    __shared__ shared_tiles<T> tiles;
    return tiles;
}

// The sums of all up to each, of those that are there.
template <class T, class Join> __device__ inline void join_lanes(T* sums, int lane, bool is_there, Join& join) {
    for (int step = 1; step < scan_lanes; step *= 2) {
        bool const joins = is_there && lane >= step;
        T left{};
        if (joins) left = sums[lane - step];
        __syncthreads();
        if (joins) sums[lane] = join(left, sums[lane]);
        __syncthreads();
    }
}

// Loads a tile; the sums of its chunks up to each go to `sums`.
template <class T, class Tile, class Join>
__device__ inline void sum_chunks(Tile const& s, T* items, T* sums, Join& join) {
    s.load(items);
    __syncthreads();
    T const* const own = items + s.place(s.lane * s.chunk);
    int const n = s.own_count();
    T sum{};
    for (int j = 0; j < n; ++j) sum = j == 0 ? own[0] : join(sum, own[j]);
    sums[s.lane] = sum;
    __syncthreads();
    join_lanes(sums, s.lane, n > 0, join);
}

// Stores a tile's running aggregates, of which those before the thread's chunk amount to `running`, if it has any.
template <bool Along, class T, class Tile, class Join>
__device__ inline void store_running(Tile const& s, T* items, T running, bool has_before, Join& join) {
    T* const own = items + s.place(s.lane * s.chunk);
    int const n = s.own_count();
    for (int j = 0; j < n; ++j) {
        running = j == 0 && !has_before ? own[0] : join(running, own[j]);
        own[j] = running;
    }
    if constexpr (Along) __syncthreads();
    s.store(items);
}

// 32 threads go through all tiles of a row.
template <int R, class Op, class T, look Look, bool Along, class P> __device__ inline void walk_tiles(P const& p) {
    using words = scan_words<R, P>;
    shared_tiles<T>& tiles = tiles_of_block<T>();
    joining<Op, T, Look> join;
    scan_tile<R, T, Along, P> s(p);
    T* const sums = tiles.sums + s.slot * scan_lanes;
    for (std::uint64_t first = static_cast<std::uint64_t>(blockIdx.x) * s.slots; first < p[0];
         first += static_cast<std::uint64_t>(gridDim.x) * s.slots) {
        s.enter(first + s.slot, 0);
        T carry{};
        for (std::uint64_t k = 0; k < p[words::tiles]; ++k, s.next_tile()) {
            sum_chunks(s, tiles.items, sums, join);
            T running = carry;
            if (s.own_count() > 0 && s.lane > 0) running = k > 0 ? join(carry, sums[s.lane - 1]) : sums[s.lane - 1];
            if (s.left > 0) {
                T const whole = sums[(s.count() - 1) / s.chunk];
                carry = k > 0 ? join(carry, whole) : whole;
            }
            store_running<Along>(s, tiles.items, running, k > 0 || s.lane > 0, join);
        }
    }
    words{p}.report_of(join);
}

// ---- looking back
// The bytes of a value as from_words takes them.
struct word_pair {
    std::uint64_t low, high;
};
template <class T> __device__ inline word_pair to_words(T value) {
    if constexpr (sizeof(T) == 16) return __builtin_bit_cast(word_pair, value);
    else if constexpr (sizeof(T) == 8) return {__builtin_bit_cast(std::uint64_t, value), 0};
    else if constexpr (sizeof(T) == 4) return {__builtin_bit_cast(std::uint32_t, value), 0};
    else if constexpr (sizeof(T) == 2) return {__builtin_bit_cast(std::uint16_t, value), 0};
    else return {static_cast<std::uint8_t>(value), 0};
}

// The entries of level 0 are the aggregates of a row's tiles, each of a higher level is that of 32 of
// the level below. An entry is put down by the group of its last tile. It consists of 64-bit words, the first of which
// is not 0 once the others are there; all are 0 before the kernel starts. The accesses are volatile, and the fences
// order them.
template <int R, class T, class P> struct scan_entries {
    using words = scan_words<R, P>;
    static constexpr int size = sizeof(T) > 8 ? 3 : 2;
    P const& p;
    std::uint64_t row;

    // `before`: so many entries have the levels below.
    __device__ std::uint64_t volatile* at_entry(int level, std::uint64_t before, std::uint64_t k) const {
        return at<std::uint64_t>(p[words::entries], 0) + (before + row * (p[words::tiles] >> 5 * level) + k) * size;
    }
    __device__ void put(std::uint64_t volatile* entry, T value) const {
        word_pair const bits = to_words(value);
        entry[1] = bits.low;
        if constexpr (size > 2) entry[2] = bits.high;
        __threadfence();
        entry[0] = 1;
    }
    __device__ T get(std::uint64_t volatile const* entry) const {
        return from_words<T>(entry[1], size > 2 ? entry[2] : 0);
    }
};

// The aggregate of all tiles before a group's own, by 32 threads for each; `whole` is that of its own. All threads of
// the block take part, and `last` is the greatest number of their tiles. Blocks have taken their tiles in order, so
// those that are waited for run, and they put down the entries of level 0 before they wait for any themselves.
template <int R, class T, class P, class Join>
__device__ inline T look_back(P const& p, std::uint64_t row, std::uint64_t number, bool is_there, std::uint64_t last,
                              T whole, T* sums, Join& join) {
    int const lane = threadIdx.x % scan_lanes;
    scan_entries<R, T, P> const known{p, row};
    if (is_there && lane == 0) known.put(known.at_entry(0, 0, number), whole);
    __syncthreads();
    T carry{};
    bool carries = false, completes = is_there;
    std::uint64_t before = 0, at_level = number;
    for (int level = 0; last > 0; ++level, last /= scan_lanes, at_level /= scan_lanes) {
        int const count = is_there ? static_cast<int>(at_level % scan_lanes) : 0;
        std::uint64_t volatile* const entry = known.at_entry(level, before, at_level - count + lane);
        bool const looks = lane < count;
        while (!__all_sync(~0u, !looks || entry[0] != 0)) {}
        __threadfence();
        if (looks) sums[lane] = known.get(entry);
        __syncthreads();
        join_lanes(sums, lane, looks, join);
        T const all = sums[count > 0 ? count - 1 : 0];
        if (count > 0) carry = carries ? join(all, carry) : all;
        carries = carries || count > 0;
        completes = completes && count == scan_lanes - 1;
        before += p[0] * (p[scan_words<R, P>::tiles] >> 5 * level);
        if (completes) whole = join(all, whole);
        if (completes && lane == 0) known.put(known.at_entry(level + 1, before, at_level / scan_lanes), whole);
        __syncthreads();
    }
    return carry;
}

// Each tile by 32 threads. A block has tiles that follow each other in a row, or those of neighbouring rows.
template <int R, class Op, class T, look Look, bool Along, class P> __device__ inline void scan_tiles(P const& p) {
    using words = scan_words<R, P>;
    shared_tiles<T>& tiles = tiles_of_block<T>();
    joining<Op, T, Look> join;
    scan_tile<R, T, Along, P> s(p);
    constexpr int slots = decltype(s)::slots;
    std::uint64_t const rows = Along ? p[0] : (p[0] + slots - 1) / slots,
                        parts = Along ? (p[words::tiles] + slots - 1) / slots : p[words::tiles];
    auto const row_of = [&](int slot) { return Along ? tiles.number % rows : tiles.number % rows * slots + slot; };
    auto const tile_of = [&](int slot) { return Along ? tiles.number / rows * slots + slot : tiles.number / rows; };
    for (;;) {
        if (threadIdx.x == 0) tiles.number = atomicAdd(at<unsigned long long>(p[words::counter], 0), 1ull);
        __syncthreads();
        if (tiles.number >= rows * parts) break;
        std::uint64_t const number = tile_of(s.slot);
        s.enter(row_of(s.slot), number);
        sum_chunks(s, tiles.items, tiles.sums + s.slot * scan_lanes, join);
        T running{}, whole{};
        if (s.lane > 0) running = tiles.sums[s.slot * scan_lanes + s.lane - 1];
        // From here on a warp looks back for one tile.
        int const warp = threadIdx.x / scan_lanes;
        T* const sums = tiles.sums + warp * scan_lanes;
        scan_tile<R, T, Along, P> looking(p);
        looking.enter(row_of(warp), tile_of(warp));
        bool const is_there = looking.left > 0;
        if (is_there) whole = sums[(looking.count() - 1) / s.chunk];
        T carry = look_back<R>(p, row_of(warp), tile_of(warp), is_there, tile_of(slots - 1), whole, sums, join);
        if constexpr (!Along) {
            if (threadIdx.x % scan_lanes == 0) *sums = carry;
            __syncthreads();
            carry = tiles.sums[s.slot * scan_lanes];
        }
        if (number > 0 && s.own_count() > 0) running = s.lane > 0 ? join(carry, running) : carry;
        store_running<Along>(s, tiles.items, running, number > 0 || s.lane > 0, join);
    }
    words{p}.report_of(join);
}

}  // namespace bascule::cuda

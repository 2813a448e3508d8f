// nonzero and compress: the items of a mask that are true, in C order. Chunks of items are counted, the counts are
// summed up to each chunk's place, the sum of all behind them, and each chunk puts its items there. Words, for R
// dimensions:
//   0 number of items; 1 extents (R); the mask and the data, each a base and R strides; then those named at `after`.
#pragma once
#include "backend/cuda/kernels/indexed.cuh"

namespace bascule::cuda {

inline constexpr int chunk_items = 8 * block_threads;

template <int R> struct select_words {
    static constexpr int mask = operand_words<R>(0), data = operand_words<R>(1), after = operand_words<R>(2);
    static constexpr int counts = after, out = after + 1, out_stride = after + 2;
};

template <int R, class P> __device__ inline bool is_selected(P const& p, std::uint64_t item) {
    return item < p[0] &&
           *at<std::uint8_t>(p[select_words<R>::mask], coordinates<R>(p, item).offset(p, select_words<R>::mask)) != 0;
}
__device__ inline std::uint64_t chunk_count(std::uint64_t items) { return (items + chunk_items - 1) / chunk_items; }

template <int R, class P> __device__ inline void count_selected(P const& p) {
    auto* const counts = at<std::uint64_t>(p[select_words<R>::counts], 0);
    for (std::uint64_t chunk = blockIdx.x; chunk < chunk_count(p[0]); chunk += gridDim.x) {
        std::uint64_t count = 0;
        for (int tile = 0; tile < chunk_items; tile += block_threads)
            count += __syncthreads_count(is_selected<R>(p, chunk * chunk_items + tile + threadIdx.x));
        if (threadIdx.x == 0) counts[chunk] = count;
    }
}

// One block: counts become offsets. Each thread adds up some neighbours, so that the block meets less often.
template <int R, class P> __device__ inline void place_chunks(P const& p) {
    constexpr int each = 4;
    __shared__ std::uint64_t sums[block_threads];
    auto* const counts = at<std::uint64_t>(p[select_words<R>::counts], 0);
    std::uint64_t const chunks = chunk_count(p[0]);
    std::uint64_t before = 0;
    for (std::uint64_t first = 0; first < chunks; first += each * block_threads) {
        std::uint64_t const chunk = first + each * threadIdx.x;
        std::uint64_t own = 0;
        for (int k = 0; k < each; ++k) own += chunk + k < chunks ? counts[chunk + k] : 0;
        sums[threadIdx.x] = own;
        __syncthreads();
        for (int step = 1; step < block_threads; step *= 2) {
            std::uint64_t const left = static_cast<int>(threadIdx.x) >= step ? sums[threadIdx.x - step] : 0;
            __syncthreads();
            sums[threadIdx.x] += left;
            __syncthreads();
        }
        std::uint64_t place = before + sums[threadIdx.x] - own;
        for (int k = 0; k < each && chunk + k < chunks; ++k) {
            std::uint64_t const count = counts[chunk + k];
            counts[chunk + k] = place;
            place += count;
        }
        before += sums[block_threads - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) counts[chunks] = before;
}

// put(item, place) for every selected item.
template <int R, class P, class Put> __device__ inline void put_selected(P const& p, Put&& put) {
    __shared__ int warp_sums[block_threads / 32];
    auto const* const positions = at<std::uint64_t>(p[select_words<R>::counts], 0);
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (std::uint64_t chunk = blockIdx.x; chunk < chunk_count(p[0]); chunk += gridDim.x) {
        std::uint64_t place = positions[chunk];
        for (int tile = 0; tile < chunk_items; tile += block_threads) {
            std::uint64_t const item = chunk * chunk_items + tile + threadIdx.x;
            bool const selected = is_selected<R>(p, item);
            unsigned const votes = __ballot_sync(0xffffffffu, selected);
            if (lane == 0) warp_sums[warp] = __popc(votes);
            __syncthreads();
            std::uint64_t own = place + __popc(votes & ((1u << lane) - 1));
            for (int w = 0; w < block_threads / 32; ++w) {
                own += w < warp ? warp_sums[w] : 0;
                place += warp_sums[w];
            }
            if (selected) put(item, own);
            __syncthreads();
        }
    }
}

template <int R, class P> __device__ inline void put_coordinates(P const& p) {
    auto* const out = at<std::int64_t>(p[select_words<R>::out], 0);
    std::int64_t const stride = static_cast<std::int64_t>(p[select_words<R>::out_stride]);
    put_selected<R>(p, [&](std::uint64_t item, std::uint64_t place) {
        coordinates<R> const here(p, item);
        for (int d = 0; d < R; ++d) out[d * stride + static_cast<std::int64_t>(place)] = here.i[d];
    });
}

template <int R, class T, class P> __device__ inline void put_elements(P const& p) {
    auto* const out = at<T>(p[select_words<R>::out], 0);
    put_selected<R>(p, [&](std::uint64_t item, std::uint64_t place) {
        out[place] = *at<T>(p[select_words<R>::data], coordinates<R>(p, item).offset(p, select_words<R>::data));
    });
}

}  // namespace bascule::cuda

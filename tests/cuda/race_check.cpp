// The kernels with barriers, compiled into one program with the emulation: built with ThreadSanitizer it reports every pair of
// accesses to shared or global memory that no barrier orders, with file and line.
#include "cuda_emulation.hpp"
#include "emulation_scheduler.hpp"

#include "backend/cuda/kernels/reduce.cuh"
#include "backend/cuda/kernels/select.cuh"

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace bascule;
using namespace bascule::cuda;
using algebra = ops::aggregate::sum::of<double>;

struct program {
    double const* data;
    double* out;
    __device__ double operator()(std::int64_t, std::int64_t, std::int64_t run) const { return data[run]; }
    __device__ std::uint64_t result(std::int64_t) const { return reinterpret_cast<std::uint64_t>(out); }
};

template <class F> void launch(unsigned blocks, F&& f) {
    emulation::current = emulation::shared_runtime();
    emulation::run({{blocks, 1, 1}, {block_threads, 1, 1}, [](void* p) { (*static_cast<F*>(p))(); }, &f});
}

bool sum_is_right() {
    constexpr std::int64_t n = 5000;
    std::vector<double> const data(n, 0.25);
    double total = 0;
    std::vector<double> slots(64);
    program const f{data.data(), &total};
    reduction_shape const shape{1, 1, n, 6};
    auto const address = reinterpret_cast<std::uint64_t>(slots.data());
    launch(1, [&] { reduce_leaves<algebra>(f, shape, address); });
    launch(1, [&] { join_slots<algebra>(shape, address, 0); });
    launch(1, [&] { finish_runs<algebra, double>(f, shape, address, 0.0); });
    return total == n * 0.25;
}

bool selection_is_right() {
    constexpr std::int64_t n = 5000;
    std::vector<std::uint8_t> mask(n);
    for (std::int64_t i = 0; i < n; i += 3) mask[static_cast<std::size_t>(i)] = 1;
    std::vector<std::uint64_t> counts(3);
    std::vector<std::int64_t> out(1667);
    std::uint64_t total = 0;
    auto const number = [](void const* p) { return reinterpret_cast<std::uint64_t>(p); };
    words<10> const p{{n, n, number(mask.data()), 1, 0, 0, number(counts.data()), number(&total), number(out.data()), 0}};
    launch(2, [&] { count_selected<1>(p); });
    launch(1, [&] { place_chunks<1>(p); });
    launch(1, [&] { put_coordinates<1>(p); });
    bool right = total == out.size();
    for (std::size_t i = 0; i < out.size(); ++i) right = right && out[i] == static_cast<std::int64_t>(3 * i);
    return right;
}

}  // namespace

int main() {
    bool const sum = sum_is_right(), selection = selection_is_right();
    if (!sum) std::puts("the sum is wrong");
    if (!selection) std::puts("the selection is wrong");
    return sum && selection ? 0 : 1;
}

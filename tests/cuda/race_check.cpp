// The kernels with barriers, compiled into one program with the emulation: built with ThreadSanitizer it reports every
// pair of accesses to shared or global memory that no barrier orders, with file and line. With the argument "mutations"
// it runs them once more without each of their barriers in turn, and each has to be missed: by a report, a wrong
// result, or the emulation's own checks.
#include "backend/emulation/cuda_emulation.hpp"
#include "backend/emulation/emulation_scheduler.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

struct barrier {
    char const* file;
    int line;
};
barrier barriers[64];  // those reached so far
int barrier_count = 0, left_out = -1, reports = 0;

// Its own reads and writes are no part of a kernel.
[[gnu::no_sanitize_thread, gnu::noinline]] void meet(char const* file, int line) {
    int k = 0;
    while (k < barrier_count && (barriers[k].line != line || __builtin_strcmp(barriers[k].file, file) != 0)) ++k;
    if (k == barrier_count) barriers[barrier_count++] = {file, line};
    if (k != left_out) bascule::emulation::current->block_barrier(0, &barriers[k]);
}

}  // namespace

#define __syncthreads() meet(__FILE__, __LINE__)
// Seen by the sanitizer's library, which calls them.
extern "C" [[gnu::no_sanitize_thread, gnu::visibility("default")]] void __tsan_on_report(void*) { ++reports; }
extern "C" [[gnu::visibility("default")]] char const* __tsan_default_options() {
    return "suppress_equal_stacks=0:suppress_equal_addresses=0:exitcode=0:handle_segv=0:handle_sigbus=0";
}

#include "backend/cuda/kernels/product.cuh"
#include "backend/cuda/kernels/reduce.cuh"
#include "backend/cuda/kernels/scan.cuh"
#include "backend/cuda/kernels/select.cuh"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/arithmetic.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace bascule;
using namespace bascule::cuda;
using algebra = ops::aggregate::sum::of<double>;

struct program {
    static constexpr std::uint32_t check = 0;
    static constexpr bool stops = false;
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
    launch(1, [&] { join_slots<algebra>(f, shape, address, 0); });
    launch(1, [&] { finish_runs<algebra, double>(f, shape, address, 0.0); });
    return total == n * 0.25;
}

// A leaf whose parts are on two levels.
bool variance_is_right() {
    using variance = ops::aggregate::var::of<double>;
    constexpr std::int64_t n = 1023;
    std::vector<double> data(n);
    for (std::size_t i = 0; i < n; ++i) data[i] = 1 / (1.0 + static_cast<double>(i * 7 % 31));
    double result = 0;
    variance::state slot{};
    program const f{data.data(), &result};
    reduction_shape const shape{1, 1, n, 0};
    auto const address = reinterpret_cast<std::uint64_t>(&slot);
    launch(1, [&] { reduce_leaves<variance>(f, shape, address); });
    launch(1, [&] { finish_runs<variance, double>(f, shape, address, 0.0); });
    return result == variance::finish(variance::reduce(data.data(), n), n, 0);
}

// One true element among many; reads are counted, which is no part of a kernel.
struct counted_booleans {
    static constexpr std::uint32_t check = 0;
    static constexpr bool stops = true;
    std::int64_t boolean;
    std::int64_t* looks;
    void* out;
    [[gnu::no_sanitize_thread]] __device__ bool operator()(std::int64_t, std::int64_t, std::int64_t run) const {
        ++*looks;
        return run == boolean;
    }
    __device__ std::uint64_t result(std::int64_t) const { return reinterpret_cast<std::uint64_t>(out); }
};

// The share of its elements that two blocks read, with four times as many leaves as threads for them; above 1: the
// result is wrong.
template <class Algebra, class Out> double share_of_looks(std::int64_t boolean, Out expected) {
    constexpr int depth = 8;
    constexpr std::int64_t n = Algebra::leaf_size << depth;
    typename Algebra::state slots[1 << depth] = {};
    unsigned long long decided = ~0ull;
    std::int64_t looks = 0;
    Out out{};
    counted_booleans const f{boolean, &looks, &out};
    reduction_shape const shape{1, 1, n, depth, reinterpret_cast<std::uint64_t>(&decided)};
    auto const address = reinterpret_cast<std::uint64_t>(slots);
    launch(2, [&] { reduce_leaves<Algebra>(f, shape, address); });
    launch(1, [&] { join_slots<Algebra>(f, shape, address, 0); });
    launch(1, [&] { finish_runs<Algebra, Out>(f, shape, address, 0.0); });
    return out == expected ? static_cast<double>(looks) / n : 2;
}

bool decided_reductions_leave_off() {
    using any = ops::aggregate::any::of<bool>;
    using argmax = ops::aggregate::argmax::of<bool>;
    constexpr std::int64_t last = (1024 << 8) - 1;
    return share_of_looks<any>(5, true) <= 0.75 && share_of_looks<argmax>(100, std::int64_t{100}) <= 0.75 &&
           share_of_looks<argmax>(last, last) <= 1;
}

std::uint64_t number(void const* p) { return reinterpret_cast<std::uint64_t>(p); }

bool selection_is_right() {
    constexpr std::int64_t n = 5000;
    std::vector<std::uint8_t> mask(n);
    for (std::int64_t i = 0; i < n; i += 3) mask[static_cast<std::size_t>(i)] = 1;
    std::vector<std::uint64_t> counts(4);
    std::vector<std::int64_t> out(1667);
    words<9> const p{{n, n, number(mask.data()), 1, 0, 0, number(counts.data()), number(out.data()), 0}};
    launch(2, [&] { count_selected<1>(p); });
    launch(1, [&] { place_chunks<1>(p); });
    launch(1, [&] { put_coordinates<1>(p); });
    bool right = counts.back() == out.size();
    for (std::size_t i = 0; i < out.size(); ++i) right = right && out[i] == static_cast<std::int64_t>(3 * i);
    return right;
}

// More chunks than the block that computes their offsets adds up at once, four a thread: it loops three times.
bool many_chunks_are_placed() {
    constexpr std::uint64_t chunks = 8 * block_threads + 5, n = chunks * chunk_items;
    std::vector<std::uint64_t> counts(chunks + 1);
    for (std::uint64_t i = 0; i < chunks; ++i) counts[i] = i % 7;
    std::uint64_t before = 0;
    words<9> const p{{n, n, 0, 1, 0, 0, number(counts.data()), 0, 0}};
    launch(1, [&] { place_chunks<1>(p); });
    bool right = true;
    for (std::uint64_t i = 0; i < chunks; before += i++ % 7) right = right && counts[i] == before;
    return right && counts.back() == before;
}

// Two rows of three tiles, as `Along` has them in memory.
template <bool Along> bool running_sums_are_right() {
    constexpr std::int64_t rows = 2, tiles = 3, n = (tiles - 1) * 512 + 40, row = Along ? 8 * n : 8,
                           item = Along ? 8 : 8 * rows;
    std::vector<double> const data(rows * n, 0.25);
    std::vector<double> walked(rows * n), out(rows * n);
    std::vector<std::uint64_t> known(1 + rows * tiles * 2);
    auto const words_to = [&](std::vector<double> const& to) {
        return words<14>{{rows, rows, n, number(data.data()), row, item, number(to.data()), row, item, 0, 0, tiles,
                          number(known.data()), number(known.data() + 1)}};
    };
    launch(1, [&] { walk_tiles<2, ops::add, double, look::away, Along>(words_to(walked)); });
    launch(1, [&] { scan_tiles<2, ops::add, double, look::away, Along>(words_to(out)); });
    bool right = walked == out;
    for (std::int64_t i = 0; i < rows * n; ++i)
        right = right && out[static_cast<std::size_t>(i)] == 0.25 * static_cast<double>((Along ? i % n : i / rows) + 1);
    return right;
}

// Two tiles by one block, a strip of one step each: races are reported for each access, so there are few.
bool product_is_right() {
    constexpr std::int64_t m = 70, k = 1, n = 1, item = sizeof(double);
    std::vector<double> const a(m * k, 0.5), b(k * n, 0.25);
    std::vector<double> out(m * n);
    words<14> const p{{1, number(a.data()), number(b.data()), number(out.data()), k * item, item, n * item, item,
                       n * item, item, m, k, n, 0}};
    launch(1, [&] { matrix_product<0, double, false>(p); });
    bool right = true;
    for (double const v : out) right = right && v == 0.125 * k;
    return right;
}

// The error of the kernels, empty if there is none.
std::string found() {
    reports = 0;
    try {
        if (!sum_is_right()) return "the sum is wrong";
        if (!variance_is_right()) return "the variance is wrong";
        if (!selection_is_right()) return "the selection is wrong";
        // Once: races in a reduction without a barrier were checked above, and here each would be reported many times.
        if (left_out < 0 && !decided_reductions_leave_off()) return "a reduction that is decided goes on, or is wrong";
        if (!running_sums_are_right<true>() || !running_sums_are_right<false>()) return "a running sum is wrong";
        if (!product_is_right()) return "the product is wrong";
        if (!many_chunks_are_placed()) return "the places of chunks are wrong";
    } catch (emulation::error const& e) { return e.what(); }
    return reports ? std::to_string(reports) + " races" : "";
}

int barriers_in_the_strings() {
    int n = 0;
    for (auto const& file : std::filesystem::directory_iterator(BASCULE_KERNELS)) {
        std::ifstream in(file.path());
        std::string const text(std::istreambuf_iterator<char>(in), {});
        for (std::size_t at = text.find("__syncthreads();"); at != text.npos;
             at = text.find("__syncthreads();", at + 1))
            ++n;
    }
    return n;
}

}  // namespace

int main(int count, char**) {
    if (std::string const what = found(); !what.empty()) return std::puts(what.c_str()), 1;
    if (count == 1) return 0;
    int missed = 0;
    for (left_out = 0; left_out < barrier_count; ++left_out) {
        std::string const what = found();
        missed += what.empty();
        std::printf("without %s:%d: %s\n", barriers[left_out].file, barriers[left_out].line,
                    what.empty() ? "NOT NOTICED" : what.c_str());
    }
    int const in_strings = barriers_in_the_strings();
    std::printf("%d of %d barriers left out in turn, %d not noticed\n", barrier_count, in_strings, missed);
    return missed == 0 && barrier_count == in_strings ? 0 : 1;
}

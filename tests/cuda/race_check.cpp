// The kernels with barriers, compiled into one program with the emulation: built with ThreadSanitizer it reports every pair
// of accesses to shared or global memory that no barrier orders, with file and line. With the argument "mutations" it runs
// them once more without each of their barriers in turn, and each has to be missed: by a report, a wrong result, or the
// emulation's own checks.
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
barrier barriers[64];  // those met so far
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
extern "C" [[gnu::visibility("default")]] char const* __tsan_default_options() { return "suppress_equal_stacks=0:suppress_equal_addresses=0:exitcode=0"; }

#include "backend/cuda/kernels/product.cuh"
#include "backend/cuda/kernels/reduce.cuh"
#include "backend/cuda/kernels/select.cuh"
#include "bascule/ops/aggregate.hpp"

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

std::uint64_t number(void const* p) { return reinterpret_cast<std::uint64_t>(p); }

bool selection_is_right() {
    constexpr std::int64_t n = 5000;
    std::vector<std::uint8_t> mask(n);
    for (std::int64_t i = 0; i < n; i += 3) mask[static_cast<std::size_t>(i)] = 1;
    std::vector<std::uint64_t> counts(3);
    std::vector<std::int64_t> out(1667);
    std::uint64_t total = 0;
    words<10> const p{{n, n, number(mask.data()), 1, 0, 0, number(counts.data()), number(&total), number(out.data()), 0}};
    launch(2, [&] { count_selected<1>(p); });
    launch(1, [&] { place_chunks<1>(p); });
    launch(1, [&] { put_coordinates<1>(p); });
    bool right = total == out.size();
    for (std::size_t i = 0; i < out.size(); ++i) right = right && out[i] == static_cast<std::int64_t>(3 * i);
    return right;
}

// More chunks than the block that places them has threads: it goes round three times.
bool many_chunks_are_placed() {
    constexpr std::uint64_t chunks = 2 * block_threads + 5, n = chunks * chunk_items;
    std::vector<std::uint64_t> counts(chunks);
    for (std::uint64_t i = 0; i < chunks; ++i) counts[i] = i % 7;
    std::uint64_t total = 0, before = 0;
    words<10> const p{{n, n, 0, 1, 0, 0, number(counts.data()), number(&total), 0, 0}};
    launch(1, [&] { place_chunks<1>(p); });
    bool right = true;
    for (std::uint64_t i = 0; i < chunks; before += i++ % 7) right = right && counts[i] == before;
    return right && total == before;
}

// Two tiles by one block, a strip of one step each: what races is reported for each access, so there are few.
bool product_is_right() {
    constexpr std::int64_t m = 70, k = 1, n = 1, item = sizeof(double);
    std::vector<double> const a(m * k, 0.5), b(k * n, 0.25);
    std::vector<double> out(m * n);
    words<14> const p{{1, number(a.data()), number(b.data()), number(out.data()), k * item, item, n * item, item, n * item, item, m, k, n, 0}};
    launch(1, [&] { matrix_product<0, double, false>(p); });
    bool right = true;
    for (double const v : out) right = right && v == 0.125 * k;
    return right;
}

// What is wrong with the kernels, empty if nothing is.
std::string found() {
    reports = 0;
    try {
        if (!sum_is_right()) return "the sum is wrong";
        if (!selection_is_right()) return "the selection is wrong";
        if (!product_is_right()) return "the product is wrong";
        if (!many_chunks_are_placed()) return "the places of chunks are wrong";
    } catch (emulation::error const& e) { return e.what(); }
    return reports ? std::to_string(reports) + " races" : "";
}

int barriers_in_the_texts() {
    int n = 0;
    for (auto const& file : std::filesystem::directory_iterator(BASCULE_KERNELS)) {
        std::ifstream in(file.path());
        std::string const text(std::istreambuf_iterator<char>(in), {});
        for (std::size_t at = text.find("__syncthreads();"); at != text.npos; at = text.find("__syncthreads();", at + 1)) ++n;
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
    int const in_texts = barriers_in_the_texts();
    std::printf("%d of %d barriers left out in turn, %d not noticed\n", barrier_count, in_texts, missed);
    return missed == 0 && barrier_count == in_texts ? 0 : 1;
}

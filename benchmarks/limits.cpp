// What all cores together can read, and what they can move with five streams read and one written, as a*b + c*d - e/2
// does, by loops that do nothing else into pages that are there already. Prints one JSON object in GB/s; an element counts
// once for each read and once for a write. Usage: limits [threads] [elements of one array]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include <sys/mman.h>

namespace {

using wide = double __attribute__((vector_size(64), aligned(8), may_alias));

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double* touched(std::int64_t n) {
    std::size_t const page = std::size_t{2} << 20, bytes = (static_cast<std::size_t>(n) * 8 + page - 1) / page * page;
    auto* const p = static_cast<double*>(std::aligned_alloc(page, bytes));
    if (!p) std::exit(1);
    madvise(p, bytes, MADV_HUGEPAGE);
    for (std::int64_t i = 0; i < n; ++i) p[i] = static_cast<double>(i % 1000);
    return p;
}

// Best time of several rounds in which every thread runs `part` over its share.
double best(int threads, std::int64_t n, std::function<void(std::int64_t, std::int64_t)> const& part) {
    double least = 1e9;
    for (int round = 0; round < 12; ++round) {
        std::atomic<int> ready{0};
        std::atomic<bool> go{false};
        std::vector<std::thread> all;
        for (int t = 0; t < threads; ++t)
            all.emplace_back([&, t] {
                ++ready;
                while (!go) std::this_thread::yield();
                part(n * t / threads / 32 * 32, n * (t + 1) / threads / 32 * 32);
            });
        while (ready < threads) std::this_thread::yield();
        double const start = now();
        go = true;
        for (auto& t : all) t.join();
        least = std::min(least, now() - start);
    }
    return least;
}

}  // namespace

int main(int argc, char** argv) {
    int const threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : static_cast<int>(std::thread::hardware_concurrency());
    std::int64_t const n = argc > 2 ? std::max<long long>(1024, std::atoll(argv[2])) : std::int64_t{1} << 24;
    std::vector<double*> x;
    for (int k = 0; k < 6; ++k) x.push_back(touched(n));
    // All six arrays one after the other: one alone may lie in a large cache.
    double const read = best(threads, n, [&](std::int64_t low, std::int64_t high) {
        wide s[4] = {};
        for (double const* p : x)
            for (std::int64_t i = low; i < high; i += 32)
                for (int k = 0; k < 4; ++k) s[k] += *reinterpret_cast<wide const*>(p + i + 8 * k);
        wide const all = s[0] + s[1] + s[2] + s[3];
        asm volatile("" ::"m"(all));
    });
    double const stream = best(threads, n, [&](std::int64_t low, std::int64_t high) {
        auto const at = [&](int k, std::int64_t i) -> wide& { return *reinterpret_cast<wide*>(x[static_cast<std::size_t>(k)] + i); };
        for (std::int64_t i = low; i < high; i += 8) at(5, i) = at(0, i) + at(1, i) + at(2, i) + at(3, i) + at(4, i);
    });
    auto const bytes = static_cast<double>(n) * 8;
    std::printf("{\"threads\": %d, \"read\": %.2f, \"stream\": %.2f}\n", threads, 6 * bytes / read / 1e9, 6 * bytes / stream / 1e9);
}

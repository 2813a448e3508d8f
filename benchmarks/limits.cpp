// Memory bandwidth of all cores: reading alone; five streams read and one written, as in a*b + c*d - e/2; two read and
// one written (triad); one read and one written (copy). The loops do nothing else and use pages that are already
// mapped; the last two use ordinary or non-temporal stores, whichever is faster. Prints one JSON object in GB/s; an
// element counts once for each read and once for a write.
//
// Usage: limits [threads] [elements of one array] [read, stream, triad or copy: only that loop]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/mman.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

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

struct ordinary {
    static void store(double* p, wide const& x) { *reinterpret_cast<wide*>(p) = x; }
};

#ifdef __AVX512F__
struct passing {
    static void store(double* p, wide const& x) { _mm512_stream_pd(p, reinterpret_cast<__m512d>(x)); }
};
#elif defined(__SSE2__)
struct passing {
    static void store(double* p, wide const& x) {
        for (int k = 0; k < 8; k += 2) _mm_stream_pd(p + k, _mm_setr_pd(x[k], x[k + 1]));
    }
};
#else
using passing = ordinary;
#endif

// Best time of several rounds in which every thread runs `part` on its share.
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

// The better rate, in arrays per second, of both kinds of stores, if groups of `size` of the six arrays, one after the
// other, have `value` of the first ones written to their last.
template <typename F>
double rate(int threads, std::int64_t n, std::vector<double*> const& x, std::size_t size, F const& value) {
    auto const with = [&]<typename Kind>(Kind) {
        return best(threads, n, [&](std::int64_t low, std::int64_t high) {
            for (std::size_t first = 0; first < x.size(); first += size)
                for (std::int64_t i = low; i < high; i += 8) {
                    wide made;
                    value(&x[first], i, made);
                    Kind::store(x[first + size - 1] + i, made);
                }
        });
    };
    return static_cast<double>(x.size()) / std::min(with(ordinary{}), with(passing{}));
}

// GB/s of each loop.
struct limits {
    int threads;
    std::int64_t n;
    std::vector<double*> x;

    double read() const {  // all six arrays one after the other, since a single one may fit into a large cache
        double const seconds = best(threads, n, [&](std::int64_t low, std::int64_t high) {
            wide s[4] = {};
            for (double const* p : x)
                for (std::int64_t i = low; i < high; i += 32)
                    for (int k = 0; k < 4; ++k) s[k] += *reinterpret_cast<wide const*>(p + i + 8 * k);
            wide const all = s[0] + s[1] + s[2] + s[3];
            asm volatile("" ::"m"(all));
        });
        return 6 * bytes() / seconds;
    }
    double stream() const {
        double const seconds = best(threads, n, [&](std::int64_t low, std::int64_t high) {
            auto const at = [&](int k, std::int64_t i) -> wide& {
                return *reinterpret_cast<wide*>(x[static_cast<std::size_t>(k)] + i);
            };
            for (std::int64_t i = low; i < high; i += 8)
                at(5, i) = at(0, i) + at(1, i) + at(2, i) + at(3, i) + at(4, i);
        });
        return 6 * bytes() / seconds;
    }
    double triad() const {
        return bytes() * rate(threads, n, x, 3, [](double* const* group, std::int64_t i, wide& to) {
                   to = element(group, 0, i) + element(group, 1, i);
               });
    }
    double copy() const {
        return bytes() * rate(threads, n, x, 2,
                              [](double* const* group, std::int64_t i, wide& to) { to = element(group, 0, i); });
    }

private:
    static wide const& element(double* const* group, int k, std::int64_t i) {
        return *reinterpret_cast<wide const*>(group[k] + i);
    }
    double bytes() const { return static_cast<double>(n) * 8 / 1e9; }
};

}  // namespace

int main(int argc, char** argv) {
    int const threads = argc > 1 ? std::max(1, std::atoi(argv[1]))
                                 : static_cast<int>(std::thread::hardware_concurrency());
    std::int64_t const n = argc > 2 ? std::max<long long>(1024, std::atoll(argv[2])) : std::int64_t{1} << 24;
    std::string_view const wanted = argc > 3 ? argv[3] : "";
    std::pair<std::string_view, double (limits::*)() const> const all[] = {
        {"read", &limits::read}, {"stream", &limits::stream}, {"triad", &limits::triad}, {"copy", &limits::copy}};
    if (!wanted.empty() &&
        std::ranges::find(all, wanted, [](auto const& loop) { return loop.first; }) == std::end(all)) {
        std::fprintf(stderr, "limits: there is no loop %s\n", argv[3]);
        return 2;
    }
    limits found{threads, n, {}};
    for (int k = 0; k < 6; ++k) found.x.push_back(touched(n));
    std::printf("{\"threads\": %d", threads);
    for (auto const& [name, loop] : all)
        if (wanted.empty() || wanted == name) std::printf(", \"%s\": %.2f", name.data(), (found.*loop)());
    std::printf("}\n");
}

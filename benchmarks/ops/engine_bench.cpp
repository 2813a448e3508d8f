// The CPU engine against the machine's memory bandwidth, measured in the same run. Every result is checked before its
// time is printed. Usage: engine_bench [part of a name]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "backend/cpu/kernels.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/sched/thread_pool.hpp"
#include "cpu/plan_builder.hpp"

namespace {

using namespace bascule;
using test::plan_builder;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class F> double best_of(int rounds, F&& f) {
    double best = 1e9;
    for (int r = 0; r < rounds; ++r) {
        double const start = now();
        f();
        best = std::min(best, now() - start);
    }
    return best;
}

double* fresh(std::int64_t n, double low, double high, unsigned seed) {
    void* p = nullptr;
    if (cpu_backend()->allocate(0, n * 8, &p) != status::ok) std::abort();
    auto* const x = static_cast<double*>(p);
    std::uint64_t s = seed * 0x9e3779b97f4a7c15ull + 1;
    for (std::int64_t i = 0; i < n; ++i) {
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        x[i] = low + (high - low) * static_cast<double>(s >> 11) * 0x1p-53;
    }
    return x;
}
void give_back(double* p, std::int64_t n) { cpu_backend()->release(0, p, n * 8); }

void run(plan_builder const& b) {
    plan const p = b.get();
    if (cpu_backend()->run(0, &p, nullptr) == status::ok) return;
    std::fprintf(stderr, "%s\n", cpu_backend()->last_error());
    std::exit(1);
}

void expect(bool right, char const* what) {
    if (right) return;
    std::fprintf(stderr, "%s: wrong result\n", what);
    std::exit(1);
}

double read_limit = 0, stream_limit = 0;  // bytes per second: reading alone; four streams read and one written

// Rates at which all threads together can read and copy, by loops that do nothing else.
void measure_limits() {
    std::int64_t const n = std::int64_t{1} << 24, pieces = 256, piece = n / pieces;
    std::vector<double*> x;
    for (unsigned k = 0; k < 5; ++k) x.push_back(fresh(n, 0, 1, k));
    using wide = double __attribute__((vector_size(64), aligned(8), may_alias));
    double const read_time = best_of(12, [&] {
        sched::parallel_for(pieces, true, [&](std::int64_t t) {
            wide s[4] = {};
            for (std::int64_t i = t * piece; i < (t + 1) * piece; i += 32)
                for (int k = 0; k < 4; ++k) s[k] += *reinterpret_cast<wide const*>(x[0] + i + 8 * k);
            wide const all = s[0] + s[1] + s[2] + s[3];
            asm volatile("" ::"m"(all));
        });
    });
    double const stream_time = best_of(12, [&] {
        sched::parallel_for(pieces, true, [&](std::int64_t t) {
            for (std::int64_t i = t * piece; i < (t + 1) * piece; i += 8) {
                wide s{};
                for (int k = 0; k < 4; ++k) s += *reinterpret_cast<wide const*>(x[static_cast<std::size_t>(k)] + i);
                *reinterpret_cast<wide*>(x[4] + i) = s;
            }
        });
    });
    read_limit = static_cast<double>(n) * 8 / read_time;
    stream_limit = static_cast<double>(n) * 40 / stream_time;
    std::printf("limits: read %.1f GB/s, four in one out %.1f GB/s\n", read_limit / 1e9, stream_limit / 1e9);
    for (double* p : x) give_back(p, n);
}

void report(char const* name, double seconds, double bytes, double limit) {
    std::printf("%-34s %9.3f ms  %6.1f GB/s  %3.0f %% of the limit\n", name, seconds * 1e3, bytes / seconds / 1e9, 100 * bytes / seconds / limit);
}

int named(char const* aggregate) { return ops::find_aggregate(aggregate); }
constexpr auto f64 = type_id::float64;

void arithmetic() {
    std::int64_t const n = 10'000'000;
    std::vector<double*> x;
    for (unsigned k = 0; k < 6; ++k) x.push_back(fresh(n, 1, 2, k));
    plan_builder b({n});
    std::vector<int> v;
    for (int k = 0; k < 5; ++k) v.push_back(b.flat(x[static_cast<std::size_t>(k)], f64));
    std::uint8_t const checks = ops::fp::divide | ops::fp::over | ops::fp::invalid;
    int const products = b.op("add", f64, {b.op("multiply", f64, {v[0], v[1]}, checks), b.op("multiply", f64, {v[2], v[3]}, checks)}, checks);
    b.store_flat(b.op("subtract", f64, {products, b.op("divide", f64, {v[4], b.constant(2.0)}, checks)}, checks), x[5]);
    double const t = best_of(7, [&] { run(b); });
    for (std::int64_t i = 0; i < n; i += 9973) expect(x[5][i] == (x[0][i] * x[1][i] + x[2][i] * x[3][i]) - x[4][i] / 2, "arithmetic");
    report("a*b + c*d - e/2, 1e7, checked", t, static_cast<double>(n) * 48, stream_limit);
    for (double* p : x) give_back(p, n);
}

void sums() {
    std::int64_t const n = 100'000'000;
    double* const x = fresh(n, 0, 1, 7);
    double sum = 0, deviation = 0;
    plan_builder s({n}), d({n});
    s.reduced({1});
    d.reduced({1});
    s.reduce(named("sum"), s.flat(x, f64), &sum, f64, {0});
    d.reduce(named("std"), d.flat(x, f64), &deviation, f64, {0});
    double const sum_time = best_of(4, [&] { run(s); }), deviation_time = best_of(4, [&] { run(d); });
    expect(std::abs(sum / static_cast<double>(n) - 0.5) < 1e-3, "sum");
    expect(std::abs(deviation - 0.288675) < 1e-3, "std");
    report("sum, 1e8", sum_time, static_cast<double>(n) * 8, read_limit);
    report("std, 1e8", deviation_time, static_cast<double>(n) * 8, read_limit);
    give_back(x, n);
}

void trigonometry() {
    std::int64_t const n = 100'000'000;
    double* const x = fresh(n, -10, 10, 8);
    std::int64_t count = 0;
    bool every = true;
    auto const identity = [&](plan_builder& b) {
        int const v = b.flat(x, f64);
        int const s = b.op("power", f64, {b.op("sin", f64, {v}), b.constant(2.0)}), c = b.op("power", f64, {b.op("cos", f64, {v}), b.constant(2.0)});
        b.reduced({1});
        return b.op("equal", type_id::bool_, {b.op("add", f64, {s, c}), b.constant(1.0)});
    };
    plan_builder counted({n}), all({n});
    counted.reduce(named("count_nonzero"), identity(counted), &count, type_id::int64, {0});
    all.reduce(named("all"), identity(all), &every, type_id::bool_, {0});
    double const t = best_of(3, [&] { run(counted); }), early = best_of(5, [&] { run(all); });
    expect(count > n / 2 && count < n && !every, "sin**2 + cos**2");
    report("count(sin**2 + cos**2 == 1), 1e8", t, static_cast<double>(n) * 8, read_limit);
    std::printf("%-34s %9.3f ms\n", "all(the same), stops early", early * 1e3);
    give_back(x, n);
}

void strided() {
    std::int64_t const side = 10'000, half = side / 2;
    double* const x = fresh(side * side, 0, 1, 9);
    double sum = 0;
    plan_builder b({half, half});
    b.reduced({1, 1});
    b.reduce(named("sum"), b.op("add", f64, {b.load(x, f64, {side * 16, 16}), b.constant(1.0)}), &sum, f64, {0, 0});
    double const t = best_of(5, [&] { run(b); });
    expect(std::abs(sum / static_cast<double>(half * half) - 1.5) < 1e-3, "strided");
    report("(x + 1)[::2, ::2].sum(), 10000**2", t, static_cast<double>(half * side) * 8, read_limit);
    plan_builder c({side, side});
    std::vector<double> columns(static_cast<std::size_t>(side));
    c.reduced({1, 0});
    c.reduce(named("sum"), c.flat(x, f64), columns.data(), f64, {0, 8});
    report("x.sum(axis=0), 10000**2", best_of(3, [&] { run(c); }), static_cast<double>(side * side) * 8, read_limit);
    plan_builder r({side, side});
    r.reduced({0, 1});
    r.reduce(named("sum"), r.flat(x, f64), columns.data(), f64, {8, 0});
    report("x.sum(axis=1), 10000**2", best_of(3, [&] { run(r); }), static_cast<double>(side * side) * 8, read_limit);
    plan_builder d({side, side});
    d.reduced({1, 0});
    d.reduce(named("std"), d.flat(x, f64), columns.data(), f64, {0, 8});
    report("x.std(axis=0), 10000**2", best_of(3, [&] { run(d); }), static_cast<double>(side * side) * 8, read_limit);
    give_back(x, side * side);
}

// Price of a call by Black and Scholes: spot, strike, time; rate 2 %, volatility 30 %.
void options() {
    std::int64_t const n = 10'000'000;
    double *const s = fresh(n, 10, 50, 1), *const k = fresh(n, 10, 50, 2), *const t = fresh(n, 1, 2, 3), *const out = fresh(n, 0, 1, 4);
    plan_builder b({n});
    auto const op = [&](char const* name, std::vector<int> args) { return b.op(name, f64, std::move(args)); };
    auto const c = [&](double x) { return b.constant(x); };
    int const S = b.flat(s, f64), K = b.flat(k, f64), T = b.flat(t, f64);
    int const width = op("multiply", {c(0.3), op("sqrt", {T})});
    int const d1 = op("divide", {op("add", {op("log", {op("divide", {S, K})}), op("multiply", {c(0.065), T})}), width});
    int const d2 = op("subtract", {d1, width});
    auto const normal = [&](int d) { return op("multiply", {c(0.5), op("add", {c(1), op("erf", {op("multiply", {d, c(0.70710678118654752)})})})}); };
    int const discounted = op("multiply", {K, op("exp", {op("multiply", {c(-0.02), T})})});
    b.store_flat(op("subtract", {op("multiply", {S, normal(d1)}), op("multiply", {discounted, normal(d2)})}), out);
    double const seconds = best_of(4, [&] { run(b); });
    for (std::int64_t i = 0; i < n; i += 99991) {
        double const w = 0.3 * std::sqrt(t[i]), e1 = (std::log(s[i] / k[i]) + 0.065 * t[i]) / w, e2 = e1 - w;
        double const price = s[i] * 0.5 * std::erfc(-e1 / std::sqrt(2)) - k[i] * std::exp(-0.02 * t[i]) * 0.5 * std::erfc(-e2 / std::sqrt(2));
        expect(std::abs(price - out[i]) < 1e-10, "options");
    }
    report("Black-Scholes, 1e7", seconds, static_cast<double>(n) * 32, stream_limit);
    for (double* p : {s, k, t, out}) give_back(p, n);
}

void tiny() {
    alignas(64) double x[1024], y[1024] = {};
    for (int i = 0; i < 1024; ++i) x[i] = i;
    for (std::int64_t n : {10, 100, 1000}) {
        plan_builder b({n});
        b.store_flat(b.op("add", f64, {b.flat(x, f64), b.constant(1.0)}), y);
        plan const p = b.get();
        backend const* const cpu = cpu_backend();
        cpu::kernel const kernel = cpu::active_kernels()->op[ops::find("add")][static_cast<int>(f64)][cpu::vs];
        int const calls = 100000;
        double const one = 1;
        double const plan_time = best_of(5, [&] { for (int r = 0; r < calls; ++r) cpu->run(0, &p, nullptr); }) / calls;
        double const kernel_time = best_of(5, [&] { for (int r = 0; r < calls; ++r) kernel(y, x, &one, nullptr, static_cast<std::size_t>(n)); }) / calls;
        expect(y[n - 1] == x[n - 1] + 1, "tiny");
        std::printf("x + 1, %4lld elements               %9.1f ns, of these the kernel %.1f ns\n", static_cast<long long>(n), plan_time * 1e9, kernel_time * 1e9);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::printf("%s\n", cpu_backend()->describe(0));
    measure_limits();
    struct { char const* name; void (*measure)(); } const all[] = {{"tiny", tiny}, {"arithmetic", arithmetic}, {"sums", sums}, {"strided", strided}, {"options", options}, {"trigonometry", trigonometry}};
    for (auto const& b : all)
        if (argc < 2 || std::strstr(b.name, argv[1])) b.measure();
}

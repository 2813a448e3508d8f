// Plans without enough memory for anything but their operands: whichever request is refused, the plan reports it, and
// runs once there is memory.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <numeric>
#include <thread>

#include "backend/cpu/engine/run.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/sched/thread_pool.hpp"
#include "support/every_isa.hpp"
#include "support/plan_builder.hpp"

namespace {

constexpr std::int64_t never = -1;
thread_local std::int64_t granted = never;  // requests of this thread until one is refused
thread_local bool refused = false;

bool refuse() noexcept {
    if (granted == never || granted-- > 0) return false;
    granted = never;
    return refused = true;
}

}  // namespace

// Those of the whole test program; not inline, where the compiler would find new without its delete.
[[gnu::noinline]] void* operator new(std::size_t n, std::nothrow_t const&) noexcept {
    return refuse() ? nullptr : std::malloc(n ? n : 1);
}
[[gnu::noinline]] void* operator new(std::size_t n) {
    if (void* const p = operator new(n, std::nothrow)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
void* operator new[](std::size_t n, std::nothrow_t const&) noexcept { return operator new(n, std::nothrow); }
void* operator new[](std::size_t n) { return operator new(n); }
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
void operator delete[](void* p) noexcept { operator delete(p); }
void operator delete[](void* p, std::size_t) noexcept { operator delete(p); }
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t n) noexcept {
    static auto* const plain = reinterpret_cast<decltype(&aligned_alloc)>(dlsym(RTLD_NEXT, "aligned_alloc"));
    return refuse() ? nullptr : plain(alignment, n);
}

namespace {

using namespace bascule;
using bascule::testing::plan_builder;

constexpr auto f64 = type_id::float64;
constexpr std::int64_t rows = 300, columns = 400, n = rows * columns, piece = 4096;

// Runs a plan on threads that begin with nothing, refusing their first request, their second, ...; the last, to which
// none was refused, has run it. Returns how many were refused.
int refused_requests(plan const& p, cpu::kernel_table const& kernels) {
    for (int k = 0;; ++k) {
        status ended = status::interrupted;
        bool was_refused = false;
        std::thread([&] {
            granted = k, refused = false;
            ended = cpu::run_plan(p, kernels);
            granted = never, was_refused = refused;
        }).join();
        EXPECT_EQ(ended, was_refused ? status::out_of_memory : status::ok) << "request " << k;
        if (!was_refused || ended != status::out_of_memory) return k;
    }
}

class CpuOutOfMemory : public ::testing::Test {
protected:
    CpuOutOfMemory() {
        sched::set_thread_count(1);
        std::iota(x.begin(), x.end(), 1.0);
    }
    ~CpuOutOfMemory() override { sched::set_thread_count(threads_); }

    std::vector<double> x = std::vector<double>(n), out = std::vector<double>(n);

private:
    int const threads_ = sched::thread_count();
};

TEST_F(CpuOutOfMemory, OfElements) {
    plan_builder b({n});
    int const v = b.flat(x.data(), f64);
    b.store_flat(b.op("add", f64, {b.op("multiply", f64, {v, v}), b.constant(1.0)}), out.data());
    on_every_isa(cpu::kernels_of, [&](cpu::kernel_table const& kernels) {
        EXPECT_GT(refused_requests(b.get(), kernels), 0);
        EXPECT_EQ(out[n - 1], x[n - 1] * x[n - 1] + 1);
    });
}

TEST_F(CpuOutOfMemory, OfReductions) {
    for (auto const& reduced : {std::vector<std::uint8_t>{1, 1}, {0, 1}, {1, 0}})
        for (bool const repeated : {false, true}) {
            plan_builder b({rows, columns}, reduced);
            int const v = repeated ? b.load(x.data(), f64, {0, 0}) : b.flat(x.data(), f64);
            int const doubled = b.op("add", f64, {v, v});
            std::int64_t const down = reduced[1] ? 8 : 0, across = reduced[0] ? 8 : 0;
            b.reduce(ops::find_aggregate("sum"), doubled, out.data(), f64,
                     {reduced[0] ? 0 : down, reduced[1] ? 0 : across});
            double const wanted = repeated ? 2.0 * (reduced[0] ? rows : 1) * (reduced[1] ? columns : 1)
                                  : reduced[0] && reduced[1] ? 1.0 * n * (n + 1)
                                  : reduced[1]               ? 1.0 * columns * (columns + 1)
                                                             : rows * (2.0 + columns * (rows - 1));
            on_every_isa(cpu::kernels_of, [&](cpu::kernel_table const& kernels) {
                EXPECT_GT(refused_requests(b.get(), kernels), 0);
                EXPECT_EQ(out[0], wanted);
            });
        }
}

// The mask is computed, or one boolean for all elements; the reduced values likewise.
TEST_F(CpuOutOfMemory, OfSelections) {
    double const bound = 0.5 * n;
    for (bool const of_all : {false, true})
        for (bool const repeated : {false, true}) {
            std::vector<std::int64_t> starts((n + piece - 1) / piece + 1);
            std::vector<std::uint64_t> bits((n + 63) / 64);
            auto const selecting = [&](cpu::kernel_table const& kernels, auto const& use) {
                plan_builder b({n});
                int const v = b.flat(x.data(), f64), one = b.load(x.data(), f64, {0});
                plan_selection which{0, piece, starts.data(), bits.data()};
                which.mask = static_cast<std::uint16_t>(
                    b.op("greater", type_id::bool_, {of_all ? one : v, b.constant(of_all ? 0.0 : bound)}));
                use(b, b.op("multiply", f64, {repeated ? one : v, b.constant(2.0)}));
                plan p = b.get();
                p.selection = &which;
                EXPECT_GT(refused_requests(p, kernels), 0);
            };
            std::int64_t const first = of_all ? 0 : n / 2, count = n - first;
            on_every_isa(cpu::kernels_of, [&](cpu::kernel_table const& kernels) {
                SCOPED_TRACE(std::to_string(of_all) + std::to_string(repeated));
                selecting(kernels, [](plan_builder&, int) {});
                EXPECT_EQ(starts.back(), count);
                selecting(kernels, [&](plan_builder& b, int doubled) { b.store_flat(doubled, out.data()); });
                EXPECT_EQ(out[0], repeated ? 2.0 : 2 * x[first]);
                EXPECT_EQ(out[count - 1], repeated ? 2.0 : 2 * x[n - 1]);
                selecting(kernels, [&](plan_builder& b, int doubled) {
                    b.reduced = {1};
                    b.reduce(ops::find_aggregate("max"), doubled, out.data(), f64, {0});
                });
                EXPECT_EQ(out[0], repeated ? 2.0 : 2 * x[n - 1]);
            });
        }
}

}  // namespace

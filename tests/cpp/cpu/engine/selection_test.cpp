// Plans that see only some elements: elements found, stored and reduced are compared with elements copied one by one,
// on every instruction set and with one and two threads. Equal bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/engine/run.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/sched/thread_pool.hpp"
#include "support/every_isa.hpp"
#include "support/plan_builder.hpp"

namespace {

using namespace bascule;
using bascule::testing::plan_builder;

constexpr std::int64_t piece = 4096;
constexpr std::int64_t lengths[] = {1, 63, 64, 65, 1024, 4095, 4096, 4097, 70'001, 262'144};
constexpr double bounds[] = {-10, -1, 0, 2.5, 10};  // of normal values: all, most, half, few and none are greater

std::vector<double> normals(std::int64_t n) {
    std::mt19937_64 random(static_cast<std::uint64_t>(n));
    std::normal_distribution<double> draw;
    std::vector<double> x(static_cast<std::size_t>(n));
    for (auto& v : x) v = draw(random);
    return x;
}

constexpr auto f64 = type_id::float64;

// Of elements x: x itself, 2 x, and which of them are greater than a bound.
class some_selection {
public:
    some_selection(std::vector<double>& x, double bound)
        : n_{static_cast<std::int64_t>(x.size())}, starts(static_cast<std::size_t>((n_ + piece - 1) / piece + 1), -1),
          bits(static_cast<std::size_t>((n_ + 63) / 64), 7), x_(x), bound_(bound) {}
    void find(cpu::kernel_table const& kernels) { run(values(), kernels); }
    std::vector<double> stored(bool doubled, cpu::kernel_table const& kernels) {
        std::vector<double> out(static_cast<std::size_t>(starts.back()) + 1, -7);
        plan_builder b = values();
        b.store_flat(doubled ? twice : itself, out.data());
        run(b, kernels);
        EXPECT_EQ(out.back(), -7);
        out.pop_back();
        return out;
    }
    double reduced(int aggregate, bool doubled, cpu::kernel_table const& kernels) {
        double out = 0;
        plan_builder b = values();
        b.reduced = {1};
        b.reduce(aggregate, doubled ? twice : itself, &out, f64, {0});
        run(b, kernels);
        return out;
    }
    status two_stores(cpu::kernel_table const& kernels) {
        std::vector<double> out(2 * static_cast<std::size_t>(n_));
        plan_builder b = values();
        b.store_flat(itself, out.data());
        b.store_flat(twice, out.data() + n_);
        return result(b, kernels);
    }

private:
    static constexpr int itself = 0, twice = 3, mask = 4;
    std::int64_t n_;

public:
    std::vector<std::int64_t> starts;
    std::vector<std::uint64_t> bits;

private:
    plan_builder values() const {
        plan_builder b({n_});
        int const x = b.flat(x_.data(), f64), bound = b.constant(bound_), two = b.constant(2.0);
        EXPECT_EQ(b.op("multiply", f64, {x, two}), twice);
        EXPECT_EQ(b.op("greater", type_id::bool_, {x, bound}), mask);
        return b;
    }
    status result(plan_builder const& b, cpu::kernel_table const& kernels) {
        plan_selection const which{mask, piece, starts.data(), bits.data()};
        plan p = b.get();
        p.selection = &which;
        return cpu::run_plan(p, kernels);
    }
    void run(plan_builder const& b, cpu::kernel_table const& kernels) { ASSERT_EQ(result(b, kernels), status::ok); }

    std::vector<double>& x_;
    double bound_;
};

std::uint64_t reduced_copy(int aggregate, std::vector<double>& x, cpu::kernel_table const& kernels) {
    double out = 0;
    plan_builder b({static_cast<std::int64_t>(x.size())}, {1});
    b.reduce(aggregate, b.flat(x.data(), f64), &out, f64, {0});
    EXPECT_EQ(cpu::run_plan(b.get(), kernels), status::ok);
    return std::bit_cast<std::uint64_t>(out);
}

void check(cpu::kernel_table const& kernels, std::int64_t n, double bound) {
    auto x = normals(n);
    std::vector<double> wanted, doubled;
    std::copy_if(x.begin(), x.end(), std::back_inserter(wanted), [&](double v) { return v > bound; });
    for (double const v : wanted) doubled.push_back(2 * v);
    some_selection s(x, bound);
    s.find(kernels);
    ASSERT_EQ(s.starts.front(), 0);
    ASSERT_EQ(s.starts.back(), static_cast<std::int64_t>(wanted.size()));
    for (std::int64_t i = 0; i < n; ++i)
        ASSERT_EQ((s.bits[static_cast<std::size_t>(i / 64)] >> (i % 64) & 1) != 0,
                  x[static_cast<std::size_t>(i)] > bound);
    ASSERT_EQ(s.stored(false, kernels), wanted);
    ASSERT_EQ(s.stored(true, kernels), doubled);
    if (wanted.empty()) return;
    for (char const* name : {"sum", "mean", "var", "max", "prod"}) {
        SCOPED_TRACE(name);
        int const aggregate = ops::find_aggregate(name);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(s.reduced(aggregate, false, kernels)),
                  reduced_copy(aggregate, wanted, kernels));
        ASSERT_EQ(std::bit_cast<std::uint64_t>(s.reduced(aggregate, true, kernels)),
                  reduced_copy(aggregate, doubled, kernels));
    }
}

TEST(CpuSelection, IsFoundStoredAndReduced) {
    int const threads = sched::thread_count();
    on_every_isa(cpu::kernels_of, [](cpu::kernel_table const& kernels) {
        for (int const n_threads : {1, 2}) {
            sched::set_thread_count(n_threads);
            for (std::int64_t const n : lengths)
                for (double const bound : bounds) check(kernels, n, bound);
        }
    });
    sched::set_thread_count(threads);
}

TEST(CpuSelection, IsRefusedWhereItWouldNotBeOneStoreOrReduction) {
    auto x = normals(100);
    some_selection s(x, 0);
    EXPECT_EQ(s.two_stores(*cpu::kernels_of("baseline")), status::not_supported);
}

TEST(CpuSelection, WhatHasNoKernelIsNamed) {
    auto x = normals(100);
    std::vector<std::int64_t> starts{0, 0};
    std::vector<std::uint64_t> bits(2);
    double out = 0;
    auto const refused = [&](auto&& ends) {
        plan_builder of({100}, {1});
        int const bad = of.op("invert", f64, {of.flat(x.data(), f64)});
        plan_selection const which{static_cast<std::uint16_t>(bad), piece, starts.data(), bits.data()};
        ends(of, bad);
        cpu::set_last_error("an older one");
        plan p = of.get();
        p.selection = &which;
        EXPECT_EQ(cpu::run_plan(p, *cpu::kernels_of("baseline")), status::not_supported);
        EXPECT_NE(std::string_view(cpu::last_error_text()).find("[cpu] value 1 "), std::string_view::npos)
            << cpu::last_error_text();
    };
    refused([](plan_builder&, int) {});
    refused([&](plan_builder& of, int bad) { of.store_flat(bad, x.data()); });
    refused([&](plan_builder& of, int bad) { of.reduce(ops::find_aggregate("sum"), bad, &out, f64, {0}); });
}

}  // namespace

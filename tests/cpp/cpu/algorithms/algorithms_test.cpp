// The CPU's algorithms against plain loops over the iteration space.
#include "backend/cpu/algorithms/algorithms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bascule/ops/table.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace {

using namespace bascule;
using extents = std::vector<std::int64_t>;

// The second run of every test has several threads, on every machine.
struct cpu_algorithms : testing::TestWithParam<int> {
    int const before = sched::thread_count();
    std::mt19937_64 random{11};
    void SetUp() override { sched::set_thread_count(GetParam()); }
    void TearDown() override { sched::set_thread_count(before); }
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); }
};
INSTANTIATE_TEST_SUITE_P(threads, cpu_algorithms, testing::Values(1, 4),
                         [](auto const& info) { return std::to_string(info.param); });

// Memory laid over a shape: the elements in C order, every `gap`-th position of a buffer, reversed in the given
// dimensions.
struct packed_operands {
    std::vector<unsigned char> memory;
    extents shape, strides;
    unsigned char* base = nullptr;
    packed_operands(extents s, std::int64_t item, std::int64_t gap = 1, unsigned reversed = 0, bool fortran = false)
        : shape(std::move(s)), strides(shape.size()) {
        std::int64_t bytes = item * gap;
        std::size_t const n = shape.size();
        for (std::size_t i = 0; i < n; ++i) {
            std::size_t const d = fortran ? i : n - 1 - i;
            strides[d] = bytes;
            bytes *= std::max<std::int64_t>(shape[d], 1);
        }
        memory.assign(static_cast<std::size_t>(bytes) + 64, 0xee);
        base = memory.data();
        for (std::size_t d = 0; d < n; ++d)
            if (reversed >> d & 1 && shape[d] > 0) base += (shape[d] - 1) * strides[d], strides[d] = -strides[d];
    }
    plan_operand operand(type_id t) { return {base, strides.data(), t}; }
};

std::int64_t product(extents const& s) {
    std::int64_t n = 1;
    for (auto v : s) n *= v;
    return n;
}
extents index_of(extents const& shape, std::int64_t position) {
    extents at(shape.size());
    for (std::size_t d = shape.size(); d-- > 0; position /= shape[d]) at[d] = position % shape[d];
    return at;
}
unsigned char* place(unsigned char* base, extents const& strides, extents const& at) {
    for (std::size_t d = 0; d < at.size(); ++d) base += strides[d] * at[d];
    return base;
}
unsigned char* place(packed_operands& a, extents const& at) { return place(a.base, a.strides, at); }

struct layout {
    std::int64_t gap;
    unsigned reversed;
    bool fortran;
};
std::vector<layout> const layouts{{1, 0, false}, {2, 0, false}, {1, 1, false}, {1, 2, false},
                                  {3, 3, false}, {1, 0, true},  {2, 2, true}};
std::vector<extents> const shapes{{},       {0},    {1},    {7},    {63},       {64},       {65},      {1000},
                                  {100003}, {3, 5}, {1, 9}, {5, 0}, {400, 300}, {70000, 3}, {3, 4, 5}, {2, 1, 70, 600}};

// Large shapes are for parallel code; the small ones see every layout and item size.
bool too_much(extents const& shape, layout const& l, std::int32_t item = 8) {
    return product(shape) > 5000 &&
           (item != 8 || l.gap == 3 || (l.gap == 1 && l.reversed == 1) || (l.gap == 2 && !l.fortran));
}

// ---- gather and scatter: one axis of a vector, and two axes of a matrix
struct indexed {
    packed_operands base, other;
    std::vector<packed_operands> index;
    extents base_strides, step, size;
    std::vector<std::int32_t> axis;
    std::vector<plan_operand> operands;
    gather_args args;
};

void link(indexed& c, extents const& shape, std::int32_t item) {
    for (auto& i : c.index) c.operands.push_back(i.operand(type_id::int64));
    c.args.ndim = static_cast<std::int32_t>(shape.size());
    c.args.shape = c.other.shape.data();
    c.args.base = c.base.base;
    c.args.base_strides = c.base_strides.data();
    c.args.nindex = static_cast<std::int32_t>(c.index.size());
    c.args.index = c.operands.data();
    c.args.index_step = c.step.data();
    c.args.index_size = c.size.data();
    c.args.index_axis = c.axis.data();
    c.args.other = c.other.operand(type_id::uint8);
    c.args.itemsize = item;
}
unsigned char* aimed_at(indexed& c, extents const& at) {
    unsigned char* p = place(c.base.base, c.base_strides, at);
    for (std::size_t k = 0; k < c.index.size(); ++k) {
        std::int64_t i;
        std::memcpy(&i, place(c.index[k], at), 8);
        p += (i < 0 ? i + c.size[k] : i) * c.step[k];
    }
    return p;
}
void fill_random(std::vector<unsigned char>& memory, std::mt19937_64& random) {
    for (auto& b : memory) b = static_cast<unsigned char>(random());
}
std::unique_ptr<indexed> make_indexed(cpu_algorithms& t, extents const& shape, layout l, std::int32_t item,
                                      std::vector<std::int64_t> axes) {
    auto c = std::unique_ptr<indexed>(new indexed{packed_operands(axes, item, l.gap, l.reversed),
                                                  packed_operands(shape, item, l.gap, l.reversed, l.fortran),
                                                  {},
                                                  extents(shape.size()),
                                                  {},
                                                  {},
                                                  {},
                                                  {},
                                                  {}});
    for (std::size_t k = 0; k < axes.size(); ++k) {
        c->index.emplace_back(shape, 8, l.gap, l.reversed, l.fortran);
        if (k == 1 && !shape.empty()) c->index[k].strides.back() = 0;  // broadcast along the last dimension
        for (std::int64_t p = 0; p < product(shape); ++p) {
            std::int64_t const i = t.below(2 * axes[k]) - axes[k];
            std::memcpy(place(c->index[k], index_of(shape, p)), &i, 8);
        }
        c->step.push_back(c->base.strides[k]);
        c->size.push_back(axes[k]);
        c->axis.push_back(static_cast<std::int32_t>(k));
    }
    fill_random(c->base.memory, t.random);
    fill_random(c->other.memory, t.random);
    link(*c, shape, item);
    return c;
}

TEST_P(cpu_algorithms, gather_and_scatter_equal_a_plain_loop) {
    for (extents const& shape : shapes)
        for (layout const l : layouts)
            for (auto const& axes : std::vector<extents>{{97}, {11, 13}})
                for (std::int32_t const item : {1, 2, 4, 8, 12, 16}) {
                    if (too_much(shape, l, item)) continue;
                    auto c = make_indexed(*this, shape, l, item, axes);
                    ASSERT_EQ(cpu::gather(c->args), status::ok);
                    for (std::int64_t p = 0; p < product(shape); ++p) {
                        auto const at = index_of(shape, p);
                        ASSERT_EQ(std::memcmp(place(c->other, at), aimed_at(*c, at), static_cast<std::size_t>(item)),
                                  0);
                    }
                    fill_random(c->other.memory, random);
                    auto const before = c->base.memory;
                    ASSERT_EQ(cpu::scatter(c->args), status::ok);
                    auto const written = c->base.memory;
                    c->base.memory = before;  // same size: the base stays where it is
                    for (std::int64_t p = 0; p < product(shape); ++p) {
                        auto const at = index_of(shape, p);
                        std::memcpy(aimed_at(*c, at), place(c->other, at), static_cast<std::size_t>(item));
                    }
                    ASSERT_EQ(written, c->base.memory);
                }
}

TEST_P(cpu_algorithms, rows_are_taken_and_put_whole) {
    std::int64_t const rows = 5000, width = 40;
    std::vector<double> table(static_cast<std::size_t>(100 * width)), out(static_cast<std::size_t>(rows * width));
    std::vector<std::int64_t> which(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<double>(i);
    for (auto& w : which) w = below(200) - 100;
    extents const shape{rows, width}, base_strides{0, 8}, other_strides{width * 8, 8}, index_strides{8, 0},
        step{width * 8}, size{100};
    std::int32_t const axis = 0;
    plan_operand const index{which.data(), index_strides.data(), type_id::int64};
    gather_args a;
    a.ndim = 2, a.shape = shape.data(), a.base = table.data(), a.base_strides = base_strides.data();
    a.nindex = 1, a.index = &index, a.index_step = step.data(), a.index_size = size.data(), a.index_axis = &axis;
    a.other = {out.data(), other_strides.data(), type_id::float64}, a.itemsize = 8;
    ASSERT_EQ(cpu::gather(a), status::ok);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t j = 0; j < width; ++j) {
            auto const w = which[static_cast<std::size_t>(r)];
            ASSERT_EQ(out[static_cast<std::size_t>(r * width + j)],
                      static_cast<double>((w < 0 ? w + 100 : w) * width + j));
        }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(i) + .5;
    auto expected = table;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t j = 0; j < width; ++j) {
            auto const w = which[static_cast<std::size_t>(r)];
            expected[static_cast<std::size_t>((w < 0 ? w + 100 : w) * width + j)] =
                out[static_cast<std::size_t>(r * width + j)];
        }
    ASSERT_EQ(cpu::scatter(a), status::ok);
    EXPECT_EQ(table, expected);
}

// A gather's output is new memory, which is dropped when it fails.
TEST_P(cpu_algorithms, a_bad_index_is_reported_and_nothing_is_scattered) {
    for (std::int64_t const n : {std::int64_t{10}, std::int64_t{200000}})
        for (std::int64_t const bad :
             {std::int64_t{97}, std::int64_t{-98}, std::int64_t{1} << 62, INT64_MIN, INT64_MAX}) {
            auto c = make_indexed(*this, {n}, layouts[0], 8, {97});
            std::int64_t const later = 500;
            std::memcpy(place(c->index[0], {n - 4}), &bad, 8);
            std::memcpy(place(c->index[0], {n - 1}), &later, 8);
            auto const base = c->base.memory, other = c->other.memory;
            for (auto* f : {cpu::scatter, cpu::gather}) {
                c->args.bad_value = c->args.bad_size = c->args.bad_axis = 0;
                c->axis[0] = 3;
                EXPECT_EQ(f(c->args), status::index_error);
                EXPECT_EQ(c->args.bad_value, bad);
                EXPECT_EQ(c->args.bad_axis, 3);
                EXPECT_EQ(c->args.bad_size, 97);
                EXPECT_EQ(c->base.memory, base);
                EXPECT_TRUE(f == cpu::gather || c->other.memory == other);
            }
        }
}

TEST_P(cpu_algorithms, the_last_of_equal_indices_wins) {
    std::int64_t const n = 300000;
    auto c = make_indexed(*this, {n}, layouts[0], 8, {5});
    std::vector<std::int64_t> last(5, -1);
    for (std::int64_t p = 0; p < n; ++p) {
        std::memcpy(place(c->other, {p}), &p, 8);
        std::int64_t i;
        std::memcpy(&i, place(c->index[0], {p}), 8);
        last[static_cast<std::size_t>(i < 0 ? i + 5 : i)] = p;
    }
    ASSERT_EQ(cpu::scatter(c->args), status::ok);
    EXPECT_EQ(std::memcmp(c->base.base, last.data(), 40), 0);
}

// ---- masks
void fill_mask(packed_operands& mask, std::mt19937_64& random, int percent) {
    for (std::int64_t p = 0; p < product(mask.shape); ++p) {
        bool const wanted = static_cast<int>(random() % 100) < percent;
        *place(mask, index_of(mask.shape, p)) = wanted ? static_cast<unsigned char>(1u << random() % 8) : 0;
    }
}

TEST_P(cpu_algorithms, compress_takes_true_elements_in_c_order) {
    for (extents const& shape : shapes)
        for (layout const l : layouts)
            for (int const percent : {0, 5, 50, 100})
                for (std::int32_t const item : {1, 2, 4, 8, 12, 16}) {
                    if (too_much(shape, l, item)) continue;
                    packed_operands mask(shape, 1, l.gap, l.reversed), data(shape, item, l.gap, l.reversed, l.fortran);
                    fill_mask(mask, random, percent);
                    fill_random(data.memory, random);
                    std::vector<unsigned char> expected;
                    for (std::int64_t p = 0; p < product(shape); ++p) {
                        auto const at = index_of(shape, p);
                        if (*place(mask, at) != 0)
                            expected.insert(expected.end(), place(data, at), place(data, at) + item);
                    }
                    compress_args a;
                    a.ndim = static_cast<std::int32_t>(shape.size()), a.shape = shape.data();
                    a.mask = mask.operand(type_id::bool_), a.data = data.operand(type_id::uint8), a.itemsize = item;
                    ASSERT_EQ(cpu::compress(a), status::ok);
                    ASSERT_EQ(a.count * item, static_cast<std::int64_t>(expected.size()));
                    std::vector<unsigned char> out(expected.size() + 64, 0xcd);
                    a.out = out.data();
                    ASSERT_EQ(cpu::compress(a), status::ok);
                    expected.resize(out.size(), 0xcd);  // nothing may be written behind the result
                    ASSERT_EQ(out, expected);
                }
}

TEST_P(cpu_algorithms, nonzero_lists_true_positions_in_c_order) {
    for (extents const& shape : shapes) {
        if (shape.empty()) continue;
        for (layout const l : layouts)
            for (int const percent : {0, 5, 50, 100}) {
                if (too_much(shape, l)) continue;
                packed_operands mask(shape, 1, l.gap, l.reversed, l.fortran);
                fill_mask(mask, random, percent);
                std::vector<extents> expected;
                for (std::int64_t p = 0; p < product(shape); ++p)
                    if (auto const at = index_of(shape, p); *place(mask, at) != 0) expected.push_back(at);
                nonzero_args a;
                a.ndim = static_cast<std::int32_t>(shape.size()), a.shape = shape.data(),
                a.mask = mask.operand(type_id::bool_);
                ASSERT_EQ(cpu::nonzero(a), status::ok);
                ASSERT_EQ(a.count, static_cast<std::int64_t>(expected.size()));
                a.out_stride = a.count + 3;
                std::vector<std::int64_t> out(shape.size() * static_cast<std::size_t>(a.out_stride), -7);
                a.out = out.data();
                ASSERT_EQ(cpu::nonzero(a), status::ok);
                for (std::size_t d = 0; d < shape.size(); ++d)
                    for (std::int64_t j = 0; j < a.out_stride; ++j) {
                        std::int64_t const want = j < a.count ? expected[static_cast<std::size_t>(j)][d] : -7;
                        ASSERT_EQ(out[d * static_cast<std::size_t>(a.out_stride) + static_cast<std::size_t>(j)], want);
                    }
            }
    }
}

// ---- scan
template <class T, class F> void expect_scan(std::mt19937_64& random, char const* name, F combine) {
    for (extents const& shape : shapes)
        for (layout const l : layouts) {
            if (too_much(shape, l)) continue;
            packed_operands in(shape, sizeof(T), l.gap, l.reversed, l.fortran),
                out(shape, sizeof(T), l.gap, l.reversed, l.fortran);
            std::vector<T> expected(static_cast<std::size_t>(product(shape)));
            for (std::int64_t p = 0; p < product(shape); ++p) {
                T x = static_cast<T>(static_cast<T>(random() % 19) / static_cast<T>(3)) - static_cast<T>(2);
                if (std::is_floating_point_v<T> && random() % 400 == 0) x = std::numeric_limits<T>::quiet_NaN();
                auto const at = index_of(shape, p);
                std::memcpy(place(in, at), &x, sizeof x);
                bool const first = at.empty() || at.back() == 0;
                expected[static_cast<std::size_t>(p)] = first ? x
                                                              : combine(expected[static_cast<std::size_t>(p - 1)], x);
            }
            scan_args a;
            a.ndim = static_cast<std::int32_t>(shape.size()), a.shape = shape.data();
            a.op = static_cast<std::uint16_t>(ops::find(name)), a.in = in.operand(id_of<T>::value),
            a.out = out.operand(id_of<T>::value);
            ASSERT_EQ(cpu::scan(a), status::ok) << name;
            for (std::int64_t p = 0; p < product(shape); ++p) {
                T got;
                std::memcpy(&got, place(out, index_of(shape, p)), sizeof got);
                T const want = expected[static_cast<std::size_t>(p)];
                ASSERT_TRUE(got == want || (got != got && want != want))
                    << name << " at " << p << ": " << got << ", expected " << want;
            }
        }
}

TEST_P(cpu_algorithms, scan_combines_one_by_one_in_order) {
    expect_scan<double>(random, "add", [](double a, double b) { return a + b; });
    expect_scan<float>(random, "multiply", [](float a, float b) { return a * b; });
    expect_scan<std::int64_t>(random, "add", [](std::int64_t a, std::int64_t b) { return a + b; });
    expect_scan<double>(random, "minimum", [](double a, double b) { return a != a ? a : b != b ? b : b < a ? b : a; });
    expect_scan<double>(random, "fmax", [](double a, double b) { return a != a ? b : b != b ? a : a < b ? b : a; });
    expect_scan<std::int32_t>(random, "bitwise_xor", [](std::int32_t a, std::int32_t b) { return a ^ b; });
}

TEST_P(cpu_algorithms, scan_runs_ops_that_have_only_an_elementwise_kernel) {
    expect_scan<double>(random, "subtract", [](double a, double b) { return a - b; });
    expect_scan<std::int64_t>(random, "subtract", [](std::int64_t a, std::int64_t b) { return a - b; });
}

TEST_P(cpu_algorithms, scan_may_work_in_place) {
    extents const shape{3, 200};
    packed_operands a(shape, 8);
    for (std::int64_t p = 0; p < 600; ++p) std::memcpy(a.base + 8 * p, &p, 8);
    scan_args s;
    s.ndim = 2, s.shape = shape.data(), s.op = static_cast<std::uint16_t>(ops::find("add")),
    s.in = s.out = a.operand(type_id::int64);
    ASSERT_EQ(cpu::scan(s), status::ok);
    std::int64_t last;
    std::memcpy(&last, a.base + 8 * 199, 8);
    EXPECT_EQ(last, 199 * 200 / 2);
}

TEST_P(cpu_algorithms, scan_rounds_half_precision_at_every_step) {
    extents const shape{3000};
    packed_operands in(shape, 2), out(shape, 2);
    std::uint16_t const one = 0x3c00;
    for (std::int64_t p = 0; p < 3000; ++p) std::memcpy(in.base + 2 * p, &one, 2);
    scan_args s;
    s.ndim = 1, s.shape = shape.data(), s.op = static_cast<std::uint16_t>(ops::find("add")),
    s.in = in.operand(type_id::float16), s.out = out.operand(type_id::float16);
    ASSERT_EQ(cpu::scan(s), status::ok);
    std::uint16_t last;
    std::memcpy(&last, out.base + 2 * 2999, 2);
    EXPECT_EQ(last, 0x6800);  // 2048: adding 1 to it rounds back to it
}

TEST_P(cpu_algorithms, scan_refuses_what_it_cannot_reduce) {
    extents const shape{4}, strides{8};
    double x[4] = {1, 2, 3, 4};
    scan_args s;
    s.ndim = 1, s.shape = shape.data(), s.in = s.out = {x, strides.data(), type_id::float64};
    for (char const* name : {"negative", "less", "bitwise_and"}) {
        s.op = static_cast<std::uint16_t>(ops::find(name));
        EXPECT_EQ(cpu::scan(s), status::not_supported) << name;
    }
    s.op = 65000;
    EXPECT_EQ(cpu::scan(s), status::not_supported);
}

}  // namespace

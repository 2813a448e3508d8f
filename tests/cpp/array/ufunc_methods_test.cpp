// reduce, accumulate, reduceat and at of binary ops against the reference device and plain loops.

#include <cmath>
#include <string_view>

#include "arrays.hpp"

namespace bascule::testing {
namespace {

constexpr char const* names[] = {"add",   "subtract", "multiply", "divide",     "minimum",
                                 "hypot", "fmax",     "power",    "logical_xor"};

reduce_options over(std::uint64_t axes, bool keep = false) {
    reduce_options o;
    o.axes = axes, o.keepdims = keep;
    return o;
}

std::vector<double> small(std::int64_t n, unsigned seed = 1) {
    auto v = numbers(n, seed);
    for (auto& x : v) x = 1 + std::abs(x) / 200;
    return v;
}

TEST(ufunc_methods, reductions_equal_the_reference_devices) {
    for (char const* name : names)
        for (std::uint64_t axes : {1, 2, 4}) {
            auto const f = [&](device d) { return reduce(op(name), make(d, small(5 * 6 * 7), {5, 6, 7}), over(axes)); };
            EXPECT_EQ(bytes_of(f(cpu())), bytes_of(f(reference()))) << name << " over " << axes;
        }
}

TEST(ufunc_methods, segments_are_reductions_of_slices) {
    std::vector<std::int64_t> const starts{0, 5, 2, 2, 30, 7};
    for (char const* name : names) {
        array const a = make(cpu(), small(40));
        auto const got = bytes_of(reduceat(op(name), a, starts, 0));
        std::size_t const size = got.size() / starts.size();
        for (std::size_t i = 0; i < starts.size(); ++i) {
            std::int64_t const end = i + 1 < starts.size() ? starts[i + 1] : 40;
            array const part = sliced(a, starts[i], std::max<std::int64_t>(end - starts[i], 1));
            array const running = accumulate(op(name), part, 0);
            auto const all = bytes_of(running);
            std::vector<std::byte> const last(all.end() - static_cast<std::ptrdiff_t>(size), all.end());
            std::vector<std::byte> const mine(got.begin() + static_cast<std::ptrdiff_t>(i * size),
                                              got.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
            EXPECT_TRUE(std::string_view(name) == "add" || mine == last) << name << " segment " << i;
        }
    }
}

TEST(ufunc_methods, positions_out_of_range_are_refused) {
    array const a = make(cpu(), small(4));
    std::vector<std::int64_t> const bad{0, 4};
    EXPECT_THROW(reduceat(op("add"), a, bad, 0), index_error);
    EXPECT_THROW(reduce(op("subtract"), make(cpu(), small(4), {2, 2}), over(3)), value_error);
    EXPECT_THROW(reduce(op("equal"), a, over(1)), type_error);
}

TEST(ufunc_methods, at_goes_through_repeated_positions_in_order) {
    for (char const* name : {"subtract", "divide", "hypot", "maximum"}) {
        std::vector<std::int64_t> where;
        std::mt19937 generator(3);
        for (int i = 0; i < 400; ++i) where.push_back(static_cast<std::int64_t>(generator() % 5));
        for (int i = 0; i < 50; ++i) where.push_back(5 + i);
        auto const start = small(60, 2), by = small(450, 4);
        array const target = make(cpu(), start), values_ = make(cpu(), by);
        apply_at(op(name), target, make(cpu(), where), &values_);
        std::vector<double> want = start;
        for (std::size_t i = 0; i < where.size(); ++i) {
            auto& x = want[static_cast<std::size_t>(where[i])];
            x = values<double>(apply(name, make(cpu(), std::vector{x}), make(cpu(), std::vector{by[i]})))[0];
        }
        EXPECT_EQ(values<double>(target), want) << name;
    }
}

}  // namespace
}  // namespace bascule::testing

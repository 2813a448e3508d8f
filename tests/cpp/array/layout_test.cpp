// Shapes and strides, against values NumPy gives.
#include "arrays.hpp"

#include "bascule/array/overlap.hpp"

namespace bascule::testing {
namespace {

dims d(std::initializer_list<std::int64_t> v) { return v; }

TEST(layout, shapes_broadcast_from_the_right) {
    dims const a = d({3, 1, 5}), b = d({4, 1});
    dims const* shapes[] = {&a, &b};
    EXPECT_EQ(broadcast_shapes(shapes), d({3, 4, 5}));
    dims const empty = d({0}), one = d({1});
    dims const* with_empty[] = {&empty, &one};
    EXPECT_EQ(broadcast_shapes(with_empty), d({0}));
}

TEST(layout, shapes_that_do_not_fit_are_named) {
    dims const a = d({3}), b = d({2, 4});
    dims const* shapes[] = {&a, &b};
    EXPECT_EQ(text_of<value_error>([&] { broadcast_shapes(shapes); }),
              "operands could not be broadcast together with shapes (3,) (2,4) ");
}

TEST(layout, broadcast_axes_have_stride_zero) {
    EXPECT_EQ(broadcast_strides(d({3, 1}), d({8, 8}), d({2, 3, 4})), d({0, 8, 0}));
    EXPECT_EQ(broadcast_strides(d({1}), d({8}), d({1})), d({8}));
}

TEST(layout, contiguous_strides_in_both_orders) {
    EXPECT_EQ(contiguous_strides(d({2, 3, 4}), 8), d({96, 32, 8}));
    EXPECT_EQ(contiguous_strides(d({2, 3, 4}), 8, true), d({8, 16, 48}));
}

TEST(layout, reshape_of_a_view_stays_a_view_where_numpys_does) {
    array const a = make(cpu(), counted(24), {2, 3, 4});
    auto const flat = reshape_view(a, d({24}));
    ASSERT_TRUE(flat);
    EXPECT_EQ(flat->strides, d({8}));
    array const t = transposed(a);  // (4,3,2)
    EXPECT_FALSE(reshape_view(t, d({24})));
    ASSERT_TRUE(reshape_view(t, d({24}), true));
    array const half = sliced(make(cpu(), counted(24), {6, 4}), 0, 3, 2);
    auto const split = reshape_view(half, d({3, 2, 2}));
    ASSERT_TRUE(split);
    EXPECT_EQ(split->strides, d({64, 16, 8}));
    EXPECT_FALSE(reshape_view(half, d({12})));
    EXPECT_EQ(values<double>(reshape_view_or_copy(half, d({12}))),
              (std::vector<double>{0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19}));
}

TEST(layout, results_lie_in_memory_as_their_operands_do) {
    array const c = make(cpu(), counted(6), {2, 3}), f = transposed(make(cpu(), counted(6), {3, 2}));
    EXPECT_EQ(apply("negative", f).strides, d({8, 16}));
    EXPECT_EQ(apply("add", f, f).strides, d({8, 16}));
    EXPECT_EQ(apply("add", c, f).strides, d({24, 8}));
    EXPECT_EQ(copy(f, 'C').strides, d({24, 8}));
    EXPECT_EQ(copy(c, 'F').strides, d({8, 16}));
}

TEST(layout, extent_covers_negative_strides) {
    EXPECT_EQ(extent(d({3}), d({-8}), 16, 8), (std::pair<std::int64_t, std::int64_t>{0, 24}));
    EXPECT_EQ(extent(d({0}), d({8}), 16, 8), (std::pair<std::int64_t, std::int64_t>{16, 16}));
}

TEST(overlap, interleaved_views_share_nothing) {
    dims const n = d({10}), two = d({16});
    EXPECT_FALSE(overlap::may_share({0, n, two, 8}, {8, n, two, 8}));
    EXPECT_TRUE(overlap::may_share({0, n, two, 8}, {16, n, two, 8}));
    EXPECT_TRUE(overlap::may_share({0, n, two, 8}, {4, n, two, 8}));
}

TEST(overlap, distant_views_share_nothing) {
    dims const n = d({10}), one = d({8});
    EXPECT_FALSE(overlap::may_share({0, n, one, 8}, {80, n, one, 8}));
    EXPECT_TRUE(overlap::may_share({0, n, one, 8}, {72, n, one, 8}));
}

// Never "no" where two sets of bytes overlap: every small pair of layouts, against the sets themselves.
TEST(overlap, a_no_is_always_true) {
    std::mt19937 generator(3);
    auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); };
    auto touched = [](std::int64_t offset, dims const& n, dims const& s, int size) {
        std::vector<bool> t(600);
        for (std::int64_t i = 0; i < n[0]; ++i)
            for (std::int64_t j = 0; j < n[1]; ++j)
                for (int b = 0; b < size; ++b) t[static_cast<std::size_t>(offset + i * s[0] + j * s[1] + b)] = true;
        return t;
    };
    int apart = 0;
    for (int round = 0; round < 2000; ++round) {
        dims const n = d({pick(1, 4), pick(1, 4)}), m = d({pick(1, 4), pick(1, 4)});
        dims const s = d({pick(-20, 20), pick(-20, 20)}), r = d({pick(-20, 20), pick(-20, 20)});
        std::int64_t const x = pick(200, 300), y = pick(200, 300);
        int const size = pick(1, 8), other = pick(1, 8);
        auto const a = touched(x, n, s, size), b = touched(y, m, r, other);
        bool meets = false;
        for (std::size_t i = 0; i < a.size(); ++i) meets = meets || (a[i] && b[i]);
        bool const reported = overlap::may_share({x, n, s, size}, {y, m, r, other});
        EXPECT_TRUE(reported || !meets) << "round " << round;
        apart += !reported;
    }
    EXPECT_GT(apart, 100);  // and it does say "no"
}

TEST(overlap, a_layout_that_repeats_elements_overlaps_itself) {
    EXPECT_TRUE(overlap::overlaps_itself({0, d({3}), d({0}), 8}));
    EXPECT_TRUE(overlap::overlaps_itself({0, d({3, 3}), d({8, 8}), 8}));
    EXPECT_FALSE(overlap::overlaps_itself({0, d({3, 3}), d({24, 8}), 8}));
    EXPECT_FALSE(overlap::overlaps_itself({0, d({1}), d({0}), 8}));
}

}  // namespace
}  // namespace bascule::testing

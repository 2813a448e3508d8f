// The same calls on the CPU and on the reference device, fused and not: equal bytes.
#include "arrays.hpp"

namespace bascule::testing {
namespace {

// Runs `f(device)` on all devices and compares the results.
template <class F> void expect_equal_everywhere(F&& f) {
    auto const expected = bytes_of(f(reference()));
    EXPECT_TRUE(bytes_of(f(cpu())) == expected) << "fused";
    with_setting<bool> const off(settings().fusion, false);
    EXPECT_TRUE(bytes_of(f(cpu())) == expected) << "one by one";
}

aggregation_options over(std::uint64_t axes, bool keep = false) {
    aggregation_options o;
    o.axes = axes, o.keepdims = keep;
    return o;
}

TEST(equality, chains_over_views) {
    for (std::int64_t n : {10, 200})
        expect_equal_everywhere([n](device d) {
            array const a = make(d, numbers(n * n), {n, n}), b = make(d, numbers(n, 2));
            array const x = apply("subtract", apply("multiply", transposed(a), b), a);
            return apply("sqrt", apply("absolute", sliced(apply("add", x, 0.5), 1, n / 2, 2)));
        });
}

TEST(equality, views_of_pending_arrays) {
    expect_equal_everywhere([](device d) {
        array const a = apply("add", make(d, numbers(120 * 120), {120, 120}), 1.0);
        array const reshaped = reshape_view_or_copy(a, {60, 240});
        return apply("multiply", sliced(reshaped, 59, 60, -1),
                     sliced(reshape_view_or_copy(transposed(a), {60, 240}), 0, 60));
    });
}

TEST(equality, sums_over_every_set_of_axes) {
    for (char const* name : {"sum", "prod", "min", "max", "mean", "var", "std", "any", "all"})
        for (std::uint64_t axes = 1; axes < 8; ++axes)
            expect_equal_everywhere([=](device d) {
                array const a = make(d, numbers(20 * 30 * 40), {20, 30, 40});
                return reduce_with(name, apply("multiply", a, 0.01), over(axes, axes % 2 == 0));
            });
}

TEST(equality, sums_of_transposed_and_strided_chains) {
    expect_equal_everywhere([](device d) {
        array const a = make(d, numbers(100 * 130), {100, 130});
        return reduce_with("sum", sliced(transposed(apply("exp", apply("multiply", a, 0.01))), 0, 65, 2), over(1));
    });
}

TEST(equality, a_reduction_with_an_epilogue) {
    expect_equal_everywhere([](device d) {
        array const a = make(d, numbers(150 * 100), {150, 100});
        array const mean = reduce_with("mean", a, over(2, true));
        return apply("divide", apply("subtract", a, mean), apply("add", reduce_with("std", a, over(2, true)), 1.0));
    });
}

TEST(equality, integers_and_casts) {
    expect_equal_everywhere([](device d) {
        array const i = astype(make(d, numbers(10000)), make_dtype(type_id::int32));
        array const f = astype(i, make_dtype(type_id::float16));
        return reduce_with("sum", apply("add", apply("multiply", i, i), f));
    });
}

TEST(equality, accumulate_along_an_axis) {
    for (int axis : {0, 1})
        expect_equal_everywhere([axis](device d) {
            return accumulate(op("add"), apply("add", make(d, numbers(100 * 70), {100, 70}), 1.0), axis);
        });
}

TEST(equality, ranges_and_random_numbers) {
    expect_equal_everywhere([](device d) {
        array const x = arange(d, make_dtype(type_id::float64), 9000, constant(1), constant(0.25));
        return apply("add", x, transposed(reshape_view_or_copy(x, {90, 100})).shape[0] == 100 ? apply("sqrt", x) : x);
    });
}

TEST(equality, select_by_a_pending_mask) {
    expect_equal_everywhere([](device d) {
        array const a = make(d, numbers(9000));
        array const positive = apply("greater", a, 0.0);
        array const picked = get_item(a, std::vector{at(positive)});
        set_item(a, std::vector{at(positive)}, scalar(-1.0));
        return apply("add", reduce_with("sum", picked), a);
    });
}

TEST(equality, whole_writes_and_readers) {
    expect_equal_everywhere([](device d) {
        array const a = make(d, numbers(9000)), b = make(d, numbers(9000, 5));
        array const reader = apply("multiply", a, b);
        for (int i = 0; i < 5; ++i) assign(a, apply("add", apply("multiply", a, 0.5), b));
        assign(sliced(a, 1, 8999),
               apply("add", sliced(a, 0, 8999), reader.memory() ? sliced(reader, 1, 8999) : reader));
        return apply("add", a, reader);
    });
}

TEST(reduction_, where_and_initial) {
    for (std::int64_t n : {100, 9000}) {
        array const a = make(cpu(), counted(n));
        array const even = apply("equal", apply("remainder", a, 2.0), 0.0);
        argument const start = scalar(1000.0);
        aggregation_options o;
        o.where = &even;
        o.initial = &start;
        double const half = static_cast<double>(n / 2);
        EXPECT_EQ(values<double>(reduce_with("sum", a, o))[0], 1000 + half * (half - 1));
    }
}

TEST(reduction_, an_empty_reduction_has_its_identity_or_raises) {
    array const none = make<double>(cpu(), {}, {0, 3});
    EXPECT_EQ(values<double>(reduce_with("sum", none, over(1))), (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(values<double>(reduce_with("prod", none, over(1))), (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(text_of<value_error>([&] { reduce_with("max", none, over(1)); }),
              "zero-size array to reduction operation maximum which has no identity");
    EXPECT_EQ(reduce_with("max", none, over(2)).shape, dims{0});
}

TEST(indexing_, integer_arrays_read_and_write_as_numpy) {
    for (char const* name : {"cpu", "reference"}) {
        device const d = find_device(name);
        array const a = make(d, counted(20), {4, 5});
        array const rows = make<std::int64_t>(d, {3, 0, -1}), columns = make<std::int64_t>(d, {1, 2, 3});
        EXPECT_EQ(values<double>(get_item(a, std::vector{at(rows), at(columns)})), (std::vector<double>{16, 2, 18}));
        array const wide = get_item(a, std::vector{all(), at(columns)});
        EXPECT_EQ(wide.shape, (dims{4, 3}));
        EXPECT_EQ(values<double>(wide)[3], 6);
        array const ten = make<double>(d, {10, 20, 30});
        set_item(a, std::vector{at(rows), at(0)}, argument{&ten});
        EXPECT_EQ(values<double>(get_item(a, std::vector{all(), at(0)})), (std::vector<double>{20, 5, 10, 30}))
            << "the last of two writes to row 3 wins";
    }
}

TEST(indexing_, an_index_out_of_bounds_names_axis_and_size_and_writes_nothing) {
    array const a = make(cpu(), counted(20), {4, 5});
    array const bad = make<std::int64_t>(cpu(), {0, 5});
    EXPECT_EQ(text_of<index_error>([&] {
                  get_item(a, std::vector{all(), at(bad)});
              }),
              "index 5 is out of bounds for axis 1 with size 5");
    EXPECT_THROW(set_item(a, std::vector{all(), at(bad)}, scalar(9.0)), index_error);
    EXPECT_EQ(values<double>(a), counted(20));
    EXPECT_EQ(text_of<index_error>([&] { get_item(a, std::vector{at(4)}); }),
              "index 4 is out of bounds for axis 0 with size 4");
}

TEST(indexing_, an_array_indexed_by_itself_is_written_from_its_old_values) {
    array const a = make<std::int64_t>(cpu(), {2, 0, 1});
    array const v = make<std::int64_t>(cpu(), {0, 1, 2});
    set_item(a, std::vector{at(a)}, argument{&v});
    EXPECT_EQ(values<std::int64_t>(a), (std::vector<std::int64_t>{1, 2, 0}));
}

TEST(indexing_, a_pending_reader_of_what_is_scattered_into_sees_the_old_values) {
    array const a = make(cpu(), counted(9000));
    array const reader = apply("add", a, 0.0);
    set_item(a, std::vector{at(make<std::int64_t>(cpu(), {0, 1}))}, scalar(-5.0));
    EXPECT_EQ(values<double>(reader), counted(9000));
    EXPECT_EQ(values<double>(a)[1], -5);
}

TEST(indexing_, positions_of_true_elements) {
    array const m = make_mask(cpu(), {0, 1, 1, 0, 1});
    auto const where = nonzero(m);
    ASSERT_EQ(where.size(), 1u);
    EXPECT_EQ(values<std::int64_t>(where[0]), (std::vector<std::int64_t>{1, 2, 4}));
}

}  // namespace
}  // namespace bascule::testing

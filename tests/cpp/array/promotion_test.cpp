// Result types against literals of NumPy 2: np.promote_types, np.can_cast, and NEP 50's rule for Python scalars.
#include "arrays.hpp"

#include <limits>
#include <string_view>

namespace bascule::testing {
namespace {

constexpr std::string_view codes = "?bBhHiIqQefdFD";  // NumPy's characters, in the order of type_id

type_id type_of(char code) { return static_cast<type_id>(codes.find(code)); }
char code_of(type_id t) { return codes[static_cast<std::size_t>(t)]; }

// Row and column as in `codes`.
constexpr std::string_view promoted_rows[] = {
    "?bBhHiIqQefdFD", "bbhhiiqqdefdFD", "BhBhHiIqQefdFD", "hhhhiiqqdffdFD", "HiHiHiIqQffdFD",
    "iiiiiiqqddddDD", "IqIqIqIqQdddDD", "qqqqqqqqddddDD", "QdQdQdQdQdddDD", "eeeffddddefdFD",
    "fffffddddffdFD", "ddddddddddddDD", "FFFFFDDDDFFDFD", "DDDDDDDDDDDDDD",
};
// 1 where np.can_cast(row, column, "safe").
constexpr std::string_view safe_rows[] = {
    "11111111111111", "01010101011111", "00111111111111", "00010101001111", "00001111101111",
    "00000101000101", "00000011100101", "00000001000101", "00000000100101", "00000000011111",
    "00000000001111", "00000000000101", "00000000000011", "00000000000001",
};
// 1 where np.can_cast(row, column, "same_kind").
constexpr std::string_view same_kind_rows[] = {
    "11111111111111", "01010101011111", "01111111111111", "01010101011111", "01111111111111",
    "01010101011111", "01111111111111", "01010101011111", "01111111111111", "00000000011111",
    "00000000011111", "00000000011111", "00000000000011", "00000000000011",
};
constexpr std::string_view with_boolean = "?bBhHiIqQefdFD";
constexpr std::string_view with_integer = "qbBhHiIqQefdFD";
constexpr std::string_view with_floating = "dddddddddefdFD";
constexpr std::string_view with_complex = "DDDDDDDDDFFDFD";

TEST(promotion, two_types_meet_where_numpys_do) {
    for (std::size_t a = 0; a < codes.size(); ++a)
        for (std::size_t b = 0; b < codes.size(); ++b)
            EXPECT_EQ(code_of(promote(type_of(codes[a]), type_of(codes[b]))), promoted_rows[a][b])
                << codes[a] << ", " << codes[b];
}

TEST(promotion, safe_and_same_kind_casts_are_numpys) {
    for (std::size_t a = 0; a < codes.size(); ++a)
        for (std::size_t b = 0; b < codes.size(); ++b) {
            EXPECT_EQ(can_cast(type_of(codes[a]), type_of(codes[b]), casting::safe), safe_rows[a][b] == '1')
                << codes[a] << " to " << codes[b];
            EXPECT_EQ(can_cast(type_of(codes[a]), type_of(codes[b]), casting::same_kind), same_kind_rows[a][b] == '1')
                << codes[a] << " to " << codes[b];
            EXPECT_EQ(can_cast(type_of(codes[a]), type_of(codes[b]), casting::no), a == b);
            EXPECT_TRUE(can_cast(type_of(codes[a]), type_of(codes[b]), casting::unsafe));
        }
}

void expect_with(weak_kind weak, type_id own, std::string_view row) {
    for (std::size_t a = 0; a < codes.size(); ++a) {
        promoted const both[] = {{type_of(codes[a]), weak_kind::strong}, {own, weak}};
        promoted const turned[] = {both[1], both[0]};
        EXPECT_EQ(code_of(common_type(both)), row[a]) << codes[a];
        EXPECT_EQ(code_of(common_type(turned)), row[a]) << codes[a];
    }
}

TEST(promotion, a_python_scalar_has_a_kind_and_no_type) {
    expect_with(weak_kind::boolean, type_id::bool_, with_boolean);
    expect_with(weak_kind::integer, type_id::int64, with_integer);
    expect_with(weak_kind::floating, type_id::float64, with_floating);
    expect_with(weak_kind::complex_, type_id::complex128, with_complex);
}

TEST(promotion, a_python_integer_that_does_not_fit_is_refused_with_numpys_text) {
    array const a = astype(make<double>(cpu(), {1, 2}), make_dtype(type_id::int8));
    EXPECT_EQ(text_of<overflow_error>([&] { bascule::apply(op("add"), a, scalar(std::int64_t{300})); }),
              "Python integer 300 out of bounds for int8");
    array const u = astype(a, make_dtype(type_id::uint8));
    EXPECT_EQ(text_of<overflow_error>([&] { bascule::apply(op("add"), u, scalar(std::int64_t{-1})); }),
              "Python integer -1 out of bounds for uint8");
}

TEST(promotion, integers_divide_as_floats) {
    array const a = make<std::int32_t>(cpu(), {1, 2, 3});
    EXPECT_EQ(apply("divide", a, a).type.id, type_id::float64);
    EXPECT_EQ(apply("less", a, a).type.id, type_id::bool_);
}

TEST(promotion, out_of_a_smaller_kind_is_a_type_error_with_numpys_text) {
    array const a = make<double>(cpu(), {1.5, 2.5});
    array const out = make<std::int64_t>(cpu(), {0, 0});
    argument const args[] = {{&a}, {&a}};
    call_options o;
    o.out = &out;
    EXPECT_EQ(text_of<type_error>([&] { bascule::apply(op("add"), args, o); }),
              "Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'");
    EXPECT_EQ(values<std::int64_t>(out), (std::vector<std::int64_t>{0, 0}));
}

TEST(promotion, a_type_without_a_loop_is_a_type_error) {
    array const a = make<double>(cpu(), {1.5});
    EXPECT_NE(text_of<type_error>([&] {
                  apply("bitwise_and", a, a);
              }).find("ufunc 'bitwise_and' not supported for the input types"),
              std::string::npos);
}

// Compared with the kernels that cast an array of one element.
template <class T> void expect_cast_as_an_array_is(T x, type_id from) {
    plan_constant v{};
    std::memcpy(v.bytes, &x, sizeof x);
    array const one = from_host(cpu(), &x, make_dtype(from), {1}, {sizeof x});
    for (int t = 0; t < type_count; ++t) {
        auto const to = static_cast<type_id>(t);
        if (is_time(to)) continue;
        plan_constant const made = cast_constant(v, from, to);
        plan_constant kept{};
        to_host(astype(one, make_dtype(to)), &kept);
        EXPECT_EQ(std::memcmp(made.bytes, kept.bytes, sizeof made), 0) << static_cast<int>(from) << " to " << t;
    }
}

TEST(numbers, become_what_arrays_of_them_become) {
    for (std::int64_t const x :
         {std::int64_t{0}, std::int64_t{2}, std::int64_t{-1}, std::int64_t{255}, std::int64_t{-129},
          std::int64_t{16777217}, std::int64_t{9007199254740993}, std::int64_t{1} << 40,
          std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
        expect_cast_as_an_array_is(x, type_id::int64);
    double const infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (double const x : {0.0, -0.0, 0.1, -1.5, 65519.9, 65520.0, 5e-8, 1e39, -1e39, 1e-46, 3e9, -3e9, 1e19, 9.3e18,
                           infinity, -infinity, nan}) {
        expect_cast_as_an_array_is(x, type_id::float64);
        expect_cast_as_an_array_is(static_cast<float>(x), type_id::float32);
        expect_cast_as_an_array_is(complex<double>{x, -x}, type_id::complex128);
    }
}

}  // namespace
}  // namespace bascule::testing

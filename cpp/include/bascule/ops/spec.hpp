// The properties of an op in its table, other than its formula. An op is a struct with `static constexpr spec meta` and
// a const call operator; everything else (kernels, CUDA text, ufuncs, docstrings, tests, benchmarks) follows from the
// two. Device-clean: this text is also given to NVRTC.
#pragma once
#include "bascule/core/dtype.hpp"

namespace bascule::ops {

// How a call looks and which instances exist. T runs over the element types of `types`.
enum class form : std::uint8_t {
    elementwise,  // R op(T...): one type for all inputs; R is the formula's return type (T, bool, or the real part's
                  // type)
    selection,    // T op(bool, T, T)
    counter,      // T op.template operator()<T>(int64 index, uint64 key): a value that depends on its position alone
    sample,       // R sampled<Op>(uint64 bits, P...): a sample from random bits and parameters; `types` holds R alone
    cast,         // To op.template operator()<To>(From): every pair of types
};

// Values sampled for the tests and benchmarks of an op, and the range its error bound is promised on.
struct domain {
    double low = -1e3, high = 1e3;
};

// Floating-point errors an op can raise, as NumPy's errstate names them.
namespace fp {
inline constexpr std::uint8_t none = 0, divide = 1, over = 2, under = 4, invalid = 8;
inline constexpr std::uint8_t all = 15;
inline constexpr std::uint8_t as_real = 16;  // complex numbers raise the errors of the real ones
}  // namespace fp

// The operation of an op, for compilers that have an instruction or a cheaper form for it: they identify ops by this,
// never by their names. Ops that compute the same on the types they share have the same primitive.
enum class primitive : std::uint8_t {
    none,
    add,
    subtract,
    multiply,
    divide,
    multiply_add,       // a * b + c, of two roundings, as the next two
    multiply_subtract,  // a * b - c
    subtract_multiply,  // a - b * c
    power,
    square,
    reciprocal,
    sqrt,
    sin,
    cos,
    absolute,
    negative,
    positive,
    floor,
    ceil,
    trunc,
    rint,
    copysign,
    maximum,
    minimum,
    fmax,
    fmin,
    clip,
    where,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    invert,
    left_shift,
    right_shift,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
    logical_xor,
    logical_not,
    isnan,
    isinf,
    isfinite,
    signbit,
    cast,
    add_add,  // (a + b) + c: no op has it, compilers make it of two
    count
};

struct spec {
    char const* name;          // NumPy's name
    char const* aliases = "";  // further NumPy names, separated by spaces
    char const* space = "";    // where Python has the name: "special" is bascule.special, empty NumPy's own namespace
    int nin = 1;
    form call = form::elementwise;
    type_set types = 0;  // element types with a loop; float16 means "computed in float32, rounded once"
    primitive computes = primitive::none;
    type_id integers_as = type_id::bool_;   // not bool_: integer and boolean inputs are first cast to this (true
                                            // division), and float16 ones where it has no loop
    type_id parameters = type_id::float64;  // draw: P
    float cost = 1;                         // time an element, in float64 additions
    domain range{};
    double ulp64 = 0, ulp32 = 0;  // largest error allowed, in units in the last place; 0 = exact
    bool commutative = false;
    std::uint8_t raises = fp::none;  // on floating-point numbers, derived from inputs and result, as ops/fp_errors.hpp
                                     // says, or the op itself by a member `raised`
    std::uint8_t complex_raises = fp::as_real;
    std::uint8_t integers_raise = fp::none;  // divide, invalid: where the last input is 0; over: the least value by -1
    // The processor's floating-point status after the formula was computed, of real and complex numbers:
    type_set exact_status = 0;              // of these types, just the op's errors: no other operation is computed
    std::uint8_t status_covers = fp::none;  // of real numbers, of these errors none is missed: some flag is up
    bool has_ufunc = true;                  // false: the planner's own op, no name in Python
    int identity = -1;                      // 0 or 1: identity of ufunc.reduce; -1: none; -2: all bits set
    char const* doc = "";                   // one sentence, NumPy's meaning
    char const* source = "";                // where the formula comes from, when it is not arithmetic
};

constexpr std::uint8_t raised_by(spec const& s, bool complex) {
    return complex && s.complex_raises != fp::as_real ? s.complex_raises : s.raises;
}

template <class... Op> struct op_list {};

template <class... Lists> struct join_lists;
template <class... A> struct join_lists<op_list<A...>> { using type = op_list<A...>; };
template <class... A, class... B, class... Rest> struct join_lists<op_list<A...>, op_list<B...>, Rest...> {
    using type = typename join_lists<op_list<A..., B...>, Rest...>::type;
};

}  // namespace bascule::ops

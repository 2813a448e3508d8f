// The kernels of one instruction set, as tables of function pointers. Each table is filled by the translation units in
// kernels/, which are compiled once per instruction set; one is chosen when the library is first used.
#pragma once
#include <tuple>

#include "bascule/core/dtype.hpp"

namespace bascule::cpu {

// d[i] = op(a[i], b[i], c[i]) for i < n. d may be the same pointer as an input, but must not overlap one otherwise.
using kernel = void (*)(void* d, void const* a, void const* b, void const* c, std::size_t n);

// Which inputs are one value instead of an array. A binary kernel has vv, vs and sv; one of three inputs has the four
// combinations of its second and third (vv, vs: second, sv: third, ss: both).
enum variant : std::uint8_t { vv, vs, sv, ss, variant_count };

inline constexpr int max_ops = 256;
inline constexpr int size_classes = 5;  // items of 1, 2, 4, 8 and 16 bytes
constexpr int size_class(int itemsize) { return __builtin_ctz(static_cast<unsigned>(itemsize)); }

// Copies rows x columns items between strided locations; all strides in bytes.
struct patch {
    char* to;
    char const* from;
    std::int64_t rows, columns;
    std::int64_t to_row, to_column, from_row, from_column;
};
using copy_kernel = void (*)(patch const&);

// Floating-point errors of a block: those of `d = op(a, b, c)`, as ops::fp bits. b and c are null where there are fewer
// inputs.
struct fp_error_args {
    void const *d, *a, *b, *c;
    bool a_scalar, b_scalar, c_scalar;
    std::uint8_t raises;  // bits the op can raise, in addition to those of ops/spec.hpp
    std::size_t n;
};
using fp_error_kernel = std::uint8_t (*)(fp_error_args const&);

// ---- reductions: the algebra of ops/aggregate.hpp over memory. States of one reduction are contiguous.
struct columns_args {
    void* states;
    void const* data;
    std::int64_t row_stride, rows, columns;
    std::int64_t position;  // of the first row's elements within their runs; the next row's is one more
    void* sums = nullptr;   // of moments of floating-point numbers: where their elements are summed as well
};
struct finish_args {
    void* out;
    std::int64_t out_stride;
    void const* states;
    std::int64_t states_count;
    std::int64_t reduced;  // elements behind each state
    double ddof;
};
struct reduction_kernels {
    void (*reduce)(void* state, void const* data, std::int64_t n,
                   std::int64_t position) = nullptr;  // along the fixed tree
    void (*reduce_rows)(void* states, void const* data, std::int64_t rows, std::int64_t n,
                        std::int64_t position) = nullptr;
    void (*merge)(void* states, void const* later, std::int64_t n) = nullptr;  // each with its own
    void (*columns)(columns_args const&) = nullptr;
    void (*init)(void* states, std::int64_t n) = nullptr;
    void (*finish)(finish_args const&) = nullptr;
    bool (*decided)(void const* state) = nullptr;  // any, all: nothing that follows changes the result
    std::int32_t state_size = 0, granule = 1;
};
inline constexpr int max_aggregates = 64;

// Bare values in vectors: n of them, none of them NaN but for range.
template <class T> struct sort_kernels {
    // The n values of `from` are sorted there or, to_other, in `other`, which is as large and overwritten in any case.
    void (*sort)(T* from, T* other, std::int64_t n, bool to_other) = nullptr;
    // Moves values before the pivot to the front of `to`, which is `from` or does not overlap it; returns how many.
    // None, if the pivot is the least of all.
    std::int64_t (*halve)(T const* from, T* to, std::int64_t n, T pivot) = nullptr;
    // The smallest and the largest value, and whether there is NaN.
    bool (*range)(T const* a, std::int64_t n, T& least, T& most) = nullptr;
};

struct kernel_table {
    kernel op[max_ops][type_count][variant_count] = {};
    kernel cast[type_count][type_count] = {};
    kernel sincos[2] = {};   // d = sin(a), and through b, cos(a)
    kernel add_add[2] = {};  // d = (a + b) + c, of float32 and float64
    copy_kernel copy[size_classes] = {};
    kernel fill[size_classes] = {};                                           // d[i] = a[0]
    void (*stream)(void* to, void const* from, std::size_t bytes) = nullptr;  // a copy that leaves the caches alone
    void (*ramp)(std::int64_t* d, std::int64_t start, std::int64_t step, std::size_t n) = nullptr;
    bool (*non_finite[type_count])(void const* d, std::size_t n) = {};
    fp_error_kernel fp_errors[type_count] = {};
    fp_error_kernel modulus_fp_errors[type_count] = {};       // of complex numbers of this type
    fp_error_kernel own_fp_errors[max_ops][type_count] = {};  // of ops that have a rule of their own
    fp_error_kernel cast_fp_errors[type_count][type_count] = {};
    reduction_kernels reduction[max_aggregates][type_count] = {};
    // Empty where vectors are not wide enough.
    std::tuple<sort_kernels<double>, sort_kernels<float>, sort_kernels<std::int64_t>, sort_kernels<std::int32_t>> sort;
};

// The table for this process: the best for the machine, or the one that BASCULE_ISA names (baseline, avx2, avx512).
// Null, with a reason in `why`, when the machine lacks the named one.
kernel_table const* active_kernels(char const** why = nullptr) noexcept;
char const* isa_name() noexcept;

// For tests: the table of one instruction set, or null where the machine lacks it.
kernel_table const* kernels_of(char const* isa) noexcept;
void use_kernels(kernel_table const*) noexcept;

}  // namespace bascule::cpu

// Quotients of complex numbers, among usual ones, against the steps of Smith's formula one by one: the same bits, and
// the processor's flags are those of the steps.
#include <cfenv>
#include <cmath>
#include <limits>
#include <vector>

#include "backend/cpu/dispatch/kernels.hpp"
#include "bascule/ops/table.hpp"
#include "support/every_isa.hpp"

namespace bascule {
namespace {

constexpr int conditions = FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID;

template <class T> struct steps {
    T volatile x;
    steps(T v) : x(v) {}
    operator T() const { return x; }
};
template <class T> bool is_larger(T a, T b) { return !std::isnan(a) && !std::isnan(b) && a >= b; }
// As NumPy compares: a NaN is invalid.
template <class T> void compare(complex<T> z) {
    if (std::isnan(z.re) || std::isnan(z.im)) std::feraiseexcept(FE_INVALID);
}

template <class T> complex<T> quotient(complex<T> a, complex<T> b) {
    using step = steps<T>;
    compare(b);
    step const re = std::fabs(b.re), im = std::fabs(b.im);
    if (re == 0 && im == 0) return {step(step(a.re) / re), step(step(a.im) / re)};
    if (is_larger<T>(re, im)) {
        step const ratio = step(b.im) / step(b.re), tail = step(b.im) * ratio, sum = step(b.re) + tail;
        step const scale = step(1) / sum, p = step(a.im) * ratio, q = step(a.re) * ratio;
        step const x = step(a.re) + p, y = step(a.im) - q;
        return {step(x * scale), step(y * scale)};
    }
    step const ratio = step(b.re) / step(b.im), tail = step(b.re) * ratio, sum = step(b.im) + tail;
    step const scale = step(1) / sum, p = step(a.re) * ratio, q = step(a.im) * ratio;
    step const x = p + step(a.im), y = q - step(a.re);
    return {step(x * scale), step(y * scale)};
}

template <class T> complex<T> reciprocal(complex<T> z) {
    using step = steps<T>;
    compare(z);
    if (is_larger<T>(std::fabs(z.re), std::fabs(z.im))) {
        step const ratio = step(z.im) / step(z.re), tail = step(z.im) * ratio, d = step(z.re) + tail;
        return {step(step(1) / d), step(-ratio / d)};
    }
    step const ratio = step(z.re) / step(z.im), tail = step(z.re) * ratio, d = tail + step(z.im);
    return {step(ratio / d), step(step(-1) / d)};
}

template <class T> bool same(T a, T b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

template <class T> std::vector<complex<T>> numbers() {
    using limits = std::numeric_limits<T>;
    T const parts[] = {0,
                       T(-0.0),
                       1,
                       T(-2.5),
                       limits::max(),
                       limits::min(),
                       limits::denorm_min(),
                       limits::infinity(),
                       -limits::infinity(),
                       limits::quiet_NaN()};
    std::vector<complex<T>> all;
    for (T const re : parts)
        for (T const im : parts) all.push_back({re, im});
    return all;
}

// The element at `at` of 200 others, which raise nothing.
template <class T, class Run> int flags_of(Run const& run, complex<T>& result, std::size_t at) {
    std::vector<complex<T>> d(200);
    std::feclearexcept(FE_ALL_EXCEPT);
    run(d.data(), d.size());
    int const flags = std::fetestexcept(conditions);
    result = d[at];
    return flags;
}

template <class T> void divides(cpu::kernel_table const& kernels, type_id type) {
    auto const& run = kernels.op[ops::number<ops::divide>][static_cast<int>(type)];
    for (auto const a : numbers<T>())
        for (auto const b : numbers<T>()) {
            std::feclearexcept(FE_ALL_EXCEPT);
            auto const expected = quotient(a, b);
            int const raised = std::fetestexcept(conditions);
            for (int v : {cpu::vv, cpu::vs, cpu::sv}) {
                std::vector<complex<T>> x(200, v == cpu::vs ? a : complex<T>{2, 1}),
                    y(200, v == cpu::sv ? b : complex<T>{1, 2});
                x[0] = v == cpu::sv ? a : x[0], y[0] = v == cpu::vs ? b : y[0], x[137] = a, y[137] = b;
                complex<T> got;
                int const flags =
                    flags_of<T>([&](void* d, std::size_t n) { run[v](d, x.data(), y.data(), nullptr, n); }, got, 137);
                ASSERT_TRUE(same(got.re, expected.re) && same(got.im, expected.im))
                    << a.re << ' ' << a.im << " / " << b.re << ' ' << b.im << " is " << got.re << ' ' << got.im;
                ASSERT_EQ(flags, raised) << a.re << ' ' << a.im << " / " << b.re << ' ' << b.im;
            }
        }
}

template <class T> void inverts(cpu::kernel_table const& kernels, type_id type) {
    cpu::kernel const run = kernels.op[ops::number<ops::reciprocal>][static_cast<int>(type)][cpu::vv];
    for (auto const z : numbers<T>()) {
        std::feclearexcept(FE_ALL_EXCEPT);
        auto const expected = reciprocal(z);
        int const raised = std::fetestexcept(conditions);
        std::vector<complex<T>> x(200, complex<T>{1, 2});
        x[137] = z;
        complex<T> got;
        int const flags = flags_of<T>([&](void* d, std::size_t n) { run(d, x.data(), nullptr, nullptr, n); }, got, 137);
        ASSERT_TRUE(same(got.re, expected.re) && same(got.im, expected.im)) << "1 / " << z.re << ' ' << z.im;
        ASSERT_EQ(flags, raised) << "1 / " << z.re << ' ' << z.im;
    }
}

TEST(CpuComplexDivision, HasTheBitsAndConditionsOfItsSteps) {
    on_every_isa(cpu::kernels_of, [](auto const& kernels) {
        divides<double>(kernels, type_id::complex128);
        divides<float>(kernels, type_id::complex64);
    });
}

TEST(CpuComplexDivision, ReciprocalsHaveTheBitsAndConditionsOfTheirSteps) {
    on_every_isa(cpu::kernels_of, [](auto const& kernels) {
        inverts<double>(kernels, type_id::complex128);
        inverts<float>(kernels, type_id::complex64);
    });
}

}  // namespace
}  // namespace bascule

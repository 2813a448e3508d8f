"""Complex numbers in user-defined programs: the text for `#include <cupy/complex.cuh>`."""

from __future__ import annotations

import re

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]cupy/complex\.cuh[>"].*$', re.MULTILINE)

# As in CuPy, a class in the global namespace with the memory layout of the elements of complex arrays.
_TEXT = """
template <class T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    T re_, im_;
    __host__ __device__ constexpr complex(T re = T(), T im = T()) : re_(re), im_(im) {}
    template <class U> __host__ __device__ constexpr complex(complex<U> const& z) : re_(T(z.real())), im_(T(z.imag())) {}
    __host__ __device__ constexpr T real() const { return re_; }
    __host__ __device__ constexpr T imag() const { return im_; }
    __host__ __device__ void real(T x) { re_ = x; }
    __host__ __device__ void imag(T x) { im_ = x; }
    __host__ __device__ complex& operator+=(complex const& z) { re_ += z.re_; im_ += z.im_; return *this; }
    __host__ __device__ complex& operator-=(complex const& z) { re_ -= z.re_; im_ -= z.im_; return *this; }
    __host__ __device__ complex& operator*=(complex const& z) { return *this = complex(re_ * z.re_ - im_ * z.im_, re_ * z.im_ + im_ * z.re_); }
    __host__ __device__ complex& operator/=(complex const& z) {
        bool const wide = (z.re_ < 0 ? -z.re_ : z.re_) >= (z.im_ < 0 ? -z.im_ : z.im_);
        T const ratio = wide ? z.im_ / z.re_ : z.re_ / z.im_, below = wide ? z.re_ + z.im_ * ratio : z.re_ * ratio + z.im_;
        return *this = wide ? complex((re_ + im_ * ratio) / below, (im_ - re_ * ratio) / below)
                            : complex((re_ * ratio + im_) / below, (im_ * ratio - re_) / below);
    }
};
#define BASCULE_COMPLEX(OP) \\
    template <class T> __host__ __device__ inline complex<T> operator OP(complex<T> const& a, complex<T> const& b) { complex<T> r = a; return r OP##= b; } \\
    template <class T> __host__ __device__ inline complex<T> operator OP(complex<T> const& a, typename complex<T>::value_type b) { return a OP complex<T>(b); } \\
    template <class T> __host__ __device__ inline complex<T> operator OP(typename complex<T>::value_type a, complex<T> const& b) { return complex<T>(a) OP b; }
BASCULE_COMPLEX(+) BASCULE_COMPLEX(-) BASCULE_COMPLEX(*) BASCULE_COMPLEX(/)
#undef BASCULE_COMPLEX
template <class T> __host__ __device__ inline complex<T> operator+(complex<T> const& z) { return z; }
template <class T> __host__ __device__ inline complex<T> operator-(complex<T> const& z) { return complex<T>(-z.real(), -z.imag()); }
template <class T> __host__ __device__ inline bool operator==(complex<T> const& a, complex<T> const& b) { return a.real() == b.real() && a.imag() == b.imag(); }
template <class T> __host__ __device__ inline bool operator!=(complex<T> const& a, complex<T> const& b) { return !(a == b); }
template <class T> __host__ __device__ inline T real(complex<T> const& z) { return z.real(); }
template <class T> __host__ __device__ inline T imag(complex<T> const& z) { return z.imag(); }
template <class T> __host__ __device__ inline T norm(complex<T> const& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> __host__ __device__ inline T abs(complex<T> const& z) { return T(hypot(z.real(), z.imag())); }
template <class T> __host__ __device__ inline T arg(complex<T> const& z) { return T(atan2(z.imag(), z.real())); }
template <class T> __host__ __device__ inline complex<T> conj(complex<T> const& z) { return complex<T>(z.real(), -z.imag()); }
template <class T> __host__ __device__ inline complex<T> polar(T const& r, T const& phi = T()) { return complex<T>(r * T(cos(phi)), r * T(sin(phi))); }
template <class T> __host__ __device__ inline complex<T> exp(complex<T> const& z) { return polar(T(exp(z.real())), z.imag()); }
template <class T> __host__ __device__ inline complex<T> log(complex<T> const& z) { return complex<T>(T(log(abs(z))), arg(z)); }
template <class T> __host__ __device__ inline complex<T> log10(complex<T> const& z) { return log(z) / T(2.302585092994045684); }
template <class T> __host__ __device__ inline complex<T> sqrt(complex<T> const& z) {
    if (z.real() == 0 && z.imag() == 0) return complex<T>(0, z.imag());
    T const a = T(sqrt((abs(z) + (z.real() < 0 ? -z.real() : z.real())) / 2)), b = z.imag() / (2 * a);
    return z.real() >= 0 ? complex<T>(a, b) : complex<T>(b < 0 ? -b : b, z.imag() < 0 ? -a : a);
}
template <class T> __host__ __device__ inline complex<T> pow(complex<T> const& z, complex<T> const& w) { return z == complex<T>() ? (w == complex<T>() ? complex<T>(1) : z) : exp(w * log(z)); }
template <class T> __host__ __device__ inline complex<T> pow(complex<T> const& z, typename complex<T>::value_type w) { return pow(z, complex<T>(w)); }
template <class T> __host__ __device__ inline complex<T> pow(typename complex<T>::value_type z, complex<T> const& w) { return pow(complex<T>(z), w); }
template <class T> __host__ __device__ inline complex<T> sinh(complex<T> const& z) { return complex<T>(T(sinh(z.real()) * cos(z.imag())), T(cosh(z.real()) * sin(z.imag()))); }
template <class T> __host__ __device__ inline complex<T> cosh(complex<T> const& z) { return complex<T>(T(cosh(z.real()) * cos(z.imag())), T(sinh(z.real()) * sin(z.imag()))); }
template <class T> __host__ __device__ inline complex<T> tanh(complex<T> const& z) { return sinh(z) / cosh(z); }
template <class T> __host__ __device__ inline complex<T> sin(complex<T> const& z) { return complex<T>(T(sin(z.real()) * cosh(z.imag())), T(cos(z.real()) * sinh(z.imag()))); }
template <class T> __host__ __device__ inline complex<T> cos(complex<T> const& z) { return complex<T>(T(cos(z.real()) * cosh(z.imag())), -T(sin(z.real()) * sinh(z.imag()))); }
template <class T> __host__ __device__ inline complex<T> tan(complex<T> const& z) { return sin(z) / cos(z); }
"""  # fmt: skip


def with_complex_numbers(code: str) -> str:
    """A program with its first include of `complex` replaced by the text; the numbers of its lines do not change."""
    found = _INCLUDE.search(code)
    if found is None:
        return code
    line = code.count("\n", 0, found.start()) + 2
    rest = _INCLUDE.sub("", code[found.end() :])
    return f"{code[: found.start()]}{_TEXT}#line {line}{rest}"

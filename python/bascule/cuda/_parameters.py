"""Parameters of element-wise and reduction kernels: parsing of their lists, their types, and the layouts of arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from ..config import config

_C_TYPES = {
    "?": "bool", "b": "signed char", "B": "unsigned char", "h": "short", "H": "unsigned short", "i": "int",
    "I": "unsigned int", "l": "long long", "L": "unsigned long long", "q": "long long", "Q": "unsigned long long",
    "e": "float16", "f": "float", "d": "double", "F": "complex<float>", "D": "complex<double>",
}  # fmt: skip
_RESERVED = {"n", "i"}
_PARAMETER = re.compile(r"^(?:(raw|_non_atomic)\s+)?([A-Za-z_]\w*)\s+([A-Za-z_]\w*)$")

# Array classes for kernels. `operator[]` counts the elements in C order, whatever the strides.
LAYOUTS = """
template <int N> struct _layout { long long size, shape[N], strides[N]; };
template <class T, int N> class _strided {
public:
    __device__ _strided(T* data, _layout<N> const& layout) : data_(data), layout_(layout) {}
    __device__ T& operator[](long long i) const {
        long long offset = 0;
        for (int k = N - 1; k > 0; --k) {
            long long const extent = layout_.shape[k], outer = i / extent;
            offset += (i - outer * extent) * layout_.strides[k];
            i = outer;
        }
        offset += i * layout_.strides[0];
        return *reinterpret_cast<T*>(reinterpret_cast<unsigned long long>(data_) + offset);
    }
    template <class I> __device__ T& operator[](I const* index) const {
        long long offset = 0;
        for (int k = 0; k < N; ++k) offset += index[k] * layout_.strides[k];
        return *reinterpret_cast<T*>(reinterpret_cast<unsigned long long>(data_) + offset);
    }
    __device__ long long size() const { return layout_.size; }
    __device__ long long const* shape() const { return layout_.shape; }
    __device__ long long const* strides() const { return layout_.strides; }

private:
    T* data_;
    _layout<N> layout_;
};
template <int N> class _indexer {
public:
    __device__ explicit _indexer(_layout<N> const& layout) : layout_(layout) {}
    __device__ long long size() const { return layout_.size; }
    __device__ void set(long long i) {
        for (int k = N - 1; k > 0; --k) {
            long long const outer = i / layout_.shape[k];
            index_[k] = i - outer * layout_.shape[k];
            i = outer;
        }
        index_[0] = i;
    }
    __device__ long long const* get() const { return index_; }

private:
    _layout<N> layout_;
    long long index_[N];
};
"""
FLOAT16 = """
struct float16 {
    unsigned short bits;
    float16() = default;
    __device__ float16(float x) {
        unsigned u;
        memcpy(&u, &x, 4);
        unsigned const sign = u >> 16 & 0x8000u, a = u & 0x7fffffffu;
        if (a > 0x7f800000u) bits = static_cast<unsigned short>(sign | 0x7e00u);
        else if (a >= 0x47800000u) bits = static_cast<unsigned short>(sign | 0x7c00u);
        else if (a < 0x33000001u) bits = static_cast<unsigned short>(sign);
        else {
            int const e = static_cast<int>(a >> 23) - 127;
            unsigned const m = (a & 0x7fffffu) | 0x800000u;
            int const drop = e < -14 ? 13 + (-14 - e) : 13;
            unsigned const base = e < -14 ? 0u : static_cast<unsigned>(e + 14) << 10;
            unsigned const half = 1u << (drop - 1), rest = m & ((1u << drop) - 1u), kept = m >> drop;
            bits = static_cast<unsigned short>(sign | (base + kept + (rest > half || (rest == half && (kept & 1u)))));
        }
    }
    __device__ operator float() const {
        unsigned const sign = (bits & 0x8000u) << 16, e = bits >> 10 & 31u;
        unsigned m = bits & 1023u, u = sign;
        float x;
        if (e == 31u) u |= 0x7f800000u | m << 13;
        else if (e) u |= (e + 112u) << 23 | m << 13;
        else {
            x = static_cast<float>(m) * 5.9604644775390625e-8f;
            return sign ? -x : x;
        }
        memcpy(&x, &u, 4);
        return x;
    }
    __device__ float16& operator+=(float x) { return *this = float(*this) + x; }
    __device__ float16& operator-=(float x) { return *this = float(*this) - x; }
    __device__ float16& operator*=(float x) { return *this = float(*this) * x; }
    __device__ float16& operator/=(float x) { return *this = float(*this) / x; }
};
"""
COMPLEX = """
template <class T> struct complex {
    T re, im;
    complex() = default;
    __device__ complex(T r, T i = T(0)) : re(r), im(i) {}
    template <class U> __device__ explicit(sizeof(U) > sizeof(T)) complex(complex<U> const& o) : re(T(o.re)), im(T(o.im)) {}
    __device__ T real() const { return re; }
    __device__ T imag() const { return im; }
    __device__ void real(T x) { re = x; }
    __device__ void imag(T x) { im = x; }
    __device__ friend complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
    __device__ friend complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
    __device__ friend complex operator-(complex a) { return {-a.re, -a.im}; }
    __device__ friend complex operator*(complex a, complex b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    __device__ friend complex operator/(complex a, complex b) {
        if (fabs(b.re) >= fabs(b.im)) {
            T const r = b.im / b.re, d = b.re + b.im * r;
            return {(a.re + a.im * r) / d, (a.im - a.re * r) / d};
        }
        T const r = b.re / b.im, d = b.re * r + b.im;
        return {(a.re * r + a.im) / d, (a.im * r - a.re) / d};
    }
    __device__ complex& operator+=(complex o) { return *this = *this + o; }
    __device__ complex& operator-=(complex o) { return *this = *this - o; }
    __device__ complex& operator*=(complex o) { return *this = *this * o; }
    __device__ complex& operator/=(complex o) { return *this = *this / o; }
    __device__ friend bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
    __device__ friend bool operator!=(complex a, complex b) { return !(a == b); }
    __device__ friend T real(complex a) { return a.re; }
    __device__ friend T imag(complex a) { return a.im; }
    __device__ friend T norm(complex a) { return a.re * a.re + a.im * a.im; }
    __device__ friend T abs(complex a) { return hypot(a.re, a.im); }
    __device__ friend T arg(complex a) { return atan2(a.im, a.re); }
    __device__ friend complex conj(complex a) { return {a.re, -a.im}; }
    __device__ friend complex exp(complex a) { return {exp(a.re) * cos(a.im), exp(a.re) * sin(a.im)}; }
};
"""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a list, such as ``raw T x``."""

    type: str
    name: str
    raw: bool
    dtype: np.dtype | None  # None if the type is a placeholder


def parse(text: str, what: str) -> tuple[Parameter, ...]:
    """The parameters of a list such as ``float32 x, raw T y``."""
    found = []
    for part in (p.strip() for p in text.split(",")) if text.strip() else ():
        match = _PARAMETER.match(part)
        if match is None or match[1] == "_non_atomic":
            raise ValueError(f"[{what}] expected '[raw] type name', got {part!r}")
        raw, kind, name = match[1] is not None, match[2], match[3]
        if name in _RESERVED or name.startswith("_"):
            raise ValueError(f"[{what}] the name {name!r} is reserved")
        found.append(Parameter(kind, name, raw, _dtype_named(kind)))
    names = [p.name for p in found]
    if len(set(names)) < len(names):
        raise ValueError(f"[{what}] a name occurs twice in {text!r}")
    return tuple(found)


def _dtype_named(name: str) -> np.dtype | None:
    return None if len(name) == 1 else np.dtype(name)  # a single letter is a placeholder, though NumPy has such types


def c_type(dtype: np.dtype) -> str:
    """The C++ type of the elements of a dtype."""
    if dtype.char not in _C_TYPES or not dtype.isnative:
        raise TypeError(f"[cuda] elements of {dtype} have no type in CUDA C++")
    return _C_TYPES[dtype.char]


def _bind(parameters: tuple[Parameter, ...], args: Any, bound: dict[str, np.dtype]) -> None:
    for p, a in zip(parameters, args, strict=True):
        if type(a) is not _core.ndarray:
            continue
        expected = p.dtype if p.dtype is not None else bound.setdefault(p.type, a.dtype)
        if expected != a.dtype:
            raise TypeError(f"Type is mismatched. {p.name} {a.dtype} {expected}")


def types_of(ins: tuple[Parameter, ...], outs: tuple[Parameter, ...], args: Any, given: Any) -> dict[str, np.dtype]:
    """The types of the placeholders, from given outputs and from arrays; numbers determine none."""
    bound: dict[str, np.dtype] = {}
    if given:
        _bind(outs, given, bound)
    _bind(ins, args, bound)
    missing = [p.type for p in (*ins, *outs) if p.dtype is None and p.type not in bound]
    if missing:
        raise TypeError(f"Type is not specified: {', '.join(dict.fromkeys(missing))}")
    return bound


def resolved(p: Parameter, bound: dict[str, np.dtype]) -> np.dtype:
    """The dtype of a parameter."""
    return p.dtype if p.dtype is not None else bound[p.type]


def prepared(args: Any, what: str) -> list[Any]:
    """Check that all arguments are arrays or numbers, and return them."""
    out = []
    for a in args:
        if type(a) is _core.ndarray or isinstance(a, (bool, int, float, complex, np.generic)):
            out.append(a)
        elif isinstance(a, np.ndarray):
            raise TypeError(f"[{what}] NumPy's arrays are in host memory: pass bc.asarray(x)")
        elif hasattr(a, "__cuda_array_interface__"):
            import bascule

            out.append(bascule.asarray(a))
        else:
            raise TypeError(f"[{what}] expected arrays and numbers, got {type(a).__name__}")
    return out


def check_writeable(outs: Any) -> None:
    """Raise ValueError if an output is read-only."""
    if any(not a.flags.writeable for a in outs):
        raise ValueError("output array is read-only")


def one_device(args: Any, what: str) -> str:
    """The device of all arrays."""
    names = dict.fromkeys(a.device for a in args if type(a) is _core.ndarray)
    if len(names) > 1:
        raise ValueError(f"[{what}] the arrays are on several devices: {', '.join(names)}")
    return next(iter(names), config.device)


def layout(shape: tuple[int, ...], strides: tuple[int, ...]) -> bytes:
    """A ``_layout`` for a kernel."""
    size = int(np.prod(shape, dtype=np.int64))
    return np.array([size, *(shape or (1,)), *(strides or (0,))], np.int64).tobytes()


def rank(shape: tuple[int, ...]) -> int:
    """The number of axes of its ``_layout``."""
    return max(len(shape), 1)


def broadcast_strides(a: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of an array over a shape that it is broadcast to."""
    extra = len(shape) - a.ndim
    return (0,) * extra + tuple(
        0 if n == 1 and wide != 1 else s for n, wide, s in zip(a.shape, shape[extra:], a.strides, strict=True)
    )


def preamble_of(kinds: Any, bound: dict[str, np.dtype]) -> str:
    """The code at the beginning of a kernel: layouts, types that C++ lacks, placeholders."""
    chars = {np.dtype(k).char for k in kinds}
    text = LAYOUTS + (FLOAT16 if "e" in chars else "") + (COMPLEX if chars & {"F", "D"} else "")
    return text + "".join(f"typedef {c_type(t)} {name};\n" for name, t in bound.items())


def scalar_bytes(value: Any, dtype: np.dtype, name: str) -> bytes:
    """A number as an element of a parameter's type."""
    if dtype.kind != "c" and isinstance(value, (complex, np.complexfloating)):
        raise TypeError(f"Type is mismatched. {name} {type(value).__name__} {dtype}")
    return np.asarray(value).astype(dtype).tobytes()

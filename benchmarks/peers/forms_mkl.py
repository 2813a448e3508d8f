"""NumPy as MKL's packages patch it: ufuncs, FFTs and random numbers; products, factors and erf are called in MKL, as in
a NumPy linked to it."""

from __future__ import annotations

import sys
from ctypes import CDLL, RTLD_GLOBAL, c_char, c_double, c_float, c_int, c_void_p
from pathlib import Path
from typing import Any

import mkl_fft
import mkl_random
import mkl_umath
import numpy as np
from libraries import Namespace

mkl_umath.patch_numpy_umath()
mkl_fft.patch_numpy_fft()

VERSION = f"umath {mkl_umath.__version__}, fft {mkl_fft.__version__}, random {mkl_random.__version__}"
# Rows that use the patched functions; the others would measure plain NumPy again.
GENERIC = (
    "trig_all_f64", "trig_all_f64_5000", "trig_all_f32", "elementwise", "exp", "log", "tanh", "exp_f32", "log_f32", "add",
    "chain5", "chain5_f32", "sqdiff_sum", "complex_mul", "softmax_rows", "blackscholes", "where", "fft_rows", "fft2",
    "ovh_add_10", "ovh_add_1000",
)  # fmt: skip

_ROW_MAJOR, _AS_IS = c_int(101), c_int(111)
_mkl = CDLL(str(max((Path(sys.prefix) / "lib").glob("libmkl_rt.so*"))), mode=RTLD_GLOBAL)


def _at(x: np.ndarray) -> c_void_p:
    return c_void_p(x.ctypes.data)


def matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    (m, k), n = a.shape, b.shape[1]
    result = np.empty((m, n), a.dtype)
    gemm, real = (_mkl.cblas_dgemm, c_double) if a.dtype == np.float64 else (_mkl.cblas_sgemm, c_float)
    extents = c_int(m), c_int(n), c_int(k)
    operands = real(1), _at(a), c_int(k), _at(b), c_int(n), real(0), _at(result), c_int(n)
    gemm(_ROW_MAJOR, _AS_IS, _AS_IS, *extents, *operands)
    return result


def svd(x: np.ndarray) -> tuple[np.ndarray, ...]:
    (m, n), k = x.shape, min(x.shape)
    a, u, s, v = x.copy(), np.empty((m, k)), np.empty(k), np.empty((k, n))
    places = _at(a), c_int(n), _at(s), _at(u), c_int(k), _at(v), c_int(n)
    failed = _mkl.LAPACKE_dgesdd(_ROW_MAJOR, c_char(b"S"), c_int(m), c_int(n), *places)
    if failed:
        raise np.linalg.LinAlgError(f"[svd] MKL's dgesdd returned {failed}")
    return u, s, v


def erf(x: np.ndarray) -> np.ndarray:
    result = np.empty_like(x)
    _mkl.vdErf(c_int(x.size), _at(x), _at(result))
    return result


def _random() -> Any:
    return mkl_random.MKLRandomState(1, brng="SFMT19937")


NAMESPACE = Namespace(np, erf=erf)
PRODUCTS = [f"gemm_{n}_{kind}" for n in ("1024x2048x512", 64, 256, 512, 1024, 2048, 4096) for kind in ("f32", "f64")]
FORMS = {
    "matmul": lambda x: matmul(x, x),
    "svd": svd,
    "erf": erf,
    "rng_normal": lambda n: _random().standard_normal(int(n)),
    "rng_uniform": lambda n: _random().random_sample(int(n)),
    "rng_integers_u8": lambda n: _random().randint(0, 3, int(n), dtype=np.uint8),
    **dict.fromkeys(PRODUCTS, matmul),
}

"""Convolution and correlation, and window functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import _core
from .._array.conversion import as_array, from_result, host_view, ndarray
from .._array.ufuncs import by_name, rows, special_by_name
from ..linalg import matmul
from .creation import arange, array, empty, ones, zeros

if TYPE_CHECKING:
    from .._array.types import _ArrayLike

__all__ = ["bartlett", "blackman", "convolve", "correlate", "hamming", "hanning", "i0", "kaiser"]


_select = rows["where"]["ufunc"]
_MODES = ("valid", "same", "full")
_FUSED_TAPS = 32  # longer kernels use matrix products, where these are exact enough
_TAPS_AT_ONCE = 512
# Products up to which NumPy's dot product for each sum takes less time than the frames and matrices of `_by_products`;
# it has BLAS for them, and for integers a loop.
_FEW_PRODUCTS = {"f": 1_000_000, "c": 250_000}
_FEW_OF_INTEGERS = 50_000


def _mode(mode: Any) -> str:
    if mode not in _MODES:
        np.correlate(np.ones(1), np.ones(1), mode)  # NumPy raises, or accepts its numbers for the modes
        mode = _MODES[int(mode)] if isinstance(mode, int) else next(m for m in _MODES if m[0] == mode[0].lower())
    return mode


def _overlap(a: ndarray, taps: ndarray, before: int, n: int) -> ndarray:
    """Sums of overlapping products, added tap by tap, without zeros outside, which would make NaN of infinite taps."""
    out = zeros(n, a.dtype, device=a.device)
    for k, tap in enumerate(list(taps)):
        start, stop = max(before - k, 0), min(n, a.size + before - k)
        if stop > start:
            out[start:stop] += a[start + k - before : stop + k - before] * tap
    return out


def _framed(a: ndarray, before: int, after: int) -> ndarray:
    if not before and not after:
        return a
    wide = zeros(before + a.size + after, a.dtype, device=a.device)
    wide[before : before + a.size] = a
    return wide


def _fused(wide: ndarray, taps: ndarray, n: int) -> ndarray:
    first, *others = list(taps)
    r = wide[:n] * first
    for k, tap in enumerate(others, 1):
        r = r + wide[k : k + n] * tap
    return r


def _diagonals(taps: ndarray, block: int) -> ndarray:
    """A matrix of `block` columns, in each of which the taps are shifted down by one row."""
    line = _dense(_framed(taps, block - 1, block - 1))
    step = line.itemsize
    return _core.view(line, (len(taps) + block - 1, block), (step, step), 0)[:, ::-1].copy("C")


def _by_products(wide: ndarray, taps: ndarray, n: int) -> ndarray:
    """Blocks of the line times matrices with the taps on their diagonals. They overlap, so they are copied for BLAS."""
    block = 64 if n < 50_000 else 256
    count = -(-n // block)
    line = _dense(_framed(wide, 0, max(count * block + len(taps) - 1 - wide.size, 0)))
    step = line.itemsize
    r = None
    for first in range(0, len(taps), _TAPS_AT_ONCE):
        some = taps[first : first + _TAPS_AT_ONCE]
        frames = _core.view(line, (count, block + len(some) - 1), (block * step, step), first * step)
        part = matmul(frames.copy("C"), _diagonals(some, block))
        r = part if r is None else r + part
    return _core.reshape(r, (count * block,))[:n]


def _exact_type(a: ndarray, taps: ndarray) -> np.dtype | None:
    """Type in which additional products by zero do not change the accuracy of sums, and which is fast; or None."""
    if a.dtype.kind in "fc":
        return a.dtype if bool(by_name["isfinite"](a).all()) else None
    least, most = a.min(), a.max()
    widest = max(abs(int(least)), abs(int(most))) * max(abs(int(taps.min())), abs(int(taps.max())))
    return np.dtype(np.float64) if widest * len(taps) < 2**53 else None


def _dense(a: ndarray) -> ndarray:
    return a if a.flags.c_contiguous else a.copy("C")


def _are_few(a: ndarray, v: ndarray, mode: str) -> bool:
    """Whether NumPy's own loop of dot products is the fastest: for long taps and few sums."""
    sums = a.size - v.size + 1 if mode == "valid" else a.size
    most = _FEW_PRODUCTS.get(np.result_type(a.dtype, v.dtype).kind, _FEW_OF_INTEGERS)
    return v.size > _FUSED_TAPS and sums * v.size <= most and a.device == v.device == "cpu"


def _sliding(a: ndarray, v: ndarray, mode: str) -> ndarray:
    """Sums of a[k + i] * v[i] for all k of a mode; `v` is not longer than `a`."""
    if _are_few(a, v, mode):
        return from_result(np.correlate(host_view(a), host_view(v).conj(), mode), "cpu")
    t = np.result_type(a.dtype, v.dtype)
    work = np.dtype(np.float32) if t == np.float16 else np.dtype(np.int64) if t.kind == "b" else t
    a, taps = a.astype(work, copy=False), v.astype(work, copy=False)
    m = len(taps)
    before = {"valid": 0, "same": m // 2, "full": m - 1}[mode]
    n = {"valid": a.size - m + 1, "same": a.size, "full": a.size + m - 1}[mode]
    if work.kind in "fc" and not bool(by_name["isfinite"](taps).all()):
        r = _overlap(a, taps, before, n)
    else:
        wide = _framed(a, before, max(n + m - 1 - before - a.size, 0))
        exact = _exact_type(a, taps) if m > _FUSED_TAPS else None
        if exact is None:
            r = _fused(wide, taps, n)
        else:
            r = _by_products(wide.astype(exact, copy=False), taps.astype(exact), n)
            if work.kind in "iu":
                r = r.astype(np.int64)  # sums beyond a narrower type wrap around
            r = r.astype(work, copy=False)
    return r != 0 if t.kind == "b" else r.astype(t, copy=False)


def _checked_pair(a: Any, v: Any) -> tuple[ndarray, ndarray]:
    x = as_array(a, v)
    y = as_array(v, x)
    if x.ndim != 1 or y.ndim != 1:
        np.correlate(np.ones((1,) * x.ndim), np.ones((1,) * y.ndim))  # NumPy raises its error
        x, y = (_core.reshape(w, (w.size,)) for w in (x, y))
    for w, name in ((x, "first"), (y, "second")):
        if w.size == 0:
            raise ValueError(f"{name} array argument cannot be empty")
    return x, y


@_core.function
def correlate(a: _ArrayLike, v: _ArrayLike, mode: Literal["full", "same", "valid"] = "valid") -> ndarray:
    """Compute the cross-correlation of two 1-D sequences.

    Parameters
    ----------
    a : array_like, shape (n,)
    v : array_like, shape (m,)
    mode : {'valid', 'same', 'full'}, optional
        Which shifts: those where the shorter sequence is within the longer, as many as the longer has elements, or all
        that overlap.

    Returns
    -------
    ndarray
        Of length max(n, m) - min(n, m) + 1, max(n, m) or n + m - 1.

    Raises
    ------
    ValueError
        A sequence is empty or has more than one axis, or the mode is unknown.

    Notes
    -----
    Floating results are within rounding of NumPy's: the order of the sums differs.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.correlate([1, 2, 3], [0, 1, 0.5]).tolist()
    [3.5]
    """
    x, y = _checked_pair(a, v)
    mode = _mode(mode)
    y = by_name["conjugate"](y) if y.dtype.kind == "c" else y
    if y.size > x.size:
        return _sliding(y, x, mode)[::-1].copy()
    return _sliding(x, y, mode)


@_core.function
def convolve(a: _ArrayLike, v: _ArrayLike, mode: Literal["full", "same", "valid"] = "full") -> ndarray:
    """Compute the convolution of two 1-D sequences.

    Parameters
    ----------
    a : array_like, shape (n,)
    v : array_like, shape (m,)
    mode : {'full', 'same', 'valid'}, optional
        As in `correlate`.

    Returns
    -------
    ndarray
        Of length n + m - 1, max(n, m) or max(n, m) - min(n, m) + 1.

    Raises
    ------
    ValueError
        A sequence is empty or has more than one axis, or the mode is unknown.

    Notes
    -----
    Floating results are within rounding of NumPy's: the order of the sums differs.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.convolve([1, 2, 3], [1, 1]).tolist()
    [1, 3, 5, 3]
    """
    x = array(as_array(a, v), copy=None, ndmin=1)
    y = array(as_array(v, x), copy=None, ndmin=1)
    for w, name in ((x, "a"), (y, "v")):
        if len(w) == 0:
            raise ValueError(f"{name} cannot be empty")
    x, y = _checked_pair(x, y)
    x, y = (y, x) if y.size > x.size else (x, y)
    return _sliding(x, y[::-1], _mode(mode))


# ---- windows


def _window(M: Any, formula: Callable[[ndarray, float], ndarray]) -> ndarray:
    m = float(_core.from_numpy(np.array([0.0, M]), "cpu")[1])  # which long doubles are refused by
    if m < 1:
        return empty(0)
    if m == 1:
        return ones(1)
    return formula(arange(1 - m, m, 2), m - 1)


def bartlett(M: int) -> ndarray:
    """Return the Bartlett window.

    Parameters
    ----------
    M : int
        Number of points.

    Returns
    -------
    ndarray of float64, shape (M,)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.bartlett(3).tolist()
    [0.0, 1.0, 0.0]
    """
    return _window(M, lambda n, width: _select(n <= 0, 1 + n / width, 1 - n / width))


def blackman(M: int) -> ndarray:
    """Return the Blackman window.

    Parameters
    ----------
    M : int
        Number of points.

    Returns
    -------
    ndarray of float64, shape (M,)

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.blackman(3)[1].round(12))
    1.0
    """
    cos = by_name["cos"]
    return _window(M, lambda n, w: 0.42 + 0.5 * cos(np.pi * n / w) + 0.08 * cos(2.0 * np.pi * n / w))


def hamming(M: int) -> ndarray:
    """Return the Hamming window.

    Parameters
    ----------
    M : int
        Number of points.

    Returns
    -------
    ndarray of float64, shape (M,)

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.hamming(3)[1])
    1.0
    """
    return _window(M, lambda n, w: 0.54 + 0.46 * by_name["cos"](np.pi * n / w))


def hanning(M: int) -> ndarray:
    """Return the Hann window.

    Parameters
    ----------
    M : int
        Number of points.

    Returns
    -------
    ndarray of float64, shape (M,)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.hanning(3).tolist()
    [0.0, 1.0, 0.0]
    """
    return _window(M, lambda n, w: 0.5 + 0.5 * by_name["cos"](np.pi * n / w))


def kaiser(M: int, beta: float) -> ndarray:
    """Return the Kaiser window.

    Parameters
    ----------
    M : int
        Number of points.
    beta : float
        Shape.

    Returns
    -------
    ndarray of float64, shape (M,)

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.kaiser(3, 14.0)[1])
    1.0
    """
    _, m, b = _core.from_numpy(np.array([0.0, M, beta]), "cpu").tolist()
    if m == 1:
        return ones(1)
    half = (m - 1) / 2.0
    at = (arange(0, m) - half) / half
    return i0(b * by_name["sqrt"](1 - at * at)) / i0(b)


def i0(x: _ArrayLike) -> ndarray:
    """Compute the modified Bessel function of the first kind, of order zero.

    Parameters
    ----------
    x : array_like of real numbers

    Returns
    -------
    ndarray
        Of the type of `x`; float64 for integers.

    Raises
    ------
    TypeError
        `x` is complex.

    Notes
    -----
    Computed by the op of `bascule.special`, at most four units in the last place off.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.i0(0.0).round(15))
    1.0
    """
    x = as_array(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    return special_by_name["i0"](x, out=...).astype(x.dtype if x.dtype.kind == "f" else np.float64, copy=False)

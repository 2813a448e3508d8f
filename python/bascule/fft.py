"""Discrete Fourier transforms: scipy.fft with as many workers as bascule has threads (numpy.fft if SciPy is missing),
and cuFFT on the CUDA device."""

from __future__ import annotations

import importlib
import itertools
import math
import operator
import sys as _sys
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

import numpy as np

from . import _core, fallback
from ._array import caller_warnings as warned
from ._array.conversion import host_view
from ._core import ndarray
from .config import config
from .interop.protocols import overridable as _overridable
from .lib import pocketfft
from .lib.creation import arange
from .linalg.products import operand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._array.types import _ArrayLike, _Axes, _Norm


_HALF = ("irfft", "hfft")  # NumPy returns float16 for float16 input
# Transforms of real values that compute half of the frequencies; the other half is the mirror image.
_OF_REAL = {"fft": "rfft", "ifft": "ihfft", "fft2": "rfft2", "ifft2": "ihfft2", "fftn": "rfftn", "ifftn": "ihfftn"}
_WORTH_A_MIRROR = 1 << 17  # elements; for fewer, the calls take longer than they save
_SHORT = 4096  # elements; NumPy is faster than SciPy up to this length
_NO_AXES = (
    "`axes` should not be `None` if `s` is not `None` (Deprecated in NumPy 2.0). In a future version of NumPy, this will "
    "raise an error and `s[i]` will correspond to the size along the transformed axis specified by `axes[i]`. To retain "
    "current behaviour, pass a sequence [0, ..., k-1] to `axes` for an array of dimension k."
)
__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2",
    "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip


def _library() -> Any:
    try:
        return _sys.modules.get("scipy.fft") or pocketfft.compiled() or importlib.import_module("scipy.fft")
    except ImportError:
        return None


def _owned(r: np.ndarray, x: ndarray) -> ndarray:
    """A result of SciPy as an array that owns its memory."""
    if np.may_share_memory(r, host_view(x)):
        return _core.from_numpy(r, x.device)
    made = _core.from_numpy(r, x.device, share=True)
    _core.end_export(made)  # no other object knows the address
    return made


def _lengths_fit(lengths: Any) -> bool:
    try:
        return all(k is None or operator.index(k) > 0 or k == -1 for k in lengths)
    except TypeError:
        return False


def _in_place(library: Any, name: str, x: ndarray, options: dict[str, Any], to: ndarray) -> bool:
    """Transform complex values in place of the result; False if the transform changes the type or shape."""
    if name not in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn") or options.get("n", options.get("s")) is not None:
        return False
    if x.dtype.kind != "c" or to.dtype != x.dtype or to.shape != x.shape or not to.flags.c_contiguous:
        return False
    to[...] = x
    memory = host_view(to)
    r = getattr(library, name)(memory, **options, overwrite_x=True, workers=_core.get_num_threads())
    if not np.shares_memory(r, memory):
        to[...] = _core.from_numpy(r, x.device, share=True)
    return True


def _mirrored(half: ndarray, n: int, axes: list[int]) -> ndarray:
    """All `n` frequencies along the last of `axes`. The upper half is the conjugate of the lower half, reversed along
    each axis except for frequency 0. SciPy computes it in the same way, on one thread."""
    last, kept = axes[-1], half.shape[axes[-1]]
    to = _core.empty([n if d == last else extent for d, extent in enumerate(half.shape)], half.dtype, half.device)
    there, here = [slice(None)] * half.ndim, [slice(None)] * half.ndim
    there[last] = slice(kept)
    to[tuple(there)] = half
    there[last], here[last] = slice(kept, None), slice((n - 1) // 2, 0, -1)
    at_zero, beyond = (slice(1), slice(1)), (slice(1, None), slice(None, 0, -1))
    for parts in itertools.product((at_zero, beyond), repeat=len(axes) - 1):
        for axis, (to_part, from_part) in zip(axes, parts, strict=False):
            there[axis], here[axis] = to_part, from_part
        to[tuple(there)] = half[tuple(here)].conj()
    return to


def _of_real(library: Any, name: str, x: ndarray, host: np.ndarray, options: dict[str, Any]) -> ndarray | None:
    """All frequencies of a large real transform from SciPy's transform to half of them; None if it does not apply."""
    if name not in _OF_REAL or host.dtype.kind != "f" or x.size < _WORTH_A_MIRROR:
        return None
    half = _owned(getattr(library, _OF_REAL[name])(host, **options, workers=_core.get_num_threads()), x)
    lengths, axes = options.get("s", options.get("n")), options.get("axes", options.get("axis"))
    lengths = [lengths] if "n" in options else lengths
    axes = [axes] if "axis" in options else range(-len(lengths or x.shape), 0) if axes is None else axes
    axes = [operator.index(axis) % x.ndim for axis in axes]
    n = x.shape[axes[-1]] if not lengths or lengths[-1] in (None, -1) else operator.index(lengths[-1])
    return _mirrored(half, n, axes)


# ---- a device with its own transforms: see fourier_kind in core/array_algorithms_linear.hpp
_FORWARD, _BACKWARD, _FROM_REAL, _TO_REAL = range(4)
_SCALES = {
    None: (False, True),
    "backward": (False, True),
    "forward": (True, False),
    "ortho": (True, True),
}  # whether the forward and the backward transforms are divided by n; by its root if both are
_AXES_AT_ONCE = 3


def _axes_and_lengths(name: str, x: ndarray, options: dict[str, Any]) -> tuple[list[int], list[int]] | None:
    """The axes and their lengths; None if NumPy raises an error."""
    back_to_real = name[:2] in ("ir", "hf")
    try:
        if "axis" in options:
            axes, given = [operator.index(options["axis"])], [options["n"]]
        else:
            s, axes = options["s"], options["axes"]
            if axes is None:
                axes = range(-len(s if s is not None else x.shape), 0)
            axes = [operator.index(k) for k in axes]
            given = (
                [None] * len(axes)
                if s is None
                else [x.shape[k] if n == -1 else n for n, k in zip(s, axes, strict=True)]
            )
        if not axes or not all(-x.ndim <= k < x.ndim for k in axes) or options["norm"] not in _SCALES:
            return None
        lengths = [x.shape[k] if n is None else operator.index(n) for n, k in zip(given, axes, strict=True)]
    except (TypeError, ValueError, IndexError):
        return None
    if back_to_real and given[-1] is None:
        lengths[-1] = 2 * (lengths[-1] - 1)
    needs_real = name[:2] in ("rf", "ih")
    if min(lengths) < 1 or x.dtype.kind not in "biufc" or (needs_real and x.dtype.kind == "c"):
        return None
    return [k % x.ndim for k in axes], lengths


def _fitted(x: ndarray, axes: list[int], lengths: list[int]) -> ndarray:
    """Truncate or pad with zeros along each axis."""
    there = [slice(None)] * x.ndim
    shape = list(x.shape)
    for axis, n in zip(axes, lengths, strict=True):
        there[axis], shape[axis] = slice(min(n, shape[axis])), n
    cut = x[tuple(there)]
    if list(cut.shape) == shape:
        return cut
    to = _core.full(shape, 0, x.dtype, x.device)
    to[tuple(there)] = cut
    return to


def _along_last(kind: int, x: ndarray, axes: list[int], n: int = 0) -> ndarray:
    """Transform along these axes, which must be the last ones on the device."""
    if axes == list(range(x.ndim - len(axes), x.ndim)):
        return _core.fourier(kind, x, len(axes), n)
    order = [k for k in range(x.ndim) if k not in axes] + axes
    r = _core.fourier(kind, x.transpose(order), len(axes), n)
    return r.transpose([order.index(k) for k in range(x.ndim)]).copy()


def _complex_along(kind: int, x: ndarray, axes: list[int]) -> ndarray:
    for k in range(0, len(axes), _AXES_AT_ONCE):
        x = _along_last(kind, x, axes[k : k + _AXES_AT_ONCE])
    return x


def _real_along(x: ndarray, axis: int, n: int) -> ndarray:
    """From the non-negative frequencies to n real values; imaginary parts that these cannot have are ignored."""
    x = _fitted(x, [axis], [n // 2 + 1]).copy()
    for end in (0, n // 2)[: 2 if n % 2 == 0 else 1]:
        there = (*[slice(None)] * axis, end)
        x[there] = x[there].real
    return _along_last(_TO_REAL, x, [axis], n)


def _one_by_one(name: str, x: ndarray, axes: list[int], lengths: list[int]) -> ndarray:
    """Transform along one axis after another, as axes may be repeated."""
    kind = _BACKWARD if name.startswith("i") else _FORWARD
    for axis, n in zip(axes[::-1], lengths[::-1], strict=True):
        x = _complex_along(kind, _fitted(x, [axis], [n]), [axis])
    return x


def _on_device(name: str, x: ndarray, options: dict[str, Any]) -> ndarray:
    found = _axes_and_lengths(name, x, options)
    if found is None:
        getattr(np.fft, name)(np.broadcast_to(np.zeros((), x.dtype), x.shape), **options)  # raises NumPy's own error
        raise NotImplementedError(f"[fft.{name}] does not run on {x.device} yet for these axes and lengths")
    axes, lengths = found
    single = x.dtype.char in "efF"
    of_real, back_to_real = name[:2] in ("rf", "ih"), name[:2] in ("ir", "hf")
    *others, last = axes
    divided = _SCALES[options["norm"]]
    # hfft is a backward transform and ihfft a forward one, despite their names.
    scale = math.prod(lengths) if divided[name.startswith("i")] else 1
    x = x.astype(("f4" if single else "f8") if of_real else ("c8" if single else "c16"))
    if of_real:
        x = _fitted(x, axes, lengths)
        if len(set(axes)) < len(axes):
            raise NotImplementedError(f"[fft.{name}] does not run on {x.device} along an axis more than once")
        together = axes if len(axes) <= _AXES_AT_ONCE else [last]
        r = _along_last(_FROM_REAL, x, together)
        r = _complex_along(_FORWARD, r, others) if together == [last] else r
    elif back_to_real:
        if len(set(axes)) < len(axes):
            raise NotImplementedError(f"[fft.{name}] does not run on {x.device} along an axis more than once")
        x = x.conj() if name == "hfft" else x
        r = _real_along(_complex_along(_BACKWARD, _fitted(x, others, lengths[:-1]), others), last, lengths[-1])
    elif len(set(axes)) < len(axes):
        r = _one_by_one(name, x, axes, lengths)
    else:
        r = _complex_along(_BACKWARD if name.startswith("i") else _FORWARD, _fitted(x, axes, lengths), axes)
    if scale != 1:
        r = r * (1 / math.sqrt(scale) if all(divided) else 1 / scale)
    return r.conj() if name == "ihfft" else r


def _is_short(a: Any, options: dict[str, Any]) -> bool:
    """Whether the elements that are transformed, padded or cut to the lengths `s`, are few."""
    s, axes = options.get("s"), options.get("axes")
    if s is None or axes is None:
        return s is None and a.size <= _SHORT
    try:
        lengths = list(a.shape)
        for axis, k in zip(axes, s, strict=True):
            lengths[axis] = k
        return all(k > 0 for k in lengths) and max(a.size, math.prod(lengths)) <= _SHORT
    except (TypeError, ValueError, IndexError):
        return False  # NumPy's error, or lengths that mean something else


def _transform(name: str, a: Any, out: Any, lengths: Any, **options: Any) -> Any:
    if type(a) in (ndarray, np.ndarray) and _is_short(a, options):
        here = a.dtype.char in "fdFD" and (a.device if type(a) is ndarray else config.device) == "cpu"
        if here and (out is None or type(out) in (ndarray, np.ndarray)):
            r = getattr(np.fft, name)(np.asarray(a), **options)  # does not import SciPy
            return _core.from_numpy(r, "cpu") if out is None else _stored(name, r, out)
    x = operand(a)
    if out is not None and not isinstance(out, (ndarray, np.ndarray)):
        raise TypeError("return arrays must be of ArrayType")
    if x.device.startswith("cuda"):
        r = _on_device(name, x, options)
        r = r.astype(np.float16) if x.dtype == np.float16 and name in _HALF else r
        return r if out is None else _stored(name, r, out)
    theirs, library = getattr(np.fft, name), _library()
    if library is None:
        return fallback.in_numpy(theirs, (x,), {**options, "out": out}, "fft." + name, "SciPy is not installed")
    why = (
        None
        if x.dtype.kind in "biufc" and _lengths_fit(lengths)
        else "elements are no numbers, or lengths not positive"
    )
    if why is None:
        try:
            to = out if type(out) is ndarray else _core.empty(x.shape, x.dtype, x.device) if out is None else None
            if to is not None and x.dtype.kind == "c" and _in_place(library, name, x, options, to):
                return to
            host = host_view(x)
            host = host.astype(np.float64) if host.dtype.kind in "biu" else host
            if out is None and (made := _of_real(library, name, x, host, options)) is not None:
                return made
            r = getattr(library, name)(host, **options, workers=_core.get_num_threads())
        except (TypeError, ValueError, IndexError, OverflowError) as refused:  # an invalid argument
            why = f"scipy.fft says: {refused}"
    if why is not None:
        r = theirs(host_view(x), **options)  # raises NumPy's error, or computes a case that SciPy refuses
        fallback.count("fft." + name, why)
    if x.dtype == np.float16 and name in _HALF:
        r = r.astype(np.float16)
    return _owned(r, x) if out is None else _stored(name, r, out)


def _stored(name: str, r: Any, out: Any) -> Any:
    if not np.can_cast(r.dtype, out.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc '{name}' output from {r.dtype!r} to {out.dtype!r} with casting rule 'same_kind'"
        )
    if out.shape != r.shape:
        raise ValueError("output array has wrong shape.")
    if type(r) is ndarray:
        out[...] = r if type(out) is ndarray else r.get()
    else:
        out[...] = _core.from_numpy(r, "cpu", share=True) if type(out) is ndarray else r
    return out


class _AlongOne(Protocol):
    def __call__(
        self,
        a: _ArrayLike,
        n: int | None = None,
        axis: SupportsIndex = -1,
        norm: _Norm | None = None,
        out: ndarray | None = None,
    ) -> ndarray: ...


class _AlongSeveral(Protocol):
    def __call__(
        self,
        a: _ArrayLike,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = ...,
        norm: _Norm | None = None,
        out: ndarray | None = None,
    ) -> ndarray: ...


def _along_one(name: str, what: str) -> _AlongOne:
    def call(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
        return _transform(name, a, out, (n,), n=n, axis=axis, norm=norm)

    call.__doc__ = f"""{what}

    Parameters
    ----------
    a : array
        float32 and complex64 are transformed in their own precision, integers in float64.
    n : int, optional
        Length of the transformed axis of the result (of the input for transforms to complex values): shorter is cut, longer
        filled with zeros.
    axis : int
    norm : {{"backward", "ortho", "forward"}}, optional
        Which direction is divided by n, or both by its root.
    out : array, optional
        Output array.

    Returns
    -------
    array

    Raises
    ------
    ValueError
        A length below 1, an unknown `norm`, or an `out` of another shape.
    IndexError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fft.{name}([1.0, 1.0, 1.0, 1.0]).shape == bc.fft.{name}(bc.ones(4)).shape
    True
    """
    return _named(call, name)


def _along_several(name: str, what: str, default: tuple[int, int] | None) -> _AlongSeveral:
    def call(a: Any, s: Any = None, axes: Any = default, norm: str | None = None, out: Any = None) -> Any:
        if s is not None and axes is None:
            warned.warn(_NO_AXES, DeprecationWarning)
        if s is None and axes is not None and not len(axes) and name in ("fftn", "ifftn"):
            return _stored(name, host_view(operand(a)), out) if out is not None else operand(a).copy()
        return _transform(name, a, out, () if s is None else s, s=s, axes=axes, norm=norm)

    call.__doc__ = f"""{what}

    Parameters
    ----------
    a : array
        float32 and complex64 are transformed in their own precision, integers in float64.
    s : sequence of int, optional
        Lengths along the axes; -1 leaves one as it is.
    axes : sequence of int, optional
        All, or as many last ones as `s` has lengths.
    norm : {{"backward", "ortho", "forward"}}, optional
        Which direction is divided by the number of elements, or both by its root.
    out : array, optional
        Output array.

    Returns
    -------
    array

    Raises
    ------
    ValueError
        A length below 1, lengths that are not one an axis, an unknown `norm`, or an `out` of another shape.
    IndexError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fft.{name}(bc.ones((4, 4))).ndim
    2
    """
    return _named(call, name)


def _named(call: Any, name: str) -> Any:
    call.__name__ = call.__qualname__ = name
    return call


fft = _along_one("fft", "Discrete Fourier transform along an axis.")
ifft = _along_one("ifft", "Inverse of `fft`.")
rfft = _along_one("rfft", "Transform of real values: the n // 2 + 1 frequencies that are not negative.")
irfft = _along_one("irfft", "Inverse of `rfft`: n real values, 2 (m - 1) of m frequencies without `n`.")
hfft = _along_one("hfft", "Real transform of values that are Hermitian, of which one half is given.")
ihfft = _along_one("ihfft", "Inverse of `hfft`.")
fft2 = _along_several("fft2", "Discrete Fourier transform along two axes.", (-2, -1))
ifft2 = _along_several("ifft2", "Inverse of `fft2`.", (-2, -1))
rfft2 = _along_several(
    "rfft2", "Transform of real values along two axes; the last has half of the frequencies.", (-2, -1)
)
irfft2 = _along_several("irfft2", "Inverse of `rfft2`.", (-2, -1))
fftn = _along_several("fftn", "Discrete Fourier transform along several axes.", None)
ifftn = _along_several("ifftn", "Inverse of `fftn`.", None)
rfftn = _along_several(
    "rfftn", "Transform of real values along several axes; the last has half of the frequencies.", None
)
irfftn = _along_several("irfftn", "Inverse of `rfftn`.", None)


def _count(n: Any) -> int:
    try:
        return operator.index(n)
    except TypeError:
        raise ValueError("n should be an integer") from None


@_core.function
def fftfreq(n: int, d: float = 1.0, device: str | None = None) -> ndarray:
    """Return the sample frequencies of a discrete Fourier transform of n values with spacing d.

    Parameters
    ----------
    n : int
        Number of values.
    d : float, optional
        Spacing of the values.
    device : str, optional
        Device of the result; by default `config.device`.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    ValueError
        `n` is no integer.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fft.fftfreq(4, 0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    n = _count(n)
    k = arange(-(n // 2), n - n // 2, device=device)
    return ifftshift(k) * (1.0 / (n * d))


def rfftfreq(n: int, d: float = 1.0, device: str | None = None) -> ndarray:
    """Return the sample frequencies of a discrete Fourier transform of n real values with spacing d.

    Parameters
    ----------
    n : int
        Number of values.
    d : float, optional
        Spacing of the values.
    device : str, optional
        Device of the result; by default `config.device`.

    Returns
    -------
    ndarray of float64, shape (n // 2 + 1,)

    Raises
    ------
    ValueError
        `n` is no integer.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fft.rfftfreq(4, 0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    n = _count(n)
    return arange(0, n // 2 + 1, device=device) * (1.0 / (n * d))


def _shifted(x: Any, axes: Any, by: Any) -> ndarray:
    from .lib.manipulation import roll

    x = operand(x)
    if axes is None:
        axes = tuple(range(x.ndim))
    elif not isinstance(axes, (tuple, list)):
        axes = (operator.index(axes),)
    return roll(x, tuple(by(x.shape[k]) for k in axes), tuple(axes))


def fftshift(x: _ArrayLike, axes: _Axes = None) -> ndarray:
    """Shift the zero frequency to the centre.

    Parameters
    ----------
    x : array_like, any shape
    axes : int or sequence of int, optional
        Axes to shift; all of them when absent.

    Returns
    -------
    ndarray, shape x.shape

    Raises
    ------
    IndexError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fft.fftshift(bc.fft.fftfreq(4)).tolist()
    [-0.5, -0.25, 0.0, 0.25]
    """
    return _shifted(x, axes, lambda n: n // 2)


def ifftshift(x: _ArrayLike, axes: _Axes = None) -> ndarray:
    """Shift the zero frequency back to the front: the inverse of `fftshift`.

    Parameters
    ----------
    x : array_like, any shape
    axes : int or sequence of int, optional
        Axes to shift; all of them when absent.

    Returns
    -------
    ndarray, shape x.shape

    Raises
    ------
    IndexError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fft.ifftshift(bc.fft.fftshift(bc.arange(5))).tolist()
    [0, 1, 2, 3, 4]
    """
    return _shifted(x, axes, lambda n: -(n // 2))


def __dir__() -> list[str]:
    return sorted(__all__)


for _name in __all__:
    _overridable(_sys.modules[__name__], _name, getattr(np.fft, _name))
del _name

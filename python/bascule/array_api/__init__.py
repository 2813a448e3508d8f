"""The namespace of the Array API standard, edition 2025.12: what `x.__array_namespace__()` returns.

It is bascule's own namespace, except where the standard contradicts NumPy's signature or result, which bascule keeps.
Results without axes are arrays here, where NumPy returns scalars, and so are the results of operators on them. These
also differ: `argsort`, `clip`, `expm1`, `finfo`, `sort`, `tanh`, the lists of `__array_namespace_info__`, and
`fft.fftfreq`, `fft.rfftfreq`, `linalg.eig`, `linalg.eigvals`.
"""

from __future__ import annotations

import typing as _typing

import numpy as _np

import bascule as _bascule

from .. import dtypes as _dtypes
from .._array.conversion import as_array as _as_array
from ..lib import sorting as _ordered
from ..lib.manipulation import flip as _flip
from ..lib.selection import clip as _clip
from . import fft as fft
from . import linalg as linalg
from . import special as special
from ._arrays import as_arrays as _as_arrays
from ._arrays import device_of as _device_of
from ._arrays import giving_arrays as _giving_arrays

_OWN = ("argsort", "clip", "expm1", "fft", "finfo", "linalg", "sort", "special", "tanh")
__array_api_version__ = "2025.12"


class _FloatLimits:
    """Limits of a floating type as Python numbers; the other attributes of NumPy's are available, too."""

    def __init__(self, limits: _np.finfo) -> None:
        self._limits = limits
        self.bits, self.dtype = int(limits.bits), limits.dtype
        self.eps, self.max, self.min = float(limits.eps), float(limits.max), float(limits.min)
        self.smallest_normal = float(limits.smallest_normal)

    def __getattr__(self, name: str) -> _typing.Any:
        if name.startswith("__") or name == "_limits":
            raise AttributeError(name)
        return getattr(self._limits, name)

    def __repr__(self) -> str:
        return repr(self._limits)


def finfo(type: _typing.Any, /) -> _FloatLimits:
    """Return the limits of a floating type.

    Parameters
    ----------
    type : dtype or ndarray
        Real or complex floating; for a complex type the limits are those of its parts.

    Returns
    -------
    object
        An object with `bits`, `eps`, `max`, `min` and `smallest_normal` as Python's numbers, and `dtype`.

    Raises
    ------
    ValueError
        The type is not floating.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> xp.finfo(xp.float64).eps
    2.220446049250313e-16
    """
    return _FloatLimits(_dtypes.finfo(type))


@_giving_arrays
def sort(x: _typing.Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> _bascule.ndarray:
    """Return a sorted copy.

    Parameters
    ----------
    x : array_like
    axis : int, optional
        Axis to sort along.
    descending : bool, optional
        Sort in descending order, NaN first; equal elements keep their order.
    stable : bool, optional
        Whether equal elements keep their order; only zeros of different sign show it.

    Returns
    -------
    ndarray
        Of the type and shape of `x`.

    Raises
    ------
    AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> xp.sort(bc.asarray([3, 1, 2]), descending=True).tolist()
    [3, 2, 1]
    """
    if not descending:
        return _ordered.sort(x, axis, stable=stable)
    return _flip(_ordered.sort(_flip(_as_array(x), axis), axis, stable=stable), axis)


@_giving_arrays
def argsort(x: _typing.Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> _bascule.ndarray:
    """Return the indices that would sort an array.

    Parameters
    ----------
    x : array_like
    axis : int, optional
        Axis to sort along.
    descending : bool, optional
        Sort in descending order, NaN first.
    stable : bool, optional
        Whether equal elements keep their order; they do so with False, too.

    Returns
    -------
    ndarray of int64
        Of the shape of `x`.

    Raises
    ------
    AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> xp.argsort(bc.asarray([1, 3, 3]), descending=True).tolist()
    [1, 2, 0]
    """
    if not descending:
        return _ordered.argsort(x, axis, stable=stable)
    x = _as_array(x)
    positions = _ordered.argsort(_flip(x, axis), axis, stable=stable)
    return _flip(x.shape[axis] - 1 - positions, axis)


@_giving_arrays
def clip(
    x: _typing.Any, /, min: _typing.Any = None, max: _typing.Any = None, **kwargs: _typing.Any
) -> _bascule.ndarray:
    """Limit the elements to an interval.

    Parameters
    ----------
    x : array_like
    min, max : scalar or array_like, optional
        The limits; None is no limit.
    **kwargs
        Other arguments of `bascule.clip`.

    Returns
    -------
    ndarray
        Of the shape that `x`, `min` and `max` broadcast to.

    Raises
    ------
    ValueError
        The shapes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> xp.clip(bc.asarray([3, 1, 2]), max=2).tolist()
    [2, 1, 2]
    """
    return _clip(x, min, max, **kwargs)


@_giving_arrays
def expm1(x: _typing.Any, /) -> _bascule.ndarray:
    """Compute exp(x) - 1, for complex numbers with a real part that is never -0.

    Parameters
    ----------
    x : array_like

    Returns
    -------
    ndarray
        Of the shape of `x`.

    Raises
    ------
    TypeError
        The type is not numeric.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> complex(xp.expm1(bc.asarray(complex(-0.0, 0.0))))
    0j
    """
    r = _as_arrays(_bascule.expm1(x), _device_of((x,)))
    if r.dtype.kind == "c":
        r.real += 0.0
    return r


@_giving_arrays
def tanh(x: _typing.Any, /) -> _bascule.ndarray:
    """Compute the hyperbolic tangent; at infinite real parts the zero imaginary part has the sign of that of `x`.

    Parameters
    ----------
    x : array_like

    Returns
    -------
    ndarray
        Of the shape of `x`.

    Raises
    ------
    TypeError
        The type is not numeric.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> complex(xp.tanh(bc.asarray(complex(float("inf"), 2.0))))
    (1+0j)
    """
    r = _as_arrays(_bascule.tanh(x), _device_of((x,)))
    if r.dtype.kind == "c":
        x = _as_array(x)
        zero = _bascule.isinf(x.real) & _bascule.isfinite(x.imag)
        r.imag = _bascule.where(zero, _bascule.copysign(r.imag, x.imag), r.imag)
    return r


class _Information(_dtypes._Information):
    def devices(self) -> tuple[str, ...]:
        return tuple(super().devices())


def __array_namespace_info__() -> _Information:
    """Return devices, types and capabilities.

    Returns
    -------
    object
        With the methods `capabilities`, `default_device`, `default_dtypes`, `devices` and `dtypes` of the standard.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> "cpu" in xp.__array_namespace_info__().devices()
    True
    """
    return _Information()


globals().update(
    {
        name: _giving_arrays(found)
        for name, found in vars(_bascule).items()
        if name in _bascule.__all__ and name not in _OWN and not name.startswith("_")
    }
)
__all__ = sorted({*_bascule.__all__, *_OWN})


def __getattr__(name: str) -> _typing.Any:
    return _giving_arrays(getattr(_bascule, name))


def __dir__() -> list[str]:
    return sorted({*dir(_bascule), *_OWN})

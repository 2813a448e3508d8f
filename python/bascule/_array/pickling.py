"""Pickling arrays and ufuncs; from protocol 5 on an array's memory can be sent out of band, without a copy.

In the accelerated mode arrays on the CPU are pickled as NumPy's, so that a program without bascule can load them.
"""

from __future__ import annotations

import copyreg
import importlib
import operator
import pickle
from typing import Any, SupportsIndex

import numpy as np

from .. import _core
from .._core import ndarray
from ..interop import mode
from . import conversion


def _restore(data: Any, dtype: np.dtype, shape: tuple[int, ...], fortran: bool, scalar: bool, device: str) -> ndarray:
    n = np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")
    a = conversion.arrived(n, device)
    return _core.keep_scalar(a) if scalar else a


def _reduce_ex(self: Any, /, protocol: SupportsIndex) -> tuple[Any, ...]:
    if mode.pickles_are_theirs() and not self.device.startswith("cuda"):
        host = conversion.host_view(self)
        return (host[()] if _core.is_scalar(self) else host).__reduce_ex__(protocol)
    flags = self.flags
    fortran = flags.f_contiguous and not flags.c_contiguous
    rows = self.T if fortran else self
    if self.device.startswith("cuda"):
        host = _core.to_numpy(rows)
    else:
        host = conversion.host_view(
            rows if fortran or flags.c_contiguous else _core.astype(self, self.dtype, True, "C")
        )
    # Dates have no buffer format, and empty arrays have no bytes to export: both are sent as plain bytes.
    data = host.reshape(-1).view(np.uint8)
    buffer = pickle.PickleBuffer(data) if protocol >= 5 else data.tobytes()
    return _restore, (buffer, self.dtype, self.shape, fortran, _core.is_scalar(self), self.device)


def _reduce(self: Any, /) -> tuple[Any, ...]:
    return _reduce_ex(self, 2)


def _setstate(self: Any, state: tuple[Any, ...], /) -> None:
    """Set the array from the state of numpy.ndarray.__reduce__: (version,) shape, dtype, whether in Fortran order,
    bytes."""
    shape, dtype, fortran, data = state[-4:]
    n = np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")
    _core.become(self, _core.from_numpy(n, self.device))


class _Named:
    """A reference to a module, which is pickled by its name."""

    def __init__(self, name: str):
        self.name = name

    def __reduce__(self) -> tuple:
        return importlib.import_module, (self.name,)


def _ufunc(name: str) -> Any:
    import bascule

    return getattr(bascule, name)


def _reduce_ufunc(function: Any) -> tuple:
    if mode.pickles_are_theirs() and isinstance(getattr(np, function.__name__, None), np.ufunc):
        return operator.attrgetter(function.__name__), (_Named("numpy"),)
    return _ufunc, (function.__name__,)


def install() -> None:
    """Put the pickle protocol on the types."""
    ndarray.__reduce_ex__ = _reduce_ex
    ndarray.__reduce__ = _reduce
    ndarray.__setstate__ = _setstate
    copyreg.pickle(_core.ufunc, _reduce_ufunc)

"""The kinds of input that estimators take (NumPy's and pandas', arrays and frames of bascule) and give results in."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._array import conversion

ndarray = _core.ndarray


def is_on_device(x: Any) -> bool:
    """Whether x is an array on a GPU."""
    return type(x) is ndarray and x.device.startswith("cuda")


def is_frame(x: Any) -> bool:
    """Whether x is a frame, a series or an index of bascule."""
    return hasattr(type(x), "__bascule_to_pandas__")


def is_sparse(x: Any) -> bool:
    """Whether x is a sparse array of bascule or of SciPy."""
    if is_ours_sparse(x):
        return True
    from scipy import sparse

    return sparse.issparse(x)


def is_ours_sparse(x: Any) -> bool:
    return hasattr(type(x), "__bascule_sparse__")


def without_repeats(X: Any) -> Any:
    """A sparse array of SciPy with one element at each position, for squares; itself if it is so."""
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def shape_of(X: Any) -> tuple[float, ...]:
    """The shape of what has one, else an empty tuple; lengths that Dask does not know yet are NaN."""
    return tuple(n if isinstance(n, (int, float)) else np.nan for n in getattr(X, "shape", ()))


def shared(x: Any) -> Any:
    """The core's array over the memory of one of NumPy's; the core's arrays and None as they are."""
    return x if x is None or type(x) is ndarray else _core.from_numpy(x, "cpu", True)


class Kind:
    """The form of X in a call: all other arguments, results and fitted attributes follow it.

    Attributes
    ----------
    ours : bool
        Results are arrays of bascule.
    device : str
        The device on which X is.
    sparse : bool
        X is a sparse array of bascule, and so are results that are sparse.
    """

    __slots__ = ("ours", "device", "sparse")

    def __init__(self, ours: bool, device: str = "cpu", sparse: bool = False):
        self.ours, self.device, self.sparse = ours, device, sparse

    @classmethod
    def of(cls, x: Any) -> Kind:
        if type(x) is ndarray:
            return cls(True, x.device)
        if is_ours_sparse(x):
            return cls(True, x.device, True)
        return cls(True, x._device()) if is_frame(x) else HOST

    @property
    def on_host(self) -> bool:
        return not self.device.startswith("cuda")

    def take(self, x: Any, name: str) -> Any:
        """An argument as the computation reads it: arrays on the host as NumPy's over the same memory, and on a GPU all as
        arrays there."""
        where = Kind.of(x).device
        if where.startswith("cuda") and where != self.device:
            raise ValueError(f"[learn] X is on {self.device}, {name} is on {where}; move one: .to_device or .get()")
        if is_ours_sparse(x):
            if not self.on_host:
                raise NotImplementedError(
                    f"[learn] sparse rows are computed on the host, and {name} is on {x.device}; move it: .to_device"
                )
            return x.to_scipy()
        if self.on_host:
            return conversion.seen_by_numpy(x)
        if x is None or isinstance(x, (int, float)):
            return x
        if is_frame(x):
            x = x.values
        if type(x) is ndarray:
            return x.to_device(self.device)
        x = np.asarray(x)
        if name == "y" and not conversion.is_held(x.dtype):
            return x  # labels that arrays do not hold: their numbers are moved
        return _core.from_numpy(x, self.device, False)

    def give(self, x: Any) -> Any:
        """A result in the kind of X."""
        if self.sparse and is_sparse(x):
            from ..sparse import csc_array, csr_array

            return csc_array(x) if x.format == "csc" else csr_array(x)
        if not self.ours or not isinstance(x, np.ndarray) or not conversion.is_held(x.dtype):
            return x
        return _core.from_numpy(np.ascontiguousarray(x) if not self.on_host else x, self.device, self.on_host)


HOST = Kind(False)


def to_host(x: Any) -> Any:
    """A fitted attribute as NumPy's: over the same memory where that is the host's, else a copy."""
    if type(x) is not ndarray:
        return x
    return x.get() if is_on_device(x) else conversion.host_view(x)


def near(rows: Any, *arrays: Any) -> list[Any]:
    """Arrays of a model as NumPy's, or on the device of the rows where these are on one."""
    if not is_on_device(rows):
        return [to_host(x) for x in arrays]
    return [x if is_on_device(x) else _core.from_numpy(np.asarray(to_host(x), order="C"), rows.device, False) for x in arrays]  # fmt: skip

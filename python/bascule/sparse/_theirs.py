"""All other methods of sparse arrays: SciPy's, over the same memory, counted with a reason."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse as theirs

from .. import _core
from .._array import conversion
from ..fallback import count, refuse_on_gpu

_IN_PLACE = {"__setitem__", "eliminate_zeros", "prune", "resize", "setdiag", "sort_indices", "sum_duplicates"}
_OPERATORS = ("add", "radd", "sub", "rsub", "eq", "ne", "lt", "le", "gt", "ge", "rtruediv", "iadd", "isub", "divmod")


CLASSES: dict[str, Any] = {}  # ours, by the name of their form


class Rest:
    """The methods of SciPy's sparse arrays that are not computed here."""

    __slots__ = ()

    def _by_scipy(self: Any, name: str, reason: str, *args: Any, **kwargs: Any) -> Any:
        """The result of SciPy's method, with its arrays as ours; an array that it changes is changed."""
        said = f"sparse.{type(self).__name__}.{name}"
        refuse_on_gpu(said, reason, self.device, "SciPy")
        count(said, reason, "SciPy")
        them = self.to_scipy()
        if name in _IN_PLACE:
            them = them.copy()
        found = getattr(them, name)(*map(as_theirs, args), **{k: as_theirs(v) for k, v in kwargs.items()})
        if name in _IN_PLACE:
            self._changed(as_ours(them))
        return self if found is them else as_ours(found)

    def _without_repeats(self: Any) -> Any:
        """Itself, or with one element at each place where there are several."""
        if self._canonical:
            return self
        refuse_on_gpu(f"sparse.{type(self).__name__}", "repeated positions are added up there", self.device, "SciPy")
        them = self.to_scipy()
        if self._canonical:  # which is known by now
            return self
        before = them.nnz
        them.sum_duplicates()
        return self if them.nnz == before else as_ours(them)

    def __getattr__(self: Any, name: str) -> Any:
        if name.startswith("_") or not hasattr(self._class_of_theirs(), name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if not callable(getattr(self._class_of_theirs(), name)):
            return as_ours(getattr(self.to_scipy(), name))

        def method(*args: Any, **kwargs: Any) -> Any:
            return self._by_scipy(name, "not implemented natively", *args, **kwargs)

        return method

    def __dir__(self: Any) -> list[str]:
        return sorted({*object.__dir__(self), *(n for n in dir(self._class_of_theirs()) if not n.startswith("_"))})


def _operator(name: str) -> Any:
    def operate(self: Any, other: Any) -> Any:
        return self._by_scipy(name, "not implemented natively", other)

    operate.__name__ = name
    return operate


for _name in _OPERATORS:
    if hasattr(theirs.csr_array, f"__{_name}__"):
        setattr(Rest, f"__{_name}__", _operator(f"__{_name}__"))
Rest.__hash__ = object.__hash__  # type: ignore[method-assign]


def as_theirs(x: Any) -> Any:
    """An argument as SciPy reads it."""
    if isinstance(x, Rest):
        return x.to_scipy()  # type: ignore[attr-defined]
    if type(x) is _core.ndarray:
        return conversion.host_view(x)
    return tuple(map(as_theirs, x)) if type(x) is tuple else x


def as_ours(x: Any) -> Any:
    """A result of SciPy with arrays of bascule; sparse arrays of other forms stay SciPy's."""
    if theirs.issparse(x):
        if x.format not in ("csr", "csc") or x.ndim != 2 or not conversion.is_held(x.dtype):
            return x
        arrays = (_core.from_numpy(a, "cpu", True) for a in (x.data, x.indices, x.indptr))
        return CLASSES[x.format]._of(*arrays, x.shape)
    if isinstance(x, np.ndarray) and conversion.is_held(x.dtype):
        return _core.from_numpy(x, "cpu", True)
    return tuple(map(as_ours, x)) if type(x) is tuple else x

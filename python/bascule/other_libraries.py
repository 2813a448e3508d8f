"""Libraries that sort arrays by class and have no entry point for others: told of ours when they are imported."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core, after_import, conversion


def _einops(module: Any) -> None:
    class BasculeBackend(module.NumpyBackend):
        framework_name = "bascule"

        def __init__(self) -> None:
            import bascule

            self.np = bascule

        def from_numpy(self, x: np.ndarray) -> _core.ndarray:
            return self.np.asarray(x)

        def to_numpy(self, x: _core.ndarray) -> np.ndarray:
            return np.asarray(x)

    module.BasculeBackend = BasculeBackend  # einops looks through the subclasses that are alive


def _xarray(module: Any) -> None:
    """xarray has no pointwise indexing for arrays of the Array API, as the standard has none: ours can."""
    adapter = module.ArrayApiIndexingAdapter
    read, write = adapter._vindex_get, adapter._vindex_set

    def _vindex_get(self: Any, indexer: Any) -> Any:
        if type(self.array) is _core.ndarray:
            return module.NumpyVIndexAdapter(self.array)[indexer.tuple]
        return read(self, indexer)

    def _vindex_set(self: Any, indexer: Any, value: Any) -> None:
        if type(self.array) is _core.ndarray:
            module.NumpyVIndexAdapter(self.array)[indexer.tuple] = value
        else:
            write(self, indexer, value)

    adapter._vindex_get, adapter._vindex_set = _vindex_get, _vindex_set


def _numba(_: Any) -> None:
    """Stencils ask for the type of their arguments before numba has looked for extensions."""
    from . import numba_types  # noqa: F401


def _as_numpy(x: Any) -> Any:
    """An array of ours, or those in a list, as NumPy's over the same memory; all else as it is."""
    if type(x) is list:
        return [_as_numpy(v) for v in x] if any(type(v) is _core.ndarray for v in x) else x
    return conversion.seen_by_numpy(x)


def _taking_arrays(position: int, name: str) -> Callable[[Any], None]:
    """What lets a function or method of a module take our arrays as its argument at a position where it takes NumPy's."""

    def tell(module: Any) -> None:
        *path, last = name.split(".")
        owner = functools.reduce(lambda o, n: getattr(o, n, None), path, module)
        theirs = getattr(owner, last, None)
        if theirs is None:
            return  # of another version, which refuses arrays in its own words

        @functools.wraps(theirs)
        def taking(*args: Any, **keywords: Any) -> Any:
            if len(args) > position:
                args = (*args[:position], _as_numpy(args[position]), *args[position + 1 :])
            return theirs(*args, **keywords)

        setattr(owner, last, taking)

    return tell


# pandas asks `isinstance(x, numpy.ndarray)` where keys, masks, groups and operands of two axes come in.
_PANDAS = {
    "pandas.core.common": _taking_arrays(0, "apply_if_callable"),
    "pandas.core.algorithms": _taking_arrays(0, "_ensure_arraylike"),
    "pandas.core.frame": _taking_arrays(1, "DataFrame._align_for_op"),
    "pandas.core.groupby.grouper": _taking_arrays(1, "get_grouper"),
    "pandas.core.groupby.groupby": _taking_arrays(1, "get_grouper"),
}


def install() -> None:
    """Tell them, now or when they are imported."""
    after_import.fill({"einops._backends": _einops, "xarray.core.indexing": _xarray, "numba": _numba, **_PANDAS})

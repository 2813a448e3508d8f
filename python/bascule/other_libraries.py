"""Libraries that sort arrays by class and have no entry point for others: told of ours when they are imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, after_import


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


def install() -> None:
    """Tell them, now or when they are imported."""
    after_import.fill({"einops._backends": _einops, "xarray.core.indexing": _xarray, "numba": _numba})

"""Functions of Dask that write SciPy's names into their graphs, replaced by ones that look at the chunks first.

Only collections and chunks of bascule's own class take the new ways; `undo` puts the old functions back.
"""

from __future__ import annotations

import functools
from typing import Any

from .. import _core, fallback
from . import _chunks

ndarray = _core.ndarray

_replaced: list[tuple[Any, str, Any]] = []


def replace(module: Any, name: str, by: Any) -> None:
    """Put something in the place of a member of a module or class, and remember what was there.

    A function that was patched before its module was copied from is there already: then what it replaces is remembered.
    """
    old = vars(module)[name]
    function = getattr(old, "__func__", old)
    if function is getattr(by, "__func__", by):
        function = function.__wrapped__
        old = staticmethod(function) if isinstance(old, staticmethod) else function
    _replaced.append((module, name, old))
    setattr(module, name, by)


def undo() -> None:
    """Put Dask's own functions back."""
    while _replaced:
        module, name, old = _replaced.pop()
        setattr(module, name, old)


def solve_triangular_safe(a: Any, b: Any, lower: bool = False) -> Any:
    """``dask.array.utils.solve_triangular_safe``, whose result is of the chunks' class."""
    import scipy.linalg

    if type(a) is not ndarray and type(b) is not ndarray:
        return scipy.linalg.solve_triangular(a, b, lower=lower)
    return fallback.in_numpy(
        scipy.linalg.solve_triangular,
        (a, b),
        {"lower": lower},
        "linalg.solve_triangular",
        "SciPy's code on shared memory",
    )


def _lu(old: Any) -> Any:
    @functools.wraps(old)
    def lu(a: Any) -> tuple[Any, Any, Any]:
        if type(getattr(a, "_meta", None)) is not ndarray:
            return old(a)
        if a._meta.device.startswith("cuda"):
            raise NotImplementedError(
                "[da.linalg.lu] factors on the CPU only, and the chunks lie on a GPU: take them home by to_backend('numpy')"
            )
        fallback.count("dask.array.linalg.lu", "SciPy's code on shared memory")
        from ._array import to_bascule

        return tuple(x.map_blocks(to_bascule, device=a._meta.device) for x in old(a.map_blocks(_chunks.to_numpy)))

    return lu


def linalg(module: Any) -> None:
    """Patch ``dask.array.linalg``."""
    replace(module, "solve_triangular_safe", solve_triangular_safe)
    replace(module, "lu", _lu(module.lu))

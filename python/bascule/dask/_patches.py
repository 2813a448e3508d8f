"""Functions of Dask replaced: those that write SciPy's names into their graphs, and those that lose an array without axes.

The new ones look at the chunks first, and only collections and chunks of bascule's own class take the new ways, but that
asarray=False is heard whatever the chunks are; `undo` puts the old functions back.
"""

from __future__ import annotations

import functools
from typing import Any

from .. import _core, fallback
from ..lib import creation
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


def _meta(old: Any) -> Any:
    """An array without axes keeps its class and its device; Dask's own takes ``x[()]``, which is NumPy's scalar."""

    @functools.wraps(old)
    def meta_from_array(x: Any, ndim: int | None = None, dtype: Any = None) -> Any:
        meta = getattr(x, "_meta", x)
        if meta is ndarray:
            meta = ndarray((0,) * (ndim or 0), dtype=dtype)
        if type(meta) is not ndarray or meta.ndim:
            return old(x, ndim, dtype)
        if ndim:
            return old(meta[None], ndim, dtype)
        return meta if dtype is None else meta.astype(dtype, copy=False)

    return meta_from_array


def core(module: Any) -> None:
    """Patch ``dask.array.core``."""
    replace(module, "meta_from_array", _meta(module.meta_from_array))


def _arg_reduction(old: Any) -> Any:
    """Dask asks the class of positions of a whole array's, which is a scalar."""

    @functools.wraps(old)
    def arg_reduction(x: Any, *args: Any, **kwargs: Any) -> Any:
        made = old(x, *args, **kwargs)
        if type(x._meta) is ndarray and made.ndim:
            made._meta = creation.empty((0,) * made.ndim, made.dtype, device=x._meta.device)
        return made

    return arg_reduction


def reductions(module: Any) -> None:
    """Patch ``dask.array.reductions``."""
    replace(module, "arg_reduction", _arg_reduction(module.arg_reduction))


def _getter_task(old: Any) -> Any:
    """Where Dask fuses selections it forgets that asarray=False was said by keyword, and turns scalars into NumPy's arrays."""

    @functools.wraps(old)
    def _is_getter_task(value: Any) -> Any:
        found = old(value)
        if not found or "asarray" not in value.kwargs:
            return found
        get, array, index, _, lock = found
        return get, array, index, value.kwargs["asarray"], lock

    return _is_getter_task


def optimization(module: Any) -> None:
    """Patch ``dask.array.optimization``."""
    replace(module, "_is_getter_task", _getter_task(module._is_getter_task))

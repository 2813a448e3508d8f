"""Functions of Dask replaced: those that write SciPy's names into their graphs, and those that lose the class of chunks.

The new ones look at the chunks first, and only collections and chunks of bascule's own class take the new ways, but that
asarray=False is heard whatever the chunks are; `undo` puts the old functions back.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .. import _core, fallback
from ..interop import numpys_calls
from ..lib import creation
from . import _chunks, _unique

ndarray = _core.ndarray

_replaced: list[tuple[Any, str, Any]] = []
_INHERITED = object()  # a class inherits the member


def replace(module: Any, name: str, by: Any) -> None:
    """Replace a member of a module or class, and remember the original.

    A function that was patched before its module was copied from is there already: then what it replaces is remembered.
    """
    old = vars(module).get(name, _INHERITED)
    function = getattr(old, "__func__", old)
    if function is getattr(by, "__func__", by):
        function = function.__wrapped__
        old = staticmethod(function) if isinstance(old, staticmethod) else function
    _replaced.append((module, name, old))
    setattr(module, name, by)


def undo() -> None:
    """Restore Dask's own functions."""
    while _replaced:
        module, name, old = _replaced.pop()
        delattr(module, name) if old is _INHERITED else setattr(module, name, old)


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
                "[da.linalg.lu] factors on the CPU only, and the chunks are on a GPU: convert them with to_backend('numpy')"
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


def _noted(old: Any) -> Any:
    """A graph made of collections with chunks of ours says so, and on which device they lie."""
    function = old.__func__

    @functools.wraps(function)
    def from_collections(cls: Any, name: str, layer: Any, dependencies: Any = ()) -> Any:
        made = function(cls, name, layer, dependencies)
        for x in dependencies:
            meta = getattr(x, "_meta", None)
            if type(meta) is ndarray:
                made._bascule_device = meta.device
                break
        return made

    return classmethod(from_collections)


def graphs(module: Any) -> None:
    """Patch ``dask.highlevelgraph``."""
    replace(module.HighLevelGraph, "from_collections", _noted(vars(module.HighLevelGraph)["from_collections"]))


def _of_its_sources(old: Any) -> Any:
    """Where Dask does not know what a function makes of chunks, they are of the class of those that it was given."""

    @functools.wraps(old)
    def __new__(cls: Any, dask: Any, name: Any, chunks: Any, dtype: Any = None, meta: Any = None, shape: Any = None) -> Any:  # fmt: skip
        device = getattr(dask, "_bascule_device", None) if meta is None and dtype is not None else None
        scalar = (
            chunks in ((), []) and device is not None and not device.startswith("cuda")
        )  # NumPy's, whose meta Dask makes
        if device is not None and not scalar and np.dtype(dtype).kind in "biufcmM":
            meta = creation.empty((), dtype, device=device)
        return old(cls, dask, name, chunks, dtype, meta, shape)

    return __new__


def core(module: Any) -> None:
    """Patch ``dask.array.core``."""
    replace(module, "meta_from_array", _meta(module.meta_from_array))
    replace(module.Array, "__new__", staticmethod(_of_its_sources(module.Array.__new__)))


def _same_class(old: Any) -> Any:
    """Dask asks the class of the results of a whole array's positions, which is a scalar, or of an array of NumPy's."""

    @functools.wraps(old)
    def like_its_argument(*args: Any, **kwargs: Any) -> Any:
        made = old(*args, **kwargs)
        metas = [m for m in (getattr(x, "_meta", None) for x in (*args, *kwargs.values())) if type(m) is ndarray]
        if metas and made.ndim:
            made._meta = creation.empty((0,) * made.ndim, made.dtype, device=metas[0].device)
        return made

    return like_its_argument


def reductions(module: Any) -> None:
    """Patch ``dask.array.reductions``."""
    numpys_calls.ASKING_FOR_RECORDS.add(module.__file__)
    replace(module, "arg_reduction", _same_class(module.arg_reduction))


def _counted(old: Any) -> Any:
    """Counts of points in a chunk, which Dask takes with the tuple that they came in and so makes NumPy's."""

    @functools.wraps(old)
    def counts_of_points(*args: Any) -> Any:
        found = old(*args)
        return found[0][None] if type(found[0]) is ndarray else found

    return counts_of_points


def _without_axes(old: Any) -> Any:
    """A chunk that is given no axes stays an array of its class, where Dask's meta is of the class of a sum."""

    @functools.wraps(old)
    def reshape(x: Any, *args: Any, **kwargs: Any) -> Any:
        made = old(x, *args, **kwargs)
        if type(x._meta) is ndarray and not made.ndim:
            made._meta = creation.empty((), made.dtype, device=x._meta.device)
        return made

    return reshape


def shapes(module: Any) -> None:
    """Patch ``dask.array.reshape``."""
    replace(module, "reshape", _without_axes(module.reshape))


def routines(module: Any) -> None:
    """Patch ``dask.array.routines``."""
    numpys_calls.ASKING_FOR_RECORDS.add(module.__file__)
    replace(module, "coarsen", _same_class(module.coarsen))
    replace(module, "unique_no_structured_arr", _unique.without_records(module.unique_no_structured_arr))
    for name in ("_block_histogramdd_rect", "_block_histogramdd_multiarg"):
        replace(module, name, _counted(getattr(module, name)))


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


def namespace(module: Any) -> None:
    """Patch ``dask.array``, which has functions of its modules under their names."""
    from dask.array import routines as theirs

    if vars(module).get("coarsen") in (theirs.coarsen, theirs.coarsen.__wrapped__):
        replace(module, "coarsen", theirs.coarsen)

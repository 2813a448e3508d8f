"""The op table as ufuncs: NumPy's names, docstrings from the table, and the methods of ufunc objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, fallback
from .conversion import as_array, as_arrays, as_value, is_array

ufunc = _core.ufunc
table: list[dict[str, Any]] = [row for row in _core.op_table()]
rows: dict[str, dict[str, Any]] = {row["name"]: row for row in table}
by_name: dict[str, Any] = {}

_NO_VALUE = np._NoValue
# What an aggregation of the core folds; the others are folded one by one along an axis.
_FOLD_METHODS = {
    "add": "sum",
    "multiply": "prod",
    "minimum": "min",
    "maximum": "max",
    "logical_and": "all",
    "logical_or": "any",
}
_REORDERABLE = {"add", "multiply", "minimum", "maximum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor",
                "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm", "hypot", "logaddexp", "logaddexp2"}  # fmt: skip


def _accuracy(row: dict[str, Any]) -> str:
    if row["ulp64"] == 0 and row["ulp32"] == 0:
        return "Exact: the correctly rounded result, with NumPy's bits."
    return (
        f"At most {row['ulp64']:g} units in the last place from the true result in float64 and {row['ulp32']:g} in float32, "
        f"for inputs from {row['low']:g} to {row['high']:g}."
    )


def _docstring(row: dict[str, Any]) -> str:
    name, count = row["name"], row["nin"]
    inputs = "x" if count == 1 else ", ".join(f"x{i + 1}" for i in range(count))
    shapes = "any shape" if count == 1 else "shapes that broadcast against one another"
    kinds = ", ".join(dict.fromkeys(str(a) for a, _ in row["types"]))
    results = ", ".join(dict.fromkeys(str(b) for _, b in row["types"]))
    integers = f" Integers and booleans are first cast to {row['integers_as']}." if row["integers_as"] != "bool" else ""
    source = f"\n    Source of the method: {row['source']}" if row["source"] else ""
    kind = next((str(a) for a, _ in row["types"] if a in ("float64", "int64")), str(row["types"][0][0]))
    sample = "bc.zeros(3, dtype='M8[s]')" if kind == "datetime64" else f"bc.ones(3, dtype=bc.{kind})"
    example = f"bc.{name}({', '.join([sample] * count)})"
    return f"""{name}({inputs}, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None)

    {row["doc"]}

    Parameters
    ----------
    {inputs} : array_like, {shapes}
        Types with a loop: {kinds}.{integers}
    out : ndarray, optional
        Where the result goes; it must have the broadcast shape.
    where : array_like of bool, optional
        Elements to compute; the others keep what `out` holds.
    casting, order, dtype
        As in NumPy.

    Returns
    -------
    ndarray
        Result of type {results}, by loop; a 0-d scalar for scalar inputs.

    Raises
    ------
    TypeError
        The inputs have no loop, or the result cannot be cast to `out`.
    ValueError
        The shapes do not broadcast.

    Notes
    -----
    {_accuracy(row)}{source}

    Examples
    --------
    >>> y = {example}
    """


def _install() -> None:
    for row in table:
        if not row["has_ufunc"]:
            continue
        u = row["ufunc"]
        u.__doc__ = _docstring(row)
        u.types = [np.dtype(a).char * row["nin"] + "->" + np.dtype(b).char for a, b in row["types"]]
        u.ntypes = len(u.types)
        u.signature = None
        u.__module__ = "bascule"
        u.__qualname__ = row["name"]
        for name in (row["name"], *row["aliases"].split()):
            by_name[name] = u


def _into(out: Any, result: Any) -> Any:
    """Writes a result to `out`, when there is one."""
    if out is None:
        return result
    target = out[0] if isinstance(out, tuple) else out
    if not is_array(target):
        raise TypeError("return arrays must be of ArrayType")
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        raise np._core._exceptions._UFuncOutputCastingError(np.add, "same_kind", result.dtype, target.dtype, 0)
    target[...] = result
    return target


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return np.lib.array_utils.normalize_axis_tuple(axis, ndim, "axis")


def _require_binary(self: Any, method: str) -> None:
    if self.nin != 2:
        raise ValueError(f"{method} only supported for binary functions")


def _fold_one_by_one(self: Any, a: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    if len(axes) > 1 and self.__name__ not in _REORDERABLE:
        raise ValueError(
            f"reduction operation '{self.__name__}' is not reorderable, so at most one axis may be specified"
        )
    if not axes:
        return a.copy()
    for axis in sorted(axes, reverse=True):
        a = _core.fold_with(self._number, a, axis, keepdims)
    return as_value(a)


def reduce(
    self: Any,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = _NO_VALUE,
    where: Any = True,
) -> Any:
    """Fold an array along one or more axes, as NumPy's ufunc.reduce does."""
    _require_binary(self, "reduce")
    a = as_array(array)
    method = _FOLD_METHODS.get(self.__name__)
    if a.ndim == 0 and axis == 0:
        axis = None
    options: dict[str, Any] = {}
    if initial is not _NO_VALUE:
        options["initial"] = initial
    if where is not True:
        options["where"] = where
    if method in ("all", "any") and (dtype is not None or "initial" in options):
        method = None
    if method is None:
        if options:
            call = {"axis": axis, "dtype": dtype, "keepdims": keepdims, **options}
            r = fallback.in_numpy(
                getattr(np, self.__name__).reduce, (a,), call, self.__name__ + ".reduce", "initial and where"
            )
            return _into(out, r)
        if dtype is not None:
            a = a.astype(dtype, copy=False)
        return _into(out, _fold_one_by_one(self, a, _axes(axis, a.ndim), bool(keepdims)))
    if dtype is not None:
        if method in ("min", "max"):
            a = a.astype(dtype, copy=False)
        else:
            options["dtype"] = dtype
    if isinstance(axis, list):
        axis = tuple(axis)
    if axis == ():
        return _into(out, a.copy())
    return getattr(a, method)(axis=axis, out=out, keepdims=keepdims, **options)


def accumulate(self: Any, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    """Results of folding ever longer parts along an axis, as NumPy's ufunc.accumulate."""
    _require_binary(self, "accumulate")
    a = as_array(array)
    if a.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    axis = np.lib.array_utils.normalize_axis_index(axis, a.ndim)
    if dtype is None and self.__name__ in ("add", "multiply") and out is None:
        dtype = running_dtype(a.dtype)
    r = _core.accumulate(self._number, a, axis, None if dtype is None else np.dtype(dtype))
    if a.dtype.kind == "m" and r.dtype.kind == "m":
        r = r.view(a.dtype)  # the core counts in units; which ones only the array knows
    return _into(out, r)


def running_dtype(t: np.dtype) -> np.dtype | None:
    """Type in which NumPy sums booleans and short integers; None: their own."""
    if t.kind in "bi" and t.itemsize < 8:
        return np.dtype(np.int64)
    if t.kind == "u" and t.itemsize < 8:
        return np.dtype(np.uint64)
    return None


def outer(self: Any, a: Any, b: Any, /, **kwargs: Any) -> Any:
    """The op on every pair of elements; the result has the shape a.shape + b.shape."""
    _require_binary(self, "outer")
    x, y = as_arrays(a, b)
    return self(_core.reshape(x, (*x.shape, *(1,) * y.ndim)), y, **kwargs)


_ADDED_AT = ("int64", "uint64", "float32", "float64", "complex64", "complex128")


def _add_at(a: Any, indices: Any, b: Any, subtract: bool) -> bool:
    """add.at and subtract.at of one array of positions, natively; False where that is not what is asked for."""
    if a.ndim != 1 or not a.flags.c_contiguous or str(a.dtype) not in _ADDED_AT or isinstance(indices, tuple):
        return False
    p, v = as_array(indices, a), b if type(b) in (int, float, complex) else as_array(b, a)
    if p.dtype.kind not in "iu" or np.result_type(a.dtype, v if not is_array(v) else v.dtype) != a.dtype:
        return False
    if not a.flags.writeable:
        raise ValueError("output array is read-only")
    v = as_array(np.asarray(v, a.dtype) if not is_array(v) else v, a).astype(a.dtype, copy=False)
    if v.ndim > p.ndim or any(m not in (1, n) for m, n in zip(v.shape[::-1], p.shape[::-1])):
        raise ValueError("array is not broadcastable to correct shape")
    if _core.shares_storage(v, a):
        v = v.copy()
    v = _core.broadcast_to(v, p.shape) if v.size != 1 else v
    p = p.astype(np.intp, copy=False)
    if p.size == 0:
        return True
    least, most = int(p.min()), int(p.max())
    for bad in (least, most):
        if not -a.size <= bad < a.size:
            raise IndexError(f"index {bad} is out of bounds for axis 0 with size {a.size}")
    if least < 0:
        p = rows["where"]["ufunc"](p < 0, p + a.size, p)
    elif _core.shares_storage(p, a):
        p = p.copy()
    _core.scatter_add(a, _core.reshape(p, (p.size,)), _core.reshape(-v if subtract else v, (v.size,)))
    return True


def at(self: Any, a: Any, indices: Any, b: Any = None, /) -> None:
    """The op in place on a[indices], once for each index, repeated ones too."""
    if not is_array(a):
        raise TypeError("first operand must be array")
    if self.__name__ in ("add", "subtract") and b is not None and _add_at(a, indices, b, self.__name__ == "subtract"):
        return
    rest = () if b is None else (b,)
    fallback.in_numpy(getattr(np, self.__name__).at, (a, indices, *rest), {}, self.__name__ + ".at")


def reduceat(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Folds of the parts of an axis that start at given positions; runs in NumPy."""
    _require_binary(self, "reduceat")
    return fallback.in_numpy(getattr(np, self.__name__).reduceat, args, kwargs, self.__name__ + ".reduceat")


_install()
for _method in (reduce, accumulate, outer, at, reduceat):
    setattr(ufunc, _method.__name__, _method)
__all__ = list(by_name)


def __getattr__(name: str) -> Any:
    try:
        return by_name[name]
    except KeyError:
        raise AttributeError(f"module 'bascule.ufuncs' has no attribute {name!r}") from None

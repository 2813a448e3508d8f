"""The op table as ufuncs: NumPy's names, docstrings from the table, and the methods of ufunc objects."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import _core
from . import ufunc_methods

ufunc = _core.ufunc
table: list[dict[str, Any]] = [row for row in _core.op_table()]
rows: dict[str, dict[str, Any]] = {row["name"]: row for row in table}
by_name: dict[str, Any] = {}
special_by_name: dict[str, Any] = {}  # names in bascule.special that are not NumPy's


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
    sample = sample.replace("ones", "zeros") if row["high"] < 1 else sample
    name = f"{row['space']}.{name}" if row["space"] else name
    example = f"bc.{name}({', '.join([sample] * count)})"
    return f"""{name}({inputs}, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None)

    {row["doc"]}

    Parameters
    ----------
    {inputs} : array_like, {shapes}
        Types with a loop: {kinds}.{integers}
    out : ndarray, optional
        Output array; it must have the broadcast shape.
    where : array_like of bool, optional
        Elements to compute; the others keep the values of `out`.
    casting, order, dtype
        As in NumPy.

    Returns
    -------
    ndarray
        Result of type {results}, by loop; a scalar where no operand has axes.

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
    >>> import bascule as bc
    >>> y = {example}
    >>> y.shape
    (3,)
    """


def describe(u: Any) -> None:
    """Give a ufunc its docstring and the list of its loops, for which the core asks when a program first does."""
    row = table[u._number]
    u.__doc__ = _docstring(row)
    theirs = getattr(np, row["name"], None) if not row["space"] else None
    # NumPy makes the calls in loops of types that arrays do not hold.
    if isinstance(theirs, np.ufunc):
        u.types = list(theirs.types)
    else:
        u.types = [np.dtype(a).char * row["nin"] + "->" + np.dtype(b).char for a, b in row["types"]]
    u.ntypes = len(u.types)


def _install() -> None:
    for row in table:
        if not row["has_ufunc"]:
            continue
        u = row["ufunc"]
        u.signature = None
        u.__module__ = "bascule" + (f".{row['space']}" if row["space"] else "")
        u.__qualname__ = row["name"]
        for name in (row["name"], *row["aliases"].split()):
            (special_by_name if row["space"] else by_name)[name] = u


def running_dtype(t: np.dtype) -> np.dtype | None:
    """Type in which NumPy sums booleans and short integers; None for all others, which keep theirs."""
    if t.kind in "bi" and t.itemsize < 8:
        return np.dtype(np.int64)
    if t.kind == "u" and t.itemsize < 8:
        return np.dtype(np.uint64)
    return None


_install()
ufunc_methods.install(ufunc)
_BY_NUMPYS = {
    getattr(np, name): ours for name, ours in by_name.items() if isinstance(getattr(np, name, None), np.ufunc)
}
_OTHERS_OF_NUMPYS = ("matmul", "matvec", "vecmat", "vecdot", "divmod", "modf")  # composed of other functions
_SCIPYS = ("scipy.special", "scipy.special._ufuncs", "scipy.special._special_ufuncs", "scipy.special._gufuncs")


def _is_in(function: Any, modules: tuple[str, ...]) -> bool:
    return any(getattr(sys.modules.get(m), function.__name__, None) is function for m in modules)


def library_of(function: Any) -> str | None:
    """The library, NumPy or SciPy, that a ufunc comes from."""
    if _is_in(function, ("numpy", "numpy._core.umath", "numpy.linalg._umath_linalg")):
        return "NumPy"
    return "SciPy" if _is_in(function, _SCIPYS) else None


def ours(function: Any) -> Any:
    """Our ufunc that replaces one of NumPy's or SciPy's; None for all others. The object decides, not its name, which a
    program's own ufunc may share."""
    if type(function) is ufunc:
        return function
    if not isinstance(function, np.ufunc):
        return None
    found = _BY_NUMPYS.get(function)
    if found is None and _is_in(function, _SCIPYS):
        found = by_name.get(function.__name__) or special_by_name.get(function.__name__)
    if found is None and function.__name__ in _OTHERS_OF_NUMPYS and _is_in(function, ("numpy",)):
        found = getattr(sys.modules["bascule"], function.__name__, None)
    return found


__all__ = list(by_name)


def __getattr__(name: str) -> Any:
    try:
        return by_name[name]
    except KeyError:
        raise AttributeError(f"module 'bascule.ufuncs' has no attribute {name!r}") from None

"""Covariances and correlations in windows: pairing of columns, and labels of results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.column import ndarray, plain
from .._fallback.native import NotNative
from .._theirs import pandas
from .common import BaseWindow, as_float64, is_number

Compute = Callable[[list[ndarray], list[ndarray]], list[ndarray]]


def pairwise(windows: BaseWindow, other: Any, every: bool | None, numeric_only: bool, compute: Compute) -> Any:
    """Pairs of the windows' columns and another's, or of all of their own."""
    if windows.method != "single":
        raise NotNative("method='table'")
    target = windows._target(numeric_only)
    if other is None:
        other, every = target, True if every is None else every
    else:
        if isinstance(other, (pandas.Series, pandas.DataFrame)):
            other = _fallback.from_pandas(other)
        if not hasattr(other, "_all_columns"):
            raise ValueError("other must be a DataFrame or Series")
        if windows._groups is not None:
            raise NotNative("other= together with groups")
        if other.ndim == 2 and numeric_only:
            other = other._select([i for i, c in enumerate(other._columns) if is_number(c)])
    if windows.on is not None:
        raise NotNative("pairs with on=")
    if target.ndim == 1 and other.ndim == 2:
        target, other = other, target
    if not (other._index is target._index or other._index.equals(target._index)):
        target, other = _aligned(windows, target, other, bool(every))
    if target.ndim == 1:
        return windows._finished(_of_series(windows, target, other, compute))
    if other.ndim == 1:
        y = windows._values(other, as_float64) * len(target._columns)
        return target._with(
            [plain(a) for a in _computed(compute, windows._values(target, as_float64), y)], target._index
        )
    return _all_pairs(windows, target, other, compute) if every else _same_labels(windows, target, other, compute)


def _computed(compute: Compute, x: list[ndarray], y: list[ndarray]) -> list[ndarray]:
    return compute(x, y) if x else []


def _aligned(windows: BaseWindow, target: Any, other: Any, every: bool) -> tuple[Any, Any]:
    """Both, reindexed to the union of their labels."""
    if windows._by_time() or (target.ndim == 2 and (every or other.ndim == 2)):
        raise NotNative("pairs of rows with different labels")
    axis = 0 if target.ndim == 2 or other.ndim == 2 else None
    return target.align(other, axis=axis) if axis is not None else target.align(other)


def _of_series(windows: BaseWindow, target: Any, other: Any, compute: Compute) -> Any:
    made = compute(windows._values(target, as_float64), windows._values(other, as_float64))[0]
    name = target._name if target is other or target._name == other._name else None
    return _classes.Series._new(plain(made), target._index, name)


def _same_labels(windows: BaseWindow, target: Any, other: Any, compute: Compute) -> Any:
    """Columns with those of the same label; missing where only one side has a label."""
    if target is other:
        x = windows._values(target, as_float64)
        return target._with([plain(a) for a in _computed(compute, x, x)], target._index)
    for which, frame in (("arg1", target), ("arg2", other)):
        if not frame._names.is_unique:
            raise ValueError(f"'{which}' columns are not unique")
    names = target._names.union(other._names)
    both = [n for n in names if n in target._names and n in other._names]
    x, y = (windows._values(f._select([f._position(n) for n in both]), as_float64) for f in (target, other))
    made = dict(zip(both, _computed(compute, x, y)))
    gone = bc.full(len(target), np.nan)
    return type(target)._new([plain(made.get(n, gone)) for n in names], names, target._index)


def _all_pairs(windows: BaseWindow, target: Any, other: Any, compute: Compute) -> Any:
    """A row for each row and column of the other, a column for each of the target."""
    rows, names = len(target), other._names
    k = len(names)
    if names.nlevels > 1 or not rows or not k:
        raise NotNative("pairs of no columns, of no rows, or of labels with levels")
    x, y = windows._values(target, as_float64), windows._values(other, as_float64)
    made = compute([a for a in x for _ in range(k)], y * len(x))
    columns = [plain(bc.stack(made[i * k : (i + 1) * k], axis=1).reshape(-1)) for i in range(len(x))]
    labels = target._index if windows._groups is None else windows._groups.labels(target._index)
    repeated = bc.repeat(bc.arange(rows), k)
    levels = [c.take(repeated) for c in labels._columns]
    of_columns = _indexes.from_pandas(names)._columns[0]
    levels.append(of_columns.take(_core.from_numpy(np.tile(np.arange(k), rows))))
    index = _indexes.MultiIndex._make(levels, [*labels._names, *names.names])
    return type(target)._new(columns, target._names, index)

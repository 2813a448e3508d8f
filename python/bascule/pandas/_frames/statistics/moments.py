"""Covariance and correlation of pairs of columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .... import _core
from ...._array.ufuncs import by_name, rows
from ..._columns import reported
from ..._columns.column import AnyColumn, ndarray

_select = rows["where"]["ufunc"]
_float64 = np.dtype(np.float64)
_LEAST_SQUARES = 1e-280  # the sums of squares below have lost digits
_SHORT = 4096  # rows; shorter arrays are computed immediately


def numbers_of(c: AnyColumn) -> ndarray:
    return c.plain_values("biuf", "moments").astype(_float64, copy=False)


def joint(x: ndarray, y: ndarray, ddof: int, least: int, correlation: bool) -> float:
    """Covariance or correlation over the rows where both are valid; NaN below `least` of them."""
    n = len(x)
    there = ~(by_name["isnan"](x) | by_name["isnan"](y))
    count = int(there.sum()) if n else 0
    if count < max(least, 2 if correlation else 1):
        return np.nan
    with np.errstate(all="ignore"):
        if count < n:
            x, y = _select(there, x, 0.0), _select(there, y, 0.0)
        dx, dy = x - float(x.sum()) / count, y - float(y.sum()) / count
        if count < n:
            dx, dy = _select(there, dx, 0.0), _select(there, dy, 0.0)
        both = np.float64(float((dx * dy).sum()))
        if not correlation:
            found = _shared(both, count - ddof)
        else:
            sizes = [np.float64(float((d * d).sum())) for d in (dx, dy)]
            if not all(_LEAST_SQUARES < size < np.inf for size in sizes):
                found = _scaled(dx, dy)
            else:
                found = np.clip(both / _root(*sizes), -1.0, 1.0)
    if not correlation and count <= ddof:
        reported.of_degrees_of_freedom()
    if not np.isfinite(both) and bool((by_name["isinf"](x) | by_name["isinf"](y)).any()):
        reported.of_distance()
    return found


def _shared(both: np.float64, degrees: Any) -> np.float64:
    """A sum of products divided by its degrees of freedom; where there are none, as NumPy multiplies by infinity."""
    return both / np.float64(degrees) if degrees > 0 else both * np.float64(np.inf)


def _scaled(dx: ndarray, dy: ndarray) -> Any:
    """The correlation of deviations whose squares overflow or underflow."""
    largest = [float(by_name["absolute"](d).max()) for d in (dx, dy)]
    if 0 in largest:
        return np.nan
    dx, dy = dx / largest[0], dy / largest[1]
    both, *sizes = (np.float64(float((a * b).sum())) for a, b in ((dx, dy), (dx, dx), (dy, dy)))
    return np.clip(both / _root(*sizes), -1.0, 1.0)


def _root(x: np.float64, y: np.float64) -> Any:
    """The root of a product, exact for a square: the correlation of a column with itself is 1."""
    if x == y:
        return x
    product = x * y
    return np.sqrt(product) if _LEAST_SQUARES < product < np.inf else np.sqrt(x) * np.sqrt(y)


def _sums(values: Iterable[ndarray], rows: int) -> list[float]:
    """Sums of several arrays. With an axis each sum is lazy, and all are evaluated together; callers should not hold the arrays."""
    if rows <= _SHORT:
        return [float(v.sum()) for v in values]
    waiting = [v.sum(keepdims=True) for v in values]
    _core.evaluate(*waiting)
    return [x.item() for x in waiting]


def _is_constant(x: ndarray, there: ndarray | None) -> bool:
    """Whether all values that are there are the same."""
    x = x if there is None else x[there]
    return bool((x == x[:1]).all())


def joint_table(values: list[ndarray], ddof: int, least: int, correlation: bool) -> np.ndarray:
    """`joint` for every pair of columns; common parts of pairs are computed once, in few passes.

    Correlations skip infinite values like missing ones, covariances only where some value is missing: such sums over pairs
    of rows follow pandas, whose ddof is then 1."""
    n, k = len(values[0]), len(values)
    gone = [~by_name["isfinite"](v) for v in values]
    if correlation:
        nulls = _sums(gone, n)
    else:
        missing = [by_name["isnan"](v) for v in values]
        counts = _sums((*gone, *missing), n)
        nulls, some_missing = counts[:k], any(counts[k:])
        if some_missing:
            ddof = 1
        else:
            gone, nulls = missing, counts[k:]
    pairs = [(i, j) for i in range(k) for j in range(i + 1)]
    some = [(i, j) for i, j in pairs if i != j and nulls[i] and nulls[j]]
    either = dict(zip(some, _sums((gone[i] | gone[j] for i, j in some), n)))

    def lacking(i: int, j: int) -> tuple[int, ...]:
        """The columns whose missing values are those of the pair."""
        if (i, j) not in either:
            return tuple(c for c in {i, j} if nulls[c])
        lost = either[i, j]
        return (i,) if lost == nulls[i] else (j,) if lost == nulls[j] else (i, j)

    rows_of = {pair: lacking(*pair) for pair in pairs}
    there = {key: ~(gone[key[0]] | gone[key[-1]]) for key in set(rows_of.values()) if key}
    count = {key: n - (either[key] if len(key) == 2 else nulls[key[0]] if key else 0) for key in rows_of.values()}
    kept = lambda key, x: _select(there[key], x, 0.0) if key else x
    used = sorted({(key, c) for pair, key in rows_of.items() for c in pair})
    table = np.full((k, k), np.nan)
    unshared = not correlation and not some_missing and least <= n <= ddof
    with np.errstate(all="ignore"):
        totals = _sums((kept(key, values[c]) for key, c in used), n)
        means = {at: total / max(count[at[0]], 1) for at, total in zip(used, totals)}
        apart = {(key, c): kept(key, values[c] - means[key, c]) for key, c in used}
        squares = [(at, at) for at in used] if correlation else []
        crossed = [((key, i), (key, j)) for (i, j), key in rows_of.items()]
        found = _sums((apart[a] * apart[b] for a, b in squares + crossed), n)
        sizes = {at: np.float64(size) for at, size in zip(used, found)}
        for (key, c), size in sizes.items() if correlation else ():  # the mean of equal values may be rounded
            error = np.float64(1e-12 * means[key, c])  # whose square may overflow
            if size <= n * error**2 and _is_constant(values[c], there.get(key)):
                sizes[key, c] = np.float64(0)
        for ((i, j), key), both in zip(rows_of.items(), found[len(squares) :]):
            if count[key] < max(least, 1):
                continue
            if correlation:
                size = _root(sizes[key, i], sizes[key, j])
                table[i, j] = np.clip(both / size, -1.0, 1.0) if size != 0 and count[key] > 1 else np.nan
            elif count[key] > ddof or unshared:
                table[i, j] = _shared(np.float64(both), count[key] - ddof)
            table[j, i] = table[i, j]
    if unshared:
        reported.of_degrees_of_freedom()
    elif not correlation and not some_missing and least <= n and any(bool(by_name["isinf"](v).any()) for v in values):
        reported.of_distance()
    return table

"""Widths of histogram bins, estimated from the data by published rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._array import caller_warnings as warned
from .._array.conversion import ndarray, to_numpy
from .._array.ufuncs import by_name
from .quantiles import percentile
from .reductions import mean, std


def _number(a: ndarray) -> Any:
    """A NumPy scalar with the type of the data."""
    return to_numpy(a)[()]


def span_of(first: Any, last: Any) -> Any:
    """last - first, for integers as unsigned ones, which cannot overflow."""
    t = np.result_type(last, first)
    if t.kind != "i":
        return np.subtract(last, first, dtype=t)
    unsigned = np.dtype(f"u{t.itemsize}")
    return np.subtract(np.asarray(last, t), np.asarray(first, t), casting="unsafe", dtype=unsigned)[()]


def _extent(x: ndarray) -> Any:
    return span_of(_number(x.min()), _number(x.max()))


def _square_root(x: ndarray, limits: Any, histogram: Callable[..., Any]) -> Any:
    return _extent(x) / np.sqrt(x.size)


def _sturges(x: ndarray, limits: Any, histogram: Callable[..., Any]) -> Any:
    return _extent(x) / (np.log2(x.size) + 1.0)


def _rice(x: ndarray, limits: Any, histogram: Callable[..., Any]) -> Any:
    return _extent(x) / (2.0 * x.size ** (1.0 / 3))


def _scott(x: ndarray, limits: Any, histogram: Callable[..., Any]) -> Any:
    return (24.0 * np.pi**0.5 / x.size) ** (1.0 / 3.0) * _number(std(x))


def _stone(x: ndarray, limits: Any, histogram: Callable[..., Any]) -> Any:
    """The number of bins with the least estimated squared error of the density."""
    n, extent = x.size, _extent(x)
    if n <= 1 or extent == 0:
        return 0

    def error(bins: int) -> float:
        shares = histogram(x, bins, limits)[0] / n
        return float((2 - (n + 1) * (shares * shares).sum()) * bins / extent)

    most = max(100, int(np.sqrt(n)))
    best = min(range(1, most + 1), key=error)
    if best == most:
        warned.warn("The number of bins estimated may be suboptimal.")
    return extent / best


def _doane(x: ndarray, limits: Any, histogram: Callable[..., Any]) -> Any:
    n = x.size
    if n <= 2:
        return 0.0
    sigma = _number(std(x))
    if not sigma > 0.0:
        return 0.0
    deviation = np.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
    scaled = (x - mean(x)) / sigma
    skewness = _number(mean(by_name["power"](scaled, 3)))
    return _extent(x) / (1.0 + np.log2(n) + np.log2(1.0 + np.absolute(skewness) / deviation))


def _freedman_diaconis(x: ndarray, limits: Any, histogram: Callable[..., Any]) -> Any:
    quartiles = to_numpy(percentile(x, [75, 25]))
    return 2.0 * np.subtract(*quartiles) * x.size ** (-1.0 / 3.0)


def _automatic(x: ndarray, limits: Any, histogram: Callable[..., Any]) -> Any:
    """The narrower of two rules, where the first is at least half of the third."""
    return min(
        max(_freedman_diaconis(x, limits, histogram), _square_root(x, limits, histogram) / 2),
        _sturges(x, limits, histogram),
    )


_RULES: dict[str, Callable[[ndarray, Any, Callable[..., Any]], Any]] = {
    "stone": _stone,
    "auto": _automatic,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _square_root,
    "sturges": _sturges,
}


def bin_count(
    a: ndarray, rule: str, range: Any, weights: Any, limits: tuple[Any, Any], histogram: Callable[..., Any]
) -> int:
    """Number of bins that a rule computes for the data within the limits; some rules need a `histogram`.

    Raises
    ------
    ValueError
        The rule is unknown.
    TypeError
        Weights are given.
    """
    if rule not in _RULES:
        raise ValueError(f"{rule!r} is not a valid estimator for `bins`")
    if weights is not None:
        raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    first, last = limits
    if range is not None:
        keep = (a >= first) & (a <= last)
        if not bool(keep.all()):
            a = a[keep]
    if a.size == 0:
        return 1
    width = _RULES[rule](a, limits, histogram)
    if not width:
        return 1
    if a.dtype.kind in "iu" and width < 1:
        width = 1
    return int(np.ceil(span_of(first, last) / width))

"""A stand-in for pandas' index of the intervals between edges, which are the categories of bins without names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from ._stand_ins import StandIn
from ._theirs import own, pandas


class EdgeIntervals(StandIn):
    """Intervals between neighbouring edges.

    Parameters
    ----------
    edges : numpy.ndarray of int64 or float64
        In ascending order.
    closed : {"left", "right"}
    """

    __class__ = property(lambda self: pandas.IntervalIndex)  # type: ignore[assignment]
    nlevels, ndim, name, is_unique, hasnans = 1, 1, None, True, False

    def __init__(self, edges: np.ndarray, closed: str):
        self.edges, self.closed, self._theirs = edges, closed, None

    def _made(self) -> Any:
        return pandas.IntervalIndex.from_breaks(self.edges, closed=self.closed)

    def _between(self, edges: np.ndarray) -> list[Any]:
        return [pandas.Interval(a, b, self.closed) for a, b in zip(edges, edges[1:])]

    @cached_property
    def labels(self) -> tuple[Any, ...]:
        """The intervals as pandas' scalars."""
        return tuple(self._between(self.edges))

    @cached_property
    def _at(self) -> dict[Any, int]:
        return {x: i for i, x in enumerate(self.labels)}

    @property
    def dtype(self) -> Any:
        return pandas.IntervalDtype(self.edges.dtype, self.closed)

    def rows(self, codes: np.ndarray) -> np.ndarray:
        """The intervals of some codes as objects, NaN for -1; their ends are floats where one is missing, as in pandas."""
        nulls = bool((codes < 0).any())
        kinds = np.empty(len(self) + 1, dtype=object)
        kinds[:-1] = self._between(self.edges.astype(np.float64)) if nulls else self.labels
        kinds[-1] = np.nan
        return kinds[codes]

    def __len__(self) -> int:
        return len(self.edges) - 1

    def __iter__(self) -> Iterator[Any]:
        return iter(self.labels)

    def tolist(self) -> list[Any]:
        """The intervals in a list."""
        return list(self.labels)

    def __contains__(self, key: Any) -> bool:
        hash(key)
        return isinstance(key, pandas.Interval) and key in self._at

    def get_loc(self, key: Any) -> Any:
        """The position of an interval; pandas looks for that of a number."""
        if not isinstance(key, pandas.Interval):
            return self.theirs.get_loc(key)
        if key not in self._at:
            raise KeyError(key)
        return self._at[key]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            return self.labels[key]
        return self.theirs[key]

    def equals(self, other: Any) -> bool:
        """Whether the other has the same intervals in the same order."""
        if type(other) is not EdgeIntervals:
            return self.theirs.equals(own(other))
        same = self.closed == other.closed and self.edges.dtype == other.edges.dtype
        return same and np.array_equal(self.edges, other.edges)

    def _is_like(self, other: Any) -> bool:
        return False

    def __reduce__(self) -> Any:
        return EdgeIntervals, (self.edges, self.closed)

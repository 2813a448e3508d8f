"""Splits of rows for cross-validation as ranges: what the training sets of a partition share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn import model_selection as theirs

from .._array import conversion
from ..fallback import refuse_on_gpu
from ._kinds import Kind, is_on_device

# Splitters whose test sets are a partition of the rows, and whose training sets are all other rows.
_PARTITIONS = (theirs.KFold, theirs.StratifiedKFold, theirs.GroupKFold, theirs.StratifiedGroupKFold)


def seen_by_splitters(name: str, kind: Kind, given: Any, taken: Any, cv: Any, classifier: bool) -> Any:
    """The targets that a splitter reads: labels in the host's memory as they were given. Splits by labels are made there, so
    those on a device are refused where `cv` is a number."""
    if kind.on_host or not classifier or given is None:
        return taken
    if not is_on_device(given):
        return conversion.seen_by_numpy(given)
    if not hasattr(cv, "split"):
        refuse_on_gpu(name, "folds are cut by labels on the host", kind.device, "scikit-learn")
    return taken


class Partition:
    """Rows in the order of their test sets.

    Attributes
    ----------
    order : array or None
        The rows fold by fold; None if they are in this order already.
    ranges : list of (int, int)
        The range of each fold in this order.
    """

    def __init__(self, order: np.ndarray | None, ranges: list[tuple[int, int]]):
        self.order, self.ranges = order, ranges

    def arranged(self, x: Any) -> Any:
        return x if self.order is None else x[self.order]


def partition(splitter: Any, splits: Sequence[tuple[Any, Any]], n: int) -> Partition | None:
    """The splits as a partition of n rows, or None where they are none."""
    tests = [np.asarray(test) for _, test in splits]
    if len(tests) < 2 or sum(map(len, tests)) != n or any(len(t) == 0 or t.dtype.kind != "i" for t in tests):
        return None
    if type(splitter) not in _PARTITIONS and not all(_is_rest(train, test, n) for train, test in splits):
        return None
    ends = np.cumsum([len(t) for t in tests])
    ranges = [(int(e) - len(t), int(e)) for e, t in zip(ends, tests)]
    if all(t[0] == i and t[-1] == j - 1 and (np.diff(t) == 1).all() for t, (i, j) in zip(tests, ranges)):
        return Partition(None, ranges)
    order = np.concatenate(tests)
    seen = np.zeros(n, bool)
    seen[order] = True
    return Partition(order, ranges) if seen.all() else None


def _is_rest(train: Any, test: np.ndarray, n: int) -> bool:
    """Whether the training rows are all that are not tested, each once."""
    train = np.asarray(train)
    if train.dtype.kind != "i" or len(train) + len(test) != n:
        return False
    seen = np.zeros(n, bool)
    seen[train] = True
    return int(seen.sum()) == len(train) and not seen[test].any()

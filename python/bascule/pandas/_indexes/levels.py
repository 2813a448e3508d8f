"""Construction of indexes with several levels from arrays, tuples and products."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _fallback
from .._columns.column import AnyColumn, Column, HostColumn, ndarray
from .._columns.infer import column
from .._stand_ins import Names, labelled, of_rows
from .._theirs import UNSET, is_loaded, load, pandas, unset
from .from_labels import labels
from .multi import range_order


def _column(x: Any) -> AnyColumn | None:
    """The labels of a level in a native type; None for others, and for those whose level has another type in pandas."""
    made = column(x) if not isinstance(x, (str, dict)) and hasattr(x, "__len__") else None
    if made is None or not made.has_core:
        return None
    return None if made.is_numeric and isinstance(x, list) and made.has_missing() else made


def _given(names: Any) -> dict:
    return {} if unset(names) else {"names": names}


def _in_pandas(name: str, /, *args: Any, **options: Any) -> Any:
    function = pandas.MultiIndex if name == "MultiIndex" else getattr(pandas.MultiIndex, name)
    called = name if name == "MultiIndex" else f"MultiIndex.{name}"
    return _fallback.run(called, "labels of other kinds, or options", function, *args, **options)


def _names_of(arrays: list, names: Any) -> list | None:
    """A name for each level; None where pandas has to raise the error."""
    if names is None:
        return [None] * len(arrays)
    found = [getattr(a, "name", None) for a in arrays] if unset(names) else names
    if not isinstance(found, (list, tuple)) or len(found) != len(arrays):
        return None
    return None if any(isinstance(n, (list, dict, set)) for n in found) else list(found)


def _objects(labels: list[Any]) -> AnyColumn | None:
    """Labels of a level that are strings and integers, or strings and booleans; None for others."""
    if set(map(type, labels)) not in ({str, int}, {str, bool}):
        return None
    made = np.empty(len(labels), dtype=object)
    made[:] = labels
    return HostColumn(made)


def _of_tuples(cls: Any, tuples: Any, names: Any, mixed: bool = False) -> Any:
    """Labels from one tuple for each row, `mixed` with strings and integers; None where pandas has to make them."""
    if not isinstance(tuples, list) or not tuples or not all(type(t) is tuple for t in tuples):
        return None
    if len(set(map(len, tuples))) > 1 or len(tuples[0]) < 2:
        return None
    columns = [_column(list(c)) or (_objects(list(c)) if mixed else None) for c in zip(*tuples)]
    called = _names_of(columns, names)
    return None if called is None or any(c is None for c in columns) else cls._make(columns, called)


def _labels_of_tuples(tuples: Any, names: Any = None) -> Any:
    """pandas' index of tuples, which label columns; its stand-in as long as pandas is not imported."""
    made = _of_tuples(_classes.MultiIndex, tuples, names, True)
    if made is not None:
        return of_rows(made)
    load()
    return pandas.MultiIndex.from_tuples(tuples, names=names)


def _labels_of_product(iterables: list[Any], names: Any = None) -> Any:
    """pandas' index of each label of one level with each of another, which label columns; its stand-in before."""
    if all(type(i) is list or (type(i) is Names and type(i.labels) is tuple) for i in iterables):
        return _labels_of_tuples(list(itertools.product(*iterables)), names)
    load()
    return pandas.MultiIndex.from_product(iterables, names=names)


def _labels_of_any(given: Any, *others: Any, tupleize_cols: bool = True, **options: Any) -> Any:
    """A stand-in for pandas' index of labels alone; None where only pandas knows their type."""
    if others or options or type(given) not in (list, range):
        return None
    made = labelled(given)
    if made is not None or not given:
        return made
    tuples = [type(k) is tuple for k in given]
    if any(tuples):
        there = _of_tuples(_classes.MultiIndex, given, None, True) if all(tuples) and tupleize_cols else None
    else:
        there = labels(given)
    return None if there is None else of_rows(there)


if not is_loaded():
    pandas.Index._instead = _labels_of_any  # type: ignore[attr-defined]
    pandas.MultiIndex.from_tuples = _labels_of_tuples  # type: ignore[method-assign]
    pandas.MultiIndex.from_product = _labels_of_product  # type: ignore[method-assign]


def _with_last(c: AnyColumn, order: Any, label: Any) -> Any:
    """The order of the labels of a level to which another one is added, the last if it is new; None if that is ascending."""
    there = list(dict.fromkeys(c.objects() if order is None else order.objects()))
    if order is not None and label in there:
        return order
    there = sorted(there) if order is None and len(set(map(type, there))) == 1 else there
    there = there if label in there else [*there, label]
    return None if len(set(map(type, there))) > 1 or there == sorted(there) else _column(there)


class LevelsMade:
    """The constructors of MultiIndex."""

    def __new__(
        cls, levels: Any = None, codes: Any = None, sortorder: Any = None, names: Any = None, copy: bool = False, name: Any = None, verify_integrity: bool = True
    ) -> Any:  # fmt: skip
        options = dict(sortorder=sortorder, copy=copy, name=name, verify_integrity=verify_integrity)
        return _in_pandas("MultiIndex", levels, codes, names=names, **options)

    @classmethod
    def from_arrays(cls, arrays: Any, sortorder: Any = None, names: Any = UNSET) -> Any:
        """Labels from one array for each level."""
        arrays = list(arrays) if isinstance(arrays, (list, tuple)) else arrays
        if sortorder is None and isinstance(arrays, list) and len(arrays) > 1:
            columns, called = [_column(a) for a in arrays], _names_of(arrays, names)
            if called is not None and all(c is not None for c in columns) and len(set(map(len, columns))) == 1:  # type: ignore[arg-type]
                return cls._make(columns, called)._ordered([range_order(a) for a in arrays])
        return _in_pandas("from_arrays", arrays, sortorder, **_given(names))

    @classmethod
    def from_tuples(cls, tuples: Any, sortorder: Any = None, names: Any = None) -> Any:
        """Labels from one tuple for each row."""
        made = _of_tuples(cls, tuples, names) if sortorder is None else None
        return _in_pandas("from_tuples", tuples, sortorder, names) if made is None else made

    def _with_label(self: Any, at: int, label: tuple) -> Any:
        """The labels and another one at a position; None where pandas has to insert it."""
        tuples = self.tolist()
        tuples.insert(at, label)
        made = _of_tuples(_classes.MultiIndex, tuples, self._names, True)
        if made is None:
            return None
        orders = [_with_last(c, self._order_of(i), label[i]) for i, c in enumerate(self._columns)]
        return made._ordered([o if type(c) is type(o) else None for c, o in zip(made._columns, orders)])

    @classmethod
    def from_product(cls, iterables: Any, sortorder: Any = None, names: Any = UNSET) -> Any:
        """Labels from the Cartesian product of levels."""
        listed = isinstance(iterables, (list, tuple))
        parts = [list(i) if isinstance(i, range) else i for i in iterables] if listed else None
        if sortorder is None and parts is not None and len(parts) > 1:
            columns, called = [_column(p) for p in parts], _names_of(list(iterables), names)
            if called is not None and all(c is not None and len(c) for c in columns):
                made = cls._make(_combined(columns), called)  # type: ignore[arg-type]
                return made._ordered([range_order(i) for i in iterables])
        return _in_pandas("from_product", iterables, sortorder, **_given(names))


def _combined(columns: list[Column]) -> list[AnyColumn]:
    """Every row of each with every row of the others, where the last varies fastest."""
    total = int(np.prod([len(c) for c in columns]))
    rows, out, each = _positions(total), [], total
    for c in columns:
        each //= len(c)
        out.append(c.take(rows // each % len(c)))
    return out


def _positions(n: int) -> ndarray:
    return _core.from_numpy(np.arange(n, dtype=np.int64))

"""Stand-ins for objects of pandas that most programs never look at: as long as they do not, pandas is not imported."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from ._theirs import is_loaded, load, own, pandas


class InsteadOf:
    """An object in the place of one of pandas', which ``_made()`` makes and which is asked what this one cannot."""

    __slots__ = ("_theirs",)
    _made: Any
    _withheld: frozenset[str] = frozenset()  # attributes that pandas' object lacks, or that only NumPy looks for

    @property
    def theirs(self) -> Any:
        """pandas' object, always the same one."""
        if self._theirs is None:
            load()
            self._theirs = self._made()
        return self._theirs

    def __bascule_to_pandas__(self) -> Any:
        return self.theirs

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in self._withheld:
            raise AttributeError(name)
        return getattr(self.theirs, name)


class TextType(InsteadOf):
    """pandas' default type of strings, which a program gets instead of this one."""

    __slots__ = ()
    __class__ = property(lambda self: pandas.StringDtype)  # type: ignore[assignment]
    na_value, kind, name, type, storage = np.nan, "O", "str", str, "pyarrow"
    _is_numeric = _is_boolean = False
    _withheld = frozenset(["dtype"])

    def __init__(self) -> None:
        self._theirs: Any = None

    def _made(self) -> Any:
        return pandas.StringDtype(na_value=np.nan)

    def __from_arrow__(self, array: Any) -> Any:
        return self.theirs.__from_arrow__(array)

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        if isinstance(other, (np.dtype, type)) or (isinstance(other, str) and not other.startswith("string[")):
            return isinstance(other, str) and other in ("str", "string")
        return self.theirs == other if is_loaded() else False

    def __hash__(self) -> int:  # as pandas'
        return hash(("storage", self.storage)) + hash(("_na_value", self.na_value))

    def __str__(self) -> str:
        return "str"

    def __repr__(self) -> str:
        return repr(self.theirs) if is_loaded() else "<StringDtype(na_value=nan)>"

    def __reduce__(self) -> str:
        return "STR"


STR = TextType()


class IntegersOrNA(InsteadOf):
    """pandas' type of integers that may be missing, for numbers of keys, which no program sees."""

    __slots__ = ()
    __class__ = property(lambda self: pandas.core.dtypes.dtypes.BaseMaskedDtype)  # type: ignore[assignment]
    kind, name, numpy_dtype, itemsize = "i", "Int64", np.dtype(np.int64), 8
    _is_numeric, _is_boolean = True, False
    na_value = property(lambda self: pandas.NA)

    def __init__(self) -> None:
        self._theirs: Any = None

    def _made(self) -> Any:
        return pandas.Int64Dtype()

    def __eq__(self, other: object) -> bool:
        return self is other or (is_loaded() and bool(self.theirs == own(other)))

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return "INTEGERS"


INTEGERS = IntegersOrNA()


class StandIn(InsteadOf):
    """Labels of columns in the place of pandas' index, which is never changed."""

    __slots__ = ()

    def __bascule_to_pandas__(self) -> Any:
        return self.theirs.view()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.theirs, dtype=dtype)


def evenly(labels: list[Any] | range) -> range | None:
    """Labels as the range that pandas makes of keys which are evenly spaced integers; None for others, and for one alone."""
    if isinstance(labels, range) or not labels:
        return range(0) if not isinstance(labels, range) else labels
    if len(labels) == 1 or not all(type(k) in (int, np.int64) for k in labels):
        return None
    first, last = int(labels[0]), int(labels[-1])
    step = int(labels[1]) - first
    even = range(first, last + step, step) if step else ()
    fits = bool(even) and max(map(abs, (first, last + step))) < 2**63
    return even if fits and len(even) == len(labels) and all(map(operator.eq, even, labels)) else None


class Names(StandIn):
    """Labels of columns: strings, or integers.

    Parameters
    ----------
    labels : tuple of str, tuple of int, or range
    name : hashable, optional
    """

    __slots__ = ("_at", "_type", "labels", "name")
    nlevels, ndim = 1, 1

    def __init__(self, labels: tuple[str, ...] | tuple[int, ...] | range, name: Hashable = None):
        self.labels, self.name = labels, name
        self._type = str if labels and type(labels[0]) is str else int
        self._at: dict[Any, int] | None = None
        self._theirs: Any = None

    def _with(self, labels: Any) -> Names:
        if isinstance(self.labels, range):  # which pandas keeps
            listed = list(labels)
            even = evenly(listed) if len(listed) > 1 else range(listed[0], listed[0] + 1) if listed else range(0)
            return Names(tuple(listed) if even is None else even, self.name)
        made = Names(tuple(labels), self.name)
        made._type = self._type
        return made

    def _made(self) -> Any:
        labels = self.labels if isinstance(self.labels, range) else list(self.labels)
        return pandas.Index(labels, dtype=None if labels else str(self.dtype), name=self.name)

    @property
    def names(self) -> list[Any]:
        return [self.name]

    @property
    def dtype(self) -> Any:
        return STR if self._type is str else np.dtype(np.int64)

    def _numbered(self) -> dict[Any, int]:
        """The position of each label, -1 where it repeats."""
        if self._at is None:
            at = {label: i for i, label in enumerate(self.labels)}
            if len(at) != len(self.labels):
                seen: set[Any] = set()
                for label in self.labels:
                    at[label] = -1 if label in seen else at[label]
                    seen.add(label)
            self._at = at
        return self._at

    @property
    def is_unique(self) -> bool:
        return len(self._numbered()) == len(self.labels)

    @property
    def hasnans(self) -> bool:
        return False

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.labels)

    def _knows(self, key: Any) -> bool:
        """Whether a key is of the labels' own type."""
        return isinstance(key, str) if self._type is str else type(key) is int

    def __contains__(self, key: Any) -> bool:
        if self._knows(key):
            return key in self._numbered()
        if isinstance(key, str) or key is None:
            return False
        if self._type is not str or not isinstance(key, (int, float, bytes, tuple)):
            return key in self.theirs
        hash(key)
        return False

    def get_loc(self, key: Any) -> Any:
        """The position of a label; KeyError where it does not exist. pandas answers for labels that repeat."""
        if not self._knows(key):
            return self.theirs.get_loc(key)
        at = self._numbered().get(key)
        if at is None:
            raise KeyError(key)
        return at if at >= 0 else self.theirs.get_loc(key)

    def slice_indexer(self, start: Any = None, end: Any = None, step: Any = None) -> slice:
        """The positions from one label to another, both included; pandas answers where one does not exist."""
        ends = [None if x is None else self._numbered().get(x, -1) if self._knows(x) else -1 for x in (start, end)]
        if -1 in ends or (step is not None and step != 1):
            return self.theirs.slice_indexer(start, end, step)
        return slice(ends[0] or 0, len(self) if ends[1] is None else ends[1] + 1, step)

    def __getitem__(self, key: Any) -> Any:
        if type(key) is np.ndarray and key.ndim == 1 and key.dtype.kind == "i":
            key = key.tolist()
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            return self.labels[key]
        if isinstance(key, list) and key and all(isinstance(i, (int, np.integer)) and i is not True for i in key):
            return self._with([self.labels[i] for i in key])
        if isinstance(key, slice) and self.labels[key]:
            return self._with(self.labels[key])
        return self.theirs[key]

    def equals(self, other: Any) -> bool:
        """Whether the other has the same labels in the same order."""
        if type(other) is Names:
            return self is other or (len(self) == len(other) and all(map(operator.eq, self.labels, other.labels)))
        return self.theirs.equals(own(other))

    def rename(self, name: Any) -> Any:
        """The labels with another name."""
        hash(name)
        return Names(self.labels, name)

    def set_names(self, names: Any, level: Any = None) -> Any:
        """The labels with another name, in a list or alone."""
        if level is not None or isinstance(names, list) and len(names) != 1:
            return self.theirs.set_names(names, level=level)
        return self.rename(names[0] if isinstance(names, list) else names)

    def insert(self, at: int, label: Any) -> Any:
        """The labels with another one at a position."""
        if not len(self) and type(label) is str:
            return Names((label,), self.name)
        if isinstance(self.labels, range) or type(label) is not self._type:
            return self.theirs.insert(at, label)
        made = list(self.labels)
        made.insert(at, label)
        return self._with(made)

    def _get_indexer_strict(self, key: Any, axis: str) -> tuple[Any, Any]:
        """The labels of a list and their positions; KeyError of pandas where some do not exist."""
        if (
            type(key) is list
            and self.is_unique
            and all(map(self._knows, key))
            and all(k in self._numbered() for k in key)
        ):
            at = self._numbered()
            return self, [at[k] for k in key]
        return self.theirs._get_indexer_strict(key, axis)

    def _positions(self, labels: Sequence[Any]) -> np.ndarray:
        """The position of each of several labels, -1 for those that do not exist; the own ones are unique."""
        at = self._numbered()
        return np.array([at.get(k, -1) for k in labels], dtype=np.intp)

    def get_indexer(self, labels: Any) -> Any:
        """The position of each of other labels, -1 for those that do not exist; the own ones are unique."""
        if type(labels) is Names and self.is_unique:
            return self._positions(labels.labels)
        return self.theirs.get_indexer(own(labels))

    def get_indexer_for(self, labels: Any) -> Any:
        """All positions of each of several labels, -1 for those that do not exist."""
        if type(labels) is list and self.is_unique and all(map(self._knows, labels)):
            return self._positions(labels)
        return self.theirs.get_indexer_for(own(labels))

    def reindex(self, labels: Any) -> tuple[Any, Any]:
        """Other labels as labels of columns, and their positions among these, None where they are the same."""
        made = labelled(labels, self.name) if isinstance(labels, (list, range)) else labels
        if type(made) is not Names or not self.is_unique or made._type is not self._type:
            return self.theirs.reindex(own(labels))
        return made, None if made.equals(self) else self._positions(made.labels)

    def join(self, other: Any, how: str = "left", return_indexers: bool = False) -> Any:
        """The labels together with others as of pandas' `join`, and the positions of the result in both."""
        unique = self._is_like(other) and self.is_unique and other.is_unique
        if how != "outer" or not return_indexers or not unique or not len(self) or not len(other):
            return self.theirs.join(own(other), how=how, return_indexers=return_indexers)
        both = sorted({*self.labels, *other.labels})
        made = Names(tuple(both), self.name if self.name == other.name else None)
        return made, *(None if list(x.labels) == both else x._positions(both) for x in (self, other))

    def drop(self, labels: Any, errors: str = "raise") -> Any:
        """The labels without others; KeyError of pandas where some do not exist."""
        kept = [k for k in self.labels if k not in labels] if all(map(self._knows, labels)) else []
        if not kept:
            return self.theirs.drop(labels, errors=errors)
        if errors == "raise" and not all(k in self._numbered() for k in labels):
            return self.theirs.drop(labels, errors=errors)
        return self._with(kept)

    def _is_like(self, other: Any) -> bool:
        """Whether the other has labels of the same type, too, and both are no ranges."""
        return type(other) is Names and self._type is other._type and type(self.labels) is type(other.labels) is tuple

    def intersection(self, other: Any) -> Any:
        """The labels that another index has, too."""
        if self._is_like(other) and self.is_unique and other.is_unique and self.name == other.name:
            return self._with(k for k in self.labels if k in other._numbered())
        return self.theirs.intersection(own(other))

    def append(self, other: Any) -> Any:
        """The labels and those of another index, or of several."""
        others = other if isinstance(other, list) else [other]
        if all(map(self._is_like, others)):
            name = self.name if all(o.name == self.name for o in others) else None
            return Names(sum((o.labels for o in others), self.labels), name)
        return self.theirs.append([own(o) for o in others])

    def duplicated(self) -> np.ndarray:
        """Which labels repeat an earlier one."""
        first: set[Any] = set()
        return np.array([k in first or bool(first.add(k)) for k in self.labels], dtype=bool)

    def argsort(self) -> Any:
        """Positions of the labels in ascending order."""
        return np.array(sorted(range(len(self.labels)), key=self.labels.__getitem__), dtype=np.intp)

    def _transform_index(self, change: Any) -> Any:
        """The labels as a function changes them."""
        made = [change(k) for k in self.labels]
        stand_in = labelled(made, self.name)
        return pandas.Index(made, tupleize_cols=False, name=self.name) if stand_in is None else stand_in

    def tolist(self) -> list[Any]:
        """The labels in a list."""
        return list(self.labels)

    def __reduce__(self) -> Any:
        return type(self), (self.labels, self.name)


class LabelsOfRows(StandIn):
    """Labels of columns that an index of rows has: of several levels, or of other types.

    Parameters
    ----------
    index : Index
        A view that nothing else holds, so that its names do not change.
    """

    __slots__ = ("index",)
    ndim = 1
    __class__ = property(lambda self: getattr(pandas, type(self.index).__name__))  # type: ignore[assignment]

    def __init__(self, index: Any):
        self.index, self._theirs = index, None

    def _made(self) -> Any:
        return self.index.to_pandas()

    name = property(lambda self: self.index.name if self.index.nlevels == 1 else None)
    names = property(lambda self: list(self.index._names))
    labels = property(lambda self: tuple(self.index.tolist()))
    nlevels = property(lambda self: self.index.nlevels)
    dtype = property(lambda self: self.index.dtype)
    is_unique = property(lambda self: self.index.is_unique)
    hasnans = property(lambda self: self.index.nlevels == 1 and self.index.hasnans)

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.index)

    def __contains__(self, key: Any) -> bool:
        return key in self.index

    def tolist(self) -> list[Any]:
        """The labels in a list."""
        return self.index.tolist()

    def get_loc(self, key: Any) -> Any:
        """The position of a label, or those of several."""
        found = self.index.get_loc(key)
        return found if isinstance(found, (int, slice)) else np.asarray(found)

    def __getitem__(self, key: Any) -> Any:
        found = self.index[key]
        return found if isinstance(key, (int, np.integer)) else of_rows(found)

    def get_level_values(self, level: Any) -> Any:
        """The labels of one level."""
        return of_rows(self.index.get_level_values(level))

    def insert(self, at: int, label: Any) -> Any:
        """The labels with another one at a position; where it has fewer levels, the others are empty."""
        if self.nlevels > 1:
            whole = label if isinstance(label, tuple) else (label,)
            made = self.index._with_label(at, (*whole, *[""] * (self.nlevels - len(whole))))
            if made is not None:
                return of_rows(made)
        return self.theirs.insert(at, label)

    def get_indexer_for(self, labels: Any) -> np.ndarray:
        """All positions of each of several labels, -1 for those that do not exist."""
        return np.asarray(self.index.get_indexer_for(labels))

    def reindex(self, labels: Any) -> tuple[Any, Any]:
        """Other labels as labels of columns, and their positions among these, None where they are the same."""
        return self.theirs.reindex(own(labels))

    def set_names(self, names: Any, level: Any = None) -> Any:
        """The labels with other names of their levels."""
        return of_rows(self.index.set_names(names, level=level))

    def droplevel(self, level: Any = 0) -> Any:
        """The labels without one level."""
        return of_rows(self.index.droplevel(level))

    def sortlevel(self, level: Any = 0) -> tuple[Any, np.ndarray]:
        """The labels in ascending order, and the position that each had."""
        made, at = self.index.sortlevel(level)
        return of_rows(made), np.asarray(at)

    def argsort(self) -> np.ndarray:
        """Positions of the labels in ascending order."""
        return np.asarray(self.index.argsort())

    def equals(self, other: Any) -> bool:
        """Whether the other has the same labels in the same order."""
        if type(other) is LabelsOfRows and type(self.index) is type(other.index):
            return self is other or bool(self.index.equals(other.index))
        return self.theirs.equals(own(other))

    def __reduce__(self) -> Any:
        return LabelsOfRows, (self.index,)


def of_rows(index: Any) -> Any:
    """Labels of rows as those of columns, as long as pandas is not imported; as pandas' index from then on."""
    if is_loaded() or index._device() != "cpu":
        return index.to_pandas()
    if index.nlevels == 1 and (index.dtype == np.int64 or (index.dtype == STR and not index.hasnans)):
        even = type(index).__name__ == "RangeIndex"
        made = labelled(range(index.start, index.stop, index.step) if even else index.tolist(), index.name)
        if made is not None:
            return made
    return LabelsOfRows(index._view())


def labelled(labels: Sequence[Hashable], name: Hashable = None) -> Any:
    """The labels as `Names`, as long as pandas is not imported and all are strings, or integers; else None."""
    if is_loaded():
        return None
    if isinstance(labels, range):
        return Names(labels, name)
    kinds = set(map(type, labels))
    return Names(tuple(labels), name) if kinds in ({str}, {int}) else None  # type: ignore[arg-type]


class CategoryType(InsteadOf):
    """The type of categories that are strings or integers, or of those that are still to be found.

    Parameters
    ----------
    categories : Names, optional
        They differ from each other.
    ordered : bool
    column : Column, optional
        The categories.
    """

    __slots__ = ("_names", "column", "ordered")
    __class__ = property(lambda self: pandas.CategoricalDtype)  # type: ignore[assignment]
    kind, name = "O", "category"
    _is_numeric = _is_boolean = False
    _withheld = frozenset(["dtype"])  # which NumPy asks what it compares with

    def __init__(self, categories: Names | None = None, ordered: bool = False, column: Any = None):
        self._names, self.ordered, self.column, self._theirs = categories, ordered, column, None

    @property
    def categories(self) -> Any:
        """The categories as labels; as pandas' index once it is imported."""
        return self.theirs.categories if is_loaded() else self._names

    def _made(self) -> Any:
        return pandas.CategoricalDtype(own(self._names), self.ordered)

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        if isinstance(other, (np.dtype, type, str)):
            return isinstance(other, str) and other == self.name
        if is_loaded():
            return self.theirs == own(other)
        if type(other) is not CategoryType or self.ordered != other.ordered:
            return False
        here, there = self._names, other._names
        if here is None or there is None:
            return here is there
        return here.equals(there) or (
            not self.ordered and here._is_like(there) and set(here.labels) == set(there.labels)
        )

    def __hash__(self) -> int:
        return hash(self.theirs)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return repr(self.theirs)

    def __reduce__(self) -> Any:
        return CategoryType, (self._names, self.ordered, self.column)


def _range_index(stop: Any, *others: Any, **options: Any) -> Any:
    return None if others or options or type(stop) is not int else labelled(range(stop))


if not is_loaded():
    pandas.RangeIndex._instead = _range_index  # type: ignore[union-attr]


def labels_of(labels: Sequence[Hashable], names: Sequence[Any] = (None,)) -> Any:
    """Labels of columns, called by names, as `Names` where these will do, else as pandas' index."""
    found = labelled(labels, *names) if len(names) == 1 else None
    if found is None:
        found = pandas.Index(labels)
        if list(names) != [None]:
            found = found.set_names(list(names))
    return found

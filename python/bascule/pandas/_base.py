"""Base of frames and series: an index, rows by position, copies."""

from __future__ import annotations

import copyreg
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from .. import _core
from .._array.caller_warnings import at_users_line
from ..interop import mode
from . import _fallback, _indexes, _plain_text, _plot
from ._columns.any_kind import are_bools
from ._columns.column import (
    AnyColumn,
    from_pandas_array,
    from_pandas_object,
    ndarray,
)
from ._columns.lazy_take import FEWEST, Picked, Waits, pick
from ._fallback.as_pandas import PandasObject, reads, registered_with_pandas
from ._fallback.counted import converted, presented
from ._indexes.align import positions_in
from ._pending import objects as pending
from ._pickle import column_token, index_state, rows_of_state, state_of
from ._theirs import is_loaded, pandas


def row_positions(key: Any, n: int, what: str = "positional indexers") -> ndarray:
    """int64 positions of rows, negative ones counted from the end; IndexError as pandas'."""
    a = _core.astype(key, np.dtype(np.int64), False, "K") if type(key) is ndarray else np.asarray(key, dtype=np.int64)
    if len(a) and (int(a.max()) >= n or int(a.min()) < -n):
        raise IndexError(f"{what} are out-of-bounds")
    return a if type(a) is ndarray else _core.from_numpy(a)


class Rows(PandasObject):
    """A frame or series: an index, and columns of the same length."""

    __pandas_priority__ = 4500
    __array_priority__ = 1000
    __hash__ = None  # type: ignore[assignment]
    _accessors: set[str] = set()  # registered accessors, which an object caches
    plot = _plot.accessor

    @property
    def _kept_back(self) -> set[str]:
        """Attributes that an object does not take over from another, since the user may hold their values."""
        return {"_shown", "_shown_names", "_held_values", "_own_flags", *self._accessors}

    def __dir__(self) -> list[str]:
        return sorted({*dir(type(self)), *self.__dict__, *registered_with_pandas(self._stands_for)})

    _index: Any

    def to_string(self, buf: Any = None, **options: Any) -> str | None:
        """All rows and columns as text.

        Parameters
        ----------
        buf : path or file, optional
            Where the text is written; by default it is returned.
        **options
            As pandas', which formats text by them.
        """
        if buf is None and not is_loaded():  # before, pandas' options have their defaults
            text = _plain_text.whole_text(self, options)
            if text is not None:
                return text
        with presented():
            return at_users_line(self.to_pandas().to_string, _fallback.to_pandas(buf), **_fallback.to_pandas(options))

    # Each class implements its construction from other columns.
    def _all_columns(self) -> list[AnyColumn]:
        raise NotImplementedError

    def _with(self, columns: list[AnyColumn], index: Any) -> Any:
        """The same column labels (or name) with other columns and rows."""
        raise NotImplementedError

    def _device(self) -> str:
        return next((c.device for c in self._all_columns() if c.has_core or c.device != "cpu"), "cpu")

    def __bascule_arrays__(self) -> list[ndarray]:
        return [a for c in self._all_columns() for a in c.arrays]

    def __bascule_waiting__(self: Any, lines: list[str]) -> list[ndarray]:
        """The arrays of the columns that are in memory; lines about the others and the rows that they share are added."""
        plan = pending.lines(self) if "_plan" in self.__dict__ else []
        if plan:
            lines += plan
            return []
        names = self._names if self.ndim == 2 else [self._name]
        found: list[ndarray] = []
        about: list[str] = []
        bytes_pending, chosen = 0, {}
        for name, c in zip(names, self._all_columns()):
            there = c.waiting_line() if isinstance(c, Waits) else None
            if there is None:
                found += c.arrays
                continue
            line, needed, rows = there
            about.append(f"pending: column {name!r}, {line}")
            bytes_pending += needed
            chosen[id(rows)] = 0 if rows is None else rows.nbytes
        if about and self.ndim == 2:
            lines.append(
                f"frame of {len(self):,} rows: {len(about)} of {len(names)} columns wait, {bytes_pending:,} bytes when read; "
                f"the numbers of their rows take {sum(chosen.values()):,} bytes"
            )
        lines += about
        return found

    def __bascule_to_pandas__(self) -> Any:
        converted(sum(a.nbytes for a in self.__bascule_arrays__()))
        return self.to_pandas()

    def to_pandas(self) -> Any:
        """A copy as pandas' object."""
        raise NotImplementedError

    def _call_pandas(
        self, name: str, args: tuple = (), kwargs: dict | None = None, reason: str = "not implemented natively"
    ) -> Any:
        return _fallback.call(self, name, args, kwargs, reason)

    # ---- rows by position
    def _map_columns(self, f: Any, index: Any) -> Any:
        return self._with([f(c) for c in self._all_columns()], index)

    def _take_rows(self, positions: Any) -> Any:
        """Rows at positions that are known to be in range."""
        p = positions if type(positions) is ndarray else _core.from_numpy(np.asarray(positions, dtype=np.int64))
        rows = Picked(p)
        return self._map_columns(lambda c: pick(c, rows), self._index._take(p))

    def _filter_rows(self, mask: ndarray, asked_for: bool = False) -> Any:
        """Rows selected by a mask; if `asked_for`, labels keep a frequency over one contiguous run only, as pandas' series do."""
        _core.evaluate(mask)  # every column reads it
        even = getattr(self._index, "_freq", None) is not None
        on_gpu = mask.device.startswith("cuda")  # where each column would count, and wait for it
        if len(mask) < FEWEST and not on_gpu and (asked_for or not even):
            return self._map_columns(lambda c: c.filter(mask), self._index._filter(mask))
        rows = Picked.where(mask)
        index = self._index._filter(mask) if asked_for and even else self._index._take(rows.positions)
        return self._map_columns(lambda c: pick(c, rows), index)

    def _slice_rows(self, key: slice) -> Any:
        start, stop, step = key.indices(len(self))
        count = len(range(start, stop, step))
        return self._map_columns(lambda c: c.slice(start, step, count), self._index._slice(start, step, count))

    # ---- labels
    def _index_shown(self) -> Any:
        if reads():
            return self._index.to_pandas()
        shown = self.__dict__.get("_shown")
        if shown is None or shown[0] is not self._index:
            return self._show(self._index._view())
        return shown[1]

    index = property(
        _core.shown_index,
        doc="The labels of the rows: always the same object, so that a name given to it is these rows' own.",
    )

    @index.setter
    def index(self, value: Any) -> None:
        new = value if isinstance(value, _indexes.Index) else _indexes.ensure(value)
        if len(new) != len(self):
            raise ValueError(
                f"Length mismatch: Expected axis has {len(self)} elements, new values have {len(new)} elements"
            )
        self._must_be_unique(new)
        self.__dict__["_index"] = new._view()
        self._show(new)

    def _show(self, labels: Any) -> Any:
        """Use an object that the user holds as the labels; the labels behind it are immutable."""
        if labels._owners is None:
            labels._owners = WeakValueDictionary()
        labels._owners[id(self)] = self
        self.__dict__["_shown"] = (self._index, labels)
        return labels

    def __len__(self) -> int:
        return len(self._index)

    @property
    def empty(self) -> bool:
        """Whether there are no rows, or no columns."""
        return 0 in self.shape

    def __bool__(self) -> bool:
        raise ValueError(
            f"The truth value of a {type(self).__name__} is ambiguous. Use a.empty, a.item(), a.any() or a.all()."
        )

    def copy(self, deep: bool = True) -> Any:
        """A copy with the same values and labels; columns are shared until one side is changed."""
        later = pending.copied(self) if "_plan" in self.__dict__ else None
        return self._with(list(self._all_columns()), self._index) if later is None else later

    def __copy__(self, deep: bool = True) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self.copy()

    def _become(self, other: Any) -> None:
        """Take over the contents of another object of the same class, at the end of in-place methods."""
        other._all_columns()  # made, if they are pending
        pending.forget(self)
        self.__dict__.update({k: v for k, v in other.__dict__.items() if k not in self._kept_back})

    # ---- pickles and tokens
    def _labels(self: Any) -> Any:
        return self._names if self.ndim == 2 else self._name

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        if mode.pickles_are_theirs() and not self._device().startswith("cuda"):
            return self._reduced_as_theirs()
        return self.__reduce__()

    def _reduced_as_theirs(self: Any) -> Any:
        """The pickle of pandas' object; for a derived class, of one that derives from pandas' class, with its attributes."""
        there = self.to_pandas()
        kind, state = type(there), there.__getstate__()
        if type(self).__module__ != "bascule.pandas":
            kind, added = type(self), {n: getattr(self, n, None) for n in self._metadata}
            state = {**state, "_metadata": self._metadata, **added}
        return copyreg._reconstructor, (kind, object, None), state  # type: ignore[attr-defined]

    def __reduce__(self: Any) -> tuple:
        made = type(self), self._labels(), index_state(self._index), [state_of(c) for c in self._all_columns()]
        return (rows_of_state, made) if self._plain else (rows_of_state, made, self._besides())

    def __dask_tokenize__(self: Any) -> tuple:
        from dask.base import normalize_token

        content = tuple(column_token(c) for c in self._all_columns())
        return type(self).__name__, normalize_token(self._labels()), self._index.__dask_tokenize__(), content


def _labelled_mask(key: Any, index: Any) -> ndarray | None:
    """A boolean series as a bool array in the order of `index`, where missing ones select nothing; None for others."""
    found = key._column.booleans()
    if found is None or key._index is index or key._index.equals(index):
        return found
    try:
        positions = positions_in(key._index, index)
    except ValueError:
        positions = None
    if positions is None or (len(positions) and int(positions.min()) < 0):
        raise pandas.errors.IndexingError(
            "Unalignable boolean Series provided as indexer (index of the boolean Series and of the indexed object do not match)."
        )
    return found[positions]


def _unlabelled(key: Any) -> ndarray | None:
    """A list or array of booleans as a boolean array; None for others."""
    if type(key) is ndarray:
        return key if key.dtype == bool and key.ndim == 1 else None
    if isinstance(key, (_indexes.Index, pandas.Index, pandas.api.extensions.ExtensionArray)):
        if getattr(key, "nlevels", 1) > 1:
            return None
        if isinstance(key, pandas.api.extensions.ExtensionArray):
            return from_pandas_array(key).booleans()
        return (key._column if isinstance(key, _indexes.Index) else from_pandas_object(key)).booleans()
    if not isinstance(key, (list, np.ndarray)) or not len(key):
        return None
    if isinstance(key, list) and not isinstance(key[0], (bool, np.bool_)):
        return None
    a = np.asarray(key)
    if a.dtype == object and a.ndim == 1 and are_bools(a):
        a = a.astype(bool)
    return _core.from_numpy(a) if a.dtype == bool and a.ndim == 1 else None


def mask_of_series(key: Any, index: Any) -> ndarray | None:
    """As `as_mask`, with the error that a series raises for a mask of another length."""
    try:
        return as_mask(key, index)
    except ValueError:
        raise IndexError(f"Boolean index has wrong length: {len(key)} instead of {len(index)}") from None


def as_mask(key: Any, index: Any) -> ndarray | None:
    """A boolean key as a bool array in the order of `index`; None for other keys.

    Raises
    ------
    ValueError
        When an unlabelled mask differs in length.
    pandas.errors.IndexingError
        When a labelled one lacks rows.
    """
    if isinstance(key, pandas.Series):
        key = _fallback.from_pandas(key)
    if isinstance(key, Rows) and key.ndim == 1:
        return _labelled_mask(key, index)
    if isinstance(key, np.ndarray) and key.ndim == 0:
        return None
    found = _unlabelled(key)
    if found is not None and len(found) != len(index):
        raise ValueError(f"Item wrong length {len(found)} instead of {len(index)}.")
    return found

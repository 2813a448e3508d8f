"""Pending columns: their rows are gathered, or read from a file, at their first use; unused ones are never made."""

from __future__ import annotations

import sys
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import rows as _ufuncs
from ...config import config
from .column import AnyColumn, Column, HostColumn, ndarray

FEWEST = 1 << 11  # rows; fewer are gathered at once
MASKED = 3  # of so many rows one that is wanted: then a mask is read faster than positions
_core_of_column = Column.__dict__["core"]
_array_of_column = HostColumn.__dict__["array"]
_SAMPLED = 1000  # rows by which the bytes of a column in memory are estimated
_INT64 = np.dtype(np.int64)
_MISSING = _core.from_numpy(np.array([-1]), "cpu")  # the position of a missing row
_select = _ufuncs["where"]["ufunc"]


class Picked:
    """Positions of rows, all in range, that the columns of a frame share.

    Attributes
    ----------
    positions : ndarray of int64
    ascending : bool
        Whether each position is known to be greater than the one before.
    lacking : bool
        Whether some rows may be missing, whose position is -1: columns then have the type that missing values give them.
    mask : ndarray of bool, optional
        Of all rows, which are these; where it is known, and reading it is faster than the positions.
    place : object
        Where the rows are in a file, which remembers it here for the other columns.
    """

    __slots__ = ("_last", "ascending", "lacking", "mask", "place", "positions")

    def __init__(self, positions: ndarray, ascending: bool = False, lacking: bool = False, mask: ndarray | None = None):
        self.positions, self.ascending, self.lacking, self.mask = positions, ascending, lacking, mask
        self.place: Any = None
        self._last: tuple[Any, Picked] | None = None

    @classmethod
    def where(cls, mask: ndarray) -> Picked:
        """The rows where a boolean array is true."""
        positions = _core.nonzero(mask)[0]
        dense = len(positions) * MASKED >= len(mask) and not mask.device.startswith("cuda")
        return cls(
            positions, True, False, mask.copy() if dense else None
        )  # it may be written to before the rows are read

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def nbytes(self) -> int:
        """Memory that the positions take, and the mask."""
        return self.positions.nbytes + (0 if self.mask is None else self.mask.nbytes)

    def of_core(self, core: Any) -> Any:
        """These rows of a column of the C++ library, none of which is missing."""
        return core.take(self.positions, False) if self.mask is None else core.filter(self.mask)

    def then(self, rows: Picked) -> Picked:
        """The positions of some of these rows, computed once for all columns of a frame."""
        last = self._last
        if last is None or last[0] is not rows:
            last = self._last = (rows, self._some(rows))
        return last[1]

    def _some(self, rows: Picked) -> Picked:
        if rows.lacking:
            there = _select(rows.positions < 0, 0, rows.positions)
            positions = _select(rows.positions < 0, -1, _core.take(self.positions, there, 0))
            return Picked(positions, lacking=True) if len(self) else rows
        positions = rows.of_core(_core.Column.plain(self.positions)).values
        return Picked(positions, self.ascending and rows.ascending, self.lacking)

    def filtered(self, mask: ndarray) -> Picked:
        """As `then`, of the rows where a boolean array is true."""
        last = self._last
        if last is None or last[0] is not mask:
            last = self._last = (mask, self._some(Picked.where(mask)))
        return last[1]

    def sliced(self, start: int, step: int, count: int) -> Picked:
        """As `then`, of rows at even distances."""
        key, last = (start, step, count), self._last
        if last is None or type(last[0]) is not tuple or last[0] != key:
            last = self._last = (key, self._slice(start, step, count))
        return last[1]

    def _slice(self, start: int, step: int, count: int) -> Picked:
        positions = _core.Column.plain(self.positions).slice(start, step, count).values
        return Picked(positions, self.ascending and step > 0, self.lacking)

    def of(self, column: AnyColumn) -> AnyColumn:
        """These rows of a column."""
        positions, n = self.positions, len(self)
        if self.lacking and (n == 0 or int(positions.min()) >= 0):  # a missing row behind them gives the type
            longer = _core.concat_columns([_core.Column.plain(positions), _core.Column.plain(_MISSING)]).values
            return column.take(longer, True).slice(0, 1, n)
        return column.take(positions, self.lacking)


def of_a_miss(column: AnyColumn) -> AnyColumn:
    """No rows of a column, with the type that missing ones give it."""
    return column.slice(0, 1, 0).take(_MISSING, True).slice(0, 1, 0)


class Even(Picked):
    """Rows at even distances; their positions are only computed where they are asked for."""

    __slots__ = ("_positions", "count", "start", "step")

    def __init__(self, start: int, step: int, count: int):
        self.start, self.step, self.count = start, step, count
        self.ascending, self.lacking, self.mask, self.place = step > 0, False, None, None
        self._last = self._positions = None

    @property
    def positions(self) -> ndarray:  # type: ignore[override]
        if self._positions is None:
            self._positions = _core.arange(self.start, self.step, self.count, _INT64, "cpu")
        return self._positions

    def __len__(self) -> int:
        return self.count

    @property
    def nbytes(self) -> int:
        return 0 if self._positions is None else self._positions.nbytes

    def _some(self, rows: Picked) -> Picked:
        positions = rows.positions * self.step + self.start
        if rows.lacking:
            positions = _select(rows.positions < 0, -1, positions)
        _core.evaluate(positions)  # every column reads it
        return Picked(positions, self.ascending and rows.ascending, rows.lacking)

    def _slice(self, start: int, step: int, count: int) -> Picked:
        return Even(self.start + self.step * start, self.step * step, count)

    def of(self, column: AnyColumn) -> AnyColumn:
        return column.slice(self.start, self.step, self.count)


class Home(ABC):
    """Rows outside of memory, of which columns wait."""

    @abstractmethod
    def parts(self, columns: list[Any], rows: int) -> Iterator[list[AnyColumn]]:
        """Consecutive rows of some columns, not many more than `rows` at a time, from the first to the last."""


_in_memory: weakref.WeakSet[Outside] = weakref.WeakSet()  # columns of files that have been read as a whole


class Outside(ABC):
    """The values of a column that are not in memory, but in a file.

    Attributes
    ----------
    dtype : numpy.dtype or pandas' StringDtype, Int64Dtype, ...
        Of the column that is made of the values.
    in_pandas : bool
        Whether that column has its values in an array of pandas.
    in_memory : bool
        Whether all values have been read after all.
    """

    __slots__ = ("__weakref__",)
    dtype: Any
    in_pandas = in_memory = False

    @abstractmethod
    def __len__(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def rows(self, rows: Picked | None) -> AnyColumn:
        """The column of some rows, or of all."""

    @abstractmethod
    def missing_row(self) -> AnyColumn:
        """A column of one missing row, of the type that missing values give."""

    @abstractmethod
    def where(self) -> str:
        """Where the values are, in words."""

    @property
    def home(self) -> Home | None:
        """The rows that the column belongs to; None once its values are in memory."""
        return None

    @property
    def row_bytes(self) -> float:
        """How many bytes of memory a row takes, about."""
        return float(getattr(self.dtype, "itemsize", 8))

    def check_room(self) -> None:
        """MemoryError where the column, with the others that were read from files, takes more than `config.memory_limit`."""
        limit, needed = config.memory_limit, int(len(self) * self.row_bytes)
        if limit is None:
            return
        there = sum(int(len(c) * c.row_bytes) for c in list(_in_memory))
        if there + needed > limit:
            raise MemoryError(
                f"[memory_limit] {self.where()}: a column of {needed:,} bytes is needed as a whole, with {there:,} bytes of "
                f"others in memory, and config.memory_limit is {limit:,}; groupby, merge, sort_values and drop_duplicates "
                "of the frame work in parts"
            )

    def came_to_memory(self) -> None:
        """Count the column for `config.memory_limit` while this object lives."""
        if config.memory_limit is not None:
            _in_memory.add(self)

    def bounds(self) -> tuple[np.ndarray, Column, Column] | None:
        """The first row of each part and the end of the last, and the least and greatest values of the parts, where known."""
        return None


class Waits:
    """Common part of pending columns: the source of their rows, until they are in memory.

    The other column's memory is kept until then. Where that is much more than the rows take, these are gathered as soon
    as no other object needs it: when its `owners` are deleted, columns that keep the memory in any case. Rows of a file
    are left there.
    """

    __slots__ = ()
    _from: tuple[Column | Outside, Picked | None] | None
    _owners: tuple[weakref.ref[Any], ...]
    _is_owner: bool  # of the memory, as one of many rows
    _keep: Callable[[Any], None]  # takes the values that were gathered or read

    def _wait(self, source: Column | Outside, rows: Picked | None, owners: Sequence[AnyColumn], leaves: bool) -> None:
        self._from, self._is_owner = (source, rows), not leaves
        gather = _gatherer(weakref.ref(self)) if leaves else None
        self._owners = tuple(weakref.ref(o, gather) for o in owners)

    def waits_for(self) -> tuple[Any, Picked | None] | None:
        """The source of the values, and which rows of it; None where they are in memory."""
        waiting = self._from
        if waiting is not None and waiting[1] is None and waiting[0].in_memory:  # type: ignore[union-attr]
            self._read()
            return None
        return waiting

    def _read(self) -> None:
        """Gather or read the values, if they are not there."""
        waiting = self._from
        if waiting is not None:
            self._keep(_rows(*waiting))
            self._from, self._owners = None, ()

    def _leave(self) -> None:
        """Gather the values, now that the owner of the others is gone, if they would keep these in memory."""
        waiting = self._from
        if waiting is not None and not (isinstance(waiting[0], Outside) and not waiting[0].in_memory):
            self._read()

    def __len__(self) -> int:
        waiting = self._from
        if waiting is None:
            return super().__len__()  # type: ignore[misc]
        return len(waiting[0] if waiting[1] is None else waiting[1])

    def waiting_line(self: Any) -> tuple[str, int, Picked | None] | None:
        """The source of a pending column in words, about how many bytes it will take, and its rows; None where it is in memory."""
        waiting = self.waits_for()
        if waiting is None:
            return None
        source, rows = waiting
        n = len(source) if rows is None else len(rows)
        which = f"{n:,} rows" if rows is None else f"{n:,} of {len(source):,} rows"
        if isinstance(source, Outside):
            where, row = source.where(), source.row_bytes
        else:
            some = source.slice(0, 1, min(len(source), _SAMPLED))  # of strings, whose lengths differ
            where, row = "another column", some.nbytes / max(len(some), 1)
        needed = round(n * row)
        return f"{self.dtype}: {which} of {where}, {needed:,} bytes when read", needed, rows

    def item(self, i: int) -> Any:
        """One value; it is read without gathering the others."""
        waiting = self.waits_for()
        return super().item(i) if waiting is None else _rows(waiting[0], _sliced(waiting[1], i, 1, 1)).item(0)  # type: ignore[misc]

    def slice(self, start: int, step: int, count: int) -> AnyColumn:
        """Rows at even distances; they wait, too, and few are read without gathering the others."""
        waiting = self.waits_for()
        if waiting is None:
            return super().slice(start, step, count)  # type: ignore[misc]
        if (start, step, count) == (0, 1, len(self)):
            return self  # type: ignore[return-value]
        source, rows = waiting
        return _some(source, _sliced(rows, start, step, count), self._owners_now())

    def filter(self, mask: ndarray) -> AnyColumn:
        """Rows where a boolean array is true; they wait, too, unless they are few."""
        waiting = self.waits_for()
        if waiting is None:
            return super().filter(mask)  # type: ignore[misc]
        source, rows = waiting
        some = Picked.where(mask) if rows is None else rows.filtered(mask)
        return _some(source, some, self._owners_now())

    def _owners_now(self) -> list[AnyColumn]:
        """The columns that keep the memory of the values which this one's are some rows of."""
        owners = [o for reference in self._owners if (o := reference()) is not None]
        return [*owners, self] if self._is_owner else owners  # type: ignore[list-item]


def _sliced(rows: Picked | None, start: int, step: int, count: int) -> Picked:
    return Even(start, step, count) if rows is None else rows.sliced(start, step, count)


def _rows(source: Column | Outside, rows: Picked | None) -> AnyColumn:
    """The column of some rows, made now."""
    if isinstance(source, Outside):
        return source.rows(rows)
    if rows.lacking:  # type: ignore[union-attr]
        return rows.of(source)  # type: ignore[union-attr]
    return Column(rows.of_core(source.core), source.dtype)  # type: ignore[union-attr]


def _gatherer(column: weakref.ref[Any]) -> Callable[[Any], None]:
    def gather(_: Any) -> None:
        there = column()
        if there is not None and not sys.is_finalizing() and not any(o() is not None for o in there._owners):
            there._leave()

    return gather


class Waiting(Waits, Column):
    """A pending column of a type in bascule's memory."""

    __slots__ = ("_from", "_is_owner", "_owners")

    def __init__(
        self, source: Column | Outside, rows: Picked | None, owners: Sequence[AnyColumn], leaves: bool, dtype: Any
    ):
        self._wait(source, rows, owners, leaves)
        self.dtype = dtype
        self.__class__ = self._classes[type(self.dtype)]

    def _keep(self, made: Any) -> None:
        _core_of_column.__set__(self, made.core)

    @property
    def core(self) -> Any:
        """The column of the C++ library, with the rows gathered."""
        if self._from is not None:
            self._read()
        return _core_of_column.__get__(self)

    @property
    def device(self) -> str:
        waiting = self._from
        source = self.core if waiting is None else waiting[0]
        return "cpu" if isinstance(source, Outside) else source.device

    @property
    def nbytes(self) -> int:
        there = self._from is None or self.plain == "-"
        return super().nbytes if there else len(self) * self.dtype.itemsize

    @property
    def moved_bytes(self) -> int | None:
        """None for values that wait: a sort would read them, and perhaps without need."""
        return None if self.waits_for() is not None else super().moved_bytes


class WaitingInPandas(Waits, HostColumn):
    """A pending column of a type that only pandas has."""

    __slots__ = ("__weakref__", "_from", "_is_owner", "_owners", "_type")

    def __init__(self, source: Outside, rows: Picked | None, owners: Sequence[AnyColumn], leaves: bool, dtype: Any):
        self._wait(source, rows, owners, leaves)
        self._type = dtype
        self.__class__ = self._classes[type(dtype)]

    def _keep(self, made: Any) -> None:
        _array_of_column.__set__(self, made.array)

    @property
    def array(self) -> Any:
        if self._from is not None:
            self._read()
        return _array_of_column.__get__(self)

    dtype = property(lambda self: self._type)

    @property
    def arrays(self) -> Any:  # type: ignore[override]
        """None of bascule's; an evaluation of the columns reads this one, too."""
        self._read()
        return ()


def waiting_for(source: Outside, rows: Picked | None = None, owners: Sequence[AnyColumn] = ()) -> AnyColumn:
    """A column, or some rows of it, that is read from a file at its first use.

    Parameters
    ----------
    source : Outside
    rows : Picked, optional
    owners : list of Column or HostColumn
        The columns of all rows, whose values are in memory once one is read.

    Returns
    -------
    Column or HostColumn
    """
    dtype, in_pandas = source.dtype, source.in_pandas
    if rows is not None and rows.lacking:
        like = source.missing_row()
        dtype, in_pandas = like.dtype, not like.has_core
    return (WaitingInPandas if in_pandas else Waiting)(source, rows, owners, bool(owners), dtype)


def pick(column: AnyColumn, rows: Picked) -> AnyColumn:
    """Rows of a column, gathered on first use; at once where they are few.

    Parameters
    ----------
    column : Column or HostColumn
    rows : Picked

    Returns
    -------
    Column or HostColumn
    """
    waiting = column.waits_for() if isinstance(column, Waits) else None
    if waiting is None:
        return _some(column, rows, [column])
    source, chosen = waiting
    return _some(source, rows if chosen is None else chosen.then(rows), column._owners_now())  # type: ignore[union-attr]


def pick_made(column: AnyColumn, rows: Picked) -> AnyColumn:
    """As `pick`, of a column that was made for these rows, and that no other object keeps."""
    return _some(column, rows, [])


def _some(source: AnyColumn | Outside, rows: Picked, owners: Sequence[AnyColumn]) -> AnyColumn:
    """Rows of a column; they wait where they are not few."""
    if isinstance(source, Outside):
        return waiting_for(source, rows, owners)
    n = len(rows)
    if n < FEWEST or not config.lazy_frames or not isinstance(source, Column) or source.device.startswith("cuda"):
        return rows.of(source)
    dtype = source.dtype
    if rows.lacking:
        like = of_a_miss(source)
        if not like.has_core:
            return rows.of(source)
        dtype = like.dtype
    own = Column(source.core, source.dtype) if any(source is o for o in owners) else source
    return Waiting(own, rows, owners, bool(owners) and 2 * n < len(source), dtype)

"""Parquet files that are held open for columns that have not been read yet."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from ... import _core
from ..._array.conversion import host_view
from ...config import config
from ...parallel_map import in_blocks
from .._columns.column import AnyColumn
from .._columns.lazy_take import Even, Home, Outside, Picked
from .._fallback.open_files import HeldFile
from .._theirs import pyarrow

_FEW = 64  # part of the rows, in no order, of which it is asked in which row groups they are
_BUFFER = 1 << 16  # bytes that are read at a time where not all are needed
_LEAST_COST = 16  # part of a column's rows that reading some of them counts as at least


class Place:
    """Where some rows are in a file.

    Attributes
    ----------
    groups : list of int
        The row groups that have them.
    until : int or None
        How many rows of the last of these are enough, where that is much less than all.
    rows : Picked
        The rows among those of the groups.
    cost : int
        How many rows are read for them.
    """

    __slots__ = ("cost", "groups", "rows", "until")

    def __init__(self, groups: list[int], until: int | None, rows: Picked, cost: int):
        self.groups, self.until, self.rows, self.cost = groups, until, rows, cost


class ParquetFile(HeldFile, Home):
    """An open file of a flat schema, which is read by `pread` and never mapped.

    Parameters
    ----------
    path : str
    numbered : function
        By the metadata of a file, the columns of strings that are read dictionary-encoded.

    Raises
    ------
    OSError or pyarrow.ArrowException
        The file can't be opened, or is none.
    """

    def __init__(self, path: str, numbered: Callable[[Any], Collection[str]]):
        import pyarrow.parquet

        self.path = path
        self._file = pyarrow.OSFile(path)
        about = os.fstat(self._file.fileno())
        self.identity = (about.st_dev, about.st_ino)
        self._state = (about.st_size, about.st_mtime_ns)
        opened = pyarrow.parquet.ParquetFile(self._file)
        self.about, self.schema = opened.metadata, opened.schema_arrow
        self.numbered = numbered(self.about)
        sizes = [self.about.row_group(g).num_rows for g in range(self.about.num_row_groups)]
        self.bounds = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self.lock = threading.RLock()
        self._readers: tuple[list[Any], list[Any]] = ([], [])
        self._columns: weakref.WeakSet[ColumnInFile] = weakref.WeakSet()

    def __len__(self) -> int:
        return int(self.bounds[-1])

    def column(self, name: str, dtype: Any, in_pandas: bool, made: Callable[[Any], AnyColumn]) -> ColumnInFile:
        """A column that waits in the file, and the function that makes it of Arrow's."""
        found = ColumnInFile(self, name, dtype, in_pandas, made)
        with self.lock:
            self._columns.add(found)
        return found

    def read_all(self) -> None:
        """Read the columns that wait, before the file is written to; errors come where they are used."""
        with self.lock:
            for column in list(self._columns):
                column.settle()

    def arrow(self, name: str, place: Place | None = None) -> Any:
        """A column as Arrow's array in chunks: all row groups, or some, on all threads.

        Raises
        ------
        OSError
            The file was changed after it was opened, or can't be read.
        pyarrow.ArrowException
            What is in it can't be read.
        """
        groups = list(range(len(self.bounds) - 1)) if place is None else place.groups
        whole = groups if place is None or place.until is None else groups[:-1]
        step = max(1, len(whole) // (4 * _core.get_num_threads()))
        parts: list[Any] = [None] * -(-len(whole) // step)

        def work(k: int, begin: int, end: int) -> None:
            with self._reader() as reader:
                parts[k] = reader.read_row_groups(whole[begin:end], columns=[name], use_threads=False)

        self._check()
        try:
            in_blocks(len(whole), step, work)
            if len(whole) < len(groups):
                parts += self._first_rows(name, groups[-1], place.until)  # type: ignore[union-attr, arg-type]
        except (OSError, pyarrow.ArrowException) as error:
            self._check()
            raise type(error)(f"[read_parquet] {self.path}, column {name!r}: {error}") from error
        self._check()
        if not parts:
            return self.schema.empty_table().column(name)
        return pyarrow.concat_tables(parts).column(name)

    @contextmanager
    def _reader(self, buffer_size: int = 0) -> Iterator[Any]:
        """A reader for one thread, since several must not share one; with a buffer, parts of a column are read.

        Making one takes time for each column of the file, so they are kept.
        """
        import pyarrow.parquet

        kept = self._readers[buffer_size > 0]
        try:
            reader = kept.pop()
        except IndexError:
            how = {"metadata": self.about, "read_dictionary": list(self.numbered)}
            reader = pyarrow.parquet.ParquetFile(self._file, buffer_size=buffer_size, **how)
        yield reader
        kept.append(reader)  # one that raised an error is dropped

    def _first_rows(self, name: str, group: int, count: int) -> list[Any]:
        """Tables of the first rows of a row group."""
        found: list[Any] = []
        with self._reader(buffer_size=_BUFFER) as reader:
            for batch in reader.iter_batches(count, row_groups=[group], columns=[name], use_threads=False):
                found.append(pyarrow.Table.from_batches([batch]))
                count -= batch.num_rows
                if count <= 0:
                    break
        return found

    def parts(self, columns: list[ColumnInFile], rows: int) -> Iterator[list[AnyColumn]]:
        """As of any `Home`; errors are those of `arrow`."""
        names = [c.name for c in columns]
        self._check()
        for groups in self._groups_of(rows):
            for batch in self._batches(groups, names, rows):
                yield [c.made_of(pyarrow.chunked_array([batch.column(n)])) for c, n in zip(columns, names)]
        self._check()

    def _groups_of(self, rows: int) -> Iterator[list[int]]:
        """Row groups in turn, several where all their rows are not more than `rows`."""
        start = 0
        while start < len(self.bounds) - 1:
            end = int(np.searchsorted(self.bounds, self.bounds[start] + rows, "right")) - 1
            yield list(range(start, max(end, start + 1)))
            start = max(end, start + 1)

    def _batches(self, groups: list[int], names: list[str], rows: int) -> Iterator[Any]:
        import pyarrow.parquet

        how = {"metadata": self.about, "read_dictionary": list(self.numbered), "buffer_size": _BUFFER}
        # One that is kept would keep what it has read, and one that reads ahead has whole row groups in memory.
        reader = pyarrow.parquet.ParquetFile(self._file, pre_buffer=False, **how)
        try:
            yield from reader.iter_batches(rows, groups, list(dict.fromkeys(names)), use_threads=False)
        except (OSError, pyarrow.ArrowException) as error:
            self._check()
            raise type(error)(f"[read_parquet] {self.path}, columns {', '.join(names)}: {error}") from error

    def row_bytes(self, name: str) -> float:
        """How many bytes a row of a column takes in memory, about: of strings, more than they take in the file."""
        if name in self.numbered:
            return 4.0
        i, about = self.schema.get_field_index(name), self.about
        sizes = [about.row_group(g).column(i).total_uncompressed_size for g in range(about.num_row_groups)]
        return 16.0 + 2 * sum(sizes) / max(len(self), 1)

    def _check(self) -> None:
        """OSError where the file is not as it was when it was opened."""
        about = os.fstat(self._file.fileno())
        if (about.st_size, about.st_mtime_ns) != self._state:
            raise OSError(
                f"[read_parquet] {self.path} was changed after read_parquet opened it, and some of its columns had not "
                "been read: write another file and rename it, or call bascule.evaluate(frame) before the change"
            )

    def bounds_of(self, name: str) -> tuple[Any, Any] | None:
        """The least and the greatest value of a column in each row group; None where they are not known of all."""
        i, groups = self.schema.get_field_index(name), range(self.about.num_row_groups)
        found = [self.about.row_group(g).column(i).statistics for g in groups]
        if not all(s is not None and s.has_min_max for s in found):
            return None
        t = self.schema.field(i).type
        try:
            least, greatest = (pyarrow.array(v, t) for v in ([s.min for s in found], [s.max for s in found]))
        except (pyarrow.ArrowException, TypeError):  # bytes of a type that Arrow has no statistics of
            return None
        return pyarrow.chunked_array([least], t), pyarrow.chunked_array([greatest], t)

    def place_of(self, rows: Picked) -> Place | None:
        """Where some rows are; None where most row groups have some, or it takes long to find out."""
        known = rows.place
        if known is None or known[0] is not self.bounds:
            known = rows.place = (self.bounds, self._found(rows))
        return known[1]

    def _found(self, rows: Picked) -> Place | None:
        bounds, n = self.bounds, len(rows)
        if rows.lacking:
            return None
        if n == 0:
            return Place([], None, Even(0, 1, 0), 0)
        if isinstance(rows, Even):
            ends = sorted((rows.start, rows.start + rows.step * (n - 1)))
            first, last = np.searchsorted(bounds, ends, "right") - 1
            within = Even(rows.start - int(bounds[first]), rows.step, n)
            return self._place(np.arange(first, last + 1), ends[1], lambda _: within)
        positions = host_view(rows.positions)
        if rows.ascending:
            counts = np.diff(np.searchsorted(positions, bounds))
            groups = np.flatnonzero(counts)
            return self._place(groups, positions[-1], lambda left_out: positions - np.repeat(left_out, counts[groups]))
        if n * _FEW > len(self):
            return None
        of_each = np.searchsorted(bounds, positions, "right") - 1
        groups, at = np.unique(of_each, return_inverse=True)
        return self._place(groups, positions.max(), lambda left_out: positions - left_out[at])

    def _place(self, groups: np.ndarray, last: int, within: Callable[[np.ndarray], Any]) -> Place | None:
        """The place of rows in some row groups, by a function of how many rows are left out before each of these."""
        begins, sizes = self.bounds[groups], np.diff(self.bounds)[groups]
        kept = np.cumsum(sizes) - sizes
        until = int(last + 1 - begins[-1])
        short = until * 4 <= sizes[-1]
        cost = int(kept[-1]) + (until if short else int(sizes[-1]))
        if 2 * cost > len(self):
            return None
        rows = within(begins - kept)
        if not isinstance(rows, Picked):
            rows = Picked(_core.from_numpy(rows, "cpu"))
        return Place(groups.tolist(), until if short else None, rows, cost)


class ColumnInFile(Outside):
    """A column that is in a file until it is read.

    Rows in a few row groups are read alone, until that has cost as much as half of the column.
    """

    __slots__ = (
        "_convert",
        "_error",
        "_file",
        "_length",
        "_made",
        "_path",
        "_spent",
        "_type",
        "dtype",
        "in_pandas",
        "name",
    )

    def __init__(self, file: ParquetFile, name: str, dtype: Any, in_pandas: bool, convert: Callable[[Any], AnyColumn]):
        self._file: ParquetFile | None = file
        self._path, self._length, self._type = file.path, len(file), file.schema.field(name).type
        self.name, self.dtype, self.in_pandas, self._convert = name, dtype, in_pandas, convert
        self._made: AnyColumn | None = None
        self._error: Exception | None = None
        self._spent = 0

    def __len__(self) -> int:
        return self._length

    @property
    def in_memory(self) -> bool:  # type: ignore[override]
        return self._made is not None

    def where(self) -> str:
        return self._path

    @property
    def home(self) -> ParquetFile | None:
        return self._file

    @property
    def row_bytes(self) -> float:
        size = getattr(self.dtype, "itemsize", None)
        if size is not None:
            return float(size)
        file = self._file
        return 8.0 if file is None else file.row_bytes(self.name)

    def missing_row(self) -> AnyColumn:
        none = self._convert(pyarrow.chunked_array([], self._type))
        return none.take(_core.from_numpy(np.array([-1]), "cpu"), True)

    def rows(self, rows: Picked | None) -> AnyColumn:
        if rows is None:
            return self._whole()
        file = self._file
        if self._made is None and file is not None:
            place = file.place_of(rows)
            if place is not None and self._may_spend(place.cost):
                return place.rows.of(self._read(file, place))
        return rows.of(self._whole())

    def _may_spend(self, cost: int) -> bool:
        cost = max(cost, len(self) // _LEAST_COST)
        if self._error is not None:
            return False
        limit = config.memory_limit
        if limit is not None and len(self) * self.row_bytes > limit:
            return True  # for the column is never read as a whole
        if 2 * (self._spent + cost) > len(self):
            return False
        self._spent += cost
        return True

    def bounds(self) -> Any:
        file = self._file
        reported = None if file is None else file.bounds_of(self.name)
        if reported is None:
            return None
        least, greatest = (self._convert(a) for a in reported)
        fit = least.dtype == greatest.dtype == self.dtype and not least.has_missing() and not greatest.has_missing()
        return (file.bounds, least, greatest) if fit else None  # type: ignore[union-attr]

    def _whole(self) -> AnyColumn:
        file = self._file
        if file is not None:
            with file.lock:
                if self._made is None:
                    if self._error is not None:
                        raise self._error
                    self.check_room()
                    self._made = self._read(file, None)
                    self.came_to_memory()
                    self._file = None  # which closes it after the last column
        return self._made  # type: ignore[return-value]

    def _read(self, file: ParquetFile, place: Place | None) -> AnyColumn:
        return self.made_of(file.arrow(self.name, place))

    def made_of(self, values: Any) -> AnyColumn:
        """The column of some values as Arrow has them."""
        here = _core.get_default_device() == "cpu"
        with nullcontext() if here else config.set(device="cpu"):
            made = self._convert(values)
        if made.dtype != self.dtype:
            raise ValueError(
                f"[read_parquet] {self._path}, column {self.name!r}: the file's statistics are wrong, for they say "
                f"that its type is {self.dtype}, but its values have the type {made.dtype}"
            )
        return made

    def settle(self) -> None:
        """Read the column, or keep the error for whoever reads it."""
        try:
            self._whole()
        except Exception as error:
            self._error = error

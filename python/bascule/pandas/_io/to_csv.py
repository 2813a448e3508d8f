"""Writing CSV: pandas' rules for values, Python's for fields; the core formats the text."""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ... import _core
from ..._array.conversion import host_view
from .._columns.column import AnyColumn, Column, HostColumn, from_pandas_array, text_of
from .._columns.dtypes import is_numpys
from .._datetimes.calendar import strftime
from .._fallback.counted import in_pandas
from .._fallback.native import NotNative
from .._questions import is_list_like, lists_labels
from .._theirs import pandas
from .between_devices import written_by_cpu
from .files import UTF8, opened

_CELLS_AT_ONCE = 2_000_000  # cells that are formatted before they are written
_CELLS_OF_GROUP = 100_000  # cells for which pandas chooses one format of times
_OF_DIGITS = re.compile(r"%(?:\.(\d{1,2}))?([feg])")
_FROM_EXPONENT = next(10.0**k for k in range(1, 17) if "e" in str(np.float32(10.0**k)))  # as NumPy formats float32


class Dialect(NamedTuple):
    """Arguments of Python's `csv.writer`, by its names."""

    delimiter: str
    quoting: int
    quotechar: str | None
    doublequote: bool
    escapechar: str | None
    lineterminator: str


class Rules(NamedTuple):
    """Rules for the fields of a dialect: options of the core, and the messages of its errors."""

    options: dict[str, Any]
    refused_character: str
    refused_row: str


def _line(dialect: Dialect, fields: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, **dialect._asdict()).writerow(fields)
    return out.getvalue().removesuffix(dialect.lineterminator)


@lru_cache(16)
def _rules(dialect: Dialect) -> Rules:
    """The form in which Python's writer writes each character, as found by a call."""
    special = {dialect.delimiter, dialect.quotechar or "", dialect.escapechar or "", *dialect.lineterminator}
    if not all(len(c) <= 1 and c.isascii() for c in special):
        raise NotNative("separators, quotes or line ends beyond ASCII")
    filler = next(c for c in "xyzuvwopq" if c not in special)
    asked = dialect if dialect.quoting == csv.QUOTE_NONE else dialect._replace(quoting=csv.QUOTE_MINIMAL)
    effects, prefixes, refused_character, refused_row = "", "", "", ""
    for code in range(128):
        prefix = "\0"
        try:
            found = _line(asked, [filler + chr(code) + filler])
        except csv.Error as e:
            refused_character, effect = str(e), 4
        else:
            quoted = not found.startswith(filler)
            inner = found[2:-2] if quoted else found[1:-1]
            prefix = inner[0] if len(inner) == 2 else prefix
            effect = (1 if quoted else 0) + (2 if len(inner) == 2 else 0)
        effects, prefixes = effects + str(effect), prefixes + prefix
    empty: str | None = None
    try:
        empty = _line(dialect, [""])
    except csv.Error as e:
        refused_row = str(e)
    options = {
        "separator": dialect.delimiter, "quote": dialect.quotechar or '"', "line_end": dialect.lineterminator, "effects": effects, "prefixes": prefixes,
        "empty_row": empty, "quote_all": dialect.quoting == csv.QUOTE_ALL, "quote_text": dialect.quoting == csv.QUOTE_NONNUMERIC,
    }  # fmt: skip
    return Rules(options, refused_character, refused_row)


class Cells(NamedTuple):
    """A column in the form that the core writes."""

    values: Any
    form: str = ""  # of floats: f, e or g; else the fewest digits
    precision: int = 6
    is_number: bool = False
    one_form: bool = False  # times: one format for all rows, not one for each group
    missing: str = ""


def _of_strings(written: list[str | None], missing: str, is_number: bool = False) -> Cells:
    try:
        made = text_of(written)
    except UnicodeEncodeError:
        raise NotNative("strings that are not valid UTF-8") from None
    return Cells(made.core, is_number=is_number, missing=missing)


class Writer(NamedTuple):
    """Options of a call for the format of values."""

    na_rep: str
    float_format: Any
    date_format: str | None
    quoting: int
    decimal: str
    group: int

    def cells(self, c: AnyColumn, missing: str, whole: bool = False) -> Cells:
        """A column, or a level of the labels, whose format depends on all of its values."""
        return getattr(self, f"_{c.written_as}")(c, missing, whole)

    def _plain(self, c: Column, missing: str, whole: bool) -> Cells:
        return Cells(c.core, is_number=True, missing=missing)

    def _text(self, c: Column, missing: str, whole: bool) -> Cells:
        return Cells(c.core, missing=missing)

    def _dates(self, c: Column, missing: str, whole: bool) -> Cells:
        if self.date_format is not None:
            return Cells(strftime(c.values, self.date_format).core, missing=missing)
        return Cells(c.core, one_form=whole, missing=missing)

    def _floats(self, c: Column, missing: str, whole: bool) -> Cells:
        plain = self.float_format is None and self.decimal == "."
        if plain and self.quoting == csv.QUOTE_MINIMAL and c.nan_is_missing:
            missing = missing[:32]  # NumPy's width of a number as a string
        found = _OF_DIGITS.fullmatch(self.float_format) if isinstance(self.float_format, str) else None
        if c.values.dtype.itemsize > 2 and (self.float_format is None or found):
            form, digits = (found[2], int(found[1] or 6)) if found else ("", 6)
            return Cells(c.core, form, digits, plain, missing=missing)
        values, gone = host_view(c.values), host_view(c.missing())
        said = str if self.float_format is None else self.float_format
        if isinstance(said, str):
            said = said.__mod__
        elif not callable(said):
            raise NotNative("float_format= that is neither a string nor a function")
        written = [None if lost else said(v) for v, lost in zip(values, gone)]
        if not all(isinstance(t, str) for t in written if t is not None):
            raise NotNative("float_format= that does not return strings")
        if self.decimal != ".":
            written = [None if t is None else t.replace(".", self.decimal, 1) for t in written]
        return _of_strings(written, missing, plain)

    def _objects(self, c: HostColumn, missing: str, whole: bool) -> Cells:
        if self.date_format is not None or self.quoting == csv.QUOTE_NONNUMERIC:
            return self._by_pandas(c, missing, whole)
        gone = host_view(c.missing())
        return _of_strings([None if lost else str(v) for v, lost in zip(c.array, gone)], missing)

    def _categories(self, c: HostColumn, missing: str, whole: bool) -> Cells:
        kinds = c.categories
        if is_numpys(kinds.dtype, "mM"):
            return self.cells(from_pandas_array(kinds.to_numpy()).take(c.codes, nulls=True), missing, whole)
        if isinstance(kinds, pandas.DatetimeIndex):
            return self._by_pandas(c, missing, whole)
        number = kinds.dtype.kind in "iufb"
        written = _of_strings([str(v) for v in kinds.tolist()], missing, number)
        codes = _core.astype(c.codes, np.dtype(np.int32), False, "K")
        return written._replace(values=_core.Column.recoded(codes, written.values))

    _zoned = _durations = property(lambda self: self._by_pandas)

    def _by_pandas(self, c: AnyColumn, missing: str, whole: bool) -> Cells:
        """Values that only pandas can format, in groups of rows as in pandas."""
        if self.quoting == csv.QUOTE_NONNUMERIC:
            raise NotNative(f"which values of type {c.dtype} are numbers")
        step = max(len(c) if whole else self.group, 1)
        with in_pandas("DataFrame.to_csv", f"the text of values of type {c.dtype}", c.device):
            values = c.to_pandas_array()
            said = dict(na_rep=missing, date_format=self.date_format, quoting=self.quoting)
            parts = [
                pandas.core.indexes.base.get_values_for_csv(values[i : i + step], **said)
                for i in range(0, len(c), step)
            ]
            return _of_strings([str(v) for part in parts for v in part], missing)


def _label_of_index(asked: Any, index: Any) -> Any:
    """The header of the columns of row labels."""
    if asked is False:
        return asked
    if asked is None:
        names = list(index._names)
        return [n or "" for n in names] if index.nlevels > 1 else ["" if names[0] is None else names[0]]
    return asked if is_list_like(asked) and not isinstance(asked, (set, dict)) else [asked]


def _header(frame: Any, header: Any, with_index: bool, index_label: Any, said: dict[str, Any]) -> list[list[Any]]:
    """The header lines."""
    names = frame._names
    aliases = isinstance(header, tuple) or lists_labels(header)
    if not aliases and not header:
        return []
    if aliases and len(header) != len(names):
        raise ValueError(f"Writing {len(names)} cols but got {len(header)} aliases")
    label = _label_of_index(index_label, frame._index)
    first = list(label) if with_index and label else []
    if aliases or names.nlevels == 1:
        plain = names.dtype == "str" and not names.hasnans
        return [first + list(header if aliases else names if plain else names._get_values_for_csv(**said))]
    lines = []
    for i in range(names.nlevels):
        line = [names.names[i]] if with_index else []
        if with_index and isinstance(label, list) and len(label) > 1:
            line += [""] * (len(label) - 1)
        lines.append(line + list(names._get_level_values(i)))
    if first and set(first) != {""}:
        lines.append(first + [""] * len(names))
    return lines


def _index_cells(index: Any, writer: Writer) -> list[Cells]:
    if index.nlevels > 1:
        if writer.quoting == csv.QUOTE_NONNUMERIC and any(c.has_missing() for c in index._columns):
            raise NotNative("missing labels in levels, where numbers are not quoted")
        return [writer.cells(c, writer.na_rep, whole=True) for c in index._columns]
    column = index._columns[0]
    if column.dt_class == "PeriodProperties" and writer.date_format is not None:
        raise NotNative("date_format= of labels that are periods")
    return [writer.cells(column, "" if index._of_dates and writer.date_format is not None else writer.na_rep)]


class Text(NamedTuple):
    """A frame that is ready to be written."""

    head: str
    cells: list[Cells]
    rules: Rules
    group: int
    rows: int

    def part(self, first: int, past: int, as_str: bool) -> Any:
        """The formatted text of some rows."""
        if not self.cells:
            end = self.rules.options["line_end"] * (past - first)
            return end if as_str else end.encode()
        found = _core.write_csv([tuple(c) for c in self.cells], self.rules.options, first, past, as_str)
        if isinstance(found, int):
            raise csv.Error(self.rules.refused_row if found else self.rules.refused_character)
        return found

    def write(self, handle: Any, as_str: bool) -> None:
        """Write all rows to an open file."""
        handle.write(self.head if as_str else self.head.encode())
        step = max(_CELLS_AT_ONCE // max(len(self.cells), 1) // self.group, 1) * self.group
        for first in range(0, self.rows, step):
            handle.write(self.part(first, min(first + step, self.rows), as_str))


def _text(
    frame: Any, dialect: Dialect, said: dict[str, Any], chunksize: Any, header: Any, index: Any, index_label: Any
) -> Text:
    if dialect.quoting not in (0, 1, 2, 3):
        raise NotNative(f"quoting={dialect.quoting}")
    group = _CELLS_OF_GROUP // (len(frame._names) or 1) or 1
    if chunksize is not None:
        group = int(chunksize)
        if group <= 0:
            raise NotNative("chunksize= that is not positive")
    out = io.StringIO()
    lines = csv.writer(out, **dialect._asdict())
    for line in _header(frame, header, bool(index), index_label, said):
        lines.writerow(line)
    rules = _rules(dialect)
    writer = Writer(**said, group=group)
    if not isinstance(writer.na_rep, str) or not isinstance(writer.decimal, str):
        raise NotNative("na_rep= or decimal= that is not a string")
    cells = _index_cells(frame._index, writer) if index else []
    cells += [writer.cells(c, writer.na_rep) for c in frame._columns]
    options = {**rules.options, "group": group, "decimal": writer.decimal, "single_limit": _FROM_EXPONENT}
    return Text(out.getvalue(), cells, rules._replace(options=options), group, len(frame))


@written_by_cpu
def to_csv(
    self: Any, path_or_buf: Any = None, *, sep: str = ",", na_rep: str = "", float_format: Any = None, columns: Any = None, header: Any = True,
    index: bool = True, index_label: Any = None, mode: str = "w", encoding: str | None = None, compression: Any = "infer", quoting: int | None = None,
    quotechar: str = '"', lineterminator: str | None = None, chunksize: int | None = None, date_format: str | None = None, doublequote: bool = True,
    escapechar: str | None = None, decimal: str = ".", errors: str = "strict", storage_options: Any = None,
) -> str | None:  # fmt: skip
    """Write to a CSV file.

    Parameters
    ----------
    path_or_buf : path, file object or None
        With None the result is returned as a string.
    sep, na_rep, float_format, columns, header, index, index_label, mode, encoding, compression
        As pandas'.
    quoting, quotechar, lineterminator, chunksize, date_format, doublequote, escapechar, decimal, errors, storage_options
        As pandas'. `chunksize` is the number of rows in which timestamps have one format.

    Returns
    -------
    str or None

    Notes
    -----
    Rows on a device with memory of its own are copied once for each column and written by the CPU device, which
    `bascule.fallbacks` counts.

    Raises
    ------
    OSError, KeyError, ValueError, TypeError, csv.Error

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.DataFrame({"x": [1.5, None], "s": ["a", 'b"c']}).to_csv(index=False)
    'x,s\\n1.5,a\\n,"b""c"\\n'
    """
    asked = dict(locals())
    del asked["self"]
    try:
        frame = self.to_frame() if self.ndim == 1 else self
        if columns is not None:
            if frame._names.nlevels > 1:
                raise TypeError("cannot specify cols with a MultiIndex on the columns")
            frame = frame.loc[:, list(columns)]
        way = quoting or csv.QUOTE_MINIMAL
        mark = quotechar if way != csv.QUOTE_NONE or escapechar is not None else None
        dialect = Dialect(sep, way, mark, doublequote, escapechar, lineterminator or os.linesep)
        said = dict(na_rep=na_rep, float_format=float_format, date_format=date_format, quoting=way, decimal=decimal)
        text = _text(frame, dialect, said, chunksize, header, index, index_label)
    except NotNative as why:
        return self._call_pandas("to_csv", (), asked, str(why))
    if encoding is not None:
        codecs.lookup(encoding)
    if path_or_buf is None:
        return text.head + text.part(0, text.rows, as_str=True)
    as_bytes = isinstance(path_or_buf, (str, os.PathLike)) and encoding in UTF8 and mode in ("w", "a", "x")
    how = dict(encoding=encoding, errors=errors, compression=compression, storage_options=storage_options)
    with opened(path_or_buf, f"{mode}b" if as_bytes else mode, as_bytes, how) as handles:
        text.write(getattr(handles, "handle", handles), as_str=not as_bytes)
    return None

"""Reading CSV: pandas' rules, read in parallel by the core."""

from __future__ import annotations

import codecs
import importlib
import io
import os
from typing import Any

import numpy as np

from ... import _core, fallback, progress
from ..._array.caller_warnings import warn
from .. import _classes, _fallback, _indexes
from .._columns.column import STR, Column, HostColumn
from .._columns.dtypes import is_numpys
from .._datetimes.parsing import times_of
from .._stand_ins import labels_of
from .._theirs import UNSET, pandas, unset
from .between_devices import by_cpu
from .chunks import Chunks, Source
from .csv_arguments import (
    BOOLS,
    NATIVE_ONLY_AT,
    REWRITTEN,
    check_bools,
    check_rewritten,
    choose,
    columns_of_dates,
    for_all,
    is_of_no_effect,
    kind_of,
    na_words_of,
    options_of,
    spelling_of,
)
from .csv_in_parts import read_in_parts, rows_at_a_time
from .dialects import NotHere, as_plain, as_utf8, booleans, numbers
from .files import OPENERS


class LeftToCpu(Exception):
    """Another device cannot read a text, and the CPU device reads it, or says what is wrong with it."""


_NO_WORDS: tuple[set[str], set[str]] = (set(), set())


def _path(x: Any) -> str | None:
    """The path of a file; None for an object to read from."""
    if not isinstance(x, (str, os.PathLike)):
        if not hasattr(x, "read"):
            raise NotHere(f"a {type(x).__name__}")
        return None
    path = os.fspath(x)
    if "://" in path:
        raise NotHere("a URL")
    if path.endswith((".tar", ".zst")):
        raise NotHere("an archive")
    if not os.path.exists(path):
        raise FileNotFoundError(2, "No such file or directory", path)
    if os.path.isdir(path):
        raise IsADirectoryError(21, "Is a directory", path)
    return path


def _opened(path: str) -> Any:
    """A file, which is decompressed as it is read."""
    ending = os.path.splitext(path)[1]
    if ending == ".zip":
        return io.BytesIO(_only_member(path))
    return importlib.import_module(OPENERS[ending]).open(path, "rb") if ending in OPENERS else open(path, "rb")


def _only_member(path: str) -> bytes:
    """The one file in an archive."""
    import zipfile

    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if len(names) != 1:
            raise NotHere("an archive of several files")
        return archive.read(names[0])


def _column(core: Any, remark: str) -> Any:
    if remark in ("empty", "huge_integers"):
        raise NotHere({"empty": "no rows", "huge_integers": "integers beyond 64 bits"}[remark])
    if core.is_text:
        return Column(core, STR)
    if core.valid is not None:
        found = core.values.get().astype(object)
        found[~core.valid.get()] = np.nan
        return HostColumn(found)
    return Column(core, core.values.dtype)


def _frame(read: Any, numbered: bool, options: dict[str, Any]) -> Any:
    rows, implicit, parts, host_fields = read
    if host_fields:
        fallback.report_fallback("read_csv", "numbers of more than 19 digits converted by the host")
    columns = [_column(core, remark) for _, remark, core in parts]
    names = [n for n, _, _ in parts][implicit:]
    index = _indexes.default(rows)
    if implicit == 1:
        index = _indexes.from_column(columns[0])
    elif implicit:
        index = _indexes.MultiIndex._make(columns[:implicit], [None] * implicit)
    if numbered:
        wanted = options.get("wanted_positions")
        labels: Any = pandas.RangeIndex(len(names)) if wanted is None else pandas.Index(sorted(set(wanted)))
    else:
        labels = labels_of(names) if names else pandas.Index([], dtype=object)
    return _classes.DataFrame._new(columns[implicit:], labels, index)


def read_csv(
    filepath_or_buffer: Any, *, sep: Any = UNSET, header: Any = "infer", names: Any = UNSET, index_col: Any = None, usecols: Any = None, dtype: Any = None,
    skiprows: Any = None, nrows: Any = None, na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True, skip_blank_lines: bool = True,
    parse_dates: Any = None, quotechar: str = '"', byte_range: tuple[int, int] | None = None, **other: Any,
) -> Any:  # fmt: skip
    """Read a CSV file into a frame.

    Parameters
    ----------
    filepath_or_buffer : path, or object with ``read``
    sep, header, names, usecols, dtype, skiprows, nrows, na_values, keep_default_na, na_filter, skip_blank_lines, quotechar
        As pandas'.
    index_col : label, position or list of them, optional
    parse_dates : bool, or list of labels or numbers of columns, optional
        Columns of dates, in the format of `date_format` or of each column's first string. Numbers count the columns
        that are read, as pandas counts them.
    byte_range : (start, size), optional
        Only the rows whose first byte lies in these bytes of the file; the header is read in any case.
    **other
        Other arguments of pandas' function. If one of them is not supported natively, pandas reads the file, which is
        counted as a fallback.

    Returns
    -------
    DataFrame
        With a GPU as device, the text is copied there once and read there. The CPU reads the files
        that docs/gpu.md lists, and copies each column to the GPU once; `bascule.fallbacks` counts these calls, with the
        reason.

    Raises
    ------
    FileNotFoundError, pandas.errors.EmptyDataError, pandas.errors.ParserError, ValueError
    """
    asked = dict(sep=sep, header=header, names=names, index_col=index_col, usecols=usecols, dtype=dtype, skiprows=skiprows, nrows=nrows, na_values=na_values,
                 keep_default_na=keep_default_na, na_filter=na_filter, skip_blank_lines=skip_blank_lines, parse_dates=parse_dates, quotechar=quotechar)  # fmt: skip
    unknown = [k for k in other if k not in NATIVE_ONLY_AT]
    if unknown:
        raise TypeError(f"read_csv() got an unexpected keyword argument '{unknown[0]}'")
    rows = rows_at_a_time(filepath_or_buffer, {**asked, **other, "byte_range": byte_range})
    if rows is not None:
        return read_in_parts(read_csv, filepath_or_buffer, rows, {**asked, **other})
    call = _Call(filepath_or_buffer, asked, other, byte_range)
    try:
        return call.on_device() if _core.get_default_device().startswith("cuda") else call.frame()
    except NotHere as why:
        if byte_range is not None:
            # An argument that pandas lacks: with it a call cannot be left to pandas.
            raise NotImplementedError(f"[read_csv] byte_range= with {why} is not supported") from None
        return call.in_pandas(str(why))


class _Call:
    """One call: its arguments, and what is found out about them step by step.

    Attributes
    ----------
    source : path, or object with ``read``
        What the caller gave.
    content : str or bytes, optional
        What was read from it, which can be read once only.
    """

    content: str | bytes | None = None

    def __init__(self, source: Any, asked: dict[str, Any], other: dict[str, Any], byte_range: Any):
        self.source, self.asked, self.other, self.byte_range = source, asked, other, byte_range

    def in_pandas(self, reason: str) -> Any:
        """The frame or chunks that pandas reads, from the same characters or bytes."""
        given, content = self.source, self.content
        if content is not None:
            given = io.StringIO(content) if isinstance(content, str) else io.BytesIO(content)
        return _fallback.run("pandas.read_csv", reason, pandas.read_csv, given, **self.asked, **self.other)

    def on_device(self) -> Any:
        """The frame in the memory of the default device, which reads the text, or else the CPU device for it."""
        device, why = _core.get_default_device(), self._cpu_alone()
        if why is None:
            try:
                return self.frame()
            except LeftToCpu as left:
                why = str(left)
        return by_cpu("read_csv", why, device, self.frame)

    def _cpu_alone(self) -> str | None:
        """The argument for which only the CPU device reads; None: there is none."""
        spelling, _ = spelling_of(self.other)
        if "chunks" in spelling:  # each is a call of its own
            return None
        if "times" in spelling:
            return "date_format= or dayfirst="
        if _spells_numbers(spelling):
            return "thousands= or decimal="
        return None if spelling["words"] is None else "true_values= or false_values="

    def frame(self) -> Any:
        """The frame; NotHere where pandas has to read."""
        asked, given = self.asked, {k: v for k, v in self.other.items() if k in BOOLS}
        flags = {k: asked[k] for k in ("keep_default_na", "na_filter", "skip_blank_lines")}
        check_bools(flags | given)
        sep, quotechar = self._format()
        dtype, names, usecols = asked["dtype"], asked["names"], asked["usecols"]
        if type(dtype) is not dict and isinstance(dtype, dict):
            raise NotHere("dtype= that is a dict with a default")
        if not unset(names) and names is not None and isinstance(names, (set, frozenset)):
            raise ValueError("Names should be an ordered collection.")
        every = dtype if dtype is not None and not isinstance(dtype, dict) else None
        rows = asked["nrows"], asked["skiprows"]
        by_column = None if every is not None else dtype
        options = options_of(sep, asked["header"], names, usecols, by_column, *rows, quotechar)
        options.update({k: bool(v) for k, v in flags.items()}, na_words=na_words_of(asked["na_values"]))
        if self.byte_range is not None:
            begin, size = map(int, self.byte_range)
            options.update(range_begin=begin, range_end=begin + size)
        if "chunks" in self.spelling:
            return self._chunks(options)
        text = self._text(options)
        if callable(usecols):
            choose(text, options, usecols)
        times = self.spelling.get("times")
        dates = columns_of_dates(text, options, asked["parse_dates"], asked["index_col"], times is not None)
        if every is not None:
            dtype = for_all(text, options, every)
        if _spells_numbers(self.spelling):  # then pandas leaves the categories strings
            of_categories = [n for n, t in (dtype or {}).items() if not kind_of(t)[0]]
            options["kinds"] = dict.fromkeys(of_categories, "text") | options.get("kinds", {})
        if self.other.get("float_precision") is not None:
            said = "The 'float_precision' argument is deprecated. Use the default float precision instead."
            warn(said, pandas.errors.Pandas4Warning)
        frame = _read(text, options, strict=dtype is not None or asked["header"] is not None)
        self._check(frame, text, options)
        frame = self._in_own_words(frame, dtype or {}, dates)
        _parse(frame, dates, *(times or (None, False)))
        return _finished(frame, names, asked["header"], dtype, asked["index_col"], dates, usecols, by_column or {})

    def _format(self) -> tuple[str, Any]:
        """The separator and the quote; the other marks and words of the file become attributes."""
        sep, quotechar = self.asked["sep"], self.asked["quotechar"]
        self.spelling, others = spelling_of(self.other)
        for k, value in others.items():
            if k == "delimiter" and value is not None and unset(sep):
                sep = value
            elif value is not NATIVE_ONLY_AT[k] and value != NATIVE_ONLY_AT[k] and not is_of_no_effect(k, value):
                raise NotHere(f"{k}=")
        self.rewritten = self.spelling["rewritten"]
        if isinstance(sep, str) and sep == r"\s+":
            self.rewritten["spaces"], sep = True, "\t"
        if self.rewritten:
            check_rewritten(self.rewritten, self.asked, self.byte_range, self.other)
        if "dialect" in self.spelling:
            if not unset(sep) or quotechar != '"':
                raise NotHere("dialect= beside sep= or quotechar=")
            sep, quotechar = self.spelling["dialect"]["sep"], self.spelling["dialect"]["quotechar"]
        return "," if unset(sep) else sep, quotechar

    def _encoding(self) -> str | None:
        """The encoding from which bytes are converted; None for text, and for UTF-8."""
        wanted, there = self.other.get("encoding"), getattr(self.source, "encoding", None)
        if wanted is not None and there is not None and wanted != there:
            raise NotHere("encoding= other than that of the file")
        try:
            codecs.lookup(wanted or "utf-8")
        except LookupError:
            raise NotHere("an unknown encoding") from None
        return self.spelling.get("encoding")

    def _text(self, options: dict[str, Any]) -> str | bytes:
        """A path, or the content, as CSV in UTF-8."""
        path, encoding = _path(self.source), self._encoding()
        text: str | bytes
        if path is None:
            self.content = self.source.read() if self.content is None else self.content
            if isinstance(self.content, str):
                text, encoding = self.content.encode(), None
            else:
                text = self.content = bytes(self.content)
        elif os.path.splitext(path)[1] in (*OPENERS, ".zip"):
            with _opened(path) as file:
                text = file.read()
        else:
            text = path
        if encoding is not None:
            if self.byte_range is not None:
                raise NotHere("encoding=")
            text = as_utf8(text, encoding, self.other.get("encoding_errors") or "strict")
        if not self.rewritten:
            return text
        how = {**self.rewritten, "separator": options["separator"], "quote": options["quote"]}
        return as_plain(text, how, self.other.get("on_bad_lines", "error"))

    def _chunks(self, options: dict[str, Any]) -> Chunks:
        asked = self.asked
        if asked["skiprows"] is not None or not options["skip_blank_lines"]:
            raise NotHere("chunksize= with skiprows= or skip_blank_lines=")
        gone = {*REWRITTEN, "chunksize", "iterator", "encoding", "encoding_errors", "delimiter", "dialect"}
        given = asked | {"sep": options["separator"], "quotechar": options["quote"], "nrows": None}
        given |= {k: v for k, v in self.other.items() if k not in gone}
        form, names = (options["separator"], options["quote"]), options.get("names")
        source = self._stream(options)

        def rest(reason: str) -> Any:
            source.rewind()
            return self.in_pandas(reason)

        try:
            chunks = Chunks(source, form, options["header"] + 1, names and len(names), lambda part: read_csv(io.BytesIO(part), **given), rest)  # fmt: skip
        except NotHere:
            source.rewind()
            raise
        chunks.chunksize, chunks.nrows = self.spelling["chunks"], asked["nrows"]
        chunks.numbered = asked["index_col"] is None or asked["index_col"] is False
        return chunks

    def _stream(self, options: dict[str, Any]) -> Source:
        """The text of which only some is held at a time; all of it where it has to be rewritten first."""
        if self.rewritten:
            text = self._text(options)
            return Source(io.BytesIO(text) if isinstance(text, bytes) else open(text, "rb"), True)
        path, encoding = _path(self.source), self._encoding()
        errors = self.other.get("encoding_errors") or "strict"
        return Source(self.source if path is None else _opened(path), path is not None, encoding, errors)

    def _check(self, frame: Any, text: Any, options: dict[str, Any]) -> None:
        if self.other.get("engine") == "python" and any(c.dtype == bool or c.dtype == object for c in frame._columns):
            raise NotHere("engine='python' with booleans")  # which accepts fewer words
        if self.other.get("low_memory", True) and self.byte_range is None:
            _check_parts(frame, _width(text, options, frame))

    def _in_own_words(self, frame: Any, typed: dict, dates: list[str]) -> Any:
        """The frame with columns of strings that are numbers or booleans in the words of the call, labels of rows as well."""
        spelling, spelt = self.spelling, _spells_numbers(self.spelling)
        if not spelt and spelling["words"] is None:
            return frame
        if spelling["words"] is not None and any(kind_of(t)[0] == "bool" for t in typed.values()):
            raise NotHere("true_values= with a boolean dtype=")
        kinds = {n: kind_of(t)[0] for n, t in typed.items()} | dict.fromkeys(dates, "date")

        def own(c: Any, kind: str | None) -> Any:
            if spelt and kind not in ("", "text", "date"):
                c = numbers(c, spelling.get("thousands"), spelling.get("decimal", "."))
            if spelt and kind == "" and bool(c.missing().all()):
                raise NotHere("categories of no values")
            words = spelling["words"] if kind is None else (spelling["words"] or _NO_WORDS) if kind == "" else None
            return c if words is None else booleans(c, *words)

        index = frame._index
        if not isinstance(index, _indexes.RangeIndex):
            made = [own(c, None) for c in index._columns]
            index = _indexes.Index._of_columns(made, index._names)
        return frame._with([own(c, kinds.get(n)) for n, c in zip(frame._names, frame._columns)], index)


def _spells_numbers(spelling: dict[str, Any]) -> bool:
    return "thousands" in spelling or "decimal" in spelling


def _parse(frame: Any, dates: list[str], date_format: Any, dayfirst: bool) -> None:
    """Convert columns of strings to timestamps, in place."""
    for label in dates:
        if label not in frame._names:
            continue
        at = frame._position(label)
        c = frame._columns[at]
        if c.is_text:
            of = date_format.get(label) if isinstance(date_format, dict) else date_format
            made = times_of(c, of, dayfirst)
            if made is None:
                raise NotHere("dates in a format that only pandas reads")
            frame._columns[at] = made


def _read(source: Any, options: dict[str, Any], strict: bool) -> Any:
    size = len(source) if isinstance(source, bytes) else os.path.getsize(source)
    try:
        with progress.Shown("read_csv", size) as reported:
            read = _core.read_csv(source, options, reported)
    except (ValueError, pandas.errors.ParserError):
        if strict:  # pandas decides whether strings fit the requested type
            raise NotHere("text that does not fit the arguments") from None
        raise
    if isinstance(read, str):
        raise LeftToCpu(read)
    return _frame(read, options["header"] < 0 and "names" not in options, options)


def _width(source: Any, options: dict[str, Any], frame: Any) -> int:
    """Number of columns of a file, of which a frame may have fewer."""
    width = len(frame._columns) + (frame._index.nlevels if not isinstance(frame._index, _indexes.RangeIndex) else 0)
    if "wanted_names" not in options and "wanted_positions" not in options:
        return width
    with open(source, "rb") if isinstance(source, str) else io.BytesIO(source) as f:
        return max(width, f.readline().count(options["separator"].encode()) + 1)


def _check_parts(frame: Any, width: int) -> None:
    """Leave a file to pandas if pandas would infer different types for parts of it.

    pandas infers the type of each chunk of rows by itself, makes a column of objects where they differ, and warns.
    """
    rows = 1
    while rows * 2 < 2**20 // max(width, 1):
        rows *= 2
    if len(frame) <= rows:
        return
    for column in frame._columns:
        if not column.is_text:
            continue
        for start in range(0, len(column), rows):
            some = column.slice(start, 1, min(64, len(column) - start)).to_arrow().to_pylist()
            first = next((v for v in some if v is not None), None)
            if first is None or _is_number(first):
                raise NotHere("text in which some parts begin with a number: with low_memory=False it is read here")


def _is_number(text: str) -> bool:
    if text.strip().lower() in ("true", "false"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def _within(integers: Any, dtype: np.dtype) -> bool:
    """Whether a narrower dtype holds all integers of a column."""
    limits = np.iinfo(dtype)
    return not len(integers) or bool(limits.min <= integers.min() and integers.max() <= limits.max)


def _refuse(reasons: list[tuple[Any, str]]) -> None:
    """Raise NotHere with the reason of the first condition that holds."""
    for holds, reason in reasons:
        if holds:
            raise NotHere(reason)


def _finished(
    frame: Any, names: Any, header: Any, dtype: Any, index_col: Any, parse_dates: Any, usecols: Any, typed: dict
) -> Any:  # fmt: skip
    dtype, implicit = dtype or {}, not isinstance(frame._index, _indexes.RangeIndex)
    renamed = not unset(names) and names is not None and header not in ("infer", None)
    others = implicit or usecols is not None or dtype or parse_dates
    _refuse([
        (implicit and (index_col is not None or usecols is not None or dtype), "rows with more fields than the header"),
        (renamed and (others or len(names) != len(frame._names)), "names= in place of a header of another length"),
    ])  # fmt: skip
    if renamed:
        frame.columns = list(names)
    absent = [k for k in (parse_dates or []) if k not in frame._names]
    if absent:
        raise ValueError(f"Missing column provided to 'parse_dates': '{', '.join(absent)}'")
    _refuse([(any(f"{k}.1" in frame._names for k in dtype), "dtype= of repeated labels")])
    for label, t in dtype.items():
        if label in frame._names:
            _convert(frame, label, kind_of(t)[1])
    if implicit and frame._index.nlevels == 1 and len(frame) != 1:
        frame._index = _indexes.evenly(frame._index)
    return frame if index_col is None or index_col is False else _indexed(frame, index_col, typed)


def _convert(frame: Any, label: Any, wanted: Any) -> None:
    """Give a column the type that the user wants."""
    given = frame[label]
    if given.dtype == wanted:
        return
    c, of_categories = given._column, isinstance(wanted, pandas.CategoricalDtype)
    whole = is_numpys(wanted, "iu")
    _refuse([
        (of_categories and not c.is_text and given.dtype != np.int64, "categories that are neither strings nor integers"),
        (not c.has_core, "missing values in a type that has none"),
    ])  # fmt: skip
    _refuse([(whole and not _within(given, wanted), f"integers beyond {wanted}")])
    frame[label] = given.astype(wanted)


def _indexed(frame: Any, index_col: Any, typed: dict) -> Any:
    """The frame with columns as the labels of its rows; those whose type is given keep it."""
    keys = index_col if isinstance(index_col, (list, tuple)) else [index_col]
    from_the_end = isinstance(index_col, (int, np.integer)) and index_col < 0
    _refuse([(index_col is True or from_the_end, "index_col=True, or counted from the end")])
    if any(isinstance(k, str) and k not in frame._names for k in keys):
        raise ValueError(f"Index {next(k for k in keys if k not in frame._names)} invalid")
    labels = [k if isinstance(k, str) else list(frame._names)[k] for k in keys]
    there = frame[labels[0]]._column if len(labels) == 1 and labels[0] in typed else None
    frame = frame.set_index(labels)
    _refuse([(not all(c.has_core for c in frame._index._columns), "labels of this type")])
    named = [None if isinstance(n, str) and n.startswith("Unnamed: ") else n for n in frame._index._names]
    if not len(frame._names):
        frame.columns = pandas.Index([], dtype=object)
    labels = frame._index.rename(named if len(named) > 1 else named[0])
    frame.index = labels if len(frame) == 1 else _indexes.evenly(labels)
    if there is not None:
        frame.index = _indexes.from_column(there, frame._index.name)
    return frame


def read_table(filepath_or_buffer: Any, *, sep: Any = UNSET, **options: Any) -> Any:
    """Read a delimited text file into a frame; columns are separated by tabs, or by `sep`.

    Parameters
    ----------
    filepath_or_buffer : path, or object with ``read``
    sep : str, optional
    **options
        As of `read_csv`.

    Returns
    -------
    DataFrame
    """
    if unset(sep) and options.get("delimiter") is None:
        sep = "\t"
    return read_csv(filepath_or_buffer, sep=sep, **options)

"""Reading CSV: pandas' rules, read in parallel by the core."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
from typing import Any

import numpy as np
import pandas

from ... import _core, progress
from ..._array.caller_warnings import warn
from ..._array.conversion import host_view
from .. import _classes, _fallback, _indexes
from .._columns.column import STR, Column, HostColumn
from .between_devices import read_by_cpu
from .dialects import NotHere, as_utf8, numbers, of_dialect

_UNSET = pandas.api.extensions.no_default
_OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
# Values of these arguments with which the core reads the file; with any other value, pandas reads it.
_NATIVE_ONLY_AT = {
    "engine": None, "converters": None, "true_values": None, "false_values": None, "skipinitialspace": False, "skipfooter": 0,
    "keep_date_col": _UNSET, "date_format": None, "dayfirst": False, "cache_dates": True, "iterator": False, "chunksize": None, "compression": "infer",
    "thousands": None, "decimal": ".", "lineterminator": None, "quoting": 0, "doublequote": True, "escapechar": None, "comment": None, "encoding": None,
    "encoding_errors": "strict", "dialect": None, "on_bad_lines": "error", "low_memory": True, "memory_map": False, "float_precision": None,
    "storage_options": None, "dtype_backend": _UNSET, "delimiter": None,
}  # fmt: skip
_KINDS = {"i": "int64", "u": "int64", "f": "float64", "b": "bool"}


# Arguments that only concern pandas' own reader and have no effect on the core.
_OF_NO_EFFECT = {"engine": ("c", "python"), "low_memory": (False, True), "float_precision": ("high", "round_trip"), "cache_dates": (True, False)}  # fmt: skip
_UTF8 = frozenset(("utf8", "utf8sig"))
_BOOLS = frozenset("cache_dates dayfirst doublequote iterator low_memory memory_map skipinitialspace".split())


def _source(x: Any) -> Any:
    """A path as str, or the content as bytes."""
    if isinstance(x, (str, os.PathLike)):
        path = os.fspath(x)
        if "://" in path:
            raise NotHere("a URL")
        ending = os.path.splitext(path)[1]
        if ending in _OPENERS:
            with _OPENERS[ending](path, "rb") as f:
                return f.read()
        if ending == ".zip":
            return _only_member(path)
        if ending in (".tar", ".zst"):
            raise NotHere("an archive")
        return path
    if hasattr(x, "read"):
        text = x.read()
        return text.encode() if isinstance(text, str) else bytes(text)
    raise NotHere(f"a {type(x).__name__}")


def _only_member(path: str) -> bytes:
    """The one file in an archive."""
    if not os.path.exists(path):
        raise FileNotFoundError(2, "No such file or directory", path)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if len(names) != 1:
            raise NotHere("an archive of several files")
        return archive.read(names[0])


def _kind(dtype: Any) -> tuple[str, Any]:
    """The type with which the core reads a column of a requested dtype, and its conversion afterwards."""
    dtype = pandas.api.types.pandas_dtype(dtype)
    if isinstance(dtype, pandas.StringDtype):
        return "text", dtype
    if isinstance(dtype, np.dtype) and dtype.kind in _KINDS and dtype != np.dtype(np.uint64):
        return _KINDS[dtype.kind], dtype
    if isinstance(dtype, pandas.CategoricalDtype) and dtype.categories is None and not dtype.ordered:
        return "", dtype  # of the parsed values
    raise NotHere(f"dtype={dtype}")


def _list_of(x: Any) -> list:
    return list(x) if isinstance(x, (list, tuple, pandas.Index, set, frozenset)) else [x]


def _options(
    sep: str,
    header: Any,
    names: Any,
    usecols: Any,
    dtype: Any,
    parse_dates: Any,
    nrows: Any,
    skiprows: Any,
    quotechar: str,
) -> dict[str, Any]:
    if not isinstance(sep, str) or len(sep) != 1 or sep in " \r\n" or not sep.isascii():
        raise NotHere(f"sep={sep!r}")
    if not isinstance(quotechar, str) or len(quotechar) != 1 or not quotechar.isascii():
        raise NotHere(f"quotechar={quotechar!r}")
    found: dict[str, Any] = {"separator": sep, "quote": quotechar}
    if header == "infer":
        header = 0 if names is _UNSET or names is None else None
    if header is not None and (not isinstance(header, (int, np.integer)) or isinstance(header, bool) or header < 0):
        raise NotHere(f"header={header!r}")
    found["header"] = -1 if header is None else int(header)
    if names is not _UNSET and names is not None:
        if not all(isinstance(n, str) for n in names) or len(set(names)) < len(list(names)):
            raise NotHere("names= that are not strings, or not all different")
        if header is None:
            found["names"] = list(names)
    if usecols is not None:
        if callable(usecols):
            raise NotHere("usecols= as a function")
        wanted = _list_of(usecols)
        if all(isinstance(c, str) for c in wanted):
            found["wanted_names"] = wanted
        elif all(isinstance(c, (int, np.integer)) for c in wanted):
            found["wanted_positions"] = [int(c) for c in wanted]
        else:
            raise ValueError(
                "'usecols' must either be list-like of all strings, all unicode, all integers or a callable."
            )
        if not wanted:
            raise NotHere("usecols=[]")
    for name, value in (("skip_rows", skiprows), ("row_limit", nrows)):
        if value is None:
            continue
        if not isinstance(value, (int, np.integer)) or value < 0:
            raise NotHere(f"{name}={value!r}")
        found[name] = int(value)
    kinds: dict[str, str] = {}
    if dtype is not None:
        kinds = {k: _kind(t)[0] for k, t in dtype.items() if _kind(t)[0]}
    if parse_dates not in (None, False):
        if (
            parse_dates is True
            or not isinstance(parse_dates, (list, tuple))
            or not all(isinstance(c, str) for c in parse_dates)
        ):
            raise NotHere("parse_dates= other than a list of labels")
        kinds.update(dict.fromkeys(parse_dates, "date"))
    if not all(isinstance(k, str) for k in kinds):
        raise NotHere("dtype= by position")
    if kinds:
        found["kinds"] = kinds
    return found


def _na_words(na_values: Any) -> list[str]:
    if na_values is None:
        return []
    if isinstance(na_values, dict):
        raise NotHere("na_values= by column")
    words = _list_of(na_values)
    if not all(type(w) in (str, int, float) for w in words):
        raise NotHere("na_values= that are neither strings nor numbers")
    return list(dict.fromkeys(spelt for w in words for spelt in _spelt(w)))


def _spelt(word: Any) -> list[str]:
    """A missing value in all forms that pandas looks for; a number has several, also as an integer."""
    try:
        number = float(word)
        whole = int(number)
    except (ValueError, OverflowError):
        return [str(word)]
    if number == whole:
        return [str(word), str(number), f"{whole}.0", str(whole)]
    return [str(word), str(number)] if isinstance(word, str) else [str(number), str(whole)]


def _column(core: Any, remark: str) -> Any:
    if remark in ("empty", "huge_integers", "unknown_dates"):
        raise NotHere(
            {
                "empty": "no rows",
                "huge_integers": "integers beyond 64 bits",
                "unknown_dates": "dates that are not ISO 8601",
            }[remark]
        )
    if core.is_text:
        return Column(core, STR)
    if core.valid is not None:
        found = host_view(core.values).astype(object)
        found[~host_view(core.valid)] = np.nan
        return HostColumn(found)
    return Column(core, core.values.dtype)


def _frame(read: Any, numbered: bool, options: dict[str, Any]) -> Any:

    rows, implicit, parts = read
    columns = [_column(core, remark) for _, remark, core in parts]
    names = [n for n, _, _ in parts][implicit:]
    index = _indexes.default(rows)
    if implicit == 1:
        index = _indexes.evenly(_indexes.from_column(columns[0])) if rows != 1 else _indexes.from_column(columns[0])
    elif implicit:
        index = _indexes.MultiIndex._make(columns[:implicit], [None] * implicit)
    if numbered:
        wanted = options.get("wanted_positions")
        labels: Any = pandas.RangeIndex(len(names)) if wanted is None else pandas.Index(sorted(set(wanted)))
    else:
        labels = pandas.Index(names) if names else pandas.Index([], dtype=object)
    return _classes.DataFrame._new(columns[implicit:], labels, index)


@read_by_cpu
def read_csv(
    filepath_or_buffer: Any, *, sep: Any = _UNSET, header: Any = "infer", names: Any = _UNSET, index_col: Any = None, usecols: Any = None, dtype: Any = None,
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
    parse_dates : list of labels, optional
        Columns of ISO 8601 dates; pandas reads other formats.
    byte_range : (start, size), optional
        Only the rows whose first byte lies in these bytes of the file; the header is read in any case.
    **other
        pandas' other arguments. Where the core does not support one, pandas reads, which is counted as a fallback.

    Returns
    -------
    DataFrame
        For a device with memory of its own, the CPU device reads and each column is copied there once, which
        `bascule.fallbacks` counts.

    Raises
    ------
    FileNotFoundError, pandas.errors.EmptyDataError, pandas.errors.ParserError, ValueError
    """
    asked = dict(sep=sep, header=header, names=names, index_col=index_col, usecols=usecols, dtype=dtype, skiprows=skiprows, nrows=nrows, na_values=na_values,
                 keep_default_na=keep_default_na, na_filter=na_filter, skip_blank_lines=skip_blank_lines, parse_dates=parse_dates, quotechar=quotechar)  # fmt: skip
    unknown = [k for k in other if k not in _NATIVE_ONLY_AT]
    if unknown:
        raise TypeError(f"read_csv() got an unexpected keyword argument '{unknown[0]}'")
    source = filepath_or_buffer
    try:
        given = {k: v for k, v in other.items() if k in _BOOLS}
        _check_bools(
            dict(keep_default_na=keep_default_na, na_filter=na_filter, skip_blank_lines=skip_blank_lines) | given
        )
        spelling, others = _spelling(other)
        for k, value in others.items():
            if k == "delimiter" and value is not None and sep is _UNSET:
                sep = value
            elif value is not _NATIVE_ONLY_AT[k] and value != _NATIVE_ONLY_AT[k] and not _of_no_effect(k, value):
                raise NotHere(f"{k}=")
        if "dialect" in spelling:
            if sep is not _UNSET or quotechar != '"':
                raise NotHere("dialect= beside sep= or quotechar=")
            sep, quotechar = spelling["dialect"]["sep"], spelling["dialect"]["quotechar"]
        if type(dtype) is not dict and isinstance(dtype, dict):
            raise NotHere("dtype= that is a dict with a default")
        if names is not _UNSET and names is not None and isinstance(names, (set, frozenset)):
            raise ValueError("Names should be an ordered collection.")
        every = dtype if dtype is not None and not isinstance(dtype, dict) else None
        options = _options(
            "," if sep is _UNSET else sep,
            header,
            names,
            usecols,
            None if every is not None else dtype,
            parse_dates,
            nrows,
            skiprows,
            quotechar,
        )
        options.update(na_words=_na_words(na_values), keep_default_na=bool(keep_default_na), na_filter=bool(na_filter), skip_blank_lines=bool(skip_blank_lines))  # fmt: skip
        if byte_range is not None:
            options.update(range_begin=int(byte_range[0]), range_end=int(byte_range[0]) + int(byte_range[1]))
        source = _source(filepath_or_buffer)
        if isinstance(source, str) and not os.path.exists(source):
            raise FileNotFoundError(2, "No such file or directory", source)
        if isinstance(source, str) and os.path.isdir(source):
            raise IsADirectoryError(21, "Is a directory", source)
        if "encoding" in spelling and not (byte_range is None and hasattr(filepath_or_buffer, "encoding")):
            if byte_range is not None:
                raise NotHere("encoding=")
            source = as_utf8(source, spelling["encoding"], other.get("encoding_errors") or "strict")
        if every is not None:
            dtype = _for_all(source, options, every)
        if other.get("float_precision") is not None:
            warn(
                "The 'float_precision' argument is deprecated. Use the default float precision instead.",
                pandas.errors.Pandas4Warning,
            )
        frame = _read(source, options, strict=dtype is not None or header is not None)
        if other.get("engine") == "python" and any(c.dtype == bool or c.dtype == object for c in frame._columns):
            raise NotHere("engine='python' with booleans")  # which accepts fewer words
        if other.get("low_memory", True) and byte_range is None:
            _check_parts(frame, _width(source, options, frame))
        if "thousands" in spelling or "decimal" in spelling:
            point = spelling.get("decimal", ".")
            frame = frame._with([numbers(c, spelling.get("thousands"), point) for c in frame._columns], frame._index)
        return _finished(frame, names, header, dtype, index_col, parse_dates, usecols)
    except NotHere as why:
        if byte_range is not None:
            raise NotImplementedError(f"[read_csv] byte_range= with {why} is not supported") from None
        made = source is not filepath_or_buffer and isinstance(source, bytes)
        return _in_pandas(io.BytesIO(source) if made else source, asked, other, str(why))


def _check_bools(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if not isinstance(value, (bool, np.bool_)) and not (isinstance(value, (int, np.integer)) and value in (0, 1)):
            raise ValueError(f'For argument "{name}" expected type bool, received type {type(value).__name__}.')


def _of_no_effect(name: str, value: Any) -> bool:
    """Whether an argument only chooses between readers of pandas with equal results."""
    return any(value is v or (isinstance(v, str) and value == v) for v in _OF_NO_EFFECT.get(name, ()))


def _spelling(other: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The format of strings and numbers, where it is not the usual one, and the other arguments."""
    found, rest = {}, dict(other)
    for name in ("thousands", "decimal"):
        value = rest.get(name)
        if isinstance(value, str) and len(value) == 1 and value.isascii() and not value.isalnum() and value not in "+-":
            if value != _NATIVE_ONLY_AT[name]:
                found[name] = value
            del rest[name]
    if len({"thousands", "decimal"} & set(found)) and found.get("thousands") == found.get("decimal", "."):
        raise NotHere("one character between thousands and as a point")
    encoding = rest.get("encoding")
    if isinstance(encoding, str):
        if encoding.lower().replace("-", "").replace("_", "") not in _UTF8:
            found["encoding"] = encoding
            rest.pop("encoding_errors", None)
        del rest["encoding"]
    if rest.get("dialect") is not None:
        found["dialect"] = of_dialect(rest.pop("dialect"))
    return found, rest


def _for_all(source: Any, options: dict[str, Any], dtype: Any) -> dict[str, Any]:
    """One type for all columns, by the labels in the header."""
    if options["header"] < 0 and "names" not in options:
        raise NotHere("one dtype= for columns without names")
    kind = _kind(dtype)[0]
    try:
        labels = [n for n, _, _ in _core.read_csv(source, {**options, "row_limit": 1})[2]]
    except (ValueError, pandas.errors.ParserError):
        raise NotHere("text that does not fit the arguments") from None
    dates = options.get("kinds", {})
    if kind:
        options["kinds"] = {**dict.fromkeys(labels, kind), **dates}
    return {label: dtype for label in labels if label not in dates}


def _read(source: Any, options: dict[str, Any], strict: bool) -> Any:
    size = len(source) if isinstance(source, bytes) else os.path.getsize(source)
    try:
        with progress.Shown("read_csv", size) as told:
            read = _core.read_csv(source, options, told)
    except (ValueError, pandas.errors.ParserError):
        if strict:  # pandas decides whether strings fit the requested type
            raise NotHere("text that does not fit the arguments") from None
        raise
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


def _finished(frame: Any, names: Any, header: Any, dtype: Any, index_col: Any, parse_dates: Any, usecols: Any) -> Any:
    implicit = not isinstance(frame._index, _indexes.RangeIndex)
    if implicit and (index_col is not None or usecols is not None or dtype):
        raise NotHere("rows with more fields than the header")
    if names is not _UNSET and names is not None and header not in ("infer", None):
        if len(names) != len(frame._names) or implicit or usecols is not None or dtype or parse_dates:
            raise NotHere("names= in place of a header of another length")
        frame.columns = list(names)
    absent = [k for k in (parse_dates or []) if k not in frame._names]
    if absent:
        raise ValueError(f"Missing column provided to 'parse_dates': '{', '.join(absent)}'")
    if any(f"{k}.1" in frame._names for k in dtype or {}):
        raise NotHere("dtype= of repeated labels")
    for label, t in (dtype or {}).items():
        wanted = _kind(t)[1]
        if label in frame._names and frame[label].dtype != wanted:
            if (
                isinstance(wanted, pandas.CategoricalDtype)
                and not frame._columns[frame._position(label)].is_text
                and frame[label].dtype != np.int64
            ):
                raise NotHere("categories that are neither strings nor integers")
            if isinstance(frame[label]._column, HostColumn):
                raise NotHere("missing values in a type that has none")
            if isinstance(wanted, np.dtype) and wanted.kind in "iu" and not _within(frame[label], wanted):
                raise NotHere(f"integers beyond {wanted}")
            frame[label] = frame[label].astype(wanted)
    if index_col is None or index_col is False:
        return frame
    keys = index_col if isinstance(index_col, (list, tuple)) else [index_col]
    if index_col is True or (isinstance(index_col, (int, np.integer)) and index_col < 0):
        raise NotHere("index_col=True, or counted from the end")
    if any(isinstance(k, str) and k not in frame._names for k in keys):
        raise ValueError(f"Index {next(k for k in keys if k not in frame._names)} invalid")
    labels = [k if isinstance(k, str) else list(frame._names)[k] for k in keys]
    frame = frame.set_index(labels)
    if any(isinstance(c, HostColumn) for c in frame._index._columns):
        raise NotHere("labels of this type")
    named = [None if isinstance(n, str) and n.startswith("Unnamed: ") else n for n in frame._index._names]
    if not len(frame._names):
        frame.columns = pandas.Index([], dtype=object)
    labels = frame._index.rename(named if len(named) > 1 else named[0])
    frame.index = labels if len(frame) == 1 else _indexes.evenly(labels)
    return frame


def _in_pandas(source: Any, asked: dict, other: dict, reason: str) -> Any:
    return _fallback.run("pandas.read_csv", reason, pandas.read_csv, source, **asked, **other)


def read_table(filepath_or_buffer: Any, *, sep: Any = _UNSET, **options: Any) -> Any:
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
    if sep is _UNSET and options.get("delimiter") is None:
        sep = "\t"
    return read_csv(filepath_or_buffer, sep=sep, **options)

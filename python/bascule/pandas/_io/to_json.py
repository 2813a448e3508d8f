"""Writing JSON: pandas' text to the letter, made a column at a time and joined into rows."""

from __future__ import annotations

import datetime
import os
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..._array.caller_warnings import warn
from ..._array.conversion import host_view
from .._columns.column import AnyColumn, Column, HostColumn, from_pandas_object, plain
from .._columns.dtypes import is_numpys
from .._columns.where import is_missing_scalar
from .._fallback.native import NotNative
from .._questions import is_integer
from .._theirs import own, pandas
from .arrow import as_json
from .between_devices import written_by_cpu
from .dialects import NotHere
from .files import opened

_UNITS = ("s", "ms", "us", "ns")
_ORIENTS = ("split", "records", "index", "columns", "values")
_DAY, _DEL = 86_400, "\x7f"
_LARGE, _SMALL = 1e16 - 1, 1e-15  # floats beyond are written with an exponent


class Writer(NamedTuple):
    """Options of a call for the text of values."""

    orient: str
    iso: bool
    unit: str
    precision: int
    ascii: bool
    indent: int
    keeps_integers: bool  # among missing values of categories

    # ---- structure: `level` is the number of brackets around

    def line(self, level: int) -> str:
        return "\n" + " " * (self.indent * level) if self.indent else ""

    def nested(self, marks: str, items: list[str], level: int) -> str:
        """Items in brackets or braces."""
        inner = self.line(level + 1)
        if not items:
            return f"{marks[0]}{inner and chr(10)}{self.line(level)}{marks[1]}"
        return f"{marks[0]}{inner}{(',' + inner).join(items)}{self.line(level)}{marks[1]}"

    def pairs(self, keys: list[str], values: list[Any], level: int) -> str:
        return self.nested("{}", [f"{k}:{v}" for k, v in zip(keys, values)], level)

    def rows(self, keys: list[str] | None, columns: list[list[Any]], count: int, level: int) -> list[str]:
        """Each row as an object of the keys, or as an array."""
        slots = ["%s"] * len(columns)
        if keys is None:
            form = self.nested("[]", slots, level)
        else:
            form = self.nested("{}", [k.replace("%", "%%") + ":%s" for k in keys], level)
        return list(map(form.__mod__, zip(*columns))) if columns else [form] * count

    # ---- values

    def quoted(self, strings: list[str]) -> list[str]:
        json = as_json()
        encode = json.encoder.encode_basestring_ascii if self.ascii else json.encoder.encode_basestring
        made = list(map(encode, strings))
        together = "\0".join(made)  # a zero byte would have been escaped
        if "u007f" in together:  # the one character that only Python escapes
            made = [f'"{_DEL.join(encode(part)[1:-1] for part in x.split(_DEL))}"' for x in strings]
            together = "\0".join(made)
        return together.replace("/", "\\/").split("\0") if "/" in together else made

    def strings(self, c: AnyColumn, level: int) -> list[Any]:
        """The values of a column as text, or as integers, whose text is Python's."""
        return getattr(self, f"_{c.written_as}")(c, level)

    def _plain(self, c: Column, level: int) -> list[Any]:
        values = host_view(c.values)
        made = values.tolist()
        if values.dtype == bool:
            made = ["true" if v else "false" for v in made]
        return _with_nulls(made, c)

    def _text(self, c: Column, level: int) -> list[Any]:
        if not c.has_missing():
            return self.quoted(c.objects())
        return _with_nulls(self.quoted([v if isinstance(v, str) else "" for v in c.objects()]), c)

    def _floats(self, c: Column, level: int) -> list[Any]:
        return _with_nulls(_decimals(host_view(c.values).astype(np.float64, copy=False), self.precision), c)

    def _dates(self, c: Column, level: int) -> list[Any]:
        return _with_nulls(self._times(host_view(c.values), ""), c)

    def _zoned(self, c: HostColumn, level: int) -> list[Any]:
        return _with_nulls(self._times(host_view(c.utc().values), "Z"), c)

    def _times(self, values: np.ndarray, behind: str) -> list[Any]:
        if self.iso:
            years = values[~np.isnat(values)].astype("M8[Y]").view(np.int64) + 1970
            if len(years) and not 1 <= years.min() <= years.max() <= 9999:
                self._lacks(values[0])
            return [f'"{t}{behind}"' for t in np.datetime_as_string(values, self.unit, casting="unsafe").tolist()]
        return self._counts(values, "M8")

    def _counts(self, values: np.ndarray, kind: str) -> list[Any]:
        missing = np.isnat(values)
        made = values.astype(f"{kind}[{self.unit}]")
        back = made.astype(values.dtype)
        step = np.timedelta64(1, self.unit)
        if (~missing & ((back > values) | (values - back >= step))).any():
            self._lacks(values[0])
        return made.view(np.int64).tolist()

    def _durations(self, c: Column, level: int) -> list[Any]:
        values = host_view(c.values)
        if not self.iso:
            return _with_nulls(self._counts(values, "m8"), c)
        per = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[np.datetime_data(values.dtype)[0]]
        counts = values.view(np.int64)
        seconds, parts = np.divmod(np.where(np.isnat(values), 0, counts), per)
        return _with_nulls([_duration(s, p * (10**9 // per)) for s, p in zip(seconds.tolist(), parts.tolist())], c)

    def _categories(self, c: Any, level: int) -> list[Any]:
        there = from_pandas_object(own(c.dtype).categories)
        if not self.keeps_integers and c.has_missing() and is_numpys(there.dtype, "iu"):  # they are floats among NaN
            there = plain(there.values.astype(np.float64))
        kinds = [*self.strings(there, level), "null"]  # a missing one has the code -1
        return [kinds[i] for i in host_view(c.codes).tolist()]

    def _objects(self, c: HostColumn, level: int) -> list[Any]:
        return [self.value(x, level) for x in c.array.tolist()]

    def _by_pandas(self, c: AnyColumn, level: int) -> list[Any]:
        c._lacks()

    def value(self, x: Any, level: int) -> str:
        """One of Python's objects."""
        if isinstance(x, str):
            return self.quoted([x])[0]
        if x is None or (not isinstance(x, (list, tuple, dict)) and is_missing_scalar(x)):
            return "null"
        if isinstance(x, (bool, np.bool_)):
            return "true" if x else "false"
        if isinstance(x, (int, np.integer)):
            return self._lacks(x) if not -(2**63) <= x < 2**64 else str(int(x))
        if isinstance(x, (float, np.float32, np.float16)):
            return _decimals(np.array([x], np.float64), self.precision)[0]
        if type(x) in (list, tuple):
            return self.nested("[]", [self.value(v, level + 1) for v in x], level)
        if type(x) is dict and all(isinstance(k, str) or type(k) is int for k in x):
            keys = self.quoted([str(k) for k in x])
            return self.pairs(keys, [self.value(v, level + 1) for v in x.values()], level)
        if type(x) is datetime.date or (type(x) is datetime.datetime and x.tzinfo is None):
            return str(self._times(np.array([x], "M8[us]"), "")[0])
        return self._lacks(x)

    def _lacks(self, x: Any) -> NoReturn:
        raise NotHere(f"a {type(x).__name__}, or a value of it, that only pandas writes")

    # ---- labels

    def keys(self, labels: Any) -> list[str]:
        """Labels as the keys of an object."""
        if labels.nlevels > 1:
            return self.quoted([str(label) for label in labels])
        c = labels._columns[0]
        if c.written_as in ("dates", "zoned", "durations"):
            made = self.strings(c, 0)
            return c._lacks() if c.has_missing() else made if self.iso else [f'"{t}"' for t in made]
        if c.written_as in ("by_pandas", "categories"):
            c._lacks()
        if c.written_as == "text":
            return self.quoted(list(map(str, c.objects())))
        if c.dtype in (np.int64, np.int32):
            return [f'"{v}"' for v in host_view(c.values).tolist()]
        return self.quoted([str(label) for label in c.objects(scalars=True)])

    def labels(self, labels: Any, level: int) -> list[Any]:
        """Labels as elements of an array."""
        if labels.nlevels > 1:
            columns = [self.strings(c, level + 1) for c in labels._columns]
            return self.rows(None, columns, len(labels), level)
        return self.strings(labels._columns[0], level)


def _with_nulls(strings: list[Any], c: AnyColumn) -> list[Any]:
    if not c.has_missing():
        return strings
    return ["null" if gone else t for t, gone in zip(strings, host_view(c.missing()).tolist())]


def _duration(seconds: int, nanoseconds: int) -> str:
    days, rest = divmod(seconds, _DAY)
    parts = f".{nanoseconds:09d}" if nanoseconds else ""
    while parts.endswith("000"):
        parts = parts[:-3]
    return f'"P{days}DT{rest // 3600}H{rest // 60 % 60}M{rest % 60}{parts}S"'


def _decimals(values: np.ndarray, precision: int) -> list[str]:
    """Floats with at most so many digits behind the point, rounded as pandas' writer rounds them; null where infinite."""
    size = np.abs(values)
    usual = (size <= _LARGE) & ((size >= _SMALL) | (size == 0))
    plain = np.where(usual, size, 0.0)
    power = 10.0**precision
    whole = np.floor(plain)
    exact = (plain - whole) * power
    parts = np.floor(exact)
    over = exact - parts
    odd = (parts == 0) | (parts.astype(np.uint64) & np.uint64(1)).astype(bool)
    parts += (over > 0.5) | ((over == 0.5) & odd)
    whole += parts >= power
    parts[parts >= power] = 0
    signs = np.where(values < 0, "-", "").tolist()
    wholes, fractions = whole.astype(np.uint64).tolist(), parts.astype(np.uint64).tolist()
    end = ".0" if precision else ""
    made = [
        f"{s}{w}.{f:0{precision}d}".rstrip("0") if f else f"{s}{w}{end}" for s, w, f in zip(signs, wholes, fractions)
    ]
    for i in np.nonzero(~usual)[0].tolist():
        made[i] = f"{values[i]:.{precision}g}" if np.isfinite(values[i]) else "null"
    return made


def _is_plain_label(x: Any) -> bool:
    return type(x) in (str, int, float, bool) or (type(x) is tuple and all(type(v) in (str, int) for v in x))


def _of_frame(w: Writer, frame: Any, with_index: bool, lines: bool) -> str:
    names, index, count = frame._names, frame._index, len(frame)
    orient = w.orient
    for x in names:
        if not _is_plain_label(x):
            w._lacks(x)
    keys = w.quoted([str(x) for x in names])
    cells = {"columns": 2, "index": 2, "records": 2, "values": 2, "split": 3}[orient]
    columns = [w.strings(c, cells) for c in frame._columns]
    if orient == "columns":
        inner = w.keys(index) if columns else []
        return w.pairs(keys, [w.pairs(inner, strings, 1) for strings in columns], 0)
    if orient == "index":
        return w.pairs(w.keys(index), w.rows(keys, columns, count, 1), 0) if columns else w.nested("{}", [], 0)
    if orient in ("records", "values"):
        rows = w.rows(keys if orient == "records" else None, columns, count, 1) if columns else []
        return "\n".join(rows) + "\n" if lines else w.nested("[]", rows, 0)
    parts = {"columns": w.nested("[]", [w.value(x, 2) for x in names], 1)}
    if with_index:
        parts["index"] = w.nested("[]", list(map(str, w.labels(index, 2))), 1)
    parts["data"] = w.nested("[]", w.rows(None, columns, count, 2) if columns or not with_index else [], 1)
    return w.pairs([f'"{k}"' for k in parts], list(parts.values()), 0)


def _of_series(w: Writer, s: Any, with_index: bool, lines: bool) -> str:
    values = w.strings(s._column, 2 if w.orient == "split" else 1)
    if w.orient in ("index", "columns"):
        return w.pairs(w.keys(s._index), values, 0)
    if w.orient in ("records", "values"):
        return w.nested("[]", list(map(str, values)), 0)
    parts = {"name": w.value(s.name, 1), "index": w.nested("[]", list(map(str, w.labels(s._index, 2))), 1)}
    parts["data"] = w.nested("[]", list(map(str, values)), 1)
    return w.pairs([f'"{k}"' for k in parts], list(parts.values()), 0)


def _check(s: Any, orient: str | None, index: bool | None, lines: bool, mode: str) -> None:
    """pandas' errors for what does not go together."""
    if orient in ("records", "values") and index is True:
        raise ValueError("'index=True' is only valid when 'orient' is 'split', 'table', 'index', or 'columns'.")
    if orient in ("index", "columns") and index is False:
        raise ValueError("'index=False' is only valid when 'orient' is 'split', 'table', 'records', or 'values'.")
    if lines and orient != "records":
        raise ValueError("'lines' keyword only valid when 'orient' is records")
    if mode not in ("a", "w"):
        raise ValueError(f"mode={mode} is not a valid option.Only 'w' and 'a' are currently supported.")
    if mode == "a" and not lines:
        raise ValueError("mode='a' (append) is only supported when lines is True and orient is 'records'")
    if s.ndim == 1:
        if orient in (None, "index") and not s.index.is_unique:
            raise ValueError("Series index must be unique for orient='index'")
        return
    own = orient or "columns"
    if own in ("index", "columns") and not s.index.is_unique:
        raise ValueError(f"DataFrame index must be unique for orient='{own}'.")
    if own in ("index", "columns", "records") and not s._names.is_unique:
        raise ValueError(f"DataFrame columns must be unique for orient='{own}'.")


def _warn_of_times(s: Any, date_format: str | None) -> None:
    if date_format == "epoch":
        warn(
            "'epoch' date format is deprecated and will be removed in a future version, please use 'iso' date format instead.",
            pandas.errors.Pandas4Warning,
        )
    elif date_format is None and any(c.written_as in ("dates", "durations") for c in s._all_columns()):
        warn(
            'The default formatting of datetime/timedelta values will change from numbers ("epoch") to strings '
            '("iso") in a future version. Specify `date_format="iso"` explicitly in the `to_json()` call to opt-in to '
            "the future behaviour and silence this warning.",
            pandas.errors.Pandas4Warning,
        )


@written_by_cpu
def to_json(
    self: Any, path_or_buf: Any = None, *, orient: str | None = None, date_format: str | None = None, double_precision: int = 10,
    force_ascii: bool = True, date_unit: str = "ms", default_handler: Any = None, lines: bool = False, compression: Any = "infer",
    index: bool | None = None, indent: int | None = None, storage_options: Any = None, mode: str = "w",
) -> str | None:  # fmt: skip
    """Write as JSON.

    Parameters
    ----------
    path_or_buf : path, file object or None
        With None the result is returned as a string.
    orient : {"columns", "index", "records", "split", "values", "table"}, optional
        By default "columns" of a frame and "index" of a series.
    date_format, double_precision, force_ascii, date_unit, default_handler, lines, compression, index, indent, storage_options, mode
        As pandas'.

    Returns
    -------
    str or None

    Raises
    ------
    OSError, ValueError

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.DataFrame({"x": [1.5, None], "s": ["a", "b/c"]}).to_json(orient="records")
    '[{"x":1.5,"s":"a"},{"x":null,"s":"b\\\\/c"}]'
    """
    asked = dict(locals())
    del asked["self"]
    try:
        known = orient in (None, *_ORIENTS) and date_format in (None, "epoch", "iso") and date_unit in _UNITS
        whole = all(is_integer(n) and 0 <= n <= 15 for n in (double_precision, indent or 0))
        odd = (lines and (indent or self.ndim == 1)) or (self.ndim == 1 and orient == "split" and index is False)
        if not known or not whole or default_handler is not None or odd:
            raise NotHere("orient='table', a handler of objects, indented lines, or a series without labels")
        _check(self, orient, index, bool(lines), mode)
        own = orient or ("columns" if self.ndim == 2 else "index")
        keeps = own == "split" and index is False
        options = int(double_precision), bool(force_ascii), int(indent or 0), keeps
        writer = Writer(own, date_format == "iso", date_unit, *options)
        text = (_of_frame if self.ndim == 2 else _of_series)(writer, self, index is not False, bool(lines))
    except (NotNative, NotHere) as why:
        return self._call_pandas("to_json", (), asked, str(why))
    _warn_of_times(self, date_format)
    if path_or_buf is None:
        return text
    as_bytes = isinstance(path_or_buf, (str, os.PathLike))
    how = dict(compression=compression, storage_options=storage_options)
    with opened(path_or_buf, f"{mode}b" if as_bytes else mode, as_bytes, how) as handles:
        getattr(handles, "handle", handles).write(text.encode() if as_bytes else text)
    return None

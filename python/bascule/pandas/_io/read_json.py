"""Reading JSON: Python's parser with pandas' numbers, and pandas' rules for the types of columns and labels."""

from __future__ import annotations

import itertools
import re
from contextlib import suppress
from typing import Any

import numpy as np

from .. import _classes
from .._datetimes.to_datetime import to_datetime
from .._fallback.native import NotNative, native_function
from .._theirs import UNSET, unset
from .arrow import as_json
from .between_devices import read_by_cpu
from .dialects import NotHere
from .files import text_of_file

_DIGITS = 15  # digits behind the point that pandas' parser reads
_PARTS = [float(f"1e-{k}") for k in range(_DIGITS + 1)]
_CONSTANTS = {"NaN": None, "Infinity": np.inf, "-Infinity": -np.inf}
_HUGE = re.compile(r"\d{20}")
_SMALLEST_TIME = 31_536_000  # numbers from 1971 on, in seconds, may be times
_OF_OBJECTS, _OF_NUMBERS = ("text", "objects"), ("plain", "floats")
_UNITS = ("s", "ms", "us", "ns")
_DATES = ("modified", "date", "datetime")
# A text without digits is a date only with one of these names, and then only with none but these words.
_NAMES = frozenset(
    "fri friday mon monday sat saturday sun sunday thu thurs thursday tue tues tuesday wed weds wednesday jan january feb february mar "
    "march apr april may jun june jul july aug august sep sept september oct october nov november dec december now today nat nan na n "
    "none null".split()
)  # fmt: skip
_WORDS = _NAMES.union(
    "a ad am and at d gmt h hour hours m minute minutes nd of on p pm rd s second seconds st t th utc z".split()
)
_WORD = re.compile(r"[^\W\d_]+")


def _decimal(text: str) -> float:
    """A number with a point or an exponent, as exactly as pandas' fast parser reads it."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, digits = mantissa.partition(".")
    digits = digits[:_DIGITS]
    made = float(abs(int(whole))) + int(digits or 0) * _PARTS[len(digits)]
    if whole[0] == "-":
        made = -made
    return made * 10.0 ** int(exponent) if exponent else made


def _parsed(text: str, precise: bool) -> Any:
    json = as_json()
    try:
        if _HUGE.search(text):
            raise OverflowError  # perhaps an integer of more than 64 bits, which pandas refuses
        read = json.JSONDecoder(parse_float=None if precise else _decimal, parse_constant=_CONSTANTS.get, strict=False)
        return read.decode(text)
    except (json.JSONDecodeError, OverflowError, RecursionError):
        raise NotHere("text that Python does not read as JSON") from None


def is_no_date(text: Any) -> bool:
    """Whether a text is certainly no date."""
    if not isinstance(text, str) or not text.strip():
        return False
    words = _WORD.findall(text)
    low = [w.lower() for w in words]
    if any(map(str.isdigit, text)):  # with a time in front, capitals may be a zone
        return any(w.lower() not in _WORDS and w.lower() != "q" and not w.isupper() for w in words)
    return _NAMES.isdisjoint(low) or not _WORDS.issuperset(low)


def _number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def _kind(s: Any) -> str:
    return "booleans" if s.dtype == bool else s._column.written_as


def _is_whole(text: Any) -> bool:
    try:
        int(text)
    except (TypeError, ValueError):
        return False
    return True


def _as_integers(s: Any) -> Any:
    """The values as int64 where they are numbers or say them; else None."""
    if _kind(s) == "text" and not all(map(_is_whole, s)):
        return None
    try:
        return s.astype("int64")
    except (TypeError, ValueError, OverflowError):
        return None


def _as_times(s: Any, unit: str | None) -> Any:
    """The values as times where they say such, as pandas reads them; else the series itself."""
    if not len(s):
        return s
    numbers = s
    if _kind(s) in _OF_OBJECTS:
        whole = _as_integers(s)
        numbers = s if whole is None else whole
    if _kind(numbers) in _OF_NUMBERS:
        least = _SMALLEST_TIME * 1000 ** _UNITS.index(unit or "s")
        values = numbers.to_numpy()
        if not (np.isnan(values) | (values > least) | (values == np.iinfo(np.int64).min)).all():
            return s
    if _kind(numbers) == "text":
        if any(map(is_no_date, itertools.islice(numbers, 3))):
            return s
        return _of_text(numbers, s)
    if _kind(numbers) not in _OF_NUMBERS:
        raise NotHere("booleans or objects in a column of dates")
    for one in (unit,) if unit else _UNITS:
        try:
            made = to_datetime(numbers, unit=one)
            made.dt.as_unit("ns")
            return made
        except (ValueError, OverflowError, TypeError):
            continue
    return s


def _of_text(s: Any, otherwise: Any) -> Any:
    for known in (None, "ISO8601", "mixed"):
        try:
            made = to_datetime(s, format=known)
        except Exception:  # as pandas: whatever does not parse is not a date
            continue
        if known == "ISO8601" or not (made.dt.year == 1).any():
            return made
    return otherwise


def _typed(s: Any, wanted: Any, dates: bool, unit: str | None) -> tuple[Any, bool]:
    """A series in the type that pandas infers, and whether it is another one."""
    if wanted is not True and wanted is not None:
        if not wanted:
            return (s, False) if s.notna().all() else (s.fillna(np.nan), True)
        dtype = (wanted.get(s.name) if isinstance(wanted, dict) else wanted) if not dates else None
        if dtype is not None:
            try:
                return s.astype(dtype), True
            except (TypeError, ValueError):
                return s, False
    if dates:
        made = _as_times(s, unit)
        if made is not s:
            return made, True
    return _as_numbers(s)


def _as_numbers(s: Any) -> tuple[Any, bool]:
    made = s
    if _kind(s) in _OF_OBJECTS and all(x is None or _number(x) is not None for x in s):
        with suppress(TypeError, ValueError):  # objects that are no numbers stay as they are
            made = s.astype("float64")
    if len(made) and made.dtype in (np.float64, object):
        whole = _as_integers(s)
        if whole is not None and (whole == made).all():
            return whole, True
    return made, made is not s


def _is_date_column(name: Any) -> bool:
    if not isinstance(name, str):
        return False
    low = name.lower()
    return low.endswith(("_at", "_time")) or low in _DATES or low.startswith("timestamp")


def _labels(labels: Any, unit: str | None, keep_numbers: bool) -> Any:
    """Labels in the type that pandas infers, or None where they stay."""
    if labels.nlevels > 1:
        return None
    s = _classes.Series(labels)
    made, changed = _typed(s, None, True, unit)
    return made if changed and not keep_numbers else None


def _stay_text(names: list[Any]) -> bool:
    """Whether labels of columns certainly stay text: one of them is neither a number nor a date."""
    return any(is_no_date(x) and _number(x) is None for x in names)


def _parts(data: Any, keys: set[str]) -> dict[str, Any]:
    """The parts of an object in the form of `orient="split"`."""
    parts = {str(k): v for k, v in data.items()}
    bad = set(parts).difference(keys)
    if bad:
        raise ValueError(f"JSON data had unexpected key(s): {', '.join(bad)}")
    return parts


def _frame(data: Any, orient: str) -> Any:
    if orient == "split":
        decoded = _parts(data, {"columns", "index", "data"})
        names = decoded["columns"]
        if any(isinstance(x, list) for x in names) or len(set(map(str, names))) < len(names):
            raise NotHere("labels of columns that are lists, or that repeat")
        return _classes.DataFrame(dtype=None, **decoded)
    if orient == "index":
        return _classes.DataFrame.from_dict(data, dtype=None, orient="index")
    return _classes.DataFrame(data, dtype=None)


def _made_of(text: str, typ: str, orient: str, wanted: Any, axes: bool, unit: str | None, precise: bool) -> Any:
    data = _parsed(text, precise)
    if typ == "series":
        s = _classes.Series(**_parts(data, {"name", "index", "data"}) if orient == "split" else {"data": data})
        index = _labels(s.index, unit, orient == "split") if axes else None
        if index is not None:
            s.index = _classes.Index(index)
        return _typed(s.rename("data"), wanted, True, unit)[0].rename(s.name)
    frame = _frame(data, orient)
    names = list(frame._names)
    columns = [_typed(frame._series(i), wanted, _is_date_column(name), unit)[0]._column for i, name in enumerate(names)]
    made = frame._with(columns, frame._index)
    if axes:
        # pandas numbers rows that have no labels by a range, which is no time either
        index = (
            None
            if isinstance(frame._index, _classes.RangeIndex) and len(frame) <= _SMALLEST_TIME
            else _labels(frame.index, unit, False)
        )
        if index is not None:
            made.index = _classes.Index(index)
        if not _stay_text(names):
            found = _labels(frame.columns, unit, False)
            if found is not None:
                made.columns = _classes.Index(found)
    return made


@read_by_cpu
@native_function(
    "read_json", orient=(None, "split", "records", "index", "columns", "values"), typ=("frame", "series"), convert_dates=unset,
    keep_default_dates=unset, dtype_backend=unset, date_unit=(None, *_UNITS), chunksize=None, nrows=None, storage_options=None, engine="ujson",
)  # fmt: skip
def read_json(
    path_or_buf: Any, *, orient: str | None = None, typ: str = "frame", dtype: Any = None, convert_axes: bool | None = None, convert_dates: Any = UNSET,
    keep_default_dates: Any = UNSET, precise_float: bool = False, date_unit: str | None = None, encoding: str | None = None, encoding_errors: str | None = "strict",
    lines: bool = False, chunksize: int | None = None, compression: Any = "infer", nrows: int | None = None, storage_options: Any = None,
    dtype_backend: Any = UNSET, engine: str = "ujson",
) -> Any:  # fmt: skip
    """Read JSON into a frame or series.

    Parameters
    ----------
    path_or_buf : path, or object with ``read``
    orient : {"columns", "index", "records", "split", "values", "table"}, optional
    typ : {"frame", "series"}
    dtype, convert_axes, convert_dates, keep_default_dates, precise_float, date_unit, encoding, encoding_errors, lines
        As pandas'.
    chunksize, compression, nrows, storage_options, dtype_backend, engine
        As pandas'.

    Returns
    -------
    DataFrame or Series

    Examples
    --------
    >>> import io
    >>> import bascule.pandas as pd
    >>> pd.read_json(io.StringIO('[{"x":1.0,"s":"a"},{"x":2.0,"s":null}]')).dtypes.tolist()
    [dtype('int64'), <StringDtype(na_value=nan)>]
    """
    if typ == "series" and dtype not in (None, True, False):
        raise NotNative("dtype= of a series")
    start = path_or_buf.tell() if hasattr(path_or_buf, "seek") else None
    own = orient or ("index" if typ == "series" else "columns")
    try:
        text = text_of_file(path_or_buf, encoding, encoding_errors, compression)
        if text is None:
            raise NotHere("a file that pandas opens")
        if lines:
            text = f"[{','.join([line for line in map(str.strip, text.split(chr(10))) if line])}]"
        return _made_of(text, typ, own, dtype, convert_axes is not False, date_unit, bool(precise_float))
    except (NotNative, NotHere) as why:
        if start is not None:
            path_or_buf.seek(start)  # for pandas, which reads it again
        raise NotNative(str(why)) from None

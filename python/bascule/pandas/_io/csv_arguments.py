"""Arguments of `read_csv` as options of the core; NotHere for those with which pandas reads."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ...config import config
from .._columns.dtypes import is_numpys
from .._questions import is_integer, is_list_like, lists_labels
from .._theirs import UNSET, pandas, unset
from .dialects import NotHere, boolean_words, of_dialect

# Values of these arguments with which the core reads the file; with any other value, pandas reads it.
NATIVE_ONLY_AT = {
    "engine": None, "converters": None, "true_values": None, "false_values": None, "skipinitialspace": False, "skipfooter": 0,
    "keep_date_col": UNSET, "date_format": None, "dayfirst": False, "cache_dates": True, "iterator": False, "chunksize": None, "compression": "infer",
    "thousands": None, "decimal": ".", "lineterminator": None, "quoting": 0, "doublequote": True, "escapechar": None, "comment": None, "encoding": None,
    "encoding_errors": "strict", "dialect": None, "on_bad_lines": "error", "low_memory": True, "memory_map": False, "float_precision": None,
    "storage_options": None, "dtype_backend": UNSET, "delimiter": None,
}  # fmt: skip
_KINDS = {"i": "int64", "u": "int64", "f": "float64", "b": "bool"}


# Arguments that only concern pandas' own reader and have no effect on the core.
_OF_NO_EFFECT = {"engine": ("c", "python"), "low_memory": (False, True), "float_precision": ("high", "round_trip"), "cache_dates": (True, False)}  # fmt: skip
_UTF8 = frozenset(("utf8", "utf8sig"))
# Arguments for which the text is rewritten as CSV first.
REWRITTEN = {"comment": "comment", "skipinitialspace": "initial_spaces", "on_bad_lines": "drop_long_rows"}
BOOLS = frozenset("cache_dates dayfirst doublequote iterator low_memory memory_map skipinitialspace".split())


def kind_of(dtype: Any) -> tuple[str, Any]:
    """The type with which the core reads a column of a requested dtype, and its conversion afterwards."""
    dtype = pandas.api.types.pandas_dtype(dtype)
    if isinstance(dtype, pandas.StringDtype):
        return "text", dtype
    if is_numpys(dtype, "iufb") and dtype != np.dtype(np.uint64):
        return _KINDS[dtype.kind], dtype
    if isinstance(dtype, pandas.CategoricalDtype) and dtype.categories is None and not dtype.ordered:
        return "", dtype  # of the parsed values
    raise NotHere(f"dtype={dtype}")


def _list_of(x: Any) -> list:
    return list(x) if isinstance(x, (tuple, set, frozenset)) or lists_labels(x) else [x]


def _wanted(usecols: Any) -> dict[str, Any]:
    """The columns to read, by label or position."""
    wanted = _list_of(usecols) if is_list_like(usecols) else [None]  # which is refused
    if not wanted:
        raise NotHere("usecols=[]")
    if all(isinstance(c, str) for c in wanted):
        return {"wanted_names": wanted}
    if all(map(is_integer, wanted)):
        return {"wanted_positions": [int(c) for c in wanted]}
    raise ValueError("'usecols' must either be list-like of all strings, all unicode, all integers or a callable.")


def options_of(
    sep: str,
    header: Any,
    names: Any,
    usecols: Any,
    dtype: Any,
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
        header = 0 if unset(names) or names is None else None
    if header is not None and (not is_integer(header) or header < 0):
        raise NotHere(f"header={header!r}")
    found["header"] = -1 if header is None else int(header)
    if not unset(names) and names is not None:
        if not all(isinstance(n, str) for n in names) or len(set(names)) < len(list(names)):
            raise NotHere("names= that are not strings, or not all different")
        if header is None:
            found["names"] = list(names)
    if usecols is not None and not callable(usecols):
        found.update(_wanted(usecols))
    for name, value in (("skip_rows", skiprows), ("row_limit", nrows)):
        if value is None:
            continue
        if not is_integer(value) or value < 0:
            raise NotHere(f"{name}={value!r}")
        found[name] = int(value)
    kinds: dict[str, str] = {}
    if dtype is not None:
        if not all(isinstance(k, str) for k in dtype):
            raise NotHere("dtype= by position")
        kinds = {k: kind_of(t)[0] for k, t in dtype.items() if kind_of(t)[0]}
    if kinds:
        found["kinds"] = kinds
    return found


def _labels(source: Any, options: dict[str, Any]) -> list[Any]:
    """The labels of the columns, as the header and `names` give them."""
    try:
        with config.set(device="cpu"):
            return [n for n, _, _ in _core.read_csv(source, {**options, "row_limit": 1})[2]]
    except (ValueError, pandas.errors.ParserError):
        raise NotHere("text that does not fit the arguments") from None


def choose(source: Any, options: dict[str, Any], usecols: Any) -> None:
    """Read the columns for whose labels a function returns a true value."""
    labels = _labels(source, options)
    wanted = [n for n in labels if n is not None and usecols(n)]
    if not wanted or None in labels:
        raise NotHere("usecols= that chooses no column, or without labels")
    options["wanted_names"] = wanted


def columns_of_dates(
    source: Any, options: dict[str, Any], parse_dates: Any, index_col: Any, as_text: bool
) -> list[str]:
    """The labels of columns of dates; they are read as text where a format is given."""
    if parse_dates is None or parse_dates is False:
        return []
    asked = parse_dates
    if asked is True:
        if index_col is None or isinstance(index_col, (bool, list, tuple)):
            raise NotHere("parse_dates=True without one index_col=")
        asked = [index_col]
    if not isinstance(asked, (list, tuple)) or any(isinstance(c, (bool, list, tuple)) for c in asked):
        raise NotHere("parse_dates= other than a list of labels")
    if not all(isinstance(c, str) for c in asked):
        labels = _labels(source, options)  # a number counts the columns that are read
        if (
            not all(isinstance(c, str) or (type(c) is int and -len(labels) <= c < len(labels)) for c in asked)
            or None in labels
        ):
            raise NotHere("parse_dates= other than a list of labels, or rows of more fields than the header")
        asked = [c if isinstance(c, str) else labels[c] for c in asked]
    if None in asked:
        raise NotHere("parse_dates= of columns without labels")
    options["kinds"] = {**options.get("kinds", {}), **dict.fromkeys(asked, "text" if as_text else "date")}
    return list(asked)


def na_words_of(na_values: Any) -> list[str]:
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


def check_bools(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if not isinstance(value, (bool, np.bool_)) and not (isinstance(value, (int, np.integer)) and value in (0, 1)):
            raise ValueError(f'For argument "{name}" expected type bool, received type {type(value).__name__}.')


def is_of_no_effect(name: str, value: Any) -> bool:
    """Whether an argument only chooses between readers of pandas with equal results."""
    return any(value is v or (isinstance(v, str) and value == v) for v in _OF_NO_EFFECT.get(name, ()))


def spelling_of(other: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The format of strings and numbers, where it is not the usual one, and the other arguments."""
    found, rest = {}, dict(other)
    for name in ("thousands", "decimal"):
        value = rest.get(name)
        if isinstance(value, str) and len(value) == 1 and value.isascii() and not value.isalnum() and value not in "+-":
            if value != NATIVE_ONLY_AT[name]:
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
    return found, _with_lines(found, rest)


def _with_lines(found: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    """Add the words of booleans, the formats of dates and the kinds of lines; the arguments that are left."""
    found["words"] = boolean_words(rest.pop("true_values", None), rest.pop("false_values", None))
    date_format, dayfirst = rest.get("date_format"), rest.get("dayfirst", False)
    if (date_format is None or isinstance(date_format, (str, dict))) and isinstance(dayfirst, (bool, np.bool_)):
        rest = {k: v for k, v in rest.items() if k not in ("date_format", "dayfirst")}
        if date_format is not None or dayfirst:
            found["times"] = date_format, bool(dayfirst)
    found["rewritten"] = {k: rest.pop(n) for n, k in REWRITTEN.items() if _is_rewritten(n, rest.get(n))}
    if "drop_long_rows" in found["rewritten"]:
        found["rewritten"]["drop_long_rows"] = True
    size = rest.pop("chunksize", None)
    if is_integer(size) and size > 0:
        found["chunks"] = int(size)
    elif size is not None:
        rest["chunksize"] = size
    elif rest.get("iterator") is True:
        found["chunks"] = None
    if "chunks" in found:
        rest.pop("iterator", None)
    return rest


def _is_rewritten(name: str, value: Any) -> bool:
    """Whether an argument asks for what the text is rewritten for."""
    if name == "comment":
        return isinstance(value, str) and len(value) == 1 and value.isascii()
    return value in ("skip", "warn") if name == "on_bad_lines" else value is True


def check_rewritten(how: dict[str, Any], asked: dict[str, Any], byte_range: Any, other: dict[str, Any]) -> None:
    """NotHere for arguments that mean other lines than those of the rewritten text."""
    skips = asked["skiprows"] not in (None, 0)
    named = not unset(asked["names"]) and asked["names"] is not None
    if not asked["skip_blank_lines"] or byte_range is not None or other.get("engine") == "python":
        raise NotHere("comments or spaces with skip_blank_lines=, byte_range= or another engine")
    if (skips and "comment" in how) or ("drop_long_rows" in how and (skips or named or asked["usecols"] is not None)):
        raise NotHere("comments with skiprows=, or on_bad_lines= with skiprows=, names= or usecols=")


def for_all(source: Any, options: dict[str, Any], dtype: Any) -> dict[str, Any]:
    """One type for all columns, by the labels in the header."""
    if options["header"] < 0 and "names" not in options:
        raise NotHere("one dtype= for columns without names")
    kind = kind_of(dtype)[0]
    labels = _labels(source, options)
    if None in labels:
        raise NotHere("one dtype= for rows of more fields than the header")
    dates = options.get("kinds", {})
    if kind:
        options["kinds"] = {**dict.fromkeys(labels, kind), **dates}
    return {label: dtype for label in labels if label not in dates}

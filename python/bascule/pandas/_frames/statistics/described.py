"""Summaries of columns: describe, and the choice of columns by their type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .... import _core
from ... import _classes, _indexes
from ..._columns.column import AnyColumn, HostColumn, from_pandas_array
from ..._columns.reduce import quantiles, reduction
from ..._fallback.native import NotNative
from ..._questions import is_list_like
from ..._theirs import pandas

_QUARTERS = [0.25, 0.5, 0.75]


def shares_of(percentiles: Any) -> tuple[list[float], list[str]]:
    """Percentiles that a user asks for, ascending, and their labels; NotNative for those that pandas refuses or rounds."""
    given = np.asarray(_QUARTERS if percentiles is None else percentiles, dtype=np.float64)
    shares = np.unique(given)
    are_shares, whole = (shares >= 0) & (shares <= 1), (100 * shares).round()
    if given.ndim != 1 or len(shares) < len(given) or not (are_shares & np.isclose(whole, 100 * shares)).all():
        raise NotNative("percentiles that repeat, are none or have fractions")
    return shares.tolist(), [f"{p:.0f}%" for p in whole]


def _kind(c: AnyColumn, known: str = "biufcMmtOCP") -> str:
    """NumPy's letter of a column's type, "t" for strings, "C" for categories, "P" for periods; NotNative for types not among the known ones."""
    if c.selected_as not in known:
        raise NotNative(f"descriptions of type {c.dtype}")
    return c.selected_as


def summary(c: AnyColumn, shares: list[float], marks: list[str]) -> tuple[list[str], AnyColumn]:
    """The names and values of a column's statistics: of numbers, of timestamps, or of the most frequent value."""
    kind = _kind(c, "btiufMm")
    if kind in "bt":
        return _of_kinds(c)
    found = list(quantiles(c, shares)[0]) if shares else []
    if kind == "M":
        names = ["count", "mean", "min", *marks, "max"]
        values = [*(reduction(n, c) for n in names[:3]), *map(pandas.Timestamp, found), reduction("max", c)]
        made = np.empty(len(values), dtype=object)
        made[:] = values
        return names, HostColumn(made)
    names = ["count", "mean", "std", "min"]
    spread = reduction("std", _lengths(c)) if kind == "m" else reduction("std", c)
    numbers = [*(reduction(n, c) for n in names[:2]), spread, reduction("min", c), *found, reduction("max", c)]
    if kind == "m":
        spread = "NaT" if spread != spread else int(spread)
        numbers[2] = np.timedelta64(spread, np.datetime_data(c.dtype)[0])
        made = np.empty(len(numbers), dtype=object)
        made[:] = [numbers[0], *map(pandas.Timedelta, numbers[1:])]
        return [*names, *marks, "max"], HostColumn(made)
    return [*names, *marks, "max"], from_pandas_array(np.array(numbers, dtype=np.float64))


def _lengths(c: AnyColumn) -> AnyColumn:
    """Durations as floats of their unit."""
    values = _core.to_numpy(c.plain_values("m"))
    return from_pandas_array(np.where(np.isnat(values), np.nan, values.view(np.int64)))


def _of_kinds(c: AnyColumn) -> tuple[list[str], AnyColumn]:
    """How many values there are, how many of them differ, and the most frequent one."""
    counts = _classes.Series._new(c, _indexes.default(len(c)), None).value_counts()
    made = np.empty(4, dtype=object)
    made[:2] = reduction("count", c), len(counts)
    made[2:] = (counts._index._item(0), counts._column.item(0)) if len(counts) else (np.nan, np.nan)
    return ["count", "unique", "top", "freq"], HostColumn(made)


# ---- columns by type


def _exactly(kind: Any) -> Callable[[str, Any], bool]:
    return lambda letter, dtype: letter != "t" and dtype.type is kind


def _among(letters: str) -> Callable[[str, Any], bool]:
    return lambda letter, dtype: letter in letters


def _sized(letter: str) -> Callable[[str, Any], bool]:
    return lambda found, dtype: found == letter and dtype.itemsize >= 4


_NUMBERS = [np.dtype(f"{letter}{size}") for letter in "iu" for size in (1, 2, 4, 8)] + [np.dtype("f4"), np.dtype("f8")]
_FAMILIES: dict[Any, tuple[str, Callable[[str, Any], bool]]] = {
    **{key: ("number", _among("iufcm")) for key in ("number", np.number)},
    **{key: ("bool", _among("b")) for key in ("bool", bool, np.bool_)},
    **{key: ("str", _among("t")) for key in ("str", str)},
    **{key: ("int", _sized("i")) for key in ("int", int)},
    **{key: ("float", _sized("f")) for key in ("float", float)},
    **{key: ("datetime", _among("M")) for key in ("datetime", "datetime64", np.datetime64)},
    **{key: ("timedelta", _among("m")) for key in ("timedelta", "timedelta64", np.timedelta64)},
    **{key: (d.name, _exactly(d.type)) for d in _NUMBERS for key in (d.name, d.type)},
    **{key: ("object", _among("O")) for key in ("object", object, np.object_)},
}


def _tests(given: Any) -> dict[str, Callable[[str, Any], bool]]:
    listed = () if given is None else tuple(given) if is_list_like(given) else (given,)
    if not all(isinstance(x, (str, type)) and x in _FAMILIES for x in listed):
        raise NotNative("types by other names, twice or none")
    return dict(_FAMILIES[x] for x in listed)


def of_types(columns: list[AnyColumn], include: Any, exclude: Any) -> list[int]:
    """Positions of the columns of some types; NotNative for those that only pandas knows, or refuses."""
    wanted, unwanted = _tests(include), _tests(exclude)
    letters = [_kind(c) for c in columns]
    twice = bool(wanted.keys() & unwanted.keys())
    for whole in ("int", "float"):  # which stand for two types each
        sized = {f"{whole}32", f"{whole}64"}
        twice |= any(whole in a and bool(sized & b.keys()) for a, b in ((wanted, unwanted), (unwanted, wanted)))
    if twice or not (wanted or unwanted) or ("t" in letters and "object" in {*wanted, *unwanted}):
        raise NotNative("types by other names, twice or none")

    def fits(tests: dict[str, Callable[[str, Any], bool]], letter: str, dtype: Any) -> bool:
        return any(test(letter, dtype) for test in tests.values())

    chosen = [i for i, c in enumerate(columns) if not wanted or fits(wanted, letters[i], c.dtype)]
    return [i for i in chosen if not fits(unwanted, letters[i], columns[i].dtype)]

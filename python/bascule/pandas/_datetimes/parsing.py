"""Timestamps of strings, parsed by the core in one format."""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np

from ... import _core
from ..._array.caller_warnings import at_users_line
from ..._array.conversion import host_view
from .._columns.column import AnyColumn, Column, Core, in_zone, moved_core
from .._theirs import pandas

_NOT_A_TIME = np.int64(np.iinfo(np.int64).min + 1)  # the core's value for a string that does not match
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:([ T])\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?", re.ASCII)
_FORMS = ("%Y-%m-%d", "%Y-%m-%d{}%H:%M", "%Y-%m-%d{}%H:%M:%S", "%Y-%m-%d{}%H:%M:%S.%f")  # by the parts that are there
# Strings that pandas may read although the core does not: with long fractions, or with parts of fewer digits next to each other.
_UNSURE = re.compile(r"[^\x00-\x7f]|^\s|\s$|0000|^now$|^today$")
_MANY_DIGITS, _SOME_DIGITS, _SHORT_DATE = re.compile(r"\d{7}"), re.compile(r"\d"), re.compile(r"(?<!\d)\d{5,7}(?!\d)")
_ADJACENT = re.compile(r"%[A-Za-z]%[A-Za-z]")
_ZONE = re.compile(r"(?:([+-])(\d\d):?([0-5]\d)|Z)$", re.ASCII)
_ENCODED_FROM = 1000  # rows from which equal strings are looked for


def iso_format(text: str) -> str | None:
    """The format of an ISO 8601 date or time without zone; None for other strings.

    Examples
    --------
    >>> iso_format("2020-02-29 12:30")
    '%Y-%m-%d %H:%M'
    """
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return _FORMS[3 - found.groups().count(None)].format(found[1])


def _first_text(c: Column) -> str | None:
    """The first string that is not the word of a missing value."""
    for text in c.iterated():
        if isinstance(text, str) and text not in ("", "NaT", "nat", "NAT", "nan", "NaN", "NAN"):
            return text
    return None


def _guessed(text: str, dayfirst: bool) -> str | None:
    found = None if dayfirst else iso_format(text)
    return found or at_users_line(pandas._libs.tslibs.parsing.guess_datetime_format, text, dayfirst=dayfirst)


def dates_by(c: Column, date_format: str, coerce: bool = False) -> Column | None:
    """Timestamps of strings by a format; None for a format that only pandas parses, and where a string does not match.

    Parameters
    ----------
    c : Column of strings
    date_format : str
        In strptime's directives.
    coerce : bool
        Strings that do not match are missing in the result.

    Returns
    -------
    Column of datetime64[us], or datetime64[s] where no string is a time, as in pandas; or None

    Examples
    --------
    >>> dates_by(inferred(["3/2/2020", None]), "%d/%m/%Y").values.tolist()
    [datetime.datetime(2020, 2, 3, 0, 0), None]
    """
    device = c.device
    core = c.core if device == "cpu" else moved_core(c.core, "cpu")
    coded = core.encoded() if len(c) >= _ENCODED_FROM else None
    found = _core.parse_times(core if coded is None else coded.dictionary, date_format)
    if found is None:
        return None
    times = host_view(found)
    unlike = times == _NOT_A_TIME
    if unlike.any():
        if not coerce or _are_unsure(core if coded is None else coded.dictionary, unlike, c.dtype, date_format):
            return None
        times = np.where(unlike, np.iinfo(np.int64).min, times)
    if coded is not None:
        rows = _core.astype(coded.values, np.dtype(np.int64), False, "K")
        times = host_view(Core.plain(_core.from_numpy(times.view("M8[us]"))).take(rows, coded.has_missing()).values)
    nothing = np.isnat(times.view("M8[us]")).all()
    values = _core.from_numpy(times.view("M8[s]" if nothing else "M8[us]"), device)
    return Column(Core.plain(values), values.dtype)


def _are_unsure(core: Any, unlike: np.ndarray, dtype: Any, date_format: str) -> bool:
    strings = Column(core.filter(_core.from_numpy(unlike)), dtype).iterated()
    doubts = [_UNSURE] + ([_MANY_DIGITS] if "%f" in date_format else [])
    rest = date_format.replace("%Y%m%d", "%Y", 1)
    if _ADJACENT.search(rest):
        doubts.append(_SOME_DIGITS)
    elif rest != date_format:
        doubts.append(_SHORT_DATE)
    return any(doubt.search(text) for text in strings for doubt in doubts)


def _iso_in_any_form(c: Column) -> Column | None:
    """Timestamps of ISO 8601 strings, each with or without a time of day; None for others."""
    forms = {iso_format(text) for text in set(c.iterated()) if isinstance(text, str)}
    if None in forms or not forms or c.device != "cpu":
        return None
    times = np.full(len(c), _NOT_A_TIME)
    for form in forms:
        times = np.where(times == _NOT_A_TIME, host_view(_core.parse_times(c.core, form)), times)
    values = _core.from_numpy(times.view("M8[us]"))
    return Column(Core.plain(values), values.dtype)


def times_of(c: Column, date_format: str | None, dayfirst: bool = False, coerce: bool = False) -> AnyColumn | None:
    """Timestamps of strings, as pandas finds them; None where pandas has to parse.

    Parameters
    ----------
    c : Column of strings
    date_format : str, optional
        That of the first string, by default.
    dayfirst : bool
        Whether the day is first where the first string does not say it.
    coerce : bool
        Strings that do not match are missing in the result.

    Examples
    --------
    >>> times_of(inferred(["2020-02-29", "2021-01-01"]), None).values.tolist()
    [datetime.datetime(2020, 2, 29, 0, 0), datetime.datetime(2021, 1, 1, 0, 0)]
    """
    if date_format is None:
        first = _first_text(c)
        date_format = _guessed(first, dayfirst) if first is not None else None
        if date_format is None:
            return None
    if date_format in ("mixed", "ISO8601"):
        return _iso_in_any_form(c)
    return _in_one_zone(c, date_format) if date_format.endswith("%z") else dates_by(c, date_format, coerce)


def _in_one_zone(c: Column, date_format: str) -> AnyColumn | None:
    """Timestamps of strings that all end with the same distance from UTC; None for others, which may be right as well."""
    found = _ZONE.search(_first_text(c) or "")
    if found is None:
        return None
    made = dates_by(c, date_format[:-2] + found[0].replace("%", "%%"))
    if made is None or made.dtype != np.dtype("M8[us]"):
        return None
    minutes = 0 if found[1] is None else int(found[1] + "1") * (int(found[2]) * 60 + int(found[3]))
    away = datetime.timedelta(minutes=minutes)
    zone = datetime.UTC if found[1] is None else datetime.timezone(away)
    return in_zone(made.values - np.timedelta64(away, "us"), zone)


def iso_dates(c: AnyColumn | None) -> Column | None:
    """Timestamps of strings whose first is an ISO 8601 date, all in its format; None for other columns."""
    first = _first_text(c) if c is not None and c.is_text else None
    found = iso_format(first) if first is not None else None
    return None if found is None else dates_by(c, found)

"""`to_datetime` against pandas: formats, the first string's format, missing and wrong strings, numbers in units."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

NATIVE = {
    "%Y-%m-%d": ["2020-02-29", "1999-12-31", "2020-1-2", None, "nan", ""],
    "%Y-%m-%d %H:%M:%S": ["2020-02-29 23:59:59", "1969-12-31 00:00:01", "NaT"],
    "%Y-%m-%dT%H:%M:%S.%f": ["2020-02-29T23:59:59.5", "0001-01-01T00:00:00.000001", "9999-12-31T23:59:59.999999"],
    "%d/%m/%Y": ["29/02/2020", "1/2/1900", "31/12/2261"],
    "%d.%m.%y %H:%M": ["01.02.68 00:00", "01.02.69 23:59"],
    "%m/%d/%Y %I:%M %p": ["02/01/2020 12:00 AM", "2/1/2020 12:30 pm", "12/31/2020 1:05 PM"],
    "%b %d, %Y": ["Feb 29, 2020", "dec  1, 1999"],
    "%A, %d %B %Y": ["Saturday, 29 February 2020", "monday, 1 may 2023"],
    "%Y%m%d": ["20200229", "19991231"],
    "%Y%m%d%H%M%S": ["20200229235959", "19700101000000"],
    "%Y-%j": ["2020-366", "2021-001", "2021-366"],
    "%H:%M:%S": ["12:34:56", "1:2:3", "23:59:61"],
    "%Y": ["2020", "1999"],
    "%d/%b/%Y:%H:%M:%S %z": ["01/Feb/2020:12:00:00 +0200", "02/Feb/2020:12:00:00 +0200"],
    "%Y-%m-%dT%H:%M:%S%z": ["2020-02-29T12:00:00Z", "2020-03-01T12:00:00Z"],
    "%Y/%m/%d%%%H": ["2020/02/03%04"],
}
WRONG = ["2020-02-30", "x", " 2020-02-29", "2020-02-29 ", "29/02/20201", "99/99/9999", "²020-01-01", "0000-01-01", "2020-02-29 10:00:00.1234567"]  # fmt: skip


def outcome(module: Any, make: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return make(module)
        except Exception as e:
            return type(e), str(e)


def check(strings: Any, native: bool = False, **options: Any) -> None:
    """As a list, a series of strings and one of objects, and an index."""
    labels = range(5, 5 + len(strings))
    for make in (
        lambda m: m.to_datetime(list(strings), **options),
        lambda m: m.to_datetime(m.Series(list(strings), index=labels, name="t"), **options),
        lambda m: m.to_datetime(m.Series(list(strings), dtype=object), **options),
        lambda m: m.to_datetime(m.Index(list(strings), name="n"), **options),
    ):
        expected = outcome(pandas, make)
        with bc.config.set(fallback="error" if native else "silent"):
            found = outcome(pd, make)
        if isinstance(expected, tuple):
            assert found == expected
        else:
            assert_same(found, expected)


@pytest.mark.parametrize("wanted", NATIVE, ids=str)
def test_formats_are_parsed_natively(wanted):
    strings = NATIVE[wanted]
    check(strings, native=True, format=wanted)
    check(strings * 700, native=True, format=wanted)
    check(strings, native=True, format=wanted, utc=True)
    check([*strings, "x"], format=wanted)
    check([*strings, "x"], native=not wanted.endswith("%z"), format=wanted, errors="coerce")


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("errors", ["raise", "coerce", "ignore"])
def test_wrong_strings(wrong, errors):
    for wanted in NATIVE:
        check([*NATIVE[wanted], wrong], format=wanted, errors=errors)
        check([wrong], format=wanted, errors=errors)
        check([wrong, *NATIVE[wanted]], errors=errors)


FIRST = [
    "2020-02-29", "2020-02-29 10:11", "2020-02-29T10:11:12", "2020-02-29 10:11:12.5", "2020-02-30", "01/02/2020", "13/02/2020", "02/13/2020",
    "1.2.2020", "20200229", "Feb 29 2020", "29 Feb 2020 10:00", "10:11", "2020-02-29T10:11:12Z", "2020-02-29 10:11:12+05:30", "", "nan", None,
]  # fmt: skip


@pytest.mark.parametrize("first", FIRST, ids=repr)
def test_the_first_string_gives_the_format(first):
    for second in FIRST:
        for options in ({}, {"dayfirst": True}, {"errors": "coerce"}, {"utc": True}):
            check([first, second], **options)


def test_iso_strings_of_several_forms():
    forms = [t for t in FIRST if t and t.startswith("2020-02-29") and t[-1] != "Z" and "+" not in t]
    for some in itertools.combinations(forms, 3):
        check([*some, None], native=True, format="ISO8601")
        check([*some, None], native=True, format="mixed")
        check([*some, "x"], format="ISO8601", errors="coerce")


@pytest.mark.parametrize("unit", [None, "s", "ms", "us", "ns", "D", "h", "m", "Y", "W"])
@pytest.mark.parametrize(
    "numbers",
    [[1, -2, 86400], [1.0, np.nan, 3.0], [1.5, 2.0], [10**12, 1], [2**62, 1], [1e20], [True, False], [np.inf, 1.0], []],
    ids=repr,
)
def test_numbers(numbers, unit):
    options = {} if unit is None else {"unit": unit}
    for errors in ("raise", "coerce"):
        for make in (
            lambda m: m.to_datetime(numbers, errors=errors, **options),
            lambda m: m.to_datetime(m.Series(numbers, dtype=None if numbers else "f8"), errors=errors, **options),
            lambda m: m.to_datetime(np.array(numbers), errors=errors, utc=True, **options),
        ):
            expected = outcome(pandas, make)
            with bc.config.set(fallback="silent"):
                found = outcome(pd, make)
            assert found[0] is expected[0] if isinstance(expected, tuple) else assert_same(found, expected) is None


def test_what_is_a_time_already():
    index = pandas.date_range("2020", periods=3, freq="D")
    for x in (index, pandas.Series(index), index.tz_localize("UTC"), [pandas.Timestamp("2020"), None]):
        for options in ({}, {"utc": True}, {"format": "%Y"}, {"unit": "s"}):
            expected = outcome(pandas, lambda m, x=x, options=options: m.to_datetime(x, **options))
            with bc.config.set(fallback="silent"):
                ours = pd.from_pandas(x) if not isinstance(x, list) else x
                found = outcome(pd, lambda m, x=ours, options=options: m.to_datetime(x, **options))
            assert found[0] is expected[0] if isinstance(expected, tuple) else assert_same(found, expected) is None


def test_random_strings_of_random_formats():
    rng = np.random.default_rng(3)
    directives = {
        "%Y": ["2020", "1999", "20201"], "%m": ["1", "01", "12", "13", "00"], "%d": ["1", "31", "30", "09", " 9"], "%H": ["0", "23", "24", "05"],
        "%M": ["59", "0", "60"], "%S": ["61", "59", "0"], "%f": ["1", "123456", "1234567"], "%b": ["Jan", "may", "sept"], "%B": ["January", "MAY"],
        "%y": ["68", "69", "7"], "%p": ["AM", "pm", "x"], "%I": ["12", "1", "00"], "%j": ["366", "1", "060"], "%a": ["Mon", "tue"],
    }  # fmt: skip
    for _ in range(400):
        parts = [str(p) for p in rng.choice(list(directives), rng.integers(1, 6), replace=False)]
        between = [str(rng.choice(["", "-", "/", " ", ":", "T", ". "])) for _ in parts]
        wanted = "".join(map("".join, zip(between, parts)))
        strings = [
            "".join(f"{b}{rng.choice(directives[p])}" for b, p in zip(between, parts))
            for _ in range(rng.integers(1, 5))
        ]
        for errors in ("raise", "coerce"):
            check(strings, format=wanted, errors=errors)


ZONED = {
    "%Y-%m-%d %H:%M%z": ["2020-01-01 10:00+01:00", "2020-06-01 10:00+02:00", "2020-01-01 10:00Z", "2020-01-01 10:00-0330", "2020-01-01 10:00", "x", None],
    "%d/%m/%Y %H:%M:%S %z": ["01/02/2020 10:00:00 +0100", "01/02/2020 10:00:00 +0200", "01/02/2020 10:00:00 +01:00", "01/02/2020 10:00:00 Z", "31/02/2020 10:00:00 +0100", ""],
}  # fmt: skip


@pytest.mark.parametrize("wanted", ZONED)
@pytest.mark.parametrize("errors", ["raise", "coerce"])
def test_strings_of_several_offsets(wanted, errors):
    first = ZONED[wanted][0]
    for other in ZONED[wanted]:
        for strings in ([first, other], [other, first]):
            for options in ({"utc": True}, {"format": wanted}):
                check(strings, errors=errors, **options)

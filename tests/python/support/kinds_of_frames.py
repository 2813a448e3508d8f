"""Frames of pandas with every kind of column and of index, small enough to read when a result differs."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas

_DAYS = ["2020-01-01", "2020-01-03", None, "2020-01-01", "2021-06-30", "2020-02-29"]
_STRINGS = ["b", "a", None, "b", "", "ü"]


def _numbers(n: int, rng: np.random.Generator, dtype: str) -> Any:
    low = 0 if dtype[0] in "uU" else -3
    return rng.integers(low, 5, n).astype(dtype)


def _floats(n: int, rng: np.random.Generator, dtype: str) -> Any:
    made = (rng.integers(-6, 8, n) / 2).astype(dtype)
    made[rng.random(n) < 0.2] = np.nan
    return made


def _masked(n: int, rng: np.random.Generator, dtype: str) -> Any:
    made = pandas.array(rng.integers(0, 2 if dtype == "boolean" else 4, n), dtype=dtype)
    made[rng.random(n) < 0.25] = pandas.NA
    return made


def _chosen(values: list[Any]) -> Callable[[int, np.random.Generator], list[Any]]:
    return lambda n, rng: [values[i] for i in rng.integers(0, len(values), n)]


def _objects(values: list[Any]) -> Callable[[int, np.random.Generator], Any]:
    return lambda n, rng: pandas.Series(_chosen(values)(n, rng), dtype=object).array


def _of_type(values: list[Any], dtype: str) -> Callable[[int, np.random.Generator], Any]:
    return lambda n, rng: pandas.array(_chosen(values)(n, rng), dtype=dtype)


COLUMNS: dict[str, Callable[[int, np.random.Generator], Any]] = {
    "bool": lambda n, rng: rng.random(n) < 0.5,
    "int8": lambda n, rng: _numbers(n, rng, "int8"),
    "int64": lambda n, rng: _numbers(n, rng, "int64"),
    "uint64": lambda n, rng: _numbers(n, rng, "uint64"),
    "float32": lambda n, rng: _floats(n, rng, "float32"),
    "float64": lambda n, rng: _floats(n, rng, "float64"),
    "str": _of_type(_STRINGS, "str"),
    "string": _of_type(_STRINGS, "string"),
    "mixed objects": _objects([1, "a", None, 2.5, True, "a"]),
    "text objects": _objects(["b", "a", "b", "c"]),
    "dates as objects": _objects([datetime.date(2020, 1, 1), datetime.date(2021, 2, 3)]),
    "decimals": _objects([decimal.Decimal("1.5"), decimal.Decimal(2), None]),
    "datetime64[us]": _of_type(_DAYS, "datetime64[us]"),
    "datetime64[ns]": _of_type(_DAYS, "datetime64[ns]"),
    "zoned": _of_type(_DAYS, "datetime64[ns, Europe/Berlin]"),
    "timedelta": _of_type(["1D", "2h", None, "1D", "-3min"], "timedelta64[ns]"),
    "period": _of_type(["2020-01", "2020-03", None, "2021-06"], "period[M]"),
    "category": lambda n, rng: pandas.Categorical(_chosen(["y", "x", None, "y"])(n, rng), ["x", "y", "z"]),
    "ordered": lambda n, rng: pandas.Categorical(_chosen([2, 1, 3])(n, rng), [3, 2, 1], ordered=True),
    "Int64": lambda n, rng: _masked(n, rng, "Int64"),
    "boolean": lambda n, rng: _masked(n, rng, "boolean"),
    "int64[pyarrow]": _of_type([1, 2, None, 1], "int64[pyarrow]"),
}


def _text_labels(n: int) -> list[str]:
    return [f"r{(7 * i) % n if n else 0}" for i in range(n)]


INDEXES: dict[str, Callable[[int, Any], pandas.Index]] = {
    "range": lambda n, name: pandas.RangeIndex(n, name=name),
    "integers": lambda n, name: pandas.Index([(5 * i) % 7 for i in range(n)], name=name),
    "texts": lambda n, name: pandas.Index(_text_labels(n), dtype="str", name=name),
    "repeated texts": lambda n, name: pandas.Index(list("babca" * n)[:n], dtype="str", name=name),
    "days": lambda n, name: pandas.date_range("2020-01-30", periods=n, freq="D", name=name),
    "hours of a zone": lambda n, name: pandas.date_range("2020-03-28 22:00", periods=n, freq="h", tz="Europe/Berlin", name=name),
    "spans": lambda n, name: pandas.timedelta_range("1h", periods=n, freq="30min", name=name),
    "months": lambda n, name: pandas.period_range("2020-01", periods=n, freq="M", name=name),
    "levels": lambda n, name: pandas.MultiIndex.from_arrays(
        [pandas.Index(list("xxyyz" * n)[:n], dtype="str"), pandas.Index([i % 3 for i in range(n)])], names=[name, None if name is None else "j"]
    ),
}  # fmt: skip


def sample(rng: np.random.Generator, kinds: tuple[str, str], rows: str) -> pandas.DataFrame:
    """A frame with columns `a` and `b` of those kinds, `k` of few integers, `g` of few strings, and those labels."""
    n = int(rng.choice([0, 1, 3, 6, 6, 6, 9]))
    made = pandas.DataFrame(
        {
            "a": COLUMNS[kinds[0]](n, rng),
            "b": COLUMNS[kinds[1]](n, rng),
            "k": rng.integers(0, 3, n),
            "g": pandas.array([["u", "v", None][i] for i in rng.integers(0, 3, n)], dtype="str"),
        },
        index=INDEXES[rows](n, [None, "i"][rng.integers(0, 2)]),
    )
    if rng.random() < 0.3:
        made.columns.name = "c"
    if rng.random() < 0.2:
        made.attrs["unit"] = "m"
    return made

"""Frames, series and indexes of pandas drawn from a source of random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

LENGTHS = (0, 1, 2, 5, 5, 5, 40, 40, 40)
STRINGS = ["a", "b", "", "ü", "xyz", "日本", "B", "a b", "10", "A"]
NUMBERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
TIMES = [f"{kind}[{unit}]" for kind in ("datetime64", "timedelta64") for unit in ("s", "ms", "us", "ns")]
KINDS = [
    *NUMBERS,
    "int64",
    "float64",
    "float64",
    "str",
    "str",
    *TIMES,
    "category",
    "Int64",
    "boolean",
    "string",
    "object",
]
COMMON = ["bool", "int8", "int64", "uint8", "int32", "float32", "float64", "float64", "str", "datetime64[ns]", "timedelta64[us]"]  # fmt: skip


class Source:
    """Draws that are choices among few, so that a failing program can be reduced."""

    def __init__(self, random: Any):
        self.random = random

    def one(self, items: Any) -> Any:
        items = list(items)
        return items[self.random.randrange(len(items))]

    def some(self, items: Any, least: int = 0) -> list:
        items = list(items)
        found = [x for x in items if self.random.random() < 0.5]
        while len(found) < min(least, len(items)):
            found.append(self.one(items))
        return found

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def number(self, low: int, high: int) -> int:
        return self.random.randrange(low, high)

    def generator(self) -> np.random.Generator:
        return np.random.default_rng(self.random.randrange(2**32))


def integers(source: Source, rng: np.random.Generator, n: int, kind: str, few: bool) -> np.ndarray:
    info = np.iinfo(kind)
    if few:
        return rng.integers(max(info.min, -2), 4, n).astype(kind)
    if source.chance(0.2):
        return rng.integers(info.min, info.max, n, dtype=kind, endpoint=True)
    return rng.integers(max(info.min, -100), 100, n).astype(kind)


def floats(source: Source, rng: np.random.Generator, n: int, kind: str, few: bool, missing: Any) -> np.ndarray:
    a = rng.integers(-2, 4, n) / 2 if few else rng.normal(size=n) * 10
    a = a.astype(kind)
    if missing is not None:
        a[missing] = np.nan
    if source.chance(0.2):
        a[rng.random(n) < 0.2] = np.inf
        a[rng.random(n) < 0.1] = -np.inf
    if source.chance(0.2):
        a[rng.random(n) < 0.2] = -0.0
    return a


def times(rng: np.random.Generator, n: int, kind: str, few: bool, missing: Any) -> np.ndarray:
    unit = kind[kind.index("[") + 1 : -1]
    seconds = rng.integers(-3, 4, n) * 43200 if few else rng.integers(-(10**8), 10**8, n)
    if kind[0] == "d":
        seconds = seconds + 10**9
    a = seconds.astype("i8") * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    if not few and unit != "s":
        a = a + rng.integers(0, 1000, n)
    a = a.astype(f"{kind[0].replace('d', 'M').replace('t', 'm')}8[{unit}]")
    if missing is not None:
        a[missing] = "NaT"
    return a


def strings(rng: np.random.Generator, n: int, kind: str, few: bool, missing: Any) -> Any:
    found = np.array(STRINGS, dtype=object)[rng.integers(0, len(STRINGS), n)]
    if not few:
        found = np.array([f"{t}{k}" for t, k in zip(found, rng.integers(0, 99, n))], dtype=object)
    if missing is not None:
        found[missing] = None
    return pandas.array(found, dtype=kind)


def values(source: Source, n: int, kind: str) -> Any:
    """n values of a type, with few distinct values as often as many."""
    rng = source.generator()
    few = source.chance(0.6)
    some_missing = source.chance(0.6)
    missing = rng.random(n) < 0.25
    if source.chance(0.03):
        missing[:] = True
    there = missing if some_missing else None
    if kind == "bool":
        return rng.random(n) < 0.5
    if kind.startswith(("int", "uint")):
        return integers(source, rng, n, kind, few)
    if kind.startswith("float"):
        return floats(source, rng, n, kind, few, there)
    if kind.startswith(("datetime64", "timedelta64")):
        return times(rng, n, kind, few, there)
    if kind in ("str", "string"):
        return strings(rng, n, kind, few, there)
    if kind == "category":
        codes = rng.integers(0, 3, n)
        if some_missing:
            codes[missing] = -1
        return pandas.Categorical.from_codes(codes, ["x", "z", "y"], ordered=source.chance(0.3))
    if kind in ("Int64", "boolean"):
        data = rng.integers(-2, 4, n) if kind == "Int64" else rng.random(n) < 0.5
        mask = missing if some_missing else np.zeros(n, bool)
        made = pandas.arrays.IntegerArray if kind == "Int64" else pandas.arrays.BooleanArray
        return made(data, mask)
    found = np.array([1, "a", None, 2.5, "b", 3, True, "é"], dtype=object)[rng.integers(0, 8, n)]
    return found


INDEXES = ["default"] * 6 + ["stepped", "reversed", "ints", "unsorted", "str", "unique str", "datetime", "float", "multi", "named"]  # fmt: skip


def index(source: Source, n: int) -> pandas.Index:
    """Labels of n rows."""
    kind = source.one(INDEXES)
    rng = source.generator()
    if kind == "default":
        return pandas.RangeIndex(n)
    if kind == "stepped":
        return pandas.RangeIndex(3, 3 + 2 * n, 2)
    if kind == "reversed":
        return pandas.RangeIndex(n - 1, -1, -1)
    if kind == "ints":
        return pandas.Index(np.sort(rng.integers(0, max(n, 1), n)) if source.chance(0.5) else rng.integers(0, 4, n))
    if kind == "unsorted":
        return pandas.Index(rng.permutation(n))
    if kind == "str":
        return pandas.Index([STRINGS[i] for i in rng.integers(0, len(STRINGS), n)], dtype="str", name="label")
    if kind == "unique str":
        return pandas.Index([f"r{i:02}" for i in rng.permutation(n)], dtype="str")
    if kind == "datetime":
        return pandas.DatetimeIndex(
            np.datetime64("2020-01-01", source.one(["s", "ns", "us"])) + np.arange(n) * np.timedelta64(12, "h"),
            name="when",
        )
    if kind == "float":
        return pandas.Index(rng.integers(0, n + 1, n) / 2, name="f")
    if kind == "multi":
        first, second = rng.integers(0, 3, n), [STRINGS[i] for i in rng.integers(0, 3, n)]
        return pandas.MultiIndex.from_arrays(
            [first, pandas.array(second, dtype="str")], names=source.one([["k", "l"], [None, None]])
        )
    return pandas.RangeIndex(n, name="n")


def labels(source: Source, n: int) -> pandas.Index:
    """Labels of n columns."""
    how = source.number(0, 12)
    if how == 0:
        return pandas.Index([source.one("ab") for _ in range(n)])
    if how == 1:
        return pandas.RangeIndex(n)
    if how == 2:
        return pandas.Index([3, 1, 2, 0, 5][:n])
    return pandas.Index(list("abcdef")[:n])


def frame(source: Source, n: int | None = None) -> pandas.DataFrame:
    """A frame of up to five columns."""
    if n is None:
        n = 5000 if source.chance(0.03) else source.one(LENGTHS)
    width = source.one([0, 1, 2, 3, 3, 4, 5]) if source.chance(0.3) else source.one([2, 3, 4])
    kinds = [source.one(COMMON if source.chance(0.6) else KINDS) for _ in range(width)]
    if source.chance(0.15):
        kinds = [kinds[0]] * width if kinds else kinds
    rows = index(source, n)
    columns = {i: pandas.Series(values(source, n, k), index=rows) for i, k in enumerate(kinds)}
    for i, k in enumerate(kinds):
        if k == "object":
            columns[i] = columns[i].astype(object)
    made = pandas.DataFrame(columns, index=rows)
    made.columns = labels(source, width)
    return made


def series(source: Source, n: int | None = None) -> pandas.Series:
    """One column with labels."""
    if n is None:
        n = 5000 if source.chance(0.03) else source.one(LENGTHS)
    kind = source.one(COMMON if source.chance(0.6) else KINDS)
    return pandas.Series(
        values(source, n, kind),
        index(source, n),
        name=source.one(["x", "a", None, 0]),
        dtype=object if kind == "object" else None,
    )

"""The text of frames and series that needs no pandas is pandas' to the letter."""

import datetime
import random

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas import _plain_text as plain_text

WORDS = ["a", "b c", "längst", "x" * 30, "NaN", "-", "0", "日本", "e\u0301", "-12"]


FLOATS = [
    0.0,
    1.5,
    -2.25,
    1e-5,
    3.0,
    999999.5,
    float("nan"),
    0.1 + 0.2,
    1 / 3,
    -1e6,
    100.0,
    float("inf"),
    -0.0,
    1e-7,
    2.5e12,
]
OBJECTS = [
    1,
    "a",
    None,
    2.5,
    float("nan"),
    True,
    datetime.date(2020, 1, 5),
    pandas.NA,
    1e-9,
    -3,
    "x" * 60,
    datetime.time(1, 2),
]


def values(r, kind, n):
    if kind == "i":
        return [r.choice([0, 1, -1, 12345, -7, 10**12, r.randrange(-99, 99)]) for _ in range(n)]
    if kind == "f":
        found = [r.choice(FLOATS[: r.randrange(1, len(FLOATS) + 1)]) for _ in range(n)]
        return np.array(found, r.choice(["f8", "f4"]))
    if kind == "b":
        return [r.random() < 0.5 for _ in range(n)]
    if kind == "s":
        words = r.choice([WORDS, [*WORDS, "x\ty\n", "z" * 51, "y" * 50, " front"]])
        return pandas.array([r.choice([*words, None]) for _ in range(n)], "str")
    if kind == "O":
        return np.array([r.choice(OBJECTS) for _ in range(n)], dtype=object)
    if kind == "C":
        return pandas.Categorical([r.choice(["a", "bb", None] if r.random() < 0.7 else [1, 2]) for _ in range(n)])
    if kind == "m":
        some = ["NaT", 0, 86400 * 3, -86400, 3661, -5, 86399]
        found = np.array([r.choice(some[: r.randrange(1, len(some) + 1)]) for _ in range(n)], "m8[s]")
        unit = r.choice(["s", "ms", "us", "ns"])
        return found.astype(f"m8[{unit}]") + (
            np.timedelta64(r.choice([0, 1, 1500]), unit) if r.random() < 0.4 else np.timedelta64(0, unit)
        )
    days = np.array([r.choice(["2020-01-01", "1999-12-31", "NaT"]) for _ in range(n)], "M8[ns]")
    days = days.astype(f"M8[{r.choice(['s', 'us', 'ns'])}]")
    return (
        days
        if r.random() < 0.5
        else days + np.timedelta64(r.choice([3661, 0]), "s") + np.timedelta64(r.choice([0, 5, 1500000]), "us")
    )


def labels(r, n):
    kind = r.randrange(9)
    if kind == 0:
        return None
    if kind == 1:
        return [r.choice([3, 20, 100, -5]) for _ in range(n)]
    if kind == 2:
        return pandas.Index([r.randrange(200) for _ in range(n)], name="key")
    if kind == 3:
        return [r.choice(["a", "bb", "ccc d", " e"]) for _ in range(n)]
    if kind == 4:
        return pandas.Index([r.choice(["a", "bb", None]) for _ in range(n)], name="a longer name")
    if kind == 5:
        return pandas.Index([r.choice([1.5, -2.0, 1e9, float("nan")]) for _ in range(n)])
    if kind == 6:
        return pandas.date_range("2020-01-01", periods=n, freq=r.choice(["D", "h", "min"]), name=r.choice([None, "t"]))
    if kind == 7:
        levels = [values(r, r.choice("isb"), n) for _ in range(r.choice([2, 3]))]
        return pandas.MultiIndex.from_arrays(levels, names=r.choice([None, ["k", None, "l"][: len(levels)]]))
    return pandas.Index(values(r, r.choice("bmMOC"), n))


def columns(r, count):
    kind = r.randrange(6)
    if kind == 0:
        return range(count)
    if kind == 1:
        return pandas.Index([f"c{i}" for i in range(count)], name="over")
    if kind == 2:
        return pandas.MultiIndex.from_tuples(
            [(f"g{i // 2}", f"c{i}") for i in range(count)], names=r.choice([None, ["u", "v"]])
        )
    if kind == 3:
        return [2.5 * i for i in range(count)]
    if kind == 4:
        return pandas.date_range("2020-01-01", periods=count)
    return [f"{'a longer label ' * r.choice([0, 1])}{i}" for i in range(count)]


def shown(make, there):
    """Whether the text is pandas', or left to it."""
    made = make(pd.from_pandas(there))
    assert made is None or made == repr(there)
    return made is not None


@pytest.mark.parametrize("seed", range(400))
def test_frames_and_series_are_shown_as_by_pandas(seed):
    r = random.Random(seed)
    n = r.choice([0, 1, 2, 3, 10, 59, 60, 61, 100, 1000])
    count = r.choice([1, 2, 3, 4, 5, 12, 30])
    names = [f"n{i}" for i in range(count)]
    there = pandas.DataFrame({k: values(r, r.choice("ifbsMOmC"), n) for k in names}, index=labels(r, n))
    if r.random() < 0.4:
        there.columns = columns(r, count)
    shown(plain_text.frame_text, there)
    for i in range(min(count, 4)):
        s = there.iloc[:, i] if r.random() < 0.7 else there.iloc[:, i].rename(None)
        shown(plain_text.series_text, s)


@pytest.mark.parametrize("kind", "ifbsMOm")
@pytest.mark.parametrize("way", range(9))
def test_few_are_left_to_pandas(kind, way):
    done = 0
    for seed in range(20):
        r = random.Random(seed * 9 + way)
        n = r.choice([1, 3, 10, 61])
        r.randrange = (lambda given, usual: lambda *a: given.pop() if given else usual(*a))([way], r.randrange)
        index = labels(r, n)
        done += shown(plain_text.series_text, pandas.Series(values(r, kind, n), index=index))
    assert done >= 10


INDEXES = [
    pandas.RangeIndex(3), pandas.RangeIndex(2, 20, 3, name="r"), pandas.RangeIndex(10**12, 10**12 + 10**9, 10**3, name="a long name" * 4),
    pandas.Index([], dtype="str"), pandas.Index(["a"]), pandas.Index(["a", "b"], name="k"), pandas.Index(["x" * 30, "y" * 45, "z"]),
    pandas.Index([f"word {i}" for i in range(30)]), pandas.Index([f"{i}" for i in range(101)]), pandas.Index([1, 2, -300]),
    pandas.Index(range(50)).astype("float64"), pandas.Index([0.5, np.nan]), pandas.Index([True, False]), pandas.Index(np.arange(300) * 7),
    pandas.date_range("2020-01-01", periods=3), pandas.date_range("2020-01-01", periods=30, freq="h", name="t"),
    pandas.DatetimeIndex(["2020-01-01", "2020-01-05"]), pandas.date_range("2020-01-01", periods=500), pandas.Index(["a\tb"]),
    pandas.Index(np.array([1, 2], "i2")), pandas.Index(["a"] * 20, name="n" * 70), pandas.Index(["q" * 68]), pandas.Index(["q" * 90, "r"]),
]  # fmt: skip


@pytest.mark.parametrize("there", INDEXES)
def test_indexes_are_shown_as_by_pandas(there):
    assert pd.from_pandas(there)._own_text() == repr(there)


@pytest.mark.parametrize("n", [3, 61, 200])
def test_plain_values_need_no_pandas(n):
    there = pandas.DataFrame({"i": range(n), "f": np.arange(n) / 4, "s": ["x"] * n, "b": [True] * n})
    there["t"] = np.datetime64("2020-01-01", "ns")
    own = pd.from_pandas(there)
    assert plain_text.frame_text(own) == repr(there)
    assert [plain_text.series_text(own[k]) for k in there] == [repr(there[k]) for k in there]
    assert plain_text.series_text(own.groupby("s").f.sum()) == repr(there.groupby("s").f.sum())


@pytest.mark.parametrize(
    "there",
    [
        pandas.DataFrame({"a": [1]}, index=pandas.MultiIndex.from_tuples([(1, None)])),
        pandas.DataFrame({"a": pandas.array([1, None])}),
        pandas.DataFrame({"a": [[[[1, 2]]]]}),
        pandas.DataFrame({"a": [{1, 2}]}),
        pandas.DataFrame({"x" * 60: [1]}),
        pandas.DataFrame({"a": [1 + 2j]}),
        pandas.DataFrame(np.zeros((1, 81))),
    ],
)
def test_other_frames_are_left_to_pandas(there):
    assert plain_text.frame_text(pd.from_pandas(there)) is None

"""Values that come once only, from an iterator: `isin` takes them as pandas does, also where pandas is asked afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pytest
from call_outcomes import difference
from frames import ours

COLUMNS = {
    "integers": [1, 2, 2, 5],
    "floats": [1.0, np.nan, 2.5, 5.0],
    "booleans": [True, False, True, True],
    "strings": ["a", "b", None, "5"],
    "objects": pandas.Series([1, "a", None, 2.5], dtype=object),
    "dates": pandas.to_datetime(["2020-01-01", None, "2020-01-03", "2021-01-01"]),
    "dates of a zone": pandas.to_datetime(["2020-01-01", None, "2020-01-03", "2021-01-01"]).tz_localize("UTC"),
    "durations": pandas.to_timedelta([1, 2, 2, 5], unit="s"),
    "categories": pandas.Categorical(["a", "b", "a", None]),
    "numbers with NA": pandas.array([1, None, 2, 5], dtype="Int64"),
    "periods": pandas.period_range("2020-01", periods=4, freq="M"),
}
SOUGHT: dict[str, list[Any]] = {
    "one number": [1], "numbers": [2, 5.0, 7], "strings": ["a", "5", "2020-01-01"], "of several types": ["a", 1, None, 2.5], "missing": [None], "NA": [pandas.NA],
    "dates": [pandas.Timestamp("2020-01-01"), pandas.Timestamp("2021")], "dates of a zone": [pandas.Timestamp("2021", tz="UTC")], "nothing": [],
    "durations": [pandas.Timedelta(2, "s")], "booleans": [True],
}  # fmt: skip
ITERATORS = {"iter": iter, "generator": lambda x: (v for v in x), "map": lambda x: map(lambda v: v, x), "list": list}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("sought", SOUGHT)
def test_isin_of_series_and_indexes(kind, sought):
    s = pandas.Series(COLUMNS[kind], name="s")
    for label, once in ITERATORS.items():
        for x in (s, pandas.Index(s), s.to_frame("a"), pandas.DataFrame({"a": s, "b": s[::-1].to_numpy()})):
            wrong = difference(lambda given, once=once: given.isin(once(SOUGHT[sought])), ours(x), x)
            assert not wrong, f"{label} {type(x).__name__}: {wrong}"


@pytest.mark.parametrize(
    "once",
    [*ITERATORS.values(), tuple, set, dict.fromkeys, np.array],
    ids=[*ITERATORS, "tuple", "set", "dict", "array"],
)
@pytest.mark.parametrize("count", [1, 3, 20, 40])
def test_rows_dropped_by_values(once, count):
    frame = pandas.DataFrame({"a": range(40), "b": [f"k{i}" for i in range(40)]})
    for x, labels in (
        (frame, range(count)),
        (frame.a, range(count)),
        (frame.set_index("b"), [f"k{i}" for i in range(count)]),
    ):
        for more in ([], ["x"]):
            wrong = difference(lambda given: given.drop(once([*labels, *more])), ours(x), x)
            assert not wrong, f"{type(x).__name__}: {wrong}"
            wrong = difference(lambda given: given.drop(index=once([*labels, *more]), errors="ignore"), ours(x), x)
            assert not wrong, f"{type(x).__name__}, errors are ignored: {wrong}"


def test_isin_of_frames_of_several_types():
    frames = [
        pandas.DataFrame({"a": [1, 2], "b": [2, 3], "c": [1.0, 2.0], "d": ["x", "1"]}),
        pandas.DataFrame({"a": [1, 2], "b": [2, 3]}),
        pandas.DataFrame({"a": ["x", "y"], "b": ["y", "x"]}),
        pandas.DataFrame({"a": [1.0], "b": [True]}),
    ]
    for x in frames:
        for once in ITERATORS.values():
            assert not difference(lambda given, once=once: given.isin(once([2, 1, "x"])), ours(x), x)
            asked = lambda given, once=once: given.isin({"a": once([1, "x"]), "b": once([[1], 2])})
            assert not difference(asked, ours(x), x)


@pytest.mark.parametrize("once", ITERATORS)
def test_isin_of_levels(once):
    index = pandas.MultiIndex.from_tuples([("a", 1), ("b", 2), ("b", 3)])
    for values in ([("a", 1), ("b", 3)], [("a", 1, 2)], ["a"], []):
        assert not difference(lambda given, v=values: given.isin(ITERATORS[once](v)), ours(index), index)
    for level in (0, 1):
        assert not difference(lambda given, i=level: given.isin(ITERATORS[once](["b", 1]), level=i), ours(index), index)

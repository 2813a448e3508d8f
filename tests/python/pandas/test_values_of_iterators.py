"""Values that come once only, from an iterator: `isin` takes them as pandas does, also where pandas is asked afterwards."""

from __future__ import annotations

import collections
from typing import Any

import bascule
import numpy as np
import pandas
import pytest
from call_outcomes import difference
from frames import assert_same, ours

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


LISTED = {
    "list": list,
    "tuple": tuple,
    "iter": iter,
    "generator": lambda x: (v for v in x),
    "deque": collections.deque,
    "array": np.array,
    "index": pandas.Index,
    "our index": lambda x: ours(pandas.Index(x)),
    "our series": lambda x: ours(pandas.Series(x)),
}
CALLS = {
    "iloc": ([0, 2], lambda d, k: d.iloc[k], ("tuple",)),
    "iloc of columns": ([0, 1], lambda d, k: d.iloc[:, k], ("tuple",)),
    "iloc of a series": ([0, 2], lambda d, k: d["a"].iloc[k], ("tuple",)),
    "loc": ([0, 2], lambda d, k: d.loc[k], ("tuple",)),
    "loc of columns": (["a", "b"], lambda d, k: d.loc[:, k], ("tuple", "our series")),
    "loc by booleans": ([True, False, True, False], lambda d, k: d.loc[k], ("tuple", "deque")),
    "setting": ([0, 2], lambda d, k: put(d, k), ("tuple",)),
    "nlargest": (["b"], lambda d, k: d.nlargest(2, k), ("tuple",)),
    "nsmallest": (["a", "b"], lambda d, k: d.nsmallest(2, k), ("tuple",)),
    "columns of groups": (["b"], lambda d, k: d.groupby("a")[k].sum(), ("tuple", "iter", "generator", "deque")),
    "columns of windows": (["b"], lambda d, k: d.rolling(2)[k].sum(), ("iter", "generator", "deque", "tuple")),
    "pivot": (
        ["a"],
        lambda d, k: d.pivot(index="i", columns=k, values="b"),
        ("iter", "generator", "tuple", "our series"),
    ),
    "header": (list("pqrs"), lambda d, k: d.to_csv(header=k), ("iter", "generator", "deque", "our series")),
}


def put(frame, rows):
    made = frame.copy()
    made.loc[rows, "a"] = 9
    return made


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("listed", LISTED)
def test_labels_and_positions_of_any_list(name, listed):
    values, call, refused = CALLS[name]
    if listed in refused:
        pytest.skip("pandas refuses it, takes it for one label, or has it converted first")
    frame = pandas.DataFrame({"a": [1, 2, 2, 3], "b": [4.0, 3.0, 2.0, 1.0], "c": list("xyxz"), "i": range(4)})
    theirs = {"our index": pandas.Index, "our series": pandas.Series}.get(listed, LISTED[listed])
    with bascule.config.set(fallback="silent"):
        found = call(ours(frame), LISTED[listed](values))
        wanted = call(frame, theirs(values))
    if isinstance(wanted, str):
        assert found == wanted
    else:
        assert_same(found, wanted)

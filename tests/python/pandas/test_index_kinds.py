"""Indexes of dates, lengths of time, periods, categories and intervals have pandas' classes, attributes and frequencies."""

from __future__ import annotations

import copy
import pickle

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, ours

KINDS = {
    "DatetimeIndex": lambda m: m.DatetimeIndex(["2020-01-01", "2020-01-02", "2020-01-03"], freq="D"),
    "zoned": lambda m: m.DatetimeIndex(
        ["2020-01-01", "2020-01-02", "2020-01-03"], tz="Europe/Berlin", freq="D", name="t"
    ),
    "date_range": lambda m: m.date_range("2020-01-31", periods=5, freq="ME", tz="UTC"),
    "TimedeltaIndex": lambda m: m.TimedeltaIndex(["1h", "2h", "3h"], freq="h"),
    "PeriodIndex": lambda m: m.PeriodIndex(["2020-01", "2020-02", "2020-03"], freq="M", name="p"),
    "CategoricalIndex": lambda m: m.CategoricalIndex(list("abca"), categories=list("cba"), ordered=True),
    "IntervalIndex": lambda m: m.IntervalIndex.from_breaks([0, 1, 2, 3], closed="left"),
    "interval_range": lambda m: m.interval_range(0, 3),
}
pytestmark = pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")
ATTRIBUTES = "freq freqstr tz inferred_freq closed categories codes ordered left right unit name dtype".split()


def made(kind, m):
    with bc.config.set(fallback="silent"):
        return KINDS[kind](m)


@pytest.mark.parametrize("kind", KINDS)
def test_classes_and_attributes(kind):
    there, here = made(kind, pandas), made(kind, pd)
    assert isinstance(here, getattr(pd, type(there).__name__)) and isinstance(here, pd.Index)
    assert type(here).__name__ == type(there).__name__
    with bc.config.set(fallback="silent"):
        for name in ATTRIBUTES:
            if hasattr(there, name):
                assert_same(getattr(here, name), getattr(there, name))
            else:
                with pytest.raises(AttributeError):
                    getattr(here, name)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "step",
    [
        lambda i: i[1:], lambda i: i[::2], lambda i: i[::-1], lambda i: i[[0, 1]], lambda i: i[[1, 0]], lambda i: i[[0, 2]],
        lambda i: i.rename("n"), lambda i: i.copy(), lambda i: i.shift(2), lambda i: i.shift(1, freq="3h"), lambda i: i.repeat(2),
        lambda i: i.take([1, 2]), lambda i: i.insert(1, i[0]), lambda i: i.append(i), lambda i: i.union(i[1:]), lambda i: i.to_series(),
        lambda i: i.drop_duplicates(), lambda i: i.sort_values(ascending=False), lambda i: i.isin(i[:1]), lambda i: i.get_loc(i[1]),
        lambda i: i.set_names("s"), lambda i: i.map(str), lambda i: i.astype(object), lambda i: i == i[0],
    ],
    ids=range(24),
)  # fmt: skip
def test_what_is_done_to_them(kind, step):
    there, here = made(kind, pandas), made(kind, pd)
    with bc.config.set(fallback="silent"):
        try:
            expected = step(there)
        except Exception as error:
            with pytest.raises(type(error)):
                step(here)
            return
        found = step(here)
    assert_same(found, expected)
    if hasattr(expected, "freq"):
        assert found.freq == expected.freq
        assert found.to_pandas().freq == expected.freq


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "step",
    [
        lambda s: s.iloc[1:], lambda s: s + 1, lambda s: s[s > 0], lambda s: s.head(2), lambda s: s.to_frame().reset_index(),
        lambda s: s.sort_index(ascending=False), lambda s: s.rename("q"), lambda s: s.to_frame("v").loc[:, "v"],
    ],
    ids=range(8),
)  # fmt: skip
def test_as_labels(kind, step):
    index = made(kind, pandas)
    there = pandas.Series(range(len(index)), index=index)
    with bc.config.set(fallback="silent"):
        expected, found = step(there), step(ours(there))
    assert_same(found, expected)
    assert getattr(found.index, "freq", None) == getattr(expected.index, "freq", None)


def test_a_frequency_can_be_set_and_is_checked():
    index = pd.DatetimeIndex(pandas.DatetimeIndex(["2020-01-01", "2020-01-02"]))
    assert index.freq is None
    with bc.config.set(fallback="silent"):
        index.freq = "D"
        assert index.freq == pandas.offsets.Day()
        with pytest.raises(ValueError, match="does not conform"):
            index.freq = "h"


@pytest.mark.parametrize("kind", KINDS)
def test_they_travel(kind):
    here = made(kind, pd)
    for other in (
        pickle.loads(pickle.dumps(here)),
        copy.deepcopy(here),
        pickle.loads(pickle.dumps(pd.Series(here, index=here))).index,
    ):
        assert type(other) is type(here)
        assert_same(other, here.to_pandas())
        assert getattr(other, "freq", None) == getattr(here, "freq", None)


def test_what_is_of_its_kind_needs_no_pandas():
    dates = pd.Series([pandas.Timestamp("2020"), None])
    with bc.config.set(fallback="error"):
        assert type(pd.DatetimeIndex(dates)) is pd.DatetimeIndex
        assert type(pd.DatetimeIndex([pandas.Timestamp("2020")])) is pd.DatetimeIndex
        assert type(pd.Index([pandas.Timedelta(1)])) is pd.TimedeltaIndex


RANGES = [
    dict(start="2020", periods=3), dict(start="2020", periods=5, freq="h"), dict(start="2020", periods=5, freq="15min"),
    dict(end="2020", periods=3), dict(start="2020-01-01 05:00", end="2020-01-03"), dict(start="2020", end="2019"),
    dict(start="2020", periods=0), dict(start="2020", periods=2, freq="ns"), dict(start="2020", periods=2, freq="-2D"),
    dict(start=pandas.Timestamp("2020").as_unit("s"), periods=2, freq="ms", name="n"), dict(start="2020", end="2019", freq="-1D"),
    dict(start=pandas.Timestamp("2020").as_unit("ns"), end="2020-01-04", freq="36h"), dict(start="1677-01-01", periods=3, freq="ns"),
]  # fmt: skip
OTHERS = [
    dict(start="2020", periods=3, freq="ME"), dict(start="2020", periods=3, tz="UTC"), dict(start="2020", end="2021", periods=3),
    dict(start="2020", periods=3, inclusive="left"), dict(start="2020"), dict(start="nonsense", periods=2), dict(start="2020", periods=1.5),
    dict(start="2020", periods=3, freq="nonsense"), dict(start=pandas.NaT, periods=3), dict(start="2020", periods=-1), dict(start="2020", periods=2, unit="s"),
]  # fmt: skip


@pytest.mark.parametrize("options", RANGES + OTHERS, ids=str)
def test_date_range(options):
    native = options in RANGES[:-1]
    try:
        expected = pandas.date_range(**options)
    except Exception as error:
        with bc.config.set(fallback="silent"), pytest.raises(type(error)):
            pd.date_range(**options)
        return
    with bc.config.set(fallback="error" if native else "silent"):
        found = pd.date_range(**options)
    assert_same(found, expected)
    assert found.freq == expected.freq and found.dtype == expected.dtype


@pytest.mark.parametrize("m", [pandas, pd], ids=["pandas", "bascule"])
def test_a_frequency_given_to_the_labels_of_a_frame_is_the_frames(m):
    with bc.config.set(fallback="silent"):
        frame = m.DataFrame({"x": [1, 2]}, index=m.DatetimeIndex(["2020-01-01", "2020-01-02"]))
        other = frame.copy()
        frame.index.freq = "D"
        assert frame.index.freq == "D" and frame[:1].index.freq == "D" and frame.reset_index().shape == (2, 2)
        assert other.index.freq is None


FREQUENCIES = {
    "append": lambda i, lib: i[:2].append(i[2:]), "append with a gap": lambda i, lib: i[:2].append(i[3:]),
    "append nothing": lambda i, lib: i.append(i[:0]), "append to nothing": lambda i, lib: i[:0].append(i),
    "append of others": lambda i, lib: i.append(i[:2] + i[1:3].freq), "append twice": lambda i, lib: i[:1].append([i[1:2], i[2:]]),
    "seconds": lambda i, lib: i.astype(f"{i.dtype.kind}8[s]"), "nanoseconds": lambda i, lib: i.astype(f"{i.dtype.kind}8[ns]"),
    "the end": lambda i, lib: i.insert(4, i[3] + i.freq), "the middle": lambda i, lib: i.insert(1, i[0]),
    "concat": lambda i, lib: lib.concat([lib.Series(1, index=i[:2]), lib.Series(2, index=i[2:])]).index,
    "concat with a gap": lambda i, lib: lib.concat([lib.Series(1, index=i[:2]), lib.Series(2, index=i[3:])]).index,
    "bools": lambda i, lib: i[[True, True, False, False]], "bools apart": lambda i, lib: i[np.array([True, False, True, False])],
    "positions": lambda i, lib: i[[0, 1]], "array": lambda i, lib: i[np.array([0, 1])],
}  # fmt: skip


@pytest.mark.parametrize("how", FREQUENCIES)
@pytest.mark.parametrize(
    "index", [pandas.date_range("2020", periods=4, freq="D"), pandas.timedelta_range("1D", periods=4, freq="h"),
              pandas.date_range("2020", periods=4, freq="MS"), pandas.DatetimeIndex(["2020", "2021", "2022", "2023"])], ids=str
)  # fmt: skip
def test_frequencies_stay_where_pandas_keeps_them(how, index):
    def outcome(i, lib):
        try:
            return FREQUENCIES[how](i, lib)
        except TypeError:  # what comes at no frequency cannot be moved by it
            return None

    with bc.config.set(fallback="silent"):
        expected, found = outcome(index, pandas), outcome(pd.from_pandas(index), pd)
    assert (found is None) == (expected is None)
    if expected is not None:
        assert_same(found, expected)
        assert found.freq == expected.freq

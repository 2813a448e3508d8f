"""Positions among sorted values, ends of indexes, types of labels, comparisons of indexes, quantiles by rows; with pandas as the oracle."""

import copy
import pickle

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest
from frames import both, ours

DATES = pandas.to_datetime(["2020-01-01", "2020-01-03", "2020-01-03", "2020-02-01"])
INDEXES = {
    "range": pandas.RangeIndex(2, 20, 3),
    "falling range": pandas.RangeIndex(9, 0, -3, name="r"),
    "integers": pandas.Index([3, 1, 2, 2], name="i"),
    "sorted integers": pandas.Index([1, 2, 2, 9]),
    "floats": pandas.Index([1.5, np.nan, -2.0]),
    "sorted floats": pandas.Index([-1.5, 0.0, 0.0, 7.0]),
    "dates": DATES,
    "lengths of time": pandas.to_timedelta([1, 2, 5], unit="h"),
    "text": pandas.Index(["a", "b", "b"]),
    "empty": pandas.Index([], dtype="int64"),
    "levels": pandas.MultiIndex.from_arrays([[1, 1, 2], ["x", "y", "x"]], names=["p", None]),
}


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "among, values",
    [
        ([1, 3, 3, 7], [0, 1, 3, 4, 9, 3]),
        ([1, 3, 3, 7], [0.5, 3.0, 3.5, np.nan]),
        ([0.5, 1.5, 9.0], [0, 1, 2, 10]),
        (DATES, DATES[::-1]),
        (["a", "c", "f"], ["b", "c", "z", "", "c"]),
        ([1, 2], []),
    ],
)
def test_searchsorted(among, values, side):
    s, v = pandas.Series(among), pandas.Series(values, dtype=None if len(values) else "int64")
    both(lambda a, b: np.asarray(a.searchsorted(b, side=side)), s, v)


def test_searchsorted_of_other_things_is_pandas():
    s = pandas.Series([1, 3])
    with bc.config.set(fallback="silent"):
        assert bpd.from_pandas(s).searchsorted(2) == s.searchsorted(2)
        assert list(bpd.from_pandas(s).searchsorted([0, 5], sorter=[0, 1])) == [0, 2]
        with pytest.raises(ValueError, match="side"):
            bpd.from_pandas(s).searchsorted(2, side="middle")


def test_squeeze():
    for s in (pandas.Series([7], name="x"), pandas.Series([1, 2]), pandas.Series(["a"])):
        both(lambda x: x.squeeze(), s)
    both(lambda x: x.squeeze(), pandas.DataFrame({"x": [1, 2]}))
    both(lambda x: x.squeeze("columns"), pandas.DataFrame({"x": [1]}))
    both(lambda x: x.squeeze(), pandas.DataFrame({"x": [1.5]}))
    both(lambda x: x.squeeze(), pandas.DataFrame({"x": [1, 2], "y": [1, 2]}))
    with pytest.raises(ValueError, match="No axis named 3"):
        bpd.Series([1]).squeeze(3)


@pytest.mark.parametrize("name", sorted(INDEXES.keys() - {"text", "empty", "levels"}))
def test_ends(name):
    both(lambda i: i.min(), INDEXES[name])
    both(lambda i: i.max(), INDEXES[name])


@pytest.mark.parametrize("name", INDEXES)
def test_comparisons(name):
    index = INDEXES[name]
    with bc.config.set(fallback="silent"):
        mine = bpd.from_pandas(index)
        for f in (lambda i: i == i[0], lambda i: i != i[0], lambda i: i < i[0], lambda i: i >= i[0], lambda i: i == i):
            if not len(index) or name == "levels":
                continue
            np.testing.assert_array_equal(np.asarray(f(mine)), f(index))
        assert (mine == mine[:0]).shape == (index == index).shape if not len(index) else True
    with pytest.raises((ValueError, TypeError)), bc.config.set(fallback="silent"):
        mine < [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_comparisons_select_rows():
    both(lambda d: d[d.index > 1], pandas.DataFrame({"x": [1.0, 2.0, 3.0]}, index=[3, 1, 2]))
    both(lambda d: d.x[d.index != "a"], pandas.DataFrame({"x": [1.0, 2.0]}, index=["a", "b"]))


@pytest.mark.parametrize("side", ["left", "right"])
def test_slice_bounds(side):
    for name, labels in {
        "range": [-3, 2, 3, 4, 5, 17, 18, 19, 20, 40],
        "sorted integers": [0, 1, 2, 2.5, 10],
        "sorted floats": [-2, 0, 0.5, 99.0],
        "dates": [DATES[1], pandas.Timestamp("2020-01-02 10:00"), pandas.Timestamp("2030-01-01")],
    }.items():
        for label in labels:
            both(lambda i: int(i.get_slice_bound(label, side)), INDEXES[name])


def test_labels_in_another_type():
    for name, dtype in [
        ("integers", "float64"),
        ("range", "float64"),
        ("range", "int64"),
        ("floats", "float32"),
        ("text", "str"),
    ]:
        both(lambda i: i.astype(dtype), INDEXES[name])


def test_errors_of_types_may_be_ignored():
    t = pandas.DataFrame({"i": [1, 2], "b": ["x", "y"], "f": [1.5, np.nan]})
    both(lambda d: d.astype({"i": "float64", "b": "float64"}, errors="ignore"), t, fallback="silent")
    both(lambda d: d.astype({"f": "int64"}, errors="ignore"), t)
    both(lambda s: s.astype("float64", errors="ignore"), t.b, fallback="silent")
    both(lambda d: d.astype(pandas.Series({"i": np.dtype("f4")})), t)
    for x in (t, t.b):
        both(lambda d: d.astype("float64", errors="perhaps"), x)


@pytest.mark.parametrize("interpolation", ["nearest", "lower", "higher"])
def test_quantiles_that_are_values(interpolation):
    q = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0]
    for values in ([5, 1, 3, 3, 9, 2], [0.5, np.nan, -1.0, 7.0], DATES, pandas.to_timedelta([3, 1, None], unit="s")):
        both(lambda s: s.quantile(q, interpolation=interpolation), pandas.Series(values, name="x"))
        both(lambda s: s.quantile(0.4, interpolation=interpolation), pandas.Series(values))
    t = pandas.DataFrame({"b": list("qrpqa"), "x": [1.0, 2.0, np.nan, 4.0, 5.0]})
    for frame in (t, t[["b"]], t[["x"]]):
        both(lambda d: d.quantile(q, interpolation=interpolation, method="table", numeric_only=False), frame)


def test_ends_of_text():
    for s in (pandas.Series(["b", "a", "ü"]), pandas.Series(["b", None, "a"])):
        both(lambda x: x.min(), s)
        both(lambda x: x.max(), s)


def test_masked_rows_are_set():
    def write(value):
        def f(s):
            s = s.copy()
            s[s < 2] = value
            return s

        return f

    both(write(0.0), pandas.Series([1.0, 2.0, np.nan, -3.0], index=list("abcd")))
    both(write(7), pandas.Series([1, 2, 3]))


def test_concat_passes_over_frames_of_nothing():
    t = pandas.DataFrame({"x": [1, 2]}, index=pandas.Index([5.0, 6.0], name="k"))
    t.columns.name = "c"
    both(lambda a, b: (bpd if isinstance(a, bpd.DataFrame) else pandas).concat([b, a]), t, pandas.DataFrame())
    both(lambda a, b: (bpd if isinstance(a, bpd.DataFrame) else pandas).concat([a, b]), t, t.rename(columns={"x": "y"}))
    both(lambda i: i.append([i[:0], i]), pandas.RangeIndex(0, 6, 2))
    both(lambda i: i[:2].append(i[2:]), pandas.RangeIndex(0, 6, 2, name="r"))


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
def test_constructors_of_classes():
    assert type(bpd.DataFrame.from_dict({"a": [1]})) is bpd.DataFrame
    assert (
        bpd.MultiIndex.from_tuples([(1, "a"), (2, "b")])
        .to_pandas()
        .equals(pandas.MultiIndex.from_tuples([(1, "a"), (2, "b")]))
    )


@pytest.mark.parametrize("name", INDEXES)
def test_pickles(name):
    index = INDEXES[name]
    n = len(index)
    t = pandas.DataFrame(
        {
            "i": range(n), "b": [None, "x", "yz", "x", "", "ü", "q"][:n], "c": pandas.Categorical(list("abababa")[:n]),
            "m": pandas.array([1, None, 3, 4, 5, 6, 7][:n], dtype="Int64"),
        },
        index=index,
    )  # fmt: skip
    for x in (t, t.b, t.m, t[1:], t.b[1:], index, t.iloc[:, :0]):
        mine = ours(x)
        for protocol in (2, 5):
            there = pickle.loads(pickle.dumps(mine, protocol))
            assert type(there) is type(mine)
            both(lambda _: _, x) if there is mine else None
            compare = (
                pandas.testing.assert_index_equal
                if isinstance(x, pandas.Index)
                else (pandas.testing.assert_frame_equal if x.ndim == 2 else pandas.testing.assert_series_equal)
            )
            compare(there.to_pandas(), mine.to_pandas())
        assert type(copy.deepcopy(mine)) is type(mine)


def test_a_slice_pickles_only_what_it_shows():
    s = bpd.from_pandas(pandas.Series([f"text number {i}" for i in range(10_000)]))
    assert len(pickle.dumps(s[:3], 5)) < 1500
    few = bpd.from_pandas(pandas.Series(["long text " * 10 + str(i % 500) for i in range(10_000)]))
    few._column.core.encoded()
    assert len(pickle.dumps(few[:3], 5)) < 1800


def test_buffers_leave_a_pickle_by_themselves():
    t = bpd.DataFrame({"x": np.arange(100_000.0), "k": np.arange(100_000)})
    buffers = []
    assert len(pickle.dumps(t, 5, buffer_callback=buffers.append)) < 2000
    assert 1_600_000 <= sum(b.raw().nbytes for b in buffers) < 1_600_200  # the labels of columns are pandas', and small

"""Indexes that pandas, xarray and statsmodels are given: labels, names, frequencies and levels arrive."""

from __future__ import annotations

import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

INDEXES = {
    "days": lambda m: m.date_range("2020", periods=3, name="t"),
    "months": lambda m: m.date_range("2020", periods=3, freq="MS", tz="UTC", name="t"),
    "no frequency": lambda m: m.to_datetime(["2020-01-01", "2020-01-05", "2020-01-06"]).rename("t"),
    "hours": lambda m: m.timedelta_range(0, periods=3, freq="h", name="t"),
    "periods": lambda m: m.period_range("2020", periods=3, freq="M", name="t"),
    "text": lambda m: m.Index(["a", "b", "c"], name="t"),
    "categories": lambda m: m.CategoricalIndex(["a", "b", "a"], name="t"),
    "intervals": lambda m: m.interval_range(0, 3, name="t"),
    "range": lambda m: m.RangeIndex(3, name="t"),
    "NA": lambda m: m.Index(pandas.array([1, 2, None], "Int64"), name="t"),
}


def series(m, index):
    return m.Series([1, 2, 3], index=index)


def renamed(s, index):
    s.index = index
    return s.index


# Objects that pandas makes of an index, which is given as pandas' or bascule's.
IN_PANDAS = {
    "Index": lambda i, theirs: pandas.Index(i),
    "class": lambda i, theirs: type(theirs)(i) if not isinstance(theirs, pandas.RangeIndex) else theirs,
    "Series": lambda i, theirs: series(pandas, i).index,
    "DataFrame": lambda i, theirs: pandas.DataFrame({"a": [1, 2, 3]}, index=i).index,
    "columns": lambda i, theirs: pandas.DataFrame([[1, 2, 3]], columns=i).columns,
    "index=": lambda i, theirs: renamed(series(pandas, None), i),
    "set_axis": lambda i, theirs: series(pandas, None).set_axis(i).index,
    "reindex": lambda i, theirs: series(pandas, theirs).reindex(i).index if theirs.is_unique else theirs,
    "union": lambda i, theirs: theirs.union(i),
    "values": lambda i, theirs: pandas.Index(pandas.Series(i, name="v")),
    "concat": lambda i, theirs: pandas.concat([series(pandas, i)]).index,
}


@pytest.fixture(autouse=True)
def silent():
    with bc.config.set(fallback="silent"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("how", IN_PANDAS)
@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize("accelerated", [False, True])
def test_pandas_takes_indexes(kind, how, accelerated):
    theirs, mine = INDEXES[kind](pandas), INDEXES[kind](pd)
    if accelerated:
        bc.accelerate(imports=False)
    try:
        expected, found = IN_PANDAS[how](theirs, theirs), IN_PANDAS[how](mine, theirs)
    finally:
        if accelerated:
            bc.accelerate.undo()
    assert type(found).__module__.startswith("pandas")
    pandas.testing.assert_index_equal(found, expected, exact=kind != "range")
    assert getattr(found, "freq", None) == getattr(expected, "freq", None)


def levels(m):
    return m.MultiIndex.from_product([[1, 2], ["a", "b"]], names=["x", "y"])


def four(m):
    return m.Series([1, 2, 3, 4], index=levels(m), name="s")


def data(m):
    return m.DataFrame({"v": [1.0, 2, 3, 4]}, index=levels(m))


def array(xarray, coords):
    return xarray.DataArray(np.arange(3), coords=coords, dims="t")


# Objects that xarray makes of frames, series and indexes; of indexes and series, whose class it checks, in the accelerated mode.
OF_ROWS = {
    "from_dataframe": lambda x, m: x.Dataset.from_dataframe(data(m)),
    "from_dataframe of dates": lambda x, m: x.Dataset.from_dataframe(m.DataFrame({"a": [1, 2, 3]}, index=INDEXES["days"](m))).indexes["t"],
    "from_series": lambda x, m: x.DataArray.from_series(four(m)),
    "to_xarray": lambda x, m: four(m).to_xarray(),
}  # fmt: skip
OF_LABELS = {
    "from_pandas_multiindex": lambda x, m: x.Coordinates.from_pandas_multiindex(levels(m), "z"),
    "coords of levels": lambda x, m: x.DataArray([1, 2, 3, 4], dims="z", coords={"z": levels(m)}),
    "DataArray of series": lambda x, m: x.DataArray(four(m)),
    "DataArray of frame": lambda x, m: x.DataArray(data(m)),
    "unstack": lambda x, m: x.DataArray(four(m)).unstack().transpose("y", "x"),
    "assign": lambda x, m: x.DataArray(np.arange(3), dims="t").assign_coords(t=INDEXES["days"](m)).indexes["t"],
    "dataset": lambda x, m: x.Dataset({"a": ("t", [1, 2, 3])}, coords={"t": INDEXES["months"](m)}).to_dataframe().index,
    "setitem": lambda x, m: (lambda d: (d.__setitem__("t", INDEXES["hours"](m)), d.indexes["t"])[1])(x.Dataset({"a": ("t", [1, 2, 3])})),
    "resample": lambda x, m: array(x, {"t": m.date_range("2020", periods=3)}).resample(t="2D").sum(),
    "sel": lambda x, m: array(x, {"t": INDEXES["days"](m)}).sel(t=INDEXES["days"](m)[:2]),
    "reindex": lambda x, m: array(x, {"t": INDEXES["days"](m)}).reindex(t=m.date_range("2020", periods=4)),
    "interp": lambda x, m: array(x, [m.Index([1.0, 2.0, 4.0], name="t")]).interp(t=[1.5, 3.0]),
    **{f"to_series {k}": lambda x, m, k=k: array(x, {"t": INDEXES[k](m)}).to_series().index for k in INDEXES if k != "NA"},
}  # fmt: skip


def shown(x):
    return repr(x), getattr(x, "freq", None) if isinstance(x, pandas.Index) else None


@pytest.mark.parametrize("accelerated", [False, True])
def test_xarray_takes_rows_and_labels(accelerated):
    xarray = pytest.importorskip("xarray")
    if accelerated:
        bc.accelerate(imports=False)
    try:
        wrong = {}
        for name, call in {**OF_ROWS, **(OF_LABELS if accelerated else {})}.items():
            expected, found = shown(call(xarray, pandas)), shown(call(xarray, pd))
            if found != expected:
                wrong[name] = found, expected
        assert not wrong
    finally:
        if accelerated:
            bc.accelerate.undo()


def test_statsmodels_keeps_labels_in_the_accelerated_mode():
    models = pytest.importorskip("statsmodels.api")
    from statsmodels.tsa.seasonal import seasonal_decompose

    calls = (
        lambda m: seasonal_decompose(
            m.Series(np.sin(np.arange(48.0)), index=m.date_range("2020", periods=48, freq="MS"))
        ).seasonal,
        lambda m: models.OLS(
            m.Series(np.arange(10.0), name="y"), models.add_constant(m.DataFrame({"x": np.arange(10.0) ** 2}))
        ).fit().params,
    )  # fmt: skip
    bc.accelerate(imports=False)
    try:
        for call in calls:
            expected, found = call(pandas), call(pd)
            found = found.to_pandas() if isinstance(found, pd.Series) and type(found) is pd.Series else found
            pandas.testing.assert_series_equal(found, expected)
            assert getattr(found.index, "freq", None) == getattr(expected.index, "freq", None)
    finally:
        bc.accelerate.undo()


@pytest.mark.parametrize("accelerated", [False, True])
def test_labels_of_pandas_equal_ours_of_the_same_values(accelerated):
    labels = [pandas.Index([1, 2]), pandas.Index(["a", "b"]), pandas.RangeIndex(3), pandas.CategoricalIndex(["a", "b"]), pandas.Index([1, None], dtype="Int64"),
              pandas.date_range("2020", periods=2, tz="UTC"), pandas.timedelta_range("1h", periods=2), pandas.period_range("2020", periods=2, freq="D"),
              pandas.interval_range(0, 2), pandas.MultiIndex.from_product([[1], ["p", None]], names=["i", "j"])]  # fmt: skip
    if accelerated:
        bc.accelerate(imports=False)
    try:
        for theirs in labels:
            ours = pd.from_pandas(theirs)
            assert theirs.equals(ours) and ours.equals(theirs), theirs
            assert not theirs.equals(ours[:1]) and not theirs.equals(ours[::-1])
    finally:
        if accelerated:
            bc.accelerate.undo()


@pytest.mark.parametrize("kind", ["days", "text", "range", "levels"])
def test_the_constructor_of_labels_is_ours(kind):
    def made(m):
        labels = INDEXES[kind](m) if kind != "levels" else m.MultiIndex.from_product([[1], ["p", "q"]])
        return labels._constructor(list(labels[::-1]))

    ours, theirs = made(pd), made(pandas)
    assert type(ours).__module__ == "bascule.pandas" and type(ours).__name__ == type(theirs).__name__
    assert ours.equals(theirs)

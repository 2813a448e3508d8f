"""Frames, series and indexes print as those of pandas."""

from __future__ import annotations

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import ours


def _mixed(n):
    rng = np.random.default_rng(n)
    frame = pandas.DataFrame(
        {
            "integer": rng.integers(-(10**6), 10**6, n), "float": rng.normal(size=n) * 10.0 ** rng.integers(-5, 5, n), "truth": rng.random(n) < 0.5,
            "text": pandas.Series(rng.choice(["a", "naïve", "日本", "a much longer text than those " * 3], n), dtype="str"),
            "date": pandas.Timestamp("2013-01-01 05:00") + pandas.to_timedelta(rng.integers(0, 10**7, n), unit="s"),
        }
    )  # fmt: skip
    frame.loc[rng.random(n) < 0.2, ["float", "text", "date"]] = None
    return frame


def _levels():
    columns = pandas.MultiIndex.from_product([["x", "y"], ["mean", "max"]], names=["of", None])
    return pandas.DataFrame(np.arange(280.0).reshape(70, 4), columns=columns)


FRAMES = {
    "small": _mixed(5),
    "as many rows as are shown": _mixed(60),
    "one row more": _mixed(61),
    "long": _mixed(1234),
    "wide": pandas.DataFrame(np.arange(120).reshape(3, 40)).add_prefix("column "),
    "long and wide": pandas.DataFrame(np.arange(4000.0).reshape(100, 40)),
    "levels of columns": _levels(),
    "levels of rows": _mixed(200).groupby(["truth", "text"])[["integer"]].max(),
    "labels": _mixed(80).set_index("date"),
    "empty": pandas.DataFrame(),
    "no rows": _mixed(5).head(0),
    "no columns": pandas.DataFrame(index=[1, 2, 3]),
    "named labels": pandas.DataFrame({"a": [1, None]}, index=pandas.Index([3, 4], name="row")).rename_axis(columns="c"),
    "masked": pandas.DataFrame({"i": pandas.array([1, None], dtype="Int64"), "c": pandas.Categorical(["u", None])}),
}
VIEWS = {"repr": repr, "str": str, "html": lambda x: x._repr_html_(), "to_string": lambda x: x.to_string()}


def text(view, x):
    with pandas.option_context("display.width", 100, "display.max_columns", 12):
        return VIEWS[view](x)


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", FRAMES)
def test_frames(name, view):
    assert text(view, ours(FRAMES[name])) == text(view, FRAMES[name])


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
@pytest.mark.parametrize("column", _mixed(1).columns)
@pytest.mark.parametrize("rows", [0, 5, 60, 61, 500])
def test_series(rows, column):
    frame = _mixed(rows)
    for s in (frame[column], frame.set_index("date", drop=False)[column].rename(None)):
        for view in ("repr", "str", "to_string"):
            assert text(view, ours(s)) == text(view, s)


INDEXES = {
    "range": pandas.RangeIndex(3, 9, 2), "named": pandas.RangeIndex(3, name="n"), "integers": pandas.Index([3, 1, 2], name="i"), "floats": pandas.Index([0.5, np.nan]),
    "texts": pandas.Index(["a", None, "日本"]), "dates": pandas.DatetimeIndex(["2020-01-01", None, "2020-01-05 03:00"]), "spans": pandas.TimedeltaIndex(["1s", "2D"]),
    "levels": pandas.MultiIndex.from_product([["a", "b"], [1, 2]], names=["x", None]), "long": pandas.Index(np.arange(1000) ** 2), "empty": pandas.Index([], dtype="float64"),
    "categories": pandas.CategoricalIndex(["u", "v", "u"]), "many levels": pandas.MultiIndex.from_product([range(50), ["a", "b", "c"]]),
}  # fmt: skip


@pytest.mark.parametrize("view", ["repr", "str"])
@pytest.mark.parametrize("name", INDEXES)
def test_indexes(name, view):
    assert text(view, ours(INDEXES[name])) == text(view, INDEXES[name])


@pytest.mark.parametrize("options", [("display.max_rows", 4), ("display.min_rows", 2), ("display.max_rows", None), ("display.max_rows", 1), ("display.precision", 2)])  # fmt: skip
def test_options_of_pandas_are_obeyed(options):
    frame = FRAMES["long"].head(90)
    mine = ours(frame)
    assert type(mine) is pd.DataFrame
    with pandas.option_context(*options):
        assert repr(mine) == repr(frame)
        assert repr(mine["float"]) == repr(frame["float"])
        assert mine._repr_html_() == frame._repr_html_()

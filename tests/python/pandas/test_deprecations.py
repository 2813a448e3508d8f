"""pandas' warnings of what it is about to drop: given where pandas gives them, and nowhere else."""

from __future__ import annotations

import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import ours
from pandas import DataFrame, Series

ROWS = DataFrame({"a": [1, 2, 3], "b": [3.0, np.nan, 1.0], "s": ["x", "y", None]})
ROWS["t"] = pandas.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"])
REPEATED = DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
LEVELS = ROWS.set_index(["a", "s"])
OTHER = DataFrame({"a": [1, 2], "c": [5, 6]})
IN_PLACE: dict[str, dict[str, Any]] = {
    "rename": {"columns": {"a": "z"}}, "rename_axis": {"mapper": "i"}, "drop": {"columns": ["a"]}, "dropna": {},
    "drop_duplicates": {}, "sort_values": {"by": "b"}, "sort_index": {}, "reset_index": {}, "set_index": {"keys": "a"},
    "fillna": {"value": 0}, "replace": {"to_replace": 1, "value": 2}, "ffill": {}, "query": {"expr": "a > 1"},
    "eval": {"expr": "q = a + 1"},
}  # fmt: skip
IN_PLACE_OF_SERIES: dict[str, dict[str, Any]] = {
    "rename": {"index": "z"}, "rename_axis": {"mapper": "i"}, "drop": {"labels": [0]}, "dropna": {}, "drop_duplicates": {},
    "sort_values": {}, "sort_index": {}, "reset_index": {"drop": True}, "fillna": {"value": 0}, "clip": {"lower": 1},
}  # fmt: skip
COPYING: dict[str, tuple] = {
    "astype": ("float64",), "reindex": ([0, 1],), "set_axis": ([1, 2, 3],), "infer_objects": (), "truncate": (),
}  # fmt: skip


def warned(f: Any, *objects: Any) -> set[tuple[str, str]]:
    """Classes and words of the warnings of a call, which may fail; those of fallbacks left out."""
    with bc.config.set(fallback="silent"), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            f(*objects)
        except Exception:
            pass
    return {(w.category.__name__, str(w.message)) for w in said}


def assert_warns_alike(f: Any, *objects: Any) -> None:
    assert warned(f, *ours(list(objects))) == warned(f, *objects)


@pytest.mark.parametrize("inplace", [True, False, None])
@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(name, inplace):
    options = IN_PLACE[name] | ({} if inplace is None else {"inplace": inplace})
    for f in (ROWS, REPEATED, LEVELS):
        assert_warns_alike(lambda f: getattr(f.copy(), name)(**options), f)


@pytest.mark.parametrize("inplace", [True, False, None])
@pytest.mark.parametrize("name", IN_PLACE_OF_SERIES)
def test_in_place_of_series(name, inplace):
    options = IN_PLACE_OF_SERIES[name] | ({} if inplace is None else {"inplace": inplace})
    assert_warns_alike(lambda s: getattr(s.copy(), name)(**options), ROWS.b)


@pytest.mark.parametrize("name", COPYING)
def test_copy(name):
    for options in ({}, {"copy": True}, {"copy": False}):
        for x in (ROWS[["a", "b"]], ROWS.b.fillna(0)):
            assert_warns_alike(lambda x: getattr(x, name)(*COPYING[name], **options), x)


def test_keywords_of_single_methods():
    for options in ({}, {"verify_integrity": True}, {"verify_integrity": False}):
        assert_warns_alike(lambda f: f.set_index("a", **options), ROWS)
        assert_warns_alike(lambda f: f.set_index("a", **options), REPEATED)
    for options in ({"lsuffix": "l"}, {"rsuffix": "r"}, {"lsuffix": "l", "rsuffix": "r"}, {"suffixes": ("l", "r")}):
        assert_warns_alike(lambda f, g: f.join(g, **options), ROWS, OTHER)
    assert_warns_alike(lambda f, g: f.join(g, lsuffix="l", suffixes=("l", "r")), ROWS, OTHER)
    assert_warns_alike(lambda f: f[["a", "b"]].sum(numeric_only=1), ROWS)


@pytest.mark.parametrize("options", [{}, {"engine": "auto"}, {"engine": "pyarrow"}, {"partition_cols": ["a"]}], ids=str)
def test_parquet(tmp_path, options):
    assert_warns_alike(lambda f: f.to_parquet(tmp_path / f"{len(options)}{type(f).__module__}", **options), ROWS)


def test_reading_parquet(tmp_path):
    ROWS.to_parquet(tmp_path / "x.parquet")
    for options in ({}, {"filters": [("a", "==", 1)]}, {"columns": ["a"]}):
        assert not warned(lambda: pd.read_parquet(tmp_path / "x.parquet", **options))


@pytest.mark.parametrize("name", ["weekday", "dayofweek", "day_of_week", "dayofyear", "daysinmonth", "days_in_month"])
def test_fields_of_dates(name):
    for times in (ROWS.t, ROWS.t.dt.tz_localize("Asia/Tokyo")):
        assert_warns_alike(lambda s: getattr(s.dt, name), times)
        assert_warns_alike(lambda s: getattr(s.to_frame("q").set_index("q").index, name), times)


@pytest.mark.parametrize("key", [(9, "a"), (0, "n"), (0, "a"), (9, "n")], ids=str)
def test_new_labels_by_at(key):
    def put(x):
        x.copy().at[key if x.ndim == 2 else key[0]] = 1.0

    assert_warns_alike(put, ROWS[["a", "b"]])
    assert_warns_alike(put, ROWS.b)


def test_attributes_that_are_no_columns():
    for value in ([1, 2, 3], ROWS.a, 1, "text", {"a": 1}):
        assert_warns_alike(lambda f: setattr(f.copy(), "new", value), ROWS)
        assert_warns_alike(lambda s: setattr(s.copy(), "new", value), ROWS.a)


def test_groups():
    assert_warns_alike(lambda f: f.groupby("a").nth[0], ROWS)
    assert_warns_alike(lambda f: f.groupby("a").nth(0), ROWS)
    for by in ("a", ["a"], ["a", "b"]):
        assert_warns_alike(lambda f: f.groupby(by).groups, ROWS)


def test_others():
    assert_warns_alike(lambda f: f.round(), ROWS)
    assert_warns_alike(lambda f: f.__dataframe__(), ROWS)
    assert_warns_alike(lambda s: s.round(), Series([1.5]))


def test_setting_warns_at_the_users_line():
    for module in (pandas, pd):
        rows = module.DataFrame({"n": ["x"], "v": [1]})
        with bc.config.set(fallback="silent"), pytest.warns(pandas.errors.Pandas4Warning) as said:
            rows.loc[1] = ["y", 2.5]
        assert [w.filename for w in said] == [__file__]

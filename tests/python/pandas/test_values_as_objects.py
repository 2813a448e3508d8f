"""Values of every kind as Python's objects: their types and values, by every way that gives them; and single writes."""

from __future__ import annotations

import bascule
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

KINDS = {
    "int64": lambda: pandas.Index([1, 2, 2]),
    "uint8": lambda: pandas.Index(np.array([1, 2, 255], np.uint8)),
    "float64": lambda: pandas.Index([1.5, np.nan, 2]),
    "float32": lambda: pandas.Index(np.array([0.1, np.nan, 2], np.float32)),
    "bool": lambda: pandas.Index([True, False, True]),
    "str": lambda: pandas.Index(["aé", None, ""]),
    "string": lambda: pandas.array(["a", None, "b"], dtype="string"),
    "Int64": lambda: pandas.array([1, None, 3], dtype="Int64"),
    "Float64": lambda: pandas.array([1.5, None, 3], dtype="Float64"),
    "boolean": lambda: pandas.array([True, None, False], dtype="boolean"),
    "categories": lambda: pandas.Categorical(["x", "y", None]),
    "categories of integers": lambda: pandas.Categorical([1, 2, 1]),
    "datetime64[ns]": lambda: pandas.DatetimeIndex(["2020", None, "2021"]).as_unit("ns"),
    "datetime64[s]": lambda: pandas.DatetimeIndex(["2020", None, "2021"]).as_unit("s"),
    "zoned": lambda: pandas.DatetimeIndex(["2020", None, "2021"], tz="Europe/Berlin"),
    "timedelta64": lambda: pandas.to_timedelta([1, 2, None], unit="h"),
    "periods": lambda: pandas.period_range("2020", periods=3, freq="M"),
    "objects": lambda: pandas.Index([1, "a", None], dtype=object),
}
OF_SERIES = {
    "iter": list,
    "tolist": lambda x: x.tolist(),
    "items": lambda x: [v for _, v in x.items()],
    "zip": lambda x: [v for v, _ in zip(x, x)],
    "iloc": lambda x: [x.iloc[i] for i in range(-3, 3)],
    "iat": lambda x: [x.iat[i] for i in range(3)],
    "at": lambda x: [x.at[i] for i in range(3)],
    "to_dict": lambda x: list(x.to_dict().values()),
    "to_numpy": lambda x: list(x.to_numpy()),
}
OF_INDEX = {
    "iter": list,
    "tolist": lambda x: x.tolist(),
    "[]": lambda x: [x[i] for i in range(-3, 3)],
}
OF_FRAME = {
    "itertuples": lambda x: [v for r in x.itertuples() for v in r],
    "itertuples, plain": lambda x: [v for r in x.itertuples(index=False, name=None) for v in r],
    "records": lambda x: [v for r in x.to_dict("records") for v in r.values()],
    "list": lambda x: [v for c in x.to_dict("list").values() for v in c],
    "iterrows": lambda x: [v for _, r in x.iterrows() for v in r],
    "iterrows, types": lambda x: [str(r.dtype) for _, r in x.iterrows()],
    "iloc": lambda x: [*x.iloc[1], x.iloc[1].dtype, x.iloc[1].name],
    "loc": lambda x: [*x.loc[2], x.loc[2]["b"], x.loc[0].b],
    "cells": lambda x: [f(i, j) for i in range(3) for j in range(2) for f in (lambda i, j: x.iat[i, j], lambda i, j: x.iloc[i, j], lambda i, j: x.at[i, "ab"[j]], lambda i, j: x.loc[i, "ab"[j]])],
}  # fmt: skip


def _seen(values):
    return [(type(v).__name__, repr(v)) for v in values]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_values_have_the_types_that_pandas_gives_them(kind):
    made = KINDS[kind]()
    index = pandas.Index(made)
    with bascule.config.set(fallback="silent"):
        for name, way in OF_SERIES.items():
            assert _seen(way(pd.Series(made))) == _seen(way(pandas.Series(made))), name
        for name, way in OF_INDEX.items():
            assert _seen(way(pd.Index(index))) == _seen(way(index)), name
        levels = pandas.MultiIndex.from_arrays([made, [1, 2, 3]])
        mine = pd.MultiIndex.from_arrays([made, [1, 2, 3]])
        assert list(map(_seen, mine)) == list(map(_seen, levels))
        assert list(map(_seen, mine.tolist())) == list(map(_seen, levels.tolist()))
        for columns in ({"a": made, "b": [1, 2, 3], "c": ["x", "y", "z"]}, {"a": made, "b": [1, 2, 3]}):
            for name, way in OF_FRAME.items():
                assert _seen(way(pd.DataFrame(columns))) == _seen(way(pandas.DataFrame(columns))), name


def test_many_values_come_in_batches():
    numbers = np.arange(10_000) % 37
    for values in (numbers, numbers / 4, [f"k{i}" for i in numbers], numbers.astype("M8[D]").astype("M8[us]")):
        them, us = pandas.Series(values), pd.Series(values)
        for a, b in ((them, us), (them[::-3], us[::-3]), (them[numbers > 5], us[numbers > 5])):
            assert list(a) == list(b)
            assert a.tolist() == b.tolist()
            assert dict(a.items()) == dict(b.items())


# ---- single values written

WRITES = [3, 2.5, True, np.int64(4), np.float64(0.5), None, np.nan, "x", 2**70]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["int64", "float64", "int8", "float32", "bool", "str", "Int64"])
def test_single_values_are_written_as_pandas_writes_them(dtype):
    def outcome(module, x):
        s = module.Series([1, 0, 1], index=["a", "b", "c"]).astype(dtype)
        f = module.DataFrame({"v": s, "w": [1.5, 2.5, 3.5]})
        seen = []
        for write in (lambda: s.__setitem__("b", x), lambda: f.at.__setitem__(("c", "v"), x), lambda: f.loc.__setitem__(("a", "v"), x), lambda: f.iat.__setitem__((1, 0), x), lambda: s.loc.__setitem__("a", x), lambda: s.iloc.__setitem__(-1, x), lambda: f.iloc.__setitem__((2, 1), x), lambda: s.at.__setitem__("c", x)):  # fmt: skip
            try:
                write()
            except (TypeError, ValueError, OverflowError) as e:
                seen.append(type(e).__name__)
            seen += [_seen(s.tolist()), str(s.dtype), _seen(f["v"].tolist()), str(f["v"].dtype)]
        return seen

    with bascule.config.set(fallback="silent"):
        for x in WRITES:
            assert outcome(pd, x) == outcome(pandas, x), x


@pytest.mark.parametrize("share", ["copy", "slice", "frame", "values", "index", "view", "sum", "pickle"])
def test_what_was_taken_before_a_write_stays_as_it_was(share):
    import pickle

    s = pd.Series(np.arange(5.0))
    s[0] = 10.0  # it has memory of its own from now on
    taken = {
        "copy": lambda: s.copy(),
        "slice": lambda: s[1:4],
        "frame": lambda: s.to_frame("a"),
        "values": lambda: s.values,
        "index": lambda: pd.Index(s),
        "view": lambda: s.rename("other"),
        "sum": lambda: s + 0,
        "pickle": lambda: pickle.loads(pickle.dumps(s)),
    }[share]()
    before = np.array(taken, copy=True)
    for i in range(5):
        s[i] = -1.0
        s.iloc[i]
    assert (np.asarray(taken) == before).all()
    assert s.tolist() == [-1.0] * 5
    assert float(s.sum()) == -5.0
    s[2] = 7.0
    assert s.to_pandas().tolist() == [-1.0, -1.0, 7.0, -1.0, -1.0]
    assert s.max() == 7.0


def test_a_write_into_what_was_taken_leaves_the_first():
    s = pd.Series(np.arange(5))
    s[0] = 10
    other = s.copy()
    other[1] = 20
    s[2] = 30
    assert s.tolist() == [10, 1, 30, 3, 4]
    assert other.tolist() == [10, 20, 2, 3, 4]
    frame = pd.DataFrame({"a": s, "b": s})
    frame.at[3, "a"] = 40
    frame.at[3, "a"] = 41
    assert frame["b"].tolist() == s.tolist() == [10, 1, 30, 3, 4]
    assert frame["a"].tolist() == [10, 1, 30, 41, 4]

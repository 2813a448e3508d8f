"""Group-by, pivots and cross tables with keys of objects, periods and arrays."""

from __future__ import annotations

import datetime
from decimal import Decimal

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, both

KEYS = {
    "strings": ["b", "a", None, "b", "c", "a"],
    "strings and NaN": ["b", np.nan, None, "b", "c", "a"],
    "integers": [2, 1, 2, 3, 1, 2],
    "integers and floats": [2, 1.5, 2, None, 1, 2],
    "dates": [datetime.date(2020, 1, d) for d in (3, 1, 2, 3, 1, 2)],
    "times of day": [datetime.time(h) for h in (3, 1, 2, 3, 1, 2)],
    "booleans": [True, False, None, True, False, True],
    "tuples": [(1, "x"), (0, "y"), (1, "x"), (1, "a"), (0, "y"), (2, "")],
    "numbers and strings": [1, "a", 2.5, "b", 1, "a"],
    "decimals": [Decimal("1.5"), Decimal(1), Decimal("1.5"), Decimal(3), Decimal(1), Decimal(1)],
    "timestamps": [pandas.Timestamp("2020-01-01"), pandas.Timestamp("2019-01-01")] * 3,
    "missing": [None] * 6,
    "lists": [[1], [2]] * 3,
}
CALLS = {
    "sum": lambda g: g["v"].sum(),
    "agg": lambda g: g.agg(n=("v", "count"), most=("w", "max")),
    "size": lambda g: g.size(),
    "diff": lambda g: g["v"].diff(),
    "transform": lambda g: g["v"].transform("mean"),
    "idxmax": lambda g: g["v"].idxmax(),
    "groups": lambda g: {k: list(v) for k, v in g.groups.items()},
    "iteration": lambda g: [(k, list(x.index)) for k, x in g],
    "cumcount": lambda g: g.cumcount(),
    "ngroup": lambda g: g.ngroup(),
    "nunique": lambda g: g["w"].nunique(),
    "head": lambda g: g.head(1),
}
NATIVE = frozenset(KEYS) - {"lists", "timestamps", "tuples", "missing"}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("key", KEYS)
def test_group_keys(key, call):
    column = pandas.Series([*KEYS[key]], dtype=object)
    frame = pandas.DataFrame({"v": [1.0, 2, 3, np.nan, 5, 6], "w": list("xyzxyz")})
    frame.insert(0, "k", column)
    for by in ("k", ["w", "k"]):
        for options in (
            ({}, {"sort": False}) if by != "k" else ({}, {"sort": False}, {"dropna": False}, {"as_index": False})
        ):
            if options == {"as_index": False} and call in ("groups", "iteration"):
                continue
            try:
                expected = CALLS[call](frame.groupby(by, **options))
            except Exception as e:
                with pytest.raises(type(e)), bc.config.set(fallback="silent"):
                    CALLS[call](pd.from_pandas(frame).groupby(by, **options))
                continue
            with bc.config.set(fallback="silent"):
                found = CALLS[call](pd.from_pandas(frame).groupby(by, **options))
            if isinstance(expected, (dict, list)):
                assert str(found) == str(expected)
            else:
                assert_same(found, expected)


@pytest.mark.parametrize("key", sorted(NATIVE))
def test_keys_of_objects_are_native(key):
    frame = pandas.DataFrame({"k": pandas.Series([*KEYS[key]], dtype=object), "v": np.arange(6.0)})
    both(lambda f: f.groupby("k")["v"].sum(), frame)
    both(lambda f: f.groupby("k").agg(n=("v", "count")), frame)
    both(lambda f: f.groupby("k").size(), frame)


def test_periods_as_keys():
    frame = pandas.DataFrame(
        {"t": pandas.to_datetime(["2020-02-01", "2020-01-05", None, "2020-02-09"]), "v": [1, 2, 3, 4]}
    )
    for freq in ("M", "Q", "Y", "D", "W", "h"):
        both(lambda f, freq=freq: f["t"].dt.to_period(freq), frame)
        both(lambda f, freq=freq: f["v"].groupby(f["t"].dt.to_period(freq)).sum(), frame)
        both(lambda f, freq=freq: f.groupby([f["t"].dt.to_period(freq), "v"]).size(), frame)
        both(lambda f, freq=freq: f["t"].dt.to_period(freq).astype(str), frame)


FRAME = pandas.DataFrame(
    {"d": pandas.date_range("2020-01-01", periods=8, freq="20D"), "k": list("abcaabbc"), "n": range(8), "v": np.arange(8.0), "w": [1, np.nan] * 4}
)  # fmt: skip
PIVOTS = {
    "a series": lambda f: dict(index=f["d"].dt.month, columns="k", values="v"),
    "strings": lambda f: dict(index=f["d"].dt.strftime("%Y-%m"), columns="k", values="v", aggfunc="sum"),
    "a condition": lambda f: dict(index="k", columns=f["n"] > 3, values="v", aggfunc="sum"),
    "two counts": lambda f: dict(index="k", columns=f["n"] > 3, values="v", aggfunc=["count", "sum"]),
    "the remainder": lambda f: dict(index=f["n"] % 3, columns="k", values=["v", "w"], aggfunc="max"),
    "the labels": lambda f: dict(index=f.index % 2, columns="k", values="v", aggfunc="sum"),
    "an array": lambda f: dict(index=np.arange(8) % 2, columns="k", values="v", aggfunc="sum"),
    "alone": lambda f: dict(index=f["n"] % 3, values="v", aggfunc="sum"),
    "with a label": lambda f: dict(index=["k", f["n"] % 2], columns=f["d"].dt.month, values="v", aggfunc="sum"),
    "filled": lambda f: dict(index=f["n"] % 3, columns="k", values="v", aggfunc="sum", fill_value=0),
}


@pytest.mark.parametrize("call", PIVOTS)
def test_arrays_as_keys_of_pivots(call):
    both(lambda f: f.pivot_table(**PIVOTS[call](f)), FRAME, exact=False)


def test_arrays_as_keys_of_pivots_with_other_options():
    for more in ({"margins": True}, {"observed": False}, {"dropna": False}, {"sort": False}):
        both(
            lambda f, more=more: f.pivot_table(**PIVOTS["a condition"](f), **more),
            FRAME,
            exact=False,
            fallback="silent",
        )
    both(lambda f: f.pivot_table(index=f["n"] % 3, columns="k"), FRAME[["k", "n", "v"]], exact=False, fallback="silent")


def test_arrays_as_keys_of_cross_tables():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 3, 40), rng.choice(list("pqr"), 40)
    for options in (
        {},
        {"normalize": True},
        {"normalize": "index"},
        {"margins": True},
        {"rownames": ["r"], "colnames": ["c"]},
    ):
        expected = pandas.crosstab(x, y, **options)
        with bc.config.set(fallback="error"):
            assert_same(pd.crosstab(x, y, **options), expected)
            assert_same(pd.crosstab(bc.asarray(x), y, **options), expected)
    s = pandas.Series(y, name="s", index=range(5, 45))
    for options in ({}, {"normalize": "index"}, {"margins": True}):
        both(lambda a, b, options=options: (pd if isinstance(a, pd.Series) else pandas).crosstab(a, b, **options), s, pandas.Series(x, index=s.index, name="s"))  # fmt: skip
        both(
            lambda a, options=options: (pd if isinstance(a, pd.Series) else pandas).crosstab(a.shift(), a, **options), s
        )
        both(lambda a, options=options: (pd if isinstance(a, pd.Series) else pandas).crosstab(a, x, **options), s)

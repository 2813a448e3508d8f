"""Answers for few rows, for none, and for values of other types than the column's: as pandas', errors included."""

from __future__ import annotations

import decimal
import warnings
from collections.abc import Callable
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_differences import difference

Calls = dict[str, Callable[[Any], Any]]


def days(p: Any, n: int) -> Any:
    return p.Series(range(n), p.date_range("2020", periods=n))


def levels(p: Any, n: int) -> Any:
    return p.Series(range(n), p.MultiIndex.from_tuples([("x", k) for k in range(n)], names=["i", "j"]))


def text(p: Any) -> Any:
    return p.Series(["2020-01", "b", None])


LABELS: Calls = {
    f"{name}, {n} rows": lambda p, f=f, n=n: f(p, n)
    for n in range(4)
    for name, f in {
        "reindex by tuples": lambda p, n: levels(p, n).reindex(list(levels(p, n).index)),
        "reindex a frame by tuples": lambda p, n: levels(p, n).to_frame("v").reindex(list(levels(p, n).index)),
        "loc of a list": lambda p, n: days(p, n).loc[list(days(p, n).index[:1])],
        "loc of an empty list": lambda p, n: days(p, n).loc[[]],
        "an empty list": lambda p, n: days(p, n)[[]],
        "loc of an empty list of a frame": lambda p, n: days(p, n).to_frame("v").loc[[]],
        "loc of an empty list of a range": lambda p, n: p.Series(range(n)).loc[[]],
        "reindex by nothing": lambda p, n: days(p, n).reindex([]),
        "drop nothing": lambda p, n: days(p, n).drop([]),
    }.items()
}
VALUES: Calls = {
    "text among periods": lambda p: text(p).isin(p.Series(pandas.period_range("2020", periods=2, freq="M"))),
    "text among intervals": lambda p: text(p).isin(list(pandas.interval_range(0, 2))),
    "text among numbers and text": lambda p: text(p).isin([1, "b", None]),
    "text among decimals": lambda p: text(p).isin([decimal.Decimal("1.5"), "b"]),
    "labels among periods": lambda p: p.Index(["a"]).isin(list(pandas.period_range("2020", periods=2, freq="M"))),
    "cut of truths with NA": lambda p: p.cut(p.Series([True, None, False], dtype="boolean"), 2),
    "cut of truths": lambda p: p.cut(p.Series([True, True, False], dtype="boolean"), 2),
    "qcut of truths with NA": lambda p: p.qcut(p.Series([True, None, False], dtype="boolean"), 2),
    "compare with Arrow's NA": lambda p: p.Series([-1, 1, 2]).compare(p.Series([None, 1, 1], dtype="int64[pyarrow]")),
    "compare frames with Arrow's NA": lambda p: p.DataFrame({"a": [-1, 1]}).compare(p.DataFrame({"a": p.Series([None, 1], dtype="int64[pyarrow]")})),
    "duplicated without columns": lambda p: p.DataFrame(index=["x", "y"]).duplicated(),
    "duplicated without rows": lambda p: p.DataFrame({"a": []}, index=p.Index([], name="i")).duplicated(["b"], keep="x"),
    "correlation of constants": lambda p: p.DataFrame(2000 * [[0.4, 0.1]], columns=["A", "B"]).corr(),
    "correlation of constants, some missing": lambda p: p.DataFrame({"A": 1999 * [0.4] + [np.nan], "B": range(2000)}).corr(),
    "negative weights": lambda p: p.Series(range(5)).sample(n=3, weights=[-0.1] + [0.3] * 4),
    "an axis of no name": lambda p: p.DataFrame({"a": [1]}).set_axis(["b"], axis="foo"),
    "weekday of far dates": lambda p: p.DatetimeIndex(np.array([-(2**63) + 1, 2**63 - 1, 0], "M8[s]")).dayofweek,
    "year of far dates": lambda p: p.DatetimeIndex(np.array([-(2**63) + 1], "M8[s]")).year,
    "an empty mask": lambda p: p.Index([True, False])[np.array([], bool)],
    "levels swapped with copy=": lambda p: levels(p, 2).swaplevel(copy=None),
    "a number in intervals": lambda p: p.Series(list("abc"), p.IntervalIndex.from_breaks([0, 1, 5, 10])).loc[3],
    "a row of intervals": lambda p: p.DataFrame({"a": list("abc")}, p.IntervalIndex.from_breaks([0, 1, 5, 10])).loc[3],
    "a cell of intervals": lambda p: p.DataFrame({"a": list("abc")}, p.IntervalIndex.from_breaks([0, 1, 5, 10])).loc[3, "a"],
    "windows of what overflows": lambda p: p.Series([1e200, -1e200, 1, 2, 3]).rolling(2).var(),
    "cut of single precision": lambda p: p.cut(p.Series([np.nan, -2.5, -2.5], dtype="float32"), 2),
    "cut of single precision into more": lambda p: p.cut(p.Series([-540.773, 1389.972, -664.342], dtype="float32"), 4, retbins=True),
    "cut of half precision": lambda p: p.cut(p.Series([1.5, 2], dtype="float16"), 2),
    "frequency of two": lambda p: p.date_range("2020", periods=2).inferred_freq,
    "drop of none from none": lambda p: p.date_range("2020", periods=0).drop(p.date_range("2020", periods=0)),
    "windows of one group": lambda p: p.DataFrame({"g": [None, None, "v", "v"], "k": [1, 2, 3, 4]}).groupby("g")["k"].rolling(2).sum(),
}  # fmt: skip


def swapped(p: Any) -> Any:
    return p.DataFrame({"a": np.array([1, 2, 3], ">i4"), "b": np.array([1.5, 2, np.nan], ">f8")})


ORDERS: Calls = {
    "the frame": swapped,
    "types": lambda p: swapped(p).dtypes,
    "one column": lambda p: swapped(p).a,
    "values": lambda p: swapped(p).a.to_numpy(),
    "a sum": lambda p: swapped(p).a.sum(),
    "a mean": lambda p: swapped(p).b.mean(),
    "arithmetic": lambda p: swapped(p).a + swapped(p).b,
    "comparison": lambda p: swapped(p).a > 1,
    "equality": lambda p: swapped(p).equals(swapped(p)),
    "rows": lambda p: swapped(p).iloc[1:],
    "a cell": lambda p: swapped(p).loc[0, "a"],
    "in this machine's order": lambda p: swapped(p).astype({"a": "int32", "b": "float64"}).groupby("a").b.sum(),
    "text": lambda p: swapped(p).to_csv(),
    "labels": lambda p: p.Index(np.array([3, 1], ">i8")),
    "put together": lambda p: p.concat([swapped(p), swapped(p)]),
    "written to": lambda p: swapped(p).assign(a=lambda d: d.a * 2),
}


def answer(call: Callable[[Any], Any], library: Any) -> tuple[Any, Any]:
    with bc.config.set(fallback="silent"), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call(library), None
        except Exception as error:  # pandas may raise any error
            return None, error


@pytest.mark.parametrize(
    "call", [*LABELS.values(), *VALUES.values(), *ORDERS.values()], ids=[*LABELS, *VALUES, *ORDERS]
)
def test_as_in_pandas(call):
    found, error = answer(call, pd)
    expected, wrong = answer(call, pandas)
    assert type(error) is type(wrong), error
    assert wrong is not None or not difference(found, expected)

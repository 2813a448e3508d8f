"""Results that pandas builds as new objects have no attrs, whatever kinds of values or groups decide that."""

from __future__ import annotations

from typing import Any

import bascule.pandas as pd
import pandas
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")
TYPES = ["int64", "Int64", "boolean", "str", "string", "category", "object", "float64", "datetime64[us]", "period[D]"]
FUNCTIONS: dict[str, Any] = {
    "numbers": len,
    "lists": list,
    "rows": lambda x: x,
    "other rows": lambda x: x.head(1),
    "nothing": lambda x: None,
    "text": lambda x: "a",
}
GROUPS: dict[str, Any] = {
    "frame": lambda d: d.groupby("k"),
    "no keys": lambda d: d.groupby("k", group_keys=False),
    "series": lambda d: d.groupby("k")["a"],
    "no rows": lambda d: d.iloc[:0].groupby("k"),
    "no rows of a series": lambda d: d.iloc[:0].groupby("k")["a"],
    "keys as columns": lambda d: d.groupby("k", as_index=False),
}


def notes(function: Any, *args: Any) -> Any:
    try:
        return function(*args).attrs
    except (TypeError, ValueError) as e:
        return type(e).__name__


@pytest.mark.parametrize("dtype", TYPES)
def test_unstack_and_explode(dtype):
    values = pandas.Series([1, 0, 1, 0] if dtype not in ("str", "string", "object") else list("abcd")).astype(dtype if dtype[:2] != "pe" else "int64")  # fmt: skip
    values = pandas.Series(pandas.period_range("2020", periods=4)) if dtype[:2] == "pe" else values
    values.index = pandas.MultiIndex.from_product([[1, 2], ["a", "b"]])
    ours = pd.from_pandas(values)
    ours.attrs, values.attrs = {"unit": "m"}, {"unit": "m"}
    for f in (lambda s: s.unstack(), lambda s: s.unstack(0), lambda s: s.explode(), lambda s: s.explode(True)):
        assert notes(f, ours) == notes(f, values)


@pytest.mark.parametrize("of", GROUPS)
def test_apply(of):
    theirs = pandas.DataFrame({"k": ["a", "b", "a"], "a": [1, 2, 3]})
    ours = pd.from_pandas(theirs)
    ours.attrs, theirs.attrs = {"unit": "m"}, {"unit": "m"}
    found, expected = ({n: notes(GROUPS[of](d).apply, f) for n, f in FUNCTIONS.items()} for d in (ours, theirs))
    assert found == expected


METHODS = """all any apply bfill corr corrwith count cov cumsum describe diff ffill first head idxmax is_monotonic_increasing last max
mean median min nlargest nsmallest nth nunique pct_change quantile rank shift size sum tail transform unique value_counts""".split()
VERBS = """abs all any bfill corrwith count cov cumsum describe diff drop_duplicates duplicated explode fillna head idxmax isna isin
max mean median memory_usage nunique quantile rank shift sort_index sum tail to_frame transpose value_counts""".split()


def given(name: str, d: Any, one: bool) -> list[Any]:
    some = {
        "apply": [lambda x: x],
        "corrwith": [d[["a"]]],
        "transform": ["sum"],
        "isin": [[1]],
        "fillna": [0],
        "explode": ["a"],
    }
    return [] if one and name == "explode" else some.get(name, [])


def asked(x: Any, name: str, args: list[Any]) -> Any:
    try:
        found = getattr(x, name)
        made = found(*args) if callable(found) else found
    except Exception as e:  # pandas may raise any error
        return type(e).__name__
    return getattr(made, "attrs", None), getattr(made, "shape", None)


@pytest.mark.parametrize("rows", [0, 3])
@pytest.mark.parametrize("name", METHODS)
def test_methods_of_groups(name, rows):
    def said(d):
        groups = d.groupby("k"), d.groupby("k")["a"], d.groupby("k")[["a"]]
        return [asked(g, name, given(name, d, False)) for g in groups]

    theirs = pandas.DataFrame({"a": [1.5, 2, 3], "k": [1, 2, 1]}).iloc[:rows]
    ours = pd.from_pandas(theirs)
    ours.attrs, theirs.attrs = {"unit": "m"}, {"unit": "m"}
    assert said(ours) == said(theirs)


@pytest.mark.parametrize("rows", [0, 3])
@pytest.mark.parametrize("name", VERBS)
def test_methods_of_what_may_be_empty(name, rows):
    def said(d):
        parts = [(d, False), (d["a"], True), (d[[]], False), (d[["k"]], False)]
        return [asked(x, name, given(name, d, one)) for x, one in parts]

    theirs = pandas.DataFrame({"a": [1.5, 2, 3], "k": [1, 2, 1]}, index=pandas.Index(list("xyz"), name="i")).iloc[:rows]
    ours = pd.from_pandas(theirs)
    ours.attrs, theirs.attrs = {"unit": "m"}, {"unit": "m"}
    assert said(ours) == said(theirs)


@pytest.mark.parametrize("values", [["2020"], ["02.03.2020", None], pandas.to_datetime(["2020"]), [1]])
@pytest.mark.parametrize("function", ["to_datetime", "to_timedelta", "to_numeric", "isna", "cut"])
def test_functions(function, values):
    def said(lib, values):
        values.attrs = {"unit": "m"}
        return asked(lib, function, [values, 2] if function == "cut" else [values])

    theirs = pandas.Series(values)
    assert said(pd, pd.from_pandas(theirs)) == said(pandas, theirs)


@pytest.mark.parametrize("dtype", TYPES)
def test_descriptions_of_groups(dtype):
    values = [1, 0, 1, 0] if dtype not in ("str", "string", "object") else list("abab")
    theirs = pandas.DataFrame(
        {
            "v": pandas.Series(values if dtype[:2] != "pe" else pandas.period_range("2020", periods=4)).astype(dtype),
            "k": [1, 1, 2, 2],
        }
    )
    ours = pd.from_pandas(theirs)
    ours.attrs, theirs.attrs = {"unit": "m"}, {"unit": "m"}
    groups = [lambda d: d.groupby("k"), lambda d: d.groupby("k").v, lambda d: d.groupby("k", as_index=False).v]
    assert [asked(g(ours), "describe", []) for g in groups] == [asked(g(theirs), "describe", []) for g in groups]

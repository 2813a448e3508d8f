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

"""Levels of times keep the frequency at which they come, wherever pandas' levels do."""

from __future__ import annotations

import pickle
from typing import Any

import bascule.pandas as pd
import pandas
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")
CALLS: dict[str, Any] = {
    "product": lambda lib, m, d: m,
    "arrays": lambda lib, m, d: lib.MultiIndex.from_arrays([lib.date_range("2020", periods=3), [1, 2, 3]]),
    "falling": lambda lib, m, d: lib.MultiIndex.from_arrays([lib.date_range("2020", periods=3)[::-1], [1, 2, 3]]),
    "months": lambda lib, m, d: lib.MultiIndex.from_product([lib.date_range("2020", periods=3, freq="ME"), [1, 2]]),
    "part": lambda lib, m, d: m[:2],
    "steps": lambda lib, m, d: m[::2].get_level_values(0),
    "steps back": lambda lib, m, d: m[::-2].get_level_values(0),
    "repeats": lambda lib, m, d: m.get_level_values(0),
    "places": lambda lib, m, d: m[[0, 2, 3]],
    "unstack": lambda lib, m, d: d.unstack().index,
    "unstack the times": lambda lib, m, d: d.unstack(0).columns,
    "unstack a series": lambda lib, m, d: d["a"].unstack(0).columns,
    "stack": lambda lib, m, d: lib.DataFrame({"a": 1, "b": 2}, lib.date_range("2020", periods=2)).stack().index,
    "append": lambda lib, m, d: m.append(m),
    "append others": lambda lib, m, d: m[:1].append(m),
    "set_index": lambda lib, m, d: lib.DataFrame({"a": 1, "b": [1, 2]}, lib.date_range("2020", periods=2))
    .set_index("b", append=True)
    .index,
    "concat under keys": lambda lib, m, d: lib.concat({1: lib.DataFrame({"a": 1}, lib.date_range("2020", periods=2))}).index,
    "xs": lambda lib, m, d: d.xs(1, level=1).index,
    "droplevel": lambda lib, m, d: m.droplevel(0),
    "droplevel of rows": lambda lib, m, d: d.droplevel(1).index,
    "reset_index": lambda lib, m, d: d.reset_index(level=1).index,
    "reset_index of several": lambda lib, m, d: d.set_index([[1] * 6, [2] * 6], append=True).reset_index(level=[1, 2, 3]).index,
    "reset_index of a series": lambda lib, m, d: d["a"].reset_index(level=1).index,
    "reset_index, dropped": lambda lib, m, d: d[::2].reset_index(level=1, drop=True).index,
    "reset_index of a series, dropped": lambda lib, m, d: d["a"][::-2].reset_index(level=1, drop=True).index,
    "reset_index of no level": lambda lib, m, d: d.reset_index(level=[]).index,
    "reset_index of the times": lambda lib, m, d: d[::2].reset_index(level=0).index,
    "swaplevel": lambda lib, m, d: m.swaplevel(),
    "sort_index": lambda lib, m, d: d.sort_index(ascending=False).index,
    "loc": lambda lib, m, d: d.loc["2020-01-01":"2020-01-02"].index,
    "unused": lambda lib, m, d: m[:2].remove_unused_levels(),
    "insert": lambda lib, m, d: m.insert(0, (pandas.Timestamp("2020"), 5)),
    "pickle": lambda lib, m, d: pickle.loads(pickle.dumps(m)),
    "lengths of time": lambda lib, m, d: lib.MultiIndex.from_product([lib.timedelta_range("1h", periods=3), [1, 2]]),
}  # fmt: skip


def seen(lib: Any, call: Any) -> tuple:
    m = lib.MultiIndex.from_product([lib.date_range("2020", periods=3), [1, 2]])
    found = call(lib, m, lib.DataFrame({"a": range(6)}, m))
    found = found.to_pandas() if hasattr(found, "to_pandas") else found
    own = getattr(found, "freq", None)
    levels = [(getattr(x, "freq", None), list(x)) for x in found.levels] if found.nlevels > 1 else []
    return own, levels, list(found)


@pytest.mark.parametrize("name", CALLS)
def test_as_in_pandas(name):
    assert seen(pd, CALLS[name]) == seen(pandas, CALLS[name])


def test_levels_themselves_know_it():
    m = pd.MultiIndex.from_product([pd.date_range("2020", periods=3), [1, 2]])
    assert m.levels[0].freq == "D" and pd.from_pandas(m.to_pandas()).levels[0].freq == "D"

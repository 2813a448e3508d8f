"""Categories changed, and the units of times: against pandas."""

import pandas
import pytest
from frames import both

S = pandas.Series(pandas.Categorical(["b", "a", None, "b"], categories=["b", "a", "c"]), index=list("wxyz"), name="k")
ORDERED = S.cat.as_ordered()
CALLS = {
    "as_ordered": lambda c: c.as_ordered(), "as_unordered": lambda c: c.as_unordered(), "add": lambda c: c.add_categories(["d"]), "add one": lambda c: c.add_categories("d"),
    "add again": lambda c: c.add_categories(["a"]), "remove": lambda c: c.remove_categories(["a"]), "remove none": lambda c: c.remove_categories(["z"]),
    "unused": lambda c: c.remove_unused_categories(), "rename": lambda c: c.rename_categories(["x", "y", "z"]), "rename some": lambda c: c.rename_categories({"a": "A"}),
    "rename by function": lambda c: c.rename_categories(str.upper), "rename too few": lambda c: c.rename_categories(["x"]), "rename to repeated": lambda c: c.rename_categories(["x", "x", "y"]),
    "reorder": lambda c: c.reorder_categories(["c", "a", "b"], ordered=True), "reorder others": lambda c: c.reorder_categories(["c", "a"]),
    "set": lambda c: c.set_categories(["a", "z"]), "set by position": lambda c: c.set_categories(["x", "y", "z"], rename=True), "set ordered": lambda c: c.set_categories(["c", "b"], ordered=True),
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_categories(call):
    for s in (S, ORDERED, S.iloc[:0], S.iloc[[2]]):
        both(lambda x: CALLS[call](x.cat), s)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_units(unit):
    dates = pandas.Series(pandas.to_datetime(["2020-01-01 12:30:01", None]), name="d").dt.as_unit("us")
    both(lambda x: x.dt.as_unit(unit), dates)
    both(lambda x: x.dt.as_unit(unit).dt.unit, dates)
    both(lambda x: x.dt.tz, dates)
    both(lambda x: x.dt.as_unit(unit), dates - dates.iloc[0])
    both(lambda x: x.dt.unit, dates - dates.iloc[0])
    both(lambda x: x.dt.as_unit("D"), dates, fallback="silent")

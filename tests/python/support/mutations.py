"""Calls of every public method of pandas' frames, series and indexes, with the arguments that it needs."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pandas

FRAME = pandas.DataFrame(
    {"a": [3, 1, 2], "b": [1.5, np.nan, -2.5], "c": [5, 6, 7]}, index=pandas.Index([10, 30, 20], name="i")
)
SERIES = pandas.Series([3.0, np.nan, 2.0], index=pandas.Index([10, 30, 20], name="i"), name="s")
DATES = pandas.date_range("2020-01-01", periods=3)
OTHER = pandas.DataFrame({"a": [8.0], "b": [9.0]}, index=[30])
# Methods that only display a frame or write it to a file.
SHOWN = {
    "plot",
    "hist",
    "boxplot",
    "style",
    "to_clipboard",
    "to_sql",
    "to_excel",
    "to_hdf",
    "to_xarray",
    "to_iceberg",
    "to_stata",
}
ARRAY = np.array([0, 2])

# Arguments for methods that require them, or change an object only with them; `p` is the namespace.
BOTH: dict[str, list[Any]] = {
    "add_prefix": [lambda x, p: x.add_prefix("p")], "add_suffix": [lambda x, p: x.add_suffix("p")],
    "align": [lambda x, p: x.align(x)], "apply": [lambda x, p: x.apply(lambda v: v)], "asfreq": [lambda x, p: x.asfreq("D")],
    "astype": [lambda x, p: x.astype(float)], "at_time": [lambda x, p: x.at_time("09:00")],
    "between_time": [lambda x, p: x.between_time("09:00", "10:00")], "combine_first": [lambda x, p: x.combine_first(x)],
    "compare": [lambda x, p: x.compare(x)], "dot": [lambda x, p: x.dot(x.T)], "drop": [lambda x, p: x.drop(10), lambda x, p: x.drop(10, inplace=True)],
    "droplevel": [lambda x, p: x.droplevel(0)], "equals": [lambda x, p: x.equals(x)], "ewm": [lambda x, p: x.ewm(2).mean()],
    "fillna": [lambda x, p: x.fillna(0), lambda x, p: x.fillna(0, inplace=True)], "filter": [lambda x, p: x.filter(items=["a"])],
    "get": [lambda x, p: x.get("a")], "groupby": [lambda x, p: x.groupby([1, 1, 2]).sum()],
    "isin": [lambda x, p: x.isin([1])], "join": [lambda x, p: x.join(x, rsuffix="r")],
    "map": [lambda x, p: x.map(lambda v: v)],
    "mask": [lambda x, p: x.mask(x > 2), lambda x, p: x.mask(x > 2, inplace=True), lambda x, p: x.mask(x > 2, 7.0, inplace=True)],
    "where": [lambda x, p: x.where(x > 2), lambda x, p: x.where(x > 2, inplace=True), lambda x, p: x.where(x > 2, 7.0, inplace=True)],
    "merge": [lambda x, p: x.merge(x, on="a")], "nlargest": [lambda x, p: x.nlargest(1, "a")], "nsmallest": [lambda x, p: x.nsmallest(1, "a")],
    "pipe": [lambda x, p: x.pipe(lambda v: v)], "reindex_like": [lambda x, p: x.reindex_like(x)],
    "rename": [lambda x, p: x.rename({10: 11}), lambda x, p: x.rename({10: 11}, inplace=True)],
    "rename_axis": [lambda x, p: x.rename_axis("q"), lambda x, p: x.rename_axis("q", inplace=True), lambda x, p: x.rename_axis(index={"i": "q"}, inplace=True)],
    "repeat": [lambda x, p: x.repeat(2)],
    "replace": [lambda x, p: x.replace(2, 4), lambda x, p: x.replace(2, 4, inplace=True), lambda x, p: x.replace({2: 4}, inplace=True)],
    "rolling": [lambda x, p: x.rolling(2).sum()], "resample": [lambda x, p: x.resample("D")], "sample": [lambda x, p: x.sample(1, random_state=0)],
    "searchsorted": [lambda x, p: x.searchsorted(1)], "set_axis": [lambda x, p: x.set_axis([1, 2, 3])],
    "set_flags": [lambda x, p: x.set_flags(allows_duplicate_labels=False)], "take": [lambda x, p: x.take([0])],
    "swaplevel": [lambda x, p: x.swaplevel()], "reorder_levels": [lambda x, p: x.reorder_levels([0])], "truncate": [lambda x, p: x.sort_index().truncate(15)],
    "tz_convert": [lambda x, p: x.tz_convert("UTC")], "tz_localize": [lambda x, p: x.tz_localize("UTC")], "xs": [lambda x, p: x.xs(10)],
    "agg": [lambda x, p: x.agg("sum")], "aggregate": [lambda x, p: x.aggregate(["sum"])], "transform": [lambda x, p: x.transform("abs")],
    "combine": [lambda x, p: x.combine(x, lambda a, b: a)], "asof": [lambda x, p: x.asof(10)],
    "sort_index": [lambda x, p: x.sort_index(), lambda x, p: x.sort_index(inplace=True, key=lambda i: -i), lambda x, p: x.sort_index(inplace=True)],
    "reset_index": [lambda x, p: x.reset_index(), lambda x, p: x.reset_index(drop=True, inplace=True)],
    "clip": [lambda x, p: x.clip(2, 2.5), lambda x, p: x.clip(2, 2.5, inplace=True)],
    "interpolate": [lambda x, p: x.interpolate(), lambda x, p: x.interpolate(inplace=True)],
    "items": [lambda x, p: list(x.items())],
}  # fmt: skip
OF_FRAMES: dict[str, list[Any]] = {
    "assign": [lambda x, p: x.assign(z=1)], "corrwith": [lambda x, p: x.corrwith(x)], "drop_duplicates": [lambda x, p: x.drop_duplicates("a", inplace=True)],
    "eval": [lambda x, p: x.eval("d = a + c"), lambda x, p: x.eval("d = a + c", inplace=True), lambda x, p: x.eval("a = c", inplace=True)],
    "query": [lambda x, p: x.query("a > 1"), lambda x, p: x.query("a > 1", inplace=True)], "explode": [lambda x, p: x.explode("a")],
    "insert": [lambda x, p: x.insert(1, "n", [1, 2, 3]), lambda x, p: x.insert(0, "n", 5), lambda x, p: x.insert(0, "a", 5)],
    "isetitem": [lambda x, p: x.isetitem(0, [7, 8, 9]), lambda x, p: x.isetitem([0, 1], x[["c", "a"]]), lambda x, p: x.isetitem(9, 1)],
    "isin": [lambda x, p: x.isin({"a": [1]})], "pivot": [lambda x, p: x.pivot(index="a", columns="c")],
    "pivot_table": [lambda x, p: x.pivot_table(index="a")], "pop": [lambda x, p: x.pop("a"), lambda x, p: x.pop("z")],
    "from_dict": [lambda x, p: p.DataFrame.from_dict({"a": [1]})], "from_records": [lambda x, p: p.DataFrame.from_records([[1]])],
    "from_arrow": [],
    "set_index": [lambda x, p: x.set_index("a"), lambda x, p: x.set_index("a", inplace=True), lambda x, p: x.set_index(["a", "b"], append=True, inplace=True)],
    "sort_values": [lambda x, p: x.sort_values("a"), lambda x, p: x.sort_values("a", inplace=True), lambda x, p: x.sort_values(["a", "b"], inplace=True, ignore_index=True)],
    "update": [lambda x, p: x.update(p.DataFrame({"a": [9]}, index=[30])), lambda x, p: x.update(p.DataFrame({"b": [9.0]}, index=[30]), overwrite=False),
               lambda x, p: x.update(p.DataFrame({"a": [9]}, index=[10]), errors="raise"), lambda x, p: x.update(x)],
    "rename": [lambda x, p: x.rename(columns={"a": "z"}, inplace=True), lambda x, p: x.rename(index={10: 9}, columns=str.upper, inplace=True)],
    "rename_axis": [lambda x, p: x.rename_axis(columns="q", inplace=True)],
    "drop": [lambda x, p: x.drop(columns="a", inplace=True), lambda x, p: x.drop(index=10, columns="a", inplace=True)],
    "dropna": [lambda x, p: x.dropna(inplace=True), lambda x, p: x.dropna(axis=1, inplace=True)],
    "select_dtypes": [lambda x, p: x.select_dtypes("float")], "wide_to_long": [], "to_gbq": [], "to_orc": [], "to_parquet": [], "to_feather": [],
    "merge": [lambda x, p: x.merge(x, on="a")],
}  # fmt: skip
OF_SERIES: dict[str, list[Any]] = {
    "between": [lambda x, p: x.between(1, 2)], "case_when": [lambda x, p: x.case_when([(x > 2, 0)])], "corr": [lambda x, p: x.corr(x)], "cov": [lambda x, p: x.cov(x)],
    "dot": [lambda x, p: x.dot(x)], "explode": [lambda x, p: x.explode()], "filter": [lambda x, p: x.filter(items=[10])], "get": [lambda x, p: x.get(10)],
    "pop": [lambda x, p: x.pop(10), lambda x, p: x.pop(99)], "nlargest": [lambda x, p: x.nlargest(1)], "nsmallest": [lambda x, p: x.nsmallest(1)],
    "rename": [lambda x, p: x.rename("z"), lambda x, p: x.rename("z", inplace=True), lambda x, p: x.rename({10: 11}, inplace=True), lambda x, p: x.rename(lambda v: v + 1, inplace=True)],
    "update": [lambda x, p: x.update(p.Series([7.0, 8.0], index=[30, 10])), lambda x, p: x.update([1.0, 2.0]), lambda x, p: x.update({30: 5.0})],
    "unstack": [lambda x, p: x.unstack()], "join": [], "merge": [], "from_arrow": [],
    "sort_values": [lambda x, p: x.sort_values(inplace=True), lambda x, p: x.sort_values(key=lambda v: -v, inplace=True, ignore_index=True)],
    "drop_duplicates": [lambda x, p: x.drop_duplicates(inplace=True)], "dropna": [lambda x, p: x.dropna(inplace=True, ignore_index=True)],
    "cat": [], "dt": [], "str": [], "list": [], "struct": [], "sparse": [], "item": [lambda x, p: x.item()],
}  # fmt: skip
OF_INDEXES: dict[str, list[Any]] = {
    "append": [lambda x, p: x.append(x)], "asof": [lambda x, p: x.asof(x[0])], "asof_locs": [], "delete": [lambda x, p: x.delete(0)], "drop": [lambda x, p: x.drop(x[0])],
    "difference": [lambda x, p: x.difference(x)], "get_indexer": [lambda x, p: x.get_indexer(x)], "get_indexer_for": [lambda x, p: x.get_indexer_for(x)],
    "get_indexer_non_unique": [lambda x, p: x.get_indexer_non_unique(x)], "get_level_values": [lambda x, p: x.get_level_values(0)], "get_loc": [lambda x, p: x.get_loc(x[0])],
    "get_slice_bound": [lambda x, p: x.get_slice_bound(x[0], "left")], "groupby": [lambda x, p: x.groupby([1, 1, 2])], "identical": [lambda x, p: x.identical(x)],
    "insert": [lambda x, p: x.insert(0, x[0])], "intersection": [lambda x, p: x.intersection(x)], "is_": [lambda x, p: x.is_(x)], "join": [lambda x, p: x.join(x)],
    "putmask": [lambda x, p: x.putmask([True, False, False], x[1])], "reindex": [lambda x, p: x.reindex(x)],
    "rename": [lambda x, p: x.rename("z"), lambda x, p: x.rename("z", inplace=True), lambda x, p: x.rename(["z", "y"], inplace=True)],
    "set_names": [lambda x, p: x.set_names("z"), lambda x, p: x.set_names("z", inplace=True), lambda x, p: x.set_names("z", level=0, inplace=True), lambda x, p: x.set_names(["z", "y"], inplace=True)],
    "symmetric_difference": [lambda x, p: x.symmetric_difference(x)], "union": [lambda x, p: x.union(x)], "where": [lambda x, p: x.where([True, False, True])],
    "map": [lambda x, p: x.map(str)], "reorder_levels": [lambda x, p: x.reorder_levels([1, 0])], "set_codes": [lambda x, p: x.set_codes([0, 0, 0], level=0)],
    "set_levels": [lambda x, p: x.set_levels(["u", "v", "w"], level=0)], "take": [lambda x, p: x.take([0])], "isin": [lambda x, p: x.isin([x[0]])],
    "get_locs": [lambda x, p: x.get_locs([x[0][0]])], "get_loc_level": [lambda x, p: x.get_loc_level(x[0][0])], "from_arrays": [], "from_tuples": [], "from_product": [], "from_frame": [],
    "from_range": [], "indexer_at_time": [], "indexer_between_time": [], "equal_levels": [lambda x, p: x.equal_levels(x)], "repeat": [lambda x, p: x.repeat(2)],
    "strftime": [lambda x, p: x.strftime("%Y")], "snap": [lambda x, p: x.snap("D")], "shift": [lambda x, p: x.shift(1)],
}  # fmt: skip


def operand(like: Any) -> Any:
    """A second operand for a binary method of objects like this one."""
    return 2


def calls(theirs: type, tables: list[dict[str, list[Any]]]) -> list[tuple[str, Any]]:
    """Pairs of a method's name and a call of it, for every public method of a class of pandas."""
    found = []
    for name in dir(theirs):
        member = getattr(theirs, name)
        if name.startswith("_") or name in SHOWN or not callable(member) or isinstance(member, type):
            continue
        listed = [call for table in tables for call in table.get(name, ())]
        if not any(name in table for table in tables):
            parameters = inspect.signature(member).parameters
            if "other" in parameters:
                listed.append(lambda x, p, name=name: getattr(x, name)(2))
            elif "freq" in parameters and parameters["freq"].default is inspect.Parameter.empty:
                listed.append(lambda x, p, name=name: getattr(x, name)("D"))
            else:
                listed.append(lambda x, p, name=name: getattr(x, name)())
            if "inplace" in parameters:
                listed.append(lambda x, p, name=name: getattr(x, name)(inplace=True))
        found += [(name, call) for call in listed]
    return found

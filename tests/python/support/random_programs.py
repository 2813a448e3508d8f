"""Random programs: calls that group and combine, and the draw of any call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas
from random_calls import (
    Step,
    arithmetic,
    assignment,
    cleaning,
    column,
    labelling,
    method,
    ordering,
    reduction,
    selection,
    several,
    show,
    strings,
    times,
    writing,
)
from random_frames import Source, frame, series, values


def group_keys(r: Source, x: Any) -> tuple[Any, dict]:
    """The keys to group rows by, and options."""
    kwargs: dict = {}
    for k, v in (("sort", False), ("dropna", False), ("as_index", False)):
        if r.chance(0.2):
            kwargs[k] = v
    if x.ndim == 1:
        by: Any = pandas.Series(values(r, len(x), r.one(["int8", "str", "bool", "float64"])), index=x.index, name="key")
        kwargs.pop("as_index", None)
        if r.chance(0.2):
            by = None
            kwargs["level"] = 0
    elif not x.shape[1]:
        by = None
    else:
        by = column(r, x) if r.chance(0.6) else several(r, x, 1)
        if r.chance(0.1):
            by = None
            kwargs["level"] = 0
    return by, kwargs


def of_groups(r: Source, x: Any) -> tuple[str, tuple, dict]:
    """The name and arguments of a method of grouped rows."""
    names = ["sum", "mean", "min", "max", "count", "size", "var", "std", "first", "last", "prod", "any", "all", "median", "nunique", "sem"]  # fmt: skip
    rows = ["cumsum", "cumcount", "shift", "rank", "ngroup", "head", "tail", "nth0", "cummax", "transform", "diff", "value_counts", "idxmax", "quantile", "describe", "ffill", "fillna_"]  # fmt: skip
    how = r.number(0, 9)
    args: tuple = ()
    more: dict = {}
    if how <= 2:
        name = r.one(names)
        if name in ("sum", "prod", "min", "max", "first", "last") and r.chance(0.2):
            more["min_count"] = r.one([0, 2])
        if name in ("sum", "mean", "min", "max", "prod", "var", "std", "median") and r.chance(0.2) and x.ndim == 2:
            more["numeric_only"] = True
    elif how == 3:
        name, args = "agg", ([r.one(names), "count"],)
    elif how == 4 and x.ndim == 2:
        name, args = "agg", ({c: r.one([r.one(names), ["min", "max"]]) for c in several(r, x, 1)},)
    elif how == 5 and x.ndim == 2:
        name = "agg"
        more = {"first_one": (column(r, x), r.one(names)), "then": (column(r, x), "count")}
    elif how == 6:
        name, args = "agg", (r.one(names),)
    else:
        name = r.one(rows)
        if name == "nth0":
            name, args = "nth", (0,)
        if name == "transform":
            args = (r.one(names),)
        if name == "fillna_":
            name = "bfill"
    return name, args, more


def group(r: Source, x: Any) -> Step:
    by, kwargs = group_keys(r, x)
    if x.ndim == 2 and not x.shape[1]:
        return method("count")
    select = column(r, x) if x.ndim == 2 and r.chance(0.5) else None
    if r.chance(0.1) and x.ndim == 2:
        select = several(r, x, 1)
    name, args, more = of_groups(r, x)

    def run(x: Any, own: Any, lib: Any) -> Any:
        g = x.groupby(own(by), **kwargs) if by is not None else x.groupby(**kwargs)
        if select is not None:
            g = g[select]
        return getattr(g, name)(*args, **more)

    return Step(f".groupby({show(by)}, {kwargs})[{select!r}].{name}({args}, {more})", run)


def share_values(r: Source, x: Any, other: Any, on: Any) -> None:
    """Give a column of another frame values of that of the first, so that some rows match."""
    if r.chance(0.7) and list(other.columns).count(on) == 1 and list(x.columns).count(on) == 1 and len(x):
        k = x[on]
        new = pandas.Series(k.take([r.number(0, len(x)) for _ in range(len(other))]).array, index=other.index)
        other.isetitem(list(other.columns).index(on), new)


def merging(r: Source, x: Any) -> Step:
    other = frame(r, r.one([0, 3, 7, len(x)]))
    common = [c for c in x.columns.unique() if c in other.columns]
    kwargs: dict = {"how": r.one(["inner", "left", "right", "outer", "inner", "left"])}
    if r.chance(0.05):
        kwargs["how"] = "cross"
    elif common and r.chance(0.8):
        on = r.one(common)
        share_values(r, x, other, on)
        kwargs["on"] = on if r.chance(0.8) else [on]
    elif r.chance(0.5):
        kwargs.update(left_index=True, right_index=True)
    elif other.shape[1]:
        kwargs.update(left_on=column(r, x), right_on=column(r, other))
    for k, v in (("sort", True), ("indicator", True), ("suffixes", ("_l", "_r"))):
        if r.chance(0.15):
            kwargs[k] = v
    return method("merge", other, **kwargs)


def combining(r: Source, x: Any) -> Step:
    how = r.number(0, 6)
    if how <= 2 and x.ndim == 2 and x.shape[1]:
        return merging(r, x)
    if how == 3 and x.ndim == 2:
        other = frame(r, r.one([0, 3, len(x)]))
        other.columns = [f"{c}_o" for c in other.columns]
        return method("join", other, how=r.one(["left", "inner", "outer", "right"]))
    others = [r.one([frame, series])(r, r.one([0, 2, 5])) for _ in range(r.number(0, 3))]
    kwargs: dict = {}
    if r.chance(0.3):
        kwargs["ignore_index"] = True
    if r.chance(0.3):
        kwargs["axis"] = 1
    if r.chance(0.3):
        kwargs["join"] = "inner"
    if r.chance(0.15):
        kwargs["sort"] = True
    if r.chance(0.15):
        kwargs["keys"] = list("uvw")[: len(others) + 1]
    if r.chance(0.3):
        others.append(x)
        if "keys" in kwargs:
            kwargs["keys"].append("z")
    return Step(
        f" concat with {list(map(show, others))} {kwargs}",
        lambda x, own, lib: lib.concat([x, *map(own, others)], **kwargs),
    )


GROUPS: list[tuple[Callable, int]] = [
    (selection, 3), (arithmetic, 3), (reduction, 2), (group, 3), (combining, 2), (ordering, 3), (labelling, 2), (cleaning, 3), (assignment, 1), (writing, 2),
]  # fmt: skip


def draw(r: Source, x: Any) -> Step:
    """A call that applies to a frame or series."""
    if x.ndim == 1 and x.dtype.kind in "mM" and r.chance(0.4):
        return times(r, x)
    if x.ndim == 1 and isinstance(x.dtype, pandas.StringDtype) and r.chance(0.4):
        return strings(r, x)
    make = r.one([f for f, weight in GROUPS for _ in range(weight)])
    if make is assignment and x.ndim == 1:
        make = arithmetic
    return make(r, x)

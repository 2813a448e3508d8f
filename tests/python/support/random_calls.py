"""Random calls on frames, series and indexes, to be run on pandas' objects and on bascule's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas
from random_frames import COMMON, STRINGS, Source, index, series, values


class Step(NamedTuple):
    """A call: its text, and a function of the object, `own` (pandas' objects as the library's) and the library."""

    text: str
    run: Callable[[Any, Callable[[Any], Any], Any], Any]


def method(name: str, *args: Any, **kwargs: Any) -> Step:
    """A method call in whose arguments pandas' objects are converted to the library's."""
    shown = ", ".join([*map(show, args), *(f"{k}={show(v)}" for k, v in kwargs.items())])

    def run(x: Any, own: Any, lib: Any) -> Any:
        f = x
        for part in name.split("."):
            f = getattr(f, part)
        return f(*map(own, args), **{k: own(v) for k, v in kwargs.items()})

    return Step(f".{name}({shown})", run)


def show(x: Any) -> str:
    if isinstance(x, (pandas.DataFrame, pandas.Series)):
        return (
            f"<{type(x).__name__} {x.to_dict('list') if isinstance(x, pandas.DataFrame) else x.tolist()} {x.index!r}>"
        )
    return repr(x)


def step(text: str, run: Callable[[Any], Any]) -> Step:
    return Step(text, lambda x, own, lib: run(x))


def scalar(r: Source, dtype: Any = None) -> Any:
    kind = getattr(dtype, "kind", "O")
    if dtype is not None and r.chance(0.8):
        if kind == "M":
            return r.one([pandas.Timestamp("2001-09-09"), np.datetime64("2001-09-09T01"), pandas.NaT])
        if kind == "m":
            return r.one([pandas.Timedelta("12h"), np.timedelta64(1, "s"), pandas.Timedelta("1ns")])
        if not isinstance(dtype, np.dtype) and kind == "O":
            return r.one(STRINGS)
        if kind in "iu":
            return r.one([0, 1, 2, 3, -1, 1.5, np.int64(2)])
        if kind == "f":
            return r.one([0, 1, 0.5, -1.0, np.nan, np.inf, np.float64(2), 2])
        if kind == "b":
            return r.one([True, False, 1])
    return r.one([0, 1, 2.5, True, "a", None, np.nan, pandas.Timestamp("2001-09-09"), pandas.Timedelta("1s"), -3, 300])


def column(r: Source, x: pandas.DataFrame) -> Any:
    return r.one(x.columns) if len(x.columns) and not r.chance(0.01) else "zz"


def several(r: Source, x: pandas.DataFrame, least: int = 0) -> list:
    return r.some(x.columns, least)


def bools(r: Source, x: Any) -> Step:
    """A boolean series computed from x."""
    s = x if x.ndim == 1 else None
    if s is None:
        c = r.number(0, max(x.shape[1], 1))
        if not x.shape[1]:
            return step("[no columns]", lambda x: x.index == x.index)
        s = x.iloc[:, c]
        inner = comparison(r, s)
        return Step(f".iloc[:, {c}]{inner.text}", lambda x, own, lib: inner.run(x.iloc[:, c], own, lib))
    return comparison(r, s)


def comparison(r: Source, s: pandas.Series) -> Step:
    how = r.number(0, 5)
    if how == 0:
        return method(r.one(["isna", "notna", "duplicated"]))
    if how == 1:
        return method("isin", [scalar(r, s.dtype) for _ in range(r.number(0, 4))])
    if how == 2 and s.dtype.kind in "iuf":
        return method("between", 0, 2, inclusive=r.one(["both", "neither", "left", "right"]))
    op = r.one(["eq", "ne", "lt", "le", "gt", "ge"])
    value = scalar(r, s.dtype)
    if r.chance(0.5):
        return method(op, value)
    name = f"__{op}__"
    return step(f".{name}({value!r})", lambda x: getattr(x, name)(value))


OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "radd", "rsub", "rmul", "rtruediv", "rfloordiv", "rmod", "eq", "ne", "lt", "le", "gt", "ge"]  # fmt: skip
SYMBOLS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "eq", "ne", "lt", "le", "gt", "ge", "radd", "rsub", "rmul"]  # fmt: skip


def apply(name: str, other: Any) -> Step:
    def run(x: Any, own: Any, lib: Any) -> Any:
        import operator

        y = own(other) if not callable(other) else other(x)
        left = name.startswith("r") and name != "r"
        plain = name[1:] if left else name
        f = getattr(operator, f"__{plain}__")
        return f(y, x) if left else f(x, y)

    return Step(f" {name} {show(other)}", run)


def arithmetic(r: Source, x: Any) -> Step:
    how = r.number(0, 8)
    dtype = x.dtype if x.ndim == 1 else r.one(x.dtypes) if x.shape[1] else None
    if how == 0:
        return r.one(
            [step("-x", lambda x: -x), step("abs(x)", abs), step("~x", lambda x: ~x), method("abs"), method("round", 1)]
        )
    if how == 1:
        return apply(r.one(SYMBOLS), lambda x: x)
    if how == 2:
        rows = r.number(0, len(x) + 1)
        return apply(r.one(SYMBOLS), lambda x: x.iloc[rows:])
    if how == 3:
        rows = x.index if r.chance(0.6) else index(r, r.one([len(x), 3]))
        other = pandas.Series(values(r, len(rows), r.one(COMMON)), rows)
        if x.ndim == 1:
            return (
                method(r.one(OPERATORS), other, fill_value=r.one([None, 1]))
                if r.chance(0.4)
                else apply(r.one(SYMBOLS), other)
            )
        return method(r.one(OPERATORS), other, axis=0)
    if how == 4 and x.ndim == 2:
        other = pandas.Series(
            np.arange(x.shape[1]) / 2, index=x.columns if r.chance(0.7) else list("abcdef")[: x.shape[1]]
        )
        return apply(r.one(SYMBOLS), other)
    if how == 5:
        other = values(r, len(x), r.one(["int64", "float64", "bool", "uint8"]))
        return apply(r.one(SYMBOLS), other) if x.ndim == 1 else method(r.one(OPERATORS), other, axis=0)
    value = scalar(r, dtype)
    if r.chance(0.5):
        return method(r.one(OPERATORS), value)
    return apply(r.one(SYMBOLS), value)


def selection(r: Source, x: Any) -> Step:
    n = len(x)
    how = r.number(0, 12)
    if how <= 1:
        inner = bools(r, x)
        via = r.one(["", ".loc"])
        return Step(
            f"{via}[x{inner.text}]",
            lambda x, own, lib: (x if not via else x.loc)[inner.run(x, own, lib)],
        )
    if how == 2:
        return method(r.one(["head", "tail"]), r.one([0, 1, 3, -1, -3, 100]))
    if how == 3:
        key = r.one(
            [slice(1, 3), slice(None, None, 2), slice(None, None, -1), slice(-2, None), slice(3, 0, -1), slice(10, 2)]
        )
        return step(f".iloc[{key}]", lambda x: x.iloc[key])
    if how == 4:
        key = [r.number(-n, n) for _ in range(r.number(0, 5))] if n else []
        return step(f".iloc[{key}]", lambda x: x.iloc[key])
    if how == 5:
        key = r.number(-n - 1, n + 1)
        return step(f".iloc[{key}]", lambda x: x.iloc[key])
    if how == 6 and n:
        key = r.one(x.index)
        return step(f".loc[{key!r}]", lambda x: x.loc[key])
    if how == 7 and n and x.index.nlevels == 1:
        key = [r.one(x.index) for _ in range(r.number(0, 4))]
        return step(f".loc[{key!r}]", lambda x: x.loc[key])
    if how == 8 and n and x.index.nlevels == 1:
        a, b = r.one([None, r.one(x.index)]), r.one([None, r.one(x.index)])
        return step(f".loc[{a!r}:{b!r}]", lambda x: x.loc[a:b])
    if how == 9:
        rows = r.one([x.index[::-1], index(r, 4), pandas.Index([0, 1, 99])])
        return method("reindex", rows, **({"fill_value": 0} if r.chance(0.3) else {}))
    if how == 10:
        return method("take", [r.number(0, n) for _ in range(3)] if n else [])
    if x.ndim == 2:
        if r.chance(0.5) and x.shape[1]:
            c = column(r, x)
            return step(f"[{c!r}]", lambda x: x[c])
        cs = several(r, x)
        if r.chance(0.4):
            return step(f".loc[:, {cs!r}]", lambda x: x.loc[:, cs])
        return step(f"[{cs!r}]", lambda x: x[cs])
    key = r.one(x.index) if n and r.chance(0.8) else r.one([0, "a", 1.5])
    return step(f"[{key!r}]", lambda x: x[key])


REDUCTIONS = ["sum", "prod", "mean", "var", "std", "sem", "min", "max", "any", "all", "count", "median", "nunique", "idxmin", "idxmax", "skew", "kurt"]  # fmt: skip


def reduction(r: Source, x: Any) -> Step:
    name = r.one(REDUCTIONS)
    how = r.number(0, 9)
    kwargs: dict = {}
    if name not in ("count", "nunique") and r.chance(0.25):
        kwargs["skipna"] = r.one([True, False])
    if name in ("sum", "prod") and r.chance(0.3):
        kwargs["min_count"] = r.one([0, 1, 3])
    if name in ("var", "std", "sem") and r.chance(0.3):
        kwargs["ddof"] = r.one([0, 1, 5])
    if x.ndim == 2:
        if r.chance(0.25):
            kwargs["axis"] = r.one([1, 0, "columns", "index"])
        if name not in ("any", "all", "nunique") and r.chance(0.4):
            kwargs["numeric_only"] = True
    if how == 0:
        return method("quantile", r.one([0.5, 0.25, [0.1, 0.9]]), **({"numeric_only": True} if x.ndim == 2 else {}))
    if how == 1:
        return method("describe", **({"include": "all"} if r.chance(0.2) else {}))
    if how == 2:
        return method(
            "agg",
            r.one([name, [name, "min"], ["sum"], *([{column(r, x): name}] if x.ndim == 2 and x.shape[1] else [])]),
        )
    if how == 3 and x.ndim == 1:
        return method(
            r.one(["unique", "is_unique.__bool__", "mode", "count", "nunique", "argmin", "argmax", "autocorr"])
        )
    return method(name, **kwargs)


def sorting(r: Source, x: Any, kwargs: dict) -> Step:
    if r.chance(0.3):
        kwargs["na_position"] = "first"
    if r.chance(0.2):
        kwargs["ignore_index"] = True
    if r.chance(0.5):
        return method("sort_index", **kwargs, kind="stable")
    if x.ndim == 1:
        return method("sort_values", **kwargs, kind="stable")
    by = column(r, x) if r.chance(0.5) else several(r, x, 1)
    if isinstance(by, list) and r.chance(0.4):
        kwargs["ascending"] = [r.chance(0.5) for _ in by]
    return method("sort_values", by, **kwargs, kind="stable")


def dropping_repeated(r: Source, x: Any) -> Step:
    kwargs: dict = {"keep": r.one(["first", "last", False])} if r.chance(0.5) else {}
    if r.chance(0.2):
        kwargs["ignore_index"] = True
    if x.ndim == 2 and r.chance(0.5):
        kwargs["subset"] = several(r, x, 1)
    return method("drop_duplicates", **kwargs)


def some_options(r: Source, options: dict[str, list]) -> dict[str, Any]:
    return {k: r.one(v) for k, v in options.items() if r.chance(0.3)}


def ordering(r: Source, x: Any) -> Step:
    how = r.number(0, 8)
    kwargs: dict = {}
    if r.chance(0.3):
        kwargs["ascending"] = False
    if how <= 2:
        return sorting(r, x, kwargs)
    if how == 3:
        either = [True, False]
        return method(
            "value_counts", **some_options(r, {k: either for k in ("normalize", "dropna", "sort", "ascending")})
        )
    if how == 4:
        return dropping_repeated(r, x)
    if how == 5:
        name = r.one(["nlargest", "nsmallest"])
        args: tuple = (r.one([0, 1, 3, 100]),)
        if x.ndim == 2:
            args += (column(r, x) if r.chance(0.6) else several(r, x, 1),)
        return method(name, *args, **({"keep": r.one(["last", "all"])} if r.chance(0.2) else {}))
    if how == 6:
        kwargs = some_options(
            r,
            {
                "method": ["min", "max", "first", "dense", "average"],
                "ascending": [True, False],
                "pct": [True],
                "na_option": ["top", "bottom", "keep"],
            },
        )
        if x.ndim == 2 and r.chance(0.5):
            kwargs["numeric_only"] = True
        return method("rank", **kwargs)
    return method(r.one(["duplicated", "drop_duplicates"]))


def labelling(r: Source, x: Any) -> Step:
    how = r.number(0, 12)
    if how == 0:
        return method("reset_index", **({"drop": True} if r.chance(0.5) else {}))
    if how == 1 and x.ndim == 2 and x.shape[1]:
        keys: Any = column(r, x) if r.chance(0.6) else several(r, x, 1)
        return method("set_index", keys, **{k: v for k, v in {"drop": False, "append": True}.items() if r.chance(0.2)})
    if how == 2 and x.ndim == 2:
        names = several(r, x, 1)
        return method("rename", columns=r.one([{c: f"{c}2" for c in names}, str, {"a": "b"}]))
    if how == 2:
        return method("rename", r.one(["new", None, {0: 5}, lambda v: v]))
    if how == 3 and x.ndim == 2 and x.shape[1]:
        return method(
            "drop", columns=r.one([column(r, x), several(r, x)]), **({"errors": "ignore"} if r.chance(0.2) else {})
        )
    if how == 4 and len(x) and x.index.nlevels == 1:
        return method(
            "drop", r.one([r.one(x.index), [r.one(x.index)], ["zz"]]), **({"errors": "ignore"} if r.chance(0.2) else {})
        )
    if how == 5:
        return method("rename_axis", r.one(["ax", None]))
    if how == 6:
        return method(r.one(["add_prefix", "add_suffix"]), "p_")
    if how == 7:
        return r.one(
            [
                step(".index", lambda x: x.index),
                step(".T", lambda x: x.T),
                method("to_frame") if x.ndim == 1 else step(".columns", lambda x: x.columns),
                step(".dtypes", lambda x: x.dtypes),
                step(".shape", lambda x: x.shape),
                step(".to_numpy()", lambda x: np.asarray(x.to_numpy())),
                method("keys"),
                step(".empty", lambda x: x.empty),
                step(".size", lambda x: x.size),
                step(".values", lambda x: np.asarray(x.values)),
            ]
        )
    if how == 8 and x.ndim == 2:
        return method("reindex", columns=[*several(r, x), r.one("abz")])
    if how == 9 and x.ndim == 2:
        return method("select_dtypes", r.one(["number", "bool", "str", "datetime", ["number", "bool"], "float64"]))
    if how == 10 and x.ndim == 2 and x.shape[1]:
        return r.one(
            [
                method("filter", items=several(r, x)),
                method("pop", column(r, x)),
                method("get", column(r, x)),
                method("melt"),
                method("stack"),
                method("pivot_table", index=column(r, x)),
            ]
        )
    return step("repr", repr)


TYPES = [
    "int64", "int8", "uint8", "float64", "float32", "bool", "str", "Int64", "string", "category", object, "datetime64[s]",
]  # fmt: skip


def filling(r: Source, x: Any, dtype: Any) -> Step:
    value: Any = scalar(r, dtype)
    if x.ndim == 2 and r.chance(0.3):
        value = {c: scalar(r, None) for c in several(r, x)}
    return method("fillna", value)


def dropping_missing(r: Source, x: Any, dtype: Any) -> Step:
    if x.ndim == 1:
        return method("dropna", **({"ignore_index": True} if r.chance(0.3) else {}))
    kwargs: dict = {}
    if r.chance(0.3):
        kwargs["how"] = r.one(["any", "all"])
    elif r.chance(0.3):
        kwargs["thresh"] = r.one([0, 1, 2])
    if r.chance(0.2):
        kwargs["subset"] = several(r, x, 1)
    if r.chance(0.2):
        kwargs["axis"] = 1
        kwargs.pop("subset", None)
    return method("dropna", **kwargs)


def choosing(r: Source, x: Any, dtype: Any) -> Step:
    name = r.one(["where", "mask"])
    inner = bools(r, x) if x.ndim == 1 or r.chance(0.7) else method("isna")
    other = [scalar(r, dtype)] if r.chance(0.5) else []
    kwargs = {"axis": 0} if x.ndim == 2 and r.chance(0.5) else {}
    return Step(
        f".{name}(x{inner.text}, {other}, {kwargs})",
        lambda x, own, lib: getattr(x, name)(inner.run(x, own, lib), *other, **kwargs),
    )


def converting(r: Source, x: Any, dtype: Any) -> Step:
    target = r.one(TYPES)
    if x.ndim == 2 and x.shape[1] and r.chance(0.5):
        target = {column(r, x): target}
    return method("astype", target)


def shifting(r: Source, x: Any, dtype: Any) -> Step:
    kwargs: dict = {}
    if r.chance(0.3):
        kwargs["fill_value"] = scalar(r, dtype)
    if x.ndim == 2 and r.chance(0.2):
        kwargs["axis"] = 1
    return method("shift", r.one([1, -1, 0, 2, 100]), **kwargs)


def differences(r: Source, x: Any, dtype: Any) -> Step:
    periods = [r.one([1, -1, 2, 0])] if r.chance(0.5) else []
    return method("diff", *periods, **({"axis": 1} if x.ndim == 2 and r.chance(0.2) else {}))


def accumulating(r: Source, x: Any, dtype: Any) -> Step:
    kwargs: dict = {"skipna": False} if r.chance(0.3) else {}
    if x.ndim == 2 and r.chance(0.2):
        kwargs["axis"] = 1
    return method(r.one(["cumsum", "cumprod", "cummin", "cummax"]), **kwargs)


def replacing(r: Source, x: Any, dtype: Any) -> Step:
    names = ["ffill", "bfill", "interpolate", "pct_change", "convert_dtypes", "infer_objects", "replace"]
    if r.chance(0.6):
        return method(r.one(names))
    return method("replace", *r.one([(0, 5), (np.nan, 1), ("a", "z"), ([1, 2], 3), ({1: 9},)]))


CLEANING: list[Callable[[Source, Any, Any], Step]] = [
    filling,
    dropping_missing,
    lambda r, x, dtype: method(r.one(["isna", "notna", "isnull", "notnull"])),
    choosing,
    converting,
    shifting,
    differences,
    accumulating,
    lambda r, x, dtype: method("isin", [scalar(r, dtype) for _ in range(r.number(0, 4))]),
    lambda r, x, dtype: method("clip", *r.one([(0, 2), (None, 1), (0.5,), (1, 0)])),
    lambda r, x, dtype: method("round", *r.one([(), (1,), (-1,)])),
    replacing,
]


def cleaning(r: Source, x: Any) -> Step:
    how = r.number(0, len(CLEANING))
    dtype = x.dtype if x.ndim == 1 else r.one(x.dtypes) if x.shape[1] else None
    return CLEANING[how](r, x, dtype)


def strings(r: Source, x: pandas.Series) -> Step:
    return r.one([
        method("str.upper"), method("str.len"), method("str.contains", "a"), method("str.contains", r.one(["^a", "A"]), case=False), method("str.startswith", "a"),
        method("str.replace", "a", "Z"), method("str.replace", "[a-x]", "_", regex=True), method("str.strip"), method("str.slice", 0, 1), method("str.get", 0), method("str.cat", sep=","),
        method("str.split", " "), method("str.split", " ", expand=True), method("str.zfill", 4), method("str.find", "a"), method("str.isdigit"), method("str.pad", 5, side="left", fillchar="*"),
        method("str.endswith", "z"), method("str.extract", "(.)"), method("str.count", "a"), method("str.lower"), method("str.title"), method("str.fullmatch", "a"), method("str.match", "a"),
        step(".str[0]", lambda x: x.str[0]), method("str.contains", "a", na=False), method("str.repeat", 2), method("str.get_dummies"),
    ])  # fmt: skip


def times(r: Source, x: pandas.Series) -> Step:
    if x.dtype.kind == "M":
        name = r.one(["year", "month", "day", "hour", "minute", "second", "microsecond", "nanosecond", "dayofweek", "dayofyear", "quarter", "is_month_end", "is_leap_year", "date", "days_in_month", "weekday", "time", "unit", "tz"])  # fmt: skip
        if r.chance(0.6):
            return step(f".dt.{name}", lambda x: getattr(x.dt, name))
        return r.one([method("dt.floor", "D"), method("dt.ceil", "h"), method("dt.round", "min"), method("dt.normalize"), method("dt.strftime", "%Y-%m"), method("dt.day_name"), method("dt.isocalendar"), method("dt.as_unit", "s"), method("dt.tz_localize", "UTC"), method("dt.to_period", "M")])  # fmt: skip
    name = r.one(["days", "seconds", "microseconds", "nanoseconds", "components"])
    return r.one(
        [
            step(f".dt.{name}", lambda x: getattr(x.dt, name)),
            method("dt.total_seconds"),
            method("dt.floor", "s"),
            method("dt.as_unit", "ms"),
        ]
    )


def assignment(r: Source, x: pandas.DataFrame) -> Step:
    c = r.one(["new", *x.columns])
    how = r.number(0, 5)
    if how == 0:
        value = scalar(r)
        return step(f".assign({c}={value!r})", lambda x: x.assign(**{str(c): value}))
    if how == 1 and x.shape[1]:
        inner = arithmetic(r, x.iloc[:, 0])
        return Step(
            f".assign({c}=iloc[:, 0]{inner.text})",
            lambda x, own, lib: x.assign(**{str(c): inner.run(x.iloc[:, 0], own, lib)}),
        )
    if how == 2:
        other = series(r, r.one([len(x), 3]))
        return method("assign", **{str(c): other})
    if how == 3:
        given = values(r, len(x) if r.chance(0.9) else 3, r.one(COMMON))
        return method("assign", **{str(c): given})
    return method("assign", **{str(c): lambda x: x.iloc[:, -1]})


def wrote(text: str, f: Callable[[Any, Any], None]) -> Step:
    def run(x: Any, own: Any, lib: Any) -> Any:
        f(x, own)
        return x

    return Step(f" in place: {text}", run)


def writing_rows(r: Source, x: Any, value: Any) -> Step:
    inner = bools(r, x)

    def masked(x: Any, own: Any) -> None:
        x.loc[inner.run(x, own, None)] = value

    return wrote(f"x.loc[x{inner.text}] = {value!r}", masked)


def writing_cells(r: Source, x: Any, value: Any) -> Step:
    inner, c = bools(r, x), column(r, x)

    def cell(x: Any, own: Any) -> None:
        x.loc[inner.run(x, own, None), c] = value

    return wrote(f"x.loc[x{inner.text}, {c!r}] = {value!r}", cell)


def writing_by_position(r: Source, x: Any, value: Any) -> Step:
    i = r.number(-len(x), len(x))
    if x.ndim == 1:
        return wrote(f"x.iloc[{i}] = {value!r}", lambda x, own: x.iloc.__setitem__(i, value))
    j = r.number(0, max(x.shape[1], 1))
    return wrote(f"x.iloc[{i}, {j}] = {value!r}", lambda x, own: x.iloc.__setitem__((i, j), value))


def writing(r: Source, x: Any) -> Step:
    """A change in place, which returns the object itself."""
    how = r.number(0, 10)
    dtype = x.dtype if x.ndim == 1 else r.one(x.dtypes) if x.shape[1] else None
    value = scalar(r, dtype)

    n = len(x)
    if how == 0:
        return writing_rows(r, x, value)
    if how == 1 and x.ndim == 2 and x.shape[1]:
        return writing_cells(r, x, value)
    if how == 2 and n:
        return writing_by_position(r, x, value)
    if how == 3 and x.ndim == 2:
        c = r.one(["new", *x.columns])
        other = r.one([series(r, len(x)), value, values(r, len(x), r.one(COMMON))])
        return wrote(f"x[{c!r}] = {show(other)}", lambda x, own: x.__setitem__(c, own(other)))
    if how == 4:
        name = r.one(["sort_index", "dropna", "drop_duplicates", "reset_index", "ffill"])
        kwargs = {"kind": "stable"} if name == "sort_index" else {}
        return wrote(f"x.{name}(inplace=True)", lambda x, own: getattr(x, name)(inplace=True, **kwargs))
    if how == 5:
        return wrote(f"x.fillna({value!r}, inplace=True)", lambda x, own: x.fillna(value, inplace=True) and None)
    if how == 6 and n:
        key = r.one(x.index)
        return wrote(f"x.loc[{key!r}] = {value!r}", lambda x, own: x.loc.__setitem__(key, value))
    if how == 7 and x.ndim == 2 and x.shape[1]:
        c = column(r, x)
        return wrote(f"del x[{c!r}]", lambda x, own: x.__delitem__(c))
    if how == 8 and x.ndim == 2:
        return wrote(f"x.insert(0, 'ins', {value!r})", lambda x, own: x.insert(0, "ins", value))

    def more(x: Any, own: Any) -> None:
        x += 1

    return wrote("x += 1", more)

"""`groupby.apply` calls a function once a group and gives what pandas gives: shapes, labels, names, types, errors."""

import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, both


def sample(rows=24, unique=True):
    rng = np.random.default_rng(2)
    frame = pandas.DataFrame(
        {
            "k": rng.choice(["b", "a", "c"], rows),
            "m": rng.choice([1.5, np.nan, 2.5], rows),
            "x": rng.integers(0, 9, rows),
            "y": rng.normal(size=rows),
            "s": rng.choice(["p", "q"], rows),
        }
    )
    frame.index = pandas.Index(rng.permutation(rows) if unique else rng.integers(0, 5, rows), name="row")
    return frame


FUNCTIONS = {
    "a number": lambda g: g.x.max() - g.x.min(),
    "a float": lambda g: float(g.y.sum()) if len(g) > 2 else None,
    "text": lambda g: "".join(g.s),
    "a bool": lambda g: bool((g.x > 3).any()),
    "its name": lambda g: str(g.name),
    "length": len,
    "nothing": lambda g: None,
    "the rows": lambda g: g,
    "rows sorted": lambda g: g.sort_values("y"),
    "rows as they were": lambda g: g.assign(z=g.x - g.x.mean()),
    "first rows": lambda g: g.head(2),
    "some rows": lambda g: g[g.x > 4],
    "some groups": lambda g: g if g.x.sum() > 20 else None,
    "numbered rows": lambda g: g.reset_index(drop=True),
    "rows with levels": lambda g: g.set_index("s", append=True),
    "a column": lambda g: g.y - g.y.mean(),
    "part of a column": lambda g: g.y.nlargest(2),
    "a series of sums": lambda g: g[["x", "y"]].sum(),
    "a named series": lambda g: g[["x", "y"]].mean().rename("means"),
    "a series of mixed values": lambda g: type(g.x)({"n": len(g), "s": g.s.iloc[0]}),
    "a series of ours": lambda g: type(g.x)({"n": 1.0, "m": g.x.min()}),
    "an array": lambda g: np.asarray(g.x)[:2],
    "a list": lambda g: [1, 2],
    "a dict": lambda g: {"a": len(g)},
    "counts": lambda g: g.s.value_counts(),
}
GROUPS = {
    "key": dict(by="k"), "list of one": dict(by=["k"]), "two keys": dict(by=["k", "s"]), "missing keys": dict(by="m"), "missing keys kept": dict(by="m", dropna=False),
    "unsorted": dict(by="k", sort=False), "no keys": dict(by="k", group_keys=False), "keys as columns": dict(by="k", as_index=False), "no keys, missing": dict(by="m", group_keys=False),
}  # fmt: skip


def check(call, theirs, fallback="silent"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = call(theirs)
        except Exception as e:
            with pytest.raises(type(e)), bc.config.set(fallback="silent"):
                call(pd.from_pandas(theirs))
            return
        with bc.config.set(fallback=fallback):
            assert_same(call(pd.from_pandas(theirs)), expected, exact=False, atol=1e-12)


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_frames(function, groups):
    for unique in (True, False):
        check(lambda f: f.groupby(**GROUPS[groups]).apply(FUNCTIONS[function]), sample(unique=unique))


ON_SERIES = {
    "a number": lambda s: s.max() - s.min(),
    "its name": lambda s: str(s.name),
    "the values": lambda s: s,
    "centred": lambda s: s - s.mean(),
    "largest": lambda s: s.nlargest(2),
    "a frame": lambda s: s.to_frame("v"),
    "a dict": lambda s: {"a": s.min(), "b": s.max()},
    "some": lambda s: s if s.sum() > 0 else None,
    "counts": lambda s: s.round().value_counts(),
}


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("function", ON_SERIES)
def test_series(function, groups):
    check(lambda f: f.groupby(**GROUPS[groups])["y"].apply(ON_SERIES[function]), sample())
    if groups in ("key", "no keys"):
        check(lambda f: f.y.groupby(f.k.values).apply(ON_SERIES[function]), sample())


def test_selections_and_arguments():
    check(lambda f: f.groupby("k")[["x", "y"]].apply(lambda g: g.sum()), sample())
    check(lambda f: f.groupby("k")[["y"]].apply(lambda g, n, scale: g.head(n) * scale, 2, scale=3.0), sample())
    check(lambda f: f.groupby("k").apply("sum"), sample()[["k", "x"]])
    check(lambda f: f.groupby("k").apply("ngroups"), sample())
    check(lambda f: f.groupby("k").apply("absent"), sample())
    check(lambda f: f.groupby("k").apply(3, 4), sample())
    check(lambda f: f.groupby("k").apply(len, include_groups=True), sample())
    check(lambda f: f.groupby("k").apply(lambda g: 1 / 0), sample())
    check(lambda f: f[:0].groupby("k").apply(lambda g: g.x.sum()), sample())
    check(lambda f: f.groupby(level=0).apply(lambda g: g.x.sum()), sample(unique=False))
    check(lambda f: f.groupby(f.x % 2).apply(lambda g: g.x.sum()), sample())


def test_the_common_shapes_are_put_together_natively_and_the_function_is_called_once_a_group():
    called = []
    for function in ("a number", "rows sorted", "first rows", "a series of sums", "a column", "the rows"):

        def counted(g, function=function):
            called.append(g.name)
            return FUNCTIONS[function](g)

        with bc.config.set(fallback="error"):
            pd.from_pandas(sample()).groupby("k").apply(counted)
        assert called == ["a", "b", "c"]
        called.clear()


def test_what_the_function_changes_stays_its_own():
    frame = pd.from_pandas(sample())

    def changing(g):
        g["x"] = 0
        return g

    check(lambda f: f.groupby("k").apply(changing), sample())
    frame.groupby("k").apply(changing)
    assert_same(frame, sample())


AGGREGATED = {
    "named": lambda f: f.groupby("k").agg(a=("x", lambda x: (x > 2).mean()), n=("y", "size"), m=("y", "mean")),
    "one": lambda f: f.groupby("k").x.agg(lambda x: (x > 2).mean()),
    "columns": lambda f: f.groupby("k").agg({"x": lambda x: x.max() - x.min(), "y": "sum"}),
    "series": lambda f: f.groupby("k").x.agg(u=lambda x: x.iloc[0], v="sum"),
    "two keys": lambda f: f.groupby(["k", "j"]).agg(a=("s", lambda s: s.iloc[0])),
    "lengths": lambda f: f.groupby("k").y.agg(len),
    "series of one": lambda f: f.groupby("k").x.agg(lambda s: s.head(1)),
    "none": lambda f: f.groupby("k").x.agg(lambda s: None),
    "lists": lambda f: f.groupby("k").x.agg(lambda s: [1, 2]),
    "keys as columns": lambda f: f.groupby("k", as_index=False).x.agg(lambda s: s.max()),
    "first seen": lambda f: f.groupby("k", sort=False).x.agg(max),
    "texts": lambda f: f.groupby("k").s.agg("-".join),
    "name": lambda f: f.groupby("k").x.agg(lambda s: s.name),
    "error": lambda f: f.groupby("k").x.agg(lambda s: 1 / 0),
    "bools": lambda f: f.groupby("k").agg(a=("x", lambda s: s.max() > 3)),
    "missing": lambda f: f.groupby("k").y.agg(lambda s: s.iloc[0] if len(s) > 1 else np.nan),
}  # fmt: skip


@pytest.mark.parametrize("call", AGGREGATED)
def test_aggregations_by_functions(call):
    frame = pandas.DataFrame(
        {
            "k": list("bacab"),
            "j": [1, 1, 2, 2, 1],
            "x": [1, 2, 3, 4, 5],
            "y": [0.5, np.nan, 1.5, 2.5, 3.5],
            "s": list("pqrst"),
        }
    )
    both(AGGREGATED[call], frame)


def test_aggregations_by_functions_that_give_arrays_are_pandas_own():
    frame = pandas.DataFrame({"k": list("bacab"), "x": [1, 2, 3, 4, 5]})
    both(lambda f: f.groupby("k").x.agg(lambda s: s.values), frame, fallback="silent")
    both(lambda f: f.groupby("k").x.agg(lambda s: s * 2), frame, fallback="silent")


LABELS = {
    "levels": pandas.MultiIndex.from_tuples([("a", "b"), ("c", "d")]),
    "named levels": pandas.MultiIndex.from_tuples([("a", 1), ("c", 2)], names=["p", None]),
    "named": pandas.Index(["u", "v"], name="z"),
    "unnamed": pandas.Index(["u", "v"]),
    "dates": pandas.date_range("2020", periods=2),
}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("name", [None, "n", ("t", 1)])
@pytest.mark.parametrize("values", [[1.0, 2.0], [1, 2], ["s", 2]], ids=str)
@pytest.mark.parametrize("options", [{}, {"sort": False}, {"as_index": False}, {"group_keys": False}], ids=str)
def test_series_of_the_same_labels_become_rows(labels, name, values, options):
    def function(g):
        of = pd if type(g).__module__.startswith("bascule") else pandas
        return of.Series([values[0], len(g)], index=LABELS[labels], name=name)

    frame = pandas.DataFrame({"k": [2, 1, 2], "x": [1.0, 2.0, 3.0]})
    both(lambda f: f.groupby("k", **options).apply(function), frame, fallback="silent")
    both(lambda f: f.groupby("k", **options).apply(lambda g: function(g)[: len(g)]), frame, fallback="silent")


VALUES = {
    "integer": 3, "float": 2.5, "text": "x", "bool": True, "None": None, "nan": np.nan, "time": pandas.Timestamp("2024-01-02"), "duration": pandas.Timedelta("1h"),
    "zoned": pandas.Timestamp("2024-01-02", tz="UTC"), "NaT": pandas.NaT, "NA": pandas.NA, "list": [1, 2], "int32": np.int32(4), "large": 2**70, "complex": 1j, "bytes": b"q", "period": pandas.Period("2024-01"),
}  # fmt: skip


@pytest.mark.parametrize("first", VALUES)
@pytest.mark.parametrize("second", VALUES)
def test_columns_of_rows_of_mixed_values_have_types_of_their_own(first, second):
    """Natively, where the rows hold objects: a row of numbers, text and times is what most functions return."""
    frame = pandas.DataFrame({"k": [2, 1, 2, 1, 3], "v": range(5)})

    def function(g):
        of = pd if type(g).__module__.startswith("bascule") else pandas
        return of.Series({"x": VALUES[first if g.v.iloc[0] % 2 else second], "y": VALUES[second], "t": "text"})

    bc.fallbacks(reset=True)
    both(lambda f: f.groupby("k").apply(function), frame, fallback="silent")
    assert [found["name"] for found in bc.fallbacks() if found["name"].endswith(".apply")] == []

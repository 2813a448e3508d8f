"""Tables in other shapes: unstack, stack, pivot, melt, crosstab, explode against pandas."""

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both, ours

NUMBERS = pandas.DataFrame(
    {"k": list("abcabc"), "j": [1, 2, 1, 2, 1, 2], "l": list("xxyyzz"), "v": [1, 2, 3, 4, 5, 6], "w": [1.5, np.nan, 3.0, 4.0, 5.0, -0.0]},
    index=[5, 5, 1, 2, 3, 4],
)  # fmt: skip
VALUES = {
    "floats": [1.5, np.nan, 3.0, -0.0, 2.0, 7.0], "integers": [1, 2, 3, 4, 5, 6], "bools": [True, False, True, True, False, True],
    "texts": ["a", None, "c", "", "e", "f"], "Int64": pandas.array([1, None, 3, 4, 5, 6], "Int64"),
    "dates": pandas.to_datetime(["2013-01-01", None, "2013-01-03", "2013-01-04", "2013-01-05", "2013-01-06"]),
}  # fmt: skip
LEVELS = [list("aabbcc"), [1, 2, 1, 2, 1, 2], list("xyxyyx")]


def leveled(kind, rows=6, count=3):
    index = pandas.MultiIndex.from_arrays(LEVELS[:count], names=["p", "q", None][:count])
    return pandas.DataFrame({"v": VALUES[kind], "w": np.arange(6.0)}, index).iloc[:rows]


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("level", [-1, 0, "q", ["p", "q"], [1, 0], [2], "no", 7, ["p", "p"]])
@pytest.mark.parametrize("rows", [6, 5])
def test_unstack_of_several_levels(kind, level, rows):
    frame = leveled(kind, rows)
    missing_booleans = kind == "bools"
    silent = "silent" if missing_booleans or level == ["p", "p"] else "error"
    both(lambda x: x.unstack(level), frame, fallback=silent)
    both(lambda x: x.v.unstack(level), frame, fallback=silent)


@pytest.mark.parametrize("kind", VALUES)
def test_unstack_with_a_value_for_nulls(kind):
    fill = {"texts": "none", "bools": False, "dates": pandas.Timestamp("2000-01-01")}.get(kind, 0)
    both(lambda x: x.unstack("q", fill_value=fill), leveled(kind, 5, 2)[["v"]], fallback="silent")
    both(lambda x: x.v.unstack("q", fill_value=fill), leveled(kind, 5, 2), fallback="silent")
    both(lambda x: x.v.unstack("p", fill_value=0.5), leveled("integers", 5), fallback="silent")


def test_unstack_of_one_level():
    both(lambda x: x.unstack(), NUMBERS[["v", "w"]].reset_index(drop=True))
    both(
        lambda x: x.unstack(), pandas.DataFrame({"a": ["x", "y"], "b": ["z", None]}, pandas.Index(["r", "s"], name="i"))
    )
    both(lambda x: x.unstack(), NUMBERS[["v", "w"]])
    both(lambda x: x.unstack("no"), NUMBERS[["v", "w"]])
    both(lambda x: x.v.unstack(), NUMBERS, fallback="silent")
    both(lambda x: x.unstack(), leveled("integers").iloc[:0], fallback="silent")
    both(lambda x: x.unstack(), pandas.concat([leveled("integers"), leveled("integers")]))


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_stack(kind, count):
    frame = leveled(kind, count=max(count, 2))
    frame["v2"] = frame["v"]
    frame = frame[["v", "v2"]].reset_index(drop=True) if count == 1 else frame[["v", "v2"]]
    both(lambda x: x.stack(), frame)
    both(lambda x: x.stack(0), frame.rename_axis(columns="c"))
    both(lambda x: x.stack("c"), frame.rename_axis(columns="c"))


def test_stack_of_other_frames():
    both(lambda x: x.stack(), NUMBERS[["v", "w"]])
    both(lambda x: x.stack(), NUMBERS, fallback="silent")
    both(lambda x: x.stack(), NUMBERS[["v"]])
    both(lambda x: x.stack(), pandas.DataFrame([[1, 2]], columns=["a", "a"]))
    both(lambda x: x.stack(), NUMBERS[["v", "w"]].iloc[:0], fallback="silent")
    both(lambda x: x.stack(3), NUMBERS[["v", "w"]], fallback="silent")
    both(lambda x: x.unstack().stack(), leveled("integers", count=2)["v"])


@pytest.mark.parametrize("asked", [
    {"index": "k", "columns": "j", "values": "v"}, {"index": "k", "columns": "j", "values": "w"}, {"index": "k", "columns": "j", "values": ["v"]},
    {"index": "k", "columns": "j", "values": ["v", "w"]}, {"index": "k", "columns": "j"}, {"index": ["k", "l"], "columns": "j", "values": "v"},
    {"index": "k", "columns": ["j", "l"], "values": "v"}, {"index": "k", "columns": ["j", "l"]}, {"columns": "k", "values": "v"},
    {"index": "l", "columns": "k", "values": "v"}, {"index": "no", "columns": "k", "values": "v"}, {"index": "l", "columns": "no", "values": "v"},
    {"index": "l", "columns": "k", "values": "no"}, {"index": "k", "columns": "j", "values": "l"},
])  # fmt: skip
def test_pivot(asked):
    both(lambda x: x.pivot(**asked), NUMBERS.reset_index(drop=True))
    both(lambda x: x.pivot(**asked), NUMBERS.iloc[:5].reset_index(drop=True))


def test_pivot_of_repeated_labels_and_by_function():
    both(lambda x: x.pivot(index="j", columns="l", values="v"), pandas.concat([NUMBERS, NUMBERS]))
    found = pd.pivot(ours(NUMBERS), index="k", columns="j", values="v")
    pandas.testing.assert_frame_equal(found.to_pandas(), pandas.pivot(NUMBERS, index="k", columns="j", values="v"))
    both(lambda x: x.pivot(columns="k", values="v"), NUMBERS)


TABLES = [
    {"values": "v", "index": "k", "columns": "j"}, {"values": "w", "index": "k", "columns": "j", "aggfunc": "sum"}, {"values": ["v", "w"], "index": "k", "columns": "j"},
    {"values": ["v"], "index": "k"}, {"values": "v", "index": "k"}, {"values": "v", "index": ["k", "l"], "columns": "j"}, {"values": "v", "index": "k", "columns": ["j", "l"], "aggfunc": "sum"},
    {"values": "v", "index": "k", "columns": "l", "fill_value": 0, "aggfunc": "sum"}, {"values": "v", "index": "k", "columns": "l", "fill_value": 0},
    {"values": "v", "index": "k", "columns": "l", "aggfunc": ["sum", "mean"]}, {"values": "v", "index": "k", "aggfunc": ["min", "max"]},
    {"values": ["v", "w"], "index": "k", "columns": "l", "aggfunc": ["sum", "count"]}, {"index": "k", "columns": "j", "values": "no"},
    {"values": "v", "index": "k", "columns": "j", "margins": True}, {"values": "v", "index": "k", "columns": "j", "margins": True, "aggfunc": "sum"},
    {"values": "v", "index": "k", "columns": "l", "margins": True, "aggfunc": "sum"}, {"values": "w", "index": "k", "columns": "l", "margins": True, "aggfunc": "max"},
    {"values": "v", "index": "j", "columns": "l", "margins": True, "aggfunc": "count"}, {"values": "v", "index": "k", "margins": True, "aggfunc": "sum"},
    {"values": "v", "index": "k", "columns": "l", "margins": True, "aggfunc": "sum", "fill_value": 0, "margins_name": "total"},
    {"values": "v", "index": "k", "columns": "j", "margins": True, "margins_name": "a"}, {"values": "v", "index": "k", "columns": "j", "margins": True, "margins_name": 3},
]  # fmt: skip


@pytest.mark.parametrize("asked", TABLES, ids=str)
def test_pivot_table(asked):
    both(lambda x: x.pivot_table(**asked), NUMBERS, exact=False)
    data = NUMBERS.reset_index(drop=True)
    both(lambda x: x.pivot_table(**asked), pandas.concat([data, data]), exact=False)


@pytest.mark.parametrize("asked", [
    {"index": "k", "columns": "j", "values": "v", "aggfunc": np.sum}, {"index": "k", "values": "l"}, {"index": "k"}, {"columns": "k", "values": "v"},
    {"index": "k", "columns": "j", "values": "v", "dropna": False}, {"index": "k", "aggfunc": {"v": "sum", "w": "mean"}, "values": ["v", "w"]},
    {"index": ["k", "l"], "columns": "j", "values": "v", "margins": True}, {"index": "k", "columns": "j", "values": ["v", "w"], "margins": True},
])  # fmt: skip
def test_other_pivot_tables(asked):
    both(lambda x: x.pivot_table(**asked), NUMBERS, exact=False, fallback="silent")


def test_pivot_table_as_a_function():
    found = pd.pivot_table(ours(NUMBERS), "v", "k", "j")
    pandas.testing.assert_frame_equal(found.to_pandas(), pandas.pivot_table(NUMBERS, "v", "k", "j"))


@pytest.mark.parametrize("options", [
    {}, {"margins": True}, {"normalize": True}, {"normalize": "index"}, {"normalize": "columns"}, {"normalize": 0}, {"normalize": "all"}, {"normalize": "no"},
    {"rownames": ["r"], "colnames": ["c"]}, {"values": "v", "aggfunc": "sum"}, {"values": "v", "aggfunc": "mean", "margins": True}, {"values": "v"}, {"aggfunc": "sum"},
    {"margins": True, "margins_name": "Sum"}, {"rownames": ["r", "s"]},
])  # fmt: skip
@pytest.mark.parametrize("keys", [("k", "j"), ("j", "l"), ("l", "k")])
def test_crosstab(options, keys):
    def made(x):
        p = pd if isinstance(x, pd.DataFrame) else pandas
        given = {**options, "values": x[options["values"]]} if "values" in options else options
        return p.crosstab(x[keys[0]], x[keys[1]], **given)

    both(made, NUMBERS, exact=False)


def test_crosstab_of_several_keys():
    def made(x):
        p = pd if isinstance(x, pd.DataFrame) else pandas
        return p.crosstab([x.k, x.l], x.j), p.crosstab(x.k, [x.j, x.l])

    both(made, NUMBERS)
    both(
        lambda x: (pd if isinstance(x, pd.DataFrame) else pandas).crosstab(x.k.tolist(), x.j.tolist()),
        NUMBERS,
        fallback="silent",
    )


@pytest.mark.parametrize("asked", [
    {"id_vars": "k"}, {"id_vars": ["k", "l"]}, {"id_vars": "k", "value_vars": "v"}, {"id_vars": "k", "value_vars": ["w", "v"]}, {"value_vars": ["v", "j"]},
    {"value_vars": ["v", "w"], "var_name": "which", "value_name": "x"}, {"value_vars": ["k", "l"]}, {"id_vars": "no"}, {"value_vars": "no"},
    {"value_vars": "v", "value_name": "v"}, {"id_vars": "k", "value_vars": "v", "var_name": "k"}, {"value_vars": ["v", "w"], "ignore_index": False},
    {"value_vars": "v", "var_name": ["a", "b"]},
])  # fmt: skip
def test_melt(asked):
    for frame in (NUMBERS, NUMBERS.rename_axis(columns="names")):
        both(lambda x: x.melt(**asked), frame, fallback="silent" if set(asked) == {"id_vars"} else "error")
        both(lambda x: (pd if isinstance(x, pd.DataFrame) else pandas).melt(x, **asked), frame, fallback="silent")


def test_melt_of_other_labels():
    both(lambda x: x.melt(), pandas.DataFrame([[1, 2], [3, 4]], columns=[10, 20]))
    both(lambda x: x.melt(id_vars=10), pandas.DataFrame([[1, 2], [3, 4]], columns=[10, 20]))
    both(lambda x: x.melt(), NUMBERS[["v"]].iloc[:0], fallback="silent")
    both(lambda x: x.melt(), pandas.DataFrame({"a": VALUES["Int64"], "b": VALUES["Int64"]}))
    both(
        lambda x: x.melt(id_vars="a"),
        pandas.DataFrame({"a": pandas.Categorical(list("xy")), "b": [1, 2]}),
        fallback="silent",
    )


@pytest.mark.parametrize("strings", [["a b", "c", "", None, "d e f"], ["a"], []])
def test_explode(strings):
    frame = pandas.DataFrame(
        {"t": pandas.array(strings, "str"), "n": np.arange(len(strings))}, index=list("pqrst")[: len(strings)]
    )
    silent = "error" if any(strings) else "silent"
    both(lambda x: x.t.str.split().explode(), frame, fallback=silent)
    both(lambda x: x.t.str.split().explode(ignore_index=True), frame, fallback=silent)
    both(lambda x: x.assign(t=x.t.str.split()).explode("t"), frame, fallback=silent)
    both(lambda x: x.assign(t=x.t.str.split()).explode("t", ignore_index=True), frame, fallback=silent)
    both(lambda x: x.explode("n"), frame)
    both(lambda x: x.n.explode(), frame)
    both(lambda x: x.explode("no"), frame)


def test_explode_of_objects():
    both(lambda x: x.explode(), pandas.Series([[1, 2], [], 3]), fallback="silent")
    both(lambda x: x.explode("a"), pandas.DataFrame({"a": [[1, 2], []], "b": [1, 2]}), fallback="silent")

"""Arguments that pandas refuses are refused here, by the same class and in its words, rather than taken for something else."""

from __future__ import annotations

import inspect
import io
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both

SERIES = pandas.Series([3.0, 1, 2], name="s")
FRAME = pandas.DataFrame({"a": [3.0, 1, 2], "b": [1, 2, 3]})
GIVEN: dict[str, tuple] = {
    "replace": (1, 2), "fillna": (1,), "where": (True,), "mask": (True,), "set_index": ("a",), "rename_axis": ("x",), "eval": ("b",),
    "query": ("a > 1",), "drop": (0,),
}  # fmt: skip


def _changing(x: Any) -> list[str]:
    """The methods that may change an object."""
    names = [n for n in dir(type(x)) if not n.startswith("_") and callable(getattr(type(x), n, None))]
    return [n for n in names if "inplace" in inspect.signature(getattr(type(x), n)).parameters]


def _changed(x: Any, name: str, given: tuple, value: Any) -> Any:
    """The object that a method changed, or else its result."""
    made = getattr(x, name)(*given, inplace=value)
    return x if made is None else made


@pytest.mark.parametrize("value", ["True", 1, [1], None, np.bool_(True)], ids=str)
def test_whether_an_object_is_changed_is_a_bool(value: Any) -> None:
    for x in (SERIES, FRAME):
        for name in _changing(x):
            given = GIVEN.get(name, ())
            if name == "sort_values" and x is FRAME:
                given = ("a",)
            elif name == "rename":
                given = ("x",) if x is SERIES else (str,)
            elif name == "set_axis":
                given = ([1, 2, 3],)
            both(lambda x: _changed(x.copy(), name, given, value), x, fallback="silent")
    both(lambda s: s.dropna(ignore_index=value), SERIES)
    both(lambda f: f.drop_duplicates(ignore_index=value), FRAME)


@pytest.mark.parametrize("operator", ["__and__", "__rand__", "__or__", "__ror__", "__xor__", "__rxor__"])
@pytest.mark.parametrize("values", [[True, False], [1, 2]], ids=str)
def test_logic_with_lists(operator: str, values: list) -> None:
    both(lambda s: getattr(s, operator)(list(values)), pandas.Series(values))
    both(lambda s: getattr(s, operator)(tuple(values)), pandas.Series(values))


SLICES = [
    slice(False, True),
    slice(1.0, 2.5),
    slice(1, 2.5),
    slice(None, None, 1.0),
    slice(True, None),
    slice(0, 2),
    slice(-2, None),
]


@pytest.mark.parametrize("key", SLICES, ids=str)
def test_slices_of_rows_by_other_than_whole_numbers(key: slice) -> None:
    for index in (None, pandas.Index([5, 6, 7]), pandas.Index([0.5, 1.5, 2.5])):
        if isinstance(key.start, bool) and index is not None and index.dtype.kind == "f":
            continue  # which pandas takes for numbers
        s = SERIES if index is None else SERIES.set_axis(index)
        both(lambda s: s[key], s, fallback="silent")
        both(lambda f: f[key], s.to_frame(), fallback="silent")


@pytest.mark.parametrize(
    "value", [[], (), range(0), np.array([], dtype=object)], ids=["list", "tuple", "range", "array"]
)
def test_columns_of_nothing(value: Any) -> None:
    def with_column(f: Any) -> Any:
        f["c"] = value
        return f

    for frame in (pandas.DataFrame(), FRAME[:0], pandas.DataFrame(index=pandas.Index([], dtype="int64", name="i"))):
        both(lambda f: with_column(f.copy()), frame)


def test_a_column_for_rows_that_are_not_there() -> None:
    def enlarged(f: Any, value: Any, rows: Any = slice(None)) -> Any:
        f.loc[rows, "c"] = value
        return f

    for frame in (pandas.DataFrame(), FRAME[:0]):
        for value in (1, "x", [1]):
            both(lambda f: enlarged(f.copy(), value), frame, fallback="silent")
        both(lambda f: enlarged(f.copy(), 5, 0), frame, fallback="silent")


def test_the_name_of_rows_stays_when_values_bring_them() -> None:
    expected, found = pandas.DataFrame(), pd.DataFrame()
    for frame, library in ((expected, pandas), (found, pd)):
        frame.index.name = "of frame"
        frame["c"] = library.Series([1, 2], index=library.Index([3, 4], name="of series"))
    pandas.testing.assert_frame_equal(found.to_pandas(), expected)


@pytest.mark.parametrize("sep", ["\r", "\n"], ids=["return", "newline"])
def test_lines_do_not_end_where_columns_do(sep: str) -> None:
    for library in (pandas, pd):
        with pytest.raises(ValueError, match="as separator or delimiter"):
            library.read_csv(io.StringIO("a\nb"), sep=sep)


def test_degrees_of_freedom_that_are_not_said() -> None:
    x, y = pandas.Series([1.0, 2, 4]), pandas.Series([1.0, 2, 5])
    both(lambda x, y: x.cov(y, ddof=None), x, y, exact=False)
    both(lambda f: f.cov(ddof=None), FRAME, exact=False)


def test_dates_as_text_without_a_format() -> None:
    both(lambda s: s.dt.strftime(None), pandas.Series(pandas.to_datetime(["2020-01-01", None])), fallback="silent")


TABLE = pandas.DataFrame(
    {
        "k": ["x", "y", "x"],
        "a": [1, 2, 3],
        "b": [1.5, None, 2.5],
        "t": pandas.to_datetime(["2020-01-01", "2020-01-02", "2020-01-04"]),
    }
)


@pytest.mark.parametrize(
    "op", "sum prod min max first last mean median var std sem skew kurt idxmin idxmax quantile".split()
)
def test_whether_numbers_alone_are_aggregated_is_a_bool(op: str) -> None:
    for value in ("x", 1, None):
        both(lambda f: getattr(f.groupby("k"), op)(numeric_only=value), TABLE[["k", "a", "b"]], fallback="silent")
        both(lambda f: getattr(f.groupby("k").a, op)(numeric_only=value), TABLE, fallback="silent")
        if op in "sum prod min max first last mean median var std sem":
            bins = TABLE[["a", "b", "t"]].set_index("t")
            both(lambda f: getattr(f.resample("2D"), op)(numeric_only=value), bins, fallback="silent")
            both(lambda f: getattr(f.a.resample("2D"), op)(numeric_only=value), bins, fallback="silent")


MISTAKES = {
    "labels of one axis": [
        lambda f: f.reindex(["a"], index=[1]), lambda f: f.reindex([0], columns=["a"]), lambda f: f.reindex([0], index=[1], columns=["a"]), lambda f: f.drop(columns="a", axis=1), lambda f: f.drop(index=0, axis=1), lambda f: f.drop(columns="a", axis="columns"), lambda f: f.reindex(columns=["a"], index=[1], axis=1), lambda f: f.reindex(["a"], axis=5),
        lambda f: f.reindex([0], axis="x"), lambda f: f.reindex(["a"], axis="columns"), lambda f: f.rename(columns={"b": "y"}, axis=1),
        lambda f: f.rename({"a": "x"}, axis=5), lambda f: f.rename({"a": "x"}, axis="columns"), lambda f: f.a.rename("x", axis=3),
    ],
    "collections": [
        lambda f: f.isin({"a": 3}), lambda f: f.isin({"k": "x"}), lambda f: f.isin({"z": 3}), lambda f: f.isin("x"), lambda f: f.take([9]),
        lambda f: f.a.take([-9]), lambda f: f.take([9], axis=1),
    ],
    "orders": [
        lambda f: f.sort_index(ascending="x"), lambda f: f.sort_index(ascending=None), lambda f: f.a.sort_index(ascending=1.5),
        lambda f: f.sort_values("a", kind="z"), lambda f: f.a.sort_values(kind="z"), lambda f: f.a.argsort(kind="z"),
    ],
    "joins": [lambda f: f.merge(f, on="a", indicator=3), lambda f: f.merge(f, how="cross", indicator=[1])],
    "quantiles": [
        lambda f: f.a.rolling(2).quantile(2), lambda f: f.groupby("k").a.quantile(3), lambda f: f.a.value_counts(bins="x"),
    ],
    "names": [
        lambda f: f.a.rename({1}), lambda f: setattr(f.a, "name", [1]), lambda f: setattr(f.index, "name", [1]), lambda f: f.index.rename({1}),
    ],
    "files": [
        lambda f: f.to_csv(encoding="z"), lambda f: f.to_csv("/nowhere/x"), lambda f: f.to_parquet("/nowhere/x"),
        lambda f: f.to_csv("/nowhere/x", encoding="z"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", MISTAKES)
def test_other_mistakes_have_the_words_of_pandas(kind: str) -> None:
    for call in MISTAKES[kind]:
        both(call, TABLE, fallback="silent")
        words = [None, None]
        for i, frame in enumerate((TABLE.copy(), pd.from_pandas(TABLE))):
            with bc.config.set(fallback="silent"):
                try:
                    call(frame)
                except Exception as error:  # any, of the class that was compared above
                    words[i] = str(error)
        assert words[0] == words[1]


@pytest.mark.parametrize(
    "call",
    [
        lambda lib: lib.read_csv(io.StringIO("a\n1"), usecols="a"),
        lambda lib: lib.read_csv(io.StringIO("a\n1"), usecols=b"a"),
        lambda lib: lib.read_csv(io.StringIO("a\n1"), usecols=0),
        lambda lib: lib.read_orc("/nowhere/x"),
        lambda lib: lib.qcut([1, 2, 3], [2, 3]),
        lambda lib: lib.Series([1], name=[1]),
        lambda lib: lib.Series([1], name={1}),
    ],
)
def test_mistakes_in_calls_of_functions(call: Any) -> None:
    with pytest.raises(Exception) as theirs:
        call(pandas)
    with pytest.raises(theirs.type) as ours:
        call(pd)
    assert str(ours.value) == str(theirs.value)

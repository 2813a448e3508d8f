"""Arguments that pandas refuses are refused here, by the same class and in its words, rather than taken for something else."""

from __future__ import annotations

import inspect
import io
from typing import Any

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

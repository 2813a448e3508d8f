"""Missing values of each type in columns of each type: written, looked for, skipped, and what type is left."""

from __future__ import annotations

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from call_outcomes import difference
from pandas import Series

MISSING = {"None": None, "nan": np.nan, "NaT": pandas.NaT, "NA": pandas.NA}
COLUMNS = {
    **{t: Series([1, 0, 1], dtype=t) for t in ("int64", "int32", "uint8", "float64", "float32", "bool", "Int64", "UInt8", "Float64", "boolean")},
    "str": Series(["a", "b", "a"]),
    "string": Series(["a", "b", "a"], dtype="string"),
    "category": Series(["a", "b", "a"], dtype="category"),
    "dates": Series(pandas.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"])),
    "categories of dates": Series(pandas.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"])).astype("category"),
    "lengths": Series(pandas.to_timedelta(["1h", "2h", "1h"])),
    "zoned": Series(pandas.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"]).tz_localize("UTC")),
    "object": Series([1, "a", None], dtype=object),
}  # fmt: skip
NO_ROW = {
    "list mask": [False] * 3,
    "mask": np.array([False] * 3),
    "list": [],
    "array": np.array([], dtype=int),
    "slice": slice(0, 0),
}
FORMS = {
    "s[]": lambda s, d, k, v: s.__setitem__(k, v),
    "s.loc": lambda s, d, k, v: s.loc.__setitem__(k, v),
    "s.iloc": lambda s, d, k, v: s.iloc.__setitem__(k, v),
    "d[]": lambda s, d, k, v: d.__setitem__(k, v),
    "d.loc": lambda s, d, k, v: d.loc.__setitem__(k, v),
    "d.loc column": lambda s, d, k, v: d.loc.__setitem__((k, "a"), v),
    "d.loc columns": lambda s, d, k, v: d.loc.__setitem__((k, ["a"]), v),
    "d.iloc column": lambda s, d, k, v: d.iloc.__setitem__((k, 0), v),
}
pytestmark = pytest.mark.filterwarnings("ignore")


def check(call, *objects):
    found = difference(lambda given: call(*given), [pd.from_pandas(x) for x in objects], [x.copy() for x in objects])
    assert found is None, found


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("kind", COLUMNS)
def test_missing_values_in_place_of_others(kind, missing):
    x = MISSING[missing]
    for mask in ([True, False, True], [True] * 3):
        check(lambda s, mask=mask: s.where(np.array(mask), x), COLUMNS[kind])
        check(lambda s, mask=mask: s.mask(~np.array(mask), x), COLUMNS[kind])
    check(lambda s: s.fillna(x), COLUMNS[kind])
    check(lambda s: s.shift(fill_value=x), COLUMNS[kind])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [k for k in COLUMNS if k != "object"])  # whose errors of pandas are about other things
def test_missing_values_written_to_no_row(kind, form):
    def written(s, d, key, x):
        FORMS[form](s, d, key, x)
        return [s, d]

    for key in NO_ROW.values():
        for x in (None, np.nan, pandas.NaT):
            if not (form == "d[]" and isinstance(key, (list, np.ndarray)) and len(key) == 0):
                check(lambda s, d, k=key, x=x: written(s, d, k, x), COLUMNS[kind], COLUMNS[kind].to_frame("a"))


@pytest.mark.parametrize("missing", MISSING)
def test_missing_labels_are_found(missing):
    x = MISSING[missing]
    for index in (
        pandas.DatetimeIndex([None, "2020"]), pandas.DatetimeIndex(["2020"]), pandas.TimedeltaIndex([None]), pandas.TimedeltaIndex(["1h"]),
        pandas.Index([1.0, np.nan]), pandas.Index([1, None], dtype="Int64"), pandas.Index(["a", None]), pandas.Index([1, 2]),
    ):  # fmt: skip
        check(lambda i: x in i, index)
        check(lambda s: x in s, Series(range(len(index)), index=index))


def test_columns_of_another_frame_in_which_nothing_is():
    whole, nothing = pandas.DataFrame({"a": [1, 2]}), pandas.DataFrame({"a": [np.nan, np.nan]})
    for a, b in (
        (whole, nothing),
        (nothing, whole),
        (whole, nothing.set_axis(pandas.RangeIndex(1, 3))),
        (nothing.set_axis(pandas.RangeIndex(1, 3)), whole),
    ):
        check(lambda a, b: a.combine_first(b), a, b)
        check(lambda a, b: a["a"].combine_first(b["a"]), a, b)


def unmasked(*mask):
    return Series(pandas.arrays.FloatingArray(np.array([1.0, np.nan, 3.0]), np.array(mask, dtype=bool)))


REDUCED = "isna count sum mean min max prod std var sem any all nunique unique dropna tolist cumsum abs".split()


@pytest.mark.parametrize("name", REDUCED)
def test_nan_that_is_not_na(name):
    for s in (unmasked(0, 0, 0), unmasked(0, 0, 1), unmasked(0, 1, 0)):
        check(lambda s: getattr(s, name)(), s)
        if name not in ("isna", "unique", "dropna", "tolist", "abs", "nunique"):
            check(lambda s: getattr(s.groupby([0, 0, 1]), name)(), s)


ARROW = pandas.DataFrame(
    {"a": pandas.array([1, 2, None], dtype="int64[pyarrow]"), "b": [1.0, 2, 3], "c": list("xyz"), "d": pandas.array([1.5, 2, None], dtype="double[pyarrow]"),
     "e": pandas.array([True, False, None], dtype="bool[pyarrow]"), "f": pandas.array([1, None, 2], dtype="Int8"), "g": pandas.Categorical([1, 2, 1])}
)  # fmt: skip
NUMERIC = "sum mean median min max prod std var sem skew kurt quantile idxmin idxmax count corr cov mode".split()


@pytest.mark.parametrize("name", NUMERIC)
def test_numeric_only_keeps_all_numbers(name):
    check(lambda f: getattr(f, name)(numeric_only=True), ARROW)
    if name not in ("count", "mode"):
        check(lambda f: getattr(f.groupby([0, 0, 1]), name)(numeric_only=True), ARROW)
    check(lambda f: f.rolling(2).sum(numeric_only=True), ARROW[["b", "c", "f"]])

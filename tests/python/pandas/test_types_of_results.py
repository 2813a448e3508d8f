"""The types of results where pandas keeps, infers or widens them: of groups, objects, sparse arrays and nested lists."""

from __future__ import annotations

import decimal

import bascule
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest
from frames import assert_same


@pytest.fixture(autouse=True)
def in_pandas_where_needed():
    with bascule.config.set(fallback="silent"):
        yield


GROUPED = {
    "string": lambda pd: pd.Series(["a", None, "b"], dtype="string"),
    "str": lambda pd: pd.Series(["a", None, "b"]),
    "Int64": lambda pd: pd.Series([1, None, 2], dtype="Int64"),
    "boolean": lambda pd: pd.Series([True, None, False], dtype="boolean"),
    "int64[pyarrow]": lambda pd: pd.Series([1, None, 2], dtype="int64[pyarrow]"),
    "category": lambda pd: pd.Series(["a", None, "b"], dtype="category"),
    "period": lambda pd: pd.Series(pandas.period_range("2024", periods=3, freq="M")),
}
SIZES = {
    "size": lambda s: s.groupby([0, 0, 1]).size(),
    "count": lambda s: s.groupby([0, 0, 1]).count(),
    "by name": lambda s: s.groupby([0, 0, 1]).agg("size"),
    "several": lambda s: s.groupby([0, 0, 1]).agg(["size", "count"]),
    "without labels": lambda s: s.to_frame("v").assign(k=[0, 0, 1]).groupby("k", as_index=False)["v"].size(),
    "to each row": lambda s: s.groupby([0, 0, 1]).transform("size"),
    "of a frame": lambda s: s.to_frame("v").assign(k=[0, 0, 1]).groupby("k").size(),
    "of its column": lambda s: s.to_frame("v").assign(k=[0, 0, 1]).groupby("k")["v"].size(),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", GROUPED)
def test_sizes_of_groups(kind, size):
    assert_same(SIZES[size](GROUPED[kind](bpd)), SIZES[size](GROUPED[kind](pandas)))


ARROW = {
    "int64[pyarrow]": [1, None, 3],
    "double[pyarrow]": [1.5, None, 3],
    "bool[pyarrow]": [True, None, False],
    "timestamp[us][pyarrow]": [pandas.Timestamp("2024-01-01"), None, pandas.Timestamp("2024-02-01")],
    "date32[pyarrow]": [pandas.Timestamp("2024-01-01").date(), None, pandas.Timestamp("2024-02-01").date()],
    "string[pyarrow]": ["a", None, "b"],
}


@pytest.mark.parametrize("dtype", ARROW)
def test_objects_of_arrows_types_keep_their_values(dtype):
    ours, theirs = (pd.Series(ARROW[dtype], dtype=dtype).astype(object) for pd in (bpd, pandas))
    assert [(type(x), str(x)) for x in ours] == [(type(x), str(x)) for x in theirs]


@pytest.mark.parametrize(
    "values",
    [["a", None], ["a", 1], [pandas.Timestamp("2024")], [1, 2], [True], [decimal.Decimal(1)], []],
    ids=["text", "mixed", "time", "integers", "booleans", "decimals", "none"],
)
def test_types_of_objects_are_inferred_where_pandas_infers_them(values):
    ours, theirs = (pd.Series(np.array(values, dtype=object), dtype=object) for pd in (bpd, pandas))
    assert_same(ours.repeat(2), theirs.repeat(2))
    for a, b in zip(ours.align(bpd.Series([1], index=[1])), theirs.align(pandas.Series([1], index=[1]))):
        assert_same(a, b)


def test_missing_values_of_sparse_arrays_stay_sparse():
    ours, theirs = (pd.Series(pandas.arrays.SparseArray([0, 1, np.nan, 2.0])) for pd in (bpd, pandas))
    assert_same(ours.isna(), theirs.isna())
    assert_same(ours.notna(), theirs.notna())
    assert_same(bpd.isna(ours), pandas.isna(theirs))
    assert_same(ours.to_frame("a").isna(), theirs.to_frame("a").isna())


@pytest.mark.parametrize("values", [[True, False], ["a", "b", "a"], [True]])
def test_counts_of_a_description_are_integers_of_numpy(values):
    ours, theirs = pandas.Series(values).describe(), bpd.Series(values).describe()
    assert [type(x) for x in ours] == [type(x) for x in theirs]


@pytest.mark.parametrize("last", [np.inf, -np.inf])
def test_descriptions_of_groups_with_infinity(last):
    ours, theirs = (pd.Series([0.5, last, 2.0, 1.0, last]).groupby([0, 0, 1, 1, 1]) for pd in (bpd, pandas))
    with np.errstate(invalid="ignore"):
        assert_same(ours.describe(), theirs.describe())


@pytest.mark.parametrize("prefix", [None, "p"])
def test_names_of_indicators_of_integer_categories(prefix):
    ours, theirs = (
        pd.get_dummies(pd.Series(pd.Categorical([1, None, 3])), dummy_na=True, prefix=prefix) for pd in (bpd, pandas)
    )
    assert_same(ours, theirs)


RAGGED = [[1], [1, 2]]
NESTED = {
    "equal": lambda pd: pd.Series(RAGGED) == RAGGED,
    "not equal": lambda pd: pd.Series([1, 2]) != RAGGED,
    "sum": lambda pd: pd.Series(RAGGED) + RAGGED,
    "method": lambda pd: pd.Series(RAGGED).eq(RAGGED),
    "tuples": lambda pd: pd.Series([(1,), (1, 2)]) == [(1,), (1, 2)],
    "frame": lambda pd: pd.DataFrame({"a": [1, 2]}) == RAGGED,
    "numbers": lambda pd: pd.Series([1, 2]) + RAGGED,
    "dates": lambda pd: pd.to_datetime(RAGGED),
    "labels of dates": lambda pd: pd.DatetimeIndex(RAGGED),
    "labels": lambda pd: pd.Index(RAGGED) == RAGGED,
}


@pytest.mark.parametrize("name", NESTED)
def test_lists_of_unequal_lengths(name):
    try:
        wanted = NESTED[name](pandas)
    except Exception as error:
        with pytest.raises(type(error)):
            NESTED[name](bpd)
    else:
        assert_same(NESTED[name](bpd), wanted)


MISSING = [pandas.NA, None, np.nan, pandas.NaT]
LABELS = {
    "Float64": [1.5, None, 2],
    "Int64": [1, None, 2],
    "string": ["a", None],
    "str": ["a", None],
    "float64": [1.5, None],
    "boolean": [True, None],
    "datetime64[ns]": [pandas.Timestamp("2024"), None],
    "category": ["a", None],
}


@pytest.mark.parametrize("missing", MISSING, ids=["NA", "None", "NaN", "NaT"])
@pytest.mark.parametrize("dtype", LABELS)
def test_rows_of_missing_labels_are_dropped(dtype, missing):
    values = LABELS[dtype]
    ours, theirs = (
        pd.DataFrame({"k": pd.Series(values, dtype=dtype), "v": range(len(values))}).set_index("k")
        for pd in (bpd, pandas)
    )
    for labels in ([missing], [missing, values[0]], *([] if missing is None else [missing])):
        try:
            wanted = theirs.drop(labels)
        except KeyError:
            with pytest.raises(KeyError):
                ours.drop(labels)
        else:
            assert_same(ours.drop(labels), wanted)
            assert_same(ours["v"].drop(labels), theirs["v"].drop(labels))


CATEGORIES = {
    "integers": [3, 1, 3],
    "integers and none": [3, 1, None],
    "floats": [1.5, None, 2.0],
    "booleans": [True, None, False],
    "dates": [pandas.Timestamp("2024-01-01"), pandas.Timestamp("2024-01-02"), None],
    "times": [pandas.Timestamp("2024-01-01 12:30"), None, pandas.Timestamp("2024-01-01")],
    "lengths": [pandas.Timedelta("1D"), pandas.Timedelta("2h"), None],
    "mixed": [1, "a", None],
}


@pytest.mark.parametrize("dtype", ["str", "string", object])
@pytest.mark.parametrize("name", CATEGORIES)
def test_categories_as_strings(name, dtype):
    ours, theirs = (pd.Series(CATEGORIES[name], dtype="category") for pd in (bpd, pandas))
    assert_same(ours.astype(dtype), theirs.astype(dtype))
    again = bpd.Series(theirs)
    assert_same(again.astype(dtype), theirs.astype(dtype))

"""Parquet files hold labels, names and attrs as those of pandas do: either library reads what the other wrote."""

from __future__ import annotations

import datetime
import io
import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_differences import difference
from frames import ours
from kinds_of_frames import COLUMNS, INDEXES

DAY = datetime.date(2020, 1, 1)
LABELS = {
    "strings": ["p", "q"],
    "integers": [3, 1],
    "range": pandas.RangeIndex(2),
    "floats": [0.5, 1.5],
    "booleans": [True, False],
    "dates": [DAY, DAY + datetime.timedelta(1)],
    "datetimes": pandas.date_range("2020-01-01", periods=2),
    "moments": pandas.date_range("2020-01-01", periods=2, tz="UTC"),
    "spans": pandas.timedelta_range("1D", periods=2),
    "periods": pandas.period_range("2020-01", periods=2, freq="M"),
    "categories": pandas.CategoricalIndex(["x", "y"]),
    "string dtype": pandas.Index(["p", "q"], dtype="string"),
    "masked": pandas.Index([3, 1], dtype="Int64"),
    "bytes": [b"p", b"q"],
    "none": [None, "q"],
    "mixed": [1, "q"],
    "mixed dates": [DAY, "q"],
    "tuples": pandas.Index([("p", 1), ("q", 2)], tupleize_cols=False),
    "levels": pandas.MultiIndex.from_tuples([("p", 1), ("q", 2)], names=["u", "v"]),
    "unnamed levels": pandas.MultiIndex.from_tuples([("p", "r"), ("q", "s")]),
    "repeated": ["p", "p"],
    "repeated integers": [1, 1],
    "named": pandas.Index(["p", "q"], name="n"),
    "named integers": pandas.Index([5, 6], name=7),
}  # fmt: skip
ROWS = {
    "range": pandas.RangeIndex(3),
    "stepped": pandas.RangeIndex(9, 3, -2, name="r"),
    "strings": pandas.Index(list("xyz"), name="i"),
    "integers": pandas.Index([5, 7, 6], name=4),
    "days": pandas.date_range("2020-01-01", periods=3, name="t"),
    "moments": pandas.date_range("2020-01-01", periods=3, tz="Europe/Berlin"),
    "levels": pandas.MultiIndex.from_tuples([("x", 1), ("y", 2), ("z", 3)], names=["u", None]),
    "numbered levels": pandas.MultiIndex.from_tuples([("x", 1), ("y", 2), ("z", 3)], names=[0, 1]),
}


def written(frame, library, **options):
    """The bytes of a file, the warnings and the error that writing it gives."""
    out = io.BytesIO()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            frame.to_parquet(out, engine="pyarrow", **options)
        except Exception as e:
            return None, [], e
    return out.getvalue(), sorted({w.category.__name__ for w in said} - {"FallbackWarning", "Pandas4Warning"}), None


def read(data, library):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return library.read_parquet(io.BytesIO(data), engine="pyarrow")
        except Exception as e:  # pandas does not read all that it writes
            return type(e).__name__


def check(theirs, **options):
    """Both libraries read both files alike, the files say the same, and errors and warnings are those of pandas."""
    with bc.config.set(fallback="silent"):
        expected, warned, error = written(theirs, pandas, **options)
        found, own_warned, own_error = written(ours(theirs), pd, **options)
        assert type(own_error) is type(error), (own_error, error)
        if error is not None:
            return
        assert own_warned == warned
        plain = read(expected, pandas)
        assert not difference(read(found, pandas), plain)
        assert not difference(read(expected, pd), plain)
        assert not difference(read(found, pd), plain)


def frame(labels, rows):
    made = pandas.DataFrame([[1, 0.5], [2, 1.5], [3, np.nan]], index=rows)
    made.columns = labels
    made.attrs = {"unit": "m", "n": [1, 2]}
    return made


@pytest.mark.parametrize("rows", ["numbered levels"])
@pytest.mark.parametrize("labels", LABELS)
def test_labels_of_columns(labels, rows):
    check(frame(LABELS[labels], ROWS[rows]))


@pytest.mark.parametrize("index", [None, True, False])
@pytest.mark.parametrize("labels", ["strings", "integers"])
@pytest.mark.parametrize("rows", ROWS)
def test_labels_of_rows(rows, labels, index):
    check(frame(LABELS[labels], ROWS[rows]), index=index)


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns(kind):
    rng = np.random.default_rng(3)
    for n in (0, 7):
        check(pandas.DataFrame({"p": COLUMNS[kind](n, rng), "q": COLUMNS[kind](n, rng)}))


@pytest.mark.parametrize("rows", INDEXES)
def test_indexes(rows):
    for n in (0, 7):
        check(pandas.DataFrame({"p": range(n)}, index=INDEXES[rows](n, "i")))

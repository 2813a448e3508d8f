"""Rows of equal values have the order that pandas gives them by the installed NumPy's sort, in frames that are not long."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.lib.sorting_common import MOST_AS_NUMPY

NUMBERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "float32", "float64"]
KINDS = {dtype: (lambda x, dtype=dtype: pandas.Series(x.astype(dtype))) for dtype in NUMBERS} | {
    "float64 with NaN": lambda x: pandas.Series(x, dtype="float64").mask(x == 3),
    "float32 with NaN": lambda x: pandas.Series(x, dtype="float32").mask(x == 3),
    "Int64": lambda x: pandas.Series(x, dtype="Int64").mask(x == 3),
    "Float32": lambda x: pandas.Series(x, dtype="Float32").mask(x == 3),
    "boolean": lambda x: pandas.Series(x > 3).astype("boolean").mask(x == 3),
    "datetime64[ns]": lambda x: pandas.Series(pandas.to_datetime(x, unit="D")).mask(x == 3),
    "timedelta64[ns]": lambda x: pandas.Series(pandas.to_timedelta(x, unit="D")).mask(x == 3),
    "zone": lambda x: pandas.Series(pandas.to_datetime(x, unit="D", utc=True)).dt.tz_convert("Europe/Berlin"),
    "period": lambda x: pandas.Series(pandas.to_datetime(x, unit="D")).dt.to_period("D"),
    "str": lambda x: pandas.Series(x.astype(str)).mask(x == 3),
    "string": lambda x: pandas.Series(x.astype(str), dtype="string"),
    "object": lambda x: pandas.Series(x.astype(str), dtype=object),
    "category": lambda x: pandas.Series(x.astype(str)).mask(x == 3).astype("category"),
    "ordered": lambda x: pandas.Series(pandas.Categorical(x, categories=[5, 3, 1, 0, 2, 4, 6], ordered=True)),
}
LENGTHS = [2, 10, 17, 100, 1000, 20_000]


@pytest.fixture
def silent():
    with bc.config.set(fallback="silent"):  # categories are asked in pandas whether they ascend
        yield


def rows(frame) -> list[int]:
    return frame["row"].tolist()


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("silent")
def test_sorts(kind, n):
    values = KINDS[kind](np.random.default_rng(n).integers(0, 7, n))
    theirs = pandas.DataFrame({"key": values, "row": np.arange(n)})
    ours = pd.DataFrame(theirs)
    for ascending in (True, False):
        for sort in ("quicksort", "heapsort", "mergesort"):
            for position in ("first", "last"):
                options = {"ascending": ascending, "kind": sort, "na_position": position}
                assert rows(ours.sort_values("key", **options)) == rows(theirs.sort_values("key", **options))
                found, expected = (f["key"].sort_values(**options).index.tolist() for f in (ours, theirs))
                assert found == expected
                found, expected = (rows(f.set_index("key").sort_index(**options)) for f in (ours, theirs))
                assert found == expected
        found, expected = (
            f.set_index("key").index.sort_values(return_indexer=True, ascending=ascending)[1].tolist()
            for f in (ours, theirs)
        )
        assert found == expected
    assert rows(ours.sort_values(["key", "row"])) == rows(theirs.sort_values(["key", "row"]))
    assert ours["key"].argsort().tolist() == theirs["key"].argsort().tolist()
    assert ours.set_index("key").index.argsort().tolist() == theirs.set_index("key").index.argsort().tolist()


def test_equal_rows_of_long_frames_keep_their_order():
    n = MOST_AS_NUMPY + 1
    keys = np.random.default_rng(0).integers(0, 7, n)
    found = pd.DataFrame({"key": keys, "row": np.arange(n)}).sort_values("key")
    assert rows(found) == keys.argsort(kind="stable").tolist()

"""``pandas.util``'s hashes: of every type that both hold, with and without labels, the numbers are pandas'."""

import datetime
import decimal

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas
import pyarrow
import pytest
from pandas.util import hash_array, hash_pandas_object

STRINGS = ["a", "bb", "", "日本", None, "a\0", "\0a", "bb", *("x" * n for n in (7, 8, 9, 15, 16, 17, 255, 256, 264, 3000))]  # fmt: skip
DATES = pandas.to_datetime(["2020-01-01", "1969-05-05", None])
NUMBERS = {
    **{f"{kind}{n}": np.array([0, 1, 100, 7, 255]).astype(f"{kind}{n}") for kind in "iu" for n in (1, 2, 4, 8)},
    **{f"f{n}": np.array([0.0, -0.0, 1.5, np.nan, -np.inf, np.inf, -np.nan]).astype(f"f{n}") for n in (2, 4, 8)},
    "negative": np.array([-1, -(2**63), 2**63 - 1]),
    "NaNs": np.array([0x7FF8000000000001, 0xFFF8000000000123, 0x7FF0000000000001], "u8").view("f8"),
    "bool": np.array([True, False]),
    "complex": np.array([1 + 2j, -0.0, complex(np.nan, 1)]),
}
SERIES = {name: pandas.Series(values) for name, values in NUMBERS.items()}
for dtype in ("str", "string[python]", "string[pyarrow]", "object", "category", pandas.ArrowDtype(pyarrow.string())):
    SERIES[f"text {dtype}"] = pandas.Series(STRINGS, dtype=dtype)
    SERIES[f"long {dtype}"] = pandas.Series([f"row {i} {'x' * (i % 40)}" for i in range(500)], dtype=dtype)
    SERIES[f"nothing {dtype}"] = pandas.Series([None, None], dtype=dtype)
for unit in ("s", "ms", "us", "ns"):
    SERIES[f"M8[{unit}]"] = pandas.Series(DATES.as_unit(unit))
    SERIES[f"zone {unit}"] = pandas.Series(DATES.as_unit(unit).tz_localize("UTC").tz_convert("Asia/Tokyo"))
    SERIES[f"m8[{unit}]"] = pandas.Series(pandas.to_timedelta([1, None, -5], unit="s").as_unit(unit))
for dtype in ("Int8", "Int64", "UInt8", "Float32", "Float64", "boolean"):
    SERIES[dtype] = pandas.Series([1, 0, None, 1], dtype=dtype)
    SERIES[f"{dtype} without NA"] = pandas.Series([1, 0, 1], dtype=dtype)
for a in (pyarrow.int64(), pyarrow.float64(), pyarrow.bool_()):
    SERIES[f"Arrow {a}"] = pandas.Series([1, 0, None], dtype=pandas.ArrowDtype(a))
for values in ([1, 2, 1], [1.5, np.nan, 0.0], [True, False], ["a", None, "b"], [1, "a", None], list(DATES)):
    SERIES[f"category {values}"] = pandas.Series(values).astype("category")
SERIES |= {
    "whole objects": pandas.Series([1, 2, 1], dtype=object),
    "mixed objects": pandas.Series([1, "a", None, 2.5], dtype=object),
    "bool objects": pandas.Series([True, None, False], dtype=object),
    "dates": pandas.Series([datetime.date(2020, 1, 1), None]),
    "decimals": pandas.Series([decimal.Decimal("1.5"), decimal.Decimal("2")]),
    "bytes": pandas.Series([b"a", b"bb", None]),
    "tuples": pandas.Series([(1, 2), (3,)]),
    "periods": pandas.Series(pandas.period_range("2020", periods=3, freq="M")),
    "intervals": pandas.Series(pandas.interval_range(0, 3)),
    "sparse": pandas.Series(pandas.arrays.SparseArray([0, 0, 1])),
    "zoned categories": pandas.Series(DATES.tz_localize("UTC")).astype("category"),
    "masked categories": pandas.Series(pandas.Categorical(pandas.array([1, 2, None], dtype="Int64"))),
    "unused categories": pandas.Series(pandas.Categorical(["a"], categories=list("abc"))),
    "no rows": pandas.Series([], dtype="str"),
}
ARGUMENTS = [{}, {"index": False}, {"categorize": False}, {"hash_key": "a" * 16}, {"encoding": "shift_jis"}, {"hash_key": None}]  # fmt: skip


@pytest.fixture(autouse=True)
def _quiet():
    with bc.config.set(fallback="silent"):
        yield


def same(x, **arguments):
    got = bpd.util.hash_pandas_object(bpd.from_pandas(x), **arguments)
    assert type(got) is bpd.Series
    pandas.testing.assert_series_equal(got.to_pandas(), hash_pandas_object(x, **arguments))


@pytest.mark.parametrize("name", SERIES)
def test_hashes_are_those_of_pandas(name):
    s = SERIES[name]
    for arguments in ARGUMENTS:
        same(s, **arguments)
    same(s[1:])
    same(s.to_frame("x"), index=False)
    same(pandas.DataFrame({"a": s, "k": range(len(s)), "t": [f"t{i % 3}" for i in range(len(s))]}))


@pytest.mark.parametrize("name", [n for n in SERIES if n not in ("f2", "tuples")])
def test_hashes_of_labels_are_those_of_pandas(name):
    labels = pandas.Index(SERIES[name])
    same(labels)
    levels = pandas.MultiIndex.from_arrays([labels, range(len(labels))])
    same(levels)
    same(pandas.DataFrame({"x": range(len(labels))}, index=levels))


def test_hashes_of_nothing_and_of_ranges():
    same(pandas.RangeIndex(5))
    same(pandas.DataFrame(index=[1, 2]))
    same(pandas.DataFrame(index=[1, 2]), index=False)
    with pytest.raises(ValueError, match="16-byte string"):
        bpd.util.hash_pandas_object(bpd.Series(["a"]), hash_key="short")
    with pytest.raises(TypeError, match="Unexpected type for hashing"):
        bpd.util.hash_pandas_object([1])


@pytest.mark.parametrize("name", NUMBERS)
def test_arrays_hash_as_numpys(name):
    values = NUMBERS[name]
    np.testing.assert_array_equal(np.asarray(bpd.util.hash_array(bc.asarray(values))), hash_array(values))


def test_the_rest_of_the_module_is_pandas():
    assert bpd.util.hash_array(np.array([1])).tolist() == hash_array(np.array([1])).tolist()
    assert bpd.util.Substitution is pandas.util.Substitution

"""`to_numeric` and `read_table` against pandas: values, types, labels and errors."""

import io

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

STRINGS = {
    "integers": ["1", "-2", "+3", "007", "123456789012345678"],
    "decimals": ["1", "-2.5", "+.5", "5.", "0.1", "12345678.1234567", "-0"],
    "missing": ["1", None, "3"],
    "empty": ["1", "", "3"],
    "only empty": ["", ""],
    "none": [],
    "nothing but missing": [None, None],
    "words": ["1", "x", "3.5"],
    "words in front": ["abc", "1"],
    "spaces": [" 1", "2 ", "3"],
    "exponents": ["1e5", "2E-3"],
    "infinities": ["inf", "-Infinity", "nan", "NaN"],
    "long": ["1234567890123456789", "18446744073709551615"],
    "beyond": ["123456789012345678901234567890"],
    "many digits": ["0.12345678901234567890", "1234567890123456.5"],
    "hexadecimal": ["0x10", "1_000", "1,5"],
    "truths": ["True", "False"],
    "unicode": ["٣", "½"],
    "signs": ["-", "+", ".", "--1"],
}


def check(theirs, fallback="silent", **options):
    with bc.config.set(fallback=fallback):
        try:
            expected = pandas.to_numeric(theirs, **options)
        except Exception as e:
            with pytest.raises(type(e)) as raised:
                pd.to_numeric(pd.from_pandas(theirs), **options)
            assert str(raised.value) == str(e)
            return
        assert_same(pd.to_numeric(pd.from_pandas(theirs), **options), expected)


@pytest.mark.parametrize("name", STRINGS)
@pytest.mark.parametrize("options", [{}, {"errors": "coerce"}, {"downcast": "integer"}, {"downcast": "unsigned"}, {"downcast": "float"}, {"errors": "ignore"}, {"downcast": "small"}, {"dtype_backend": "numpy_nullable"}], ids=str)  # fmt: skip
def test_text(name, options):
    check(pandas.Series(STRINGS[name], dtype="str", name="t", index=range(3, 3 + len(STRINGS[name]))), **options)
    check(pandas.Series(STRINGS[name], dtype="string"), **options)
    check(pandas.Series(STRINGS[name], dtype=object), **options)


@pytest.mark.parametrize("dtype", ["i8", "i1", "u8", "f8", "f4", "?", "M8[ns]", "m8[s]"])
@pytest.mark.parametrize("options", [{}, {"downcast": "integer"}, {"downcast": "unsigned"}, {"downcast": "signed"}, {"downcast": "float"}], ids=str)  # fmt: skip
def test_numbers_and_times(dtype, options):
    check(pandas.Series(np.array([1, 0, 100]).astype(dtype)), **options)
    check(pandas.Series(np.array([], dtype)), **options)
    if dtype == "i8":
        for values in ([-1, 300], [2**40], [-129, 0], [255], [-(2**31), 2**31 - 1]):
            check(pandas.Series(values), **options)


def test_the_common_calls_are_native():
    for name in ("integers", "decimals", "missing", "empty"):
        check(pandas.Series(STRINGS[name], dtype="str"), fallback="error")
    check(pandas.Series(STRINGS["words"], dtype="str"), fallback="error", errors="coerce")
    check(pandas.Series(["1", "300"], dtype="str"), fallback="error", downcast="integer")


def test_random_numbers_are_read_to_the_last_bit():
    rng = np.random.default_rng(0)
    strings = [f"{v:.{k}f}" for v, k in zip(rng.uniform(-(10**7), 10**7, 5000), rng.integers(0, 8, 5000))]
    check(pandas.Series(strings, dtype="str"), fallback="error")


@pytest.mark.parametrize("given", [3, "4", "x", ["1", 2], np.array([1.5]), None])
def test_what_is_no_series(given):
    with bc.config.set(fallback="silent"):
        try:
            expected = pandas.to_numeric(given)
        except Exception as e:
            with pytest.raises(type(e)):
                pd.to_numeric(given)
            return
        np.testing.assert_array_equal(np.asarray(pd.to_numeric(given)), np.asarray(expected))


@pytest.mark.parametrize("options", [{}, {"sep": ","}, {"delimiter": ";"}, {"index_col": 0}, {"header": None}], ids=str)
def test_read_table(options):
    text = "a\tb\n1\tx\n2\ty\n"
    with bc.config.set(fallback="silent"):
        assert_same(pd.read_table(io.StringIO(text), **options), pandas.read_table(io.StringIO(text), **options))

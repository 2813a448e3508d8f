"""read_csv: what is missing by na_values, in columns of every type, and types that have words of their own."""

from __future__ import annotations

import io
import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

STRINGS = {
    "integers": "a,b\n-999,1\n1,-999\n3,4\n",
    "floats": "a,b\n-999.0,1.5\n1.5,-999\n3,4\n",
    "exponents": "a,b\n-999.00,1e3\n1000,1\n3,4\n",
    "strings": "a,b\nx,-999\n-999.0,y\n-999,z\n",
    "long integers": "a,b\n9007199254740993,1\n9007199254740992,2\n",
    "booleans": "a,b\nTrue,1\n,0\nfalse,1\n",
    "booleans in other words": "a,b\nTrue,tRuE\nFalse,fAlSe\n",
    "dates": "a,b\n2020-01-01,1\n2020-01-02,2\n",
}
MISSING: list[Any] = [
    ["-999.0"], ["-999"], -999, [-999.0], "-999", ["x", "-999.0"], [1], [1.5], ["1"], ["1.0"], ["1e3"], ["1000"], ["nan"],
    [np.nan], [float("inf")], ["9007199254740993"], [True], {"a": ["-999.0"]}, [],
]  # fmt: skip
TYPES: list[Any] = [np.str_, str, "string", "category", object, "boolean", bool, "Int64", "f4", "u1", {"a": "category"}]


def assert_read_alike(text: str, **options: Any) -> None:
    """The frame that pandas reads, or its error; natively, or by a counted fallback."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = pandas.read_csv(io.StringIO(text), **options)
        except Exception as e:
            with pytest.raises(type(e)), bc.config.set(fallback="silent"):
                pd.read_csv(io.StringIO(text), **options)
            return
        with bc.config.set(fallback="silent"):
            assert_same(pd.read_csv(io.StringIO(text), **options), expected)


@pytest.mark.parametrize("na_values", MISSING, ids=repr)
@pytest.mark.parametrize("kind", STRINGS)
def test_na_values(kind, na_values):
    for options in ({}, {"keep_default_na": False}, {"na_filter": False}, {"dtype": str}, {"dtype": {"a": "f8"}}):
        assert_read_alike(STRINGS[kind], na_values=na_values, **options)


@pytest.mark.parametrize("engine", ["c", "python"])
@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("kind", STRINGS)
def test_types(kind, dtype, engine):
    assert_read_alike(STRINGS[kind], dtype=dtype, engine=engine)


def test_numbers_are_missing_natively():
    with bc.config.set(fallback="error"):
        found = pd.read_csv(io.StringIO("a,b\n-999,1\n1,-999\n"), na_values=["-999.0"])
    assert found.isna().to_numpy().tolist() == [[True, False], [False, True]]


def test_bytes_are_no_file():
    with pytest.raises(TypeError, match="Expected file path name or file-like object, got <class 'bytes'> type"):
        pd.read_csv(b"a,b\n1,2\n")

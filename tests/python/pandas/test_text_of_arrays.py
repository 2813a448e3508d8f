"""Arrays of distinct strings are written as pandas writes them, without it."""

import random

import bascule.pandas as pd
import pandas
import pytest
from bascule.pandas import _plain_text as plain_text


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 8, 13, 21, 40, 99, 100])
@pytest.mark.parametrize("longest", [1, 3, 8, 20])
def test_items(n, longest):
    rng = random.Random(n)
    strings = ["".join(rng.choices("abcé'\"\n\t", k=rng.randint(1, longest))) + str(i) for i in range(n)]
    expected = repr(pandas.Series(strings, dtype="str").unique())
    assert f"<ArrowStringArray>\n{plain_text.array_items(strings)}\nLength: {n}, dtype: str" == expected
    assert repr(pd.Series(strings, dtype="str").unique()) == expected


def test_what_pandas_writes():
    assert plain_text.array_items(["x"] * 101) is None
    assert plain_text.array_items(["x", float("nan")]) is None

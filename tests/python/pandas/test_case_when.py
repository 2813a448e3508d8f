"""`Series.case_when` against pandas."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

S = {
    "integers": pandas.Series([1, 5, 9, 3], name="v"),
    "floats": pandas.Series([1.5, np.nan, 9, 3], index=list("abcd")),
    "small": pandas.Series(np.array([1, 5, 9, 3], "i1")),
    "bools": pandas.Series([True, False, True, False]),
    "texts": pandas.Series(["a", None, "c", "d"], dtype="str"),
    "none": pandas.Series([], dtype="f8"),
    "masked": pandas.Series([1, None, 3, 4], dtype="Int64"),
}
CASES = {
    "one": lambda s: [(s == s, 7)],
    "two": lambda s: [(s != s.iloc[:1].max(), 0), (s == s, 1)],
    "functions": lambda s: [(lambda x: x == x, lambda x: x.iloc[::1])],
    "a float": lambda s: [(s == s, 2.5)],
    "text": lambda s: [(s == s, "t")],
    "rows": lambda s: [(s == s, s), (s != s, 3)],
    "a list": lambda s: [([True] * len(s), 1)],
    "an array": lambda s: [(np.array([True] * len(s), bool), np.arange(len(s)))],
    "missing": lambda s: [(s == s, None)],
    "NaN": lambda s: [(s == s, float("nan"))],
    "a bool": lambda s: [(s == s, True)],
    "nothing": lambda s: [],
    "no list": lambda s: ((s == s, 1),),
    "no pair": lambda s: [(s == s,)],
    "no tuple": lambda s: [[s == s, 1]],
    "a short condition": lambda s: [([True], 1)],
    "large": lambda s: [(s == s, 300)],
}


@pytest.mark.parametrize("name", S)
@pytest.mark.parametrize("cases", CASES)
def test_cases(name, cases):
    with bc.config.set(fallback="silent"):
        try:
            expected = S[name].case_when(CASES[cases](S[name]))
        except Exception as e:
            with pytest.raises(type(e)):
                pd.from_pandas(S[name]).case_when(CASES[cases](pd.from_pandas(S[name])))
            return
        ours = pd.from_pandas(S[name])
        assert_same(ours.case_when(CASES[cases](ours)), expected)


def test_numbers_are_chosen_natively():
    with bc.config.set(fallback="error"):
        for name in ("integers", "floats"):
            s = pd.from_pandas(S[name])
            expected = S[name].case_when([(S[name] > 4, 2.5), (S[name] < 2, S[name])])
            assert_same(s.case_when([(s > 4, 2.5), (s < 2, s)]), expected)

"""Calls that pandas itself does not implement: refused here with its class and words, and not counted as missing."""

import warnings

import bascule as bc
import bascule.pandas as pd
import pandas
import pytest

LEVELS = "pd.MultiIndex.from_arrays([[1, 2], [3, 4]])"
CALLS = (
    "pd.DataFrame({'a': [1]}).update(pd.DataFrame({'a': [2]}), join='inner')",
    f"{LEVELS}.where([True, False])",
    f"{LEVELS}.fillna(0)",
    f"{LEVELS}.isna()",
    f"{LEVELS}.shift()",
    f"{LEVELS}.infer_objects()",
    "pd.Index([1, 2]).shift(1)",
    "pd.date_range('2020-01-01', periods=2).indexer_at_time('10:00', asof=True)",
    "pd.DataFrame({'a': [1.0, 2], 'b': [2.0, 3]}).rolling(2, step=2).cov()",
    "pd.Series([1.0, 2]).rolling(2, step=2).cov(pd.Series([1.0, 2]))",
    "pd.Series([1.0, 2]).rolling(2, step=2).corr(pd.Series([1.0, 2]))",
)


@pytest.mark.parametrize("call", CALLS)
def test_it_is_refused_as_pandas_refuses_it(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(NotImplementedError) as theirs:
            eval(call, {"pd": pandas})
        before = bc.fallbacks()
        with pytest.raises(NotImplementedError) as ours:
            eval(call, {"pd": pd})
    assert str(ours.value) == str(theirs.value) and bc.fallbacks() == before

"""agg of a frame by a dict of labels and names, or lists of names, is pandas'."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

NAMES = ["sum", "mean", "min", "max", "count", "std", "median", "nunique", "any"]
THEIRS = pandas.DataFrame(
    {
        "k": list("abcab"),
        "x": [1, 2, 3, 4, 5],
        "y": [0.5, np.nan, 2, 1, 7],
        "b": [True, False, True, True, False],
        "u": np.arange(5, dtype="u1"),
        "f": np.arange(5, dtype="f4"),
    }
)


def outcome(call):
    """The result, or the class of the error."""
    try:
        return call()
    except (AttributeError, TypeError, ValueError) as error:
        return type(error)


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")  # of booleans and numbers together
@pytest.mark.parametrize("seed", range(20))
def test_random_choices(seed):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        labels = [str(c) for c in rng.permutation(["x", "y", "b", "u", "f"])[: rng.integers(1, 4)]]
        several = [[str(n) for n in rng.permutation(NAMES)[: rng.integers(1, 4)]] for _ in labels]
        func = {c: names if rng.random() < 0.7 else names[0] for c, names in zip(labels, several)}
        wanted, found = outcome(lambda: THEIRS.agg(func)), outcome(lambda: pd.from_pandas(THEIRS).agg(func))
        if isinstance(wanted, type):
            assert found is wanted, func
        else:
            (assert_frame_equal if wanted.ndim == 2 else assert_series_equal)(found.to_pandas(), wanted)


def test_numbers_and_strings_are_native():
    own, before = pd.from_pandas(THEIRS), bc.fallbacks()
    own.agg({"x": "sum", "y": "mean"})
    own.agg({"x": ["sum", "min"], "y": ["min", "max"]})
    assert bc.fallbacks() == before

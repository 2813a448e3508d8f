"""Joins by two keys, of which one has missing values: the rows, and their order, are pandas'."""

import bascule as bc
import bascule.pandas
import numpy as np
import pandas
import pytest

DAYS = np.array(["2024-01-01", "2024-01-02", "NaT", "2024-01-03"], dtype="M8[ns]")
KEYS = {
    "datetime64[ns]": lambda pd, x: DAYS[x],
    "datetime64[s]": lambda pd, x: DAYS.astype("M8[s]")[x],
    "timedelta64[ns]": lambda pd, x: (DAYS - DAYS[0])[x],
    "zone": lambda pd, x: pd.DatetimeIndex(DAYS[x]).tz_localize("UTC"),
    "float64": lambda pd, x: np.array([1.5, -2.0, np.nan, 3.0])[x],
    "str": lambda pd, x: pd.array(np.array(["b", "a", None, "c"], dtype=object)[x], dtype="str"),
    "Int64": lambda pd, x: pd.array([[4, 2, None, 7][i] for i in x], dtype="Int64"),
    "boolean": lambda pd, x: pd.array([[True, False, None, True][i] for i in x], dtype="boolean"),
    "category": lambda pd, x: pd.Categorical([["b", "a", None, "c"][i] for i in x], categories=["c", "b", "a"]),
    "period": lambda pd, x: pd.PeriodIndex(DAYS[x], freq="D"),
}


def made(pd, kind, n, seed, name):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"t": KEYS[kind](pd, rng.integers(0, 4, n)), "k": rng.integers(0, 3, n), name: np.arange(n)})


@pytest.mark.parametrize("on", [["t", "k"], ["k", "t"]])
@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
@pytest.mark.parametrize("kind", KEYS)
def test_rows(kind, how, on):
    for seed in range(4):
        for sort in (False, True):
            found, expected = (
                made(pd, kind, 20, seed, "v").merge(made(pd, kind, 15, seed + 9, "w"), on=on, how=how, sort=sort)
                for pd in (bascule.pandas, pandas)
            )
            pandas.testing.assert_frame_equal(found.to_pandas(), expected)


@pytest.fixture(autouse=True)
def silent():
    with bc.config.set(fallback="silent"):
        yield

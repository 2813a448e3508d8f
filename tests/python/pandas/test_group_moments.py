"""Covariance and correlation by group, and of infinite values, against pandas."""

import warnings

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas as pd
import pytest


def data(seed, infinite):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 200))
    x, z = rng.normal(size=n), rng.normal(size=n) * 1e6 + 1e7
    if seed % 2:
        x[rng.random(n) < 0.3] = np.nan
    if seed % 3 == 0:
        z[rng.random(n) < 0.3] = np.nan
    if infinite:
        x[rng.random(n) < 0.1] = np.inf
    return {
        "k": rng.integers(0, 6, n), "t": rng.choice(list("abc"), n), "x": x, "y": rng.integers(0, 4, n), "z": z,
        "flag": rng.random(n) < 0.5, "same": np.full(n, 0.1),
    }  # fmt: skip


def both(d, make):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas' divisions by nothing
        expected = make(pd.DataFrame(d))
    with bc.config.set(fallback="error"):
        found = make(bpd.DataFrame(d))
    pd.testing.assert_frame_equal(expected, found.to_pandas(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["corr", "cov"])
def test_groups(seed, name):
    d = data(seed, name == "corr" and seed % 4 == 0)
    for by in ("k", ["k", "t"]):
        both(
            d, lambda df: getattr(df.groupby(by, sort=seed % 5 > 0), name)(numeric_only=True, min_periods=1 + seed % 3)
        )
    both(d, lambda df: getattr(df.groupby("t")[["z", "y"]], name)())


def test_keys_with_missing_values_leave_rows_out():
    both(
        {"k": [1.0, np.nan, 1, 2, 2, 2], "x": [1.0, 5, 2, 7, 1, 3], "y": [0.5, 1, 7, 2, 8, 8]},
        lambda df: df.groupby("k").corr(),
    )


def test_text_is_no_number():
    d = {"k": [1, 1], "t": ["a", "b"], "x": [1.0, 2.0]}
    with pytest.raises(ValueError) as expected:
        pd.DataFrame(d).groupby("k").corr()
    with bc.config.set(fallback="silent"), pytest.raises(ValueError) as found:
        bpd.DataFrame(d).groupby("k").corr()
    assert str(found.value) == str(expected.value)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("name", ["corr", "cov"])
@pytest.mark.parametrize("columns", [["x", "z"], ["x", "z", "gone"]])
def test_infinite_values_of_whole_frames(name, columns):
    """Left out by correlations, and by covariances where some value is missing."""
    d = {"x": [1.0, 2, np.inf, 5], "z": [1.0, 2, 3, 7], "gone": [1, np.nan, 3, 2]}
    both(d, lambda df: getattr(df[columns], name)())

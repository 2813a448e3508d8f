"""Stencils written with slices, whose row sums serve several rows of the result: NumPy's values and warnings."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")


def mean_of_nine(x):
    upper = x[:-2, :-2] + x[:-2, 1:-1] + x[:-2, 2:]
    middle = x[1:-1, :-2] + x[1:-1, 1:-1] + x[1:-1, 2:]
    lower = x[2:, :-2] + x[2:, 1:-1] + x[2:, 2:]
    return (upper + middle + lower) / 9


def weighted_rows(x):
    upper = x[:-2, :-1] * x[:-2, 1:] - x[:-2, 1:]
    middle = x[1:-1, :-1] * x[1:-1, 1:] - x[1:-1, 1:]
    lower = x[2:, :-1] * x[2:, 1:] - x[2:, 1:]
    return upper * 2 - middle + lower


def outcome(stencil, x):
    """Values, and the warnings with their lines."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        values = np.array(stencil(x))
    return values, {(str(w.message), w.lineno) for w in seen}


@pytest.mark.parametrize("stencil", [mean_of_nine, weighted_rows])
@pytest.mark.parametrize("shape", [(3, 3), (40, 9), (70, 130), (130, 1000), (40, 1026), (12, 5000), (300, 257)])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1"])
def test_values(stencil, shape, dtype):
    x = (np.random.default_rng(3).normal(0, 40, shape)).astype("i2").astype(dtype)
    values, _ = outcome(stencil, bc.array(x))
    wanted, _ = outcome(stencil, x)
    assert values.dtype == wanted.dtype
    np.testing.assert_array_equal(values, wanted)


@pytest.mark.parametrize("row", [0, 1, 2, 57, 128, 129])
@pytest.mark.parametrize("special", [(np.inf, -np.inf), (1e308, 1e308), (np.nan, 1)])
def test_warnings_of_every_line(row, special):
    x = np.random.default_rng(3).random((130, 1000))
    x[row, 400:402] = special
    values, reported = outcome(mean_of_nine, bc.array(x))
    wanted, reported_by_numpy = outcome(mean_of_nine, x)
    np.testing.assert_array_equal(values, wanted)
    assert reported == reported_by_numpy

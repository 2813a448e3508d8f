"""Sums and means with variances of the same columns: one pass has the bits and errors of separate passes."""

import warnings

import bascule as bc
import numpy as np
import pytest


def both(x: np.ndarray, total: str, spread: str) -> tuple[np.ndarray, np.ndarray]:
    """The results of a pass that computes both."""
    b = bc.array(x)
    r = np.asarray(bc.stack([getattr(b, total)(0), getattr(b, spread)(0)]))
    return r[0], r[1]


def alone(x: np.ndarray, name: str) -> np.ndarray:
    """The result of a pass that computes one."""
    return np.asarray(getattr(bc.array(x), name)(0))


def reported(run) -> set[str]:
    """Messages of the warnings."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        run()
    return {str(w.message) for w in seen}


@pytest.mark.parametrize("kind", ["f8", "f4"])
@pytest.mark.parametrize("total", ["sum", "mean"])
@pytest.mark.parametrize("rows", [1, 2, 4, 5, 31, 32, 33, 1000])
@pytest.mark.parametrize("columns", [1, 7, 33, 511, 700])
def test_bits(kind: str, total: str, rows: int, columns: int) -> None:
    x = np.random.default_rng(rows * columns).standard_normal((rows, columns)).astype(kind)
    sums, spreads = both(x, total, "std")
    np.testing.assert_array_equal(sums, getattr(x, total)(0))
    np.testing.assert_array_equal(spreads, alone(x, "std"))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -0.0])
@pytest.mark.parametrize("row", [0, 3, 9, 40])
def test_unusual_values(value: float, row: int) -> None:
    x = np.random.default_rng(1).standard_normal((41, 600))
    x[row, ::7] = value
    with np.errstate(all="ignore"), bc.errstate(all="ignore"):
        sums, spreads = both(x, "sum", "var")
        np.testing.assert_array_equal(sums, x.sum(0))
        np.testing.assert_array_equal(np.signbit(sums), np.signbit(x.sum(0)))
        np.testing.assert_array_equal(spreads, alone(x, "var"))


@pytest.mark.parametrize(
    "x",
    [
        np.full((40, 300), 1e308),  # the sum overflows
        np.tile([[1e200], [-1e200]], (20, 300)),  # the squares overflow
        np.tile([[np.inf], [-np.inf]], (20, 300)),
        np.full((40, 300), np.nan),
    ],
    ids=["sums", "squares", "infinities", "nan"],
)
def test_conditions(x: np.ndarray) -> None:
    expected = reported(lambda: alone(x, "sum")) | reported(lambda: alone(x, "var"))
    assert reported(lambda: both(x, "sum", "var")) == expected

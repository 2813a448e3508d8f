"""Sums and means with variances of the same columns: one pass has the bits and errors of separate passes. any, all, counts, sums and means of booleans along axes other than the last, with few and with very many rows."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")


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


# ---- any, all, counts, sums and means of booleans along axes other than the last, with few and with very many rows


SHAPES = [(1, 9), (7, 1), (8, 40), (255, 3), (256, 513), (700, 1100), (3000, 70), (2, 300, 90)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "i8", "f4", "f8", "c16", "f2", "m8[s]"])
def test_booleans_of_columns(dtype, shape):
    rng = np.random.default_rng(6)
    for share in (0.0, 0.001, 0.5, 0.999, 1.0):
        x = (rng.random(shape) < share).astype("i8").astype(dtype)
        if x.dtype.kind == "f" and x.size > 20:
            x.flat[[3, 17]] = np.nan, -0.0
        for axis in range(len(shape)):
            for name in ("any", "all", "count_nonzero"):
                want, got = getattr(np, name)(x, axis=axis), getattr(bc, name)(bc.asarray(x), axis=axis)
                assert got.dtype == want.dtype
                np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("shape", SHAPES)
def test_sums_of_booleans(shape):
    x = np.random.default_rng(7).random(shape) < 0.7
    a = bc.asarray(x)
    for axis in range(len(shape)):
        for cut in (slice(None), slice(None, None, 2), slice(None, None, -1)):
            for name in ("sum", "mean"):
                want, got = getattr(x[cut], name)(axis), getattr(a[cut], name)(axis)
                assert got.dtype == want.dtype
                np.testing.assert_array_equal(got.get(), want)
            np.testing.assert_array_equal((a[cut] & a[cut]).sum(axis).get(), x[cut].sum(axis))


def test_booleans_that_are_other_bytes():
    given = np.arange(4096, dtype="u1").reshape(512, 8)
    odd = bc.frombuffer(given, dtype=bool).reshape(512, 8)
    np.testing.assert_array_equal(odd.sum(0).get(), (given != 0).sum(0))
    np.testing.assert_array_equal(odd.all(0).get(), given.all(0))

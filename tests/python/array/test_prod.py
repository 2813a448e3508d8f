"""Complex products that overflow: which parts are NaN depends on the order, which is NumPy's. Products of real numbers whose partial products overflow: NumPy multiplies one factor after the other."""

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import same

pytestmark = pytest.mark.usefixtures("native")

SIZES = [1000, 1024, 1025, 2049, 5000, 40_000]


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("n", SIZES)
def test_that_overflow(n, dtype):
    rng = np.random.default_rng(n)
    turning = (4 * np.exp(1j * rng.random(n))).astype(dtype)
    unknown = np.exp(1j * rng.random(n)).astype(dtype)
    unknown[n // 3] = complex(np.nan, 1)
    for x in (np.full(n, 3, dtype), np.full(n, 3j, dtype), turning, unknown):
        same(lambda xp, x=x: xp.prod(xp.asarray(x)))
        same(lambda xp, x=x: xp.asarray(x).prod())
        same(lambda xp, x=x: xp.asarray(x)[::-1].prod())
        same(lambda xp, x=x: xp.multiply.reduce(xp.asarray(np.tile(x, (2, 1))), axis=1, keepdims=True))
        same(lambda xp, x=x: xp.prod(xp.asarray(x), initial=2j))
    same(lambda xp: xp.prod(xp.asarray(turning)), over="ignore", invalid="raise")


@pytest.mark.parametrize("n", SIZES)
def test_that_do_not(n):
    x = np.exp(1j * np.random.default_rng(n).random(n))
    np.testing.assert_allclose(np.asarray(bc.prod(bc.asarray(x))), np.prod(x), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("n", [3, 40, 1025, 9000])
def test_that_start_at_an_initial_value(n, dtype):
    large = np.full(n, 4, dtype)
    infinite = large.copy()
    infinite[n // 2] = np.inf
    for x in (large, infinite, np.full(n, 0.5, dtype)):
        for initial in (0, -0.0, 1, 2.0**-13, -2):
            same(lambda xp, x=x, i=initial: xp.prod(xp.asarray(x), initial=i))
            same(lambda xp, x=x, i=initial: xp.multiply.reduce(xp.asarray(x), initial=i, keepdims=True), under="warn")
            same(lambda xp, x=x, i=initial: xp.prod(xp.asarray(np.tile(x, (2, 1))), axis=1, initial=i))


# ---- Products of real numbers whose partial products overflow: NumPy multiplies one factor after the other


SMALL = {"f2": 1e-3, "f4": 1e-30, "f8": 1e-250}


@pytest.fixture(autouse=True)
def _reported_at_the_call():
    with bc.config.set(fp_warnings="auto"):
        yield


def patterns(dtype, n):
    little, much = np.array(SMALL[dtype], dtype), np.array(1 / SMALL[dtype], dtype)
    yield np.repeat([little, much], n // 2)  # zero, then infinite partial products
    yield np.repeat([much, little], n // 2)
    yield np.tile([little, much], n // 2)  # in each of eight lanes
    yield np.tile([little, much, 1, 1, 1, 1, 1, 1], n // 8).astype(dtype)
    yield np.tile(np.array([little, np.sqrt(much), np.sqrt(much), 1, 1, 1, 1, 1], dtype), n // 8)
    yield np.where(np.arange(n) == n // 2, 0, much).astype(dtype)
    yield np.where(np.arange(n) == n // 2, np.inf, little).astype(dtype)


@pytest.mark.parametrize("dtype", SMALL)
def test_few_stay_in_the_range_or_go_numpys_way(dtype):
    for x in patterns(dtype, 16):
        with np.errstate(all="ignore"):
            ours, theirs, exact = bc.asarray(x).prod(), np.prod(x), np.prod(x.astype(np.longdouble))
        if not np.array_equal(ours, theirs, equal_nan=True):  # no partial product of the lanes overflowed
            np.testing.assert_allclose(ours, exact.astype(dtype), rtol=16 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("n", [200, 1024, 6400, 200_000])
def test_that_leave_the_range_on_the_way(n, dtype):
    for x in patterns(dtype, n):
        for state in ({}, {"all": "ignore"}, {"under": "warn"}, {"over": "raise"}):
            same(lambda xp, x=x: xp.asarray(x).prod(), **state)
        same(lambda xp, x=x: xp.prod(xp.asarray(x)[::-1]))
        same(lambda xp, x=x: xp.multiply.reduce(xp.asarray(np.stack((x, x))), axis=1))
        same(lambda xp, x=x: xp.prod(xp.asarray(np.stack((x, x), axis=1)), axis=0, keepdims=True))
        same(lambda xp, x=x: xp.prod(xp.asarray(x) * np.array(1, x.dtype)))
        same(lambda xp, x=x: xp.nanprod(xp.asarray(x)))
        same(lambda xp, x=x: xp.prod(xp.asarray(x), initial=2))


def test_the_digits_of_small_parts_are_kept():
    x = np.tile(np.array([1e-30, 1e10, 1e10, 1e10, 1, 1, 1, 1], "f4"), 64)
    assert bc.asarray(x).prod() == pytest.approx(float(np.prod(x)), rel=1e-4)


def test_tenths_and_tens():
    x = np.array([0.1] * 100 + [10.0] * 100, "f4")
    assert bc.asarray(x).prod() == np.prod(x) == 0


@pytest.mark.parametrize("n", [9, 1000, 100_000])
def test_that_stay_are_the_same_but_for_rounding(n):
    x = np.random.default_rng(n).uniform(0.5, 1.5, n) ** (1 / np.sqrt(n))
    np.testing.assert_allclose(bc.asarray(x).prod(), np.prod(x), rtol=1e-11)
    y = np.stack((x, x[::-1]))
    np.testing.assert_allclose(bc.asarray(y).prod(axis=1).get(), np.prod(y, axis=1), rtol=1e-11)
    with np.errstate(all="raise"):
        bc.asarray(x).prod()

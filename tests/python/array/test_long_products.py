"""Complex products that overflow: which parts are NaN depends on the order, which is NumPy's."""

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import same

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
def test_that_start_elsewhere(n, dtype):
    large = np.full(n, 4, dtype)
    infinite = large.copy()
    infinite[n // 2] = np.inf
    for x in (large, infinite, np.full(n, 0.5, dtype)):
        for initial in (0, -0.0, 1, 2.0**-13, -2):
            same(lambda xp, x=x, i=initial: xp.prod(xp.asarray(x), initial=i))
            same(lambda xp, x=x, i=initial: xp.multiply.reduce(xp.asarray(x), initial=i, keepdims=True), under="warn")
            same(lambda xp, x=x, i=initial: xp.prod(xp.asarray(np.tile(x, (2, 1))), axis=1, initial=i))

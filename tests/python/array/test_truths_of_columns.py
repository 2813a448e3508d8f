"""any, all, counts, sums and means of booleans along axes other than the last, with few and with very many rows."""

import bascule as bc
import numpy as np
import pytest

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

"""Small integers and booleans, reduced in memory or as they are computed, in blocks that are longer for narrower types:
NumPy's values at every length, at every alignment and with any other result of the blocks."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

RNG = np.random.default_rng(29)
LENGTHS = [0, 1, 7, 31, 63, 64, 65, 127, 255, 256, 257, 511, 1023, 1024, 1025, 4097, 8192, 16383, 16384, 16385, 40_001]
LONG = 3_000_001
REDUCTIONS = ["sum", "mean", "max", "min", "any", "all", "argmax", "argmin", "std"]


def bytes_of(n: int, dtype: str) -> np.ndarray:
    if dtype == "?":
        return RNG.random(n) < 0.5
    info = np.iinfo(dtype)
    return RNG.integers(info.min, info.max, n, dtype, endpoint=True)


def check(expected, found, close=False):
    assert type(found) is type(expected)
    if close:
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    else:
        assert found == expected


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2"])
@pytest.mark.parametrize("n", LENGTHS)
def test_of_every_length_and_place(n, dtype):
    for begin in (0, 1, 3):
        whole = bytes_of(n + begin, dtype)
        x, y = whole[begin:], bc.array(whole)[begin:]
        for reduction in REDUCTIONS:
            if n == 0 and reduction not in ("sum", "any", "all"):
                continue
            check(getattr(x, reduction)(), getattr(y, reduction)(), close=reduction == "std")
        check(np.count_nonzero(x), bc.count_nonzero(y))


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2"])
def test_of_extreme_values(dtype):
    ends = (False, True) if dtype == "?" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for end in ends:
        x = np.full(LONG, end, dtype)
        y = bc.array(x)
        for reduction in ("sum", "mean"):
            check(getattr(x, reduction)(), getattr(y, reduction)())
        check(np.count_nonzero(x), bc.count_nonzero(y))
        np.testing.assert_array_equal(np.asarray(y[:3_000_000].reshape(1000, -1).mean(1)), np.full(1000, float(end)))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("n", [*LENGTHS, LONG])
def test_of_what_is_computed(n, dtype):
    x = (RNG.standard_normal(n) * 20).astype(dtype)
    y = bc.array(x)
    bound = x.dtype.type(3)
    for reduction in ("sum", "mean", "any", "all") if n else ("sum", "any", "all"):
        check(getattr(x > bound, reduction)(), getattr(y > bound, reduction)())
    check(np.count_nonzero(x > bound), bc.count_nonzero(y > bound))
    assert len(y[y > bound]) == np.count_nonzero(x > bound)
    if n:
        for reduction in ("max", "min", "argmax", "argmin"):
            check(getattr(x + x, reduction)(), getattr(y + y, reduction)())
            check(getattr(x > bound, reduction)(), getattr(y > bound, reduction)())


@pytest.mark.parametrize("dtype", ["i1", "f4", "f8"])
@pytest.mark.parametrize("row", [1, 17, 511, 513, 1024, 2047, 5000, 9001, 17_000])
def test_of_rows_and_columns(row, dtype):
    x = (RNG.standard_normal((40_000 // row + 2, row)) * 20).astype(dtype)
    y = bc.array(x)
    for axis in (0, 1):
        for reduction in ("sum", "mean", "any", "all"):
            expected, found = getattr(x > 3, reduction)(axis), getattr(y > 3, reduction)(axis)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(np.asarray(found), expected)
        np.testing.assert_array_equal(np.asarray((y - y[0]).max(axis)), (x - x[0]).max(axis))
        np.testing.assert_array_equal(np.asarray(y.mean(axis)), x.mean(axis))
        np.testing.assert_array_equal(np.asarray((y + y).sum(axis)), (x + x).sum(axis))
    assert (y[:, ::2] > 3).sum() == (x[:, ::2] > 3).sum()
    assert (y.T[::-1] > 3).sum() == (x > 3).sum()


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u4", "i8", "u8", "m8[s]"])
@pytest.mark.parametrize("shape", [(1, 300), (7, 1000), (9, 130), (300, 9), (1000, 257), (3, 40, 300), (5000, 33)])
def test_columns_of_integers(shape, dtype):
    info = np.iinfo(dtype.replace("m8[s]", "i8"))
    x = RNG.integers(info.min, info.max, shape, info.dtype, endpoint=True)  # sums wrap around
    if dtype == "m8[s]":
        x = (x // 2**20).view(dtype)  # NumPy refuses sums that wrap
    y = bc.array(x)
    for axis in range(len(shape)):
        for reduction in ("sum", "max", "min") + (() if dtype == "m8[s]" else ("prod", "mean")):
            for a, b in ((x, y), (x + x, y + y), (x[::-1], y[::-1]), (x[..., ::2], y[..., ::2])):
                expected, found = getattr(a, reduction)(axis), getattr(b, reduction)(axis)
                assert found.dtype == expected.dtype
                np.testing.assert_array_equal(np.asarray(found), expected)


@pytest.mark.parametrize("place", [0, 1000, 1024, 5000, 16_383, 16_384, 29_999])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_fp_errors_of_long_blocks(place, dtype):
    x = np.ones(30_000, dtype)
    x[place] = -1
    y = bc.array(x)
    for reduction in ("any", "all", "sum", "mean"):
        for function in ("sqrt", "log"):
            with warnings.catch_warnings(record=True) as expected:
                warnings.simplefilter("always")
                right = getattr(getattr(np, function)(x) > 0.5, reduction)()
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                check(right, getattr(getattr(bc, function)(y) > 0.5, reduction)())
            assert {str(w.message) for w in found} == {str(w.message) for w in expected}
    with bc.errstate(invalid="raise"), pytest.raises(FloatingPointError, match="invalid value encountered in sqrt"):
        (bc.sqrt(y) > 0.5).sum()


@pytest.mark.parametrize("reduction", ["any", "all"])
def test_errors_behind_what_decides_are_raised(reduction):
    x = np.ones(1_000_000) * (reduction == "any")
    x[-1] = -1
    with bc.errstate(invalid="raise"), pytest.raises(FloatingPointError, match="invalid value encountered in sqrt"):
        getattr(bc.sqrt(bc.array(x)) > 0.5, reduction)()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(np.bool(reduction == "any"), getattr(bc.sqrt(bc.array(x)) > 0.5, reduction)())

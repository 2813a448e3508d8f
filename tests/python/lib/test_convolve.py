"""convolve and correlate of short sequences, computed at once, against NumPy: lengths around limits, modes, values."""

import bascule as bc
import numpy as np
import pytest
from ordered_arrays import same

pytestmark = pytest.mark.usefixtures("native")

LENGTHS = [1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 100, 1000, 4095, 4096, 5000]
TAPS = [1, 2, 3, 11, 16, 63, 64, 65]
MODES = ["full", "same", "valid"]


def lines(dtype, n, m):
    rng = np.random.default_rng(n + m)
    if np.dtype(dtype).kind == "i":
        info = np.iinfo(dtype)
        return (rng.integers(info.min, info.max, k, dtype, endpoint=True) for k in (n, m))
    return (rng.normal(size=k).astype(dtype) for k in (n, m))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "i2", "u8"])
def test_lengths_and_modes(dtype, name, mode):
    for n in LENGTHS:
        for m in TAPS:
            a, v = lines(dtype if dtype != "u8" else "i8", n, m)
            a, v = a.astype(dtype), v.astype(dtype)
            got, want = getattr(bc, name)(bc.array(a), bc.array(v), mode), getattr(np, name)(a, v, mode)
            if dtype[0] != "f":
                same(got, want)
                continue
            sizes = np.convolve(abs(a), abs(v), mode)
            sizes = sizes if name == "convolve" else np.correlate(abs(a), abs(v), mode)
            assert got.dtype == want.dtype
            assert np.all(abs(got.get() - want) <= 2 * min(n, m) * np.finfo(dtype).eps * sizes)


def test_types_layouts_and_numbers_of_modes():
    a, v = np.arange(40.0), np.array([1.0, -2, 0.5])
    for x, y in ((a[::2], v), (a[::-1], v[::-1]), (a, v.astype("f4")), (a.astype("i4"), v), (a, a[:2].astype("i8"))):
        for mode in MODES:
            same(bc.convolve(bc.asarray(x, copy=False), bc.array(y), mode), np.convolve(x, y, mode))
            same(bc.correlate(bc.asarray(x, copy=False), bc.array(y), mode), np.correlate(x, y, mode))
    same(bc.convolve(bc.array(a) * 2 + 1, bc.array(v), "same"), np.convolve(a * 2 + 1, v, "same"))
    with pytest.raises(ValueError, match="Use one of"):
        bc.convolve(bc.array(a), bc.array(v), "some")
    with pytest.raises(ValueError, match="v cannot be empty"):
        bc.convolve(bc.array(a), bc.array(v[:0]))


def test_infinite_and_missing_values_stay_where_they_are():
    a = np.arange(50.0)
    a[[7, 30]] = np.nan, np.inf
    for v in (np.array([1.0, 2, 3]), np.array([np.inf, 1.0]), np.array([1.0, np.nan, 0.0])):
        for mode in MODES:
            same(bc.convolve(bc.array(a), bc.array(v), mode), np.convolve(a, v, mode))
            same(bc.correlate(bc.array(a), bc.array(v), mode), np.correlate(a, v, mode))


def test_operands_are_left_as_they_were():
    a, v = np.arange(30.0), np.array([3.0, 1, 2])
    x, y = bc.array(a), bc.array(v)
    r = bc.convolve(x, y)
    r[:] = 0
    same(x, a)
    same(y, v)
    same(bc.convolve(x, x[:4]), np.convolve(a, a[:4]))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("taps", [33, 51, 64])
def test_long_lines_are_summed_in_pieces(taps, mode, dtype):
    rng = np.random.default_rng(taps)
    x, v = (rng.integers(-9, 9, n).astype(dtype) for n in (70_001, taps))
    np.testing.assert_array_equal(np.asarray(bc.convolve(x, v, mode)), np.convolve(x, v, mode))
    np.testing.assert_array_equal(np.asarray(bc.correlate(x, v, mode)), np.correlate(x, v, mode))

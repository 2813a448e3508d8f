"""Mantissas, exponents, and products with powers of two, of numbers of every size."""

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")


def numbers(dtype, n):
    """Random bit patterns, so that all exponents occur, including those of subnormal numbers."""
    whole = np.dtype(f"u{np.dtype(dtype).itemsize}")
    bits = np.random.default_rng(5).integers(0, np.iinfo(whole).max, n, whole, endpoint=True)
    bits[::7] &= np.iinfo(whole).max >> 5  # includes subnormal ones
    x = bits.view(dtype)
    x[:8] = 0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -0.5, 2.0
    return x


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("n", [8, 50, 3000, 40000])
def test_frexp(dtype, n):
    x = numbers(dtype, n)
    for a, b in ((x, bc.array(x)), (x[::-2], bc.array(x)[::-2])):
        with np.errstate(invalid="ignore"):  # for signalling NaN
            parts = np.frexp(a)
        for got, wanted in zip(bc.frexp(b), parts, strict=True):
            assert got.dtype == wanted.dtype
            np.testing.assert_array_equal(np.asarray(got), wanted)
            np.testing.assert_array_equal(np.signbit(np.asarray(got)), np.signbit(wanted))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("most", [10, 126, 127, 1022, 1023, 5000, 2**31 - 1])
def test_ldexp_of_arrays(dtype, most):
    x = numbers(dtype, 3000)
    n = np.random.default_rng(6).integers(-most, most, x.size, "i4", endpoint=True)
    with np.errstate(all="ignore"):
        wanted = np.ldexp(x, n), np.ldexp(x, most), np.ldexp(x, -most), np.ldexp(x[4], n)
        got = (
            bc.ldexp(bc.array(x), bc.array(n)),
            bc.ldexp(bc.array(x), most),
            bc.ldexp(bc.array(x), -most),
            bc.ldexp(x[4], bc.array(n)),
        )
        for g, w in zip(got, wanted, strict=True):
            assert g.dtype == w.dtype
            np.testing.assert_array_equal(np.asarray(g), w)


@pytest.mark.parametrize("x", [2.0, 2, True, np.float64(2), np.float32(2), [2.0], np.int64(2)], ids=repr)
@pytest.mark.parametrize("n", [2**63 - 1, -(2**63), 2**31, 2**31 - 1, 2**70, -(2**70)])
def test_ldexp_by_what_32_bits_do_not_hold(x, n):
    """With an array or a scalar of NumPy's it is refused, with Python's numbers accepted."""
    with np.errstate(all="ignore"):
        try:
            want = np.ldexp(x, n)
        except OverflowError as error:
            with pytest.raises(OverflowError) as reported:
                bc.ldexp(x, n)
            assert str(reported.value) == str(error)
            return
        got = bc.ldexp(x, n)
    assert got == want and got.dtype == want.dtype

"""Casts of numbers outside the range of the target integers, and NumPy's warnings about them."""

import warnings

import bascule as bc
import numpy as np
import pytest

# The results beyond uint32 depend on how many numbers NumPy casts at a time.
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "i8", "u8"]


def reported(x, to):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        r = np.asarray(x.astype(to))
    return r, [str(w.message) for w in caught]


def edges(dtype):
    f = np.dtype(dtype).type
    for power in (7, 8, 15, 16, 31, 32, 63, 64):
        for size in (2.0**power, 2.0**power - 1, 2.0**power + 1, 2.0**power + 0.5):
            for x in (f(size), f(-size)):
                yield from (x, np.nextafter(x, f(0)), np.nextafter(x, f(np.copysign(np.inf, x))))
    yield from (f(np.nan), f(np.inf), f(-np.inf), f(0.5), f(-0.5))


@pytest.mark.parametrize("to", INTEGERS)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_one_number_among_many(dtype, to):
    for k, edge in enumerate(edges(dtype)):
        x = np.ones(300, dtype)
        x[k * 7 % 300] = edge
        y = bc.array(x)
        wanted, got = reported(x, to), reported(y, to)
        assert got[1] == wanted[1], edge
        np.testing.assert_array_equal(got[0], wanted[0], err_msg=str(edge))


@pytest.mark.parametrize("to", ["f4", "f8", "c16"])
def test_truth_becomes_a_number(to):
    for n in (1, 31, 100, 5000):
        b = np.random.default_rng(n).random(n) > 0.5
        got = bc.array(b).astype(to)
        assert got.dtype == to
        np.testing.assert_array_equal(np.asarray(got), b.astype(to))
        np.testing.assert_array_equal(np.asarray(bc.array(b)[::-3].astype(to)), b[::-3].astype(to))

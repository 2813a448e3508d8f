"""Extrema, truth and counts of contiguous runs: whole vectors, what is left over, and where something stands."""

import bascule as bc
import numpy as np
import pytest

LENGTHS = [
    1,
    3,
    7,
    15,
    16,
    31,
    33,
    63,
    64,
    65,
    127,
    129,
    255,
    256,
    257,
    500,
    1023,
    4095,
    4097,
    8200,
    32768,
    32769,
    70001,
]
DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[s]"]
FOLDS = ["min", "max", "argmin", "argmax", "any", "all"]


def same(a, n, what):
    assert np.asarray(a).dtype == np.asarray(n).dtype, what
    assert np.array_equal(np.asarray(a), np.asarray(n), equal_nan=np.asarray(n).dtype.kind in "fcmM"), what


def compare(n, places):
    a = bc.array(n)
    for name in FOLDS:
        if not (name in ("any", "all") and n.dtype.kind in "mM"):
            same(getattr(a, name)(), getattr(n, name)(), (name, n.dtype, n.size, places))
    same(bc.count_nonzero(a), np.count_nonzero(n), ("count_nonzero", n.dtype, n.size, places))


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_element_that_differs(dtype):
    """It is found wherever it stands, and the first of two."""
    for length in LENGTHS:
        for place in {0, length // 3, length // 2, max(0, length - 2), length - 1}:
            for usual, other in ((0, 1), (1, 0), (1, 2)):
                n = np.full(length, usual).astype(dtype)
                n[place] = np.array(other).astype(dtype)
                compare(n, (place, other))
                n[length - 1] = n[place]
                compare(n, (place, length - 1, other))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c16", "M8[s]"])
def test_what_is_not_a_number_wins(dtype):
    for length in LENGTHS:
        for place in {0, length // 2, length - 1}:
            n = (np.arange(length) % 100 - 50).astype(dtype)
            n[place] = "NaT" if dtype == "M8[s]" else np.nan
            compare(n, place)
            n[-1] = n[place]
            compare(n, (place, length - 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_values(dtype):
    rng = np.random.default_rng(7)
    for length in LENGTHS:
        n = rng.integers(-100, 100, length).astype(dtype)
        compare(n, None)
        limits = np.iinfo(dtype) if n.dtype.kind in "iu" else None
        if limits:
            n[length // 2], n[length // 3] = limits.min, limits.max
            compare(n, "limits")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_zeros_of_both_signs_and_infinities(dtype):
    for length in LENGTHS:
        n = np.full(length, -0.0, dtype)
        n[length // 2 :] = 0.0
        compare(n, "zeros")
        for least in (-np.inf, np.inf):
            n[length // 3] = least
            compare(n, least)


def test_bytes_that_are_no_truths():
    """Any byte but 0 is true, and all of those are equal."""
    for length in LENGTHS:
        n = (np.arange(length) % 5).astype("u1").view("?")
        a = bc.frombuffer(n.tobytes(), "?")
        for name in FOLDS:
            assert int(getattr(a, name)()) == int(getattr(n, name)()), (name, length)
        assert int(bc.count_nonzero(a)) == np.count_nonzero(n)


@pytest.mark.parametrize("length", [1000, 9000, 30000])
def test_sums_in_place_raise_what_numpy_raises(length):
    n = np.full(length, 1e308)
    a = bc.array(n)
    a += 1.0
    n += 1.0
    same(a, n, length)
    with (
        np.errstate(over="raise"),
        bc.errstate(over="raise"),
        pytest.raises(FloatingPointError, match="overflow encountered in add"),
    ):
        a += a
        bc.evaluate(a)

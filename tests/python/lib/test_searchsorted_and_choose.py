"""Searches among few sorted values, choices, and writes by index, against NumPy's."""

import bascule as bc
import numpy as np
import pytest
from numpy.testing import assert_array_equal

TYPES = ["?", "i1", "i4", "i8", "u8", "f2", "f4", "f8", "c16", "M8[s]"]


def check(call, *given):
    """Check for the same result or error, and the same contents of the arguments afterwards."""
    theirs, ours = [np.array(x) for x in given], [bc.array(np.array(x)) for x in given]
    try:
        expected = call(np, *theirs)
    except Exception as error:
        with pytest.raises(TypeError if isinstance(error, TypeError) else type(error)):
            call(bc, *ours)
        return
    r = call(bc, *ours)
    if isinstance(expected, (np.ndarray, np.generic)):
        assert type(r) is (bc.ndarray if isinstance(expected, np.ndarray) else type(expected))
        assert (r.dtype, r.shape) == (expected.dtype, expected.shape)
        assert_array_equal(np.asarray(r), expected)
    else:
        assert r == expected
    for o, t in zip(ours, theirs, strict=True):
        assert_array_equal(o.get(), t)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("t", TYPES)
def test_searchsorted(t, side):
    rng = np.random.default_rng(0)
    for n in (0, 1, 2, 31, 500):
        a = np.sort(rng.integers(0, 20, n)).astype("i8").astype(t)
        for v in (rng.integers(-3, 25, 40), rng.integers(0, 20, (3, 4)), rng.integers(0, 20, ())):
            check(lambda m, a, v: m.searchsorted(a, v, side), a, v.astype("i8").astype(t))
            if t != "M8[s]":
                check(lambda m, a, v: a.searchsorted(v, side=side), a, v)
        if t[0] not in "Mc":
            for v in (0, 3, 19, 3.5, -1.0, np.nan, np.inf, True):
                check(lambda m, a: m.searchsorted(a, v, side), a)
    special = np.array([-np.inf, -1.0, -0.0, 0.0, 0.0, 2.0, np.inf, np.nan, np.nan])
    check(lambda m, a, v: m.searchsorted(a, v, side), special, special[::-1].copy())
    check(lambda m, a, v: m.searchsorted(a, v, side, sorter=m.argsort(a)), special[::-1].copy(), special)
    unordered = rng.normal(size=30)
    check(lambda m, a, v: m.searchsorted(a[::2], v, side), np.sort(unordered), unordered)
    check(lambda m, a: m.searchsorted(a, 0.5, side), np.ones((2, 2)))


@pytest.mark.parametrize("right", [False, True, 1, 0])
def test_digitize(right):
    x = np.array([-np.inf, -3.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.5, 3.0, np.inf, np.nan])
    for bins in ([0.0], [-1.0, 0.0, 1.0, 2.5], [2.5, 1.0, 0.0, -1.0], [0.0, 0.0, 1.0, 1.0], [1.0, 1.0], [1.0, 3.0, 2.0], [], [np.nan],
                 [3.0, np.inf], [[1.0, 2.0]], [3.0, 1.0, 1.0]):  # fmt: skip
        check(lambda m, x, b: m.digitize(x, b, right), x, bins)
        check(lambda m, x, b: m.digitize(x, b, right), np.arange(6.0).reshape(2, 3), bins)
        check(lambda m, x, b: m.digitize(x, b, right), np.arange(6), bins)
        check(lambda m, x, b: m.digitize(x[::-2], b, right), x, bins)
        check(lambda m, b: m.digitize(0.5, b, right), bins)


@pytest.mark.parametrize("t", TYPES)
def test_choose(t):
    rng = np.random.default_rng(1)
    for shape in ((7,), (2, 3), (0,), ()):
        parts = [rng.integers(0, 9, shape).astype("i8").astype(t) for _ in range(3)]
        for at in (rng.integers(0, 3, shape), rng.integers(0, 3, shape).astype("i4"), rng.integers(-1, 4, shape)):
            for mode in ("raise", "wrap", "clip"):
                check(lambda m, at, *p: m.choose(at, list(p), mode=mode), at, *parts)
                check(lambda m, at, *p: m.choose(at, p, mode=mode), at, *parts)
            check(lambda m, at, p, q, r: m.choose(at, [p, q, r[:1] if r.ndim else r]), at, *parts)


@pytest.mark.parametrize("t", TYPES)
def test_writes(t):
    x = np.arange(12).astype("i8").astype(t)
    v = (np.arange(12)[::-1] % 7).astype("i8").astype(t)
    for at in ([0, 3, 3, 11], [-1, -12], [12], [-13, 0], []):
        for kind in ("i8", "i4"):
            p = np.array(at, kind)
            for mode in ("raise", "wrap", "clip"):
                check(lambda m, a, p, v: m.put(a, p, v, mode=mode), x, p, v[: p.size])
                check(lambda m, a, p, v: m.put(a, p, v, mode=mode), x.reshape(3, 4), p, v[: p.size])
                check(lambda m, a, p, v: m.put(a, p, v[:2], mode=mode), x, p, v)
            check(lambda m, a, p: m.put(a, p, a[: p.size]), x, p)
    for mask in (x == x[3], np.arange(12) % 2 == 0, np.zeros(12, bool), np.arange(12) % 3):
        check(lambda m, a, k, v: m.place(a, k, v), x, mask, v)
        check(lambda m, a, k, v: m.place(a, k, v[:2]), x, mask, v)
        check(lambda m, a, k, v: m.place(a, k, v), x.reshape(3, 4), mask.reshape(3, 4), v)
        check(lambda m, a, k: m.place(a, k, []), x, mask)
    check(lambda m, a, v: m.copyto(a, v), x, v)
    check(lambda m, a, v: m.copyto(a, v), x.reshape(3, 4), v[:4])
    check(lambda m, a, v: m.copyto(a, v), x, v[:5])
    check(lambda m, a: m.copyto(a[1:], a[:-1]), x)


def test_flat_and_contiguous():
    for x in (np.arange(5.0), np.arange(6.0).reshape(2, 3).T, np.arange(8.0)[::-2], np.array(3.0)):
        for key in (0, -1, 3, 4, 6, -7, slice(1, 3), [0, 1], True):
            if key is not True:
                check(lambda m, a: a.flat[key], x)
        assert [float(v) for v in bc.array(x).flat] == x.ravel().tolist()
        r = bc.ascontiguousarray(bc.array(x).T)
        assert r.flags.c_contiguous and r.ndim and r.shape == np.ascontiguousarray(x.T).shape
        assert_array_equal(r.get(), np.ascontiguousarray(x.T))
    a = bc.arange(4.0)
    it = a.flat
    next(it)
    a[1] = 9
    assert float(next(it)) == 9 and it.index == 2 and bc.ascontiguousarray(a) is a

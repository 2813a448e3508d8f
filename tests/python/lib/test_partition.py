"""partition, argpartition, medians and short rows against NumPy's sort: sizes around the limits, special values."""

import bascule as bc
import numpy as np
import pytest
from bascule.lib.sorting_common import MOST_AS_NUMPY
from ordered_arrays import same

pytestmark = pytest.mark.usefixtures("native")

TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "u8", "u4", "u1", "?", "M8[s]", "m8[ns]"]
SIZES = [1, 2, 31, 127, 128, 129, 511, 512, 513, 1000, 4095, 4096, 4097, 9001, 32767, 32768, 40_000]


def values(dtype, n, kind, seed=3):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if kind == "few":
        a = rng.integers(0, 3, n)
    elif kind == "equal":
        a = np.full(n, 5)
    elif kind == "extremes" and dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.choice(np.array([info.min, info.max, 0], dtype), n)
    elif dtype.kind == "f":
        a = rng.normal(size=n) * 1e4
    else:
        a = rng.integers(-(2**40), 2**40, n)
    with np.errstate(all="ignore"):
        a = a.astype(np.int64).astype(dtype) if dtype.kind in "mM" else a.astype(dtype)
    if kind == "ascending":
        a.sort()
    elif kind == "descending":
        a = np.sort(a)[::-1].copy()
    elif kind == "holes" and dtype.kind in "fmM":
        a[rng.random(n) < 0.4] = "nat" if dtype.kind in "mM" else np.nan
    elif kind == "extremes" and dtype.kind == "f":
        a = rng.choice(np.array([np.inf, -np.inf, 0.0, -0.0, 1.0, np.nan], dtype), n)
    return a


KINDS = ["random", "few", "equal", "ascending", "descending", "holes", "extremes"]


def in_order(a):
    """NumPy's order; float16 is sorted as float32, because NumPy's loop misplaces infinities among signed zeros."""
    return np.sort(a.astype(np.float32)).astype(a.dtype) if a.dtype == np.float16 else np.sort(a)


def check_partition(line, wanted, order):
    """Check that `line` has at each index the element of the sorted order, and the others on the right side of it."""
    for k in wanted:
        np.testing.assert_array_equal(line[k], order[k])
        np.testing.assert_array_equal(in_order(line[:k]), order[:k])
    np.testing.assert_array_equal(in_order(line), order)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TYPES)
def test_partition_of_every_length(dtype, kind):
    for n in SIZES:
        a = values(dtype, n, kind)
        b, order = bc.array(a), in_order(a)
        for kth in {0, n // 2, n - 1, n // 3}:
            check_partition(bc.partition(b, kth).get(), [kth], order)
            at = bc.argpartition(b, kth).get()
            np.testing.assert_array_equal(np.sort(at), np.arange(n))
            check_partition(a[at], [kth], order)
        some = sorted({n // 4, n // 2, (3 * n) // 4, n - 1})
        check_partition(bc.partition(b, some).get(), some, order)
        check_partition(a[bc.argpartition(b, some).get()], some, order)
        same(b, a)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "i2", "M8[s]"])
def test_the_others_keep_their_order(dtype):
    for kind in KINDS:
        for n in (MOST_AS_NUMPY + 1, 200_000):
            a = values(dtype, n, kind)
            for wanted in ([n // 2], [n // 4, n // 2, n - 5]):
                got = bc.argpartition(bc.array(a), wanted).get()
                same(bc.partition(bc.array(a), wanted), a[got])
                pivots = np.unique(np.sort(a)[wanted])  # groups: before, at and between these
                missing = np.isnat(pivots) if a.dtype.kind == "M" else pivots != pivots
                key = np.searchsorted(pivots, a, "left") + np.searchsorted(pivots, a, "right")
                if missing.any():
                    nulls = np.isnat(a) if a.dtype.kind == "M" else a != a
                    key[nulls] = 2 * len(pivots) - 1
                same(bc.array(got), np.argsort(key, kind="stable"))


def test_partition_of_rows_columns_and_strides():
    a = values("f8", 600 * 40, "holes").reshape(600, 40)
    for b in (a, a.T, a[::-2, ::3], np.asfortranarray(a)):
        for axis in (0, 1, -1, None):
            n = b.size if axis is None else b.shape[axis]
            x = bc.asarray(b, copy=False)
            for kth in (n // 2, [0, -1], list(range(min(n, 12)))):
                got, order = bc.partition(x, kth, axis).get(), np.sort(b, axis)
                at = bc.argpartition(x, kth, axis).get()
                taken = np.take_along_axis(b.ravel() if axis is None else b, at, 0 if axis is None else axis)
                for line in (got, taken):
                    for k in np.atleast_1d(kth):
                        np.testing.assert_array_equal(
                            line.take(k, 0 if axis is None else axis), order.take(k, 0 if axis is None else axis)
                        )
                    np.testing.assert_array_equal(np.sort(line, axis), order)
    c = bc.array(a)
    c.partition(7, 0)
    np.testing.assert_array_equal(c.get()[7], np.sort(a, 0)[7])


def test_positions_of_a_partition_in_every_form():
    a = values("i8", 300, "random")
    for kth in (3, np.int32(3), [3], (3, 3, -297), bc.array([3]), range(20)):
        got, k = bc.partition(bc.array(a), kth), np.asarray(kth if type(kth) is not bc.ndarray else kth.get())
        for at in k.ravel().astype(int):
            assert got[at] == np.sort(a)[at]
        same(bc.sort(got), np.sort(a))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u8", "m8[s]"])
def test_medians_and_percentiles(dtype, kind):
    for n in SIZES:
        a = values(dtype, n, kind)
        if kind == "extremes" or dtype in ("u8", "i8"):
            a = a[~np.isinf(a)] if a.dtype.kind == "f" else a.astype("f8") / 2
        if a.size:
            same(bc.median(bc.array(a)), np.median(a))
        if a.size and dtype[0] != "m":
            q = [0, 1, 37.5, 50, 99, 100]
            same(bc.percentile(bc.array(a), q, method="lower"), np.percentile(a, q, method="lower"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u4", "i2", "M8[s]"])
def test_sort_of_short_rows(dtype, kind):
    for length in [*range(1, 40), 48, 63, 64, 65, 100, 512, 513]:
        for rows in (1, 2, 7, 8, 9, 15, 16, 17, 50):
            a = values(dtype, rows * length, kind, length).reshape(rows, length)
            same(bc.sort(bc.array(a), axis=1), np.sort(a, axis=1))
        b = bc.array(a)
        b.sort(1)
        same(b, np.sort(a, 1))
        same(bc.sort(bc.array(a.T.copy()), axis=0), np.sort(a.T, axis=0))


def test_zeros_and_missing_values_of_short_rows_are_in_order():
    rng = np.random.default_rng(1)
    for dtype in ("f8", "f4"):
        a = rng.choice(np.array([0.0, -0.0, 1, -1, np.nan, np.inf, -np.inf], dtype), (100_000, 6))
        got = bc.sort(bc.array(a), axis=1).get()
        np.testing.assert_array_equal(got, np.sort(a, 1))
        zeros = got == 0
        later = zeros[:, 1:] & zeros[:, :-1] & (np.signbit(got[:, 1:]) > np.signbit(got[:, :-1]))
        assert not later.any()
        np.testing.assert_array_equal((zeros & np.signbit(got)).sum(1), ((a == 0) & np.signbit(a)).sum(1))

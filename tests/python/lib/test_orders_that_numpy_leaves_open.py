"""Equal elements in unstable sorts, and the parts of partitions, have the installed NumPy's order in short arrays."""

import bascule as bc
import numpy as np
import pytest
from bascule.lib.sorting_common import MOST_AS_NUMPY

TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "M8[ns]", "m8[s]"]
LENGTHS = [0, 1, 2, 10, 17, 64, 65, 300, 1025, 20_000]


@pytest.fixture(autouse=True)
def host_memory():
    with bc.device("cpu"):  # on a GPU equal elements keep their order
        yield


def elements(dtype: str, n: int, missing: bool) -> np.ndarray:
    rng = np.random.default_rng(n)
    x = rng.integers(0, 7, n)
    a = x.astype("i8").astype(dtype) if dtype[0] in "mM" else x.astype(dtype)
    if missing and dtype[0] in "fcmM":
        a[rng.random(n) < 0.2] = "NaT" if dtype[0] in "mM" else np.nan
    return a


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("dtype", TYPES)
def test_argsort(dtype, n, missing):
    a = elements(dtype, n, missing)
    x = bc.asarray(a)
    for kind in (None, "quicksort", "heapsort", "mergesort", "stable"):
        np.testing.assert_array_equal(np.asarray(bc.argsort(x, kind=kind)), np.argsort(a, kind=kind), strict=True)
        np.testing.assert_array_equal(np.asarray(x.argsort(kind=kind)), a.argsort(kind=kind))
        np.testing.assert_array_equal(np.asarray(x[::-1].argsort(kind=kind)), a[::-1].argsort(kind=kind))
    np.testing.assert_array_equal(np.asarray(x.argsort()), a.argsort())
    np.testing.assert_array_equal(np.asarray(bc.argsort(x, stable=True)), np.argsort(a, stable=True))
    both = np.stack([a, a[::-1]])
    for axis in (0, 1, None):
        np.testing.assert_array_equal(np.asarray(bc.argsort(bc.asarray(both), axis)), np.argsort(both, axis))


@pytest.mark.parametrize("n", LENGTHS[2:])
@pytest.mark.parametrize("dtype", TYPES)
def test_partitions(dtype, n):
    a = elements(dtype, n, True)
    x = bc.asarray(a)
    for kth in (0, n // 2, -1, [0, n - 1]):
        np.testing.assert_array_equal(np.asarray(bc.argpartition(x, kth)), np.argpartition(a, kth), strict=True)
        np.testing.assert_array_equal(np.asarray(bc.partition(x, kth)), np.partition(a, kth), strict=True)
        ours, theirs = x.copy(), a.copy()
        ours.partition(kth), theirs.partition(kth)
        np.testing.assert_array_equal(np.asarray(ours), theirs)


def test_equal_elements_of_long_arrays_keep_their_order():
    a = elements("i8", MOST_AS_NUMPY + 1, False)
    np.testing.assert_array_equal(np.asarray(bc.asarray(a).argsort()), a.argsort(kind="stable"))


def test_zeros_of_both_signs_are_equal():
    a = np.where(np.arange(300) % 3 == 0, -0.0, 0.0)
    np.testing.assert_array_equal(np.asarray(bc.asarray(a).argsort()), a.argsort())

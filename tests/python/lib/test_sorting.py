"""sort, argsort, partition, searchsorted, lexsort and digitize against NumPy: types, layouts, axes, special values, errors."""

import inspect

import bascule as bc
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from bascule._array.numpy_versions import signature_of, since
from hypothesis import given, settings
from hypothesis import strategies as st
from newer_parameters import common
from ordered_arrays import LAYOUTS, REAL, TYPES, data, same, same_outcome

pytestmark = pytest.mark.usefixtures("native")

NAMES = ["sort", "argsort", "partition", "argpartition", "searchsorted", "lexsort", "sort_complex", "digitize"]


def same_parameters(ours, theirs):
    theirs = signature_of(theirs)
    if theirs is None:
        assert not since("C functions and ufuncs have signatures")
        return
    found, wanted = ([(p.name, p.kind, p.default) for p in side] for side in common(inspect.signature(ours), theirs))
    assert found == wanted


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name):
    same_parameters(getattr(bc, name), getattr(np, name))


@pytest.mark.parametrize("name", NAMES[:5])
def test_signatures_of_methods(name):
    same_parameters(getattr(bc.ndarray, name), getattr(np.ndarray, name))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", TYPES)
def test_sort_and_argsort_along_axes(dtype, layout):
    a = LAYOUTS[layout](data(dtype, (5, 6, 7), few=True))
    b = bc.asarray(a, copy=False) if layout != "broadcast" else bc.broadcast_to(bc.array(a[:1]), a.shape)
    for axis in (None, 0, 1, 2, -1):
        same(bc.sort(b, axis), np.sort(a, axis))
        same(bc.sort(b, axis, kind="stable"), np.sort(a, axis, kind="stable"))
        same(bc.argsort(b, axis, stable=True), np.argsort(a, axis, stable=True))
        stable = "stable" if b.device.startswith("cuda") else None
        same(b.argsort(axis), np.argsort(a, axis, kind=stable))
        if axis is not None and layout != "broadcast":
            assert bc.sort(b, axis).strides == np.sort(a, axis).strides
            mine, theirs = b.copy("K"), a.copy("K")
            mine.sort(axis)
            theirs.sort(axis)
            same(mine, theirs)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [0, 1, 2, 25, 9000, 100_000])
def test_sort_of_every_length(dtype, n):
    a = data(dtype, n)
    same(bc.sort(bc.array(a)), np.sort(a))
    same(bc.argsort(bc.array(a), kind="stable"), np.argsort(a, kind="stable"))


def nearly_one(rng, n):
    return 1 + rng.integers(0, 2**20, n) * 2.0**-52


def neighbours(rng, n):
    x = np.repeat(rng.normal(size=n // 2 + 1), 2)[:n]
    return np.where(np.arange(n) % 97 == 0, np.nextafter(x, rng.choice([-9, 9], n)), x)


SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324]
KEYS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "alike but for their last bits": nearly_one,
    "the same beside one far away": lambda rng, n: np.where(np.arange(n) == n // 2, -1e300, nearly_one(rng, n)),
    "pairs of neighbours": neighbours,
    "many of a few": lambda rng, n: rng.choice(rng.normal(size=200), n),
    "special": lambda rng, n: rng.choice([*SPECIAL, *rng.normal(size=99)], n),
    "most of them one": lambda rng, n: np.where(rng.random(n) < 0.9, 0.5, rng.normal(size=n)),
    "all integers": lambda rng, n: rng.integers(-(2**63), 2**63 - 1, n),
    "integers": lambda rng, n: rng.integers(-(2**40), 2**40, n),
    "floats": lambda rng, n: rng.normal(size=n).astype("f4"),
}


@pytest.mark.parametrize("n", [100, 5_000, 40_000, 300_001])
@pytest.mark.parametrize("kind", KEYS)
def test_argsort_of_many_keys_that_share_leading_bits(kind, n):
    a = KEYS[kind](np.random.default_rng(n), n)
    for keys in (a, a[::-1].copy()):
        same(bc.argsort(bc.array(keys), stable=True), np.argsort(keys, stable=True))
    second = (a > 0).astype("i1")
    same(bc.lexsort((bc.array(a), bc.array(second))), np.lexsort((a, second)))


@pytest.mark.parametrize("dtype", ["u1", "i8", "f2", "f8", "M8[s]", "c8"])
@pytest.mark.parametrize("length", [1, 24, 60, 512, 513, 40_000])
def test_lines_of_every_length(dtype, length):
    a = data(dtype, (5, length))
    for x, axis in ((a, 1), (a.T.copy(), 0)):
        wide = x.astype("f4") if dtype == "f2" else x  # NumPy's sort of many float16 numbers leaves some out of order
        same(bc.sort(bc.array(x), axis), np.sort(wide, axis).astype(x.dtype))
        same(bc.argsort(bc.array(x), axis, stable=True), np.argsort(x, axis, stable=True))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_a_stable_sort_keeps_the_signs_of_zeros(dtype):
    a = np.array([0.0, -0.0, 1, 0.0, -0.0, -1, np.nan], dtype)
    same(bc.signbit(bc.sort(a, stable=True)), np.signbit(np.sort(a, stable=True)))


def test_sort_reads_what_is_pending_and_writes_through_views():
    x = np.random.default_rng(1).normal(size=20_000)
    a = bc.array(x)
    same(bc.sort(a * 2 + 1), np.sort(x * 2 + 1))
    later = a + 1
    a[::2].sort()
    want = x.copy()
    want[::2].sort()
    same(a, want)
    same(later, x + 1)


@pytest.mark.parametrize("dtype", TYPES)
def test_partition(dtype):
    a = data(dtype, (9, 11), few=True)
    for axis, kth in ((0, 3), (1, (2, -1)), (-1, [0]), (None, 50)):
        p, s = bc.partition(a, kth, axis).get(), np.sort(a, axis)
        order = bc.argpartition(bc.array(a), kth, axis).get()
        flat = a.ravel() if axis is None else a
        line = np.take_along_axis(flat, order, axis if axis is not None else 0)
        np.testing.assert_array_equal(np.sort(p, axis), s, strict=True)
        for k in np.atleast_1d(kth):
            np.testing.assert_array_equal(p.take(k, axis), s.take(k, axis))
            np.testing.assert_array_equal(line.take(k, axis), s.take(k, axis))
    b = bc.array(a)
    b.partition(4, 0)
    np.testing.assert_array_equal(b.get()[4], np.sort(a, 0)[4])


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", TYPES)
def test_searchsorted(dtype, side):
    for n in (0, 1, 2, 100, 40_000):
        a = np.sort(data(dtype, n, few=n < 200))
        v = data(dtype, (7, 30), seed=5, few=n < 200)
        same(bc.searchsorted(bc.array(a), bc.array(v), side), np.searchsorted(a, v, side))
        same(bc.array(a[::-1].copy())[::-1].searchsorted(v[0, 0], side=side), np.searchsorted(a, v[0, 0], side))
        order = np.random.default_rng(3).permutation(n)
        back = np.argsort(order)
        same(bc.searchsorted(a[order], v, side, back), np.searchsorted(a[order], v, side, back))


@pytest.mark.parametrize("left", REAL)
@pytest.mark.parametrize("right", ["i8", "u8", "f4", "c16"])
def test_searchsorted_of_two_types(left, right):
    a, v = np.sort(data(left, 50, few=True)), data(right, 20, few=True)
    same(bc.searchsorted(a, bc.array(v)), np.searchsorted(a, v))


def test_searchsorted_of_many_values_by_all_threads():
    rng = np.random.default_rng(0)
    a, v = np.sort(rng.normal(size=300_000)), rng.normal(size=200_000)
    same(bc.searchsorted(bc.array(a), bc.array(v)), np.searchsorted(a, v))


def test_lexsort():
    keys = [data(t, (6, 40), seed=k, few=True) for k, t in enumerate(["f8", "i4", "?", "c16", "M8[s]"])]
    for axis in (0, 1, -1):
        same(bc.lexsort([bc.array(k) for k in keys], axis), np.lexsort(keys, axis))
    same(bc.lexsort([k[0] for k in keys]), np.lexsort([k[0] for k in keys]))
    same(bc.lexsort(bc.array(keys[1])), np.lexsort(keys[1]))


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8"])
def test_sort_complex(dtype):
    a = data(dtype, (4, 30))
    same(bc.sort_complex(bc.array(a)), np.sort_complex(a))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("bins", [[0, 1, 1, 2.5], [2, 1, 0.5, -1], [1], [], [1, 1, 1]])
def test_digitize(bins, right):
    for dtype in REAL:
        x = data(dtype, (3, 50), few=True)
        same(bc.digitize(bc.array(x), bins, right), np.digitize(x, bins, right))
        same(bc.digitize(x, bc.array(bins), right), np.digitize(x, bins, right))
    same(bc.digitize(0.5, bins, right), np.digitize(0.5, bins, right))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize(
    "bins",
    [[0, np.nan], [np.nan, 0], [np.nan], [np.nan, np.nan], [0, 1, np.nan], [3, 1, np.nan], [1, 1, np.nan], [0, 0, 1]],
)
def test_edges_with_nan(bins, right):
    for x in (np.array([-1.0, 0, 0.5, 1, 3, 4, np.nan]), np.ones(5000)):
        same(bc.digitize(bc.array(x), bc.array(bins), right), np.digitize(x, np.array(bins), right))


CALLS = {
    "dates among durations": lambda m, a: m.searchsorted(a(np.array([1, 2], "m8[D]")), a(np.array([1, 2], "M8[s]"))),
    "durations among dates": lambda m, a: m.searchsorted(a(np.array([1, 2], "M8[D]")), a(np.array([1, 2], "m8[s]"))),
    "a duration among dates": lambda m, a: m.searchsorted(a(np.array([1, 2], "M8[D]")), a(np.array(1, "m8[s]"))),
    "0-d": lambda m, a: m.sort(a(5)),
    "0-d flattened": lambda m, a: m.sort(a(5), axis=None),
    "0-d argsort": lambda m, a: m.argsort(a(5)),
    "0-d argsort, axis 1": lambda m, a: m.argsort(a(5), axis=1),
    "axis": lambda m, a: m.sort(a([1, 2]), axis=1),
    "kind": lambda m, a: m.sort(a([1]), kind="x"),
    "kind and stable": lambda m, a: m.argsort(a([1]), kind="stable", stable=True),
    "order": lambda m, a: m.sort(a([1]), order="f"),
    "kth": lambda m, a: m.partition(a([1, 2]), 2),
    "negative kth": lambda m, a: m.partition(a([1, 2]), [0, -4]),
    "kth of floats": lambda m, a: m.argpartition(a([1, 2]), 0.5),
    "kth of bools": lambda m, a: m.partition(a([1, 2]), True),
    "partition's kind": lambda m, a: m.partition(a([1, 2]), 0, kind="stable"),
    "0-d partition": lambda m, a: m.partition(a(5), 0),
    "side": lambda m, a: m.searchsorted(a([1]), 1, "x"),
    "deep": lambda m, a: m.searchsorted(a([[1]]), 1),
    "shallow": lambda m, a: m.searchsorted(a(1), 1),
    "sorter's size": lambda m, a: m.searchsorted(a([1, 2]), 1, sorter=a([0])),
    "sorter's range": lambda m, a: m.searchsorted(a([1, 2]), 1, sorter=a([0, 2])),
    "sorter's sign": lambda m, a: m.searchsorted(a([1, 2]), 1, sorter=a([-1, 0])),
    "sorter's type": lambda m, a: m.searchsorted(a([1, 2]), 1, sorter=a([0.0, 1])),
    "sorter's axes": lambda m, a: m.searchsorted(a([1, 2]), 1, sorter=a([[0, 1]])),
    "lexsort of nothing": lambda m, a: m.lexsort(()),
    "lexsort of shapes": lambda m, a: m.lexsort((a([1, 2]), a([1]))),
    "lexsort's axis": lambda m, a: m.lexsort((a([1, 2]), a([1, 2])), axis=1),
    "lexsort of scalars": lambda m, a: m.lexsort((1, 2)),
    "lexsort of 0-d": lambda m, a: m.lexsort(a(5)),
    "bins": lambda m, a: m.digitize(a([1]), [1, 3, 2]),
    "bins' axes": lambda m, a: m.digitize(a([1]), [[1]]),
    "digitize complex": lambda m, a: m.digitize(a([1j]), [1]),
    "in place, axis": lambda m, a: a([1]).sort(1),
    "in place, 0-d": lambda m, a: a(1).sort(),
}


@pytest.mark.parametrize("case", CALLS)
def test_edges_and_errors(case):
    same_outcome(lambda: CALLS[case](bc, bc.array), lambda: CALLS[case](np, np.array))


def test_read_only_arrays_are_not_sorted():
    for sort in ("sort", "partition"):
        a, b = bc.array([2, 1]), np.array([2, 1])
        a.flags.writeable = b.flags.writeable = False
        same_outcome(
            lambda: getattr(a, sort)(*[0] * (sort == "partition")),
            lambda: getattr(b, sort)(*[0] * (sort == "partition")),
        )
        assert a.tolist() == [2, 1]


def test_the_reference_device_agrees():
    for dtype in TYPES:
        a, v = data(dtype, 40, few=True), data(dtype, 20, seed=9, few=True)
        with bc.device("reference"):
            b = bc.array(a)
            assert b.device == "reference"
            same(bc.argsort(b, stable=True), np.argsort(a, stable=True))
            same(bc.sort(b), np.sort(a))
            for side in ("left", "right"):
                same(bc.searchsorted(bc.sort(b), bc.array(v), side), np.searchsorted(np.sort(a), v, side))


ARRAYS = hnp.arrays(
    st.sampled_from(["i1", "u8", "f2", "f4", "f8", "c16", "?", "i8"]), hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=6)
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(a=ARRAYS, draw=st.data())
def test_any_array_sorts_as_numpy_sorts_it(a, draw):
    axis = draw.draw(st.sampled_from([None, *range(-a.ndim, a.ndim)]))
    b = bc.array(a)
    same(bc.sort(b, axis), np.sort(a, axis))
    same(bc.argsort(b, axis, stable=True), np.argsort(a, axis, stable=True))
    line = np.sort(a, None)
    same(bc.searchsorted(bc.array(line), b, "right"), np.searchsorted(line, a, "right"))


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f4", "f8", "c16", "M8[s]"])
@pytest.mark.parametrize("kind", [None, "quicksort", "stable", "mergesort", "heapsort"])
def test_indices_of_every_kind_of_sort_are_numpys(dtype, kind):
    rng = np.random.default_rng(3)
    for shape in ((7,), (3, 4), (0,), (1,), (300,)):
        host = rng.integers(0, 4, shape).astype("i8").astype(dtype)
        asked = "stable" if bc.array(host).device.startswith("cuda") else kind
        for axis in (-1, 0, None):
            wanted = np.argsort(host, axis, kind=asked)
            np.testing.assert_array_equal(np.asarray(bc.argsort(bc.array(host), axis, kind)), wanted)
            np.testing.assert_array_equal(np.asarray(bc.argsort(bc.array(host), axis=axis, kind=kind)), wanted)
            np.testing.assert_array_equal(np.asarray(bc.array(host).argsort(axis, kind=kind)), wanted)
        np.testing.assert_array_equal(np.asarray(bc.array(host).argsort(kind=kind)), np.argsort(host, kind=asked))
    with pytest.raises(ValueError):
        bc.argsort(bc.array([1, 2]), kind="nonsense")
    with pytest.raises(ValueError):
        bc.array([1, 2]).argsort(kind="nonsense")

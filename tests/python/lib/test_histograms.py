"""bincount and histogram against NumPy: types, weights, ranges, edges, bits of sums, errors."""

import inspect

import bascule as bc
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ordered_arrays import data, same, same_outcome

pytestmark = pytest.mark.usefixtures("native")


@pytest.mark.parametrize("name", ["histogram", "histogram_bin_edges"])
def test_signatures(name):
    ours, theirs = inspect.signature(getattr(bc, name)).parameters, inspect.signature(getattr(np, name)).parameters
    assert [(p.name, p.kind, p.default) for p in ours.values()] == [
        (p.name, p.kind, p.default) for p in theirs.values()
    ]


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u4", "i8"])
@pytest.mark.parametrize("n", [0, 1, 100, 200_000])
def test_bincount(dtype, n):
    rng = np.random.default_rng(n)
    x = rng.integers(0, 2 if dtype == "?" else 100, n).astype(dtype)
    b = bc.array(x)
    for minlength in (0, 7, 500):
        same(bc.bincount(b, minlength=minlength), np.bincount(x, minlength=minlength))
    for w in (rng.normal(size=n), rng.normal(size=n).astype("f4"), rng.integers(0, 9, n), rng.random(n) < 0.5):
        same(bc.bincount(b, bc.array(w)), np.bincount(x, w))
        same(bc.bincount(x, w, 300), np.bincount(x, w, 300))


def test_bincount_of_more_numbers_than_elements():
    x = np.random.default_rng(0).integers(0, 1_000_000, 150_000)
    same(bc.bincount(bc.array(x)), np.bincount(x))


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f4", "f8"])
@pytest.mark.parametrize("bins", [1, 10, 97, 6000])
def test_histogram_of_bins_of_equal_width(dtype, bins):
    rng = np.random.default_rng(1)
    for n in (1, 50, 200_000):
        t = np.dtype(dtype)
        a = rng.normal(size=n).astype(t) if t.kind == "f" else rng.integers(0, 100, n).astype(t)
        b = bc.array(a)
        same_outcome(lambda: bc.histogram(b, bins), lambda: np.histogram(a, bins))
        for limits in ((-1, 1), (0.0, 50.0), (np.float32(0.25), np.float32(0.75)), (3, 3)):
            same_outcome(lambda: bc.histogram(b, bins, limits), lambda: np.histogram(a, bins, limits))
        same_outcome(lambda: bc.histogram(b, bins, density=True), lambda: np.histogram(a, bins, density=True))


def test_histogram_of_values_on_edges():
    for t in ("f4", "f8"):
        a = np.concatenate(
            [
                np.linspace(0, 1, 1001),
                np.nextafter(np.linspace(0, 1, 1001), 2),
                np.nextafter(np.linspace(0, 1, 1001), -1),
            ]
        )
        a = a.astype(t)
        for bins in (3, 10, 100, 1000):
            same(bc.histogram(bc.array(a), bins), np.histogram(a, bins))
            same(bc.histogram(bc.array(a), bins, (0.1, 0.7)), np.histogram(a, bins, (0.1, 0.7)))
        far = (a + 1e6).astype(t)
        same_outcome(lambda: bc.histogram(bc.array(far), 10), lambda: np.histogram(far, 10))


@pytest.mark.parametrize("top", [2.2e-309, 5e-324 * 40, 2.3e-308, 1e-307])
@pytest.mark.parametrize("weights", [None, [0.5, 2.0, 4.0]])
def test_histogram_of_subnormal_ranges(top, weights):
    a = [0.0, top / 3, top]
    for bins in (1, 3, 10):
        got, want = (m.histogram(a, bins, weights=weights) for m in (bc, np))
        assert got[0].tolist() == want[0].tolist() and got[1].tolist() == want[1].tolist()


def test_histogram_leaves_out_nan_and_what_lies_outside():
    a = data("f8", 1000)
    same(bc.histogram(bc.array(a), 10, (-1, 1)), np.histogram(a, 10, (-1, 1)))


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "?", "c8", "c16"])
def test_weights_are_summed_to_the_last_bit(dtype):
    rng = np.random.default_rng(2)
    a = rng.normal(size=(3, 100_000))
    w = (rng.random(a.shape) < 0.5) if dtype == "?" else (rng.normal(size=a.shape) * 50).astype("i4").astype(dtype)
    if w.dtype.kind in "fc":
        w = (w * rng.random(a.shape)).astype(dtype)
    same(bc.histogram(bc.array(a), 20, weights=bc.array(w)), np.histogram(a, 20, weights=w))
    same(bc.histogram(bc.array(a), 20, (0, 1), True, w), np.histogram(a, 20, (0, 1), True, w))


@pytest.mark.parametrize("edges", [[0, 1, 2, 5], [0.5, 0.5, 1, 1], [-3], [0, 1.5, np.inf], [1, 1, 1]])
@pytest.mark.parametrize("dtype", ["i4", "u1", "f4", "f8"])
def test_histogram_of_given_edges(dtype, edges):
    a = data(dtype, (4, 500), few=True)
    for density in (None, True):
        with np.errstate(all="ignore"):
            same_outcome(
                lambda: bc.histogram(bc.array(a), edges, density=density),
                lambda: np.histogram(a, edges, density=density),
            )
    same_outcome(lambda: bc.histogram(a, bc.array(edges)), lambda: np.histogram(a, np.array(edges)))


@pytest.mark.parametrize("bins", [4, [0, 1, 3]])
def test_bin_edges(bins):
    for a in (data("f4", 100), data("i8", 100, few=True), np.zeros(0)):
        same_outcome(lambda: bc.histogram_bin_edges(bc.array(a), bins), lambda: np.histogram_bin_edges(a, bins))
        same(bc.histogram_bin_edges(a, bins, (0, 2)), np.histogram_bin_edges(a, bins, (0, 2)))


CASES = {
    "negative": lambda m, a: m.bincount(a([1, -1])),
    "floats": lambda m, a: m.bincount(a([1.0])),
    "list of floats": lambda m, a: m.bincount([1.0]),
    "two axes": lambda m, a: m.bincount(a([[1]])),
    "no axis": lambda m, a: m.bincount(a(1)),
    "nothing": lambda m, a: m.bincount([]),
    "minlength": lambda m, a: m.bincount(a([1]), minlength=-1),
    "minlength None": lambda m, a: m.bincount(a([1]), minlength=None),
    "minlength of floats": lambda m, a: m.bincount(a([1]), minlength=2.5),
    "length of weights": lambda m, a: m.bincount(a([1]), a([1.0, 2.0])),
    "type of weights": lambda m, a: m.bincount(a([1]), a([1j])),
    "axes of weights": lambda m, a: m.bincount(a([1]), a([[1.0]])),
    "0-d weights": lambda m, a: m.bincount(a([1]), a(1.0)),
    "bins": lambda m, a: m.histogram(a([1.0]), 0),
    "bins of floats": lambda m, a: m.histogram(a([1.0]), 2.5),
    "bins of two axes": lambda m, a: m.histogram(a([1.0]), [[1, 2]]),
    "descending edges": lambda m, a: m.histogram(a([1.0]), [1, 3, 2]),
    "descending range": lambda m, a: m.histogram(a([1.0]), 2, (1, 0)),
    "endless range": lambda m, a: m.histogram(a([1.0]), 2, (0, np.inf)),
    "NaN": lambda m, a: m.histogram(a([np.nan, 1.0])),
    "too many bins": lambda m, a: m.histogram(a([1.0, np.nextafter(1, 2)]), 100),
    "shape of weights": lambda m, a: m.histogram(a([1.0]), weights=a([1.0, 2])),
    "no values": lambda m, a: m.histogram(a(np.zeros(0)), 3),
    "0-d": lambda m, a: m.histogram(a(2.5), 3),
    "bools": lambda m, a: m.histogram(a([True, False]), 3),
}


@pytest.mark.parametrize("case", CASES)
def test_edges_and_errors(case):
    same_outcome(lambda: CASES[case](bc, bc.array), lambda: CASES[case](np, np.array))


def test_booleans_are_counted_with_a_warning():
    with pytest.warns(RuntimeWarning, match="Converting input from bool"):
        bc.histogram(bc.array([True, False]))


def test_the_reference_device_agrees():
    rng = np.random.default_rng(0)
    a, w, i = rng.normal(size=300), rng.normal(size=300), rng.integers(0, 9, 300)
    with bc.device("reference"):
        same(bc.histogram(bc.array(a), 7, weights=bc.array(w)), np.histogram(a, 7, weights=w))
        same(bc.histogram(bc.array(a.astype("f4")), 7), np.histogram(a.astype("f4"), 7))
        same(bc.bincount(bc.array(i), bc.array(w)), np.bincount(i, w))
        same(bc.bincount(bc.array(i)), np.bincount(i))


@settings(max_examples=150, deadline=None)
@given(
    a=hnp.arrays(st.sampled_from(["f4", "f8", "i2"]), st.integers(0, 30), elements={"min_value": -99, "max_value": 99}),
    bins=st.one_of(st.integers(1, 40), st.lists(st.integers(-50, 50), min_size=1, max_size=6).map(sorted)),
    limits=st.none() | st.tuples(st.integers(-9, 0), st.floats(0, 9, allow_subnormal=False)),
)
def test_any_histogram(a, bins, limits):
    same_outcome(lambda: bc.histogram(bc.array(a), bins, limits), lambda: np.histogram(a, bins, limits))

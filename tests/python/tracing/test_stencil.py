"""Stencils against plain loops over the elements, and against scipy.ndimage at the borders."""

import itertools

import bascule as bc
import numpy as np
import pytest
import scipy.ndimage

pytestmark = pytest.mark.usefixtures("native")

WEIGHTS = {1: [(-2, 0.5), (0, 1.0), (1, -0.25)], 2: [((-1, 2), 0.5), ((0, 0), 1.0), ((1, -1), -0.25), ((2, 0), 3.0)]}


def weighted(ndim):
    terms = [(o if isinstance(o, tuple) else (o,), w) for o, w in WEIGHTS[ndim]]

    def function(a):
        total = 0.0
        for offsets, w in terms:
            total = total + w * a[offsets if ndim > 1 else offsets[0]]
        return total

    return terms, function


def by_loops(x, terms, cval):
    out = np.full(x.shape, cval)
    reach = [(min(0, *(o[d] for o, _ in terms)), max(0, *(o[d] for o, _ in terms))) for d in range(x.ndim)]
    for at in itertools.product(*(range(-low, n - high) for (low, high), n in zip(reach, x.shape))):
        out[at] = sum(w * x[tuple(i + o for i, o in zip(at, offsets))] for offsets, w in terms)
    return out


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


@pytest.mark.parametrize("shape", [(1,), (2,), (3,), (4,), (50,), (9000,), (4, 4), (3, 2), (80, 70), (0,), (0, 5)])
@pytest.mark.parametrize("layout", ["C", "F", "reversed"])
def test_constant_border(shape, layout):
    x = np.random.default_rng(1).normal(size=shape)
    x = {"C": x, "F": np.asfortranarray(x), "reversed": x[::-1]}[layout]
    terms, function = weighted(len(shape))
    found = bc.stencil(function, cval=7.5)(bc.asarray(x))
    assert found.dtype == np.float64
    np.testing.assert_allclose(np.asarray(found), by_loops(x, terms, 7.5), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("mode", ["nearest", "reflect", "mirror", "wrap"])
@pytest.mark.parametrize("shape", [(1,), (2,), (3,), (7,), (6, 5), (1, 4), (90, 80)])
def test_other_borders(mode, shape):
    x = np.random.default_rng(2).normal(size=shape)
    terms, function = weighted(len(shape))
    kernel = np.zeros((5,) * len(shape))
    for offsets, w in terms:
        kernel[tuple(o + 2 for o in offsets)] = w
    expected = scipy.ndimage.correlate(x, kernel, mode=mode)
    np.testing.assert_allclose(np.asarray(bc.stencil(mode)(function)(bc.asarray(x))), expected, rtol=1e-12, atol=1e-12)


def test_loops_conditions_and_several_arrays():
    @bc.stencil(neighborhood=((-29, 0),))
    def moving(a, n):
        total = 0
        for i in range(-n + 1, 1):
            total += a[i]
        return total / n

    x = np.random.default_rng(3).integers(0, 9, 100)
    expected = np.array([x[i - 29 : i + 1].mean() if i >= 29 else 0 for i in range(100)])
    assert np.array_equal(np.asarray(moving(bc.asarray(x), 30)), expected)

    @bc.stencil
    def larger(a, b):
        return bc.where(a[0] > b[1], a[0], b[1])

    y = x[::-1].copy()
    expected = np.append(np.maximum(x[:-1], y[1:]), 0)
    found = larger(bc.asarray(x), bc.asarray(y))
    assert found.dtype == x.dtype and np.array_equal(np.asarray(found), expected)


def test_tables_are_indexed_as_arrays():
    @bc.stencil(standard_indexing=("w",))
    def weighted(a, w):
        return a[-1] * w[0] + a[0] * w[1]

    x, w = np.arange(6.0), np.array([10.0, 1.0])
    found = weighted(bc.asarray(x), bc.asarray(w))
    assert np.array_equal(np.asarray(found), np.append(0, x[:-1] * 10 + x[1:]))


def test_out_and_types():
    f = bc.stencil(lambda a: a[0] + a[1])
    out = bc.full(5, 9.0)
    assert f(bc.arange(5), out=out) is out
    assert np.asarray(out).tolist() == [1.0, 3.0, 5.0, 7.0, 0.0]
    assert f(bc.arange(5, dtype="int16")).dtype == np.int16
    assert f(np.arange(5, dtype="float32")).dtype == np.float32  # NumPy's arrays are accepted, too
    x = bc.arange(10000.0)
    assert f(x[::2])[3] == 14.0


def test_numbers_are_refused():
    with pytest.raises(TypeError, match="instead of `if` write bascule.where"):
        bc.stencil(lambda a: 1 if a[0] > 0 else 2)(bc.ones(5))
    with pytest.raises(TypeError, match="integers is expected"):
        bc.stencil(lambda a: a[0.5])(bc.ones(5))
    with pytest.raises(ValueError, match="1 integers are expected"):
        bc.stencil(lambda a: a[0, 1])(bc.ones(5))
    with pytest.raises(ValueError, match="reads no array"):
        bc.stencil(lambda a: 3)(bc.ones(5))
    with pytest.raises(ValueError, match="where neighborhood says"):
        bc.stencil(lambda a: a[2], neighborhood=((-1, 1),))(bc.ones(5))
    with pytest.raises(ValueError, match="1 pairs are expected"):
        bc.stencil(lambda a: a[0], neighborhood=((-1, 1), (0, 0)))(bc.ones(5))
    with pytest.raises(ValueError, match="mode is one of"):
        bc.stencil("periodic")
    with pytest.raises(ValueError, match="at least its lengths"):
        bc.stencil(lambda a, b: a[0] + b[0])(bc.ones(5), bc.ones(4))
    with pytest.raises(ValueError, match="cannot be held"):
        bc.stencil(lambda a: a[0], cval=0.5)(bc.arange(5))
    with pytest.raises(ValueError, match="no argument of the function"):
        bc.stencil(lambda a: a[0], standard_indexing=("w",))
    with pytest.raises(ValueError, match="first argument"):
        bc.stencil(lambda a: a[0], standard_indexing=("a",))
    with pytest.raises(TypeError, match="first argument is an array"):
        bc.stencil(lambda a: a[0])(3)

    def assigns(a):
        a[0] = 1
        return a[0]

    with pytest.raises(TypeError, match="cannot be assigned to"):
        bc.stencil(assigns)(bc.ones(5))


FACTOR = 2.0


def test_what_is_kept_of_a_function_follows_its_arguments_and_the_names_it_reads(monkeypatch):
    """A trace is reused as long as these are the same, in value and in type."""
    weight = 3

    @bc.stencil
    def f(a, k):
        return FACTOR * a[0] + weight * a[1] + k

    x = bc.arange(5)
    values = lambda: f(x, 1).tolist()
    expected = lambda factor, w: [factor * i + w * (i + 1) + 1 for i in range(4)] + [0]
    assert values() == expected(2.0, 3)
    assert values() == expected(2.0, 3)
    monkeypatch.setitem(globals(), "FACTOR", 5)
    assert values() == expected(5, 3)
    assert f(x, 1).dtype == np.int64
    assert f(x, 1.0).dtype == np.float64
    weight = 4
    assert values() == expected(5, 4)


def test_a_function_of_plain_names_is_looked_at_once():
    looked = []

    class Count:
        def __add__(self, other):
            looked.append(1)
            return other

    one = Count()

    @bc.stencil
    def f(a):
        return one + a[0] + a[1]

    x = bc.arange(6.0)
    assert f(x).tolist() == [1, 3, 5, 7, 9, 0]
    first = len(looked)
    assert f(x).tolist() == f(x + 0).tolist() == [1, 3, 5, 7, 9, 0]
    assert len(looked) == first > 0

"""Casts of numbers outside the range of the target integers, and NumPy's warnings about them. Casts of small arrays: values, types, shapes and warnings are NumPy's, whatever data earlier arrays had."""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import bits

pytestmark = pytest.mark.usefixtures("native")

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
def test_boolean_becomes_a_number(to):
    for n in (1, 31, 100, 5000):
        b = np.random.default_rng(n).random(n) > 0.5
        got = bc.array(b).astype(to)
        assert got.dtype == to
        np.testing.assert_array_equal(np.asarray(got), b.astype(to))
        np.testing.assert_array_equal(np.asarray(bc.array(b)[::-3].astype(to)), b[::-3].astype(to))


# ---- Casts of small arrays: values, types, shapes and warnings are NumPy's, whatever data earlier arrays had


_TYPES = ["?", "i1", "u1", "i2", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
_SHAPES = [(3,), (), (2, 3), (1,), (0,), (2, 1, 2), (8,)]


def _elements(dtype, shape):
    x = np.array([0, 1, 2, -1, 3.7, 300, 1e5, 1e300])[: max(int(np.prod(shape)), 0)].reshape(shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x.astype(dtype)


def _outcome(call):
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        r = call()
    kept = np.asarray(r)
    return kept.dtype, kept.shape, bits(kept), sorted({(w.category, str(w.message)) for w in reported}, key=str)


@pytest.mark.parametrize("source", _TYPES)
def test_casts_of_every_type(source):
    for to, shape in itertools.product(_TYPES, _SHAPES):
        x = _elements(source, shape)
        y = bc.asarray(x)
        assert _outcome(lambda y=y, to=to: y.astype(to)) == _outcome(lambda x=x, to=to: x.astype(to)), (to, shape)


@pytest.mark.parametrize("lay", [lambda x: x[::-1], lambda x: x.T, lambda x: x[..., ::2], lambda x: x[:, :1]])
def test_casts_of_parts(lay):
    x = np.arange(12.0).reshape(3, 4)
    for to in ("f4", "f8", "i2"):
        wanted, got = lay(x).astype(to), lay(bc.asarray(x)).astype(to)
        assert (got.dtype, got.shape, got.strides) == (wanted.dtype, wanted.shape, wanted.strides)
        np.testing.assert_array_equal(np.asarray(got), wanted)


def test_a_cast_is_memory_of_its_own():
    x = bc.arange(5.0)
    for to in ("f8", "f4"):
        y = x.astype(to)
        y[0] = 9
        assert x[0] == 0 and y[0] == 9 and y.flags.owndata


def test_names_of_types_are_known_by_what_they_say():
    x = bc.arange(3)
    for _ in range(3):
        for name in _TYPES:
            for said in (name, "".join([*name]), np.dtype(name), np.dtype(name).type):
                assert x.astype(said).dtype == np.dtype(name)
        for said in (float, int, bool, complex, "float32", "datetime64[s]", "m8[3D]"):
            assert x.astype(said).dtype == np.dtype(said)
    with pytest.raises(TypeError):
        x.astype("f3")

"""Casts of small arrays: values, types, shapes and warnings are NumPy's, whatever data earlier arrays had."""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest

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
    return kept.dtype, kept.shape, kept.tobytes(), sorted({(w.category, str(w.message)) for w in reported}, key=str)


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

"""Functions whose common calls are handled before the Python function: same results, errors and signatures."""

from __future__ import annotations

import copy
import inspect
import pickle
import pydoc
import types
import weakref

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

NAMES = ["array", "asarray", "empty", "ones", "zeros"]


@pytest.mark.parametrize("name", NAMES)
def test_they_show_themselves_as_functions(name):
    f = getattr(bc, name)
    assert f.__name__ == f.__qualname__ == name
    assert f.__module__.startswith("bascule.lib.creation.")
    assert isinstance(f, types.FunctionType)
    assert list(inspect.signature(f).parameters)[: 2 if name != "asarray" else 1]
    assert inspect.signature(f) == inspect.signature(f.__wrapped__)
    assert inspect.getsource(f).startswith("@_core.function")
    assert pydoc.render_doc(f).splitlines()[0].endswith(f"function {name} in module {f.__module__}")
    assert f.__doc__ and repr(f).startswith(f"<function {name}")
    assert pickle.loads(pickle.dumps(f)) is f
    assert copy.copy(f) is copy.deepcopy(f) is weakref.ref(f)() is f
    assert hash(f) == hash(getattr(bc, name))


def test_attributes_are_the_functions():
    f = bc.zeros
    f.seen = 1
    assert f.__wrapped__.seen == 1
    del f.seen
    with pytest.raises(AttributeError):
        f.seen
    with pytest.raises(TypeError):
        type(f)()
    with pytest.raises(ValueError, match="has no row in the function table"):
        bc._core.function(bc.pad)


class Maker:
    make = bc.zeros


def test_they_are_no_methods():
    assert Maker().make(3).shape == Maker.make(3).shape == (3,)


SHAPES = [0, 1, 70, 10_000, (), (3,), (2, 3), [2, 3], (2, 0), np.int64(4), np.array([2, 2]), (2**20, 0)]
TYPES = [None, float, int, bool, complex, "f4", np.float32, np.dtype("i2"), "M8[s]"]


@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
@pytest.mark.parametrize("dtype", TYPES, ids=repr)
@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_filled(shape, dtype, name):
    if name == "ones" and dtype == "M8[s]":
        return
    for args, options in (((shape, dtype), {}), ((shape,), {"dtype": dtype}), ((), {"shape": shape, "dtype": dtype}),
                          ((shape, dtype, "F"), {}), ((shape,), {"dtype": dtype, "device": "cpu"})):  # fmt: skip
        wanted, found = getattr(np, name)(*args, **options), getattr(bc, name)(*args, **options)
        assert (found.dtype, found.shape) == (wanted.dtype.newbyteorder("="), wanted.shape)
        assert found.strides == wanted.strides or not wanted.size
        if name != "empty":
            np.testing.assert_array_equal(np.asarray(found), wanted)
        found[...] = found  # writeable


@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
@pytest.mark.parametrize("args", [(-1,), ((2, -1),), (2.5,), ("3",), (2**70,), ((2**40, 2**40),), (3, "no such type"),
                                  (3, float, "Z"), ((1,) * 65,), (None,)])  # fmt: skip
def test_what_is_refused(args, name):
    with pytest.raises(Exception) as wanted:
        getattr(np, name)(*args)
    with pytest.raises(type(wanted.value)):
        getattr(bc, name)(*args)


@pytest.mark.parametrize("name", NAMES)
def test_arguments_that_do_not_fit(name):
    f = getattr(bc, name)
    with pytest.raises(TypeError, match=f"{name}\\(\\) missing 1 required positional argument"):
        f()
    with pytest.raises(TypeError, match=f"{name}\\(\\) got an unexpected keyword argument 'dtypo'"):
        f(3, dtypo=float)
    with pytest.raises(TypeError, match=f"{name}\\(\\) got multiple values for argument 'dtype'"):
        f(3, float, dtype=float)


VALUES = [1, 2.5, True, 1j, [1, 2], [1.5, 2], (True, False), [[1, 2], [3, 4]], [[1.5], [2]], [], [[]], range(4),
          [np.float32(1), 2], [1, 2**40], [True, 2.5], "2020-01-01", np.arange(3), np.float64(2), [np.arange(2)]]  # fmt: skip


@pytest.mark.parametrize("name", ["array", "asarray"])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_made_of_numbers(value, name):
    with bc.config.set(fallback="silent"):  # arrays of strings are NumPy's
        wanted, found = getattr(np, name)(value), getattr(bc, name)(value)
    assert (type(found) is np.ndarray) == isinstance(value, str)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(np.asarray(found), wanted)


def test_an_array_is_itself_or_copied():
    x = bc.arange(3.0)
    assert bc.asarray(x) is x
    y = bc.array(x)
    y[0] = 7
    assert x[0] == 0
    assert bc.asarray(x, float) is x
    assert bc.asarray(x, dtype=int).dtype == int


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u1", "?"])
@pytest.mark.parametrize("shape", [(2, 2), (8, 8), (3, 1), (1, 5), (2, 3, 4), (16, 17), (0, 3), (5,)])
def test_positions_along_an_axis(shape, dtype):
    x = (np.random.default_rng(0).integers(0, 4, shape)).astype(dtype)
    if dtype[0] == "f" and x.size:
        x.reshape(-1)[::5] = np.nan
        x.reshape(-1)[1::7] = -np.inf
    a = bc.asarray(x)
    for name in ("argmax", "argmin"):
        for axis in range(-x.ndim - 1, x.ndim + 1):
            calls = (
                lambda v, f=name, k=axis: getattr(v, f)(k),
                lambda v, f=name, k=axis: getattr(v, f)(axis=k),
                lambda v, f=name, k=axis: getattr(v.T, f)(axis=k),
                lambda v, f=name, k=axis: getattr(v, f)(k, keepdims=True),
            )
            for case in calls:
                try:
                    wanted = case(x)
                except Exception as error:
                    with pytest.raises(type(error)) as said:
                        case(a)
                    assert str(said.value) == str(error)
                    continue
                found = case(a)
                assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
                np.testing.assert_array_equal(np.asarray(found), wanted)

"""Views and functions with complex results from numpy.lib, against NumPy's."""

import importlib
import inspect

import bascule as bc
import numpy as np
import pytest
from newer_parameters import common
from numpy.testing import assert_array_equal

pytestmark = pytest.mark.usefixtures("native")

ours, theirs = bc.lib.stride_tricks, np.lib.stride_tricks


@pytest.mark.parametrize("window, axis", [((2, 3), None), (2, 0), (3, -1), ((2, 2), (0, 0)), ((1, 3), (1, 2)), (0, 1)])
@pytest.mark.parametrize("turn", [lambda a: a, lambda a: a.T, lambda a: a[::-1, ::2]])
def test_windows(window, axis, turn):
    a = np.arange(60.0).reshape(3, 4, 5)
    if axis is None:
        a = a[0]
    want = theirs.sliding_window_view(turn(a), window, axis)
    got = ours.sliding_window_view(turn(bc.array(a)), window, axis)
    assert got.shape == want.shape and not got.flags.writeable
    assert_array_equal(got.get(), want)
    assert type(np.lib.stride_tricks.sliding_window_view(bc.array(a), window, axis)) is bc.ndarray


def test_windows_share_memory_and_reduction_lazily():
    a = bc.arange(100_000.0)
    w = ours.sliding_window_view(a, 5, writeable=True)
    w[0, 0] = 7
    assert float(a[0]) == 7 and bc.shares_memory(a, w)
    assert_array_equal(w.mean(axis=-1).get(), theirs.sliding_window_view(a.get(), 5).mean(axis=-1))


@pytest.mark.parametrize("arguments", [(7,), (-1,), ((2, 2),), (2, 5), ((2, 3), 0)])
def test_windows_that_do_not_fit(arguments):
    with pytest.raises(ValueError) as want:
        theirs.sliding_window_view(np.arange(6), *arguments)
    with pytest.raises(type(want.value)) as got:
        ours.sliding_window_view(bc.arange(6), *arguments)
    assert str(got.value) == str(want.value)


def test_strided_views():
    a = np.arange(12)
    for shape, strides in (((3, 4), (32, 8)), ((4, 5), (8, 8)), ((6,), (16,)), ((3, 2), (0, 8)), ((0, 9), (8, 800))):
        got = ours.as_strided(bc.array(a), shape, strides, writeable=False)
        assert_array_equal(got.get(), theirs.as_strided(a, shape, strides))
        assert not got.flags.writeable
    for shape, strides in (((13,), (8,)), ((2,), (-8,)), ((2, 7), (48, 8)), ((2,), (8, 8))):
        with pytest.raises(ValueError, match="as_strided"):
            ours.as_strided(bc.array(a), shape, strides)


@pytest.mark.parametrize("name", ["sqrt", "log", "log2", "log10", "arcsin", "arccos", "arctanh"])
@pytest.mark.parametrize("t", ["i1", "i8", "f4", "f8", "c8", "c16"])
def test_functions_that_leave_the_real_numbers(name, t):
    for x in (np.array([0.5, 0.25]), np.array([-4, 0.5, 3]), np.array(-2.0), np.array(1.0)):
        x = x.astype(t)
        with np.errstate(all="ignore"):
            want, got = getattr(np.emath, name)(x), getattr(bc.emath, name)(bc.array(x))
        assert got.dtype == want.dtype and isinstance(got, np.generic) == isinstance(want, np.generic)
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5 if got.dtype.char in "fFe" else 1e-13)


def test_powers_and_logarithms_to_any_base():
    x, p = np.array([-2, 2, 3]), np.array([2, -1, 0.5])
    np.testing.assert_allclose(bc.emath.power(bc.array(x), p).get(), np.emath.power(x, p), rtol=1e-13)
    assert bc.emath.power(bc.array([2, 4]), -1).tolist() == [0.5, 0.25]
    np.testing.assert_allclose(bc.emath.logn(2, bc.array([-4, 4])).get(), np.emath.logn(2, [-4, 4]), rtol=1e-13)


def test_numpys_modules_are_imported_by_this_packages_name():
    names = ("exceptions", *(f"lib.{name}" for name in ("array_utils", "format", "introspect", "mixins")))
    for name in names:
        assert importlib.import_module(f"bascule.{name}") is importlib.import_module(f"numpy.{name}")
    assert bc.exceptions is np.exceptions and bc.lib.array_utils is np.lib.array_utils


def test_types_for_annotations():
    typing = importlib.import_module("bascule.typing")
    assert typing is bc.typing and typing.__all__ == np.typing.__all__
    assert typing.ArrayLike is np.typing.ArrayLike and typing.DTypeLike is np.typing.DTypeLike
    mine = typing.NDArray[np.float64]
    assert mine.__origin__ is bc.ndarray and mine.__args__[1] == np.dtype[np.float64]
    with pytest.raises(AttributeError, match="nonsense"):
        typing.nonsense


def test_modules_and_signatures():
    with pytest.raises(AttributeError, match="nonsense"):
        bc.lib.nonsense
    for mine, other in ((ours, theirs), (bc.emath, np.emath)):
        for name in mine.__all__:
            a, b = common(*(inspect.signature(getattr(m, name)) for m in (mine, other)))
            assert [(p.name, p.kind, p.default) for p in a] == [(p.name, p.kind, p.default) for p in b]
